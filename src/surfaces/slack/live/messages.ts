import { createHash } from 'node:crypto';
import type { Batches, BatchView } from '../../../batches/batches.ts';
import { BATCH_RUN } from '../../../gate/frozen-batch.ts';
import type { Gate } from '../../../gate/gate.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Actor } from '../../../lib/actor.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../../../lib/clock.ts';
import { RETRY_MS } from '../../../lib/durations.ts';
import { SwitchboardError, Unavailable } from '../../../lib/errors.ts';
import { defined } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import { isStoreUnavailable, KeyValues } from '../../../store/key-values.ts';
import type { Database } from '../../../store/types.ts';
import { isAmbiguous, SlackRefusal } from '../api/block-fallback.ts';
import { REFUSED_MS, type WebApi } from '../api/web.ts';
import { batchMessage } from '../blocks/batch.ts';
import { actionMessage, decidedNotice, reminderMessage, requesterMessage } from '../blocks/card.ts';
import { type Message, notice, rich, say } from '../blocks/text.ts';
import type { Recipients } from '../people/directory.ts';
import {
  type ActionMessage,
  BUSY,
  cardAt,
  elsewhereOf,
  isOwnQuestion,
  isPerson,
  messagesOf,
  noteOf,
  type Posted,
  type Reworder,
  SLACK_ACTOR,
  threadAt,
  UNREAD,
} from '../types.ts';

/** States that an action leaves only if its outcome is corrected. */
export const SETTLED: ReadonlySet<string> = new Set(['done', 'partly', 'failed', 'unknown', 'declined', 'expired']);
/** States of a batch in which rows are read or sent. */
export const RUNNING: ReadonlySet<BatchView['state']> = new Set(['planning', 'running']);
/** Reads every batch, to draw its card. */
export const READER: Actor = { ...SLACK_ACTOR, role: 'approver', priority: 'background' };

/** Refused edits of an outcome after which it is left out or posted elsewhere. */
const MAX_EDITS = 4;
/** Longest pause before a message that Slack did not answer is posted again. */
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;

export interface ActionMessagesOptions {
  gate: Gate;
  batches: Pick<Batches, 'view'>;
  web: WebApi;
  recipients: Recipients;
  reworded: Reworder;
  clock: Clock;
  log: Log;
}

/**
 * The messages about actions: each is posted, stored with its action, and edited in its place. If Slack does not
 * answer a post, the message may appear twice.
 */
export class ActionMessages {
  readonly #options: ActionMessagesOptions;

  constructor(options: ActionMessagesOptions) {
    this.#options = options;
  }

  /**
   * Posts a message to a channel or a person, or finds it if the last attempt may have posted it. A message about an
   * action that has ended is only looked for. `unsure`: Slack did not answer, so the message may be there.
   */
  async post(action: Action, key: string, place: string): Promise<'posted' | 'refused' | 'unsure'> {
    const { web, recipients, clock, log } = this.#options;
    const { unsure, tries = 0 } = messagesOf(action)[key] ?? {};
    const mark = `${action.id} ${key}`;
    const triedAt = clock.now();
    const messages: Record<string, ActionMessage | undefined> = { [key]: undefined };
    let doubt = unsure;
    try {
      const [found, ...copies] = unsure ? await web.find(unsure.channel, mark, unsure.threadTs) : [];
      doubt = undefined;
      for (const copy of copies) messages[`copy ${copy.ts}`] = { at: copy, triedAt };
      // It may show an earlier state.
      if (found) messages[key] = { at: found, triedAt };
      else if (action.state === 'pending') {
        const message = await this.#draw(action, key);
        if (!message) return 'refused';
        const isCard = key === 'card';
        const channel = isPerson(place) ? await recipients.open(place, isCard ? 'viewer' : 'approver') : place;
        doubt = { channel, ...defined({ threadTs: isCard ? threadAt(noteOf(action), place) : undefined }) };
        // If this process ends before Slack answers, the next one looks for the message.
        await this.#remember(action.id, { [key]: { triedAt, tries, unsure: doubt } });
        const at = await web.post(channel, message, { ...doubt, mark });
        messages[key] = { at, triedAt, shown: digestOf(message) };
      }
    } catch (error) {
      if (isStoreUnavailable(error)) throw error;
      log('warn', { action: action.id, place, error: String(error) }, 'failed to post a message about an action');
      if (doubt !== unsure && !isAmbiguous(error)) doubt = undefined;
      const refused = error instanceof SlackRefusal ? error.reason : String(error);
      messages[key] = { triedAt, tries: tries + 1, ...(doubt ? { unsure: doubt } : { refused }) };
    }
    await this.#remember(action.id, messages);
    const { [key]: message } = messages;
    return message?.at ? 'posted' : message?.unsure ? 'unsure' : 'refused';
  }

  /** Keeps a posted message up to date from now on. `isCurrent`: it shows the present state. */
  async adopt(id: string, key: string, at: Posted, isCurrent = false): Promise<void> {
    const action = isCurrent ? await this.#options.gate.actions.get(id) : undefined;
    const drawn = action && (await this.#draw(action, key));
    const shown = drawn && digestOf(drawn);
    await this.#remember(id, { [key]: { at, triedAt: this.#options.clock.now(), ...defined({ shown }) } });
  }

  /** Has all messages of an action edited at the next run, even if they are up to date. */
  async forget(id: string): Promise<void> {
    const action = await this.#options.gate.actions.get(id);
    const messages = Object.entries(action ? messagesOf(action) : {});
    if (messages.length > 0)
      await this.#remember(id, Object.fromEntries(messages.map(([key, { shown: _, ...rest }]) => [key, rest])));
  }

  /**
   * Edits the messages of these kinds that do not show the present state. Resolves to true if one was edited. Rejects if
   * one has to be tried again.
   */
  async edit(id: string, kinds: readonly string[], attempts: number): Promise<boolean> {
    const { gate, web, log } = this.#options;
    const action = await gate.actions.get(id);
    let isEdited = false;
    let failure: unknown;
    for (const [key, message] of Object.entries(action ? messagesOf(action) : {})) {
      if (!action || !message.at || !kinds.includes(key.split(' ')[0] ?? '')) continue;
      let shown: string | undefined;
      try {
        const drawn = await this.#draw(action, key);
        shown = drawn && digestOf(drawn);
        if (!drawn || shown === message.shown) continue;
        await web.update(message.at, drawn);
        isEdited = true;
      } catch (error) {
        if (isStoreUnavailable(error)) throw error;
        log('info', { action: id, message: key, error: String(error) }, 'failed to update a message about an action');
        const isBusy = !(error instanceof SlackRefusal) || BUSY.has(error.reason) || error.reason === UNREAD;
        if (isBusy || (SETTLED.has(action.state) && attempts + 1 < MAX_EDITS)) {
          failure = isBusy ? new Unavailable(String(error)) : error;
          continue;
        }
        // The end of a batch is posted in any case.
        const isLast = SETTLED.has(action.state) && startedBatch(action) === undefined;
        if (key === 'card' && isLast) await this.#postElsewhere(action, message.at);
      }
      // The requester's button is removed once.
      await this.#remember(id, { [key]: key === 'withdraw' ? undefined : { ...message, ...defined({ shown }) } });
    }
    if (failure !== undefined) throw failure;
    return isEdited;
  }

  /** If the card is gone or its channel is closed, the outcome goes into the thread, otherwise to the requester. */
  async #postElsewhere(action: Action, card: Posted): Promise<void> {
    const { web, recipients } = this.#options;
    const note = noteOf(action);
    const drawn = await this.#draw(action, 'card');
    if (!drawn) return;
    const { text, blocks } = drawn;
    const gone = say(rich.italic('The card itself could not be updated.'));
    const message: Message = { text, blocks: [...blocks.filter((block) => block.type !== 'actions'), gone] };
    try {
      await web.post(card.channel, message, { threadTs: threadAt(note, card.channel) ?? card.ts });
    } catch {
      if (note.asker) await web.post(await recipients.open(note.asker, 'viewer'), message);
    }
  }

  /** The content of a message for the present state; undefined: it stays as it is. */
  async #draw(action: Action, key: string): Promise<Message | undefined> {
    const { gate, web, reworded, recipients } = this.#options;
    const [kind = '', place = ''] = key.split(' ');
    const tool = gate.tool(action.operation);
    if (kind === 'withdraw') {
      if (!SETTLED.has(action.state)) return undefined;
      const at = cardAt(action);
      return decidedNotice(action, tool, at && (await web.permalink(at)));
    }
    const forApprovers = kind === 'asked' || kind === 'reminder';
    if (forApprovers && isPerson(place)) {
      const may = await recipients.may(place, 'approver');
      if (may === undefined) throw new SlackRefusal('users.info', UNREAD);
      if (!may) return notice('ℹ️', 'You are not an approver any more.');
    }
    const batch = await this.#startedBatch(action);
    // The progress of a run is on its card, so that twenty approvers' messages are not edited every ten seconds.
    if (batch && !(forApprovers && RUNNING.has(batch.state))) return batchMessage(batch);
    const context = { tool, reworded, elsewhere: elsewhereOf(gate, action.id), timeZone: gate.timeZone, forApprovers };
    if (kind === 'reminder') return reminderMessage(action, context);
    const isOpen = action.state === 'pending' && isOwnQuestion(action);
    return isOpen ? requesterMessage(action, { ...context, isShared: true }) : actionMessage(action, context);
  }

  /** The batch that was started by this action's yes. Undefined once it was deleted. */
  async #startedBatch(action: Action): Promise<BatchView | undefined> {
    const id = startedBatch(action);
    if (id === undefined) return undefined;
    try {
      return await this.#options.batches.view(id, READER);
    } catch (error) {
      if (error instanceof SwitchboardError && error.face.code === 'not_found') return undefined;
      throw error;
    }
  }

  #remember(id: string, messages: Readonly<Record<string, ActionMessage | undefined>>): Promise<void> {
    return this.#options.gate.notes.merge(id, 'messages', messages);
  }
}

/** Id of the batch that a confirmed question has started. */
export function startedBatch({ operation, state, shown }: Action): string | undefined {
  return operation === BATCH_RUN && state === 'done' ? String(shown.Batch) : undefined;
}

/** The time (epoch ms) at which a message that Slack has not taken is tried again. */
export function nextTry({ triedAt, tries = 1, refused }: ActionMessage): number {
  const isRefused = refused !== undefined && !BUSY.has(refused);
  return triedAt + (isRefused ? REFUSED_MS : Math.min(LONGEST_PAUSE_MS, RETRY_MS * 2 ** (tries - 1)));
}

/** Identifies the content of a message. */
export function digestOf(message: Message): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('base64url');
}

/** The message about one subject: an order, a conversation, a call. */
export interface Thread extends Posted {
  /** The content that was last shown, in the caller's encoding. */
  shown: string;
  at: number;
  /** It is in a channel that SLACK_EVENTS_CHANNEL no longer names: nothing is added to it. */
  inOtherChannel: boolean;
}

/** The place of a message is stored for this long after it was last used: longer than a batch runs or a call lasts. */
export const STORED_MS = 7 * DAY_MS;
/** The same for orders and conversations. An order may wait for weeks, and its message is linked in App Homes. */
const LONG_MS = 365 * DAY_MS;

/** The messages in the events channel by subject, shared by all processes. */
export class EventThreads {
  readonly #stored: KeyValues;
  readonly #channel: string;
  readonly #clock: Clock;

  constructor(database: Database, channel: string, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
    this.#stored = new KeyValues({ database, clock, kind: 'event message' });
  }

  async get(key: string): Promise<Thread | undefined> {
    const stored = await this.#stored.get(key);
    if (stored === undefined) return undefined;
    const { eventsChannel, ...thread } = JSON.parse(stored) as Omit<Thread, 'inOtherChannel'> & {
      eventsChannel: string;
    };
    return { ...thread, inOtherChannel: eventsChannel !== this.#channel };
  }

  /** Stores the message about `key` and what it shows. */
  put(key: string, { channel, ts }: Posted, shown: string): Promise<void> {
    const at = this.#clock.now();
    const value = JSON.stringify({ channel, ts, shown, at, eventsChannel: this.#channel });
    return this.#stored.change(key, at + (key.startsWith('call ') ? STORED_MS : LONG_MS), () => value);
  }
}
