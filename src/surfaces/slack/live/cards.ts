import type { Batches, BatchView } from '../../../batches/batches.ts';
import { hasEnded } from '../../../batches/states.ts';
import { SHOW_JOB, showBatchJob } from '../../../batches/store.ts';
import { traitsOf } from '../../../gate/approval.ts';
import { BATCH_RUN, RUN_MS } from '../../../gate/confirmation.ts';
import type { Gate } from '../../../gate/gate.ts';
import { codesMade } from '../../../language/outcome.ts';
import { digestOf } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { LATER, laterJob } from '../../../ledger/rows.ts';
import type { Actor } from '../../../lib/actor.ts';
import { type Clock, DAY_MS, LOOK_MS, MINUTE_MS, PROGRESS_MS, RETRY_MS, sleep } from '../../../lib/clock.ts';
import { SwitchboardError, Unavailable } from '../../../lib/errors.ts';
import type { Log } from '../../../lib/log.ts';
import { defined, textOf } from '../../../lib/values.ts';
import { isStoreUnavailable, KeyValues, levelOf } from '../../../store/key-values.ts';
import type { Database } from '../../../store/types.ts';
import { type Jobs, LEASE_MS } from '../../../work/jobs.ts';
import type { Handler, Worker } from '../../../work/worker.ts';
import { isFinal, REFUSED_MS, SlackRefusal, type WebApi } from '../api/web.ts';
import { batchMessage, batchNews } from '../blocks/batch.ts';
import { actionMessage, askedWhom, ownQuestion, reminderMessage, toldMessage } from '../blocks/card.ts';
import { activationMessage } from '../blocks/result.ts';
import * as ui from '../blocks/text.ts';
import type { Roles } from '../people/roles.ts';
import {
  type ActionMessage,
  type ApproversNote,
  approversOf,
  cardAt,
  channelTold,
  isOwnQuestion,
  isPerson,
  isUnsure,
  messagesOf,
  noteOf,
  type Posted,
  type Reworder,
  SLACK_ACTOR,
  type SlackConfig,
  tellingOf,
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

/** Maximum number of approvers who are notified by direct message. Larger teams set SLACK_APPROVALS_CHANNEL. */
const MAX_TOLD = 20;
/** Time before a question expires at which approvers are reminded; of a short question, half of its time. */
const REMIND_MS = 15 * MINUTE_MS;
/** The kind of the job that sends and updates the messages to approvers about one action. */
const TELL = 'slack.tell';

/** The messages that this job posts, in order. */
const CARDS = ['card', 'mine'] as const;
/** The messages that it edits. Those to approvers have another job. */
const CARD_KINDS = [...CARDS, 'copy'];
/** Interval between reads of a job that is waited for. */
const READ_MS = 25;

/** The messages that show a batch that was started by a confirmed question: those about its action. */
const BATCH_KINDS = ['card', 'mine', 'copy', 'asked', 'reminder'];

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
 * One durable message per action that waits or waited for a person, updated whenever the action changes: in this
 * process, in another one, on the page, or because it expired. Each is posted, stored with its action, and edited in its
 * place. Failures of Slack never change an action's outcome. Once a batch runs, the messages about its question are its
 * cards. A batch of reads has no question; its card is posted by `postBatch`.
 */
export class Cards {
  readonly #services: Services;
  /** The cards of batches. */
  readonly #drawn: KeyValues;
  readonly #work = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(services: Services) {
    this.#services = services;
    this.#drawn = new KeyValues({ ...services, kind: 'batch card' });
  }

  /** Draw the cards whose jobs wait, and send and update the messages to approvers. */
  readonly handlers: Readonly<Record<string, Handler>> = {
    [LATER.show]: ({ payload }) => this.#show(textOf(payload.action)),
    [TELL]: ({ payload }) => this.#tellApprovers(textOf(payload.action)),
    [SHOW_JOB]: ({ payload }) => this.#showBatch(textOf(payload.id)),
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
    if (!isKnown && channel !== undefined) await this.#adopt(action.id, key, { channel, ts });
  }

  /** Keeps a posted message up to date from now on: the card of this action, or a copy that another person asked for. */
  async posted(id: string, at: Posted, isCopy = false): Promise<void> {
    await this.#adopt(id, isCopy ? `copy ${at.ts}` : 'card', at);
    // A decision that came while it was posted is shown now.
    await this.sync(id);
  }

  #adopt(id: string, key: string, at: Posted): Promise<void> {
    return this.#remember(id, { [key]: { at, triedAt: this.#services.clock.now() } });
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
      for (const place of this.#placesOf(action, key)) if ((await this.#post(action, key, place)) !== 'refused') break;
    }
    const action = await gate.actions.get(id);
    if (!action) return;
    await this.#tellOutcome(action);
    const batch = startedBatch(action);
    if (batch === undefined) await this.#edit(id, CARD_KINDS);
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
    const { web, gate, roles } = this.#services;
    if (!(await roles.may(asker, 'viewer'))) return;
    const { from, thread, turn, slackbot } = noteOf(action);
    // Slackbot's person may not be in the channel of the card.
    const place = slackbot ? undefined : threadOf(action);
    await this.#tellEnd(toldMessage(this.#services, action, asker), place, asker);
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
      if (action) await this.#post(action, key, place);
    }
    // The job of a started batch edits them.
    if (startedBatch(chosen) === undefined) await this.#edit(id, ['asked', 'reminder']);
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
    const { config, gate, roles } = this.#services;
    if (config.SLACK_APPROVALS_CHANNEL !== undefined) return { places: [config.SLACK_APPROVALS_CHANNEL] };
    if (!gate.decidesBy('slack')) return { nobody: 'way' };
    const { everyone, users, unreadGroup } = await roles.approvers();
    if (everyone) return { nobody: 'everyone' };
    const others = users.filter((user) => user !== ui.slackUser(action.person));
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

  /* The messages: each is posted, stored with its action, and edited in its place. */

  /**
   * Posts a message to a channel or a person, or finds it if the last attempt may have posted it. A message about an
   * action that has ended is only looked for, except the card of a batch that has begun. `unsure`: Slack did not answer, so the message may be there.
   */
  async #post(action: Action, key: string, place: string): Promise<'posted' | 'refused' | 'unsure'> {
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
        const at = await web.post(channel, drawn, { ...thread, mark });
        message = { at, triedAt, shown: digestOf(JSON.stringify(drawn)) };
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

  /**
   * Edits the messages of these kinds that do not show the present state. Resolves to true if there was one. Rejects if one
   * has to be tried again. One that Slack refuses to edit is tried again when the action changes or is pressed.
   */
  async #edit(id: string, kinds: readonly string[]): Promise<boolean> {
    const { gate, web, log } = this.#services;
    const action = await gate.actions.get(id);
    if (!action) return false;
    let isTried = false;
    let failure: Unavailable | undefined;
    for (const [key, message] of Object.entries(messagesOf(action))) {
      if (!message.at || !kinds.includes(key.split(' ')[0] ?? '')) continue;
      try {
        const drawn = await this.#draw(action, key);
        const shown = digestOf(JSON.stringify(drawn));
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
  async #tellEnd(message: ui.Message, place: ReturnType<typeof threadOf>, user: string | undefined): Promise<void> {
    const { web, log } = this.#services;
    try {
      if (place) await web.post(place.channel, message, { threadTs: place.threadTs });
      else if (user !== undefined) await web.direct(user, message);
    } catch (error) {
      // The message whose thread this is was deleted, or its channel is closed.
      if (place && user !== undefined && isFinal(error)) return this.#tellEnd(message, undefined, user);
      if (!(error instanceof SlackRefusal)) throw error;
      if (!error.ambiguous && !isFinal(error)) throw new Unavailable(String(error));
      log('warn', { error: String(error) }, 'failed to tell an end');
    }
  }

  /** The content of a message for the present state. */
  async #draw(action: Action, key: string): Promise<ui.Message> {
    const [kind = '', place = ''] = key.split(' ');
    const forApprovers = kind === 'asked' || kind === 'reminder';
    if (forApprovers && isPerson(place)) {
      const may = await this.#services.roles.may(place, 'approver');
      if (may === undefined) throw new SlackRefusal('users.info', UNREAD);
      if (!may) return ui.notice('ℹ️', 'You are not an approver any more.');
    }
    const id = startedBatch(action);
    const reading = id === undefined ? undefined : this.#services.batches.view(id, READER);
    const batch = await reading?.catch((error: unknown) => {
      if (!(error instanceof SwitchboardError && error.face.code === 'not_found')) throw error;
      // It was deleted.
      return undefined;
    });
    // The progress of a run is on its card, so that twenty approvers' messages are not edited every ten seconds.
    if (batch && !(forApprovers && RUNNING.has(batch.state))) return batchMessage(batch);
    const reader = forApprovers ? 'approvers' : kind === 'mine' ? 'requester' : 'everyone';
    if (kind === 'reminder') return reminderMessage(this.#services, action);
    const isOpen = action.state === 'pending' && isOwnQuestion(action);
    if (isOpen) return ownQuestion(this.#services, action, { isShared: true });
    return actionMessage(this.#services, action, reader);
  }

  #remember(id: string, messages: Readonly<Record<string, ActionMessage | undefined>>): Promise<void> {
    return this.#services.gate.notes.merge(id, 'messages', messages);
  }

  /* Cards of batches. */

  /** Aborts when the app is closed. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([...this.#work]);
  }

  /** Runs work that lasts longer than a request. `close` waits for it. */
  track(work: Promise<void>): void {
    const done = work.catch((error: unknown) => {
      this.#services.log(levelOf(error, 'error'), { error: String(error) }, 'failed to follow a batch or a message');
    });
    this.#work.add(done);
    void done.finally(() => this.#work.delete(done));
  }

  /** Posts the card of a batch of reads to its requester, in a direct message or in this thread. */
  async postBatch(view: BatchView, user: string, place?: { channel: string; threadTs: string }): Promise<void> {
    const { web, clock } = this.#services;
    const card = batchMessage(view);
    const at = place ? await web.post(place.channel, card, { threadTs: place.threadTs }) : await web.direct(user, card);
    const thread = place && { threadTs: place.threadTs };
    await this.#keep(view.id, { at, ...thread, shown: digestOf(JSON.stringify(card)), editedAt: clock.now() });
    await this.#add(showBatchJob(view.id, clock.now()));
  }

  /** Resolves to the time (epoch ms) of the next look. */
  async #showBatch(id: string): Promise<number | undefined> {
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
    if (hasEnded(view.state) && !isRunning && isNew && !drawn.told) await this.#tellBatch(view, action, drawn);
    try {
      const card = batchMessage(view);
      const shown = digestOf(JSON.stringify(card));
      let isEdited = false;
      if (action) isEdited = await this.#edit(action.id, BATCH_KINDS);
      else if (drawn.at !== undefined && shown !== drawn.shown) {
        await this.#services.web.update(drawn.at, card);
        Object.assign(drawn, { shown });
        isEdited = true;
      }
      if (isEdited) await this.#keep(id, { ...drawn, editedAt: clock.now() });
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
  async #tellBatch(view: BatchView, action: Action | undefined, drawn: Drawn): Promise<void> {
    const { at } = drawn;
    const place = at ? { channel: at.channel, threadTs: drawn.threadTs ?? at.ts } : action && threadOf(action);
    if (place === undefined) return;
    const asker = action && noteOf(action).asker;
    await this.#tellEnd(batchNews(view, asker), place, asker);
    drawn.told = true;
    await this.#keep(view.id, drawn);
  }

  #keep(id: string, drawn: Drawn): Promise<void> {
    return this.#drawn.change(id, this.#services.clock.now() + STORED_MS, () => JSON.stringify(drawn));
  }
}

/** Id of the batch that a confirmed question has started. */
export function startedBatch({ operation, state, shown }: Action): string | undefined {
  return operation === BATCH_RUN && state === 'done' ? String(shown.Batch) : undefined;
}

/** The time (epoch ms) at which a message that Slack has not taken is tried again. */
function nextTry({ triedAt, tries = 1, refused }: ActionMessage): number {
  return triedAt + (refused !== undefined ? REFUSED_MS : Math.min(LONGEST_PAUSE_MS, RETRY_MS * 2 ** (tries - 1)));
}
