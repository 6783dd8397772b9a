/**
 * Where the fields of an order message are. Owns the one pass over a message that finds the fields which translation
 * reads and the first field that it must refuse. Refuses to interpret values, but for the fields of a checked rule.
 * Pure.
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import { FieldRule, isAcceptedValue, ruleOf } from "./field_rules.ts";

/** Field indices in one message; -1 is absent. Reused: {@link OrderFields.locate} overwrites all of it. */
export class OrderFields {
  clOrdId = -1;
  origClOrdId = -1;
  orderId = -1;
  ordStatusReqId = -1;
  symbol = -1;
  side = -1;
  ordType = -1;
  timeInForce = -1;
  price = -1;
  stopPx = -1;
  orderQty = -1;
  maxFloor = -1;
  minQty = -1;
  execInst = -1;
  expireTime = -1;
  expireDate = -1;
  account = -1;
  smpId = -1;
  smpInstruction = -1;
  possDup = -1;
  possResend = -1;
  /** First field that asks for third-party routing. */
  routing = -1;
  /** First field, in message order, that this venue does not support. */
  unsupported = -1;

  /** Finds the fields of a validated message. */
  locate(message: FixMessage): void {
    this.clOrdId =
      this.origClOrdId =
      this.orderId =
      this.ordStatusReqId =
      this.symbol =
      this.side =
        -1;
    this.ordType =
      this.timeInForce =
      this.price =
      this.stopPx =
      this.orderQty =
        -1;
    this.maxFloor =
      this.minQty =
      this.execInst =
      this.expireTime =
      this.expireDate =
        -1;
    this.account =
      this.smpId =
      this.smpInstruction =
        -1;
    this.possDup =
      this.possResend =
      this.routing =
      this.unsupported =
        -1;
    const { fieldCount, tags } = message;
    for (let i = 0; i < fieldCount; i++) {
      const rule = ruleOf(tags[i]);
      if (rule === FieldRule.Read) this.#read(tags[i], i);
      else if (rule === FieldRule.Noted) continue;
      else if (rule === FieldRule.Routing) this.routing = this.routing < 0 ? i : this.routing;
      else if (this.unsupported >= 0) continue;
      else if (rule === FieldRule.Refused || !isAcceptedValue(message, i)) this.unsupported = i;
    }
  }

  #read(tag: number, index: number): void {
    switch (tag) {
      case 11:
        this.clOrdId = index;
        return;
      case 37:
        this.orderId = index;
        return;
      case 38:
        this.orderQty = index;
        return;
      case 40:
        this.ordType = index;
        return;
      case 41:
        this.origClOrdId = index;
        return;
      case 43:
        this.possDup = index;
        return;
      case 44:
        this.price = index;
        return;
      case 54:
        this.side = index;
        return;
      case 55:
        this.symbol = index;
        return;
      case 59:
        this.timeInForce = index;
        return;
      case 97:
        this.possResend = index;
        return;
      case 790:
        this.ordStatusReqId = index;
        return;
      default:
        this.#readCondition(tag, index);
    }
  }

  /** Fields that few orders have. */
  #readCondition(tag: number, index: number): void {
    switch (tag) {
      case 1:
        this.account = index;
        return;
      case 18:
        this.execInst = index;
        return;
      case 99:
        this.stopPx = index;
        return;
      case 110:
        this.minQty = index;
        return;
      case 111:
        this.maxFloor = index;
        return;
      case 126:
        this.expireTime = index;
        return;
      case 432:
        this.expireDate = index;
        return;
      case 7928:
        this.smpId = index;
        return;
      case 8000:
        this.smpInstruction = index;
    }
  }
}
