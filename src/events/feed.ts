import type { CallEvent, MessageEvent, StatusEvent, WatchEvent } from './parse.ts';

/** The state of an order, read from the platform. */
export interface OrderState {
  status: string;
  message: string;
  /** The numbers of the order, if the platform names them. */
  numbers?: readonly string[];
}

/** An event of a kind that has no method of its own, as plain text. */
export interface EventCard {
  /** Identifies the event; the same for every attempt. */
  key: string;
  title: string;
  lines: readonly (readonly [name: string, value: string])[];
  body?: string;
}

/**
 * A surface that shows events to people. A method resolves once its event is shown. It rejects with `Unavailable` if the
 * surface is down, and with `Blocked` if a person has to fix something first.
 */
export interface EventFeed {
  order(order: OrderState & { orderId: string }): Promise<void>;
  message(event: MessageEvent): Promise<void>;
  status(event: StatusEvent): Promise<void>;
  call(event: CallEvent): Promise<void>;
  watch(event: WatchEvent): Promise<void>;
  other(card: EventCard): Promise<void>;
  /** One sentence while events cannot be shown for a reason that a person can fix. */
  problem?(): string | undefined;
}
