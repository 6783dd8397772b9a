/** The books and the phases of one shard as conflated messages: what of them is new, and where it goes. */
import type { BookMessage, PhaseMessage } from "../../shared/protocol/market_data.ts";
import { bookSubject, phaseSubject } from "../../shared/protocol/mod.ts";
import { type Clock, ConflatedPublisher } from "./conflated_publisher.ts";
import type { ShardFeed } from "./feed.ts";

/** Sends one message; must not throw. */
export type Publish<M> = (subject: string, message: M) => void;

/** The books of one shard on their way out. */
export class BookPublisher extends ConflatedPublisher<BookMessage> {
  /** At most one message per `conflationMs` and symbol. Nothing goes out before `start`. */
  constructor(feed: ShardFeed, conflationMs: number, publish: Publish<BookMessage>, clock: Clock) {
    const source = {
      slots: feed.books.length,
      whole: () => feed.whole,
      messageOf: (slot: number, seq: number) => feed.bookOf(slot, seq),
      contentOf: ({ phase, bids, asks }: BookMessage) => JSON.stringify([phase, bids, asks]),
      publish: (message: BookMessage) => publish(bookSubject(feed.shard, message.symbol), message),
    };
    super(source, conflationMs, clock);
  }
}

/** The phases of one shard on their way out: changes of a phase at once, indicative prices conflated. */
export class PhasePublisher extends ConflatedPublisher<PhaseMessage> {
  /** At most one indicative price per `conflationMs` and symbol. Nothing goes out before `start`. */
  constructor(feed: ShardFeed, conflationMs: number, publish: Publish<PhaseMessage>, clock: Clock) {
    const source = {
      slots: feed.books.length,
      whole: () => feed.whole,
      messageOf: (slot: number, seq: number) => feed.phaseOf(slot, seq),
      contentOf: ({ seq: _seq, cmdSeq: _cmdSeq, time: _time, ...said }: PhaseMessage) => JSON.stringify(said),
      publish: (message: PhaseMessage) => publish(phaseSubject(feed.shard, message.symbol), message),
    };
    super(source, conflationMs, clock);
  }
}
