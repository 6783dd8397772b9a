/**
 * Whether somebody takes connections where traces are to go. Deno's exporter says nothing when nobody does, and the
 * supervisor itself may only reach the loopback interface, so a child with that one address as its permission looks.
 */
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("./connects.ts", import.meta.url));
const PORTS: Record<string, string> = { "http:": "80", "https:": "443" };
const LIMIT_MS = 5000;

/** Null when the OTLP endpoint takes a connection, else why not. Takes at most some seconds. */
export async function collectorFault(url: string): Promise<string | null> {
  const { protocol, hostname, port } = new URL(url);
  const address = `${hostname}:${port || PORTS[protocol]}`;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-check",
      "--no-config",
      `--allow-net=${address}`,
      SCRIPT,
      address,
    ],
    signal: AbortSignal.timeout(LIMIT_MS),
    stdout: "null",
  }).output();
  if (success) return null;
  const why = new TextDecoder().decode(stderr).trim();
  return why === "" ? `no answer within ${LIMIT_MS / 1000} s` : why;
}
