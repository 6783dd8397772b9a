/**
 * `@std/testing/mock` over npm sinon: spies, stubs and assertions about their calls, as far as this project uses
 * them. Assertion failures are node:assert's AssertionError.
 */
import assert from "node:assert/strict";
// @ts-types="npm:@types/sinon@22.0.2"
import sinon from "sinon";

// deno-lint-ignore no-explicit-any -- a spied function may have any parameters; `unknown` would refuse them
type AnyFunction = (...args: any[]) => any;

/** One recorded call. Exactly one of `returned` and `error` is meaningful. */
export interface SpyCall {
  args: unknown[];
  returned?: unknown;
  error?: unknown;
  self?: unknown;
}

/** A function that records its calls. */
export type Spy<F extends AnyFunction = AnyFunction> = F & {
  /** Calls so far, oldest first. */
  readonly calls: SpyCall[];
  /** The function that was wrapped. */
  readonly original: AnyFunction;
  readonly restored: boolean;
  /** Puts a spied method back. Throws when there is nothing to put back. */
  restore(): void;
  [Symbol.dispose](): void;
};
/** A spy that replaces a method's behaviour. */
export type Stub<F extends AnyFunction = AnyFunction> = Spy<F>;

function dress<F extends AnyFunction>(
  recorder: sinon.SinonSpy,
  original: AnyFunction,
  undo?: () => void,
): Spy<F> {
  let restored = false;
  const calls = () =>
    recorder.getCalls().map((call): SpyCall => ({
      args: call.args,
      self: call.thisValue,
      ...(call.exception === undefined ? { returned: call.returnValue } : { error: call.exception }),
    }));
  const restore = () => {
    if (undo === undefined) throw new Error("Cannot restore a spy: expected a spied method, got a function");
    if (restored) throw new Error("Cannot restore a spy: it is already restored");
    undo();
    restored = true;
  };
  return Object.defineProperties(recorder, {
    calls: { get: calls },
    original: { value: original },
    restored: { get: () => restored },
    restore: { value: restore, configurable: true },
    [Symbol.dispose]: { value: () => undo !== undefined && !restored && restore() },
  }) as unknown as Spy<F>;
}

function replace<T extends object>(self: T, method: keyof T, body: AnyFunction): Spy {
  const own = Object.getOwnPropertyDescriptor(self, method);
  const original = self[method];
  if (typeof original !== "function") {
    throw new TypeError(`Cannot spy on ${String(method)}: expected a method, got ${typeof original}`);
  }
  const undo = () => {
    if (own === undefined) delete self[method];
    else Object.defineProperty(self, method, own);
  };
  const spied = dress(sinon.spy(body), original as AnyFunction, undo);
  Object.defineProperty(self, method, { value: spied, configurable: true, writable: true });
  return spied;
}

/** A spy that does nothing, one around `fn`, or one around a method of an object. */
export function spy(): Spy;
export function spy<F extends AnyFunction>(fn: F): Spy<F>;
export function spy<T extends object>(self: T, method: keyof T): Spy;
export function spy(target?: unknown, method?: PropertyKey): Spy {
  if (target === undefined) return dress(sinon.spy(), () => {});
  if (method === undefined) return dress(sinon.spy(target as AnyFunction), target as AnyFunction);
  const self = target as Record<PropertyKey, unknown>;
  return replace(self, method, self[method] as AnyFunction);
}

/** Replaces a method by `fn`, by default one that returns undefined, until restored. */
export function stub<T extends object>(self: T, method: keyof T, fn: AnyFunction = () => undefined): Stub {
  return replace(self, method, fn);
}

/** A function that returns the values one after another, throwing those that are errors, and throws past the end. */
export function returnsNext<T>(values: Iterable<T>): (...args: unknown[]) => T {
  const iterator = values[Symbol.iterator]();
  let calls = 0;
  return () => {
    calls++;
    const { value, done } = iterator.next();
    if (done === true) throw new Error(`Cannot return value ${calls}: there are only ${calls - 1}`);
    if (value instanceof Error) throw value;
    return value;
  };
}

/** Fails unless the spy was called exactly `expected` times. */
export function assertSpyCalls(spied: { calls: SpyCall[] }, expected: number): void {
  assert.equal(spied.calls.length, expected, `expected ${expected} calls, got ${spied.calls.length}`);
}

/** Fails unless call `index` exists and agrees with everything that `expected` states. */
export function assertSpyCall(
  spied: { calls: SpyCall[] },
  index: number,
  expected: { args?: unknown[]; self?: unknown; returned?: unknown; error?: { msgIncludes?: string } } = {},
): void {
  const call = spied.calls[index];
  assert.ok(call !== undefined, `expected a call ${index}, got ${spied.calls.length} calls`);
  if ("args" in expected) assert.deepEqual(call.args, expected.args);
  if ("self" in expected) assert.equal(call.self, expected.self);
  if ("returned" in expected) {
    assert.ok(call.error === undefined, `expected call ${index} to return, but it threw ${call.error}`);
    assert.deepEqual(call.returned, expected.returned);
  }
  if ("error" in expected) {
    assert.ok(call.error instanceof Error, `expected call ${index} to throw an error`);
    assert.ok(call.error.message.includes(expected.error?.msgIncludes ?? ""), `got "${call.error.message}"`);
  }
}
