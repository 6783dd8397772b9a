/** The subscription of a stream reader to its consumer: what is a delivery, and what is not. Does I/O. */
import type { Msg, NatsConnection } from "@nats-io/nats-core";
import { Delivery } from "./delivery.ts";
import { type OnDelivered, tapDeliveries } from "./delivery_tap.ts";

/** A consumer and where it delivers to. */
export interface DeliverySource {
  readonly inbox: string;
  readonly stream: string;
  readonly consumer: string;
}

/** Called in the order of what comes, and not any more once unsubscribed. */
export interface DeliveryListener {
  readonly onDelivery: OnDelivered;
  /** Flow control, heartbeats, ends of the consumer; or the error with which the subscription ends. */
  readonly onOther: (error: Error | null, msg: Msg) => void;
}

/** Subscribes before the consumer is made. */
export function subscribeDeliveries(
  nc: NatsConnection,
  { inbox, stream, consumer }: DeliverySource,
  { onDelivery, onOther }: DeliveryListener,
): { unsubscribe(): void } {
  const delivery = new Delivery();
  const subscription = nc.subscribe(inbox, {
    callback: (error, msg) => {
      if (error || !delivery.parse(msg.reply ?? "")) onOther(error, msg);
      else onDelivery(delivery, msg.subject, msg.data);
    },
  });
  const untap = tapDeliveries(nc, { subscription, stream, consumer }, onDelivery);
  return {
    unsubscribe() {
      untap();
      subscription.unsubscribe();
    },
  };
}
