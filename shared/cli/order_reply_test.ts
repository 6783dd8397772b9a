import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FixMessage, FixWriter } from "../codec/fix/mod.ts";
import type { OrderRequest } from "./order_args.ts";
import { msgTypeOf, writeRequest } from "./order_message.ts";
import type { OrderTerms } from "./order_terms.ts";
import { lineOf, objectOf, rawOf, type Verdict, verdictOf } from "./order_reply.ts";

const LIMIT: Extract<OrderRequest, { kind: "new" }> = {
  kind: "new",
  symbol: "X",
  side: "1",
  terms: { qty: "9", ordType: "2", price: "1.50", timeInForce: "0" },
};
const withTerms = (terms: Partial<OrderTerms>): OrderRequest => ({
  ...LIMIT,
  terms: { ...LIMIT.terms, ...terms },
});
const IOC = withTerms({ timeInForce: "3" });
const MARKET = withTerms({ ordType: "1", price: undefined });
const LEFTOVER = withTerms({ ordType: "K", price: undefined });
const EVERYTHING = withTerms({
  ordType: "4",
  stopPx: "1.40",
  maxFloor: "3",
  minQty: "2",
  timeInForce: "6",
  expireTime: "20261231-12:00:00",
  postOnly: true,
  account: "A",
  smpId: "7",
  smpInstruction: "N",
});
const CANCEL: OrderRequest = { kind: "cancel", symbol: "X", side: "2", origClOrdId: "o", orderId: undefined };
const REPLACE: OrderRequest = {
  kind: "replace",
  symbol: "X",
  side: "1",
  terms: { qty: "8", ordType: "2", price: "2" },
  origClOrdId: "o",
  orderId: "0-1-0",
};
const STATUS: OrderRequest = { kind: "status", symbol: "X", side: "1", orderId: "0-1-0" };

function messageOf(msgType: string, body: string): FixMessage {
  const writer = new FixWriter();
  writer.begin();
  writer.rawBody(new TextEncoder().encode(body.replaceAll("|", "\x01")));
  const ids = { senderCompId: "V", targetCompId: "C" };
  const bytes = writer.finish({ beginString: "FIX.4.4", msgType, ...ids, msgSeqNum: 2, sendingTimeMs: 0 });
  const message = new FixMessage();
  message.parse(bytes, 0, bytes.length);
  return message;
}

describe("writeRequest", () => {
  const time = "60=19700101-00:00:00.001|";
  const cases: [OrderRequest, string, string][] = [
    [LIMIT, "D", `11=id|55=X|54=1|${time}38=9|40=2|44=1.50|59=0|`],
    [MARKET, "D", `11=id|55=X|54=1|${time}38=9|40=1|59=0|`],
    [CANCEL, "F", `41=o|11=id|55=X|54=2|${time}`],
    [
      EVERYTHING,
      "D",
      `11=id|1=A|18=6|110=2|111=3|55=X|54=1|${time}38=9|40=4|44=1.50|99=1.40|59=6|126=20261231-12:00:00|` +
      "7928=7|8000=N|",
    ],
    [
      withTerms({ timeInForce: "6", expireDate: "20261231" }),
      "D",
      `11=id|55=X|54=1|${time}38=9|40=2|44=1.50|59=6|432=20261231|`,
    ],
    [REPLACE, "G", `37=0-1-0|41=o|11=id|55=X|54=1|${time}38=8|40=2|44=2|`],
    [STATUS, "H", "37=0-1-0|11=id|55=X|54=1|"],
  ];
  for (const [request, msgType, body] of cases) {
    it(`writes ${msgType}: ${body}`, () => {
      const writer = new FixWriter();
      writer.begin();
      writeRequest(request, "id", 1, writer);
      assert.equal(new TextDecoder().decode(writer.body).replaceAll("\x01", "|"), body);
      assert.equal(msgTypeOf(request), msgType);
    });
  }
});

describe("verdictOf", () => {
  const cases: [title: string, OrderRequest, msgType: string, body: string, Verdict][] = [
    ["New settles a day order", LIMIT, "8", "11=id|150=0|39=0|", "accepted"],
    ["a trade before it would not", LIMIT, "8", "11=id|150=F|39=1|", "not yet"],
    ["Rejected", LIMIT, "8", "11=id|150=8|39=8|", "rejected"],
    ["New does not settle an IOC order", IOC, "8", "11=id|150=0|39=0|", "not yet"],
    ["nor a partial fill", IOC, "8", "11=id|150=F|39=1|", "not yet"],
    ["Filled does", IOC, "8", "11=id|150=F|39=2|", "accepted"],
    ["Expired does", IOC, "8", "11=id|150=C|39=C|", "accepted"],
    [
      "New settles a market order for the day: before an auction it rests",
      MARKET,
      "8",
      "11=id|150=0|39=0|",
      "accepted",
    ],
    ["New settles a stop", EVERYTHING, "8", "11=id|150=0|39=0|", "accepted"],
    ["New does not settle a market order with leftover", LEFTOVER, "8", "11=id|150=0|39=0|", "not yet"],
    ["nor does a trade", LEFTOVER, "8", "11=id|150=F|39=1|", "not yet"],
    ["what is left and rests does", LEFTOVER, "8", "11=id|150=D|39=1|", "accepted"],
    ["and nothing left", LEFTOVER, "8", "11=id|150=F|39=2|", "accepted"],
    ["another order's report", LIMIT, "8", "11=other|150=0|39=0|", "not ours"],
    ["Canceled", CANCEL, "8", "11=id|41=o|150=4|39=4|", "accepted"],
    ["OrderCancelReject", CANCEL, "9", "11=id|41=o|39=2|434=1|", "rejected"],
    ["another request's OrderCancelReject", CANCEL, "9", "11=x|41=o|39=2|434=1|", "not ours"],
    ["Replaced", REPLACE, "8", "11=id|41=o|150=5|39=0|", "accepted"],
    ["a trade after it", REPLACE, "8", "11=id|150=F|39=2|", "not yet"],
    ["Status", STATUS, "8", "11=id|150=I|39=4|", "accepted"],
    ["Status of an unknown order", STATUS, "8", "11=id|150=I|39=8|", "rejected"],
    ["a late trade of that order", STATUS, "8", "11=id|150=F|39=2|", "not yet"],
    ["BusinessMessageReject with our id", LIMIT, "j", "45=2|372=D|379=id|380=0|", "rejected"],
    ["with another's", LIMIT, "j", "45=2|372=D|379=x|380=0|", "not ours"],
    ["with none", LIMIT, "j", "45=2|372=D|380=3|", "rejected"],
    ["of another type", LIMIT, "j", "45=2|372=F|380=3|", "not ours"],
    ["Reject", LIMIT, "3", "45=2|372=D|373=6|", "rejected"],
    ["any other message", LIMIT, "B", "11=id|", "not ours"],
  ];
  for (const [title, request, msgType, body, verdict] of cases) {
    it(title, () => assert.equal(verdictOf(messageOf(msgType, body), request, "id"), verdict));
  }
});

describe("lineOf", () => {
  const cases: [msgType: string, body: string, line: string][] = [
    [
      "8",
      "37=0-1-0|11=a|150=0|39=0|55=X|54=1|38=9|40=2|44=1.5|59=4|151=9|14=0|6=0|",
      "New 0-1-0 a X buy 9 @ 1.5 fok leaves 9 cum 0 avg 0",
    ],
    [
      "8",
      "37=0-1-0|11=a|150=I|39=C|55=X|54=2|38=9|40=1|59=3|151=0|14=0|6=0|",
      "Status 0-1-0 a X sell 9 @ market ioc expired leaves 0 cum 0 avg 0",
    ],
    [
      "8",
      "37=0-1-0|11=a|150=0|39=0|55=X|54=2|38=9|40=3|99=1.5|59=1|151=9|14=0|6=0|",
      "New 0-1-0 a X sell 9 @ market stop 1.5 gtc leaves 9 cum 0 avg 0",
    ],
    [
      "8",
      "37=0-1-0|11=a|150=D|39=0|378=3|55=X|54=2|38=9|40=2|44=2|59=6|126=20261231-12:00:00.000|18=6|151=9|14=0|6=0|" +
      "111=3|58=why|",
      "Restated 0-1-0 a X sell 9 @ 2 gtd until 20261231-12:00:00.000 showing 3 post-only leaves 9 cum 0 avg 0: why",
    ],
    [
      "8",
      "37=0-1-0|11=a|150=0|39=0|55=X|54=2|38=9|40=K|59=0|151=9|14=0|6=0|",
      "New 0-1-0 a X sell 9 @ market to limit leaves 9 cum 0 avg 0",
    ],
    ["8", "37=NONE|150=Z|39=8|55=X|54=5|151=0|14=0|6=0|58=why|", "Z NONE X 5: why"],
    [
      "9",
      "37=NONE|11=b|41=a|39=8|434=2|102=1|58=why|",
      "Replace rejected b of a (order NONE is rejected): why",
    ],
    ["j", "45=2|372=V|380=3|58=why|", "Message refused (3 UNSUPPORTED_MESSAGE_TYPE): why"],
    ["j", "45=2|372=V|380=77|58=why|", "Message refused (77): why"],
    ["B", "148=x|", "News(B)"],
    ["ZZ", "148=x|", "Message(ZZ)"],
  ];
  for (const [msgType, body, line] of cases) {
    it(line, () => assert.equal(lineOf(messageOf(msgType, body)), line));
  }
});

describe("objectOf and rawOf", () => {
  it("name fields and keep repeats and order", () => {
    const message = messageOf("8", "37=a|448=x|448=y|448=z|5001=q|");
    const { BodyLength: _, CheckSum: __, SendingTime: ___, ...object } = objectOf(message);
    assert.deepEqual(object, {
      BeginString: "FIX.4.4",
      MsgType: "8",
      MsgSeqNum: "2",
      SenderCompID: "V",
      TargetCompID: "C",
      OrderID: "a",
      PartyID: ["x", "y", "z"],
      "5001": "q",
    });
    assert.match(
      rawOf(message),
      /^8=FIX\.4\.4\|9=\d+\|35=8\|.*\|37=a\|448=x\|448=y\|448=z\|5001=q\|10=\d{3}\|$/,
    );
  });
});
