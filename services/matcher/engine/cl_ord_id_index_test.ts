import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { ByteSlice } from "../../../shared/codec/wire/mod.ts";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import { ClOrdIdIndex } from "./cl_ord_id_index.ts";
import { Memory } from "./memory.ts";

const CAPACITY = 40_000;
const SESSIONS = 3;
const LENGTHS = [12, 16, 17, 40];

/** The identifier of number `n`, and its session. */
function idOf(n: number): { readonly session: number; readonly id: ByteSlice } {
  const bytes = new TextEncoder().encode(String(n).padStart(LENGTHS[n % LENGTHS.length], "-"));
  const id = new ByteSlice();
  id.set(bytes, 0, bytes.length);
  return { session: 1 + n % SESSIONS, id };
}

describe("the index of ClOrdIDs", () => {
  it("finds exactly what it holds at every size, also while its table grows", () => {
    const seed = 20_261_130;
    const random = new SeededRandom(seed);
    const index = new ClOrdIdIndex(new Memory(null, ...ClOrdIdIndex.words(CAPACITY)), CAPACITY, seed);
    const entries = new Map<number, number>();
    const find = (n: number) => {
      const { session, id } = idOf(n);
      return index.find(session, id);
    };
    for (let n = 1; n <= CAPACITY; n++) {
      assert.equal(find(n), 0);
      entries.set(n, index.addProbed(n));
      const some = 1 + random.below(n);
      assert.equal(find(some), entries.get(some) ?? 0, `seed ${seed}, ${some} of ${n}`);
      if (n % 5 === 0 && entries.delete(some)) index.remove(find(some));
    }
    assert.equal(index.count, entries.size);
    for (let n = 1; n <= CAPACITY; n++) {
      assert.equal(find(n), entries.get(n) ?? 0, `seed ${seed}, ${n} at the end`);
    }
    for (const [n, entry] of entries) assert.equal(index.orderOf(entry), n);
  });
});
