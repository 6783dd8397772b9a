/** What a client's reports must say of each of its orders, however often the gateway died. Test code only. */
import assert from "node:assert/strict";
import { type Fields, fieldsOf } from "../interop/driver.ts";
import type { Received } from "./lasting_trader.ts";
import { isOfQuote, type OrderMessage } from "./random_orders.ts";

/** An order as its reports tell it, resent ones counted once. Quantities are whole in the tests' venue. */
export interface OrderState {
  readonly orderId: string;
  /** ClOrdID(11) of the NewOrderSingle. */
  readonly firstClOrdId: string;
  /** That of the newest replacement. */
  clOrdId: string;
  readonly symbol: string;
  readonly side: string;
  orderQty: number;
  /** Sum of LastQty(32). */
  filledQty: number;
  /** OrdStatus(39) of every report that ended it; one in the end. */
  readonly endings: string[];
}

const ENDED = new Set(["2", "4", "8", "C"]);

/** A client's orders and what became of each ClOrdID. Leaves out quotes, which nothing but EV_s says the end of. */
export class OrderLedger {
  readonly orders: Map<string, OrderState> = new Map();
  /** Final states by ClOrdID: of an order how it ended, of a request its one answer. */
  readonly outcomes: Map<string, string[]> = new Map();

  /** Throws at the first report that contradicts an earlier one. */
  constructor(received: readonly Received[]) {
    const seen = new Set<string>();
    for (const { line } of received) {
      if (seen.has(line)) continue;
      seen.add(line);
      const fields = fieldsOf(line.slice(2));
      if (isOfQuote(fields.get(11) ?? fields.get(117)!)) continue;
      if (line.startsWith("8 ")) this.#report(fields, line);
      else this.#outcome(fields.get(11)!, `${line.slice(0, 1)} ${fields.get(58)}`);
    }
  }

  /** Orders that have not ended. */
  get open(): OrderState[] {
    return [...this.orders.values()].filter(({ endings }) => endings.length === 0);
  }

  #report(fields: Fields, line: string): void {
    const execType = fields.get(150)!;
    const clOrdId = fields.get(11)!;
    if (execType === "8") return this.#outcome(clOrdId, "rejected");
    const orderId = fields.get(37)!;
    if (execType === "0") {
      assert.ok(!this.orders.has(orderId), `accepted twice: ${line}`);
      this.orders.set(orderId, {
        orderId,
        firstClOrdId: clOrdId,
        clOrdId,
        symbol: fields.get(55)!,
        side: fields.get(54)!,
        orderQty: 0,
        filledQty: 0,
        endings: [],
      });
    }
    const order = this.orders.get(orderId);
    assert.ok(order !== undefined, `no order yet: ${line}`);
    assert.equal(order.endings.length, 0, `after the order's end: ${line}`);
    order.orderQty = Number(fields.get(38));
    if (execType === "F") order.filledQty += Number(fields.get(32));
    assert.equal(Number(fields.get(14)), order.filledQty, `CumQty is not the sum of LastQty: ${line}`);
    assert.ok(order.filledQty <= order.orderQty, `more than OrderQty: ${line}`);
    if (execType === "5") order.clOrdId = clOrdId;
    if ((execType === "4" || execType === "5") && fields.has(41)) this.#outcome(clOrdId, `done ${execType}`);
    if (ENDED.has(fields.get(39)!)) {
      order.endings.push(fields.get(39)!);
      this.#outcome(order.firstClOrdId, `ended ${fields.get(39)}`);
    }
  }

  #outcome(clOrdId: string, what: string): void {
    const known = this.outcomes.get(clOrdId);
    if (known === undefined) this.outcomes.set(clOrdId, [what]);
    else known.push(what);
  }
}

/** A request to cancel the order, addressed by ClOrdID and OrderID. */
export function cancelOf({ clOrdId, orderId, symbol, side, orderQty }: OrderState): OrderMessage {
  return {
    msgType: "F",
    fields: [[41, clOrdId], [37, orderId], [55, symbol], [54, side], [38, String(orderQty)]],
  };
}

/**
 * Every ClOrdID sent has one final state, or is that of an order which is open; none has another. `stillOpen` are the
 * OrderIDs of the client's orders that are open, with OrderQty and CumQty; none when absent.
 */
export function assertOneOutcomeEach(
  name: string,
  sent: Iterable<string>,
  ledger: OrderLedger,
  stillOpen: ReadonlyMap<string, readonly [orderQty: number, cumQty: number]> = new Map(),
): void {
  const all = new Set([...sent].filter((id) => !isOfQuote(id)));
  const open = new Set(ledger.open.map(({ firstClOrdId }) => firstClOrdId));
  const wrong = [...all].filter((clOrdId) =>
    ledger.outcomes.get(clOrdId)?.length !== (open.has(clOrdId) ? undefined : 1)
  ).map((clOrdId) => [clOrdId, ledger.outcomes.get(clOrdId) ?? []]);
  assert.deepEqual(wrong, [], `${name}: ClOrdIDs without exactly one final state`);
  assert.deepEqual(
    [...ledger.outcomes.keys()].filter((clOrdId) => !all.has(clOrdId)),
    [],
    `${name}: never sent`,
  );
  const told = ledger.open.map(({ orderId, orderQty, filledQty }) =>
    [orderId, [orderQty, filledQty]] as const
  );
  assert.deepEqual(new Map(told), stillOpen, `${name}: open orders`);
}
