import type { Gate } from '../../../gate/gate.ts';
import type { Action, ActionsView, Notes } from '../../../ledger/ledger.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { actionCard, reminderCard } from '../blocks/card.ts';
import { activationMessage } from '../blocks/esim.ts';
import { outcomeNotice } from '../blocks/outcome-notice.ts';
import { type Message, rich, say } from '../blocks/text.ts';
import type { Recipients } from '../people/recipients.ts';
import {
  BUSY,
  type CardNote,
  cardAt,
  elsewhereOf,
  noteOf,
  type Posted,
  type Reworder,
  SLACK_ACTOR,
  type SlackConfig,
  threadAt,
} from '../types.ts';
import type { AgentApi } from './agent.ts';
import { Approvers } from './approvers.ts';
import { CardPoster, LOOK_AGAIN_MS } from './card-poster.ts';
import { isAt, isCurrent, isUnconfirmed, isUntold, SETTLED, shownBy } from './card-state.ts';
import { OncePoster } from './post-once.ts';
import { SlackRefusal } from './refusal.ts';
import type { WebApi } from './web.ts';

const POLL_MS = 3_000;
/** Time after which another process tells an outcome, if the one that began to has not. */
const TELL_AGAIN_MS = 60_000;
/** Delays between attempts to update a card that Slack refuses. After them the outcome is posted elsewhere. */
const AGAIN_MS = [1_000, 4_000, 15_000];

export interface CardsOptions {
  config: SlackConfig;
  gate: Gate;
  web: WebApi;
  agent: AgentApi;
  clock: Clock;
  log: Log;
  reworded: Reworder;
  recipients: Recipients;
  /** Called with the actions that other processes changed. */
  onChange?: (id: string) => void;
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
  /** The last work queued for each action. */
  readonly #queues = new Map<string, Promise<void>>();
  /** Settled actions whose card is being retried. Polling skips them. */
  readonly #retrying = new Set<string>();
  readonly #unsubscribe: () => void;
  #since = 0;
  #timer: unknown;
  #closed = false;

  constructor(options: CardsOptions) {
    const { config, gate, web, recipients, clock, log } = options;
    this.#options = options;
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
      queue: (id, work) => this.#queue(id, work),
      copyAdded: (id) => this.sync(id),
      isClosed: () => this.#closed,
    });
    this.#approvers = new Approvers({
      config,
      gate,
      web,
      once,
      recipients,
      clock,
      log,
      draw: (action, kind) => {
        const context = { ...this.#cardContext(action), forApprovers: true };
        return kind === 'reminder' ? reminderCard(action, context) : actionCard(action, context);
      },
      cardPlaces: (action) => this.#cardPlaces(action),
      onTold: (id) => void this.sync(id),
    });
    this.#unsubscribe = gate.onChange(({ id }) => void this.sync(id));
  }

  /** Updates every card that differs from the ledger, and starts polling. */
  async start(): Promise<void> {
    const { gate, clock } = this.#options;
    this.#since = clock.now() - 1;
    this.#schedulePoll();
    await gate.sweepExpired();
    for (const action of await this.#actions.list({ limit: 500 })) {
      const note = noteOf(action);
      const mayStand = note.ts !== undefined || isUnconfirmed(note);
      if (!isCurrent(note, action) && (mayStand || (action.state === 'pending' && this.#isOurs(action))))
        await this.sync(action.id);
      else if (this.#approvers.isDue(action)) void this.#approvers.sync(action.id);
      if (note.ts !== undefined && Object.keys(note.sent ?? {}).length > 0)
        await this.#queue(action.id, (id) => this.#poster.removeLateCopies(id));
    }
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#options.clock.clearTimeout(this.#timer);
    await this.#approvers.close();
    await Promise.allSettled([...this.#queues.values()]);
    this.#closed = true;
  }

  /**
   * Updates a card and then, without waiting for it, the messages to approvers. Each update reads the ledger, so the
   * last one shows the latest state.
   */
  async sync(id: string): Promise<void> {
    await this.#queue(id, () => this.#bringUpToDate(id));
    void this.#approvers.sync(id);
  }

  /** Redraws a card, and the messages to approvers, even if they are up to date. */
  async refresh(id: string): Promise<void> {
    await this.#remember(id, { shown: undefined });
    await this.sync(id);
    void this.#approvers.refresh(id);
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
    // The thread of a conversation gets a message of its own.
    if (note.turn && !activation) return;
    const ephemeral = { ...message, blocks: [...message.blocks, ...(activation?.blocks ?? [])] };
    try {
      if (!note.from) throw new Error('no channel');
      await web.whisper(note.from, note.asker, ephemeral, note.thread);
    } catch {
      await web.direct(note.asker, message).catch(() => undefined);
    }
  }

  /** Updates the cards of actions that other processes changed or that have expired. */
  async #poll(): Promise<void> {
    await this.#options.gate.sweepExpired();
    const changed = await this.#actions.list({ since: this.#since - 1, limit: 200 });
    for (const action of changed) this.#since = Math.max(this.#since, action.updatedAt);
    // Waiting actions are checked each time, because posting their card may have failed.
    const waiting = await this.#actions.list({ states: ['pending'], limit: 500 });
    const all = new Map([...changed, ...waiting].map((action) => [action.id, action]));
    for (const { id } of changed) this.#options.onChange?.(id);
    for (const action of all.values()) {
      const note = noteOf(action);
      if (!isCurrent(note, action) && (note.ts !== undefined || this.#isOurs(action))) await this.sync(action.id);
      else if (this.#approvers.isDue(action)) void this.#approvers.sync(action.id);
    }
  }

  #schedulePoll(): void {
    if (this.#closed) return;
    this.#timer = this.#options.clock.setTimeout(() => {
      void this.#poll()
        .catch((error: unknown) => this.#options.log('error', { error: String(error) }, 'failed to poll the ledger'))
        .then(() => this.#schedulePoll());
    }, POLL_MS);
  }

  /** Runs one update of a card at a time. */
  #queue(id: string, work: (id: string) => Promise<void>): Promise<void> {
    const before = this.#queues.get(id) ?? Promise.resolve();
    const done = before
      .then(() => work(id))
      .catch((error: unknown) =>
        this.#options.log('error', { action: id, error: String(error) }, 'failed to bring a card up to date'),
      );
    this.#queues.set(id, done);
    void done.then(() => {
      if (this.#queues.get(id) === done) this.#queues.delete(id);
    });
    return done;
  }

  async #bringUpToDate(id: string): Promise<void> {
    const action = await this.#actions.get(id);
    if (!action || this.#closed || this.#retrying.has(id)) return;
    const note = noteOf(action);
    if (isCurrent(note, action)) return;
    const at = cardAt(note);
    if (isUntold(action)) await this.#tellOutcome(action, note);
    if (at) await this.#updateCard(action, at);
    else if (action.state === 'pending' && this.#isOurs(action)) await this.#poster.post(action, note);
    else {
      if (await this.#poster.found(action, note)) await this.#showOutcome(id);
      await this.#lookAgain(id);
    }
  }

  /** A new message in the thread of the conversation that asked, by one process. An edit of the card notifies nobody. */
  async #tellOutcome(action: Action, { from, thread }: CardNote): Promise<void> {
    const { web, agent, clock, gate } = this.#options;
    if (from === undefined || !(await this.#notes.claim(action.id, 'telling', clock.now() - TELL_AGAIN_MS))) return;
    const message = outcomeNotice(action, gate.tool(action.operation), undefined);
    await web.post(from, message, thread === undefined ? {} : { threadTs: thread });
    await this.#remember(action.id, { told: true });
    if (thread !== undefined) await agent.session({ channel: from, threadTs: thread }, 'active');
  }

  /** Checks again later if the card of an ended action was posted, while Slack has not confirmed it. */
  async #lookAgain(id: string): Promise<void> {
    const action = await this.#actions.get(id);
    if (!action || this.#closed || action.state === 'pending' || !isUnconfirmed(noteOf(action))) return;
    this.#options.clock.setTimeout(() => {
      if (!this.#closed) void this.sync(id);
    }, LOOK_AGAIN_MS);
  }

  /** Updates a card that was found after its action had ended. */
  async #showOutcome(id: string): Promise<void> {
    const action = await this.#actions.get(id);
    const at = action && cardAt(noteOf(action));
    if (action && at) await this.#updateCard(action, at);
  }

  /** True for requests in Slack, and for requests of an assistant or a terminal if there is a channel for approvers. */
  #isOurs(action: Action): boolean {
    if (noteOf(action).asker !== undefined) return true;
    const { SLACK_APPROVALS_CHANNEL, SLACK_EVENTS_CHANNEL } = this.#options.config;
    const channel = SLACK_APPROVALS_CHANNEL ?? SLACK_EVENTS_CHANNEL;
    return channel !== undefined && ['mcp', 'cli', 'assistant'].includes(action.surface);
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
    return actionCard(action, this.#cardContext(action));
  }

  async #updateCard(action: Action, at: Posted): Promise<void> {
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
      log('warn', { action: action.id, error: String(error) }, 'failed to update a card');
      // Only an outcome is posted elsewhere. A card that should show "running" is updated again later.
      if (SETTLED.has(action.state)) this.#retry(action.id, 0);
      else if (action.state === 'pending' && error instanceof SlackRefusal && !BUSY.has(error.reason))
        await this.#remember(action.id, shownBy(action));
    }
  }

  /** Runs in the action's queue, so that no other update runs meanwhile and `close` waits for it. */
  #retry(id: string, attempt: number): void {
    if (this.#closed) return;
    this.#retrying.add(id);
    const wait = AGAIN_MS[attempt];
    if (wait === undefined)
      void this.#queue(id, () => this.#postOutcomeElsewhere(id).finally(() => this.#retrying.delete(id)));
    else
      this.#options.clock.setTimeout(() => {
        void this.#queue(id, () => this.#updateAgain(id, attempt));
      }, wait);
  }

  async #updateAgain(id: string, attempt: number): Promise<void> {
    if (this.#closed) return;
    const action = await this.#actions.get(id);
    const note = action && noteOf(action);
    const at = note && cardAt(note);
    if (action && at && !isCurrent(note, action)) {
      try {
        await this.#options.web.update(at, this.#draw(action));
      } catch (error) {
        this.#options.log('info', { action: id, attempt, error: String(error) }, 'failed to update a card again');
        this.#retry(id, attempt + 1);
        return;
      }
      await this.#remember(id, shownBy(action));
    }
    this.#retrying.delete(id);
  }

  /** If the card is gone or its channel is closed, the outcome goes into the thread, otherwise to the requester. */
  async #postOutcomeElsewhere(id: string): Promise<void> {
    const { web } = this.#options;
    const action = this.#closed ? undefined : await this.#actions.get(id);
    const note = action && noteOf(action);
    if (!action || !note?.channel || !note.ts) return;
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
    await this.#remember(id, { shown: action.state });
  }

  #remember(id: string, note: CardNote): Promise<void> {
    return this.#notes.merge(id, 'slack', { ...note });
  }
}
