/** Data fields and their length fields. Written by infra/dictionary/generate.ts from the FIX 4.4 dictionary. Pure. */

/** [length tag, data tag], the length field right in front of its data field. */
export const DATA_FIELD_PAIRS: readonly (readonly [number, number])[] = [
  [90, 91],
  [93, 89],
  [95, 96],
  [212, 213],
  [348, 349],
  [350, 351],
  [352, 353],
  [354, 355],
  [356, 357],
  [358, 359],
  [360, 361],
  [362, 363],
  [364, 365],
  [445, 446],
  [618, 619],
  [621, 622],
];

/** For each tag below 1024: the length tag when it is a data field, else 0. */
export const DATA_LENGTH_TAGS: Uint16Array = new Uint16Array(1024);
for (const [lengthTag, dataTag] of DATA_FIELD_PAIRS) DATA_LENGTH_TAGS[dataTag] = lengthTag;
