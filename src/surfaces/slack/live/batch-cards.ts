import { createHash } from 'node:crypto';
import type { Batches, BatchView } from '../../../batches/batches.ts';
import type { Gate } from '../../../gate/gate.ts';
import type { Actor } from '../../../lib/actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { isRecord } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import { batchCard } from '../blocks/batch.ts';
import type { Message } from '../blocks/text.ts';
import { cardAt, noteOf, type Posted, SLACK_ACTOR } from '../types.ts';
import type { WebApi } from './web.ts';

const POLL_MS = 1_000;
/** A card is edited at most this often, so that a channel stays readable and Slack's limits are kept. */
const EDIT_MS = 10_000;
/** Batches that were changed this long before the start are followed: a confirmed batch may run for 12 hours. */
const BACK_MS = 12 * 60 * 60_000;
const MAX_FAILURES = 5;
/** Reads every batch, to draw its card. */
const READER: Actor = { ...SLACK_ACTOR, role: 'approver', priority: 'background' };
const OPEN: ReadonlySet<BatchView['state']> = new Set(['planning', 'waiting', 'running', 'paused']);

/** The content of a card as a digest, and the time of its last edit. Stored in the notes of the question, so that all processes share it. */
interface Drawn {
  shown?: string;
  at?: number;
}

export interface BatchCardsOptions {
  batches: Batches;
  gate: Gate;
  web: WebApi;
  clock: Clock;
  log: Log;
}

/**
 * Turns the card of a confirmed question about a batch into the card of its run, and keeps it up to date. A batch of
 * reads has no question; its card is posted by `post`, and this process keeps it up to date.
 */
export class BatchCards {
  readonly #options: BatchCardsOptions;
  readonly #followed = new Map<string, { failures: number }>();
  /** The cards of reads, by batch. */
  readonly #posted = new Map<string, { at: Posted; drawn: Drawn }>();
  readonly #work = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #since = 0;
  #timer: unknown;

  constructor(options: BatchCardsOptions) {
    this.#options = options;
  }

  /** Aborts when the app is closed. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  start(): void {
    this.#since = this.#options.clock.now() - BACK_MS;
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#options.clock.clearTimeout(this.#timer);
    await Promise.allSettled([...this.#work]);
  }

  /** Runs work on a batch that lasts longer than a request. `close` waits for it. */
  track(work: Promise<void>): void {
    const done = work.catch((error: unknown) => {
      this.#options.log('error', { error: String(error) }, 'failed to follow a batch');
    });
    this.#work.add(done);
    void done.finally(() => this.#work.delete(done));
  }

  /** Posts the card of a batch of reads to its requester, and follows it. */
  async post(view: BatchView, user: string): Promise<void> {
    const { web, clock } = this.#options;
    const card = batchCard(view);
    const at = await web.direct(user, card);
    this.#posted.set(view.id, { at, drawn: { shown: digestOf(card), at: clock.now() } });
    this.#followed.set(view.id, { failures: 0 });
  }

  #schedule(): void {
    if (this.signal.aborted) return;
    this.#timer = this.#options.clock.setTimeout(() => {
      this.track(this.#poll().then(() => this.#schedule()));
    }, POLL_MS);
  }

  async #poll(): Promise<void> {
    const { batches, log } = this.#options;
    try {
      for (const { id, at } of await batches.updatedSince(this.#since)) {
        this.#since = Math.max(this.#since, at);
        if (!this.#followed.has(id)) this.#followed.set(id, { failures: 0 });
      }
    } catch (error) {
      log('error', { error: String(error) }, 'failed to look for changed batches');
    }
    for (const [id, followed] of this.#followed) {
      if (this.signal.aborted) return;
      try {
        if (await this.#bringUpToDate(id)) this.#followed.delete(id);
      } catch (error) {
        log('info', { batch: id, error: String(error) }, 'failed to update the card of a batch');
        followed.failures += 1;
        if (followed.failures >= MAX_FAILURES) this.#followed.delete(id);
      }
    }
  }

  /** True if the card needs no further update. */
  async #bringUpToDate(id: string): Promise<boolean> {
    const { batches, web, clock } = this.#options;
    const view = await batches.view(id, READER);
    const isOver = !OPEN.has(view.state);
    const place = await this.#placeOf(view);
    if (place === undefined) return isOver;
    const { at, drawn, remember } = place;
    const card = batchCard(view);
    const shown = digestOf(card);
    if (shown === drawn.shown) return isOver;
    if (clock.now() - (drawn.at ?? 0) < EDIT_MS) return false;
    await remember({ shown, at: clock.now() });
    await web.update(at, card);
    return isOver;
  }

  /** The message to edit; undefined before the card shows the decision. */
  async #placeOf(
    view: BatchView,
  ): Promise<{ at: Posted; drawn: Drawn; remember: (drawn: Drawn) => Promise<void> } | undefined> {
    const { gate } = this.#options;
    const posted = this.#posted.get(view.id);
    if (posted)
      return {
        ...posted,
        remember: async (drawn) => void this.#posted.set(view.id, { at: posted.at, drawn }),
      };
    const action = view.confirmation === undefined ? undefined : await gate.actions.get(view.confirmation);
    if (action === undefined || view.startedAt === undefined) return undefined;
    const note = noteOf(action);
    const at = cardAt(note);
    // Until the card shows the decision, `Cards` is going to update it.
    if (at === undefined || note.shown !== 'done') return undefined;
    const drawn = isRecord(action.notes.run) ? (action.notes.run as Drawn) : {};
    return { at, drawn, remember: (now) => gate.notes.merge(action.id, 'run', { ...now }) };
  }
}

function digestOf(card: Message): string {
  return createHash('sha256').update(JSON.stringify(card)).digest('base64url');
}
