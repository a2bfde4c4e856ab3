import type { Gate } from '../../../gate/gate.ts';
import type { Absences } from '../../../ledger/absences.ts';
import { LATER, showJob } from '../../../ledger/later.ts';
import type { Action, ActionsView, Notes } from '../../../ledger/ledger.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Unavailable } from '../../../lib/errors.ts';
import { textOf } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import { levelOf } from '../../../store/unavailable.ts';
import { LEASE_MS } from '../../../work/holds.ts';
import type { Jobs } from '../../../work/jobs.ts';
import { addAndWait } from '../../../work/wait.ts';
import type { Worker } from '../../../work/worker.ts';
import type { AgentApi } from '../api/agent.ts';
import { isAmbiguous, SlackRefusal } from '../api/refusal.ts';
import type { WebApi } from '../api/web.ts';
import { actionCard, reminderCard } from '../blocks/card.ts';
import { activationMessage } from '../blocks/esim.ts';
import { decidedNotice, outcomeNotice } from '../blocks/outcome-notice.ts';
import { requesterCard } from '../blocks/requester-card.ts';
import { type Message, rich, say } from '../blocks/text.ts';
import type { Recipients } from '../people/recipients.ts';
import {
  BUSY,
  type CardNote,
  cardAt,
  elsewhereOf,
  isOwnQuestion,
  noteOf,
  type Posted,
  type Reworder,
  SLACK_ACTOR,
  type SlackConfig,
  stepEndJob,
  stepsOf,
  threadAt,
} from '../types.ts';
import { Approvers } from './approvers.ts';
import { CardPoster } from './card-poster.ts';
import { isAt, isCurrent, isUntold, SETTLED, shownBy } from './card-state.ts';
import { OncePoster } from './post-once.ts';

/** Failed attempts to tell an outcome or to update a card, after which it is left out or posted elsewhere. */
const MAX_ATTEMPTS = 4;
/** Maximum wait of a requester's notice of a decline for the reason of the person who declined. */
const REASON_MS = 2 * 60_000;
/** The kind of the job that tells a requester of a decline. */
const DECLINED = 'slack.declined';

export interface CardsOptions {
  config: SlackConfig;
  gate: Gate;
  web: WebApi;
  agent: AgentApi;
  clock: Clock;
  log: Log;
  reworded: Reworder;
  recipients: Recipients;
  absences: Pick<Absences, 'list'>;
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
  readonly #poster: CardPoster;
  readonly #approvers: Approvers;
  readonly #unsubscribe: () => void;
  /** Time of the last change that other processes made, as far as it was noticed (epoch ms). */
  #noticed: number;

  constructor(options: CardsOptions) {
    const { config, gate, web, recipients, absences, clock, log, jobs, worker } = options;
    this.#options = options;
    this.#noticed = clock.now();
    this.#actions = gate.actions;
    this.#notes = gate.notes;
    const once = new OncePoster({ web, clock, log });
    this.#poster = new CardPoster({
      config,
      actions: gate.actions,
      notes: gate.notes,
      web,
      once,
      recipients,
      clock,
      log,
      draw: (action) => this.#draw(action),
    });
    this.#approvers = new Approvers({
      config,
      gate,
      web,
      once,
      recipients,
      absences,
      clock,
      log,
      worker,
      jobs,
      draw: (action, kind) => {
        const context = { ...this.#cardContext(action), forApprovers: true };
        return kind === 'reminder' ? reminderCard(action, context) : actionCard(action, context);
      },
      cardPlaces: (action) => this.#cardPlaces(action),
    });
    const stops = [gate.onChange(() => worker.look()), jobs.onOtherWrites(() => void this.#notice())];
    this.#unsubscribe = () => {
      for (const stop of stops) stop();
    };
  }

  /** Draws the cards whose jobs wait. */
  start(): void {
    const { worker } = this.#options;
    worker.on(LATER.show, (job) => this.#show(textOf(job.payload.action), job.attempts));
    worker.on(DECLINED, async ({ payload }) => {
      const declined = await this.#actions.get(textOf(payload.action));
      if (declined) await this.notifyRequester(declined, textOf(payload.decider));
    });
    this.#approvers.start();
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await this.#options.worker.off([LATER.show, DECLINED]);
    await this.#approvers.close();
  }

  /** Resolves when a process has brought the card up to date, or has tried to. */
  async sync(id: string): Promise<void> {
    try {
      // A process that has not drawn the card by then is gone.
      await addAndWait(this.#options, showJob(id), LEASE_MS);
    } catch (error) {
      this.#options.log(
        levelOf(error, 'error'),
        { action: id, error: String(error) },
        'failed to bring a card up to date',
      );
    }
  }

  /** Redraws a card, and the messages to approvers, even if they are up to date. */
  async refresh(id: string): Promise<void> {
    await this.#remember(id, { shown: undefined });
    await this.#approvers.refresh(id);
    await this.sync(id);
  }

  /** The message with an action's card, posted now if necessary. */
  async ensure(id: string): Promise<Posted | undefined> {
    await this.sync(id);
    const action = await this.#actions.get(id);
    return action && cardAt(noteOf(action));
  }

  /** True unless the clicked message is the card of another action. A further copy of the card is updated from now on. */
  async clicked(action: Action, at: { channel: string | undefined; ts: string }): Promise<boolean> {
    const now = (await this.#actions.get(action.id)) ?? action;
    if (isAt(now, at.ts)) return true;
    const latest = await this.#actions.list({ limit: 500 });
    if (latest.some((other) => other.id !== action.id && isAt(other, at.ts))) return false;
    const note = noteOf(now);
    const { channel, ts } = at;
    if (channel === undefined) return true;
    if (note.ts === undefined) await this.#remember(action.id, { channel, ts, shown: undefined });
    else await this.#remember(action.id, { copies: [...(note.copies ?? []), { channel, ts }] });
    return true;
  }

  /** Keeps a posted message up to date from now on: it is the card of this action. */
  async posted(id: string, at: Posted): Promise<void> {
    await this.#remember(id, { ...at, shown: 'pending', asks: '' });
    // A decision that came while it was posted is shown now.
    await this.sync(id);
  }

  /** Removes the requester's button from a message once the action has its outcome. */
  async removeWithdrawLater(id: string, at: Posted): Promise<void> {
    await this.#remember(id, { withdrawAt: at });
    const action = await this.#actions.get(id);
    if (action && SETTLED.has(action.state)) await this.sync(id);
  }

  /** Tells the requester of a decline, at the latest after two minutes, so that one message also gives the reason. */
  notifyDeclined({ id }: Action, deciderId: string): Promise<void> {
    return this.#addDeclined(id, deciderId, REASON_MS);
  }

  /** Tells the requester the reason: in the notice of the decline, or in a second one if that was sent before. */
  notifyReason({ id }: Action, deciderId: string): Promise<void> {
    return this.#addDeclined(id, deciderId, 0);
  }

  /** Sends the notice of a decline that still waits for a reason: none is going to be given. */
  async noReasonFollows(id: string): Promise<void> {
    const { jobs, worker } = this.#options;
    await jobs.hasten(declinedKey(id));
    worker.look();
  }

  async #addDeclined(id: string, decider: string, delayMs: number): Promise<void> {
    const { jobs, worker, clock } = this.#options;
    const payload = { action: id, decider };
    await jobs.add({ kind: DECLINED, key: declinedKey(id), payload, runAt: clock.now() + delayMs });
    worker.look();
  }

  /** Tells the requester the outcome if another person decided. Ephemeral, because the card is the record. */
  async notifyRequester(action: Action, deciderId: string): Promise<void> {
    const { gate, web, recipients } = this.#options;
    const note = noteOf(action);
    if (!note.asker || note.asker === deciderId || !SETTLED.has(action.state)) return;
    if (!(await recipients.may(note.asker, 'viewer'))) return;
    const at = cardAt(note);
    const message = outcomeNotice(action, gate.tool(action.operation), at && (await web.permalink(at)));
    // Slack stores direct messages, so the activation code is only in the ephemeral one.
    const requester = { ...SLACK_ACTOR, id: action.actorId, name: action.actorName, person: action.person };
    const revealed = await gate.reveal({ action: action.id }, requester);
    const activation = revealed && activationMessage(revealed, action.id);
    // The thread of a conversation gets a separate message.
    if (note.turn && !activation) return;
    const ephemeral = { ...message, blocks: [...message.blocks, ...(activation?.blocks ?? [])] };
    try {
      if (!note.from) throw new Error('no channel');
      await web.whisper(note.from, note.asker, ephemeral, note.thread);
    } catch {
      await web.direct(note.asker, message).catch(() => undefined);
    }
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
      if (asked !== undefined) await this.#lookAtSteps(asked);
    }
    const action = await this.#actions.get(id);
    return action && this.#poster.nextLook(action, this.#isOurs(action));
  }

  /** Has the steps of workflows that wait for the action looked at again. */
  async #lookAtSteps(action: Action): Promise<void> {
    const { jobs, worker } = this.#options;
    const executions = Object.keys(stepsOf(action));
    for (const execution of executions) await jobs.add(stepEndJob(action.id, execution));
    if (executions.length > 0) worker.look();
  }

  async #bringUpToDate(id: string, attempts: number): Promise<void> {
    const action = await this.#actions.get(id);
    if (!action) return;
    const note = noteOf(action);
    if (isUntold(action)) await this.#tellOutcome(action, note, attempts);
    if (note.withdrawAt && SETTLED.has(action.state)) await this.#removeWithdraw(action, note.withdrawAt, attempts);
    if (note.ts !== undefined) await this.#poster.removeLateCopies(action, note);
    else if (action.state === 'pending' && this.#isOurs(action)) await this.#poster.post(action, note);
    else await this.#poster.found(action, note);
    const now = await this.#actions.get(id);
    const at = now && cardAt(noteOf(now));
    if (now && at && !isCurrent(noteOf(now), now)) await this.#updateCard(now, at, attempts);
  }

  /** Posts the outcome in the thread of the conversation that asked, because the edit of a card sends no notification. */
  async #tellOutcome(action: Action, { from, thread }: CardNote, attempts: number): Promise<void> {
    const { web, agent, gate, log } = this.#options;
    if (from === undefined) return;
    const message = outcomeNotice(action, gate.tool(action.operation), undefined);
    try {
      await web.post(from, message, thread === undefined ? {} : { threadTs: thread });
    } catch (error) {
      // A message that may have arrived is not posted again.
      if (!isAmbiguous(error) && attempts + 1 < MAX_ATTEMPTS) throw error;
      log(
        levelOf(error, 'warn'),
        { action: action.id, error: String(error) },
        'failed to post an outcome in its conversation',
      );
    }
    await this.#remember(action.id, { told: true, ...(action.decidedReason !== undefined && { toldReason: true }) });
    if (thread !== undefined) await agent.session({ channel: from, threadTs: thread }, 'active');
  }

  async #removeWithdraw(action: Action, at: Posted, attempts: number): Promise<void> {
    const { web, gate, log } = this.#options;
    const card = cardAt(noteOf(action));
    const link = card && (await web.permalink(card));
    try {
      await web.update(at, decidedNotice(action, gate.tool(action.operation), link));
    } catch (error) {
      if (attempts + 1 < MAX_ATTEMPTS) throw error;
      log('info', { action: action.id, error: String(error) }, 'failed to remove a button to withdraw');
    }
    await this.#remember(action.id, { withdrawAt: undefined });
  }

  /** True for requests in Slack, and for requests of an assistant or a terminal if there is a channel for approvers. */
  #isOurs(action: Action): boolean {
    if (isOwnQuestion(action)) return false;
    if (noteOf(action).asker !== undefined) return true;
    const { SLACK_APPROVALS_CHANNEL, SLACK_EVENTS_CHANNEL } = this.#options.config;
    const channel = SLACK_APPROVALS_CHANNEL ?? SLACK_EVENTS_CHANNEL;
    return channel !== undefined && ['mcp', 'cli', 'assistant', 'workflow'].includes(action.surface);
  }

  /**
   * Channels and people that the card may still be posted to. Empty after it was posted, and after every place has
   * refused it.
   */
  #cardPlaces(action: Action): readonly string[] {
    const note = noteOf(action);
    if (cardAt(note) || note.unplaced === true || !this.#isOurs(action)) return [];
    return this.#poster.placesOf(note).filter((place) => threadAt(note, place) === undefined);
  }

  #cardContext(action: Action) {
    const { gate, reworded } = this.#options;
    const { timeZone } = gate;
    return { tool: gate.tool(action.operation), reworded, elsewhere: elsewhereOf(gate, action.id), timeZone };
  }

  #draw(action: Action): Message {
    const context = this.#cardContext(action);
    const isOpen = action.state === 'pending' && isOwnQuestion(action);
    return isOpen ? requesterCard(action, { ...context, isShared: true }) : actionCard(action, context);
  }

  async #updateCard(action: Action, at: Posted, attempts: number): Promise<void> {
    const { web, log } = this.#options;
    const card = this.#draw(action);
    try {
      await web.update(at, card);
      await this.#remember(action.id, shownBy(action));
      for (const copy of noteOf(action).copies ?? [])
        await web.update(copy, card).catch((error: unknown) => {
          log('info', { action: action.id, error: String(error) }, 'failed to update a copy of a card');
        });
    } catch (error) {
      if (!SETTLED.has(action.state)) {
        if (!(error instanceof SlackRefusal) || BUSY.has(error.reason)) throw new Unavailable(String(error));
        log(levelOf(error, 'warn'), { action: action.id, error: String(error) }, 'failed to update a card');
        await this.#remember(action.id, shownBy(action));
      } else if (attempts + 1 < MAX_ATTEMPTS) throw error;
      else await this.#postOutcomeElsewhere(action);
    }
  }

  /** If the card is gone or its channel is closed, the outcome goes into the thread, otherwise to the requester. */
  async #postOutcomeElsewhere(action: Action): Promise<void> {
    const { web } = this.#options;
    const note = noteOf(action);
    if (!note.channel || !note.ts) return;
    const { text, blocks } = this.#draw(action);
    const message: Message = {
      text,
      blocks: [
        ...blocks.filter((block) => block.type !== 'actions'),
        say(rich.italic('The card itself could not be updated.')),
      ],
    };
    try {
      await web.post(note.channel, message, { threadTs: threadAt(note, note.channel) ?? note.ts });
    } catch {
      if (!note.asker) return;
      await web.post(await this.#options.recipients.open(note.asker, 'viewer'), message);
    }
    await this.#remember(action.id, { shown: action.state });
  }

  #remember(id: string, note: CardNote): Promise<void> {
    return this.#notes.merge(id, 'slack', { ...note });
  }
}

function declinedKey(id: string): string {
  return `${DECLINED} ${id}`;
}
