/**
 * A gateway process whose first batch of orders reaches the stream damaged, as a fault of ours would have it; all later
 * ones are right. Ends as the real process does: with exit code 1 when the gateway cannot go on. Test code.
 * Arguments: NATS URL, venue file.
 */
import { Gateway } from "../../services/fix-gateway/gateway.ts";
import { createLogger, errorText } from "../../shared/cli/log.ts";
import { COMMAND_HEADER_BYTES } from "../../shared/codec/wire/mod.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { connectNats } from "../../shared/nats/mod.ts";
import { OrderTracer } from "../../shared/otel/mod.ts";

const [url, config] = Deno.args;
const log = createLogger("corrupting-gateway");
const nc = await connectNats({ url, name: "corrupting-gateway" });
const publish = nc.publish.bind(nc);
let damaged = false;
nc.publish = (subject, payload, options) => {
  if (damaged || !subject.startsWith("cmd.") || !(payload instanceof Uint8Array)) {
    publish(subject, payload, options);
    return;
  }
  damaged = true;
  const bytes = payload.slice();
  bytes[COMMAND_HEADER_BYTES + 2] = 0;
  publish(subject, bytes, options);
};
const gateway = await Gateway.start({
  nc,
  venue: loadVenue(config),
  gatewayId: 1,
  hostname: "127.0.0.1",
  port: 0,
  tracer: new OrderTracer("test", 0),
  log,
  onFatal: (error) => {
    log.error(errorText(error));
    Deno.exit(1);
  },
});
Deno.stdout.writeSync(new TextEncoder().encode(`${gateway.port}\n`));
