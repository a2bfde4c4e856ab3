import { showBatchJob } from '../../../batches/store.ts';
import { traitsOf } from '../../../gate/approval.ts';
import { BATCH_RUN, RUN_MS } from '../../../gate/confirmation.ts';
import { codesMade } from '../../../language/outcome.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { LATER, laterJob } from '../../../ledger/rows.ts';
import { MINUTE_MS, RETRY_MS, sleep } from '../../../lib/clock.ts';
import { textOf } from '../../../lib/values.ts';
import { levelOf } from '../../../store/key-values.ts';
import { LEASE_MS } from '../../../work/jobs.ts';
import type { Handler } from '../../../work/worker.ts';
import { REFUSED_MS } from '../api/web.ts';
import { askedWhom, toldMessage } from '../blocks/card.ts';
import { activationMessage } from '../blocks/result.ts';
import { slackUser } from '../blocks/text.ts';
import {
  type ApproversNote,
  approversOf,
  cardAt,
  channelTold,
  isOwnQuestion,
  isUnsure,
  messagesOf,
  noteOf,
  type Posted,
  SLACK_ACTOR,
  tellingOf,
  threadOf,
} from '../types.ts';
import { type ActionMessages, nextTry, SETTLED, type Services, startedBatch } from './messages.ts';

/** Maximum number of approvers who are notified by direct message. Larger teams set SLACK_APPROVALS_CHANNEL. */
const MAX_TOLD = 20;
/** Time before a question expires at which approvers are reminded; of a short question, half of its time. */
const REMIND_MS = 15 * MINUTE_MS;
/** The kind of the job that sends and updates the messages to approvers about one action. */
const TELL = 'slack.tell';

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

  constructor(services: Services, messages: ActionMessages) {
    this.#services = services;
    this.#messages = messages;
  }

  /** Draws the cards whose jobs wait, and sends and updates the messages to approvers. */
  readonly handlers: Readonly<Record<string, Handler>> = {
    [LATER.show]: ({ payload }) => this.#show(textOf(payload.action)),
    [TELL]: ({ payload }) => this.#tellApprovers(textOf(payload.action)),
  };

  /** Resolves when a process has brought the card up to date, or has tried to. */
  async sync(id: string): Promise<void> {
    const { jobs, clock, log } = this.#services;
    const job = laterJob('show', id);
    try {
      await this.#add(job);
      // A process that has not drawn the card by then is gone.
      const end = clock.now() + LEASE_MS;
      while (clock.now() < end && (await jobs.isDue(job.key))) await sleep(clock, READ_MS);
    } catch (error) {
      log(levelOf(error, 'error'), { action: id, error: String(error) }, 'failed to bring a card up to date');
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

  /** Keeps a posted message up to date from now on: the card of this action, or a copy that another person asked for. */
  async posted(id: string, at: Posted, isCopy = false): Promise<void> {
    await this.#messages.adopt(id, isCopy ? `copy ${at.ts}` : 'card', at);
    // A decision that came while it was posted is shown now.
    await this.sync(id);
  }

  async #add(job: Parameters<Services['jobs']['add']>[0]): Promise<void> {
    await this.#services.jobs.add(job);
    this.#services.worker.look();
  }

  /** Draws a card and puts down the messages to approvers. Resolves to the time (epoch ms) of the next look. */
  async #show(id: string): Promise<number | undefined> {
    const { gate } = this.#services;
    try {
      await this.#bringUpToDate(id);
    } finally {
      const asked = await gate.actions.get(id);
      if (asked === undefined || !isOwnQuestion(asked))
        await this.#add({ kind: TELL, key: `${TELL} ${id}`, payload: { action: id } });
    }
    const action = await gate.actions.get(id);
    const tries = CARDS.flatMap((key) => {
      const message = action && this.#isWanted(action, key) ? messagesOf(action)[key] : undefined;
      return message ? [nextTry(message)] : [];
    });
    return tries.length === 0 ? undefined : Math.min(...tries);
  }

  async #bringUpToDate(id: string): Promise<void> {
    const { gate, clock } = this.#services;
    for (const key of CARDS) {
      const action = await gate.actions.get(id);
      const message = action && messagesOf(action)[key];
      if (!action || !this.#isWanted(action, key) || (message && clock.now() < nextTry(message))) continue;
      // A place that may have taken it is tried again later.
      for (const place of this.#placesOf(action, key))
        if ((await this.#messages.post(action, key, place)) !== 'refused') break;
    }
    const action = await gate.actions.get(id);
    if (!action) return;
    await this.#tellOutcome(action);
    const batch = startedBatch(action);
    if (batch === undefined) await this.#messages.edit(id, KINDS);
    // Its job edits them.
    else await this.#add({ ...showBatchJob(batch, clock.now()), runAt: clock.now() });
  }

  /**
   * True while a card has to be posted, or to be looked for after Slack did not answer. Requests in Slack have one, and
   * those of an assistant or a terminal if there is a channel for approvers. The requester has one of their own where they
   * asked, if the card is in another place.
   */
  #isWanted(action: Action, key: (typeof CARDS)[number]): boolean {
    const { clock, config } = this.#services;
    const message = messagesOf(action)[key];
    if (message?.at) return false;
    if (isUnsure(message)) return true;
    const { asker, from, slackbot, turn } = noteOf(action);
    // What asked for an own change shows it. A batch has a card once it runs, or if a conversation asked for it or another
    // person has left rows out.
    const isRun = startedBatch(action) !== undefined && clock.now() < (action.sentAt ?? 0) + RUN_MS;
    const isOpen = action.state === 'pending';
    const isUnshown = turn === true || action.notes.leftOutBy !== undefined;
    const isAsked = isOpen && isUnshown && action.operation === BATCH_RUN;
    if (isOwnQuestion(action)) return key === 'card' && (isRun || isAsked);
    if (!isOpen) return false;
    if (key === 'card') {
      const hasChannel = (config.SLACK_APPROVALS_CHANNEL ?? config.SLACK_EVENTS_CHANNEL) !== undefined;
      return asker !== undefined || (hasChannel && traitsOf(action.surface).asksForEnd);
    }
    const card = cardAt(action);
    return (
      asker !== undefined && !slackbot && card !== undefined && card.channel !== from && !card.channel.startsWith('D')
    );
  }

  /** Channels and users that a card may be posted to, in order: channels first, then the requester. */
  #placesOf(action: Action, key: (typeof CARDS)[number]): string[] {
    const { from, asker } = noteOf(action);
    const { SLACK_APPROVALS_CHANNEL, SLACK_EVENTS_CHANNEL } = isOwnQuestion(action) ? {} : this.#services.config;
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
  async #tellOutcome(action: Action): Promise<void> {
    const { told, toldUnknown, turn, asker } = noteOf(action);
    const isUnknown = action.state === 'unknown';
    const isKnownNow = toldUnknown === true && !isUnknown;
    if (asker === undefined || !SETTLED.has(action.state) || (told && !isKnownNow)) return;
    const isByRequester = action.decidedVia === 'replaced' || action.decidedPerson === action.person;
    // An own question without a decision has ended where only its requester reads it.
    const isUndecided = isOwnQuestion(action) && !action.decidedPerson;
    const hasSeen = !isKnownNow && !turn && (isUndecided || isByRequester);
    if (!hasSeen && startedBatch(action) === undefined) await this.#tell(action, asker);
    await this.#services.gate.notes.merge(action.id, 'slack', {
      told: true,
      toldUnknown: isUnknown ? true : undefined,
    });
  }

  async #tell(action: Action, asker: string): Promise<void> {
    const { web, gate, recipients } = this.#services;
    if (!(await recipients.may(asker, 'viewer'))) return;
    const { from, thread, turn, slackbot } = noteOf(action);
    // Slackbot's person may not be in the channel of the card.
    const place = slackbot ? undefined : threadOf(action);
    await this.#messages.tell(toldMessage(this.#services, action, asker), place, asker);
    if (turn && place) await web.session(place, 'active');
    if (from === undefined || action.decidedPerson === action.person || codesMade(action).length === 0) return;
    // Slack stores direct messages, so the activation code is only in an ephemeral one.
    const requester = { ...SLACK_ACTOR, id: action.actorId, name: action.actorName, person: action.person };
    const revealed = await gate.reveal({ action: action.id }, requester);
    const activation = activationMessage(action, revealed);
    if (activation) await web.whisper(from, asker, activation, thread).catch(() => undefined);
  }

  /*
   * Approvers are notified that an action waits, independent of the place of the request: in SLACK_APPROVALS_CHANNEL, or
   * each by direct message. One reminder follows before the action expires. The messages show the action's state from
   * then on.
   */

  /** Resolves to the time (epoch ms) at which the next message is due. */
  async #tellApprovers(id: string): Promise<number | undefined> {
    const { gate, clock } = this.#services;
    const before = await gate.actions.get(id);
    if (!before) return undefined;
    if (before.state === 'pending') await this.#choose(before);
    const chosen = (await gate.actions.get(id)) ?? before;
    const due = this.#unsent(chosen).filter(({ at }) => at <= clock.now());
    for (const { key, place } of due) {
      const action = await gate.actions.get(id);
      if (action) await this.#messages.post(action, key, place);
    }
    // The job of a started batch edits them.
    if (startedBatch(chosen) === undefined) await this.#messages.edit(id, ['asked', 'reminder']);
    const now = (await gate.actions.get(id)) ?? chosen;
    // The card names the approvers.
    if (JSON.stringify(askedWhom(now)) !== JSON.stringify(askedWhom(before))) await this.#add(laterJob('show', id));
    return this.#nextAt(now);
  }

  /** Stores the places to notify with the action. They are chosen once. */
  async #choose(action: Action): Promise<void> {
    const { gate, clock, log } = this.#services;
    const { places, nobody } = approversOf(action);
    if (places !== undefined || (nobody !== undefined && nobody !== 'unread')) return;
    if (nobody === 'unread' && !(await gate.notes.claim(action.id, 'planning', clock.now() - REFUSED_MS))) return;
    const plan = await this.#planFor(action);
    if (plan.nobody === 'unnamed')
      log('warn', { action: action.id }, 'approvers could not be told that an action waits');
    await gate.notes.merge(action.id, 'approvers', { places: undefined, nobody: undefined, ...plan });
  }

  async #planFor(action: Action): Promise<ApproversNote> {
    const { config, gate, recipients } = this.#services;
    if (config.SLACK_APPROVALS_CHANNEL !== undefined) return { places: [config.SLACK_APPROVALS_CHANNEL] };
    if (!gate.decidesBy('slack')) return { nobody: 'way' };
    const { everyone, users, unreadGroup } = await recipients.approvers();
    if (everyone) return { nobody: 'everyone' };
    const others = users.filter((user) => user !== slackUser(action.person));
    const more = others.length - MAX_TOLD;
    if (others.length > 0) return { places: others.slice(0, MAX_TOLD), ...(more > 0 && { more }) };
    if (unreadGroup) return { nobody: 'unread' };
    if (users.length === 0) return { nobody: 'unnamed' };
    const { person, actorName: name } = action;
    const requester = { id: person, person, name, role: 'approver', surface: 'slack', priority: 'person' } as const;
    return { nobody: gate.refusal('confirm', action, requester, 'slack') ? 'unnamed' : 'own' };
  }

  /** Time (epoch ms) of the next message, or of the next look at a user group that Slack did not return. */
  #nextAt(action: Action): number | undefined {
    const now = this.#services.clock.now();
    const { card } = messagesOf(action);
    const isPending = action.state === 'pending';
    // Its next attempt is followed by a run of this job, because a card notifies the people of its channel.
    const isCardNext = isPending && card !== undefined && card.at === undefined;
    const times = this.#unsent(action).flatMap(({ at, isTried }) => (isTried && isCardNext ? [] : at));
    if (isPending && approversOf(action).nobody === 'unread') times.push(now + REFUSED_MS);
    // A message that could be tried now is looked at again, but not at once.
    return times.length === 0 ? undefined : Math.min(...times.map((at) => (at > now ? at : now + RETRY_MS)));
  }

  /** The messages that are to be sent, each with the time (epoch ms) at which it is due. After the action has ended, one that Slack may have taken is looked for. */
  #unsent(action: Action) {
    const { places = [], nobody } = approversOf(action);
    const { createdAt, expiresAt, state } = action;
    const remindAt = expiresAt - Math.min(REMIND_MS, (expiresAt - createdAt) / 2);
    // The card notifies the people of its channel.
    const standsAt = channelTold(action);
    const own = nobody === 'everyone' && standsAt !== undefined && !standsAt.startsWith('D') ? [standsAt] : [];
    // Approvers who were first notified this late get no reminder.
    const reminded = places.filter((place) => {
      const told = tellingOf(action, place);
      return place === standsAt || (told?.at !== undefined && told.triedAt < remindAt);
    });
    // The channel of the card, also of one that Slack may have taken.
    const stands = [standsAt, isUnsure(messagesOf(action).card) ? this.#placesOf(action, 'card')[0] : undefined];
    const wanted = [
      ...places.filter((place) => !stands.includes(place)).map((place) => ({ key: `asked ${place}`, place, from: 0 })),
      ...[...own, ...reminded].map((place) => ({ key: `reminder ${place}`, place, from: remindAt })),
    ];
    return wanted.flatMap(({ key, place, from }) => {
      const told = messagesOf(action)[key];
      if (told?.at !== undefined || (state !== 'pending' && !isUnsure(told))) return [];
      return [{ key, place, at: told ? nextTry(told) : from, isTried: told !== undefined }];
    });
  }
}
