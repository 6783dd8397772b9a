/**
 * Finds a price level by its key, and a neighbour for a new one, in every book: a path-compressed 32-way trie with a
 * bitmap per node, all nodes in one pool. Owns the nodes, and LEVEL_KEY and LEVEL_NODE of the levels' records. Pure.
 *
 * Every node has at least two children, so there are fewer nodes than levels wherever the prices lie, and the node
 * that takes a new leaf always holds a neighbour of it: no search ever backs up. A level knows its node, so that
 * removal searches nothing. bench/micro/book.ts pays for it.
 */
import { LEVEL_LAYOUT } from "./level_layout.ts";
import type { Memory } from "./memory.ts";

const { LEVEL_KEY, LEVEL_NODE } = LEVEL_LAYOUT;

const NODE_WORDS = 36;
const BITMAP = 0;
/** The key of everything below, with the digits from this node's own downwards zero. */
const PREFIX = 1;
/** Bit position of the node's digit: 0, 5, … 30. */
const SHIFT = 2;
/** The node above, 0 for a root. */
const PARENT = 3;
const CHILD = 4;

/** Levels by (book, key), key 0 … 2^31 - 1. A pointer is 0 (none), a node (positive) or ~level (negative). */
export class PriceTrie {
  /** After `insert`: whether the neighbour that it returned has the smaller key. */
  neighbourIsBefore = false;
  /** Nodes in use, over all books. Invariant: below the number of levels. */
  nodeCount = 0;
  readonly #words: Int32Array;
  /** The pointer to each book's root. */
  readonly #roots: number;
  /** Where the last search ended: the pointer's place, and the node that holds it (0: it is a root's). */
  #pointer = 0;
  #node = 0;
  #free = 0;
  #fresh: number;

  /** What a trie takes of the memory for `books` books and `levels` levels. */
  static words(books: number, levels: number): readonly number[] {
    return [books, levels * NODE_WORDS];
  }

  /** A trie for `books` books and at most `levels` levels. */
  constructor(memory: Memory, books: number, levels: number) {
    this.#words = memory.words;
    this.#roots = memory.take(books);
    this.#fresh = memory.take(levels * NODE_WORDS);
  }

  /** The level with `key` in `book`, or 0. */
  find(book: number, key: number): number {
    const words = this.#words;
    let node = 0;
    let pointer = this.#roots + book | 0;
    let at = words[pointer];
    while (at > 0) {
      const digit = (key ^ words[at + PREFIX | 0]) >>> words[at + SHIFT | 0];
      if (digit > 31) break;
      node = at;
      pointer = at + CHILD + digit | 0;
      at = words[pointer];
    }
    if (at < 0 && words[~at + LEVEL_KEY | 0] === key) return ~at;
    this.#pointer = pointer;
    this.#node = node;
    return 0;
  }

  /** Adds `level` under the key just not found; returns a level next to it in key order, 0 when the book was empty. */
  insert(key: number, level: number): number {
    const words = this.#words;
    const pointer = this.#pointer;
    const node = this.#node;
    const at = words[pointer];
    words[level + LEVEL_KEY | 0] = key;
    if (at !== 0) return this.#split(key, level);
    words[level + LEVEL_NODE | 0] = node;
    words[pointer] = ~level;
    if (node === 0) return 0;
    const digit = pointer - node - CHILD;
    const bitmap = words[node + BITMAP | 0];
    words[node + BITMAP | 0] = bitmap | 1 << digit;
    const below = bitmap & ((1 << digit) - 1);
    this.neighbourIsBefore = below !== 0;
    const next = below !== 0 ? 31 - Math.clz32(below) : lowestBit(bitmap);
    return this.#extreme(words[node + CHILD + next], below !== 0);
  }

  /** Removes a level of `book`. */
  remove(book: number, level: number): void {
    const words = this.#words;
    const node = words[level + LEVEL_NODE | 0];
    if (node === 0) {
      words[this.#roots + book] = 0;
      return;
    }
    const digit = (words[level + LEVEL_KEY | 0] ^ words[node + PREFIX | 0]) >>> words[node + SHIFT | 0];
    const bitmap = words[node + BITMAP | 0] & ~(1 << digit);
    words[node + CHILD + digit] = 0;
    words[node + BITMAP | 0] = bitmap;
    if ((bitmap & (bitmap - 1)) !== 0) return;
    const last = node + CHILD + lowestBit(bitmap);
    const child = words[last];
    const parent = words[node + PARENT | 0];
    words[last] = 0;
    words[this.#pointerTo(book, parent, words[node + PREFIX | 0])] = child;
    if (child < 0) words[~child + LEVEL_NODE | 0] = parent;
    else words[child + PARENT | 0] = parent;
    words[node + BITMAP | 0] = this.#free;
    this.#free = node;
    this.nodeCount--;
  }

  #pointerTo(book: number, parent: number, key: number): number {
    const words = this.#words;
    return parent === 0
      ? this.#roots + book
      : parent + CHILD + ((key ^ words[parent + PREFIX | 0]) >>> words[parent + SHIFT | 0]);
  }

  /** Puts a node over what the last search ended at, which does not cover `key`, and over the new leaf. */
  #split(key: number, level: number): number {
    const words = this.#words;
    const at = words[this.#pointer];
    const otherKey = at < 0 ? words[~at + LEVEL_KEY | 0] : words[at + PREFIX | 0];
    const shift = Math.trunc((31 - Math.clz32(key ^ otherKey)) / 5) * 5;
    const prefix = shift === 30 ? 0 : key >>> shift + 5 << shift + 5;
    let node = this.#free;
    if (node !== 0) {
      this.#free = words[node + BITMAP | 0];
    } else {
      node = this.#fresh;
      this.#fresh += NODE_WORDS;
    }
    this.nodeCount++;
    const digit = (key ^ prefix) >>> shift;
    const otherDigit = (otherKey ^ prefix) >>> shift;
    words[node + BITMAP | 0] = 1 << digit | 1 << otherDigit;
    words[node + PREFIX | 0] = prefix;
    words[node + SHIFT | 0] = shift;
    words[node + PARENT | 0] = this.#node;
    words[node + CHILD + digit] = ~level;
    words[node + CHILD + otherDigit] = at;
    words[level + LEVEL_NODE | 0] = node;
    if (at < 0) words[~at + LEVEL_NODE | 0] = node;
    else words[at + PARENT | 0] = node;
    words[this.#pointer] = node;
    this.neighbourIsBefore = otherDigit < digit;
    return this.#extreme(at, otherDigit < digit);
  }

  /** The level with the largest or smallest key below `at`. */
  #extreme(at: number, largest: boolean): number {
    const words = this.#words;
    while (at > 0) {
      const bitmap = words[at + BITMAP | 0];
      at = words[at + CHILD + (largest ? 31 - Math.clz32(bitmap) : lowestBit(bitmap))];
    }
    return ~at;
  }
}

function lowestBit(bitmap: number): number {
  return 31 - Math.clz32(bitmap & -bitmap);
}
