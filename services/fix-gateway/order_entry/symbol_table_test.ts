import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { SymbolTable } from "./symbol_table.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function find<T>(table: SymbolTable<T>, symbol: string): T | null {
  const bytes = encode(`<${symbol}>`);
  return table.find(bytes, 1, bytes.length - 1);
}

describe("SymbolTable", () => {
  it("finds each of many symbols, and none of their neighbours", () => {
    const symbols = Array.from({ length: 2000 }, (_, i) => `S${i * 7}`);
    const table = new SymbolTable(symbols.map((symbol, i) => [symbol, i]));
    symbols.forEach((symbol, i) => assert.equal(find(table, symbol), i));
    for (const symbol of symbols) assert.equal(find(table, symbol + "x"), null);
  });

  it("tells a symbol from those that it begins, or that begin with it, also in the same slot", () => {
    const table = new SymbolTable([["ACME", 1]]);
    for (let code = 33; code < 127; code++) {
      assert.equal(find(table, "ACME" + String.fromCharCode(code)), null);
      assert.equal(find(table, String.fromCharCode(code) + "CME"), code === 65 ? 1 : null);
    }
    for (const symbol of ["", "A", "AC", "ACM", "CME", "acme"]) assert.equal(find(table, symbol), null);
  });

  it("finds nothing in an empty table", () => assert.equal(find(new SymbolTable([]), "ACME"), null));
});
