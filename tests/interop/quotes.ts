/** Scenes of a market maker: mass quotes that are set, hit, replaced and withdrawn. Test code only. */
import type { Play } from "./play.ts";

/** Quotes of two sets, one entry refused; executions come under the QuoteID, and no status request finds them. */
export async function quotesThatRest({ a, b, stock, future }: Play): Promise<void> {
  const [buy, sell] = [`55=${stock}|54=1`, `55=${stock}|54=2`];
  await a.send(
    "i 117=qq1|301=2|296=2|" +
      `302=s1|304=1|295=1|299=e1|55=${stock}|132=10|133=10.1|134=20|135=20|` +
      `302=s2|304=2|295=2|299=e1|55=${future}|132=90|133=91|134=5|135=5|` +
      `299=e2|55=NOBODY|132=1|133=2|134=5|135=5|`,
  );
  await a.told(
    'b 117=qq1|297=0|301=2|58=Cannot quote QuoteEntryID(299) "e2": expected a listed Symbol(55)|296=2|' +
      `302=s1|304=1|295=1|299=e1|55=${stock}|302=s2|304=2|295=2|299=e1|55=${future}|299=e2|368=1`,
  );
  await a.tookApart(
    `296=2[302=s1|304=1|295=1[299=e1|55=${stock}]][302=s2|304=2|295=2[299=e1|55=${future}][299=e2|368=1]]`,
  );
  await b.send(`D 11=h1|${sell}|@38=5|40=2|44=10|`);
  const h1 = `${sell}|38=5|40=2|44=10|59=0`;
  await b.told(
    `8 37=#h1|11=h1|150=0|39=0|${h1}|151=5|14=0|6=0`,
    `8 37=#h1|527=T1|11=h1|150=F|39=2|${h1}|32=5|31=10|151=0|14=5|6=10|851=2`,
  );
  await a.told(
    `8 37=#qq1|527=T1|11=qq1|150=F|39=1|${buy}|38=20|40=2|44=10|59=0|32=5|31=10|151=15|14=5|6=10|851=1`,
  );
  const noOrder = "58=Cannot report orders: expected an open order that the request is about, got none";
  // The bid moves, the offer keeps its order; nothing is acknowledged.
  await a.send(
    `i 117=qq2|301=1|296=1|302=s1|304=1|295=1|299=e1|55=${stock}|132=9.9|133=10.1|134=10|135=15|`,
    `AF 584=qs1|585=1|55=${stock}|`,
    "AF 584=qs2|585=7|",
  );
  await a.told(
    `8 37=NONE|584=qs1|911=0|912=Y|17=0|150=I|39=8|103=5|55=${stock}|54=7|151=0|14=0|6=0|${noOrder}`,
    `8 37=NONE|584=qs2|911=0|912=Y|17=0|150=I|39=8|103=5|55=[N/A]|54=7|151=0|14=0|6=0|${noOrder}`,
  );
  await b.send(`D 11=h2|${buy}|@38=15|40=1|`);
  await b.told(
    `8 37=#h2|11=h2|150=0|39=0|${buy}|38=15|40=1|59=0|151=15|14=0|6=0`,
    `8 37=#h2|527=T2|11=h2|150=F|39=2|${buy}|38=15|40=1|59=0|32=15|31=10.1|151=0|14=15|6=10.1|851=2`,
  );
  await a.told(
    `8 37=#qq2|527=T2|11=qq2|150=F|39=2|${sell}|38=15|40=2|44=10.1|59=0|32=15|31=10.1|151=0|14=15|6=10.1|851=1`,
  );
  await a.send("Z 117=qz1|298=4|");
  await a.told("AI 117=qz1|55=[N/A]|297=4|58=Orders of quotes canceled: 3");
}

/** A quote that trades on arrival is acknowledged first; one that is refused whole is answered at every level. */
export async function quotesThatTake({ a, b, stock, future }: Play): Promise<void> {
  const [buy, sell] = [`55=${stock}|54=1`, `55=${stock}|54=2`];
  await b.send(`D 11=h3|${sell}|@38=3|40=2|44=10|`);
  await b.told(`8 37=#h3|11=h3|150=0|39=0|${sell}|38=3|40=2|44=10|59=0|151=3|14=0|6=0`);
  await a.send(
    `i 117=qq3|301=2|296=1|302=s1|304=1|295=1|299=e1|55=${stock}|132=10|134=4|`,
    `i 117=qq4|131=r|296=1|302=s1|304=1|295=1|299=e1|55=${stock}|132=10|134=4|`,
    `i 117=qq5|301=1|296=1|302=s1|304=1|295=1|299=e1|55=${stock}|132=10|133=9|134=4|135=4|`,
  );
  await a.told(
    `b 117=qq3|297=0|301=2|296=1|302=s1|304=1|295=1|299=e1|55=${stock}`,
    `8 37=#qq3|527=T1|11=qq3|150=F|39=1|${buy}|38=4|40=2|44=10|59=0|32=3|31=10|151=1|14=3|6=10|851=2`,
    'b 117=qq4|297=5|300=99|301=0|58=Cannot quote QuoteReqID(131): expected no such field, got "r"',
    'b 117=qq5|297=5|300=7|301=1|58=Cannot quote QuoteEntryID(299) "e1": expected BidPx(132) below OfferPx(133)|' +
      `296=1|302=s1|304=1|295=1|299=e1|55=${stock}|368=7`,
  );
  await a.tookApart(
    `296=1[302=s1|304=1|295=1[299=e1|55=${stock}]]`,
    `296=1[302=s1|304=1|295=1[299=e1|55=${stock}|368=7]]`,
  );
  await b.told(
    `8 37=#h3|527=T1|11=h3|150=F|39=2|${sell}|38=3|40=2|44=10|59=0|32=3|31=10|151=0|14=3|6=10|851=1`,
  );
  await a.send(
    `i 117=qq6|296=1|302=s1|304=1|295=1|299=e1|55=${future}|132=90|133=91|134=5|135=5|`,
    `Z 117=qz6|298=1|295=1|55=${stock}|`,
    `Z 117=qz2|298=1|295=1|55=${stock}|`,
    "Z 117=qz3|298=1|295=1|55=NOBODY|",
    "Z 117=qz4|298=4|",
    "Z 117=qz5|298=4|",
  );
  await a.told(
    `AI 117=qz6|55=${stock}|297=1|58=Orders of quotes canceled: 1`,
    `AI 117=qz2|55=${stock}|297=9|58=Orders of quotes canceled: 0`,
    `AI 117=qz3|55=NOBODY|297=5|58=Cannot cancel Symbol(55): expected a listed symbol, got "NOBODY"`,
    `AI 117=qz4|55=[N/A]|297=4|58=Orders of quotes canceled: 2`,
    `AI 117=qz5|55=[N/A]|297=4|58=Orders of quotes canceled: 0`,
  );
  // What a mass cancel takes of a quote is reported.
  await a.send(
    `i 117=qq7|296=1|302=s1|304=1|295=1|299=e1|55=${stock}|132=10|133=11|134=4|135=4|`,
    "q 11=qm|530=7|@",
  );
  const unasked = "58=Canceled by a mass cancel for orders of its session, its firm or the venue";
  await a.told(
    `8 37=#qq7|11=qq7|150=4|39=4|${buy}|38=4|40=2|44=10|59=0|151=0|14=0|6=0|${unasked}`,
    `8 37=#qq7'|11=qq7|150=4|39=4|${sell}|38=4|40=2|44=11|59=0|151=0|14=0|6=0|${unasked}`,
    `r 11=qm|37=#qm|530=7|531=7|533=2`,
  );
}
