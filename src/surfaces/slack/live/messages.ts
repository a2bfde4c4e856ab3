import { createHash } from 'node:crypto';
import type { Batches, BatchView } from '../../../batches/batches.ts';
import { hasEnded } from '../../../batches/states.ts';
import { SHOW_JOB, showBatchJob } from '../../../batches/store.ts';
import { BATCH_RUN } from '../../../gate/confirmation.ts';
import type { Gate } from '../../../gate/gate.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Actor } from '../../../lib/actor.ts';
import { type Clock, DAY_MS, LOOK_MS, MINUTE_MS, PROGRESS_MS, RETRY_MS, sleep } from '../../../lib/clock.ts';
import { SwitchboardError, Unavailable } from '../../../lib/errors.ts';
import type { Log } from '../../../lib/log.ts';
import { defined, type Fields, textOf } from '../../../lib/values.ts';
import { isStoreUnavailable, KeyValues, levelOf } from '../../../store/key-values.ts';
import type { Database } from '../../../store/types.ts';
import type { Jobs } from '../../../work/jobs.ts';
import type { Handler, Worker } from '../../../work/worker.ts';
import { isFinal, REFUSED_MS, SlackRefusal, type WebApi } from '../api/web.ts';
import { batchMessage, batchNews } from '../blocks/batch.ts';
import { actionMessage, ownQuestion, reminderMessage } from '../blocks/card.ts';
import { expiredQr } from '../blocks/result.ts';
import { type Message, notice } from '../blocks/text.ts';
import type { Roles } from '../people/roles.ts';
import {
  type ActionMessage,
  isOwnQuestion,
  isPerson,
  isUnsure,
  messagesOf,
  noteOf,
  type Posted,
  type Reworder,
  SLACK_ACTOR,
  type SlackConfig,
  threadAt,
  threadOf,
  UNREAD,
} from '../types.ts';

/** The services that this surface shares. */
export interface Services {
  config: SlackConfig;
  gate: Gate;
  batches: Batches;
  /** The later work of this surface, in this process or another one. */
  jobs: Jobs;
  worker: Worker;
  /** Values that all processes share (area slack-seen). */
  database: Database;
  clock: Clock;
  log: Log;
  web: WebApi;
  roles: Roles;
  reworded: Reworder;
}

/** States that an action leaves only if its outcome is corrected. */
export const SETTLED: ReadonlySet<string> = new Set(['done', 'partly', 'failed', 'unknown', 'declined', 'expired']);
/** States of a batch in which rows are read or sent. */
const RUNNING: ReadonlySet<BatchView['state']> = new Set(['planning', 'running']);
/** Reads every batch, to draw its card. */
export const READER: Actor = { ...SLACK_ACTOR, role: 'approver', priority: 'background' };
/** The place of a message is stored for this long after it was last used: longer than a batch runs or a call lasts. */
export const STORED_MS = 7 * DAY_MS;

/** Longest pause before a message that Slack did not answer is posted again. */
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;

/** The messages about actions: each is posted, stored with its action, and edited in its place. */
export class ActionMessages {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Posts a message to a channel or a person, or finds it if the last attempt may have posted it. A message about an
   * action that has ended is only looked for, except the card of a batch that has begun. `unsure`: Slack did not answer, so the message may be there.
   */
  async post(action: Action, key: string, place: string): Promise<'posted' | 'refused' | 'unsure'> {
    const { web, roles, clock, log } = this.#services;
    const earlier = messagesOf(action)[key];
    const tries = earlier?.tries ?? 0;
    const mark = `${action.id} ${key}`;
    const triedAt = clock.now();
    const isCard = key === 'card' || key === 'mine';
    let message: ActionMessage | undefined;
    try {
      const channel = isPerson(place) ? await roles.open(place, isCard ? 'viewer' : 'approver') : place;
      const thread = defined({ threadTs: isCard ? threadAt(noteOf(action), place) : undefined });
      const [found, ...copies] = earlier ? await web.find(channel, mark, thread.threadTs) : [];
      for (const at of copies) await this.#remember(action.id, { [`copy ${at.ts}`]: { at, triedAt } });
      // It may show an earlier state.
      if (found) message = { at: found, triedAt };
      else if (action.state === 'pending' || (key === 'card' && startedBatch(action) !== undefined)) {
        const drawn = await this.#draw(action, key);
        // If this process ends before Slack answers, the next one looks for the message.
        await this.#remember(action.id, { [key]: { triedAt, tries } });
        message = { at: await web.post(channel, drawn, { ...thread, mark }), triedAt, shown: digestOf(drawn) };
      }
    } catch (error) {
      if (isStoreUnavailable(error)) throw error;
      log('warn', { action: action.id, place, error: String(error) }, 'failed to post a message about an action');
      // What passes by itself, such as a failed search, does not say that the message is not there.
      const refused = isFinal(error) ? error.reason : error instanceof SlackRefusal ? undefined : String(error);
      message = { triedAt, tries: tries + 1, ...defined({ refused }) };
    }
    await this.#remember(action.id, { [key]: message });
    return message?.at ? 'posted' : isUnsure(message) ? 'unsure' : 'refused';
  }

  /** Keeps a posted message up to date from now on. */
  async adopt(id: string, key: string, at: Posted): Promise<void> {
    await this.#remember(id, { [key]: { at, triedAt: this.#services.clock.now() } });
  }

  /**
   * Edits the messages of these kinds that do not show the present state. Resolves to true if there was one. Rejects if one
   * has to be tried again. One that Slack refuses to edit is tried again when the action changes or is pressed.
   */
  async edit(id: string, kinds: readonly string[]): Promise<boolean> {
    const { gate, web, log } = this.#services;
    const action = await gate.actions.get(id);
    if (!action) return false;
    let isTried = false;
    let failure: Unavailable | undefined;
    for (const [key, message] of Object.entries(messagesOf(action))) {
      if (!message.at || !kinds.includes(key.split(' ')[0] ?? '')) continue;
      try {
        const drawn = await this.#draw(action, key);
        const shown = digestOf(drawn);
        if (shown === message.shown) continue;
        isTried = true;
        await web.update(message.at, drawn);
        await this.#remember(id, { [key]: { ...message, shown } });
      } catch (error) {
        if (isStoreUnavailable(error)) throw error;
        log('info', { action: id, message: key, error: String(error) }, 'failed to update a message about an action');
        if (!isFinal(error) || error.reason === UNREAD) failure = new Unavailable(String(error));
      }
    }
    if (failure !== undefined) throw failure;
    return isTried;
  }

  /** Tells an end once: in a thread, otherwise the person. A message that may have arrived is not posted again. */
  async tell(message: Message, place: ReturnType<typeof threadOf>, user: string | undefined): Promise<void> {
    const { web, log } = this.#services;
    try {
      if (place) await web.post(place.channel, message, { threadTs: place.threadTs });
      else if (user !== undefined) await web.direct(user, message);
    } catch (error) {
      // The message whose thread this is was deleted, or its channel is closed.
      if (place && user !== undefined && isFinal(error)) return this.tell(message, undefined, user);
      if (!(error instanceof SlackRefusal)) throw error;
      if (!error.ambiguous && !isFinal(error)) throw new Unavailable(String(error));
      log('warn', { error: String(error) }, 'failed to tell an end');
    }
  }

  /** The content of a message for the present state. */
  async #draw(action: Action, key: string): Promise<Message> {
    const [kind = '', place = ''] = key.split(' ');
    const forApprovers = kind === 'asked' || kind === 'reminder';
    if (forApprovers && isPerson(place)) {
      const may = await this.#services.roles.may(place, 'approver');
      if (may === undefined) throw new SlackRefusal('users.info', UNREAD);
      if (!may) return notice('ℹ️', 'You are not an approver any more.');
    }
    const id = startedBatch(action);
    const batch = id === undefined ? undefined : await this.#batchOf(id);
    // The progress of a run is on its card, so that twenty approvers' messages are not edited every ten seconds.
    if (batch && !(forApprovers && RUNNING.has(batch.state))) return batchMessage(batch);
    const reader = forApprovers ? 'approvers' : kind === 'mine' ? 'requester' : 'everyone';
    if (kind === 'reminder') return reminderMessage(this.#services, action);
    const isOpen = action.state === 'pending' && isOwnQuestion(action);
    if (isOpen) return ownQuestion(this.#services, action, { isShared: true });
    return actionMessage(this.#services, action, reader);
  }

  /** Undefined once it was deleted. */
  async #batchOf(id: string): Promise<BatchView | undefined> {
    return this.#services.batches.view(id, READER).catch((error: unknown) => {
      if (error instanceof SwitchboardError && error.face.code === 'not_found') return undefined;
      throw error;
    });
  }

  #remember(id: string, messages: Readonly<Record<string, ActionMessage | undefined>>): Promise<void> {
    return this.#services.gate.notes.merge(id, 'messages', messages);
  }
}

/** Id of the batch that a confirmed question has started. */
export function startedBatch({ operation, state, shown }: Action): string | undefined {
  return operation === BATCH_RUN && state === 'done' ? String(shown.Batch) : undefined;
}

/** The time (epoch ms) at which a message that Slack has not taken is tried again. */
export function nextTry({ triedAt, tries = 1, refused }: ActionMessage): number {
  return triedAt + (refused !== undefined ? REFUSED_MS : Math.min(LONGEST_PAUSE_MS, RETRY_MS * 2 ** (tries - 1)));
}

/** Identifies the content of a message. */
function digestOf(message: Message): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('base64url');
}

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

  readonly handlers: Readonly<Record<string, Handler>> = {
    [SHOW_JOB]: ({ payload }) => this.#show(textOf(payload.id)),
  };

  async close(): Promise<void> {
    this.#closing.abort();
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
  async #show(id: string): Promise<number | undefined> {
    const { batches, gate, clock, log } = this.#services;
    const view = await batches.view(id, READER);
    // Rows that were sent before a stop are still answered.
    const isRunning = RUNNING.has(view.state) || view.counts.running > 0;
    const next = isRunning ? clock.now() + LOOK_MS : undefined;
    const drawn: Drawn = JSON.parse((await this.#drawn.get(id)) ?? '{}');
    const action = view.confirmation === undefined ? undefined : await gate.actions.get(view.confirmation);
    // Before the start, the messages show the question.
    if (action ? view.startedAt === undefined : drawn.at === undefined) return next;
    // A channel stays readable, and Slack's limits are kept. The first edit shows the decision.
    const editableAt = drawn.editedAt === undefined ? 0 : drawn.editedAt + PROGRESS_MS;
    if (clock.now() < editableAt) return editableAt;
    // The end is announced when the card shows it. A report that comes much later is on the card alone.
    const isNew = clock.now() - (view.endedAt ?? 0) < STORED_MS;
    if (hasEnded(view.state) && !isRunning && isNew && !drawn.told) await this.#tell(view, action, drawn);
    try {
      const card = batchMessage(view);
      const shown = digestOf(card);
      let isEdited = false;
      if (action) isEdited = await this.#messages.edit(action.id, KINDS);
      else if (drawn.at !== undefined && shown !== drawn.shown) {
        await this.#services.web.update(drawn.at, card);
        Object.assign(drawn, { shown });
        isEdited = true;
      }
      if (isEdited) await this.#remember(id, { ...drawn, editedAt: clock.now() });
      return next;
    } catch (error) {
      if (!isFinal(error)) throw error instanceof SlackRefusal ? new Unavailable(String(error)) : error;
      log('info', { batch: id, error: String(error) }, 'failed to update the card of a batch');
      return undefined;
    }
  }

  /**
   * Posts a message in the thread of the card, or of the conversation that asked, when the batch has ended, because the
   * edit of a card sends no notification.
   */
  async #tell(view: BatchView, action: Action | undefined, drawn: Drawn): Promise<void> {
    const { at } = drawn;
    const place = at ? { channel: at.channel, threadTs: drawn.threadTs ?? at.ts } : action && threadOf(action);
    if (place === undefined) return;
    const asker = action && noteOf(action).asker;
    await this.#messages.tell(batchNews(view, asker), place, asker);
    drawn.told = true;
    await this.#remember(view.id, drawn);
  }

  #remember(id: string, drawn: Drawn): Promise<void> {
    return this.#drawn.change(id, this.#services.clock.now() + STORED_MS, () => JSON.stringify(drawn));
  }
}

/*
 * Pictures that one person sees in one window. A picture is uploaded without a channel, so that it is private to the
 * app, and the window shows it as a `slack_file`. Slack requires that the sender of the blocks has access to the file
 * ("Slack file object" in its reference). It does not say if the reader needs access too, so the window must also show
 * the content as text. The picture is deleted when the window is closed, and after five minutes at the latest, also by
 * another process and after a restart.
 *
 * Neither a message nor an ephemeral one is used: a message would share the file to its channel, and Slack does not
 * notify the app when an ephemeral message is gone.
 */

/** Name and title of the files in Slack. They must not say what the picture shows. */
const NAME = 'esim.png';
const TITLE = 'eSIM';
/** Time after its upload at which a picture is deleted, if its window was not closed before. */
const KEEP_MS = 4.5 * MINUTE_MS;
/** The kind of the job that deletes the picture of one window. */
export const PICTURE = 'slack.picture';
/** Delays between attempts to show a file, which Slack may not have processed yet when a block refers to it. */
const PROCESSING_MS = [500, 1_000, 2_000, 3_000, 4_000];

/**
 * Uploads a picture for an open window and shows it there. Rejects with `SlackRefusal` if Slack does not take it; the
 * window is then as it was, and the picture is deleted.
 *
 * @param viewOf the window's content, given the file's id
 */
export async function showPicture(services: Services, view: string, png: Uint8Array, viewOf: (file: string) => Fields) {
  const { web, jobs, clock } = services;
  try {
    const { id, url } = await web.reserveUpload({ name: NAME, length: png.length });
    // Stored first: if the process ends, the next one deletes the file.
    const runAt = clock.now() + KEEP_MS;
    await jobs.add({ kind: PICTURE, key: `${PICTURE} ${view}`, payload: { file: id, view, at: runAt }, runAt });
    await web.upload(url, png);
    await web.completeUpload(id, TITLE);
    await showFile(services, view, viewOf(id));
  } catch (error) {
    await pictureClosed(services, view);
    throw error;
  }
}

/** Deletes the picture of a window. One that is being uploaded is deleted when it cannot be shown any more. */
export async function pictureClosed({ jobs, worker }: Services, view: string): Promise<void> {
  await jobs.hasten(`${PICTURE} ${view}`);
  worker.look();
}

async function showFile({ web, clock }: Services, view: string, shown: Fields): Promise<void> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await web.updateView(view, shown);
    } catch (error) {
      const wait = PROCESSING_MS[tried];
      // Slack's answer to a file that it has not processed yet.
      const isProcessing =
        error instanceof SlackRefusal && !error.ambiguous && /invalid[ _]slack[ _]file/i.test(error.message);
      if (wait === undefined || !isProcessing) throw error;
      await sleep(clock, wait);
    }
  }
}

/** Handles the job that deletes the picture of a window. */
export function deletePicture({ web, clock, log }: Services): Handler {
  return async ({ payload }) => {
    const isDue = clock.now() >= Number(payload.at);
    try {
      await web.call('files.delete', { file: payload.file });
    } catch (error) {
      const reason = error instanceof SlackRefusal ? error.reason : '';
      // Before it is due, its upload may still be under way in another process.
      if (reason === 'file_deleted' || (reason === 'file_not_found' && isDue)) return undefined;
      throw new Unavailable(`failed to delete a picture in Slack: ${String(error)}`);
    }
    if (isDue)
      await web.updateView(textOf(payload.view), expiredQr).catch((error: unknown) => {
        log('debug', { error: String(error) }, 'the window of a deleted picture is not open any more');
      });
    return undefined;
  };
}
