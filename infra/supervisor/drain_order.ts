/** In which order a venue's services end: nobody before those who feed it. Pure. */

/** What the names of services begin with, first to end first. */
const STAGES = ["demo", "gateway", "market-data", "matcher", "nats"] as const;

/**
 * The services in groups: those of a group may end together, and each group after the one before it. Whose name is of no
 * stage is fed by some and feeds none: it ends first.
 */
export function drainStages<T extends { readonly name: string }>(services: readonly T[]): T[][] {
  const staged = STAGES.map((stage) => services.filter(({ name }) => name.startsWith(stage)));
  return [services.filter((each) => !staged.flat().includes(each)), ...staged];
}
