/**
 * Finds a price level by its key, and a neighbour for a new one, in every book: a path-compressed 32-way trie with a
 * bitmap per node, all nodes in one pool. Owns the nodes, and LEVEL_KEY and LEVEL_NODE of the levels' records. Pure.
 *
 * Every node has at least two children, so there are fewer nodes than levels wherever the prices lie, and the node
 * that takes a new leaf always holds a neighbour of it: no search ever backs up. A level knows its node, so that
 * removal searches nothing. bench/micro/book.ts pays for it.
 */
import { LEVEL_LAYOUT } from "./level_layout.ts";

const { LEVEL_WORDS, LEVEL_KEY, LEVEL_NODE } = LEVEL_LAYOUT;

const NODE_WORDS = 36;
const BITMAP = 0;
/** The key of everything below, with the digits from this node's own downwards zero. */
const PREFIX = 1;
/** Bit position of the node's digit: 0, 5, … 30. */
const SHIFT = 2;
/** The node above, 0 for a root. */
const PARENT = 3;
const CHILD = 4;

/**
 * Level handles by (book, key), key 0 … 2^31 - 1. A pointer is 0 (none), a node (positive: where its record begins) or
 * ~level (negative). The roots' pointers come first in the pool, by book.
 */
export class PriceTrie {
  /** After `insert`: whether the neighbour that it returned has the smaller key. */
  neighbourIsBefore = false;
  /** Nodes in use, over all books. Invariant: below the number of levels. */
  nodeCount = 0;
  readonly #levels: Int32Array;
  readonly #words: Int32Array;
  /** Where the last search ended: the pointer's place, and the node that holds it (0: it is a root's). */
  #pointer = 0;
  #node = 0;
  #free = 0;
  #fresh: number;

  /** A trie for `books` books and the levels 1 … `count` of the records in `levels`. */
  constructor(books: number, count: number, levels: Int32Array) {
    this.#levels = levels;
    this.#fresh = books;
    this.#words = new Int32Array(books + count * NODE_WORDS);
  }

  /** The level with `key` in `book`, or 0. */
  find(book: number, key: number): number {
    const words = this.#words;
    let node = 0;
    let pointer = book;
    let at = words[book];
    while (at > 0) {
      const digit = (key ^ words[at + PREFIX]) >>> words[at + SHIFT];
      if (digit > 31) break;
      node = at;
      pointer = at + CHILD + digit;
      at = words[pointer];
    }
    if (at < 0 && this.#levels[~at * LEVEL_WORDS + LEVEL_KEY] === key) return ~at;
    this.#pointer = pointer;
    this.#node = node;
    return 0;
  }

  /** Adds `level` under the key just not found; returns a level next to it in key order, 0 when the book was empty. */
  insert(key: number, level: number): number {
    const levels = this.#levels;
    const words = this.#words;
    const pointer = this.#pointer;
    const node = this.#node;
    const at = words[pointer];
    levels[level * LEVEL_WORDS + LEVEL_KEY] = key;
    if (at !== 0) return this.#split(key, level);
    levels[level * LEVEL_WORDS + LEVEL_NODE] = node;
    words[pointer] = ~level;
    if (node === 0) return 0;
    const digit = pointer - node - CHILD;
    const bitmap = words[node + BITMAP];
    words[node + BITMAP] = bitmap | 1 << digit;
    const below = bitmap & ((1 << digit) - 1);
    this.neighbourIsBefore = below !== 0;
    const next = below !== 0 ? 31 - Math.clz32(below) : lowestBit(bitmap);
    return this.#extreme(words[node + CHILD + next], below !== 0);
  }

  /** Removes a level of `book`. */
  remove(book: number, level: number): void {
    const levels = this.#levels;
    const words = this.#words;
    const node = levels[level * LEVEL_WORDS + LEVEL_NODE];
    if (node === 0) {
      words[book] = 0;
      return;
    }
    const digit = (levels[level * LEVEL_WORDS + LEVEL_KEY] ^ words[node + PREFIX]) >>> words[node + SHIFT];
    const bitmap = words[node + BITMAP] & ~(1 << digit);
    words[node + CHILD + digit] = 0;
    words[node + BITMAP] = bitmap;
    if ((bitmap & (bitmap - 1)) !== 0) return;
    const last = node + CHILD + lowestBit(bitmap);
    const child = words[last];
    const parent = words[node + PARENT];
    words[last] = 0;
    words[this.#pointerTo(book, parent, words[node + PREFIX])] = child;
    if (child < 0) levels[~child * LEVEL_WORDS + LEVEL_NODE] = parent;
    else words[child + PARENT] = parent;
    words[node + BITMAP] = this.#free;
    this.#free = node;
    this.nodeCount--;
  }

  #pointerTo(book: number, parent: number, key: number): number {
    const words = this.#words;
    return parent === 0 ? book : parent + CHILD + ((key ^ words[parent + PREFIX]) >>> words[parent + SHIFT]);
  }

  /** Puts a node over what the last search ended at, which does not cover `key`, and over the new leaf. */
  #split(key: number, level: number): number {
    const levels = this.#levels;
    const words = this.#words;
    const at = words[this.#pointer];
    const otherKey = at < 0 ? levels[~at * LEVEL_WORDS + LEVEL_KEY] : words[at + PREFIX];
    const shift = Math.trunc((31 - Math.clz32(key ^ otherKey)) / 5) * 5;
    const prefix = shift === 30 ? 0 : key >>> shift + 5 << shift + 5;
    let node = this.#free;
    if (node !== 0) {
      this.#free = words[node + BITMAP];
    } else {
      node = this.#fresh;
      this.#fresh += NODE_WORDS;
    }
    this.nodeCount++;
    const digit = (key ^ prefix) >>> shift;
    const otherDigit = (otherKey ^ prefix) >>> shift;
    words[node + BITMAP] = 1 << digit | 1 << otherDigit;
    words[node + PREFIX] = prefix;
    words[node + SHIFT] = shift;
    words[node + PARENT] = this.#node;
    words[node + CHILD + digit] = ~level;
    words[node + CHILD + otherDigit] = at;
    levels[level * LEVEL_WORDS + LEVEL_NODE] = node;
    if (at < 0) levels[~at * LEVEL_WORDS + LEVEL_NODE] = node;
    else words[at + PARENT] = node;
    words[this.#pointer] = node;
    this.neighbourIsBefore = otherDigit < digit;
    return this.#extreme(at, otherDigit < digit);
  }

  /** The level with the largest or smallest key below `at`. */
  #extreme(at: number, largest: boolean): number {
    const words = this.#words;
    while (at > 0) {
      const bitmap = words[at + BITMAP];
      at = words[at + CHILD + (largest ? 31 - Math.clz32(bitmap) : lowestBit(bitmap))];
    }
    return ~at;
  }
}

function lowestBit(bitmap: number): number {
  return 31 - Math.clz32(bitmap & -bitmap);
}
