/**
 * Reads what a JetStream delivery's reply subject says about the message, without splitting the text. Pure.
 *
 * `$JS.ACK.<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<timestamp ns>.<pending>`, or with
 * `<domain>.<account hash>` before the stream (and a token behind) where the server is asked for it.
 */

/** The numbers of one delivery; reused from message to message. */
export class Delivery {
  streamSeq = 0;
  /** 1 for the first message that the consumer delivered, then without gap. */
  consumerSeq = 0;
  /** When the stream took the message, µs since 1970. */
  timestampUs = 0;
  /** Messages that the consumer still has to deliver after this one. */
  pending = 0;
  readonly #dots = new Int32Array(16);

  /** Takes the numbers from a reply subject. False when it is not a delivery's (then the fields are as before). */
  parse(reply: string): boolean {
    if (!reply.startsWith("$JS.ACK.")) return false;
    const dots = this.#dots;
    let count = 0;
    for (let at = reply.indexOf("."); at !== -1 && count < 16; at = reply.indexOf(".", at + 1)) {
      dots[count++] = at;
    }
    if (count !== 8 && count < 10) return false;
    const last = count === 8 ? 7 : 9;
    const end = last + 1 < count ? dots[last + 1] : reply.length;
    const streamSeq = digits(reply, dots[last - 3] + 1, dots[last - 2]);
    const consumerSeq = digits(reply, dots[last - 2] + 1, dots[last - 1]);
    const timestampUs = digits(reply, dots[last - 1] + 1, dots[last] - 3);
    const pending = digits(reply, dots[last] + 1, end);
    if (!(streamSeq >= 1 && consumerSeq >= 1 && timestampUs >= 0 && pending >= 0)) return false;
    this.streamSeq = streamSeq;
    this.consumerSeq = consumerSeq;
    this.timestampUs = timestampUs;
    this.pending = pending;
    return true;
  }
}

/** The decimal number in `text[start, end)`, NaN when there is none. */
function digits(text: string, start: number, end: number): number {
  if (end <= start) return NaN;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return NaN;
    value = value * 10 + digit;
  }
  return value;
}
