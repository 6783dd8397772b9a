/**
 * `deno task book SYMBOL`: a live ladder of one symbol in the terminal. Reads market data as any NATS client may.
 * Exit codes: 0, 1 no server or no such symbol, 2 usage.
 */
import { connectNats, type NatsConnection } from "../nats/connect.ts";
import type { BookMessage, PhaseMessage, TradeMessage } from "../protocol/market_data.ts";
import { isCallPhase, phaseOfName } from "../protocol/mod.ts";
import { bookLine, ladderLines, type LadderRows, rowsFor } from "./book_ladder.ts";
import { followBook, publishedSymbols } from "./book_source.ts";
import { runCommand } from "./command.ts";
import { oneWord, readFlags, UsageError } from "./flags.ts";
import { write } from "./output.ts";

const HELP =
  `Shows the order book of a symbol: the best ten prices of each side, live; while an auction forms, what it would trade.

Usage: deno task book SYMBOL [--nats URL] [--once] [--json]

  --nats URL   the venue's NATS server (default nats://127.0.0.1:4222)
  --once       show the book as it is now and end
  --json       the messages as they are published, one JSON object per line
  --help       this text

Ctrl-C ends it, or the next book once nobody reads its output. Colours are left out when NO_COLOR is set or the output is no terminal.
`;
const DEFAULT_URL = "nats://127.0.0.1:4222";
const FIRST_BOOK_TIMEOUT_MS = 1500;
/** Rows of a live ladder to begin with. */
const LIVE_ROWS: LadderRows = { asks: 5, bids: 5 };
const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";

interface Request {
  readonly symbol: string;
  readonly url: string;
  readonly once: boolean;
  readonly json: boolean;
}

/** Where the output goes and how. */
class Screen {
  readonly isTerminal: boolean = Deno.stdout.isTerminal();
  readonly color: boolean = this.isTerminal && !Deno.noColor;
  /** Called when nobody reads the output any more. */
  onClosed: () => void = () => {};
  #lines = 0;

  write(text: string): void {
    try {
      write(Deno.stdout, text);
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
      this.onClosed();
    }
  }

  /** Draws lines over those drawn before. */
  draw(lines: readonly string[]): void {
    const up = this.#lines === 0 ? HIDE_CURSOR : `\x1b[${this.#lines}A`;
    this.write(up + lines.map((line) => `\r${line}\x1b[K\n`).join(""));
    this.#lines = lines.length;
  }

  /** Gives the terminal back as it was. */
  close(): void {
    if (this.#lines > 0) this.write(SHOW_CURSOR);
  }
}

/** Shows what arrives in the manner asked for. */
class BookView {
  readonly #request: Request;
  readonly #screen: Screen;
  #book: BookMessage | null = null;
  #trade: TradeMessage | null = null;
  #phase: PhaseMessage | null = null;
  /** As many as any book needed so far: lines that come and go would make the ladder jump. */
  #rows = LIVE_ROWS;
  notice: string | undefined;

  constructor(request: Request, screen: Screen) {
    this.#request = request;
    this.#screen = screen;
  }

  book(message: BookMessage): void {
    this.#book = message;
    if (this.#request.once) return;
    if (this.#request.json) this.#screen.write(`${JSON.stringify(message)}\n`);
    else this.show();
  }

  trade(message: TradeMessage): void {
    this.#trade = message;
    if (this.#request.once) return;
    if (this.#request.json) this.#screen.write(`${JSON.stringify(message)}\n`);
    else if (this.#screen.isTerminal) this.show();
  }

  phase(message: PhaseMessage): void {
    this.#phase = message;
    if (this.#request.once) return;
    if (this.#request.json) this.#screen.write(`${JSON.stringify(message)}\n`);
    // The book of the new phase comes behind: until then there is nothing new to show.
    else if (this.#book?.phase === message.phase && isCallPhase(phaseOfName(message.phase) ?? 0)) this.show();
  }

  show(): void {
    if (this.#book === null) return;
    this.#rows = rowsFor(this.#book, this.#rows);
    const options = {
      color: this.#screen.color,
      notice: this.notice,
      rows: this.#rows,
      phase: this.#phase,
    };
    if (this.#screen.isTerminal) this.#screen.draw(ladderLines(this.#book, this.#trade, options));
    else this.#screen.write(`${bookLine(this.#book, this.#trade, this.#phase)}\n`);
  }

  /** The whole picture once, also where the output is no terminal. */
  showOnce(): void {
    if (this.#book === null) return;
    const text = this.#request.json
      ? JSON.stringify(this.#book)
      : ladderLines(this.#book, this.#trade, { color: this.#screen.color, phase: this.#phase }).join("\n");
    this.#screen.write(`${text}\n`);
  }
}

function requestOf(args: readonly string[]): Request | null {
  const flags = readFlags(args, { values: ["nats"], switches: ["once", "json"], words: true });
  if (flags === null) return null;
  const symbol = oneWord("show a book", "SYMBOL", flags.words);
  if (!/^[^\s.*>]+$/.test(symbol)) {
    throw new UsageError(`Cannot show a book: expected a symbol, got "${symbol}"`);
  }
  return { symbol, url: flags.values.nats ?? DEFAULT_URL, ...flags.switches };
}

async function connect(url: string): Promise<NatsConnection> {
  try {
    return await connectNats({ url, name: "pitwire-book" });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(`${cause}. Start the venue with \`deno task up\`, or name its NATS URL with --nats`);
  }
}

async function noBook(nc: NatsConnection, { symbol, url }: Request): Promise<Error> {
  const symbols = await publishedSymbols(nc).catch(() => []);
  const hint = symbols.length === 0
    ? "it publishes no book at all; is the market-data service running?"
    : `it has ${symbols.join(", ")}`;
  return new Error(`Cannot show the book of ${symbol}: the venue at ${url} does not publish it; ${hint}`);
}

async function showStatus(nc: NatsConnection, view: BookView): Promise<void> {
  for await (const { type } of nc.status()) {
    if (type === "disconnect") view.notice = "connection lost, trying again";
    else if (type === "reconnect") view.notice = undefined;
    else continue;
    view.show();
  }
}

async function show(request: Request): Promise<void> {
  const screen = new Screen();
  try {
    await follow(request, screen);
  } finally {
    screen.close();
  }
}

async function follow(request: Request, screen: Screen): Promise<void> {
  const nc = await connect(request.url);
  const view = new BookView(request, screen);
  screen.onClosed = () => void nc.close();
  if (!await followBook(nc, request.symbol, FIRST_BOOK_TIMEOUT_MS, view)) throw await noBook(nc, request);
  if (request.once) {
    view.showOnce();
    await nc.close();
    return;
  }
  if (screen.isTerminal && !request.json) showStatus(nc, view);
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => nc.close());
  await nc.closed();
}

await runCommand({ help: HELP, read: requestOf, run: show });
