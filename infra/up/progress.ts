/** Shows on standard error what `deno task up` waits for, as lines and, on a terminal, as a bar. */
// @ts-types="npm:@types/cli-progress@3.11.6"
import { SingleBar } from "cli-progress";
import type { ObtainProgress } from "../nats/obtain.ts";
import type { Logger } from "../../shared/cli/log.ts";

const MB = 1e6;

/** Progress that can be shown; call `done` at the end. */
export function terminalProgress(log: Logger): ObtainProgress & { done(): void } {
  let bar: SingleBar | null = null;
  let nextNote = 0.25;
  return {
    note: (text) => log.info(text),
    download(received, total) {
      if (!Deno.stderr.isTerminal()) {
        if (total === 0 || received / total < nextNote) return;
        log.info(`downloaded ${Math.round(100 * received / total)} %`);
        nextNote += 0.25;
        return;
      }
      if (bar === null) {
        bar = new SingleBar({ format: "nats-server [{bar}] {value} of {total} MB", hideCursor: true });
        bar.start(Math.max(1, Math.ceil(total / MB)), 0);
      }
      bar.update(Math.floor(received / MB));
    },
    done: () => bar?.stop(),
  };
}
