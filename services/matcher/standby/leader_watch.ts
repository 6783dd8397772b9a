/**
 * Notices that nobody leads a shard any more: asks every 20 ms. nats-server itself says at once when nobody listens (the
 * leader's process is gone, and with it its connection); a leader that is there and silent (paused, hung) is noticed after
 * 15 questions. Owns the questions; whether to take over, EV_s decides. Does I/O.
 */
import { createInbox, type Msg, type Subscription } from "@nats-io/nats-core";
import { type NatsConnection, watchStatus } from "../../../shared/nats/mod.ts";
import { aliveSubject } from "../../../shared/protocol/mod.ts";

/** What a watch needs; times have defaults. */
export interface LeaderWatchOptions {
  readonly nc: NatsConnection;
  readonly shard: number;
  /** Nobody leads, as far as can be seen, and why. Told once; {@link LeaderWatch.again} goes on. */
  readonly onGone: (why: string) => void;
  /** What the next question says. */
  readonly question: () => string;
  /** The leader's answer. */
  readonly onAnswer: (answer: Msg) => void;
  /** Time between two questions, ms. */
  readonly askEveryMs?: number;
  /** How many questions may stay without an answer. */
  readonly silentQuestions?: number;
  /**
   * How long it counts for nothing that nobody listens, ms, behind a reconnect or another's claim: whoever leads comes
   * back a little later than others.
   */
  readonly graceMs?: number;
}

const NO_RESPONDERS = 503;
const ASK_EVERY_MS = 20;
const SILENT_QUESTIONS = 15;
const GRACE_MS = 500;

/** One shard's. Watches from its construction to {@link stop}. */
export class LeaderWatch {
  readonly #options: LeaderWatchOptions;
  readonly #inbox = createInbox();
  readonly #subscription: Subscription;
  readonly #stopWatching: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  /** Questions since the last answer. Counted in our own turns: what keeps us from asking is not the leader's fault. */
  #unanswered = 0;
  /** Turns for which it does not count that nobody listens. */
  #graceTurns = 0;
  #connected = true;
  #told = false;

  constructor(options: LeaderWatchOptions) {
    this.#options = options;
    const { nc, askEveryMs = ASK_EVERY_MS } = options;
    this.#subscription = nc.subscribe(this.#inbox, {
      callback: (error, message) => {
        if (error !== null || this.#told) return;
        if (message.headers?.code === NO_RESPONDERS && message.data.length === 0) this.#nobody();
        else {
          this.#unanswered = 0;
          options.onAnswer(message);
        }
      },
    });
    this.#stopWatching = watchStatus(nc, (type) => {
      if (type === "disconnect") this.#connected = false;
      if (type !== "reconnect") return;
      this.#connected = true;
      this.grace();
    });
    this.#timer = setInterval(() => this.#ask(), askEveryMs);
    this.#ask();
  }

  /** Goes on watching after {@link LeaderWatchOptions.onGone}. */
  again(): void {
    this.#told = false;
    this.#unanswered = 0;
  }

  /** Somebody may just have begun to lead: gives him time to be heard. */
  grace(): void {
    const { graceMs = GRACE_MS, askEveryMs = ASK_EVERY_MS } = this.#options;
    this.#graceTurns = Math.ceil(graceMs / askEveryMs);
    this.#unanswered = 0;
  }

  /** Ends the watch. */
  stop(): void {
    clearInterval(this.#timer);
    this.#stopWatching();
    if (!this.#options.nc.isClosed()) this.#subscription.unsubscribe();
  }

  #ask(): void {
    const { nc, shard, question, silentQuestions = SILENT_QUESTIONS } = this.#options;
    if (!this.#connected || this.#told || nc.isClosed()) return;
    if (this.#graceTurns > 0) this.#graceTurns--;
    if (this.#unanswered >= silentQuestions) {
      this.#tell(`it has not answered ${this.#unanswered} questions`);
      return;
    }
    this.#unanswered++;
    nc.publish(aliveSubject(shard), question(), { reply: this.#inbox });
  }

  #nobody(): void {
    this.#unanswered = 0;
    if (this.#graceTurns === 0) this.#tell("nobody listens");
  }

  #tell(why: string): void {
    this.#told = true;
    this.#options.onGone(why);
  }
}
