/** Scenes of mass cancels and mass status requests. Test code only. */
import type { Play } from "./play.ts";

const NONE_OPEN = "58=Cannot report orders: expected an open order that the request is about, got none";
const UNASKED = "58=Canceled by a mass cancel for orders of its session, its firm or the venue";

/** Open orders are listed, and canceled by symbol and side, of the session, and of the whole firm. */
export async function massActions({ a, b, c, stock, future, phase }: Play): Promise<void> {
  const [buy, sell] = [`55=${stock}|54=1`, `55=${stock}|54=2`];
  await a.send(
    `D 11=ma1|${buy}|@38=10|40=2|44=10|111=4|`,
    `D 11=ma2|${sell}|@38=5|40=2|44=11|`,
    `D 11=ma3|${buy}|@38=5|40=3|99=12|59=1|`,
    `D 11=ma4|55=${future}|54=1|@38=2|40=2|44=90|59=6|432=20991231|`,
  );
  const [ma1, ma2, ma3, ma4] = [
    `${buy}|38=10|40=2|44=10|59=0`,
    `${sell}|38=5|40=2|44=11|59=0`,
    `${buy}|38=5|40=3|99=12|59=1`,
    `55=${future}|54=1|38=2|40=2|44=90|59=6|126=20991231-23:59:59.999`,
  ];
  await a.told(
    `8 37=#ma1|11=ma1|150=0|39=0|${ma1}|151=10|14=0|6=0|111=4`,
    `8 37=#ma2|11=ma2|150=0|39=0|${ma2}|151=5|14=0|6=0`,
    `8 37=#ma3|11=ma3|150=0|39=0|${ma3}|151=5|14=0|6=0`,
    `8 37=#ma4|11=ma4|150=0|39=0|${ma4}|151=2|14=0|6=0`,
  );
  await c.send(`D 11=mc1|${buy}|@38=7|40=2|44=9|`);
  const mc1 = `${buy}|38=7|40=2|44=9|59=0`;
  await c.told(`8 37=#mc1|11=mc1|150=0|39=0|${mc1}|151=7|14=0|6=0`);
  await b.send(`D 11=mb1|${buy}|@38=7|40=2|44=9|`);
  await b.told(`8 37=#mb1|11=mb1|150=0|39=0|${mc1}|151=7|14=0|6=0`);

  await a.send("AF 584=as1|585=7|", `AF 584=as2|585=1|55=${stock}|54=1|`, "AF 584=as3|585=7|5530=F|");
  const open = (clOrdId: string, request: string, count: number, last: boolean, terms: string) =>
    `8 37=#${clOrdId}|11=${clOrdId}|584=${request}|911=${count}|${
      last ? "912=Y|" : "912=N|"
    }17=0|150=I|39=0|${terms}`;
  await a.told(
    open("ma1", "as1", 4, false, `${ma1}|151=10|14=0|6=0|111=4`),
    open("ma2", "as1", 4, false, `${ma2}|151=5|14=0|6=0`),
    open("ma3", "as1", 4, false, `${ma3}|151=5|14=0|6=0`),
    open("ma4", "as1", 4, true, `${ma4}|151=2|14=0|6=0`),
    open("ma1", "as2", 2, false, `${ma1}|151=10|14=0|6=0|111=4`),
    open("ma3", "as2", 2, true, `${ma3}|151=5|14=0|6=0`),
    open("ma1", "as3", 5, false, `${ma1}|151=10|14=0|6=0|111=4`),
    open("mc1", "as3", 5, false, `${mc1}|151=7|14=0|6=0`),
    open("ma2", "as3", 5, false, `${ma2}|151=5|14=0|6=0`),
    open("ma3", "as3", 5, false, `${ma3}|151=5|14=0|6=0`),
    open("ma4", "as3", 5, true, `${ma4}|151=2|14=0|6=0`),
  );
  await a.send(
    `q 11=mq1|530=1|55=${stock}|54=1|@`,
    `q 11=mq2|530=6|461=ESXXXX|@`,
    `q 11=mq3|530=1|55=NOBODY|@`,
    `q 11=mq4|530=7|@5530=F|`,
  );
  await a.told(
    `8 37=#ma1|11=ma1|150=4|39=4|${ma1}|151=0|14=0|6=0|111=4|${UNASKED}`,
    `8 37=#ma3|11=ma3|150=4|39=4|${ma3}|151=0|14=0|6=0|${UNASKED}`,
    `r 11=mq1|37=#mq1|530=1|531=1|533=2|${buy}`,
    `r 11=mq2|37=#mq2|530=6|531=0|532=0|58=Cannot cancel MassCancelRequestType(530): expected 1 or 7, got "6"`,
    `r 11=mq3|37=#mq3|530=1|531=0|532=1|55=NOBODY|58=Cannot cancel Symbol(55): expected a listed symbol, got "NOBODY"`,
    `8 37=#ma2|11=ma2|150=4|39=4|${ma2}|151=0|14=0|6=0|${UNASKED}`,
    `8 37=#ma4|11=ma4|150=4|39=4|${ma4}|151=0|14=0|6=0|${UNASKED}`,
    `r 11=mq4|37=#mq4|530=7|531=7|533=3`,
  );
  await c.told(`8 37=#mc1|11=mc1|150=4|39=4|378=8|${mc1}|151=0|14=0|6=0|${UNASKED}`);
  await a.send("AF 584=as4|585=7|", `AF 584=as5|585=1|55=${stock}|`, "AF 584=as6|585=2|48=X|22=8|");
  await a.told(
    `8 37=NONE|584=as4|911=0|912=Y|17=0|150=I|39=8|103=5|55=[N/A]|54=7|151=0|14=0|6=0|${NONE_OPEN}`,
    `8 37=NONE|584=as5|911=0|912=Y|17=0|150=I|39=8|103=5|55=${stock}|54=7|151=0|14=0|6=0|${NONE_OPEN}`,
    "8 37=NONE|584=as6|911=0|912=Y|17=0|150=I|39=8|103=11|55=[N/A]|54=7|151=0|14=0|6=0|" +
      '58=Cannot report MassStatusReqType(585): expected 1 or 7, got "2"',
  );
  await phase(stock, "pre-open");
  await phase(stock, "no-cancel");
  await b.send(`q 11=mq5|530=1|55=${stock}|@`, "q 11=mq6|530=7|@");
  await b.told(
    `r 11=mq5|37=#mq5|530=1|531=0|532=0|55=${stock}|58=Cannot cancel Symbol(55): expected a phase that takes cancels, got "${stock}"`,
    `r 11=mq6|37=#mq6|530=7|531=7|533=0`,
  );
  await phase(stock, "continuous");
  await b.send(`q 11=mq7|530=7|@`);
  await b.told(
    `8 37=#mb1|11=mb1|150=4|39=4|${mc1}|151=0|14=0|6=0|${UNASKED}`,
    `r 11=mq7|37=#mq7|530=7|531=7|533=1`,
  );
}
