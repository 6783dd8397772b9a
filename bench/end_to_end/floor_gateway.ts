/**
 * The floor's gateway: bare TCP in, the same publishes and subscriptions as the real one, bytes without meaning. What
 * it costs is what no gateway on this machine can avoid.
 * Takes the gateway's place under the supervisor.
 */
import { parseArgs } from "@std/cli/parse-args";
import { AckedPublisher, connectNats } from "../../shared/nats/mod.ts";
import { cmdSubject } from "../../shared/protocol/mod.ts";
import { eventPathOf, followEvents } from "./event_path.ts";
import { ReportWriter } from "./report_writer.ts";
import { COMMAND_BYTES, EVENT_BYTES, ORDER_BYTES, REPORT_BYTES } from "./sizes.ts";

const flags = parseArgs(Deno.args, { string: ["nats"] });
const nc = await connectNats({
  url: flags.nats ?? "",
  name: "floor-gateway",
  user: Deno.env.get("PITWIRE_NATS_USER"),
  password: Deno.env.get("PITWIRE_NATS_PASSWORD"),
});
const path = eventPathOf(Deno.env);
const publisher = new AckedPublisher(nc);
const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
console.log(JSON.stringify({ ready: "fix-gateway", host: "127.0.0.1", port: listener.addr.port }));
Deno.addSignalListener("SIGTERM", () => Deno.exit(0));

for await (const connection of listener) {
  connection.setNoDelay(true);
  const reports = new ReportWriter(connection);
  const stop = await followEvents(nc, path, (bytes) => {
    reports.write(Math.floor(bytes / EVENT_BYTES) * REPORT_BYTES);
  });
  await forward(connection);
  stop();
}

async function forward(connection: Deno.TcpConn): Promise<void> {
  const buffer = new Uint8Array(256 * 1024);
  let bytes = 0;
  for (let read = await connection.read(buffer); read !== null; read = await connection.read(buffer)) {
    bytes += read;
    const orders = Math.floor(bytes / ORDER_BYTES);
    bytes -= orders * ORDER_BYTES;
    if (orders > 0) {
      publisher.publish(cmdSubject(0, "FLOOR"), new Uint8Array(orders * COMMAND_BYTES), () => {});
    }
  }
}
