/**
 * Finds a price level by its key, and a neighbour for a new one, in every book: a path-compressed 32-way trie with a
 * bitmap per node, all nodes in one pool. Owns the nodes; knows a level only as a handle. Pure.
 *
 * Every node has at least two children, so there are fewer nodes than levels wherever the prices lie, and the node
 * that takes a new leaf always holds a neighbour of it: no search ever backs up. bench/micro/book.ts pays for it.
 */

const NODE_WORDS = 36;
const BITMAP = 0;
/** The key of everything below, with the digits from this node's own downwards zero. */
const PREFIX = 1;
/** Bit position of the node's digit: 0, 5, … 30. */
const SHIFT = 2;
const CHILD = 3;

/** Level handles by (book, key), key 0 … 2^31 - 1. A child is 0 (none), a node (positive) or ~level (negative). */
export class PriceTrie {
  /** After `insert`: a level next to the new one in key order, 0 when the book was empty. */
  neighbour = 0;
  /** After `insert`: whether {@link neighbour} has the smaller key. */
  neighbourIsBefore = false;
  /** Nodes in use, over all books. Invariant: below the number of levels. */
  nodeCount = 0;
  readonly #roots: Int32Array;
  readonly #keys: Int32Array;
  readonly #words: Int32Array;
  #free = 0;
  #fresh = 1;

  /** A trie for `books` books and levels with handles 1 … `levels`. */
  constructor(books: number, levels: number) {
    this.#roots = new Int32Array(books);
    this.#keys = new Int32Array(levels + 1);
    this.#words = new Int32Array((levels + 1) * NODE_WORDS);
  }

  /** The level with `key` in `book`, or 0. */
  find(book: number, key: number): number {
    const words = this.#words;
    let at = this.#roots[book];
    while (at > 0) {
      const base = at * NODE_WORDS;
      const digit = (key ^ words[base + PREFIX]) >>> words[base + SHIFT];
      if (digit > 31) return 0;
      at = words[base + CHILD + digit];
    }
    return at < 0 && this.#keys[~at] === key ? ~at : 0;
  }

  /** Adds `level`, whose key must be new in `book`, and sets {@link neighbour}. */
  insert(book: number, key: number, level: number): void {
    const words = this.#words;
    this.#keys[level] = key;
    let at = this.#roots[book];
    if (at === 0) {
      this.#roots[book] = ~level;
      this.neighbour = 0;
      return;
    }
    let pointer = -1;
    while (at > 0) {
      const base = at * NODE_WORDS;
      const digit = (key ^ words[base + PREFIX]) >>> words[base + SHIFT];
      if (digit > 31) break;
      const child = words[base + CHILD + digit];
      if (child === 0) {
        this.#addLeaf(base, digit, level);
        return;
      }
      pointer = base + CHILD + digit;
      at = child;
    }
    const node = this.#split(at, key, level);
    if (pointer < 0) this.#roots[book] = node;
    else words[pointer] = node;
  }

  /** Removes the level with `key`, which must be there. */
  remove(book: number, key: number): void {
    const words = this.#words;
    let at = this.#roots[book];
    if (at < 0) {
      this.#roots[book] = 0;
      return;
    }
    let pointer = -1;
    for (;;) {
      const base = at * NODE_WORDS;
      const digit = (key ^ words[base + PREFIX]) >>> words[base + SHIFT];
      const child = words[base + CHILD + digit];
      if (child > 0) {
        pointer = base + CHILD + digit;
        at = child;
        continue;
      }
      words[base + CHILD + digit] = 0;
      const bitmap = words[base + BITMAP] & ~(1 << digit);
      words[base + BITMAP] = bitmap;
      if ((bitmap & (bitmap - 1)) !== 0) return;
      const last = base + CHILD + lowestBit(bitmap);
      if (pointer < 0) this.#roots[book] = words[last];
      else words[pointer] = words[last];
      words[last] = 0;
      words[base + BITMAP] = this.#free;
      this.#free = at;
      this.nodeCount--;
      return;
    }
  }

  #addLeaf(base: number, digit: number, level: number): void {
    const words = this.#words;
    const bitmap = words[base + BITMAP];
    const below = bitmap & ((1 << digit) - 1);
    if (below !== 0) {
      this.neighbour = this.#extreme(words[base + CHILD + 31 - Math.clz32(below)], true);
      this.neighbourIsBefore = true;
    } else {
      const above = bitmap & ~((2 << digit) - 1);
      this.neighbour = this.#extreme(words[base + CHILD + lowestBit(above)], false);
      this.neighbourIsBefore = false;
    }
    words[base + BITMAP] = bitmap | 1 << digit;
    words[base + CHILD + digit] = ~level;
  }

  /** A node over the subtree `at`, which does not cover `key`, and the new leaf. */
  #split(at: number, key: number, level: number): number {
    const words = this.#words;
    const otherKey = at < 0 ? this.#keys[~at] : words[at * NODE_WORDS + PREFIX];
    const shift = Math.trunc((31 - Math.clz32(key ^ otherKey)) / 5) * 5;
    const prefix = shift === 30 ? 0 : key >>> shift + 5 << shift + 5;
    const node = this.#free !== 0 ? this.#free : this.#fresh++;
    if (node === this.#free) this.#free = words[node * NODE_WORDS + BITMAP];
    this.nodeCount++;
    const base = node * NODE_WORDS;
    const digit = (key ^ prefix) >>> shift;
    const otherDigit = (otherKey ^ prefix) >>> shift;
    words[base + BITMAP] = 1 << digit | 1 << otherDigit;
    words[base + PREFIX] = prefix;
    words[base + SHIFT] = shift;
    words[base + CHILD + digit] = ~level;
    words[base + CHILD + otherDigit] = at;
    this.neighbourIsBefore = otherDigit < digit;
    this.neighbour = this.#extreme(at, this.neighbourIsBefore);
    return node;
  }

  /** The level with the largest or smallest key below `at`. */
  #extreme(at: number, largest: boolean): number {
    const words = this.#words;
    while (at > 0) {
      const base = at * NODE_WORDS;
      const bitmap = words[base + BITMAP];
      at = words[base + CHILD + (largest ? 31 - Math.clz32(bitmap) : lowestBit(bitmap))];
    }
    return ~at;
  }
}

function lowestBit(bitmap: number): number {
  return 31 - Math.clz32(bitmap & -bitmap);
}
