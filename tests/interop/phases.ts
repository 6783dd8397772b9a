/** Scenes of trading phases: two auctions, a halt, the close, and a volatility interruption. Test code only. */
import type { Play } from "./play.ts";

/** TradingSessionStatus(h) of a phase, asked for or told unasked. */
function status(request: string, symbol: string, phase: string, code: number, unasked: boolean): string {
  return `h 335=${request}|336=${symbol}|625=${phase}|338=1|${unasked ? "325=Y|" : ""}340=${code}`;
}

/** The Text(58) of what the phase does not take. */
function closedFor(symbol: string, what: string): string {
  return `Symbol(55): expected an instrument in a trading phase that takes ${what}, got "${symbol}", ` +
    "whose phase now does not: TradingSessionStatusRequest(g), or deno task admin phases, tells which it is";
}

/** An opening auction is formed and held; a session that subscribed hears of each phase. */
export async function opening({ a, b, c, stock, phase }: Play): Promise<void> {
  const [buy, sell] = [`55=${stock}|54=1`, `55=${stock}|54=2`];
  await c.send(`g 335=h1|336=${stock}|263=1|`);
  await c.told(status("h1", stock, "continuous", 2, false));
  await phase(stock, "pre-open");
  await c.told(status("h1", stock, "pre-open", 4, true));
  await a.send(
    `D 11=o1|${buy}|@38=10|40=2|44=10|`,
    `D 11=o2|${buy}|@38=4|40=1|59=2|`,
    `D 11=o3|${buy}|@38=5|40=2|44=9|59=2|`,
    `G 11=o4|41=o3|${buy}|@38=6|40=2|44=9|59=2|`,
    `D 11=o5|${buy}|@38=5|40=2|44=10|59=3|`,
    `D 11=o6|${buy}|@38=5|40=K|`,
    `D 11=o7|${buy}|@38=5|40=2|44=10|110=2|`,
    `D 11=o8|${buy}|@38=5|40=3|99=11|59=1|`,
    `F 11=o9|41=o8|${buy}|@`,
  );
  const [o1, o2, o4] = [
    `${buy}|38=10|40=2|44=10|59=0`,
    `${buy}|38=4|40=1|59=2`,
    `${buy}|38=6|40=2|44=9|59=2`,
  ];
  const no = (clOrdId: string, terms: string, what: string) =>
    `8 37=NONE|11=${clOrdId}|150=8|39=8|103=2|${terms}|151=0|14=0|6=0|58=Cannot accept ${
      closedFor(stock, what)
    }`;
  await a.told(
    `8 37=#o1|11=o1|150=0|39=0|${o1}|151=10|14=0|6=0`,
    `8 37=#o2|11=o2|150=0|39=0|${o2}|151=4|14=0|6=0`,
    `8 37=#o3|11=o3|150=0|39=0|${buy}|38=5|40=2|44=9|59=2|151=5|14=0|6=0`,
    `8 37=#o3|11=o4|41=o3|150=5|39=0|${o4}|151=6|14=0|6=0`,
    no("o5", `${buy}|38=5|40=2|44=10|59=3`, 'TimeInForce(59) "3"'),
    no("o6", `${buy}|38=5|40=K|59=0`, 'OrdType(40) "K"'),
    no("o7", `${buy}|38=5|40=2|44=10|59=0`, 'MinQty(110) "2"'),
    `8 37=#o8|11=o8|150=0|39=0|${buy}|38=5|40=3|99=11|59=1|151=5|14=0|6=0`,
    `8 37=#o8|11=o9|41=o8|150=4|39=4|${buy}|38=5|40=3|99=11|59=1|151=0|14=0|6=0`,
  );
  await b.send(`D 11=l1|${sell}|@38=9|40=2|44=9.5|111=4|`);
  const l1 = `${sell}|38=9|40=2|44=9.5|59=0`;
  await b.told(`8 37=#l1|11=l1|150=0|39=0|${l1}|151=9|14=0|6=0|111=4`);
  await phase(stock, "no-cancel");
  await c.told(status("h1", stock, "no-cancel", 4, true));
  await b.send(`F 11=l2|41=l1|${sell}|@`, `G 11=l3|41=l1|${sell}|@38=8|40=2|44=9.5|111=4|`);
  await b.told(
    `9 37=#l1|11=l2|41=l1|39=0|434=1|102=2|58=Cannot cancel ${closedFor(stock, "this")}`,
    `9 37=#l1|11=l3|41=l1|39=0|434=2|102=2|58=Cannot replace ${closedFor(stock, "this")}`,
  );
  await phase(stock, "opening-auction");
  await c.told(status("h1", stock, "opening-auction", 4, true));
  await phase(stock, "continuous");
  await c.told(status("h1", stock, "continuous", 2, true));
  // Market orders first, whatever came first; what is only for the opening does not outlive it.
  await a.told(
    `8 37=#o2|527=T1|11=o2|150=F|39=2|${o2}|32=4|31=10|151=0|14=4|6=10`,
    `8 37=#o1|527=T2|11=o1|150=F|39=1|${o1}|32=5|31=10|151=5|14=5|6=10`,
    `8 37=#o3|11=o4|150=C|39=C|${o4}|151=0|14=0|6=0`,
  );
  await b.told(
    `8 37=#l1|527=T1|11=l1|150=F|39=1|${l1}|32=4|31=10|151=5|14=4|6=10|111=4`,
    `8 37=#l1|527=T2|11=l1|150=F|39=2|${l1}|32=5|31=10|151=0|14=9|6=10|111=4`,
  );
  await a.send(`F 11=o10|41=o1|${buy}|@`);
  await a.told(`8 37=#o1|11=o10|41=o1|150=4|39=4|${o1}|151=0|14=5|6=10`);
  await c.send(`g 335=h1|336=${stock}|263=2|`);
}

/** A halt takes cancels only. */
export async function halt({ a, c, stock, phase }: Play): Promise<void> {
  const buy = `55=${stock}|54=1`;
  await c.send(`g 335=h2|336=${stock}|263=1|`);
  await c.told(status("h2", stock, "continuous", 2, false));
  await a.send(`D 11=n1|${buy}|@38=5|40=2|44=10|`);
  const n1 = `${buy}|38=5|40=2|44=10|59=0`;
  await a.told(`8 37=#n1|11=n1|150=0|39=0|${n1}|151=5|14=0|6=0`);
  await phase(stock, "halt");
  await c.told(status("h2", stock, "halt", 1, true));
  await a.send(
    `D 11=n2|${buy}|@38=5|40=2|44=10|`,
    `G 11=n3|41=n1|${buy}|@38=4|40=2|44=10|`,
    `F 11=n4|41=n1|${buy}|@`,
  );
  await a.told(
    `8 37=NONE|11=n2|150=8|39=8|103=2|${n1}|151=0|14=0|6=0|58=Cannot accept ${closedFor(stock, "this")}`,
    `9 37=#n1|11=n3|41=n1|39=0|434=2|102=2|58=Cannot replace ${closedFor(stock, "this")}`,
    `8 37=#n1|11=n4|41=n1|150=4|39=4|${n1}|151=0|14=0|6=0`,
  );
  await phase(stock, "continuous");
  await c.told(status("h2", stock, "continuous", 2, true));
  await c.send(`g 335=h2|336=${stock}|263=2|`);
}

/** The closing auction lets in what waits for it, and the close ends it and what is not good for longer. */
export async function closing({ a, b, c, stock, phase }: Play): Promise<void> {
  const [buy, sell] = [`55=${stock}|54=1`, `55=${stock}|54=2`];
  await c.send(`g 335=h3|336=${stock}|263=1|`);
  await c.told(status("h3", stock, "continuous", 2, false));
  await a.send(
    `D 11=d1|${buy}|@38=5|40=2|44=9|59=1|`,
    `D 11=d2|${buy}|@38=5|40=2|44=10|59=7|`,
    `D 11=d3|${buy}|@38=3|40=1|59=7|`,
    `D 11=d4|${buy}|@38=5|40=2|44=10|59=2|`,
  );
  const kept = `${buy}|38=5|40=2|44=9|59=1`;
  const [limit, market] = [`${buy}|38=5|40=2|44=10|59=7`, `${buy}|38=3|40=1|59=7`];
  const no = `58=Cannot accept ${closedFor(stock, 'TimeInForce(59) "2"')}`;
  await a.told(
    `8 37=#d1|11=d1|150=0|39=0|${kept}|151=5|14=0|6=0`,
    `8 37=#d2|11=d2|150=0|39=0|${limit}|151=5|14=0|6=0`,
    `8 37=#d3|11=d3|150=0|39=0|${market}|151=3|14=0|6=0`,
    `8 37=NONE|11=d4|150=8|39=8|103=2|${buy}|38=5|40=2|44=10|59=2|151=0|14=0|6=0|${no}`,
  );
  await b.send(`D 11=m1|${sell}|@38=6|40=2|44=9.9|`, `D 11=m2|${sell}|@38=6|40=2|44=12|`);
  const [m1, m2] = [`${sell}|38=6|40=2|44=9.9|59=0`, `${sell}|38=6|40=2|44=12|59=0`];
  await b.told(
    `8 37=#m1|11=m1|150=0|39=0|${m1}|151=6|14=0|6=0`,
    `8 37=#m2|11=m2|150=0|39=0|${m2}|151=6|14=0|6=0`,
  );
  const activated = '58=Activated: the closing auction has begun, for which TimeInForce(59) "7" waits';
  await phase(stock, "closing-auction");
  await c.told(status("h3", stock, "closing-auction", 5, true));
  await a.told(
    `8 37=#d2|11=d2|150=D|39=0|378=99|${limit}|151=5|14=0|6=0|${activated}`,
    `8 37=#d3|11=d3|150=D|39=0|378=99|${market}|151=3|14=0|6=0|${activated}`,
  );
  await a.send(`G 11=d5|41=d2|${buy}|@38=4|40=2|44=9.9|59=7|`);
  const d5 = `${buy}|38=4|40=2|44=9.9|59=7`;
  await a.told(`8 37=#d2|11=d5|41=d2|150=5|39=0|${d5}|151=4|14=0|6=0`);
  await phase(stock, "closed");
  await c.told(status("h3", stock, "closed", 3, true));
  await a.told(
    `8 37=#d3|527=T1|11=d3|150=F|39=2|${market}|32=3|31=9.9|151=0|14=3|6=9.9`,
    `8 37=#d2|527=T2|11=d5|150=F|39=1|${d5}|32=3|31=9.9|151=1|14=3|6=9.9`,
    `8 37=#d2|11=d5|150=C|39=C|${d5}|151=0|14=3|6=9.9`,
  );
  await b.told(
    `8 37=#m1|527=T1|11=m1|150=F|39=1|${m1}|32=3|31=9.9|151=3|14=3|6=9.9`,
    `8 37=#m1|527=T2|11=m1|150=F|39=2|${m1}|32=3|31=9.9|151=0|14=6|6=9.9`,
    `8 37=#m2|11=m2|150=C|39=C|${m2}|151=0|14=0|6=0`,
  );
  await a.send(`F 11=d6|41=d1|${buy}|@`);
  await a.told(`8 37=#d1|11=d6|41=d1|150=4|39=4|${kept}|151=0|14=0|6=0`);
  await phase(stock, "continuous");
  await c.told(status("h3", stock, "continuous", 2, true));
  await c.send(`g 335=h3|336=${stock}|263=2|`);
}

/** A trade too far from the last price calls an auction, which an operator ends. */
export async function volatility({ a, b, c, future, phase }: Play): Promise<void> {
  const [buy, sell] = [`55=${future}|54=1`, `55=${future}|54=2`];
  await c.send(`g 335=h4|336=${future}|263=1|`);
  await c.told(status("h4", future, "continuous", 2, false));
  await b.send(`D 11=f1|${sell}|@38=4|40=2|44=100|`, `D 11=f2|${sell}|@38=5|40=2|44=110|`);
  const [f1, f2] = [`${sell}|38=4|40=2|44=100|59=0`, `${sell}|38=5|40=2|44=110|59=0`];
  await b.told(
    `8 37=#f1|11=f1|150=0|39=0|${f1}|151=4|14=0|6=0`,
    `8 37=#f2|11=f2|150=0|39=0|${f2}|151=5|14=0|6=0`,
  );
  await a.send(`D 11=e1|${buy}|@38=6|40=2|44=110|`);
  const e1 = `${buy}|38=6|40=2|44=110|59=0`;
  await a.told(
    `8 37=#e1|11=e1|150=0|39=0|${e1}|151=6|14=0|6=0`,
    `8 37=#e1|527=T1|11=e1|150=F|39=1|${e1}|32=4|31=100|151=2|14=4|6=100|851=2`,
  );
  await b.told(`8 37=#f1|527=T1|11=f1|150=F|39=2|${f1}|32=4|31=100|151=0|14=4|6=100|851=1`);
  await c.told(status("h4", future, "volatility-auction", 4, true));
  await phase(future, "continuous");
  await c.told(status("h4", future, "continuous", 2, true));
  // (4 × 100 + 2 × 110) ÷ 6
  await a.told(`8 37=#e1|527=T2|11=e1|150=F|39=2|${e1}|32=2|31=110|151=0|14=6|6=103.33333333`);
  await b.told(`8 37=#f2|527=T2|11=f2|150=F|39=1|${f2}|32=2|31=110|151=3|14=2|6=110`);
  await b.send(`F 11=f3|41=f2|${sell}|@`);
  await b.told(`8 37=#f2|11=f3|41=f2|150=4|39=4|${f2}|151=0|14=2|6=110`);
  await c.send(`g 335=h4|336=${future}|263=2|`);
}
