/** What the simulated server answers on $JS.API: streams, single messages, consumers. As much as our services ask. */
import { type ConsumerHost, type ConsumerSettings, PushConsumer } from "./nats_consumer.ts";
import { type Refusal, SimulatedStream, type Stored, type StreamSettings } from "./nats_stream.ts";

/** One message of an answer. */
export interface Answer {
  readonly headers: string;
  readonly payload: Uint8Array;
}

/** What the API works on. */
export interface ApiHost extends ConsumerHost {
  readonly streams: Map<string, SimulatedStream>;
  readonly consumers: Map<string, PushConsumer>;
  /** Hears of every purge. */
  onPurged(stream: SimulatedStream): void;
  /** The server's clock, µs since 1970. */
  wallUs(): number;
}

interface MessageQuery {
  readonly seq?: number;
  readonly last_by_subj?: string;
  readonly next_by_subj?: string;
  readonly batch?: number;
  readonly max_bytes?: number;
}

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();
const STREAM_NOT_FOUND: Refusal = { code: 404, err_code: 10059, description: "stream not found" };
const NO_MESSAGE: Refusal = { code: 404, err_code: 10037, description: "no message found" };

/** Answers a request on `subject`, which begins with `$JS.API.`. */
export function answerApi(host: ApiHost, subject: string, payload: Uint8Array): Answer[] {
  const [, , first, second, ...rest] = subject.split(".");
  const body = payload.length === 0 ? {} : JSON.parse(new TextDecoder().decode(payload));
  const what = `${first}.${second}`;
  if (first === "INFO") return [json({ memory: 0, storage: 0, streams: 0, consumers: 0, limits: {} })];
  if (what === "DIRECT.GET") return direct(host, rest[0], rest.slice(1).join("."), body);
  if (what === "STREAM.NAMES") return [json(names(host, body.subject))];
  if (what === "STREAM.MSG") return [json(message(host, rest[1], body))];
  if (first === "STREAM") return [json(streamCall(host, second, rest[0], body))];
  if (what === "CONSUMER.CREATE") return [json(addConsumer(host, rest[0], body.config))];
  if (what === "CONSUMER.DELETE") return [json(deleteConsumer(host, rest[1]))];
  throw new Error(`the simulated server does not know ${subject}`);
}

function json(value: object): Answer {
  return { headers: "", payload: encoder.encode(JSON.stringify(value)) };
}

function fault(error: Refusal): object {
  return { type: "error", error };
}

function names(host: ApiHost, subject: string): object {
  const streams = [...host.streams.values()].filter((each) => each.takes(subject))
    .map(({ settings }) => settings.name);
  return { total: streams.length, offset: 0, limit: 1024, streams };
}

function info(stream: SimulatedStream, wallUs: number, filter?: string): object {
  stream.expire(wallUs);
  const subjects: Record<string, number> = {};
  for (const { subject } of filter === undefined ? [] : stream.from(1, filter, Infinity)) {
    subjects[subject] = (subjects[subject] ?? 0) + 1;
  }
  const bytes = stream.messages.reduce((sum, { payload }) => sum + payload.length + 32, 0);
  return {
    type: "info",
    config: stream.settings,
    created: "2026-01-05T08:00:00Z",
    state: {
      messages: stream.messages.length,
      bytes,
      first_seq: stream.lastSeq === 0 ? 0 : stream.firstSeq,
      last_seq: stream.lastSeq,
      consumer_count: 0,
      ...(filter === undefined ? {} : { subjects }),
    },
  };
}

function streamCall(host: ApiHost, call: string, name: string, body: Record<string, unknown>): object {
  const stream = host.streams.get(name);
  if (call === "CREATE") {
    const settings = body as unknown as StreamSettings;
    if (stream === undefined) {
      const made = new SimulatedStream(settings);
      host.streams.set(name, made);
      return info(made, host.wallUs());
    }
    const same = JSON.stringify(stream.settings) === JSON.stringify(settings);
    if (same) return info(stream, host.wallUs());
    return fault({ code: 400, err_code: 10058, description: "stream name already in use" });
  }
  if (stream === undefined) return fault(STREAM_NOT_FOUND);
  if (call === "PURGE") {
    const { seq, filter } = body as { seq?: number; filter?: string };
    const purged = stream.purge(seq ?? 0, filter);
    host.onPurged(stream);
    return { success: true, purged };
  }
  if (call === "UPDATE") stream.settings = body as unknown as StreamSettings;
  const { subjects_filter: filter } = body as { subjects_filter?: string };
  return info(stream, host.wallUs(), filter);
}

function find(stream: SimulatedStream, query: MessageQuery): Stored | null {
  if (query.last_by_subj !== undefined) return stream.lastOf(query.last_by_subj);
  if (query.next_by_subj !== undefined) return stream.from(query.seq ?? 0, query.next_by_subj, 1)[0] ?? null;
  return stream.at(query.seq ?? 0);
}

/** As nats-server writes a time; it has nanoseconds. */
function timeText(timeUs: number): string {
  const micros = String(timeUs % 1000).padStart(3, "0");
  return new Date(Math.floor(timeUs / 1000)).toISOString().replace("Z", `${micros}Z`);
}

function message(host: ApiHost, name: string, query: MessageQuery): object {
  const stream = host.streams.get(name);
  if (stream === undefined) return fault(STREAM_NOT_FOUND);
  stream.expire(host.wallUs());
  const found = find(stream, query);
  if (found === null) return fault(NO_MESSAGE);
  const { seq, subject, headers, payload, timeUs } = found;
  const hdrs = headers === "" ? {} : { hdrs: encoder.encode(headers).toBase64() };
  const time = timeText(timeUs);
  return { type: "message", message: { subject, seq, data: payload.toBase64(), ...hdrs, time } };
}

function direct(host: ApiHost, name: string, subject: string, query: MessageQuery): Answer[] {
  const stream = host.streams.get(name);
  if (stream === undefined) return [{ headers: "NATS/1.0 503\r\n\r\n", payload: NOTHING }];
  stream.expire(host.wallUs());
  if (query.batch === undefined) {
    const found = find(stream, subject === "" ? query : { last_by_subj: subject });
    return [found === null ? status("404 Message Not Found") : directMessage(name, found, "")];
  }
  const most = query.max_bytes ?? Infinity;
  const all = stream.from(query.seq ?? 1, query.next_by_subj, Infinity);
  if (all.length === 0) return [status("404 No Results")];
  const answers: Answer[] = [];
  let bytes = 0;
  for (const each of all.slice(0, query.batch)) {
    if (answers.length > 0 && bytes + each.payload.length > most) break;
    bytes += each.payload.length;
    const pending = `Nats-Num-Pending: ${all.length - answers.length - 1}\r\n`;
    answers.push(directMessage(name, each, pending));
  }
  return [...answers, status(`204 EOB\r\nNats-Num-Pending: ${all.length - answers.length}`)];
}

function status(text: string): Answer {
  return { headers: `NATS/1.0 ${text}\r\n\r\n`, payload: NOTHING };
}

function directMessage(
  stream: string,
  { seq, subject, headers, payload, timeUs }: Stored,
  more: string,
): Answer {
  const own = headers === "" ? "" : headers.slice("NATS/1.0\r\n".length, -2);
  const time = timeText(timeUs);
  const about = `Nats-Stream: ${stream}\r\nNats-Subject: ${subject}\r\nNats-Sequence: ${seq}\r\n`;
  return { headers: `NATS/1.0\r\n${own}${about}Nats-Time-Stamp: ${time}\r\n${more}\r\n`, payload };
}

function addConsumer(host: ApiHost, name: string, settings: ConsumerSettings): object {
  const stream = host.streams.get(name);
  if (stream === undefined) return fault(STREAM_NOT_FOUND);
  let consumer = host.consumers.get(settings.name);
  if (consumer === undefined) {
    consumer = new PushConsumer(stream, settings, host);
    host.consumers.set(settings.name, consumer);
  }
  const position = { consumer_seq: 0, stream_seq: (settings.opt_start_seq ?? 1) - 1 };
  return {
    type: "consumer",
    stream_name: name,
    name: settings.name,
    created: "2026-01-05T08:00:00Z",
    config: settings,
    delivered: position,
    ack_floor: position,
    num_pending: consumer.pending,
  };
}

function deleteConsumer(host: ApiHost, name: string): object {
  const consumer = host.consumers.get(name);
  if (consumer === undefined) {
    return fault({ code: 404, err_code: 10014, description: "consumer not found" });
  }
  consumer.stop();
  host.consumers.delete(name);
  return { success: true };
}
