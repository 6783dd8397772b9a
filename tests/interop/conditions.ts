/** Scenes of conditions on orders: post-only, good till a date, self-match prevention, and what is refused. Test code only. */
import type { Play } from "./play.ts";

/** A post-only order is rejected in one instrument and moved in the other, and a replacement likewise. */
export async function postOnly({ a, b, stock, future }: Play): Promise<void> {
  await b.send(
    `D 11=k1|55=${stock}|54=2|@38=5|40=2|44=10|`,
    `D 11=k2|55=${future}|54=2|@38=5|40=2|44=100|`,
  );
  await b.told(
    `8 37=#k1|11=k1|150=0|39=0|55=${stock}|54=2|38=5|40=2|44=10|59=0|151=5|14=0|6=0`,
    `8 37=#k2|11=k2|150=0|39=0|55=${future}|54=2|38=5|40=2|44=100|59=0|151=5|14=0|6=0`,
  );
  const buy = `55=${stock}|54=1`;
  await a.send(
    `D 11=p1|${buy}|@38=5|40=2|44=10|18=6|`,
    `D 11=p2|${buy}|@38=5|40=2|44=9.99|18=6|`,
    `G 11=p3|41=p2|${buy}|@38=5|40=2|44=10|18=6|`,
    `G 11=p4|41=p2|${buy}|@38=5|40=2|44=9.98|18=6|59=1|`,
    `F 11=p5|41=p4|${buy}|@`,
  );
  const why = 'Price(44): expected one at which ExecInst(18) "6" does not trade on arrival';
  await a.told(
    `8 37=NONE|11=p1|150=8|39=8|103=99|${buy}|38=5|40=2|44=10|59=0|18=6|151=0|14=0|6=0|58=Cannot accept ${why}, got "10"`,
    `8 37=#p2|11=p2|150=0|39=0|${buy}|38=5|40=2|44=9.99|59=0|18=6|151=5|14=0|6=0`,
    `9 37=#p2|11=p3|41=p2|39=0|434=2|102=2|58=Cannot replace ${why}`,
    `8 37=#p2|11=p4|41=p2|150=5|39=0|${buy}|38=5|40=2|44=9.98|59=1|18=6|151=5|14=0|6=0`,
    `8 37=#p2|11=p5|41=p4|150=4|39=4|${buy}|38=5|40=2|44=9.98|59=1|18=6|151=0|14=0|6=0`,
  );
  const moved = `55=${future}|54=1`;
  await a.send(
    `D 11=p6|${moved}|@38=5|40=2|44=101|18=6|`,
    `G 11=p7|41=p6|${moved}|@38=4|40=2|44=100|18=6|`,
    `F 11=p8|41=p7|${moved}|@`,
  );
  const text =
    '58=Price(44) moved to "99.5": at the one sent the order would have traded on arrival, which ExecInst(18) "6" forbids';
  await a.told(
    `8 37=#p6|11=p6|150=0|39=0|${moved}|38=5|40=2|44=101|59=0|18=6|151=5|14=0|6=0`,
    `8 37=#p6|11=p6|150=D|39=0|378=3|${moved}|38=5|40=2|44=99.5|59=0|18=6|151=5|14=0|6=0|${text}`,
    `8 37=#p6|11=p7|41=p6|150=5|39=0|${moved}|38=4|40=2|44=100|59=0|18=6|151=4|14=0|6=0`,
    `8 37=#p6|11=p7|150=D|39=0|378=3|${moved}|38=4|40=2|44=99.5|59=0|18=6|151=4|14=0|6=0|${text}`,
    `8 37=#p6|11=p8|41=p7|150=4|39=4|${moved}|38=4|40=2|44=99.5|59=0|18=6|151=0|14=0|6=0`,
  );
  await b.send(`F 11=k3|41=k1|55=${stock}|54=2|@`, `F 11=k4|41=k2|55=${future}|54=2|@`);
  await b.told(
    `8 37=#k1|11=k3|41=k1|150=4|39=4|55=${stock}|54=2|38=5|40=2|44=10|59=0|151=0|14=0|6=0`,
    `8 37=#k2|11=k4|41=k2|150=4|39=4|55=${future}|54=2|38=5|40=2|44=100|59=0|151=0|14=0|6=0`,
  );
}

/** Orders until a date, a time, or neither any more, and one that comes too late. */
export async function goodTill({ a, stock }: Play): Promise<void> {
  const buy = `55=${stock}|54=1`;
  await a.send(
    `D 11=g1|${buy}|@38=5|40=2|44=9|59=6|432=20991231|`,
    `G 11=g2|41=g1|${buy}|@38=5|40=2|44=9|59=6|126=20990101-12:00:00.250|`,
    `G 11=g3|41=g2|${buy}|@38=5|40=2|44=9|59=1|`,
    `F 11=g4|41=g3|${buy}|@`,
    `D 11=g5|${buy}|@38=5|40=2|44=9|59=6|432=20200101|`,
    `D 11=g6|${buy}|@38=5|40=4|44=12|99=12|59=6|126=20990101-12:00:00|`,
    `F 11=g7|41=g6|${buy}|@`,
  );
  const order = (rest: string) => `${buy}|38=5|40=2|44=9|${rest}`;
  const stop = `${buy}|38=5|40=4|44=12|99=12|59=6|126=20990101-12:00:00.000`;
  await a.told(
    `8 37=#g1|11=g1|150=0|39=0|${order("59=6|126=20991231-23:59:59.999")}|151=5|14=0|6=0`,
    `8 37=#g1|11=g2|41=g1|150=5|39=0|${order("59=6|126=20990101-12:00:00.250")}|151=5|14=0|6=0`,
    `8 37=#g1|11=g3|41=g2|150=5|39=0|${order("59=1")}|151=5|14=0|6=0`,
    `8 37=#g1|11=g4|41=g3|150=4|39=4|${order("59=1")}|151=0|14=0|6=0`,
    `8 37=NONE|11=g5|150=8|39=8|103=99|${order("59=6|126=20200101-23:59:59.999")}|151=0|14=0|6=0|` +
      '58=Cannot accept ExpireDate(432): expected a day that is not over, got "20200101"',
    `8 37=#g6|11=g6|150=0|39=0|${stop}|151=5|14=0|6=0`,
    `8 37=#g6|11=g7|41=g6|150=4|39=4|${stop}|151=0|14=0|6=0`,
  );
}

/** Two sessions of a firm do not trade with each other, as the arriving order asks. */
export async function selfMatch({ a, c, stock }: Play): Promise<void> {
  const [buy, sell] = [`55=${stock}|54=1`, `55=${stock}|54=2`];
  const self = "it would have traded with an order of the same firm and SelfMatchPreventionID(7928)";
  const canceled = `58=Canceled: ${self}`;
  const reduced = `58=OrderQty(38) reduced: ${self}`;
  const at10 = (side: string, qty: number) => `${side}|38=${qty}|40=2|44=10|59=0`;
  await a.send(`D 11=r1|${buy}|@38=4|40=2|44=10|7928=7|8000=X|`, `D 11=r2|${buy}|@38=5|40=2|44=10|`);
  await a.told(
    `8 37=#r1|11=r1|150=0|39=0|${at10(buy, 4)}|151=4|14=0|6=0`,
    `8 37=#r2|11=r2|150=0|39=0|${at10(buy, 5)}|151=5|14=0|6=0`,
  );
  // r1 is of the group and goes; r2 is of none and trades.
  await c.send(`D 11=q1|${sell}|@38=6|40=2|44=10|7928=7|8000=O|`);
  await c.told(
    `8 37=#q1|11=q1|150=0|39=0|${at10(sell, 6)}|151=6|14=0|6=0`,
    `8 37=#q1|527=T1|11=q1|150=F|39=1|${at10(sell, 6)}|32=5|31=10|151=1|14=5|6=10|851=2`,
  );
  await a.told(
    `8 37=#r1|11=r1|150=4|39=4|378=8|${at10(buy, 4)}|151=0|14=0|6=0|${canceled}`,
    `8 37=#r2|527=T1|11=r2|150=F|39=2|${at10(buy, 5)}|32=5|31=10|151=0|14=5|6=10|851=1`,
  );
  await a.send(`D 11=r3|${buy}|@38=3|40=2|44=10|7928=7|8000=D|`);
  await a.told(
    `8 37=#r3|11=r3|150=0|39=0|${at10(buy, 3)}|151=3|14=0|6=0`,
    `8 37=#r3|11=r3|150=D|39=0|378=5|${at10(buy, 2)}|151=2|14=0|6=0|${reduced}`,
  );
  await c.told(`8 37=#q1|11=q1|150=4|39=4|378=8|${at10(sell, 6)}|151=0|14=5|6=10|${canceled}`);
  await c.send(
    `D 11=q2|${sell}|@38=2|40=2|44=11|7928=7|8000=N|`,
    `G 11=q3|41=q2|${sell}|@38=2|40=2|44=10|7928=7|8000=N|`,
    `D 11=q4|${sell}|@38=9|40=1|59=3|7928=7|8000=B|`,
  );
  await c.told(
    `8 37=#q2|11=q2|150=0|39=0|${sell}|38=2|40=2|44=11|59=0|151=2|14=0|6=0`,
    `8 37=#q2|11=q3|41=q2|150=5|39=0|${at10(sell, 2)}|151=2|14=0|6=0`,
    `8 37=#q2|11=q3|150=4|39=4|378=8|${at10(sell, 2)}|151=0|14=0|6=0|${canceled}`,
    `8 37=#q4|11=q4|150=0|39=0|${sell}|38=9|40=1|59=3|151=9|14=0|6=0`,
    `8 37=#q4|11=q4|150=4|39=4|378=8|${sell}|38=9|40=1|59=3|151=0|14=0|6=0|${canceled}`,
  );
  await a.told(`8 37=#r3|11=r3|150=4|39=4|378=8|${at10(buy, 2)}|151=0|14=0|6=0|${canceled}`);
}

/** Each kind of refusal of an order, a cancel, a replacement and a question. */
export async function refusals({ a, b, c, stock }: Play): Promise<void> {
  const buy = `55=${stock}|54=1`;
  const refused = (clOrdId: string, reason: number, terms: string, text: string) =>
    `8 37=NONE|11=${clOrdId}|150=8|39=8|103=${reason}|${terms}|151=0|14=0|6=0|58=Cannot accept ${text}`;
  await a.send(
    `D 11=x1|55=NOBODY|54=1|@38=5|40=2|44=9|`,
    `D 11=x2|${buy}|@38=5|40=1|59=1|`,
    `D 11=x3|${buy}|@38=5|40=1|44=9|`,
    `D 11=x4|${buy}|@38=5|40=2|44=9.001|`,
    `D 11=x5|${buy}|@38=1001|40=2|44=9|`,
    `D 11=x6|${buy}|@38=5|40=3|`,
    `D 11=x7|${buy}|@38=5|40=2|44=9|210=2|`,
    `D 11=x8|${buy}|@38=5|40=2|44=9|18=5|`,
    `D 11=x9|${buy}|@38=5|40=2|44=9|8000=O|7928=0|`,
  );
  const terms = `${buy}|38=5|40=2|44=9|59=0`;
  const types = "with OrdType(40)";
  await a.told(
    refused("x1", 1, "55=NOBODY|54=1", 'Symbol(55): expected a listed symbol, got "NOBODY"'),
    refused(
      "x2",
      11,
      `${buy}|38=5|40=1|59=1`,
      `TimeInForce(59): expected 0, 2, 3, 4 or 7 ${types} 1, got "1"`,
    ),
    refused("x3", 99, `${buy}|38=5|40=1|59=0`, `Price(44): expected none ${types} 1, got "9"`),
    refused("x4", 99, `${buy}|38=5|40=2|59=0`, 'Price(44): expected a multiple of 0.01, got "9.001"'),
    refused("x5", 3, `${buy}|40=2|44=9|59=0`, 'OrderQty(38): expected at most 1000, got "1001"'),
    refused("x6", 99, `${buy}|38=5|40=3|59=0`, `StopPx(99): expected a value ${types} 3, got none`),
    refused("x7", 11, terms, 'MaxShow(210): expected no such field, got "2"'),
    refused("x8", 11, terms, 'ExecInst(18): expected 6 alone, and no MinQty(110), got "5"'),
    refused(
      "x9",
      11,
      terms,
      'SelfMatchPreventionID(7928): expected a whole number from 1 to 4294967295, got "0"',
    ),
  );
  await b.send(`D 11=y1|${buy}|@38=5|40=2|44=9|`);
  await b.told(`8 37=#y1|11=y1|150=0|39=0|${terms}|151=5|14=0|6=0`);
  await c.send(
    `G 11=z1|41=y1|${buy}|@38=5|40=2|44=9|`,
    `F 11=z2|41=y1|${buy}|@`,
    `H 11=y1|${buy}|`,
  );
  const unknown = 'expected an order of this session or firm, got "y1"';
  await c.told(
    `9 37=NONE|11=z1|41=y1|39=8|434=2|102=1|58=Cannot replace OrigClOrdID(41): ${unknown}`,
    `9 37=NONE|11=z2|41=y1|39=8|434=1|102=1|58=Cannot cancel OrigClOrdID(41): ${unknown}`,
    `8 37=NONE|11=y1|17=0|150=I|39=8|103=5|${buy}|151=0|14=0|6=0|58=Cannot report ClOrdID(11): ${unknown}`,
  );
  await b.send(
    `D 11=y1|${buy}|@38=5|40=2|44=9|`,
    `G 11=y2|41=y1|55=${stock}|54=2|@38=5|40=2|44=9|`,
    `G 11=y3|41=y1|${buy}|@38=5|40=2|44=9|59=3|`,
    `F 11=y4|41=y1|${buy}|@`,
    `G 11=y5|41=y4|${buy}|@38=6|40=2|44=9|`,
  );
  const late = (n: number) => `9 37=#y1|11=y${n}|41=y1|39=0|434=2|102=2`;
  await b.told(
    refused("y1", 6, terms, 'ClOrdID(11): expected one not used before in this session, got "y1"'),
    `${late(2)}|58=Cannot replace Side(54): expected the order's side, got "2"`,
    `${late(3)}|58=Cannot replace TimeInForce(59): expected 0, 1, 2, 6 or 7 with OrdType(40) 2, got "3"`,
    `8 37=#y1|11=y4|41=y1|150=4|39=4|${terms}|151=0|14=0|6=0`,
    `9 37=#y1|11=y5|41=y4|39=4|434=2|102=0|58=Cannot replace OrigClOrdID(41): expected an open order, got "y4", which is canceled`,
  );
}
