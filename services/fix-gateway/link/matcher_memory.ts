/**
 * Asks the leading matcher of a shard what it has applied: its state is a function of the command stream, so it
 * remembers what a lost bucket does not. Does I/O. docs/wire.md, "Status".
 */
import { type NatsConnection, streamExtent } from "../../../shared/nats/mod.ts";
import type { NoAnswer } from "../durable/ports.ts";
import { cmdStream, matcherStatusSubject } from "../../../shared/protocol/mod.ts";

/** The parts of a status answer that gateways use. */
export interface MatcherMemory {
  readonly ready: boolean;
  readonly cmdSeq: number;
  /** Answer to `gateway <id>`. */
  readonly gateway?: { readonly bootId: number; readonly lastSeq: number };
  /** Answer to `session <id>`. */
  readonly session?: { readonly incarnation: number; readonly highest: number };
}

const ANSWER_MS = 500;
const AGAIN_MS = 50;

/**
 * The answer to `question` once the matcher has applied all that its command stream holds now; an empty stream is
 * remembered by nobody and needs no matcher. Says why when no such answer comes within `waitMs`. Rejects when the stream
 * cannot be read.
 */
export async function askMatcher(
  nc: NatsConnection,
  shard: number,
  question: string,
  waitMs: number,
): Promise<MatcherMemory | NoAnswer> {
  const { lastSeq } = await streamExtent(nc, cmdStream(shard));
  if (lastSeq === 0) return { ready: true, cmdSeq: 0 };
  const deadline = performance.now() + waitMs;
  for (;;) {
    const answer = await requestStatus(nc, shard, question);
    if (answer?.ready === true && answer.cmdSeq >= lastSeq) return answer;
    if (performance.now() >= deadline) return answer === null ? "silent" : "behind";
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

async function requestStatus(
  nc: NatsConnection,
  shard: number,
  question: string,
): Promise<MatcherMemory | null> {
  try {
    const answer = await nc.request(matcherStatusSubject(shard), question, { timeout: ANSWER_MS });
    return answer.json<MatcherMemory>();
  } catch {
    return null;
  }
}
