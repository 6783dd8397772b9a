/**
 * `deno task simulate`: runs many seeds, one after the other. Says how far it is, prints a line for each seed that failed
 * with how to see it again, and exits with 1 when one did, or when a planted fault was not found. Wires and decides
 * nothing.
 */
import { runCommand } from "../../shared/cli/command.ts";
import { createLogger } from "../../shared/cli/log.ts";
import { print } from "../../shared/cli/output.ts";
import { type Flags, parseFlags, USAGE } from "./flags.ts";
import { missedText } from "./planted.ts";
import { simulate, type Verdict } from "./simulate.ts";

const PROGRESS_MS = 2000;

function line(text: string): void {
  print(`${text}\n`);
}

function summary(
  { seed, digest, steps, virtualMs, sent, commands, epochs, snapshots, purged, settledMs, kinds }: Verdict,
): string {
  return `seed ${seed}: digest ${digest}, ${steps} steps in ${virtualMs} ms, ${sent} messages, ${commands} commands, ` +
    `${epochs} epochs, ${snapshots} snapshots, ${purged} commands purged, settled in ${settledMs} ms; ${
      kinds.length === 0 ? "no trouble" : kinds.join(", ")
    }`;
}

async function run({ seeds, seed: first, steps, plant }: Flags): Promise<number> {
  const log = createLogger("simulate");
  const onStep = steps ? line : undefined;
  let failed = 0;
  let sent = 0;
  let virtualMs = 0;
  const began = performance.now();
  let saidMs = began;
  for (let seed = first; seed < first + seeds; seed++) {
    const verdict = await simulate({ seed, plant, onStep });
    sent += verdict.sent;
    virtualMs += verdict.virtualMs;
    if (seeds === 1) line(summary(verdict));
    if (verdict.fault !== null) {
      failed++;
      const again = `deno task simulate --seeds 1 --seed ${seed}${
        plant === undefined ? "" : ` --plant "${plant}"`
      }`;
      line(`failed: seed ${seed} ${verdict.fault}\n  again: ${again} --steps`);
    }
    if (performance.now() - saidMs < PROGRESS_MS) continue;
    saidMs = performance.now();
    log.info("simulating", { done: seed - first + 1, of: seeds, failed });
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const hours = (virtualMs / 3_600_000).toFixed(2);
  line(
    `${seeds} seeds from ${first}: ${failed} failed; ${sent} messages in ${hours} virtual hours, ${seconds} s`,
  );
  const missed = missedText(plant, seeds, failed);
  if (missed !== null) line(missed);
  return failed === 0 && missed === null ? 0 : 1;
}

await runCommand({ help: USAGE, read: parseFlags, run });
