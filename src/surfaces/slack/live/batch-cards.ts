import { createHash } from 'node:crypto';
import type { Batches, BatchView } from '../../../batches/batches.ts';
import { ENDED, SHOW_JOB, showBatchJob } from '../../../batches/store.ts';
import type { Gate } from '../../../gate/gate.ts';
import type { Actor } from '../../../lib/actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { LOOK_MS, PROGRESS_MS } from '../../../lib/durations.ts';
import { textOf } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import { KeyValues } from '../../../store/key-values.ts';
import type { Database } from '../../../store/types.ts';
import { levelOf } from '../../../store/unavailable.ts';
import type { Jobs } from '../../../work/jobs.ts';
import type { Worker } from '../../../work/worker.ts';
import { isAmbiguous } from '../api/refusal.ts';
import type { WebApi } from '../api/web.ts';
import { batchCard, batchNews } from '../blocks/batch.ts';
import type { Message } from '../blocks/text.ts';
import { cardAt, noteOf, type Posted, SLACK_ACTOR, threadAt } from '../types.ts';
import { STORED_MS } from './threads.ts';

/** The maximum wait for the card of a decision. */
const WAIT_MS = 10 * 60_000;
/** Failed updates of a card after which it stays as it is. */
const MAX_FAILURES = 5;
/** Reads every batch, to draw its card. */
const READER: Actor = { ...SLACK_ACTOR, role: 'approver', priority: 'background' };
/** States in which rows are read or sent. */
const RUNNING: ReadonlySet<BatchView['state']> = new Set(['planning', 'running']);

/** A card: its message, its content as a digest, and the time of its last edit (epoch ms). */
interface Drawn {
  at: Posted;
  /** The thread of the conversation that the card is in. */
  threadTs?: string;
  shown?: string;
  editedAt?: number;
  /** The pause or end that was posted as a message: its state and the time of the resume before it. */
  told?: string;
}

export interface BatchCardsOptions {
  batches: Batches;
  gate: Gate;
  web: WebApi;
  jobs: Jobs;
  worker: Pick<Worker, 'on' | 'off' | 'look'>;
  /** Shared by all processes. */
  database: Database;
  clock: Clock;
  log: Log;
}

/**
 * Turns the card of a confirmed question about a batch into the card of its run, and keeps it up to date. A batch of
 * reads has no question; its card is posted by `post`.
 */
export class BatchCards {
  readonly #options: BatchCardsOptions;
  readonly #drawn: KeyValues;
  readonly #work = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: BatchCardsOptions) {
    this.#options = options;
    this.#drawn = new KeyValues({ ...options, kind: 'batch card' });
  }

  /** Aborts when the app is closed. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  start(): void {
    this.#options.worker.on(SHOW_JOB, ({ payload, attempts }) => this.#show(textOf(payload.id), attempts));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#options.worker.off([SHOW_JOB]);
    await Promise.allSettled([...this.#work]);
  }

  /** Runs work on a batch that lasts longer than a request. `close` waits for it. */
  track(work: Promise<void>): void {
    const done = work.catch((error: unknown) => {
      this.#options.log(levelOf(error, 'error'), { error: String(error) }, 'failed to follow a batch');
    });
    this.#work.add(done);
    void done.finally(() => this.#work.delete(done));
  }

  /** Posts the card of a batch of reads to its requester, in a direct message or in this thread. */
  async post(view: BatchView, user: string, place?: { channel: string; threadTs: string }): Promise<void> {
    const { web, jobs, worker, clock } = this.#options;
    const card = batchCard(view);
    const at = place ? await web.post(place.channel, card, { threadTs: place.threadTs }) : await web.direct(user, card);
    const thread = place && { threadTs: place.threadTs };
    await this.#remember(view.id, { at, ...thread, shown: digestOf(card), editedAt: clock.now() });
    await jobs.add(showBatchJob(view.id, clock.now()));
    worker.look();
  }

  /** Resolves to the time (epoch ms) of the next look. */
  async #show(id: string, attempts: number): Promise<number | undefined> {
    const { batches, web, clock, log } = this.#options;
    const view = await batches.view(id, READER);
    const next = RUNNING.has(view.state) ? clock.now() + LOOK_MS : undefined;
    const drawn = await this.#placeOf(view);
    if (drawn === 'later')
      return clock.now() < (view.endedAt ?? clock.now()) + WAIT_MS ? clock.now() + LOOK_MS : undefined;
    if (drawn === undefined) return next;
    const told = await this.#tell(view, drawn, attempts);
    const card = batchCard(view);
    const shown = digestOf(card);
    if (shown === drawn.shown) return next;
    // A channel stays readable, and Slack's limits are kept.
    const editableAt = (drawn.editedAt ?? 0) + PROGRESS_MS;
    if (clock.now() < editableAt) return editableAt;
    try {
      await web.update(drawn.at, card);
    } catch (error) {
      if (attempts + 1 < MAX_FAILURES) throw error;
      log('info', { batch: id, error: String(error) }, 'failed to update the card of a batch');
      return undefined;
    }
    await this.#remember(id, { ...told, shown, editedAt: clock.now() });
    return next;
  }

  /**
   * Posts a message in the thread of the card, or of the conversation that asked, when the batch has ended or its rule
   * has paused it, because the edit of a card sends no notification. Resolves to what is remembered of the card.
   */
  async #tell(view: BatchView, drawn: Drawn, attempts: number): Promise<Drawn> {
    const isPaused = view.state === 'paused' && view.reason?.why !== 'person';
    if (!isPaused && !ENDED.includes(view.state as (typeof ENDED)[number])) return drawn;
    // A batch can be resumed and pause again before the next look at it, and that pause is posted, too.
    const news = `${view.state} ${view.resumedAt ?? ''}`;
    if (drawn.told === news) return drawn;
    const { gate, web, log } = this.#options;
    const action = view.confirmation === undefined ? undefined : await gate.actions.get(view.confirmation);
    const note = action && noteOf(action);
    const { channel, ts } = drawn.at;
    // The card of a conversation may be in the channel of the approvers, so the message goes to its own thread.
    const place = (note?.turn && note.from) || channel;
    try {
      const threadTs = (note && threadAt(note, place)) ?? drawn.threadTs ?? ts;
      await web.post(place, batchNews(view, note?.asker), { threadTs });
    } catch (error) {
      // A message that may have arrived is not posted again.
      if (!isAmbiguous(error) && attempts + 1 < MAX_FAILURES) throw error;
      log(levelOf(error, 'warn'), { batch: view.id, error: String(error) }, 'failed to post the end of a batch');
    }
    const told = { ...drawn, told: news };
    await this.#remember(view.id, told);
    return told;
  }

  /** The message to edit. `later`: before the card shows the decision, `Cards` is going to update it. */
  async #placeOf(view: BatchView): Promise<Drawn | 'later' | undefined> {
    const stored = await this.#drawn.get(view.id);
    if (stored !== undefined) return JSON.parse(stored) as Drawn;
    const { actions } = this.#options.gate;
    const action = view.confirmation === undefined ? undefined : await actions.get(view.confirmation);
    if (action === undefined || view.startedAt === undefined) return undefined;
    const note = noteOf(action);
    const at = cardAt(note);
    if (at === undefined) return undefined;
    // The decision itself was the first edit.
    return note.shown === 'done' ? { at, editedAt: view.startedAt } : 'later';
  }

  #remember(id: string, drawn: Drawn): Promise<void> {
    return this.#drawn.change(id, this.#options.clock.now() + STORED_MS, () => JSON.stringify(drawn));
  }
}

function digestOf(card: Message): string {
  return createHash('sha256').update(JSON.stringify(card)).digest('base64url');
}
