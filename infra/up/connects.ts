/** Opens a TCP connection to its argument, `HOST:PORT`, and ends; says why when it cannot. A process of its own. */
const [address] = Deno.args;
const at = address.lastIndexOf(":");
const hostname = address.slice(0, at).replace(/^\[|\]$/g, "");
try {
  (await Deno.connect({ hostname, port: Number(address.slice(at + 1)) })).close();
} catch (error) {
  Deno.stderr.writeSync(new TextEncoder().encode(error instanceof Error ? error.message : String(error)));
  Deno.exit(1);
}
