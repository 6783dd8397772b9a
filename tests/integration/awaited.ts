/** Waiting for a condition with a deadline. Test code only. */

/** Every wait of the integration tests ends within this, ms. */
export const DEADLINE_MS = 20_000;

/** Resolves when `holds` is true; it is asked again and again. Throws after the deadline with what `state` says. */
export async function until(
  what: string,
  holds: () => boolean,
  state: () => string = () => "",
): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${DEADLINE_MS} ms; ${state()}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** The promise's value, or an error that names `what` after the deadline. */
export async function within<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${DEADLINE_MS} ms`)), DEADLINE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
