import { DAY, midnightFrom, type SandboxClock } from './clock.ts';
import type { Deliveries } from './deliveries.ts';
import { deliverMessage } from './messaging.ts';
import { rejectByCarrier } from './orders.ts';
import { STATUS } from './records.ts';
import { changeDue, runChange } from './status-change.ts';
import type { Store } from './store.ts';
import type { World } from './world.ts';

/** Time after its cancellation until the nightly job releases a number (PLATFORM.md, Reactivation). */
const RECOVERY_WINDOW = 30 * DAY;

/** The longest time a timer can be set for. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Runs the jobs that become due by the sandbox clock. They are derived from the records (a cancellation date, a
 * scheduled rejection or status, a pending delivery), so they survive a restart.
 */
export class Jobs {
  readonly #world: World;
  readonly #store: Store;
  readonly #clock: SandboxClock;
  readonly #deliveries: Deliveries;
  #timer: unknown = null;
  #queue: Promise<void> = Promise.resolve();
  #epoch = 0;
  #closed = false;
  /** Called after jobs have run, to write the file. */
  onRun: () => void = () => undefined;

  constructor(world: World) {
    this.#world = world;
    this.#store = world.store;
    this.#clock = world.clock;
    this.#deliveries = world.deliveries;
  }

  /**
   * Moves the clock forward, and runs every job that becomes due on the way, in order. `target` is called when earlier
   * advances have ended.
   */
  advance(target: () => number): Promise<void> {
    const run = this.#queue.then(() => this.#runUntil(target));
    this.#queue = run.catch(() => undefined);
    return run;
  }

  /** Sets the timer for the next job that real time will reach. */
  arm(): void {
    if (this.#timer !== null) this.#clock.real.clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#closed) return;
    const due = this.#nextDue();
    if (due === null) return;
    const wait = Math.min(Math.max(0, due - this.#clock.now()), LONGEST_TIMER);
    this.#timer = this.#clock.real.setTimeout(() => {
      this.#timer = null;
      this.#runDue(this.#clock.now());
      this.onRun();
      this.arm();
    }, wait);
  }

  /** Stops advances in progress, after a reset. */
  restart(): void {
    this.#epoch += 1;
    this.arm();
  }

  close(): void {
    this.#closed = true;
    this.#epoch += 1;
    this.arm();
  }

  async #runUntil(target: () => number): Promise<void> {
    const epoch = this.#epoch;
    await this.#deliveries.settled();
    const until = target();
    for (let due = this.#nextDue(); due !== null && due <= until; due = this.#nextDue()) {
      if (epoch !== this.#epoch) return;
      this.#clock.reach(due);
      this.#runDue(due);
      await this.#deliveries.settled();
    }
    if (epoch === this.#epoch) this.#clock.reach(until);
  }

  #nextDue(): number | null {
    const { numbers, orders, messages } = this.#store.state;
    const times: number[] = [];
    for (const number of numbers) {
      const released = releaseTime(number);
      if (released !== null) times.push(released);
    }
    for (const order of orders) if (order.PortIn?.RejectDueAt != null) times.push(order.PortIn.RejectDueAt);
    for (const order of orders) {
      const change = changeDue(order);
      if (change !== null) times.push(change);
    }
    for (const message of messages) if (message.DeliverAt !== null) times.push(message.DeliverAt);
    const delivery = this.#deliveries.nextDue();
    if (delivery !== null) times.push(delivery);
    return times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b));
  }

  #runDue(now: number): void {
    const { numbers, orders, messages } = this.#store.state;
    for (const number of numbers) {
      const released = releaseTime(number);
      if (released === null || released > now) continue;
      number.Status = STATUS.cancelled;
      number.AssignedSubscriberId = null;
    }
    for (const order of orders) {
      const due = order.PortIn?.RejectDueAt;
      if (due != null && due <= now) rejectByCarrier(this.#world, order);
    }
    for (const order of orders) {
      const change = changeDue(order);
      if (change !== null && change <= now) runChange(this.#world, order);
    }
    for (const message of [...messages])
      if (message.DeliverAt !== null && message.DeliverAt <= now) deliverMessage(this.#world, message);
    this.#deliveries.startDue(now);
  }
}

/** Returns the midnight at which the nightly job releases a number; null unless the number is waiting for that. */
function releaseTime(number: { Status: string; CancelledOn: string | null }): number | null {
  if (number.Status !== STATUS.pendingDelete || number.CancelledOn === null) return null;
  return midnightFrom(Date.parse(number.CancelledOn) + RECOVERY_WINDOW);
}
