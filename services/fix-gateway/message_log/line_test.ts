import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FixMessage } from "../../../shared/codec/fix/mod.ts";
import { readableLine } from "../../../shared/cli/fix_log_lines.ts";
import { encode } from "../session/rig.ts";
import { type Direction, messageLine, noteLine } from "./line.ts";

const NOON = Date.UTC(2026, 10, 30, 12);

function line(direction: Direction, fields: string, maxFields = 512): string {
  const message = new FixMessage(maxFields);
  const whole = encode(fields, "TW", "EX", NOON);
  const bytes = new Uint8Array(whole.length + 20).fill(0x58);
  bytes.set(whole, 10);
  message.parse(bytes, 10, 10 + whole.length);
  return String.fromCharCode(...messageLine(NOON + 123, direction, message));
}

const HEAD = "49=TW|52=20261130-12:00:00.000|56=EX";

describe("a line of a message log", () => {
  it("has time, direction and the raw message", () => {
    const heartbeat = `8=FIX.4.4|9=53|35=0|34=7|${HEAD}|112=x|10=078|\n`;
    assert.equal(line("IN", "35=0|34=7|112=x"), `20261130-12:00:00.123 IN  ${heartbeat}`);
    assert.equal(line("OUT", "35=0|34=7|112=x"), `20261130-12:00:00.123 OUT ${heartbeat}`);
  });

  it("shows no secret: passwords anywhere, RawData of a Logon", () => {
    const raw = "95=7|96=a\x01554=b|";
    const logon = line("IN", `35=A|34=1|98=0|108=30|${raw.slice(0, -1)}|141=Y|553=me|554=hush|925=new`);
    assert.equal(
      logon.replace(/10=\d+/, "10=x"),
      `20261130-12:00:00.123 IN  8=FIX.4.4|9=105|35=A|34=1|${HEAD}|98=0|108=30|95=7|96=***|141=Y|553=me|554=***|` +
        "925=***|10=x|\n",
    );
    const request = line("IN", "35=BE|34=2|923=r|924=3|553=me|554=|925=new");
    assert.match(request, /\|553=me\|554=\*\*\*\|925=\*\*\*\|10=\d+\|\n$/);
    assert.match(line("IN", "35=B|34=2|148=h|33=1|58=t|95=2|96=ab"), /\|95=2\|96=ab\|/);
    assert.match(line("IN", "35=D|34=2|554=out of place"), /\|554=\*\*\*\|/);
  });

  it("is one line, whatever the message holds", () => {
    const text = line("IN", "35=0|34=7|112=a\nb\rc\x00d\x7fe\xe9");
    assert.match(text, /\|112=a\?b\?c\?d\?e\xe9\|10=\d+\|\n$/);
  });

  it("leaves out what is not indexed, since it may be a secret", () => {
    const text = line("IN", "35=A|34=1|98=0|108=30|553=me|554=hush", 8);
    assert.equal(
      text,
      `20261130-12:00:00.123 IN  8=FIX.4.4|9=75|35=A|34=1|${HEAD}|98=0|(30 bytes more)\n`,
    );
  });

  it("is read by deno task fix:log", () => {
    assert.match(readableLine(line("OUT", "35=0|34=7|112=x")), /^20261130-12:00:00\.123 OUT .*Heartbeat/);
  });

  it("may be a note", () => {
    assert.equal(
      String.fromCharCode(...noteLine(NOON, "3 lines\nlost")),
      "20261130-12:00:00.000 --- 3 lines?lost\n",
    );
  });
});
