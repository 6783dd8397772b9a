/** What happens to an order and a quote while the session that sent them is away. Test code only. */
import type { Desk } from "./desk.ts";

const ORDER = "55=ACME|54=1|38=5|40=2|44=7|59=1";
const OFFER = "55=WIDGET|54=2|38=5|40=2|44=12|59=0";
const TAKERS = ["55=ACME|54=2|38=5|40=2|44=7|59=0", "55=WIDGET|54=1|38=2|40=1|59=0"];

/** The desk has an order and a quote rest. What comes back has them hit by another one. */
export async function rest(desk: Desk, name: string): Promise<(other: Desk) => Promise<void>> {
  await desk.send(
    `D 11=${name}o|${ORDER}|@111=3|`,
    `i 117=${name}q|301=2|296=1|302=s|304=1|295=1|299=e|55=WIDGET|133=12|135=5|`,
  );
  await desk.told(
    `8 37=#${name}o|11=${name}o|150=0|39=0|${ORDER}|151=5|14=0|6=0|111=3`,
    `b 117=${name}q|297=0|301=2|296=1|302=s|304=1|295=1|299=e|55=WIDGET`,
  );
  await desk.tookApart("296=1[302=s|304=1|295=1[299=e|55=WIDGET]]");
  return async (other) => {
    await other.send(`D 11=${name}s|${TAKERS[0]}|@`, `D 11=${name}b|${TAKERS[1]}|@`);
    await other.told(
      `8 37=#${name}s|11=${name}s|150=0|39=0|${TAKERS[0]}|151=5|14=0|6=0`,
      `8 37=#${name}s|527=T1|11=${name}s|150=F|39=1|${TAKERS[0]}|32=3|31=7|151=2|14=3|6=7|851=2`,
      `8 37=#${name}s|527=T2|11=${name}s|150=F|39=2|${TAKERS[0]}|32=2|31=7|151=0|14=5|6=7|851=2`,
      `8 37=#${name}b|11=${name}b|150=0|39=0|${TAKERS[1]}|151=2|14=0|6=0`,
      `8 37=#${name}b|527=T3|11=${name}b|150=F|39=2|${TAKERS[1]}|32=2|31=12|151=0|14=2|6=12|851=2`,
    );
  };
}

/**
 * The desk is told of it when it is back, and withdraws what is left. QuickFIX/Go forgets what comes between a Logon and
 * the end of the resend, and asks for it at the next message: here the answer to the withdrawal.
 */
export async function wasHit(desk: Desk, name: string): Promise<void> {
  await desk.send(`Z 117=${name}z|298=4|`);
  await desk.told(
    `8 37=#${name}o|527=T1|11=${name}o|150=F|39=1|${ORDER}|32=3|31=7|151=2|14=3|6=7|111=3|851=1`,
    `8 37=#${name}o|527=T2|11=${name}o|150=F|39=2|${ORDER}|32=2|31=7|151=0|14=5|6=7|111=3|851=1`,
    `8 37=#${name}q|527=T3|11=${name}q|150=F|39=1|${OFFER}|32=2|31=12|151=3|14=2|6=12|851=1`,
    `AI 117=${name}z|55=[N/A]|297=4|58=Orders of quotes canceled: 1`,
  );
}
