import { mayBeCard } from '../../../../tools/surfaces/tasks.ts';
import { showBatchJob } from '../../../batches/store.ts';
import { traitsOf } from '../../../gate/surfaces.ts';
import { codesMade } from '../../../language/outcome.ts';
import { LATER, showJob } from '../../../ledger/later.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { sleep } from '../../../lib/clock.ts';
import { defined, recordOf, textOf } from '../../../lib/json.ts';
import { levelOf } from '../../../store/key-values.ts';
import { LEASE_MS } from '../../../work/holds.ts';
import { isAmbiguous, SlackRefusal } from '../api/refusal.ts';
import { outcomeNotice } from '../blocks/card.ts';
import { activationMessage } from '../blocks/esim.ts';
import { type CardNote, cardAt, isOwnQuestion, messagesOf, noteOf, type Posted, SLACK_ACTOR } from '../types.ts';
import { Approvers } from './approvers.ts';
import { type ActionMessages, nextTry, SETTLED, startedBatch } from './messages.ts';
import type { Services } from './services.ts';

/** Failed attempts to tell an outcome, after which it is left out. */
const MAX_ATTEMPTS = 4;
/** The messages that the job of a card edits. Those to approvers have another job. */
const KINDS = ['card', 'copy', 'withdraw'];
/** Interval between reads of a job that is waited for. */
const READ_MS = 25;

/**
 * One durable message per action that waits or waited for a person, updated whenever the action changes: in this
 * process, in another one, on the page, or because it expired. Failures of Slack never change an action's outcome.
 */
export class Cards {
  readonly #services: Services;
  readonly #messages: ActionMessages;
  readonly #approvers: Approvers;
  readonly #onChange: (id: string) => void;
  readonly #stops: readonly (() => void)[];
  /** Time of the last change that other processes made, as far as it was noticed (epoch ms). */
  #noticed: number;

  /** `onChange` is called with the actions that other processes changed. */
  constructor(services: Services, messages: ActionMessages, onChange: (id: string) => void) {
    const { gate, clock, jobs, worker } = services;
    this.#services = services;
    this.#messages = messages;
    this.#onChange = onChange;
    this.#noticed = clock.now();
    this.#approvers = new Approvers(services, messages);
    this.#stops = [gate.onChange(() => worker.look()), jobs.onOtherWrites(() => void this.#notice())];
  }

  /** Draws the cards whose jobs wait. */
  start(): void {
    this.#services.worker.on(LATER.show, (job) => this.#show(textOf(job.payload.action), job.attempts));
    this.#approvers.start();
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.#services.worker.off([LATER.show]);
    await this.#approvers.close();
  }

  /** Resolves when a process has brought the card up to date, or has tried to. */
  async sync(id: string): Promise<void> {
    const { jobs, worker, clock } = this.#services;
    const job = showJob(id);
    try {
      await jobs.add(job);
      worker.look();
      // A process that has not drawn the card by then is gone.
      const end = clock.now() + LEASE_MS;
      while (clock.now() < end && (await jobs.isDue(job.key))) await sleep(clock, READ_MS);
    } catch (error) {
      this.#log(error, 'error', id, 'failed to bring a card up to date');
    }
  }

  /** The message with an action's card, posted now if necessary. */
  async ensure(id: string): Promise<Posted | undefined> {
    await this.sync(id);
    const action = await this.#services.gate.actions.get(id);
    return action && cardAt(action);
  }

  /** Keeps a clicked message up to date from now on, if it is not known: Slack may show a card twice. */
  async clicked(action: Action, { channel, ts }: { channel: string | undefined; ts: string }): Promise<void> {
    const now = (await this.#services.gate.actions.get(action.id)) ?? action;
    const isKnown = Object.values(messagesOf(now)).some(({ at }) => at?.ts === ts);
    const key = cardAt(now) ? `copy ${ts}` : 'card';
    if (!isKnown && channel !== undefined) await this.#messages.adopt(action.id, key, { channel, ts });
  }

  /** Keeps a posted message up to date from now on: it is the card of this action. */
  async posted(id: string, at: Posted): Promise<void> {
    await this.#messages.adopt(id, 'card', at);
    // A decision that came while it was posted is shown now.
    await this.sync(id);
  }

  /** Removes the requester's button from a message once the action has its outcome. */
  async removeWithdrawLater(id: string, at: Posted): Promise<void> {
    await this.#messages.adopt(id, 'withdraw', at);
    const action = await this.#services.gate.actions.get(id);
    if (action && SETTLED.has(action.state)) await this.sync(id);
  }

  /** Tells the requester the outcome if another person decided. Ephemeral, because the card is the record. */
  async notifyRequester(action: Action, deciderId: string): Promise<void> {
    const { gate, web, recipients, reworded } = this.#services;
    const { asker, from, thread, turn } = noteOf(action);
    if (!asker || asker === deciderId || !SETTLED.has(action.state)) return;
    if (!(await recipients.may(asker, 'viewer'))) return;
    // Slack stores direct messages, so the activation code is only in the ephemeral one.
    const requester = { ...SLACK_ACTOR, id: action.actorId, name: action.actorName, person: action.person };
    const isNew = codesMade(action).length > 0;
    const revealed = isNew ? await gate.reveal({ action: action.id }, requester) : undefined;
    const isUnsure = mayBeCard(action.shown, recordOf(action.notes.guide));
    const activation = revealed && activationMessage(revealed, action.id, isUnsure);
    // The thread of a conversation gets a separate message.
    if (turn && !activation) return;
    const at = cardAt(action);
    const link = at && (await web.permalink(at));
    const message = outcomeNotice(action, { tool: gate.tool(action.operation), reworded }, link);
    // Noted first: the outcome may become known while the message is sent.
    if (action.state === 'unknown') await this.#remember(action.id, { toldUnknown: true });
    try {
      if (!from) throw new Error('no channel');
      const blocks = [...message.blocks, ...(activation?.blocks ?? [])];
      await web.whisper(from, asker, { ...message, blocks }, thread);
    } catch {
      await web.direct(asker, message).catch(() => undefined);
    }
  }

  /** Tells of actions that other processes changed. A failure is ignored, because the next write tells of them too. */
  async #notice(): Promise<void> {
    const { actions } = this.#services.gate;
    const changed = await actions.list({ since: this.#noticed - 1, limit: 200 }).catch(() => []);
    for (const { id, updatedAt } of changed) {
      this.#noticed = Math.max(this.#noticed, updatedAt);
      this.#onChange(id);
    }
  }

  /** Draws a card and puts down the messages to approvers. Resolves to the time (epoch ms) of the next look. */
  async #show(id: string, attempts: number): Promise<number | undefined> {
    const { gate } = this.#services;
    try {
      await this.#bringUpToDate(id, attempts);
    } finally {
      const asked = await gate.actions.get(id);
      if (asked === undefined || !isOwnQuestion(asked)) await this.#approvers.later(id);
    }
    const action = await gate.actions.get(id);
    const card = action && messagesOf(action).card;
    return card && this.#isWanted(action) ? nextTry(card) : undefined;
  }

  async #bringUpToDate(id: string, attempts: number): Promise<void> {
    const { gate, jobs, worker, clock } = this.#services;
    const action = await gate.actions.get(id);
    if (!action) return;
    await this.#tellOutcome(action, attempts);
    const { card } = messagesOf(action);
    // A place that may have taken it is tried again later.
    if (this.#isWanted(action) && (card === undefined || clock.now() >= nextTry(card)))
      for (const place of this.#placesOf(noteOf(action)))
        if ((await this.#messages.post(action, 'card', place)) !== 'refused') break;
    const batch = startedBatch(action);
    // Its job edits the others.
    await this.#messages.edit(id, batch === undefined ? KINDS : ['withdraw'], attempts);
    if (batch !== undefined) {
      await jobs.add({ ...showBatchJob(batch, clock.now()), runAt: clock.now() });
      worker.look();
    }
  }

  /**
   * True while the card has to be posted, or to be looked for after Slack did not answer. Requests in Slack have one,
   * and those of an assistant or a terminal if there is a channel for approvers.
   */
  #isWanted(action: Action): boolean {
    const { SLACK_APPROVALS_CHANNEL, SLACK_EVENTS_CHANNEL } = this.#services.config;
    const { card } = messagesOf(action);
    if (card?.at) return false;
    if (card?.unsure !== undefined) return true;
    if (action.state !== 'pending' || isOwnQuestion(action)) return false;
    const hasChannel = (SLACK_APPROVALS_CHANNEL ?? SLACK_EVENTS_CHANNEL) !== undefined;
    return noteOf(action).asker !== undefined || (hasChannel && traitsOf(action.surface).shownToApprovers);
  }

  /** Channels and users that the card may be posted to, in order: channels first, then the requester. */
  #placesOf({ from, asker }: CardNote): string[] {
    const { SLACK_APPROVALS_CHANNEL, SLACK_EVENTS_CHANNEL } = this.#services.config;
    // Approvers cannot see a card in a direct message, so their channel comes first then.
    const isDirect = from?.startsWith('D') === true;
    const [first, last] = isDirect ? [undefined, from] : [from, undefined];
    const places = [first, SLACK_APPROVALS_CHANNEL, SLACK_EVENTS_CHANNEL, last, asker || undefined];
    return [...new Set(places.filter((one) => one !== undefined))];
  }

  /**
   * Tells an outcome that nobody saw, because the edit of a card sends no notification: in the thread of the
   * conversation that asked, otherwise to the requester if it expired or an unknown outcome is known now.
   */
  async #tellOutcome(action: Action, attempts: number): Promise<void> {
    const { turn, told, toldUnknown, asker, from } = noteOf(action);
    const isUnknown = action.state === 'unknown';
    const isKnownNow = toldUnknown === true && SETTLED.has(action.state) && !isUnknown;
    if (turn) {
      if (from !== undefined && SETTLED.has(action.state) && (!told || isKnownNow)) {
        await this.#postOutcome(action, from, attempts);
        await this.#remember(action.id, { told: true, toldUnknown: isUnknown ? true : undefined });
      }
      return;
    }
    // A guide tells its person itself, and an own change waits for no other person.
    const waited = !isOwnQuestion(action) && Object.keys(recordOf(action.notes.guide)).length === 0;
    if (asker === undefined || !(isKnownNow || (action.state === 'expired' && !told && waited))) return;
    // Before the message: one that may have arrived is not sent again.
    await this.#remember(action.id, { told: true, toldUnknown: undefined });
    await this.notifyRequester(action, '');
  }

  async #postOutcome(action: Action, from: string, attempts: number): Promise<void> {
    const { web, agent, gate, reworded } = this.#services;
    const { thread: threadTs, asker } = noteOf(action);
    const message = outcomeNotice(action, { tool: gate.tool(action.operation), reworded });
    try {
      await web.post(from, message, defined({ threadTs }));
    } catch (error) {
      // Its writer deleted the message whose thread this is.
      if (error instanceof SlackRefusal && error.reason === 'thread_not_found' && asker !== undefined)
        await web.direct(asker, message);
      // A message that may have arrived is not posted again.
      else if (!isAmbiguous(error) && attempts + 1 < MAX_ATTEMPTS) throw error;
      else this.#log(error, 'warn', action.id, 'failed to post an outcome in its conversation');
    }
    if (threadTs !== undefined) await agent.session({ channel: from, threadTs }, 'active');
  }

  #log(error: unknown, level: 'error' | 'warn', action: string, text: string): void {
    this.#services.log(levelOf(error, level), { action, error: String(error) }, text);
  }

  #remember(id: string, note: CardNote): Promise<void> {
    return this.#services.gate.notes.merge(id, 'slack', { ...note });
  }
}
