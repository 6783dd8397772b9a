/**
 * What nobody caught, such as the error of a NATS connection's socket that the server closed in the midst of connecting: it
 * would end the supervisor at once, and its children would run on without it. Listens to the global events; decides nothing.
 */
import { errorText } from "../../shared/cli/log.ts";

/** Calls `heard` with one sentence for each error that nobody caught from now on, none of which ends the process any more. */
export function onUncaught(heard: (why: string) => void): void {
  const hear = (event: Event, error: unknown) => {
    event.preventDefault();
    heard(`Cannot go on after an error that nobody expected: ${errorText(error)}`);
  };
  globalThis.addEventListener("error", (event) => hear(event, event.error));
  globalThis.addEventListener("unhandledrejection", (event) => hear(event, event.reason));
}
