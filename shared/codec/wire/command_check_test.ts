import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import fc from "fast-check";
import { Command, CommandBatchWriter, setFirstGatewaySeq } from "./command.ts";
import { isExtended } from "./command_check.ts";
import { CommandBatchReader } from "./command_reader.ts";
import { plain, SEED } from "./test_random.ts";

type Numbers = Exclude<
  { [K in keyof Command]: Command[K] extends number ? K : never }[keyof Command],
  never
>;
type Slices = "clOrdId" | "origClOrdId" | "symbol" | "text" | "trace";

/** Each number's largest value; the smallest is 0, but for kind. */
const LARGEST: Record<Numbers, number> = {
  kind: 12,
  flags: 15,
  sessionId: 65535,
  firmId: 65535,
  instrumentId: 65535,
  msgSeqNum: 2 ** 32 - 1,
  incarnation: 2 ** 32 - 1,
  side: 255,
  ordType: 255,
  timeInForce: 255,
  refusedKind: 255,
  reason: 65535,
  priceTicks: 2 ** 31 - 1,
  qtyLots: 2 ** 31 - 1,
  orderId: Number.MAX_SAFE_INTEGER,
  account: 2 ** 32 - 1,
  stopPxTicks: 2 ** 31 - 1,
  maxFloorLots: 2 ** 31 - 1,
  minQtyLots: 2 ** 31 - 1,
  execInst: 255,
  smpAction: 255,
  smpId: 2 ** 32 - 1,
  scope: 255,
  target: 255,
  expireUs: Number.MAX_SAFE_INTEGER,
};
const LONGEST: Record<Slices, number> = { clOrdId: 40, origClOrdId: 40, symbol: 24, text: 160, trace: 24 };

function written(commands: readonly Command[]): Uint8Array {
  const writer = new CommandBatchWriter();
  writer.begin(7, 3, 1001);
  for (const command of commands) writer.append(command);
  return writer.finish().slice();
}

/** Appends between two good commands; the batch must be as without it when that throws. Returns what it threw. */
function appended(command: Command): string | null {
  const writer = new CommandBatchWriter();
  writer.begin(7, 3, 1001);
  const good = new Command();
  writer.append(good);
  let thrown: string | null = null;
  try {
    writer.append(command);
  } catch (error) {
    assert.ok(error instanceof RangeError);
    thrown = error.message;
  }
  const taken = thrown === null ? [good, command] : [good];
  if (writer.hasRoom) {
    writer.append(good);
    taken.push(good);
  }
  assert.deepEqual(writer.finish(), written(taken));
  return thrown;
}

describe("what a command batch takes", () => {
  for (const [name, largest] of Object.entries(LARGEST) as [Numbers, number][]) {
    it(`${name}: up to ${largest} and no other value`, () => {
      const command = new Command();
      const expected = `${name === "kind" ? 1 : 0} to ${largest}`;
      for (const value of [-1, largest + 1, 0.5, NaN, Infinity, -Infinity]) {
        command[name] = value;
        assert.equal(
          appended(command),
          `Cannot encode a command's ${name}: expected ${expected}, got ${value}`,
        );
      }
      for (const value of [name === "kind" ? 1 : 0, largest - 1, largest]) {
        command[name] = value;
        assert.equal(appended(command), null);
      }
    });
  }

  for (const [name, longest] of Object.entries(LONGEST) as [Slices, number][]) {
    it(`${name}: up to ${longest} bytes`, () => {
      const command = new Command();
      for (const length of name === "trace" ? [1, longest - 1, longest + 1] : [longest + 1, 255, 256]) {
        command[name].set(new Uint8Array(length), 0, length);
        const expected = name === "trace" ? "0 or 24 bytes" : `at most ${longest} bytes`;
        assert.equal(
          appended(command),
          `Cannot encode a command's ${name}: expected ${expected}, got ${length}`,
        );
      }
      command[name].set(new Uint8Array(longest), 0, longest);
      assert.equal(appended(command), null);
    });
  }

  it("a header that a reader takes, and at least one command", () => {
    const writer = new CommandBatchWriter();
    const rows: [string, [number, number, number]][] = [
      ["gatewayId: expected 0 to 65535, got 65536", [65536, 1, 1]],
      ["gatewayId: expected 0 to 65535, got -1", [-1, 1, 1]],
      ["bootId: expected a safe integer from 1, got 0", [1, 0, 1]],
      ["bootId: expected a safe integer from 1, got 9007199254740992", [1, 2 ** 53, 1]],
      ["firstGatewaySeq: expected a safe integer from 1, got 0", [1, 1, 0]],
      ["firstGatewaySeq: expected a safe integer from 1, got 1.5", [1, 1, 1.5]],
    ];
    for (const [fault, header] of rows) {
      assert.throws(() => writer.begin(...header), new RangeError(`Cannot encode a command's ${fault}`));
    }
    writer.begin(1, 1, 1);
    assert.throws(
      () => writer.finish(),
      new RangeError("Cannot finish a command batch: it holds no command"),
    );
    assert.throws(() => setFirstGatewaySeq(written([new Command()]), 0), /firstGatewaySeq/);
  });

  it(`is exactly what reads back as it was, whatever the fields (seed ${SEED})`, () => {
    const hostile = fc.oneof(
      fc.constantFrom(-1, 6, 8, 256, 65536, 2 ** 31, 2 ** 32, 2 ** 53, NaN),
      fc.double().map((n) => n + 0),
    );
    const value = (name: Numbers) =>
      fc.oneof(
        { weight: 40, arbitrary: fc.maxSafeNat().map((n) => n % (LARGEST[name] + 1)) },
        { weight: 20, arbitrary: fc.constantFrom(1, LARGEST[name]) },
        { weight: 1, arbitrary: hostile },
      );
    const names = Object.keys(LARGEST) as Numbers[];
    const fields = fc.record(
      Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Numbers, fc.Arbitrary<number>>,
    );
    const slices = fc.tuple(...[41, 41, 25, 161].map((maxLength) => fc.uint8Array({ maxLength })));
    const traced = fc.constantFrom(0, 0, 24, 24, 25);
    let taken = 0;
    fc.assert(
      fc.property(fields, slices, traced, (numbers, [clOrdId, origClOrdId, symbol, text], trace) => {
        const command = Object.assign(new Command(), numbers);
        const bytes = { clOrdId, origClOrdId, symbol, text, trace: new Uint8Array(trace) };
        for (const [name, each] of Object.entries(bytes)) command[name as Slices].set(each, 0, each.length);
        if (appended(command) !== null) return;
        taken++;
        const reader = new CommandBatchReader();
        assert.equal(reader.open(written([command])), null);
        assert.ok(reader.next());
        const flags = command.flags & 3 | (trace === 24 ? 4 : 0) | (isExtended(command) ? 8 : 0);
        assert.deepEqual(plain(reader.command), { ...plain(command), flags });
      }),
      { seed: SEED, numRuns: 5000 },
    );
    assert.ok(taken > 500 && taken < 4500, `${taken} of 5000 were taken`);
  });
});
