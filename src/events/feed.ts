import type { CallEvent, MessageEvent, StatusEvent, WatchEvent } from './parse.ts';

/** The state of an order, read from the platform. */
export interface OrderState {
  status: string;
  message: string;
  /** The numbers of the order, if the platform names them. */
  numbers?: readonly string[];
}

/** An event without a method in `EventFeed`, as plain text. */
export interface EventCard {
  /** Identifies the event. It is the same for every attempt. */
  key: string;
  title: string;
  lines: readonly (readonly [name: string, value: string])[];
  body?: string;
}

/**
 * A surface that shows events to people. A method resolves once its event is shown. It rejects with `Unavailable` if the
 * surface is down, and with `Blocked` if a person has to fix something first. After a crash, an event may be shown twice.
 * `isRetry`: an earlier attempt failed, and may have shown it.
 */
export interface EventFeed {
  order(order: OrderState & { orderId: string }, isRetry?: boolean): Promise<void>;
  message(event: MessageEvent, isRetry?: boolean): Promise<void>;
  status(event: StatusEvent, isRetry?: boolean): Promise<void>;
  call(event: CallEvent, isRetry?: boolean): Promise<void>;
  watch(event: WatchEvent, isRetry?: boolean): Promise<void>;
  other(card: EventCard, isRetry?: boolean): Promise<void>;
  /** Resolves to one sentence while events cannot be shown for a reason that a person can fix. */
  problem?(): Promise<string | undefined>;
}
