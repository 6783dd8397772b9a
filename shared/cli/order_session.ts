/**
 * One run of `deno task order`: logs on, sends the request, prints what comes back, judges it, logs out. Owns the wait
 * for the answer and the words for what goes wrong. Refuses to read the command line or files; order.ts does.
 */
import { FixClient, type SequenceNumbers } from "../../services/fix-gateway/client/mod.ts";
import { type MessageTap, strictFix44 } from "../../services/fix-gateway/session/mod.ts";
import type { FixMessage } from "../codec/fix/mod.ts";
import { errorText } from "./log.ts";
import type { OrderOptions, OrderRequest } from "./order_args.ts";
import { msgTypeOf, writeRequest } from "./order_message.ts";
import { lineOf, objectOf, rawOf, rawText, verdictOf } from "./order_reply.ts";

/** Who logs on to whom. */
export interface OrderIdentity {
  readonly senderCompId: string;
  readonly targetCompId: string;
  readonly username: string;
  readonly password: string;
}

/** What a run needs of the process. */
export interface OrderIo {
  /** Prints one line to stdout. */
  out(line: string): void;
  /** Prints one line to stderr. */
  err(line: string): void;
  /** Resolves when the user asks to stop. */
  readonly interrupted: Promise<void>;
}

/** How a run ended: the exit code, and the numbers that a later run goes on with, when it was logged on. */
export interface OrderOutcome {
  /** 0 accepted, 1 rejected or no answer. */
  readonly exitCode: 0 | 1;
  readonly numbers: SequenceNumbers | undefined;
}

/** Sends `request` under `clOrdId`. Never throws for what the venue or the network does. */
export async function runOrder(
  request: OrderRequest,
  clOrdId: string,
  identity: OrderIdentity,
  options: OrderOptions,
  numbers: SequenceNumbers | undefined,
  io: OrderIo,
): Promise<OrderOutcome> {
  const settled = Promise.withResolvers<"accepted" | "rejected">();
  const onMessage = (message: FixMessage) => {
    if (!options.json) io.out(lineOf(message));
    else {io.out(
        JSON.stringify(options.raw ? { ...objectOf(message), raw: rawOf(message) } : objectOf(message)),
      );}
    const verdict = verdictOf(message, request, clOrdId);
    if (verdict === "accepted" || verdict === "rejected") settled.resolve(verdict);
  };
  const client = await connect(identity, options, numbers, onMessage, io);
  if (client === null) return { exitCode: 1, numbers: undefined };
  writeRequest(request, clOrdId, Date.now(), client.compose());
  client.send(msgTypeOf(request));
  const answer = await answerOf(settled.promise, client, options.timeoutSec, io);
  let exitCode: 0 | 1 = answer === "accepted" ? 0 : 1;
  if (answer === null) io.err(unknownText(clOrdId, request, `no answer within ${options.timeoutSec} s`));
  else if (typeof answer === "object") {
    io.err(unknownText(clOrdId, request, `the session ended before the answer (${answer.closed})`));
  } else if (options.watch) {
    const closed = await Promise.race([io.interrupted.then(() => null), client.closed]);
    if (closed !== null) {
      io.err(
        `Cannot watch any longer: the session ended (${closed}). What happens now comes with the next logon`,
      );
      exitCode = 1;
    }
  }
  await client.logout();
  return { exitCode, numbers: client.numbers };
}

/** Logs on; null after saying why not. */
async function connect(
  identity: OrderIdentity,
  options: OrderOptions,
  numbers: SequenceNumbers | undefined,
  onMessage: (message: FixMessage) => void,
  io: OrderIo,
): Promise<FixClient | null> {
  try {
    return await FixClient.connect({
      host: options.host,
      port: options.port,
      ...identity,
      resetOnLogon: options.reset,
      numbers: options.reset ? undefined : numbers,
      onMessage,
      tap: options.raw && !options.json ? tapTo(io) : undefined,
      // Every message in sequence passes here, also the session's own Reject(3), which no application sees.
      validate: (message) => {
        const fault = strictFix44(message);
        if (fault === null && message.msgType === "3") onMessage(message);
        return fault;
      },
    });
  } catch (error) {
    io.err(`${errorText(error)}. ${wayOut(error)}`);
    return null;
  }
}

/** Prints every message as it crosses the wire, but for passwords. */
function tapTo(io: OrderIo): MessageTap {
  const print = (direction: "<" | ">", text: string) =>
    io.out(`${direction} ${text.replace(/(?<=\|(554|925)=)[^|]*/g, "***")}`);
  return {
    received: (message) => print("<", rawOf(message)),
    sent: (bytes) => print(">", rawText(bytes)),
    garbled: (fault) => io.out(`< bytes that are no message: ${fault}`),
  };
}

/** The verdict, why the session ended before it, or null after the time limit or an interrupt. */
async function answerOf(
  settled: Promise<"accepted" | "rejected">,
  client: FixClient,
  timeoutSec: number,
  io: OrderIo,
): Promise<"accepted" | "rejected" | { readonly closed: string } | null> {
  const timeUp = Promise.withResolvers<null>();
  const timer = setTimeout(() => timeUp.resolve(null), timeoutSec * 1000);
  const closed = client.closed.then((reason) => ({ closed: reason }));
  const interrupted = io.interrupted.then(() => null);
  try {
    return await Promise.race([settled, closed, interrupted, timeUp.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function unknownText(clOrdId: string, request: OrderRequest, why: string): string {
  const side = request.side === "1" ? "buy" : "sell";
  return `Cannot tell what became of ${clOrdId}: ${why}. Ask later: ` +
    `deno task order status --symbol ${request.symbol} --side ${side} --id ${clOrdId}`;
}

function wayOut(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Deno.errors.ConnectionRefused) {
    return "Is the venue running? Start it with: deno task up";
  }
  if (error instanceof Error && error.cause !== undefined) return "Check --host and --port";
  return "Check --sender and the credentials, and that no other client uses the session now";
}
