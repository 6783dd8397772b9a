/**
 * How an operator's tools find a running venue and get in: a file in its state folder, for its owner's eyes, that the
 * supervisor writes when nats-server is up and removes at the end. Owns its form. Does I/O.
 */
import { join } from "node:path";

/** What the file says. */
export interface OperatorAccess {
  /** NATS, with the credentials of the services. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Venue file. */
  readonly config: string;
}

const NAME = "operator.json";

/** Writes the file anew, mode 0600. */
export function writeOperatorFile(store: string, access: OperatorAccess): void {
  removeOperatorFile(store);
  const path = join(store, NAME);
  Deno.writeTextFileSync(path, `${JSON.stringify(access)}\n`, { mode: 0o600, createNew: true });
}

/** Removes the file if it is there. */
export function removeOperatorFile(store: string): void {
  try {
    Deno.removeSync(join(store, NAME));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Reads the file. Throws an Error with one sentence when no venue runs on the folder. */
export function readOperatorFile(store: string): OperatorAccess {
  const path = join(store, NAME);
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (cause) {
    const why = cause instanceof Deno.errors.NotFound
      ? "no venue runs there; start it with deno task up, or name its folder with --store"
      : cause instanceof Error
      ? cause.message
      : String(cause);
    throw new Error(`Cannot get into a venue by ${path}: ${why}`);
  }
  const { url, user, password, config } = JSON.parse(text) as Partial<OperatorAccess>;
  for (const value of [url, user, password, config]) {
    if (typeof value !== "string") throw new Error(`Cannot read ${path}: it is not a venue's`);
  }
  return { url: url!, user: user!, password: password!, config: config! };
}
