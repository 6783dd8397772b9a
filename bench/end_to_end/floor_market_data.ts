/** Stands in the floor for the market-data service, which is not on an order's path: does nothing until it is ended. */

console.log(JSON.stringify({ ready: "market-data" }));
const ended = new Promise<void>((resolve) => Deno.addSignalListener("SIGTERM", resolve));
const keepAlive = setInterval(() => {}, 1 << 30);
await ended;
clearInterval(keepAlive);
Deno.exit(0);
