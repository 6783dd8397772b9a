/** A recorded flow in CMD_0 on a real nats-server, and EV_0 as a matcher leaves it that has stored every event. */
import { claimSubject, cmdSubject } from "../../shared/protocol/mod.ts";
import { Command, CommandBatchWriter, encodeClaim } from "../../shared/codec/wire/mod.ts";
import { AckedPublisher, ensureStreams, type NatsConnection } from "../../shared/nats/mod.ts";
import { type Flow, load } from "../micro/book_flow.ts";

const WINDOW = 2000;
const GiB = 2 ** 30;

/** Makes the streams of shard 0 and fills them: `perMessage` commands a message. Returns the last sequence. */
export async function storeFlow(nc: NatsConnection, flow: Flow, perMessage: number): Promise<number> {
  await ensureStreams(nc, { shards: [0], limits: { cmdStreamBytes: GiB, evStreamBytes: GiB / 8 } });
  const publisher = new AckedPublisher(nc, { timeoutMs: 60_000 });
  const writer = new CommandBatchWriter();
  const command = new Command();
  let lastSeq = 0;
  try {
    for (let from = 0; from < flow.total; from += perMessage) {
      writer.begin(1, 1, from + 1);
      for (let i = from; i < Math.min(from + perMessage, flow.total); i++) {
        load(flow, i, command);
        writer.append(command);
      }
      const bytes = writer.finish().slice();
      publisher.publish(cmdSubject(0, "SYM1"), bytes, (seq, fault) => {
        if (fault !== null) throw new Error(`Cannot store a command: ${fault.description}`);
        lastSeq = seq;
      });
      while (publisher.inFlight >= WINDOW) await nc.flush();
    }
    while (publisher.inFlight > 0) await nc.flush();
  } finally {
    publisher.close();
  }
  return lastSeq;
}

/** Says in EV_0 that every event up to command message `cmdSeq` is stored. */
export async function claimEvents(nc: NatsConnection, cmdSeq: number): Promise<void> {
  await nc.request(claimSubject(0), encodeClaim(0, 1, cmdSeq, 0));
}
