/** Owns counting how often code looks at its input: the measure of work that needs no clock. Pure. */

/** What was counted. */
export interface Counter {
  reads: number;
}

/**
 * The array as code sees it, each look at an element counted; whole-array operations (copying, views) are not looks.
 * Slow, and for tests: a typed array behind a Proxy.
 */
export function counted<T extends Uint8Array | Int32Array>(array: T, counter: Counter): T {
  return new Proxy(array, {
    get(target, key) {
      if (typeof key === "string" && key.charCodeAt(0) <= 0x39) {
        counter.reads++;
        return target[Number(key)];
      }
      const value = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    set(target, key, value) {
      return Reflect.set(target, key, value, target);
    },
  });
}
