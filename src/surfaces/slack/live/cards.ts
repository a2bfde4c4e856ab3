import { mayBeCard } from '../../../../tools/surfaces/tasks.ts';
import { showBatchJob } from '../../../batches/store.ts';
import { traitsOf } from '../../../gate/surfaces.ts';
import { codesMade } from '../../../language/outcome.ts';
import { LATER, showJob } from '../../../ledger/later.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { sleep } from '../../../lib/clock.ts';
import { recordOf, textOf } from '../../../lib/json.ts';
import { levelOf } from '../../../store/key-values.ts';
import { LEASE_MS } from '../../../work/holds.ts';
import { isAmbiguous, SlackRefusal } from '../api/refusal.ts';
import { toldMessage } from '../blocks/card.ts';
import { activationMessage } from '../blocks/esim.ts';
import {
  BUSY,
  type CardNote,
  cardAt,
  isOwnQuestion,
  messagesOf,
  noteOf,
  type Posted,
  SLACK_ACTOR,
  threadOf,
} from '../types.ts';
import { Approvers } from './approvers.ts';
import { type ActionMessages, nextTry, SETTLED, startedBatch } from './messages.ts';
import type { Services } from './services.ts';

/** Failed attempts to tell an outcome, after which it is left out. */
const MAX_ATTEMPTS = 4;
/** The messages that this job posts, in order. */
const CARDS = ['card', 'mine'] as const;
/** The messages that it edits. Those to approvers have another job. */
const KINDS = [...CARDS, 'copy'];
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
    const tries = CARDS.flatMap((key) => {
      const message = action && this.#isWanted(action, key) ? messagesOf(action)[key] : undefined;
      return message ? [nextTry(message)] : [];
    });
    return tries.length === 0 ? undefined : Math.min(...tries);
  }

  async #bringUpToDate(id: string, attempts: number): Promise<void> {
    const { gate, jobs, worker, clock } = this.#services;
    for (const key of CARDS) {
      const action = await gate.actions.get(id);
      const message = action && messagesOf(action)[key];
      if (!action || !this.#isWanted(action, key) || (message && clock.now() < nextTry(message))) continue;
      // A place that may have taken it is tried again later.
      for (const place of this.#placesOf(noteOf(action), key))
        if ((await this.#messages.post(action, key, place)) !== 'refused') break;
    }
    const action = await gate.actions.get(id);
    if (!action) return;
    await this.#tellOutcome(action, attempts);
    const batch = startedBatch(action);
    if (batch === undefined) await this.#messages.edit(id, KINDS, attempts);
    else {
      // Its job edits them.
      await jobs.add({ ...showBatchJob(batch, clock.now()), runAt: clock.now() });
      worker.look();
    }
  }

  /**
   * True while a card has to be posted, or to be looked for after Slack did not answer. Requests in Slack have one, and
   * those of an assistant or a terminal if there is a channel for approvers. The requester has one of their own where they
   * asked, if the card is in another place.
   */
  #isWanted(action: Action, key: (typeof CARDS)[number]): boolean {
    const { SLACK_APPROVALS_CHANNEL, SLACK_EVENTS_CHANNEL } = this.#services.config;
    const message = messagesOf(action)[key];
    if (message?.at) return false;
    if (message?.unsure !== undefined) return true;
    if (action.state !== 'pending' || isOwnQuestion(action)) return false;
    const { asker, from, slackbot } = noteOf(action);
    if (key === 'card') {
      const hasChannel = (SLACK_APPROVALS_CHANNEL ?? SLACK_EVENTS_CHANNEL) !== undefined;
      return asker !== undefined || (hasChannel && traitsOf(action.surface).shownToApprovers);
    }
    const card = cardAt(action);
    return (
      asker !== undefined && !slackbot && card !== undefined && card.channel !== from && !card.channel.startsWith('D')
    );
  }

  /** Channels and users that a card may be posted to, in order: channels first, then the requester. */
  #placesOf({ from, asker }: CardNote, key: (typeof CARDS)[number]): string[] {
    const { SLACK_APPROVALS_CHANNEL, SLACK_EVENTS_CHANNEL } = this.#services.config;
    // Approvers cannot see a card in a direct message, so their channel comes first then.
    const isDirect = from?.startsWith('D') === true;
    const [first, last] = isDirect ? [undefined, from] : [from, undefined];
    const places = key === 'mine' ? [last, asker] : [first, SLACK_APPROVALS_CHANNEL, SLACK_EVENTS_CHANNEL, last, asker];
    return [...new Set(places.filter((one): one is string => Boolean(one)))];
  }

  /**
   * Tells the requester an outcome that another person or the time brought, in a reply that names them, because the edit
   * of a card sends no notification. A conversation is told every outcome. A batch tells its own end.
   */
  async #tellOutcome(action: Action, attempts: number): Promise<void> {
    const { told, toldUnknown, turn, asker } = noteOf(action);
    const isUnknown = action.state === 'unknown';
    const isKnownNow = toldUnknown === true && !isUnknown;
    if (asker === undefined || !SETTLED.has(action.state) || (told && !isKnownNow)) return;
    const hasSeen = !isKnownNow && !turn && (isOwnQuestion(action) || action.decidedPerson === action.person);
    if (!hasSeen && startedBatch(action) === undefined) await this.#tell(action, asker, attempts);
    await this.#services.gate.notes.merge(action.id, 'slack', {
      told: true,
      toldUnknown: isUnknown ? true : undefined,
    });
  }

  async #tell(action: Action, asker: string, attempts: number): Promise<void> {
    const { web, agent, gate, reworded, recipients } = this.#services;
    if (!(await recipients.may(asker, 'viewer'))) return;
    const { from, thread, turn, slackbot } = noteOf(action);
    const message = toldMessage(action, asker, { tool: gate.tool(action.operation), reworded });
    // Slackbot's person may not be in the channel of the card.
    const place = slackbot ? undefined : threadOf(action);
    try {
      if (place === undefined) await web.direct(asker, message);
      else await web.post(place.channel, message, { threadTs: place.threadTs });
    } catch (error) {
      // The message whose thread this is was deleted, or its channel is closed.
      const isRefused = error instanceof SlackRefusal && !error.ambiguous && !BUSY.has(error.reason);
      if (place && isRefused) await web.direct(asker, message);
      // A message that may have arrived is not posted again.
      else if (!isAmbiguous(error) && attempts + 1 < MAX_ATTEMPTS) throw error;
      else this.#log(error, 'warn', action.id, 'failed to tell an outcome');
    }
    if (turn && place) await agent.session(place, 'active');
    if (from === undefined || action.decidedPerson === action.person || codesMade(action).length === 0) return;
    // Slack stores direct messages, so the activation code is only in an ephemeral one.
    const requester = { ...SLACK_ACTOR, id: action.actorId, name: action.actorName, person: action.person };
    const revealed = await gate.reveal({ action: action.id }, requester);
    const isUnsure = mayBeCard(action.shown, recordOf(action.notes.guide));
    const activation = revealed && activationMessage(revealed, action.id, isUnsure);
    if (activation) await web.whisper(from, asker, activation, thread).catch(() => undefined);
  }

  #log(error: unknown, level: 'error' | 'warn', action: string, text: string): void {
    this.#services.log(levelOf(error, level), { action, error: String(error) }, text);
  }
}
