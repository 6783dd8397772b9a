/** Where each field of a level record is. Pure: constants only. */

/**
 * Fields in 32-bit words; words 0-1, 2-3 and 14-15 are doubles, lots: the quantity shown now, the same before the
 * command, and the quantity that icebergs hide. Users take these
 * apart in their own module's scope, as with ORDER_LAYOUT.
 */
export const LEVEL_LAYOUT = {
  /** 32-bit words per level record. */
  LEVEL_WORDS: 16,
  LEVEL_PRICE: 4,
  /** Oldest order. */
  LEVEL_HEAD: 5,
  /** Youngest order. */
  LEVEL_TAIL: 6,
  /** Orders at the level. */
  LEVEL_COUNT: 7,
  /** {@link LEVEL_COUNT} before the command, -1 while the command has not touched the level. */
  LEVEL_COUNT_BEFORE: 8,
  /** Next better level. */
  LEVEL_PREV: 9,
  /** Next worse level, or the next free record. */
  LEVEL_NEXT: 10,
  LEVEL_BOOK: 11,
  /** What the trie sorts by: grows from the best price to the worst. */
  LEVEL_KEY: 12,
  /** The trie's node that holds the level, 0 when the level is alone in its book. */
  LEVEL_NODE: 13,
} as const;
