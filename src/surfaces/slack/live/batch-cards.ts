import type { BatchView } from '../../../batches/batches.ts';
import { hasEnded } from '../../../batches/states.ts';
import { SHOW_JOB, showBatchJob } from '../../../batches/store.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { LOOK_MS, PROGRESS_MS } from '../../../lib/durations.ts';
import { textOf } from '../../../lib/json.ts';
import { KeyValues, levelOf } from '../../../store/key-values.ts';
import { isAmbiguous } from '../api/refusal.ts';
import { batchMessage, batchNews } from '../blocks/batch.ts';
import { noteOf, type Posted, threadOf } from '../types.ts';
import { type ActionMessages, digestOf, READER, RUNNING, STORED_MS } from './messages.ts';
import type { Services } from './services.ts';

/** Failed updates of a card after which it stays as it is. */
const MAX_FAILURES = 5;
/** The messages that show a batch that was started by a confirmed question: those about its action. */
const KINDS = ['card', 'mine', 'copy', 'asked', 'reminder'];

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

/**
 * Keeps the cards of batches up to date. The messages about a confirmed question become cards of the run. A batch of
 * reads has no question; its card is posted by `post`.
 */
export class BatchCards {
  readonly #services: Services;
  readonly #messages: ActionMessages;
  readonly #drawn: KeyValues;
  readonly #work = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(services: Services, messages: ActionMessages) {
    this.#services = services;
    this.#messages = messages;
    this.#drawn = new KeyValues({ ...services, kind: 'batch card' });
  }

  /** Aborts when the app is closed. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  start(): void {
    this.#services.worker.on(SHOW_JOB, ({ payload, attempts }) => this.#show(textOf(payload.id), attempts));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#services.worker.off([SHOW_JOB]);
    await Promise.allSettled([...this.#work]);
  }

  /** Runs work on a batch that lasts longer than a request. `close` waits for it. */
  track(work: Promise<void>): void {
    const done = work.catch((error: unknown) => {
      this.#services.log(levelOf(error, 'error'), { error: String(error) }, 'failed to follow a batch');
    });
    this.#work.add(done);
    void done.finally(() => this.#work.delete(done));
  }

  /** Posts the card of a batch of reads to its requester, in a direct message or in this thread. */
  async post(view: BatchView, user: string, place?: { channel: string; threadTs: string }): Promise<void> {
    const { web, jobs, worker, clock } = this.#services;
    const card = batchMessage(view);
    const at = place ? await web.post(place.channel, card, { threadTs: place.threadTs }) : await web.direct(user, card);
    const thread = place && { threadTs: place.threadTs };
    await this.#remember(view.id, { at, ...thread, shown: digestOf(card), editedAt: clock.now() });
    await jobs.add(showBatchJob(view.id, clock.now()));
    worker.look();
  }

  /** Resolves to the time (epoch ms) of the next look. */
  async #show(id: string, attempts: number): Promise<number | undefined> {
    const { batches, gate, clock, log } = this.#services;
    const view = await batches.view(id, READER);
    // Rows that were sent before a stop are still answered.
    const isRunning = RUNNING.has(view.state) || view.counts.running > 0;
    const next = isRunning ? clock.now() + LOOK_MS : undefined;
    const drawn: Drawn = JSON.parse((await this.#drawn.get(id)) ?? '{}');
    const action = view.confirmation === undefined ? undefined : await gate.actions.get(view.confirmation);
    // Before the start, the messages show the question.
    if (action ? view.startedAt === undefined : drawn.at === undefined) return next;
    if (hasEnded(view.state) && !isRunning && !drawn.told) await this.#tell(view, action, drawn, attempts);
    // A channel stays readable, and Slack's limits are kept. The first edit shows the decision.
    const editableAt = drawn.editedAt === undefined ? 0 : drawn.editedAt + PROGRESS_MS;
    if (clock.now() < editableAt) return editableAt;
    try {
      const isEdited = action
        ? await this.#messages.edit(action.id, KINDS, attempts)
        : await this.#editCard(view, drawn);
      if (isEdited) await this.#remember(id, { ...drawn, editedAt: clock.now() });
      return next;
    } catch (error) {
      if (attempts + 1 < MAX_FAILURES) throw error;
      log('info', { batch: id, error: String(error) }, 'failed to update the card of a batch');
      return undefined;
    }
  }

  /** False if nothing had to be edited. */
  async #editCard(view: BatchView, drawn: Drawn): Promise<boolean> {
    const card = batchMessage(view);
    const shown = digestOf(card);
    if (drawn.at === undefined || shown === drawn.shown) return false;
    await this.#services.web.update(drawn.at, card);
    drawn.shown = shown;
    return true;
  }

  /**
   * Posts a message in the thread of the card, or of the conversation that asked, when the batch has ended, because the
   * edit of a card sends no notification.
   */
  async #tell(view: BatchView, action: Action | undefined, drawn: Drawn, attempts: number): Promise<void> {
    const { web, log } = this.#services;
    const { at } = drawn;
    const place = at ? { channel: at.channel, threadTs: drawn.threadTs ?? at.ts } : action && threadOf(action);
    if (place === undefined) return;
    try {
      await web.post(place.channel, batchNews(view, action && noteOf(action).asker), { threadTs: place.threadTs });
    } catch (error) {
      // A message that may have arrived is not posted again.
      if (!isAmbiguous(error) && attempts + 1 < MAX_FAILURES) throw error;
      log(levelOf(error, 'warn'), { batch: view.id, error: String(error) }, 'failed to post the end of a batch');
    }
    drawn.told = true;
    await this.#remember(view.id, drawn);
  }

  #remember(id: string, drawn: Drawn): Promise<void> {
    return this.#drawn.change(id, this.#services.clock.now() + STORED_MS, () => JSON.stringify(drawn));
  }
}
