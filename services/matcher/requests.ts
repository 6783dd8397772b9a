/**
 * Answers what others ask the leading matcher: status and instruments (JSON; docs/wire.md, "Status", "Instruments") and
 * depth ("Depth image"). Does I/O, in the matching thread: a status costs nothing unless the hash is asked for, a depth
 * image takes its time.
 */
import { DepthImageWriter } from "../../shared/codec/wire/mod.ts";
import type { NatsConnection } from "../../shared/nats/mod.ts";
import {
  charOfCode,
  depthRequestSubject,
  type Instrument,
  instrumentsRequestSubject,
  type InstrumentStates,
  type ListedState,
  matcherStatusSubject,
  Side,
} from "../../shared/protocol/mod.ts";
import type { EnginePort } from "./engine_port.ts";

/** The leader's state at this moment. */
export interface LeaderState {
  readonly shard: number;
  readonly epoch: number;
  /** Whether the matcher has replayed the stream and follows it. */
  readonly ready: boolean;
  /** The last command message applied. */
  readonly cmdSeq: number;
  /** The last sequence of EV_s. */
  readonly evSeq: number;
}

/** The payload of a status request that wants the state hash too, which is a walk over the whole state. */
export const WITH_HASH = "hash";

const MAX_ID = 65535;

/** What the payload of a status request asks for beside the state. */
function asked(engine: EnginePort, payload: string): Record<string, unknown> {
  if (payload === WITH_HASH) return { stateHash: engine.stateHash() };
  const [what, text] = payload.split(" ");
  const id = Number(text);
  if (!Number.isInteger(id) || id < 0 || id > MAX_ID) return {};
  if (what === "gateway") return { gateway: engine.gateway(id) };
  return what === "session" ? { session: engine.session(id) } : {};
}

/** Every instrument's state, by ascending id. */
function instrumentStates(engine: EnginePort, instruments: readonly Instrument[]): ListedState[] {
  return instruments.toSorted((a, b) => a.id - b.id).flatMap(({ id, symbol }) => {
    const state = engine.instrumentState(id);
    if (state === null) return [];
    return [{ id, symbol, ...state, algorithm: String.fromCharCode(charOfCode(state.algorithm)) }];
  });
}

/** Subscribes the leader's request subjects, until the returned function is called. */
export function answerRequests(
  nc: NatsConnection,
  shard: number,
  engine: EnginePort,
  instruments: readonly Instrument[],
  state: () => LeaderState,
): () => void {
  const image = new DepthImageWriter();
  const status = nc.subscribe(matcherStatusSubject(shard), {
    callback: (error, msg) => {
      if (error !== null) return;
      msg.respond(JSON.stringify({ ...state(), ...asked(engine, msg.string()) }));
    },
  });
  const depth = nc.subscribe(depthRequestSubject(shard), {
    callback: (error, msg) => {
      if (error !== null) return;
      const { epoch, cmdSeq, evSeq } = state();
      image.begin(shard, epoch, cmdSeq, evSeq + 1);
      for (const { id } of instruments) {
        for (const side of [Side.Buy, Side.Sell]) {
          engine.levels(id, side, (price, qty, orders) => image.append(id, side, price, qty, orders));
        }
      }
      for (const part of image.end()) msg.respond(part);
      msg.respond();
    },
  });
  const states = nc.subscribe(instrumentsRequestSubject(shard), {
    callback: (error, msg) => {
      if (error !== null) return;
      const answer: InstrumentStates = { ...state(), instruments: instrumentStates(engine, instruments) };
      msg.respond(JSON.stringify(answer));
    },
  });
  return () => {
    status.unsubscribe();
    states.unsubscribe();
    depth.unsubscribe();
  };
}
