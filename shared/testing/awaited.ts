/** Waiting in tests for what happens by itself, with a deadline. Test code only. */

/** Every wait ends within this unless it says otherwise, ms. */
export const DEADLINE_MS = 30_000;

const LOOK_EVERY_MS = 2;

/** Resolves when `holds` does; it is asked again and again. Throws after the deadline with what `state` says. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  state: () => string = () => "",
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!await holds()) {
    if (performance.now() > deadline) throw new Error(late(what, deadlineMs, state()));
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** The promise's value, or an error that names `what` after the deadline. */
export async function within<T>(what: string, promise: Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(late(what, deadlineMs, ""))), deadlineMs);
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function late(what: string, deadlineMs: number, state: string): string {
  return `Waited ${deadlineMs} ms in vain for ${what}${state === "" ? "" : `: ${state}`}`;
}
