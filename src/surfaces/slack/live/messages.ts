import { createHash } from 'node:crypto';
import type { BatchView } from '../../../batches/batches.ts';
import { BATCH_RUN } from '../../../gate/frozen-batch.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Actor } from '../../../lib/actor.ts';
import { DAY_MS, MINUTE_MS } from '../../../lib/clock.ts';
import { RETRY_MS } from '../../../lib/durations.ts';
import { SwitchboardError, Unavailable } from '../../../lib/errors.ts';
import { defined } from '../../../lib/json.ts';
import { isStoreUnavailable } from '../../../store/key-values.ts';
import { isAmbiguous, SlackRefusal } from '../api/refusal.ts';
import { REFUSED_MS } from '../api/web.ts';
import { batchMessage } from '../blocks/batch.ts';
import { actionMessage, ownQuestion, reminderMessage } from '../blocks/card.ts';
import { type Message, notice } from '../blocks/text.ts';
import {
  type ActionMessage,
  BUSY,
  elsewhereOf,
  isOwnQuestion,
  isPerson,
  messagesOf,
  noteOf,
  type Posted,
  SLACK_ACTOR,
  threadAt,
  UNREAD,
} from '../types.ts';
import type { Services } from './services.ts';

/** States that an action leaves only if its outcome is corrected. */
export const SETTLED: ReadonlySet<string> = new Set(['done', 'partly', 'failed', 'unknown', 'declined', 'expired']);
/** States of a batch in which rows are read or sent. */
export const RUNNING: ReadonlySet<BatchView['state']> = new Set(['planning', 'running']);
/** Reads every batch, to draw its card. */
export const READER: Actor = { ...SLACK_ACTOR, role: 'approver', priority: 'background' };
/** The place of a message is stored for this long after it was last used: longer than a batch runs or a call lasts. */
export const STORED_MS = 7 * DAY_MS;

/** Refused edits of an outcome after which it is left out. */
const MAX_EDITS = 4;
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
   * action that has ended is only looked for. `unsure`: Slack did not answer, so the message may be there.
   */
  async post(action: Action, key: string, place: string): Promise<'posted' | 'refused' | 'unsure'> {
    const { web, recipients, clock, log } = this.#services;
    const { unsure, tries = 0 } = messagesOf(action)[key] ?? {};
    const mark = `${action.id} ${key}`;
    const triedAt = clock.now();
    let doubt = unsure;
    let message: ActionMessage | undefined;
    try {
      const [found, ...copies] = unsure ? await web.find(unsure.channel, mark, unsure.threadTs) : [];
      doubt = undefined;
      for (const at of copies) await this.#remember(action.id, { [`copy ${at.ts}`]: { at, triedAt } });
      // It may show an earlier state.
      if (found) message = { at: found, triedAt };
      else if (action.state === 'pending') {
        const drawn = await this.#draw(action, key);
        const isCard = key === 'card' || key === 'mine';
        const channel = isPerson(place) ? await recipients.open(place, isCard ? 'viewer' : 'approver') : place;
        doubt = { channel, ...defined({ threadTs: isCard ? threadAt(noteOf(action), place) : undefined }) };
        // If this process ends before Slack answers, the next one looks for the message.
        await this.#remember(action.id, { [key]: { triedAt, tries, unsure: doubt } });
        message = { at: await web.post(channel, drawn, { ...doubt, mark }), triedAt, shown: digestOf(drawn) };
      }
    } catch (error) {
      if (isStoreUnavailable(error)) throw error;
      log('warn', { action: action.id, place, error: String(error) }, 'failed to post a message about an action');
      // A failed search leaves the doubt; a clear refusal of the message ends it.
      if (doubt !== unsure && !isAmbiguous(error)) doubt = undefined;
      const refused = error instanceof SlackRefusal ? error.reason : String(error);
      message = { triedAt, tries: tries + 1, ...(doubt ? { unsure: doubt } : { refused }) };
    }
    await this.#remember(action.id, { [key]: message });
    return message?.at ? 'posted' : message?.unsure ? 'unsure' : 'refused';
  }

  /** Keeps a posted message up to date from now on. */
  async adopt(id: string, key: string, at: Posted): Promise<void> {
    await this.#remember(id, { [key]: { at, triedAt: this.#services.clock.now() } });
  }

  /**
   * Edits the messages of these kinds that do not show the present state. Resolves to true if one was edited. Rejects if
   * one has to be tried again.
   */
  async edit(id: string, kinds: readonly string[], attempts: number): Promise<boolean> {
    const { gate, web, log } = this.#services;
    const action = await gate.actions.get(id);
    if (!action) return false;
    let isEdited = false;
    let failure: unknown;
    for (const [key, message] of Object.entries(messagesOf(action))) {
      if (!message.at || !kinds.includes(key.split(' ')[0] ?? '')) continue;
      let shown: string | undefined;
      try {
        const drawn = await this.#draw(action, key);
        shown = digestOf(drawn);
        if (shown === message.shown) continue;
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
      }
      await this.#remember(id, { [key]: { ...message, ...defined({ shown }) } });
    }
    if (failure !== undefined) throw failure;
    return isEdited;
  }

  /** The content of a message for the present state. */
  async #draw(action: Action, key: string): Promise<Message> {
    const { gate, reworded, recipients } = this.#services;
    const [kind = '', place = ''] = key.split(' ');
    const tool = gate.tool(action.operation);
    const forApprovers = kind === 'asked' || kind === 'reminder';
    if (forApprovers && isPerson(place)) {
      const may = await recipients.may(place, 'approver');
      if (may === undefined) throw new SlackRefusal('users.info', UNREAD);
      if (!may) return notice('ℹ️', 'You are not an approver any more.');
    }
    const batch = await this.#startedBatch(action);
    // The progress of a run is on its card, so that twenty approvers' messages are not edited every ten seconds.
    if (batch && !(forApprovers && RUNNING.has(batch.state))) return batchMessage(batch);
    const reader = forApprovers ? 'approvers' : kind === 'mine' ? 'requester' : 'everyone';
    const context = {
      tool,
      reworded,
      elsewhere: elsewhereOf(gate, action.id),
      timeZone: gate.timeZone,
      reader,
    } as const;
    if (kind === 'reminder') return reminderMessage(action, context);
    const isOpen = action.state === 'pending' && isOwnQuestion(action);
    return isOpen ? ownQuestion(action, context, { isShared: true }) : actionMessage(action, context);
  }

  /** The batch that was started by this action's yes. Undefined once it was deleted. */
  async #startedBatch(action: Action): Promise<BatchView | undefined> {
    const id = startedBatch(action);
    if (id === undefined) return undefined;
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
  const isRefused = refused !== undefined && !BUSY.has(refused);
  return triedAt + (isRefused ? REFUSED_MS : Math.min(LONGEST_PAUSE_MS, RETRY_MS * 2 ** (tries - 1)));
}

/** Identifies the content of a message. */
export function digestOf(message: Message): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('base64url');
}
