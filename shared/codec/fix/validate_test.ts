import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FIX44 } from "./fix44.ts";
import { FixMessage } from "./message.ts";
import { framed, parsed, soh } from "./testing.ts";
import { validate, type ValidationOptions } from "./validate.ts";

const HEAD = "34=2|49=A|52=20250101-00:00:00.000|56=B|";
const STRICT: ValidationOptions = { allowUserDefined: false };
const ORDER = "11=x|55=ACME|54=1|60=20250101-00:00:00|38=100|40=2|44=10.05|";

/** "reason/tag text", or "" for a valid message; header fields in front of `body`. */
function verdict(msgType: string, body: string, options = STRICT): string {
  return verdictOf(`35=${msgType}|${HEAD}${body}`, options);
}

function verdictOf(body: string, options = STRICT): string {
  const fault = validate(parsed(body), FIX44, options);
  return fault === null ? "" : `${fault.reason}/${fault.refTag} ${fault.text.replace("Cannot accept ", "")}`;
}

describe("validate", () => {
  const valid: [name: string, body: string][] = [
    ["a heartbeat", `35=0|${HEAD}`],
    ["a logon", `35=A|${HEAD}98=0|108=30|141=Y|553=u|554=p|`],
    ["an order", `35=D|${HEAD}${ORDER}`],
    ["header fields in another order (15)", `35=0|56=B|52=20250101-00:00:00|49=A|34=2|112=t|`],
    [
      "body fields in another order (15)",
      `35=D|${HEAD}40=2|44=10.05|60=20250101-00:00:00|54=1|55=ACME|11=x|38=100|`,
    ],
    ["a group count of zero (21)", `35=D|${HEAD}386=0|${ORDER}`],
    ["a group", `35=D|${HEAD}386=2|336=PRE|625=a|336=POST|${ORDER}`],
    ["nested groups", `35=D|${HEAD}453=2|448=p|447=D|452=1|802=2|523=s|803=1|523=t|448=q|452=3|${ORDER}`],
    ["the header's group", `35=0|${HEAD}627=1|628=hop|629=20250101-00:00:00|630=4|`],
    ["data with SOH", `35=A|${HEAD}98=0|108=30|95=5|96=a|10=|`],
    ["a signed trailer", `35=0|${HEAD}93=3|89=a|b|`],
    ["several values of ExecInst", `35=D|${HEAD}${ORDER}18=1 G|`],
    ["enumerated values of several characters", `35=D|${HEAD}${ORDER}167=FUT|200=202512|`],
    ["EndSeqNo zero", `35=2|${HEAD}7=1|16=0|`],
    ["month-year in its three forms", `35=D|${HEAD}${ORDER}200=202512w5|`],
    ["an XML message without body", `35=n|${HEAD}212=5|213=<a|/>|`],
  ];
  for (const [name, body] of valid) it(`accepts ${name}`, () => assert.equal(verdictOf(body), ""));

  const faults: [row: string, msgType: string, body: string, expected: string][] = [
    ["2q unknown MsgType", "ZZ", "", '11/35 MsgType(35): "ZZ" is unknown'],
    ["14a unknown tag", "0", "999=HI|", "0/999 tag 999: it is not defined"],
    ["14a tag zero", "0", "0=HI|", "0/0 tag 0: it is not defined"],
    ["14a negative tag", "0", "-1=HI|", "0/-1 tag -1: it is not defined"],
    ["14a user-defined tag", "0", "5000=HI|", "0/5000 tag 5000: it is not defined"],
    ["14a no tag", "0", "=HI|", '0/null a field: expected tag=value, got "=HI"'],
    ["14a no tag=value", "0", "x\x7fy|", '0/null a field: expected tag=value, got "x?y"'],
    ["14b body", "1", "", "1/112 TestReqID(112) is missing"],
    ["14b component", "D", ORDER.replace("55=ACME|", ""), "1/55 Symbol(55) is missing"],
    ["14h group", "R", "131=q|146=1|55=A|54=1|146=1|", "13/146 NoRelatedSym(146) stands twice"],
    ["14c", "0", "55=ACME|", "2/55 Symbol(55): it is not defined for Heartbeat(0)"],
    ["14d", "0", "112=|", "4/112 TestReqID(112) has no value"],
    ["14d in a group", "D", `386=1|336=|${ORDER}`, "4/336 TradingSessionID(336) has no value"],
    ["14d header", "0", "115=|", "4/115 OnBehalfOfCompID(115) has no value"],
    ["14e", "D", ORDER.replace("54=1", "54=Z"), '5/54 Side(54): "Z" is not one of its values'],
    [
      "14e several characters",
      "D",
      `${ORDER}167=NONSENSE|`,
      '5/167 SecurityType(167): "NONSENSE" is not one of its values',
    ],
    ["14e several values", "D", `${ORDER}18=1 ^|`, '5/18 ExecInst(18): "1 ^" is not one of its values'],
    ["14e number", "A", "98=9|108=30|", '5/98 EncryptMethod(98): "9" is not one of its values'],
    [
      "14f quantity",
      "D",
      ORDER.replace("38=100", "38=+200"),
      '6/38 OrderQty(38): expected a decimal, got "+200"',
    ],
    ["14f price", "D", ORDER.replace("10.05", "1e5"), '6/44 Price(44): expected a decimal, got "1e5"'],
    [
      "14f timestamp",
      "D",
      ORDER.replace("60=20250101-00:00:00", "60=20040415"),
      '6/60 TransactTime(60): expected YYYYMMDD-HH:MM:SS or YYYYMMDD-HH:MM:SS.sss, got "20040415"',
    ],
    ["14f integer", "A", "98=0|108=x|", '6/108 HeartBtInt(108): expected an integer, got "x"'],
    ["14f boolean", "A", "98=0|108=30|141=1|", '6/141 ResetSeqNumFlag(141): expected Y or N, got "1"'],
    ["14f character", "D", ORDER.replace("54=1", "54=11"), '6/54 Side(54): expected one character, got "11"'],
    ["14f sequence number", "2", "7=-1|16=0|", '6/7 BeginSeqNo(7): expected a whole number, got "-1"'],
    [
      "14f currency",
      "D",
      `${ORDER}15=usd|`,
      '6/15 Currency(15): expected a three-letter currency code, got "usd"',
    ],
    [
      "14f country",
      "D",
      `${ORDER}470=DEU|`,
      '6/470 CountryOfIssue(470): expected a two-letter country code, got "DEU"',
    ],
    ["14f date", "D", `${ORDER}64=20250229|`, '6/64 SettlDate(64): expected YYYYMMDD, got "20250229"'],
    [
      "14f month-year",
      "D",
      `${ORDER}200=202513|`,
      '6/200 MaturityMonthYear(200): expected YYYYMM, YYYYMMDD or YYYYMMwN, got "202513"',
    ],
    [
      "14f week",
      "D",
      `${ORDER}200=202512w6|`,
      '6/200 MaturityMonthYear(200): expected YYYYMM, YYYYMMDD or YYYYMMwN, got "202512w6"',
    ],
    [
      "14f values",
      "D",
      `${ORDER}18=1 |`,
      '6/18 ExecInst(18): expected values with single blanks between, got "1 "',
    ],
    [
      "14f group count",
      "D",
      `386=x|${ORDER}`,
      '6/386 NoTradingSessions(386): expected a whole number, got "x"',
    ],
    [
      "14g header after body",
      "D",
      `${ORDER}50=S|`,
      "14/50 SenderSubID(50): it belongs to the header, which has ended",
    ],
    [
      "14g body after trailer",
      "0",
      "93=1|89=x|112=t|",
      "14/112 TestReqID(112): it belongs to the body, which has ended",
    ],
    ["14h", "D", `${ORDER}40=2|`, "13/40 OrdType(40) stands twice"],
    ["14h header", "0", "34=2|", "13/34 MsgSeqNum(34) stands twice"],
    [
      "14h in an entry",
      "D",
      `386=1|336=a|625=b|625=c|${ORDER}`,
      "13/625 TradingSessionSubID(625) stands twice in one entry",
    ],
    [
      "14i too few",
      "D",
      `386=3|336=a|336=b|${ORDER}`,
      "16/386 NoTradingSessions(386): expected 3 entries, got 2",
    ],
    [
      "14i too many",
      "D",
      `386=1|336=a|336=b|${ORDER}`,
      "16/386 NoTradingSessions(386): expected 1 entries, got 2",
    ],
    ["14i none", "D", `386=1|${ORDER}`, "16/386 NoTradingSessions(386): expected 1 entries, got 0"],
    [
      "14i zero with entries",
      "D",
      `386=0|336=a|${ORDER}`,
      "16/386 NoTradingSessions(386): expected 0 entries, got 1",
    ],
    [
      "14i nested",
      "D",
      `453=1|448=p|802=2|523=s|${ORDER}`,
      "16/802 NoPartySubIDs(802): expected 2 entries, got 1",
    ],
    [
      "14i order",
      "D",
      `453=1|448=p|452=1|447=D|${ORDER}`,
      "15/447 PartyIDSource(447) is out of order in its entry",
    ],
    [
      "14i first field",
      "D",
      `386=1|625=b|336=a|${ORDER}`,
      "15/625 TradingSessionSubID(625): expected TradingSessionID(336) first in an entry",
    ],
    ["14i outside", "D", `336=a|${ORDER}`, "15/336 TradingSessionID(336): it stands outside its group"],
    [
      "data length wrong",
      "A",
      "98=0|108=30|95=4|96=abc|",
      "6/96 RawData(96): expected its length, 3, in the field in front",
    ],
    [
      "data without length",
      "A",
      "98=0|108=30|96=abc|",
      "6/96 RawData(96): expected its length, 3, in the field in front",
    ],
  ]; // deno-fmt-ignore
  for (const [row, msgType, body, expected] of faults) {
    it(`refuses by row ${row}`, () => assert.equal(verdict(msgType, body), expected));
  }

  it("names each missing field of header and trailer (14b)", () => {
    const fields = ["34=2|", "49=A|", "52=20250101-00:00:00.000|", "56=B|"];
    const names = ["MsgSeqNum(34)", "SenderCompID(49)", "SendingTime(52)", "TargetCompID(56)"];
    fields.forEach((field, i) => {
      const tag = Number(field.slice(0, 2));
      assert.equal(verdictOf(`35=0|${HEAD.replace(field, "")}`), `1/${tag} ${names[i]} is missing`);
    });
    const bytes = soh(framed(`35=0|${HEAD}`));
    const message = new FixMessage();
    message.parse(bytes, 0, bytes.length - 7);
    assert.equal(validate(message, FIX44, STRICT)?.refTag, 10);
  });

  it("names a field missing in one entry of a group (14b)", () => {
    const order = (fields: string) => `66=l|394=1|68=1|73=2|11=a|67=1|55=A|54=1|11=b|67=2|${fields}`;
    assert.equal(verdict("E", order("55=B|54=1|")), "");
    assert.equal(verdict("E", order("1=acc|55=B|")), "1/54 Side(54) is missing in the entry of ClOrdID(11)");
  });

  it("accepts user-defined tags 5000 to 9999 with a value when told to, anywhere", () => {
    const lenient: ValidationOptions = { allowUserDefined: true };
    assert.equal(verdictOf(`35=D|5001=h|${HEAD}6000=b|${ORDER}9999=x|`, lenient), "");
    assert.equal(verdict("D", `386=2|336=a|5001=u|625=b|336=c|${ORDER}`, lenient), "");
    assert.equal(verdict("D", `${ORDER}5000=|`, lenient), "4/5000 tag 5000: it has no value");
    for (const tag of [4999, 10000]) {
      assert.equal(verdict("D", `${ORDER}${tag}=x|`, lenient), `0/${tag} tag ${tag}: it is not defined`);
    }
  });

  it("bounds the entries of a group when told to", () => {
    const bounded: ValidationOptions = { allowUserDefined: false, maxGroupEntries: 1 };
    assert.equal(verdict("D", `386=1|336=a|${ORDER}`, bounded), "");
    assert.equal(
      verdict("D", `386=2|336=a|336=b|${ORDER}`, bounded),
      "5/386 NoTradingSessions(386): expected at most 1 entries (maxGroupEntries), got 2",
    );
  });

  it("ends a group at the first field that is none of its own", () => {
    assert.equal(verdict("D", `453=1|448=p|452=1|${ORDER}58=t|`), "");
    assert.equal(verdict("B", "148=h|33=2|58=line|354=1|355=x|58=line|"), "");
  });

  it("never repeats a password, and shortens and cleans what it quotes", () => {
    assert.equal(verdict("A", "98=0|108=30|554=|"), "4/554 Password(554) has no value");
    const long = "y".repeat(100);
    assert.equal(
      verdict("D", ORDER.replace("38=100", `38=${long}`)),
      `6/38 OrderQty(38): expected a decimal, got "${"y".repeat(40)}…"`,
    );
  });

  it("gives the first fault in message order, before what is missing", () => {
    assert.equal(verdict("D", "54=Z|38=x|"), '5/54 Side(54): "Z" is not one of its values');
  });

  it("answers any message of which one byte was changed without throwing", () => {
    const good = soh(framed(`35=D|${HEAD}386=1|336=a|453=1|448=p|802=1|523=s|${ORDER}95=3|96=a|b|`));
    const message = new FixMessage();
    for (let position = 0; position < good.length - 1; position++) {
      for (let value = 0; value < 256; value++) {
        const bytes = good.slice();
        bytes[position] = value;
        message.parse(bytes, 0, bytes.length);
        validate(message, FIX44, { allowUserDefined: (value & 1) === 0 });
      }
    }
  });
});
