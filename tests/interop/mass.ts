/** Scenes of mass cancels and mass status requests. Test code only. */
import type { Play } from "./play.ts";

const NONE_OPEN = "58=Cannot report orders: expected an open order that the request is about, got none";
const UNASKED = "58=Canceled by a mass cancel for orders of its session, its firm or the venue";

/** Four orders of `a`, one of `c` and one of `b`, with ClOrdIDs that begin with `name`; their terms. */
async function place(name: string, { a, b, c, stock, future }: Play): Promise<string[]> {
  const [buy, sell] = [`55=${stock}|54=1`, `55=${stock}|54=2`];
  await a.send(
    `D 11=${name}1|${buy}|@38=10|40=2|44=10|111=4|`,
    `D 11=${name}2|${sell}|@38=5|40=2|44=11|`,
    `D 11=${name}3|${buy}|@38=5|40=3|99=12|59=1|`,
    `D 11=${name}4|55=${future}|54=1|@38=2|40=2|44=90|59=6|432=20991231|`,
  );
  const terms = [
    `${buy}|38=10|40=2|44=10|59=0`,
    `${sell}|38=5|40=2|44=11|59=0`,
    `${buy}|38=5|40=3|99=12|59=1`,
    `55=${future}|54=1|38=2|40=2|44=90|59=6|126=20991231-23:59:59.999`,
    `${buy}|38=7|40=2|44=9|59=0`,
  ];
  await a.told(
    `8 37=#${name}1|11=${name}1|150=0|39=0|${terms[0]}|151=10|14=0|6=0|111=4`,
    `8 37=#${name}2|11=${name}2|150=0|39=0|${terms[1]}|151=5|14=0|6=0`,
    `8 37=#${name}3|11=${name}3|150=0|39=0|${terms[2]}|151=5|14=0|6=0`,
    `8 37=#${name}4|11=${name}4|150=0|39=0|${terms[3]}|151=2|14=0|6=0`,
  );
  for (const [desk, number] of [[c, 5], [b, 6]] as const) {
    await desk.send(`D 11=${name}${number}|${buy}|@38=7|40=2|44=9|`);
    await desk.told(`8 37=#${name}${number}|11=${name}${number}|150=0|39=0|${terms[4]}|151=7|14=0|6=0`);
  }
  return terms;
}

/** What is left of {@link place} when `a` has canceled all of its firm: nothing, once `b` has canceled too. */
async function clear(name: string, terms: readonly string[], { b, c }: Play): Promise<void> {
  await c.told(`8 37=#${name}5|11=${name}5|150=4|39=4|378=8|${terms[4]}|151=0|14=0|6=0|${UNASKED}`);
  await b.send(`q 11=${name}9|530=7|@`);
  await b.told(
    `8 37=#${name}6|11=${name}6|150=4|39=4|${terms[4]}|151=0|14=0|6=0|${UNASKED}`,
    `r 11=${name}9|37=#${name}9|530=7|531=7|533=1`,
  );
}

/** Open orders are listed: of the session, of a symbol and side, of the firm; and none when there are none. */
export async function massStatus(play: Play): Promise<void> {
  const { a, stock } = play;
  const terms = await place("ms", play);
  await a.send(
    "AF 584=as1|585=7|",
    `AF 584=as2|585=1|55=${stock}|54=1|`,
    "AF 584=as3|585=7|5530=F|",
  );
  const open = (n: number, request: string, count: number, last: string, leaves: string) =>
    `8 37=#ms${n}|11=ms${n}|584=${request}|911=${count}|912=${last}|17=0|150=I|39=0|${
      terms[n - 1]
    }|${leaves}`;
  await a.told(
    open(1, "as1", 4, "N", "151=10|14=0|6=0|111=4"),
    open(2, "as1", 4, "N", "151=5|14=0|6=0"),
    open(3, "as1", 4, "N", "151=5|14=0|6=0"),
    open(4, "as1", 4, "Y", "151=2|14=0|6=0"),
    open(1, "as2", 2, "N", "151=10|14=0|6=0|111=4"),
    open(3, "as2", 2, "Y", "151=5|14=0|6=0"),
    open(1, "as3", 5, "N", "151=10|14=0|6=0|111=4"),
    open(5, "as3", 5, "N", "151=7|14=0|6=0"),
    open(2, "as3", 5, "N", "151=5|14=0|6=0"),
    open(3, "as3", 5, "N", "151=5|14=0|6=0"),
    open(4, "as3", 5, "Y", "151=2|14=0|6=0"),
  );
  await a.send("q 11=ms8|530=7|@5530=F|");
  await a.told(
    `8 37=#ms1|11=ms1|150=4|39=4|${terms[0]}|151=0|14=0|6=0|111=4|${UNASKED}`,
    `8 37=#ms2|11=ms2|150=4|39=4|${terms[1]}|151=0|14=0|6=0|${UNASKED}`,
    `8 37=#ms3|11=ms3|150=4|39=4|${terms[2]}|151=0|14=0|6=0|${UNASKED}`,
    `8 37=#ms4|11=ms4|150=4|39=4|${terms[3]}|151=0|14=0|6=0|${UNASKED}`,
    "r 11=ms8|37=#ms8|530=7|531=7|533=5",
  );
  await clear("ms", terms, play);
  await a.send("AF 584=as4|585=7|", `AF 584=as5|585=1|55=${stock}|`, "AF 584=as6|585=2|48=X|22=8|");
  const none = (request: string, reason: number, symbol: string) =>
    `8 37=NONE|584=${request}|911=0|912=Y|17=0|150=I|39=8|103=${reason}|55=${symbol}|54=7|151=0|14=0|6=0`;
  await a.told(
    `${none("as4", 5, "[N/A]")}|${NONE_OPEN}`,
    `${none("as5", 5, stock)}|${NONE_OPEN}`,
    `${none("as6", 11, "[N/A]")}|58=Cannot report MassStatusReqType(585): expected 1 or 7, got "2"`,
  );
}

/** Orders are canceled by symbol and side and of the whole firm; not while the phase takes no cancels. */
export async function massCancel(play: Play): Promise<void> {
  const { a, stock, phase } = play;
  const terms = await place("mc", play);
  await phase(stock, "pre-open");
  await phase(stock, "no-cancel");
  await a.send(`q 11=mq1|530=1|55=${stock}|@`, "q 11=mq2|530=7|@");
  await a.told(
    `r 11=mq1|37=#mq1|530=1|531=0|532=0|55=${stock}|58=Cannot cancel Symbol(55): expected a phase that takes ` +
      `cancels, got "${stock}"`,
    `8 37=#mc4|11=mc4|150=4|39=4|${terms[3]}|151=0|14=0|6=0|${UNASKED}`,
    "r 11=mq2|37=#mq2|530=7|531=7|533=1",
  );
  await phase(stock, "continuous");
  await a.send(
    `q 11=mq3|530=1|55=${stock}|54=1|@`,
    "q 11=mq4|530=6|461=ESXXXX|@",
    "q 11=mq5|530=1|55=NOBODY|@",
    "q 11=mq6|530=7|@5530=F|",
  );
  await a.told(
    `8 37=#mc1|11=mc1|150=4|39=4|${terms[0]}|151=0|14=0|6=0|111=4|${UNASKED}`,
    `8 37=#mc3|11=mc3|150=4|39=4|${terms[2]}|151=0|14=0|6=0|${UNASKED}`,
    `r 11=mq3|37=#mq3|530=1|531=1|533=2|55=${stock}|54=1`,
    'r 11=mq4|37=#mq4|530=6|531=0|532=0|58=Cannot cancel MassCancelRequestType(530): expected 1 or 7, got "6"',
    "r 11=mq5|37=#mq5|530=1|531=0|532=1|55=NOBODY|58=Cannot cancel Symbol(55): expected a listed symbol, " +
      'got "NOBODY"',
    `8 37=#mc2|11=mc2|150=4|39=4|${terms[1]}|151=0|14=0|6=0|${UNASKED}`,
    "r 11=mq6|37=#mq6|530=7|531=7|533=2",
  );
  await clear("mc", terms, play);
}
