/** Owns making an input smaller that shows a fault: fewer parts, then shorter parts. Pure. */

/** Looks at a smaller input; true when it still shows a fault. Must not throw. */
export type StillFails<T> = (input: readonly T[]) => boolean;

const MAX_LOOKS = 1500;

/** Removes runs of items, long ones first, as long as the rest still fails. At most {@link MAX_LOOKS} looks. */
export function fewest<T>(items: readonly T[], fails: StillFails<T>): readonly T[] {
  let looks = 0;
  let best = items;
  for (
    let length = Math.ceil(best.length / 2);
    length >= 1;
    length = length === 1 ? 0 : Math.ceil(length / 2)
  ) {
    for (let at = 0; at < best.length && looks < MAX_LOOKS;) {
      const rest = [...best.slice(0, at), ...best.slice(at + length)];
      looks++;
      if (fails(rest)) best = rest;
      else at += length;
    }
  }
  return best;
}

/** {@link fewest} for bytes. */
export function fewestBytes(bytes: Uint8Array, fails: (bytes: Uint8Array) => boolean): Uint8Array {
  return Uint8Array.from(fewest(Array.from(bytes), (rest) => fails(Uint8Array.from(rest))));
}
