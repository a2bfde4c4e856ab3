import type { Run } from '../work/worker.ts';
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

/** The right of this process to show an event. If the process sleeps past its lease, another process may take over. */
export type Right = Pick<Run, 'check'>;

/**
 * A surface that shows events to people. A method resolves once its event is shown. It rejects with `Unavailable` if the
 * surface is down, and with `Blocked` if a person has to fix something first.
 */
export interface EventFeed {
  order(order: OrderState & { orderId: string }, right?: Right): Promise<void>;
  message(event: MessageEvent, right?: Right): Promise<void>;
  status(event: StatusEvent, right?: Right): Promise<void>;
  call(event: CallEvent, right?: Right): Promise<void>;
  watch(event: WatchEvent, right?: Right): Promise<void>;
  other(card: EventCard, right?: Right): Promise<void>;
  /** Resolves to one sentence while events cannot be shown for a reason that a person can fix. */
  problem?(): Promise<string | undefined>;
}
