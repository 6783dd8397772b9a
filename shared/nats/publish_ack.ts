/** Reads JetStream's answer to a publish. Pure. */

/** The answer to a publish: stored at `seq`, or refused. Reused from answer to answer. */
export class PublishAck {
  /** The sequence that the stream gave the message; 0 when it refused it. */
  seq = 0;
  /** JetStream's error code, 0 when stored; 503 when no stream listens. */
  errorCode = 0;
  description = "";

  /** Takes an answer's payload. */
  parse(bytes: Uint8Array): void {
    this.seq = fastSeq(bytes);
    this.errorCode = 0;
    this.description = "";
    if (this.seq > 0) return;
    if (bytes.length === 0) {
      this.errorCode = NO_RESPONDERS;
      this.description = "no stream takes this subject now";
      return;
    }
    const answer = parsed(bytes);
    if (answer.error !== undefined) {
      this.errorCode = answer.error.err_code ?? answer.error.code ?? UNREADABLE;
      this.description = answer.error.description ?? "no description";
    } else if (Number.isSafeInteger(answer.seq) && answer.seq! > 0) {
      this.seq = answer.seq!;
    } else {
      this.errorCode = UNREADABLE;
      this.description = "unreadable answer to a publish";
    }
  }
}

/** JetStream's code for a failed `Nats-Expected-Last-Sequence`. */
export const WRONG_LAST_SEQUENCE = 10071;
/** All of its codes: one names the sequence found, one does not. */
export const WRONG_LAST_SEQUENCES: ReadonlySet<unknown> = new Set([WRONG_LAST_SEQUENCE, 10164]);
/** Code of an answer that says nobody listens (JetStream is starting, or the stream is gone). */
export const NO_RESPONDERS = 503;
/** Code of an answer that could not be understood. */
export const UNREADABLE = -1;

interface Answer {
  seq?: number;
  error?: { code?: number; err_code?: number; description?: string };
}

function parsed(bytes: Uint8Array): Answer {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

const PREFIX = new TextEncoder().encode('{"stream":"');
const SEQ = new TextEncoder().encode(',"seq":');

/** The sequence in `{"stream":"…","seq":N…`, the form that every good answer has; 0 for anything else. */
function fastSeq(bytes: Uint8Array): number {
  let at = PREFIX.length;
  for (let i = 0; i < at; i++) if (bytes[i] !== PREFIX[i]) return 0;
  while (at < bytes.length && bytes[at] !== 0x22) at++;
  at++;
  for (let i = 0; i < SEQ.length; i++) if (bytes[at++] !== SEQ[i]) return 0;
  let value = 0;
  for (; at < bytes.length; at++) {
    const digit = bytes[at] - 48;
    if (digit < 0 || digit > 9) return digit === COMMA || digit === CLOSE ? value : 0;
    value = value * 10 + digit;
  }
  return 0;
}

const COMMA = 0x2c - 48;
const CLOSE = 0x7d - 48;
