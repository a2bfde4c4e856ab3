import { mayBeCard } from '../../../../tools/surfaces/tasks.ts';
import { showBatchJob } from '../../../batches/store.ts';
import type { Gate } from '../../../gate/gate.ts';
import { traitsOf } from '../../../gate/surfaces.ts';
import { codesMade } from '../../../language/outcome.ts';
import { LATER, showJob } from '../../../ledger/later.ts';
import type { Action, ActionsView, Notes } from '../../../ledger/ledger.ts';
import { type Clock, sleep } from '../../../lib/clock.ts';
import { recordOf, textOf } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import { levelOf } from '../../../store/key-values.ts';
import { LEASE_MS } from '../../../work/holds.ts';
import type { Jobs, NewJob } from '../../../work/jobs.ts';
import type { Worker } from '../../../work/worker.ts';
import type { AgentApi } from '../api/agent.ts';
import { isAmbiguous, SlackRefusal } from '../api/block-fallback.ts';
import type { WebApi } from '../api/web.ts';
import { outcomeNotice } from '../blocks/card.ts';
import { activationMessage } from '../blocks/esim.ts';
import type { Recipients } from '../people/directory.ts';
import {
  type CardNote,
  cardAt,
  isOwnQuestion,
  messagesOf,
  noteOf,
  type Posted,
  type Reworder,
  SLACK_ACTOR,
  type SlackConfig,
} from '../types.ts';
import { Approvers } from './approvers.ts';
import { type ActionMessages, nextTry, SETTLED, startedBatch } from './messages.ts';

/** Failed attempts to tell an outcome, after which it is left out. */
const MAX_ATTEMPTS = 4;
/** The messages that the job of a card edits. Those to approvers have another job. */
const KINDS = ['card', 'copy', 'withdraw'];

export interface CardsOptions {
  config: SlackConfig;
  gate: Gate;
  messages: ActionMessages;
  web: WebApi;
  agent: AgentApi;
  clock: Clock;
  log: Log;
  recipients: Recipients;
  reworded: Reworder;
  jobs: Jobs;
  worker: Pick<Worker, 'on' | 'off' | 'look'>;
  /** Called with the actions that other processes changed. */
  onChange: (id: string) => void;
}

/**
 * One durable message per action that waits or waited for a person, updated whenever the action changes: in this
 * process, in another one, on the page, or because it expired. Failures of Slack never change an action's outcome.
 */
export class Cards {
  readonly #options: CardsOptions;
  readonly #actions: ActionsView;
  readonly #notes: Notes;
  readonly #approvers: Approvers;
  readonly #unsubscribe: () => void;
  /** Time of the last change that other processes made, as far as it was noticed (epoch ms). */
  #noticed: number;

  constructor(options: CardsOptions) {
    const { gate, clock, jobs, worker } = options;
    this.#options = options;
    this.#noticed = clock.now();
    this.#actions = gate.actions;
    this.#notes = gate.notes;
    this.#approvers = new Approvers(options);
    const stops = [gate.onChange(() => worker.look()), jobs.onOtherWrites(() => void this.#notice())];
    this.#unsubscribe = () => {
      for (const stop of stops) stop();
    };
  }

  /** Draws the cards whose jobs wait. */
  start(): void {
    const { worker } = this.#options;
    worker.on(LATER.show, (job) => this.#show(textOf(job.payload.action), job.attempts));
    this.#approvers.start();
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await this.#options.worker.off([LATER.show]);
    await this.#approvers.close();
  }

  /** Resolves when a process has brought the card up to date, or has tried to. */
  async sync(id: string): Promise<void> {
    // A process that has not drawn the card by then is gone.
    await addAndWait(this.#options, showJob(id), LEASE_MS).catch(this.#failed(id));
  }

  /** Redraws all messages about an action, even if they are up to date. */
  async refresh(id: string): Promise<void> {
    await this.#options.messages.forget(id).catch(this.#failed(id));
    await this.sync(id);
  }

  #failed(id: string): (error: unknown) => void {
    return (error) =>
      this.#options.log(
        levelOf(error, 'error'),
        { action: id, error: String(error) },
        'failed to bring a card up to date',
      );
  }

  /** The message with an action's card, posted now if necessary. */
  async ensure(id: string): Promise<Posted | undefined> {
    await this.sync(id);
    const action = await this.#actions.get(id);
    return action && cardAt(action);
  }

  /** True unless the clicked message is the card of another action. A further copy of the card is updated from now on. */
  async clicked(action: Action, at: { channel: string | undefined; ts: string }): Promise<boolean> {
    const now = (await this.#actions.get(action.id)) ?? action;
    if (isAt(now, at.ts)) return true;
    const latest = await this.#actions.list({ limit: 500 });
    if (latest.some((other) => other.id !== action.id && isAt(other, at.ts))) return false;
    const { channel, ts } = at;
    const key = cardAt(now) ? `copy ${ts}` : 'card';
    if (channel !== undefined) await this.#options.messages.adopt(action.id, key, { channel, ts });
    return true;
  }

  /** Keeps a posted message up to date from now on: it is the card of this action. */
  async posted(id: string, at: Posted): Promise<void> {
    await this.#options.messages.adopt(id, 'card', at, true);
    // A decision that came while it was posted is shown now.
    await this.sync(id);
  }

  /** Removes the requester's button from a message once the action has its outcome. */
  async removeWithdrawLater(id: string, at: Posted): Promise<void> {
    await this.#options.messages.adopt(id, 'withdraw', at);
    const action = await this.#actions.get(id);
    if (action && SETTLED.has(action.state)) await this.sync(id);
  }

  /** Tells the requester the outcome if another person decided. Ephemeral, because the card is the record. */
  async notifyRequester(action: Action, deciderId: string): Promise<void> {
    const { gate, web, recipients, reworded } = this.#options;
    const note = noteOf(action);
    if (!note.asker || note.asker === deciderId || !SETTLED.has(action.state)) return;
    if (!(await recipients.may(note.asker, 'viewer'))) return;
    const at = cardAt(action);
    const message = outcomeNotice(
      action,
      { tool: gate.tool(action.operation), reworded },
      at && (await web.permalink(at)),
    );
    // Slack stores direct messages, so the activation code is only in the ephemeral one.
    const requester = { ...SLACK_ACTOR, id: action.actorId, name: action.actorName, person: action.person };
    const isNew = codesMade(action).length > 0;
    const revealed = isNew ? await gate.reveal({ action: action.id }, requester) : undefined;
    const activation =
      revealed && activationMessage(revealed, action.id, mayBeCard(action.shown, recordOf(action.notes.guide)));
    // The thread of a conversation gets a separate message.
    if (note.turn && !activation) return;
    const ephemeral = { ...message, blocks: [...message.blocks, ...(activation?.blocks ?? [])] };
    // Noted first: the outcome may become known while the message is sent.
    if (action.state === 'unknown') await this.#remember(action.id, { toldUnknown: true });
    try {
      if (!note.from) throw new Error('no channel');
      await web.whisper(note.from, note.asker, ephemeral, note.thread);
    } catch {
      await web.direct(note.asker, message).catch(() => undefined);
    }
  }

  /** Tells the requester of an end without a click: it expired, or an unknown outcome became known. */
  async #tellRequester(action: Action): Promise<void> {
    // Before the message: one that may have arrived is not sent again.
    await this.#remember(action.id, { told: true, toldUnknown: undefined });
    await this.notifyRequester(action, '');
  }

  /** Tells of actions that other processes changed. A failure is ignored, because the next write tells of them too. */
  async #notice(): Promise<void> {
    const changed = await this.#actions.list({ since: this.#noticed - 1, limit: 200 }).catch(() => []);
    for (const { id, updatedAt } of changed) {
      this.#noticed = Math.max(this.#noticed, updatedAt);
      this.#options.onChange(id);
    }
  }

  /** Draws a card and puts down the messages to approvers. Resolves to the time (epoch ms) of the next look. */
  async #show(id: string, attempts: number): Promise<number | undefined> {
    try {
      await this.#bringUpToDate(id, attempts);
    } finally {
      const asked = await this.#actions.get(id);
      if (asked === undefined || !isOwnQuestion(asked)) await this.#approvers.later(id);
    }
    const action = await this.#actions.get(id);
    const card = action && messagesOf(action).card;
    return card && this.#isWanted(action) ? nextTry(card) : undefined;
  }

  async #bringUpToDate(id: string, attempts: number): Promise<void> {
    const { messages, jobs, worker, clock } = this.#options;
    const action = await this.#actions.get(id);
    if (!action) return;
    if (isUntold(action)) await this.#tellOutcome(action, noteOf(action), attempts);
    else if (isUnnoticed(action)) await this.#tellRequester(action);
    if (this.#isWanted(action)) await this.#post(action);
    const batch = startedBatch(action);
    // Its job edits the others.
    await messages.edit(id, batch === undefined ? KINDS : ['withdraw'], attempts);
    if (batch !== undefined) {
      await jobs.add({ ...showBatchJob(batch, clock.now()), runAt: clock.now() });
      worker.look();
    }
  }

  /** True while the card has to be posted, or to be looked for after Slack did not answer. */
  #isWanted(action: Action): boolean {
    const { card } = messagesOf(action);
    if (card?.at) return false;
    return card?.unsure !== undefined || (action.state === 'pending' && this.#isOurs(action));
  }

  /** Posts the card in the first place that takes it. A place that may have taken it is tried again later. */
  async #post(action: Action): Promise<void> {
    const { card } = messagesOf(action);
    if (card && this.#options.clock.now() < nextTry(card)) return;
    for (const place of this.#placesOf(noteOf(action)))
      if ((await this.#options.messages.post(action, 'card', place)) !== 'refused') return;
  }

  /** Channels and users that the card may be posted to, in order: channels first, then the requester. */
  #placesOf(note: CardNote): string[] {
    // Approvers cannot see a card in a direct message, so their channel comes first then.
    const { SLACK_APPROVALS_CHANNEL, SLACK_EVENTS_CHANNEL } = this.#options.config;
    const channels = [note.from, SLACK_APPROVALS_CHANNEL, SLACK_EVENTS_CHANNEL].filter((one) => one !== undefined);
    if (note.from?.startsWith('D') === true) channels.push(...channels.splice(0, 1));
    return [...new Set([...channels, ...(note.asker ? [note.asker] : [])])];
  }

  /** Posts the outcome in the thread of the conversation that asked, because the edit of a card sends no notification. */
  async #tellOutcome(action: Action, { from, thread, asker }: CardNote, attempts: number): Promise<void> {
    const { web, agent, gate, log, reworded } = this.#options;
    if (from === undefined) return;
    const message = outcomeNotice(action, { tool: gate.tool(action.operation), reworded });
    try {
      await web.post(from, message, thread === undefined ? {} : { threadTs: thread });
    } catch (error) {
      // Its writer deleted the message whose thread this is.
      if (error instanceof SlackRefusal && error.reason === 'thread_not_found' && asker !== undefined)
        await web.direct(asker, message);
      // A message that may have arrived is not posted again.
      else if (!isAmbiguous(error) && attempts + 1 < MAX_ATTEMPTS) throw error;
      else
        log(
          levelOf(error, 'warn'),
          { action: action.id, error: String(error) },
          'failed to post an outcome in its conversation',
        );
    }
    await this.#remember(action.id, {
      told: true,
      toldUnknown: action.state === 'unknown' ? true : undefined,
    });
    if (thread !== undefined) await agent.session({ channel: from, threadTs: thread }, 'active');
  }

  /** True for requests in Slack, and for requests of an assistant or a terminal if there is a channel for approvers. */
  #isOurs(action: Action): boolean {
    if (isOwnQuestion(action)) return false;
    if (noteOf(action).asker !== undefined) return true;
    const { SLACK_APPROVALS_CHANNEL, SLACK_EVENTS_CHANNEL } = this.#options.config;
    const channel = SLACK_APPROVALS_CHANNEL ?? SLACK_EVENTS_CHANNEL;
    return channel !== undefined && traitsOf(action.surface).shownToApprovers;
  }

  #remember(id: string, note: CardNote): Promise<void> {
    return this.#notes.merge(id, 'slack', { ...note });
  }
}

/** True if the message `ts` is one of those about the action. */
function isAt(action: Action, ts: string): boolean {
  return Object.values(messagesOf(action)).some(({ at }) => at?.ts === ts);
}

/** True if the thread of a conversation still has to learn the outcome. */
function isUntold(action: Action): boolean {
  const { turn, told } = noteOf(action);
  if (turn !== true || !SETTLED.has(action.state)) return false;
  return told !== true || isKnownNow(action);
}

/** True if the last word about the action was that its outcome is unknown, and it is known now. */
function isKnownNow(action: Action): boolean {
  return noteOf(action).toldUnknown === true && SETTLED.has(action.state) && action.state !== 'unknown';
}

/** True if the requester, who gets a message about a click of another person, needs one without a click. */
function isUnnoticed(action: Action): boolean {
  const { turn, told, asker } = noteOf(action);
  if (turn === true || asker === undefined) return false;
  // A guide tells its person itself, and an own change waits for no other person.
  const waited = !isOwnQuestion(action) && Object.keys(recordOf(action.notes.guide)).length === 0;
  return isKnownNow(action) || (action.state === 'expired' && told !== true && waited);
}

/** Interval between reads of a job that is waited for. */
const READ_MS = 25;

/** Adds a job, and resolves when a process has tried it, or after `maxMs`. */
async function addAndWait(
  { jobs, worker, clock }: { jobs: Jobs; worker: Pick<Worker, 'look'>; clock: Clock },
  job: NewJob & { key: string },
  maxMs: number,
): Promise<void> {
  await jobs.add(job);
  worker.look();
  const end = clock.now() + maxMs;
  while (clock.now() < end && (await jobs.isDue(job.key))) await sleep(clock, READ_MS);
}
