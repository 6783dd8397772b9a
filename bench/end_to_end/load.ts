/**
 * Load shapes over any request path that answers in order of sending: one at a time, open loop at a rate, and
 * saturation. Latency in an open loop counts from the moment the order was due, not from when it was written, so that
 * a stall is charged to every order that it delays.
 */
import { build, type Histogram } from "hdr-histogram-js";

/** A path under test: orders in, one first reply each, in order. */
export interface Lane {
  /** Writes `count` orders at once. */
  send(count: number): void;
  /** Called with how many first replies have just come. */
  onReplies: (count: number) => void;
}

/** Latencies of one run, µs. */
export interface LoadResult {
  readonly orders: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

const HIGHEST_US = 60_000_000;

/** Sends the next order when the reply to the one before is there. */
export function oneAtATime(lane: Lane, orders: number): Promise<LoadResult> {
  const latencies = newHistogram();
  return new Promise((resolve) => {
    const begin = performance.now();
    let sentAt = begin;
    let replies = 0;
    lane.onReplies = (count) => {
      const now = performance.now();
      latencies.recordValue(microseconds(now - sentAt));
      replies += count;
      if (replies === orders) return resolve(resultOf(latencies, orders, now - begin));
      sentAt = now;
      lane.send(1);
    };
    lane.send(1);
  });
}

/** Sends `rate` orders per second for `orders` orders, whatever the replies do. */
export function openLoop(lane: Lane, rate: number, orders: number): Promise<LoadResult> {
  const latencies = newHistogram();
  return new Promise((resolve) => {
    const begin = performance.now();
    const dueAt = (index: number) => begin + index * 1000 / rate;
    let sent = 0;
    let replies = 0;
    lane.onReplies = (count) => {
      const now = performance.now();
      for (let i = 0; i < count; i++) latencies.recordValue(microseconds(now - dueAt(replies++)));
      if (replies === orders) resolve(resultOf(latencies, orders, now - begin));
    };
    const tick = () => {
      const due = Math.min(orders, Math.floor((performance.now() - begin) * rate / 1000) + 1);
      if (due > sent) {
        const count = due - sent;
        sent = due;
        lane.send(count);
      }
      if (sent < orders) setTimeout(tick, 0);
    };
    tick();
  });
}

/** Keeps `window` orders outstanding; the rate is orders ÷ seconds. */
export function saturate(lane: Lane, orders: number, window: number): Promise<LoadResult> {
  const latencies = newHistogram();
  const sentAt = new Float64Array(orders);
  return new Promise((resolve) => {
    const begin = performance.now();
    let sent = 0;
    let replies = 0;
    const send = (now: number) => {
      const count = Math.min(orders - sent, window - (sent - replies));
      if (count <= 0) return;
      sentAt.fill(now, sent, sent + count);
      sent += count;
      lane.send(count);
    };
    lane.onReplies = (count) => {
      const now = performance.now();
      for (let i = 0; i < count; i++) latencies.recordValue(microseconds(now - sentAt[replies++]));
      if (replies === orders) return resolve(resultOf(latencies, orders, now - begin));
      if (sent - replies <= window / 2) send(now);
    };
    send(begin);
  });
}

function newHistogram(): Histogram {
  return build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: HIGHEST_US,
    numberOfSignificantValueDigits: 3,
  });
}

function microseconds(milliseconds: number): number {
  return Math.min(HIGHEST_US, Math.max(1, Math.round(milliseconds * 1000)));
}

function resultOf(latencies: Histogram, orders: number, milliseconds: number): LoadResult {
  return {
    orders,
    seconds: milliseconds / 1000,
    p50: latencies.getValueAtPercentile(50),
    p99: latencies.getValueAtPercentile(99),
    p999: latencies.getValueAtPercentile(99.9),
    max: latencies.maxValue,
  };
}
