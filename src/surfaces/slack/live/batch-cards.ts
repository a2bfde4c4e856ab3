import type { Batches, BatchView } from '../../../batches/batches.ts';
import { hasEnded } from '../../../batches/states.ts';
import { SHOW_JOB, showBatchJob } from '../../../batches/store.ts';
import type { Gate } from '../../../gate/gate.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Clock } from '../../../lib/clock.ts';
import { LOOK_MS, PROGRESS_MS } from '../../../lib/durations.ts';
import { textOf } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import { KeyValues, levelOf } from '../../../store/key-values.ts';
import type { Database } from '../../../store/types.ts';
import type { Jobs } from '../../../work/jobs.ts';
import type { Worker } from '../../../work/worker.ts';
import { isAmbiguous } from '../api/block-fallback.ts';
import type { WebApi } from '../api/web.ts';
import { batchMessage, batchNews } from '../blocks/batch.ts';
import { cardAt, noteOf, type Posted, threadAt } from '../types.ts';
import { type ActionMessages, digestOf, READER, RUNNING, STORED_MS } from './messages.ts';

/** Failed updates of a card after which it stays as it is. */
const MAX_FAILURES = 5;
/** The messages that show a batch that was started by a confirmed question: those about its action. */
const KINDS = ['card', 'copy', 'asked', 'reminder'];

/** The card of a batch. */
interface Drawn {
  /** The message of a batch of reads, which has no question, and a digest of its content. */
  at?: Posted;
  shown?: string;
  /** The thread of the conversation that the card is in. */
  threadTs?: string;
  /** Time of the last edit (epoch ms). */
  editedAt?: number;
  /** True if the end was posted as a message. */
  told?: true;
}

export interface BatchCardsOptions {
  batches: Batches;
  gate: Gate;
  messages: ActionMessages;
  web: WebApi;
  jobs: Jobs;
  worker: Pick<Worker, 'on' | 'off' | 'look'>;
  /** Shared by all processes. */
  database: Database;
  clock: Clock;
  log: Log;
}

/**
 * Keeps the cards of batches up to date. The messages about a confirmed question become cards of the run. A batch of
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
    const card = batchMessage(view);
    const at = place ? await web.post(place.channel, card, { threadTs: place.threadTs }) : await web.direct(user, card);
    const thread = place && { threadTs: place.threadTs };
    await this.#remember(view.id, { at, ...thread, shown: digestOf(card), editedAt: clock.now() });
    await jobs.add(showBatchJob(view.id, clock.now()));
    worker.look();
  }

  /** Resolves to the time (epoch ms) of the next look. */
  async #show(id: string, attempts: number): Promise<number | undefined> {
    const { batches, gate, clock, log } = this.#options;
    const view = await batches.view(id, READER);
    // Rows that were sent before a stop are still answered.
    const isRunning = RUNNING.has(view.state) || view.counts.running > 0;
    const next = isRunning ? clock.now() + LOOK_MS : undefined;
    const stored = await this.#drawn.get(id);
    const drawn: Drawn = stored === undefined ? {} : JSON.parse(stored);
    const action = view.confirmation === undefined ? undefined : await gate.actions.get(view.confirmation);
    // Before the start, the messages show the question.
    if (action ? view.startedAt === undefined : drawn.at === undefined) return next;
    const at = drawn.at ?? (action && cardAt(action));
    const told = at ? await this.#tell(view, { action, drawn, at }, attempts) : drawn;
    // A channel stays readable, and Slack's limits are kept. The first edit shows the decision.
    const editableAt = drawn.editedAt === undefined ? 0 : drawn.editedAt + PROGRESS_MS;
    if (clock.now() < editableAt) return editableAt;
    try {
      const edited = action ? await this.#editMessages(action.id, attempts) : await this.#editCard(view, told);
      if (edited) await this.#remember(id, { ...told, ...edited, editedAt: clock.now() });
      return next;
    } catch (error) {
      if (attempts + 1 < MAX_FAILURES) throw error;
      log('info', { batch: id, error: String(error) }, 'failed to update the card of a batch');
      return undefined;
    }
  }

  /** Undefined if nothing had to be edited. */
  async #editMessages(action: string, attempts: number): Promise<Partial<Drawn> | undefined> {
    return (await this.#options.messages.edit(action, KINDS, attempts)) ? {} : undefined;
  }

  async #editCard(view: BatchView, { at, shown: before }: Drawn): Promise<Partial<Drawn> | undefined> {
    const card = batchMessage(view);
    const shown = digestOf(card);
    if (at === undefined || shown === before) return undefined;
    await this.#options.web.update(at, card);
    return { shown };
  }

  /**
   * Posts a message in the thread of the card, or of the conversation that asked, when the batch has ended, because the
   * edit of a card sends no notification. Resolves to what is remembered of the card.
   */
  async #tell(
    view: BatchView,
    { action, drawn, at: { channel, ts } }: { action: Action | undefined; drawn: Drawn; at: Posted },
    attempts: number,
  ): Promise<Drawn> {
    if (drawn.told || !hasEnded(view.state) || view.counts.running > 0) return drawn;
    const { web, log } = this.#options;
    const note = action && noteOf(action);
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
    const told: Drawn = { ...drawn, told: true };
    await this.#remember(view.id, told);
    return told;
  }

  #remember(id: string, drawn: Drawn): Promise<void> {
    return this.#drawn.change(id, this.#options.clock.now() + STORED_MS, () => JSON.stringify(drawn));
  }
}
