/** Waiting for a promise no longer than a time. Sets a timer of the process. */

/**
 * What `promise` resolves to, or `late` once `ms` are over. Rejects as `promise` does; what becomes of it after that is
 * nobody's concern: it is not called off, and its rejection is ignored.
 */
export async function inTime<T, L>(promise: Promise<T>, ms: number, late: L): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeUp = new Promise<L>((resolve) => timer = setTimeout(() => resolve(late), ms));
  try {
    return await Promise.race([promise, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
