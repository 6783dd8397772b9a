/**
 * Finds functions and their lengths by the layout that `deno fmt` gives: what opens with a brace at the end of a line
 * closes with a brace at the same indentation. Pure.
 */

/** A function, method or arrow function with a block. */
export interface FunctionSpan {
  /** Line of its first word, from 1. */
  readonly line: number;
  /** Lines from there to its closing brace, both included. */
  readonly length: number;
  /** Its first line, without indentation. */
  readonly text: string;
}

/** Blocks that are no functions of their own. */
const STATEMENT =
  /^(\} )?(if|else|for|while|do|switch|case|default|try|catch|finally|return|new|throw|await|with)\b/;
const MODIFIERS = /^((export|default|abstract|static|async|override|get|set|private|protected|public) )*/;
const METHOD = /^\*?[#\w$[\].]+(<.*>)?\(.*\).*\{$/;
/** The last line of a signature that did not fit on one. */
const SIGNATURE_END = /^(\)|\}\)|\}: .*\))(: .*)?( =>)? \{$/;

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}

/** The line on which the signature that ends on line `end` begins. */
function signatureStart(lines: readonly string[], end: number): number {
  let start = end - 1;
  while (start > 0 && (lines[start].trim() === "" || indentation(lines[start]) > indentation(lines[end]))) {
    start--;
  }
  return start;
}

/** Where the function whose block opens on line `at` starts; null when no function does. */
function startOf(lines: readonly string[], at: number): number | null {
  const text = lines[at].trim();
  const start = SIGNATURE_END.test(text) ? signatureStart(lines, at) : at;
  const first = lines[start].trim().replace(MODIFIERS, "");
  if (text.endsWith("=> {")) return start;
  if (STATEMENT.test(first)) return null;
  return start !== at || /\bfunction\b/.test(first) || METHOD.test(first) ? start : null;
}

/** Every function with a block of more than one line. Looks at code of the layout of `deno fmt`. */
export function functionsOf(code: string): FunctionSpan[] {
  const lines = code.split("\n");
  return lines.flatMap((line, at) => {
    const start = line.endsWith("{") ? startOf(lines, at) : null;
    if (start === null) return [];
    const closing = " ".repeat(indentation(line)) + "}";
    const end = lines.findIndex((each, index) => index > at && each.startsWith(closing));
    return end < 0 ? [] : [{ line: start + 1, length: end - start + 1, text: lines[start].trim() }];
  });
}
