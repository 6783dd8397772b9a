/** Around the phases of a running venue: a venue file of its own, an operator, and what subscribers are told. Test code only. */
import { join } from "node:path";
import type { RunningVenue, VenueOptions } from "../../infra/venue_process.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { connectNats, lastMessageOf, type NatsConnection } from "../../shared/nats/mod.ts";
import type { BookMessage, PhaseMessage, TradeMessage } from "../../shared/protocol/market_data.ts";
import { bookSchema, phaseSchema, tradeSchema } from "../../shared/protocol/market_data_schema.ts";
import { type ControlAnswer, controlSubject, mdStream, phaseSubject } from "../../shared/protocol/mod.ts";
import { until } from "../../shared/testing/awaited.ts";

/** Options of a venue with the file of these tests and `change` made to its text. */
export async function changedVenue(
  dir: string,
  change: (text: string) => string,
): Promise<Partial<VenueOptions> & Pick<VenueOptions, "config" | "venue">> {
  const original = await Deno.readTextFile(new URL("venue.yaml", import.meta.url));
  const config = join(dir, "venue.yaml");
  const text = change(original);
  await Deno.writeTextFile(config, text);
  return { config, venue: loadVenue(config) };
}

/** An operator with the services' credentials, and a guest who reads market data. */
export class PhaseWatch implements AsyncDisposable {
  /** Phase messages of a symbol, in order. */
  readonly phases: PhaseMessage[] = [];
  readonly trades: TradeMessage[] = [];
  readonly books: BookMessage[] = [];

  private constructor(readonly operator: NatsConnection, readonly guest: NatsConnection) {
    guest.subscribe("md.*.*.phase", {
      callback: (_, msg) => void this.phases.push(phaseSchema.parse(msg.json())),
    });
    guest.subscribe("md.*.*.trade", {
      callback: (_, msg) => void this.trades.push(tradeSchema.parse(msg.json())),
    });
    guest.subscribe("md.*.*.book", {
      callback: (_, msg) => void this.books.push(bookSchema.parse(msg.json())),
    });
  }

  /** Watches from now on. */
  static async start({ address }: RunningVenue): Promise<PhaseWatch> {
    const { natsUrl: url, natsUser: user, natsPassword: password } = address;
    const operator = await connectNats({ url, name: "operator", user, password });
    const watch = new PhaseWatch(operator, await connectNats({ url, name: "guest" }));
    await watch.guest.flush();
    return watch;
  }

  /** What the matcher of a shard answers. */
  async ask(request: Record<string, unknown>, shard = 0): Promise<ControlAnswer> {
    const text = JSON.stringify({ by: "ann", ...request });
    const answer = await this.operator.request(controlSubject(shard), text, { timeout: 10_000 });
    return answer.json<ControlAnswer>();
  }

  /** The last phase message that the venue keeps of a symbol of shard 0. */
  async last(symbol: string): Promise<PhaseMessage | null> {
    const last = await lastMessageOf(this.guest, mdStream(0), phaseSubject(0, symbol));
    return last === null ? null : phaseSchema.parse(JSON.parse(new TextDecoder().decode(last.bytes)));
  }

  /** Waits for a phase message of the symbol that `holds` is true of. */
  async phase(symbol: string, holds: (message: PhaseMessage) => boolean): Promise<PhaseMessage> {
    const found = () => this.phases.find((message) => message.symbol === symbol && holds(message));
    await until(`a phase of ${symbol}`, () => found() !== undefined, () => JSON.stringify(this.phases));
    return found()!;
  }

  /** Waits until the symbol has been in these phases since the watch began, the present one last. */
  async been(symbol: string, ...phases: string[]): Promise<void> {
    const seen = () =>
      this.phases.filter((message) => message.symbol === symbol).map(({ phase }) => phase)
        .filter((phase, i, all) => phase !== all[i - 1]);
    await until(
      `${symbol} in ${phases.join(", ")}`,
      () => seen().join() === phases.join(),
      () => seen().join(),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.operator.close();
    await this.guest.close();
  }
}
