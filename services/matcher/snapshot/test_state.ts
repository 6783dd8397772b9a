/**
 * An engine with some of everything that a snapshot holds, and the commands that go on from there. Test support only.
 * The file of version 1 (testdata/version_1.snapshot) was made of it: neither may change. Pure.
 */
import { MatchAlgorithm, Phase } from "../../../shared/protocol/mod.ts";
import { Engine, type EngineOptions } from "../engine/mod.ts";
import { parseCommand, RecordingSink, testInstrument } from "../engine/test_ledger.ts";

/** What the engine is made for. */
export const STATE_OPTIONS: EngineOptions = {
  shard: 3,
  instruments: [
    testInstrument(2, { shard: 3 }),
    testInstrument(5, {
      shard: 3,
      algorithm: MatchAlgorithm.ProRata,
      proRataMin: 2,
      rules: { bandTicks: 10, leadMarketMakers: [{ firmId: 2, percent: 30 }] },
    }),
    testInstrument(6, { shard: 3, rules: { initialPhase: Phase.PreOpen, referencePriceTicks: 77 } }),
    testInstrument(7, { shard: 4 }),
  ],
  maxOpenOrders: 40,
  clOrdIdHistory: 6,
};

const COMMANDS = `
new s1 A buy 10@100 i2 n1 m1
new s1 an-identifier-of-forty-bytes-0123456789- buy 7@101 i2 n1 m3 gtc
new s2 B sell 30@105 i2 floor=10 n4 m70000
new s3 TAKE buy 4@105 i2 ioc
new s1 STOP sell 5@stop90/89 i2 n1 m2
new s1 PARKED buy 3@99 i2 cls n1 m4
replace s1 A2 A buy 6@100 i2 n1 m5 acct=77
cancel s1 C STOP2 sell i2
new s3 GTD sell 9@120 i2 gtd until=900000000 smp=both group=3
quote s4 Q1 2:11@98/12@110 5:5@50/6@60
new s1 P buy 40@50 i5 gtc n1 m6
new s3 P2 sell 8@50 i5 n1 m9
new s1 FAR buy 2@99 i5 n1 m7
new s3 HIGH sell 2@75 i5 n1 m10
new s1 HIT buy 20@75 i5
new s5 X buy 5@80 i6
new s5 Y sell 3@mkt i6
replace s5 X2 X buy 4@81 i6 acct=9
cancel s5 X3 X2 buy i6
new s5 Z buy 5@82 i6
algorithm C i6
`;

/** The lines that follow, which touch most of what was kept. */
export const GOES_ON = `
status s3 TAKE buy i2
new s3 T2 sell 40@98 i2
phase Continuous i6
cancel s1 D STOP sell i2
expire 950000000
phase ClosingAuction i2
new s1 A buy 1@90 i2 n1 m5
new s1 A buy 1@90 i2 n1 m8
phase OpeningAuction i5
new s6 LATE sell 1@60 i5
cancel-quotes s4 Q2
mass-cancel s0 ALL all both
`;

/** The commands of a text, one a line. */
export function* commandsOf(text: string) {
  for (const line of text.trim().split("\n")) yield parseCommand(line);
}

/** Applies the commands of a text, each its own message, from the engine's place on; returns their events as lines. */
export function run(engine: Engine, text: string): string[] {
  const sink = new RecordingSink();
  for (const command of commandsOf(text)) {
    const sequence = engine.cmdSeq + 1;
    engine.apply(sequence, 0, sequence * 1_000_000, command, sink);
  }
  return sink.take();
}

/** An engine in that state. */
export function stateEngine(options: Partial<EngineOptions> = {}): Engine {
  const engine = new Engine({ ...STATE_OPTIONS, ...options });
  run(engine, COMMANDS);
  engine.gateways.admit(1, 2, 1, 17);
  engine.gateways.admit(64_003, 5, 1, 3);
  return engine;
}
