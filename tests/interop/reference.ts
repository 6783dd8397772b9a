/** Scenes of reference data, trading sessions, and of messages that the venue has no answer of their own for. Test code only. */
import type { Desk } from "./desk.ts";
import type { Play } from "./play.ts";

/** What a list says of each instrument of tests/interop/venue.yaml, and what a definition says, in FIX's order of either. */
function told(symbol: string): { listed: string; defined: string } {
  const [text, own] = symbol === "ACME" || symbol === "WIDGET"
    ? ["58=tick 0.01, lot 1, at most 1000, algorithm F", "969=0.01|1140=1000|1142=F"]
    : ["58=tick 0.5, lot 1, at most 500, algorithm C", "969=0.5|1140=500|1142=C"];
  return {
    listed: `55=${symbol}|561=1|562=1|${text}|${own}`,
    defined: `55=${symbol}|${text}|561=1|562=1|${own}`,
  };
}

const listed = (symbol: string) => told(symbol).listed;
const defined = (symbol: string) => told(symbol).defined;

/** Lists and definitions, of one instrument and of all, and the phases of all. */
export async function instruments({ a, stock, future }: Play): Promise<void> {
  const all = ["ACME", "WIDGET", "CEDAR", "MAPLE"];
  await a.send(
    "x 320=x1|559=4|",
    `x 320=x2|559=0|55=${future}|`,
    "x 320=x3|559=0|55=NOBODY|",
    "x 320=x4|559=1|",
  );
  await a.told(
    `y 320=x1|560=0|393=4|893=Y|146=4|${all.map(listed).join("|")}`,
    `y 320=x2|560=0|393=1|893=Y|146=1|${listed(future)}`,
    "y 320=x3|560=2",
    "y 320=x4|560=1",
  );
  await a.tookApart(
    `146=4[${all.map(listed).join("][")}]`,
    `146=1[${listed(future)}]`,
  );
  await a.send(
    `c 320=c1|321=0|55=${stock}|`,
    "c 320=c2|321=3|",
    "c 320=c3|321=1|55=NOBODY|",
    "c 320=c4|321=2|",
  );
  await a.told(
    `d 320=c1|323=1|${defined(stock)}`,
    ...all.map((symbol) => `d 320=c2|323=4|${defined(symbol)}`),
    'd 320=c3|323=6|55=NOBODY|58=Cannot define Symbol(55): expected a listed symbol, got "NOBODY"',
    'd 320=c4|323=5|58=Cannot define SecurityRequestType(321): expected 0, 1 or 3, got "2"',
  );
  await a.send("g 335=t1|263=0|", "g 335=t2|336=NOBODY|263=0|");
  await a.told(
    ...all.map((symbol) => `h 335=t1|336=${symbol}|625=continuous|338=1|340=2`),
    'h 335=t2|336=NOBODY|340=6|567=1|58=Cannot report TradingSessionID(336): expected a listed symbol, got "NOBODY"',
  );
}

/** Messages that are not offered, and fields that nothing can answer but BusinessMessageReject(j). */
export async function businessRejects({ a, b, stock }: Play): Promise<void> {
  const order = `55=${stock}|54=1|@38=5|40=2|44=9|`;
  const [long, symbol] = ["x".repeat(41), "S".repeat(25)];
  for (const desk of [a, b]) {
    await desk.send(
      `V 262=md|263=1|264=1|267=1|269=0|146=1|55=${stock}|`,
      `a 117=qq1|55=${stock}|`,
      `R 131=rq|146=1|55=${stock}|`,
      `D 11=${long}|${order}`,
      `F 11=bf|41=${long}|55=${stock}|54=1|@`,
      `D 11=bd|55=${symbol}|54=1|@38=5|40=2|44=9|`,
      `D 128=OTHER|11=bt|${order}`,
      `D 115=OTHER|11=bo|${order}`,
      `H 11=${long}|55=${stock}|54=1|`,
      `x 320=bx|559=4|336=DAY|`,
      `c 320=bc|321=3|336=DAY|`,
      `g 335=bg|263=0|625=halt|`,
    );
    const offered = "expected D, F, G, H, q, AF, i, Z, x, c or g";
    const no = (tag: string, expected: string, got: string) =>
      `58=Cannot accept ${tag}: expected ${expected}, got "${got}"`;
    await desk.told(
      `j 58=Cannot accept MsgType(35): ${offered}, got "V"|372=V|380=3`,
      `j 58=Cannot accept MsgType(35): ${offered}, got "a"|372=a|380=3`,
      `j 58=Cannot accept MsgType(35): ${offered}, got "R"|372=R|380=3`,
      `j ${no("ClOrdID(11)", "at most 40 bytes", long)}|372=D|379=${long}|380=0`,
      `j ${no("OrigClOrdID(41)", "at most 40 bytes", long)}|372=F|379=bf|380=1`,
      `j ${no("Symbol(55)", "at most 24 bytes", symbol)}|372=D|379=bd|380=2`,
      `j 115=OTHER|${no("DeliverToCompID(128)", "no third-party routing", "OTHER")}|372=D|379=bt|380=7`,
      `j 128=OTHER|${no("OnBehalfOfCompID(115)", "no third-party routing", "OTHER")}|372=D|379=bo|380=6`,
      `j ${no("ClOrdID(11)", "at most 40 bytes", long)}|372=H|379=${long}|380=0`,
      `j ${no("TradingSessionID(336)", "no such field", "DAY")}|372=x|379=bx|380=0`,
      `j ${no("TradingSessionID(336)", "no such field", "DAY")}|372=c|379=bc|380=0`,
      `j ${no("TradingSessionSubID(625)", "no such field", "halt")}|372=g|379=bg|380=0`,
    );
  }
}

/** A session without the venue's own fields is told all that FIX 4.4 has words for. */
export async function plainly(desk: Desk, stock: string): Promise<void> {
  const all = ["ACME", "WIDGET", "CEDAR", "MAPLE"];
  const without = (text: string) => text.replace(/\|969=.*$/, "");
  await desk.send(
    "x 320=x1|559=4|",
    `c 320=c1|321=0|55=${stock}|`,
    `g 335=t1|336=${stock}|263=0|`,
    `i 117=pq1|301=2|296=1|302=s1|304=2|295=2|299=e1|55=${stock}|132=8|133=12|134=5|135=5|299=e2|55=NOBODY|`,
    `D 11=p1|55=${stock}|54=1|@38=5|40=2|44=8|111=2|59=6|432=20991231|`,
    "AF 584=ps1|585=7|",
    "q 11=pm1|530=7|@",
    "Z 117=pz1|298=4|",
  );
  const canceled = "58=Canceled by a mass cancel for orders of its session, its firm or the venue";
  const p1 = `55=${stock}|54=1|38=5|40=2|44=8|59=6|126=20991231-23:59:59.999`;
  await desk.told(
    `y 320=x1|560=0|393=4|893=Y|146=4|${all.map(listed).map(without).join("|")}`,
    `d 320=c1|323=1|${without(defined(stock))}`,
    `h 335=t1|336=${stock}|625=continuous|338=1|340=2`,
    'b 117=pq1|297=0|301=2|58=Cannot quote QuoteEntryID(299) "e2": expected a listed Symbol(55)|' +
      `296=1|302=s1|304=2|295=2|299=e1|55=${stock}|299=e2|368=1`,
    `8 37=#p1|11=p1|150=0|39=0|${p1}|151=5|14=0|6=0|111=2`,
    `8 37=#p1|11=p1|584=ps1|911=1|912=Y|17=0|150=I|39=0|${p1}|151=5|14=0|6=0|111=2`,
    `8 37=#pq1|11=pq1|150=4|39=4|55=${stock}|54=1|38=5|40=2|44=8|59=0|151=0|14=0|6=0|${canceled}`,
    `8 37=#p1|11=p1|150=4|39=4|${p1}|151=0|14=0|6=0|111=2|${canceled}`,
    `8 37=#pq1'|11=pq1|150=4|39=4|55=${stock}|54=2|38=5|40=2|44=12|59=0|151=0|14=0|6=0|${canceled}`,
    "r 11=pm1|37=#pm1|530=7|531=7|533=3",
    "AI 117=pz1|55=[N/A]|297=4|58=Orders of quotes canceled: 0",
  );
}
