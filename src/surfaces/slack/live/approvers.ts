import { type Gate, statusOf } from '../../../gate/gate.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Clock } from '../../../lib/clock.ts';
import { defined } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import { slackUser } from '../blocks/people.ts';
import { type Message, notice } from '../blocks/text.ts';
import type { Recipients } from '../people/recipients.ts';
import {
  type ApproversNote,
  approversOf,
  BUSY,
  channelTold,
  noteOf,
  type SlackConfig,
  type Telling,
  type TellingKind,
  tellingOf,
  tellingsOf,
  threadAt,
  UNREAD,
} from '../types.ts';
import type { OncePoster } from './post-once.ts';
import { isAmbiguous, SlackRefusal } from './refusal.ts';
import type { WebApi } from './web.ts';

/** Maximum number of approvers who are notified by direct message. Larger teams set SLACK_APPROVALS_CHANNEL. */
const MAX_TOLD = 20;
/** Maximum number of direct messages that are sent at the same time. */
const AT_ONCE = 4;
/**
 * Time before an action expires at which the reminder is sent. An action with less than twice this lifetime gets it
 * after half of its lifetime.
 */
const REMIND_MS = 60_000;
/** Delay before a place that refused the message is tried again. */
const REFUSED_MS = 60_000;
/** Delay before a message without an answer is looked up again. */
const LOOK_AGAIN_MS = 10_000;
/** Delays before an update that failed in Slack is tried again. */
const UPDATE_AGAIN_MS = [2_000, 8_000, 30_000];

export interface ApproversOptions {
  config: SlackConfig;
  gate: Gate;
  web: WebApi;
  once: OncePoster;
  recipients: Recipients;
  clock: Clock;
  log: Log;
  draw(action: Action, kind: TellingKind): Message;
  /** Channels and users where the action's card may still be posted, which notifies the people there. */
  cardPlaces(action: Action): readonly string[];
  /** Called when the requester's card has to show a change in the approvers who were notified. */
  onTold(id: string): void;
}

/**
 * Notifies approvers that an action waits, independent of the place of the request: in SLACK_APPROVALS_CHANNEL, or each
 * by direct message. A reminder follows before the action expires. Each message is sent once over all processes and
 * restarts, and shows the action's state from then on.
 */
export class Approvers {
  readonly #options: ApproversOptions;
  /** The last work queued for each action. */
  readonly #queues = new Map<string, Promise<void>>();
  /** Reasons that were logged. */
  readonly #logged = new Set<string>();
  #closed = false;

  constructor(options: ApproversOptions) {
    this.#options = options;
  }

  /** True if a message has to be sent, looked up or updated now. */
  isDue(action: Action): boolean {
    if (this.#outdated(action).length > 0) return true;
    const unconfirmed = Object.values(tellingsOf(action)).some((one) => one.post !== undefined && this.#mayTry(one));
    if (action.state !== 'pending') return unconfirmed;
    const { places, nobody } = approversOf(action);
    if (places === undefined && nobody === undefined) return true;
    if (nobody === 'unread') return true;
    return unconfirmed || this.#dueOf(action).length > 0;
  }

  /** Sends and updates what is due. */
  sync(id: string): Promise<void> {
    return this.#queue(id, () => this.#bringUpToDate(id));
  }

  /** Redraws the messages to approvers even if they are up to date. */
  refresh(id: string): Promise<void> {
    return this.#queue(id, async () => {
      const action = await this.#current(id);
      const posted = Object.entries(action ? tellingsOf(action) : {}).filter(([, { at }]) => at !== undefined);
      if (posted.length === 0) return;
      const stale = posted.map(([key, { shown: _, ...telling }]) => [key, telling] as const);
      await this.#options.gate.notes.merge(id, 'told', Object.fromEntries(stale));
      await this.#bringUpToDate(id);
    });
  }

  /** Runs one task per action at a time. A failure is logged and rejects nothing. */
  #queue(id: string, work: () => Promise<void>): Promise<void> {
    const before = this.#queues.get(id) ?? Promise.resolve();
    const done = before
      .then(() => (this.#closed ? undefined : work()))
      .catch((error: unknown) =>
        this.#options.log('error', { action: id, error: String(error) }, 'failed to tell approvers about an action'),
      );
    this.#queues.set(id, done);
    void done.then(() => {
      if (this.#queues.get(id) === done) this.#queues.delete(id);
    });
    return done;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([...this.#queues.values()]);
  }

  async #bringUpToDate(id: string): Promise<void> {
    let action = await this.#current(id);
    if (!action || !this.isDue(action)) return;
    if (action.state === 'pending') {
      await this.#plan(action);
      action = (await this.#current(id)) ?? action;
      const due = [...this.#dueOf(action)];
      const sender = async () => {
        for (let next = due.shift(); next && !this.#closed; next = due.shift()) await this.#tell(id, ...next);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, sender));
      this.#options.onTold(id);
    }
    const now = await this.#current(id);
    if (now) await this.#settle(now);
  }

  /** Chooses the approvers to notify, and stores them with the action. */
  async #plan(action: Action): Promise<void> {
    const { places, nobody } = approversOf(action);
    if (places !== undefined || (nobody !== undefined && nobody !== 'unread')) return;
    const { gate, clock } = this.#options;
    if (nobody === 'unread' && !(await gate.notes.claim(action.id, 'planning', clock.now() - REFUSED_MS))) return;
    const plan = await this.#planFor(action);
    if (
      plan.nobody === 'unnamed' ||
      plan.nobody === 'outsiders' ||
      plan.nobody === 'barred' ||
      plan.nobody === 'unread'
    )
      this.#warnOnce(plan.nobody, { action: action.id, reason: plan.nobody });
    await gate.notes.merge(action.id, 'approvers', { places: undefined, nobody: undefined, ...plan });
  }

  async #planFor(action: Action): Promise<ApproversNote> {
    const { config, gate, recipients } = this.#options;
    if (config.SLACK_APPROVALS_CHANNEL !== undefined) return { places: [config.SLACK_APPROVALS_CHANNEL] };
    if (!gate.decidesBy('slack')) return { nobody: 'way' };
    const { everyone, unreadGroup, outsiders, ...found } = await recipients.approvers();
    if (everyone) return { nobody: 'everyone' };
    // Approvers whose profile could not be read are checked again before they are notified.
    const users = [...found.users, ...found.unread];
    const requester = slackUser(action.person);
    const others = users.filter((user) => user !== requester);
    if (others.length > 0) {
      const more = others.length - MAX_TOLD;
      return { places: others.slice(0, MAX_TOLD), ...defined({ more: more > 0 ? more : undefined }) };
    }
    if (unreadGroup) return { nobody: 'unread' };
    if (users.length === 0) return { nobody: outsiders.length > 0 ? 'outsiders' : 'unnamed' };
    return { nobody: this.#isBarred(action) ? 'barred' : 'own' };
  }

  /** True if the requester may not confirm their own request. */
  #isBarred({ person, actorName, ...action }: Action): boolean {
    const requester = {
      id: person,
      person,
      name: actorName,
      role: 'approver',
      surface: 'slack',
      priority: 'person',
    } as const;
    return this.#options.gate.refusal('confirm', { ...action, person, actorName }, requester, 'slack') !== undefined;
  }

  /** The messages to send now. */
  #dueOf(action: Action): [TellingKind, string][] {
    if (action.state !== 'pending') return [];
    const { clock } = this.#options;
    const { places = [], nobody } = approversOf(action);
    const card = noteOf(action);
    const standsAt = channelTold(card);
    // The card notifies the people of its channel, even if Slack has not confirmed its arrival yet.
    const sent = Object.keys(card.sent ?? {}).filter((place) => threadAt(card, place) === undefined);
    const expected = [...this.#options.cardPlaces(action), ...sent];
    const first = places.filter((place) => place !== standsAt && !expected.includes(place));
    const due = first.map((place): [TellingKind, string] => ['asked', place]);
    const remindAt = remindAtOf(action);
    if (clock.now() >= remindAt && action.expiresAt > clock.now()) {
      const own = nobody === 'everyone' && standsAt !== undefined && !standsAt.startsWith('D') ? [standsAt] : [];
      const asked = places.filter((place) => {
        if (place === standsAt) return true;
        const told = tellingOf(action, 'asked', place);
        // Approvers who were first notified this late get no reminder.
        return told?.toldAt !== undefined && told.toldAt < remindAt;
      });
      due.push(...[...own, ...asked].map((place): [TellingKind, string] => ['reminder', place]));
    }
    return due.filter(([kind, place]) => {
      const telling = tellingOf(action, kind, place);
      return telling?.at === undefined && this.#mayTry(telling);
    });
  }

  #mayTry(telling: Telling | undefined): boolean {
    if (telling === undefined) return true;
    const isStaying = telling.refused !== undefined && !BUSY.has(telling.refused);
    return this.#options.clock.now() - telling.triedAt >= (isStaying ? REFUSED_MS : LOOK_AGAIN_MS);
  }

  /** Sends one message, or finds it where an earlier attempt left it. */
  async #tell(id: string, kind: TellingKind, place: string): Promise<void> {
    const { gate, web, once, recipients, clock, log } = this.#options;
    let channel: string;
    try {
      channel = isPerson(place) ? await recipients.open(place, 'approver') : place;
    } catch (error) {
      await this.#put(id, kind, place, this.#refusedBy(error, place));
      return;
    }
    const key = `${kind} ${place}`;
    if (!(await gate.notes.claim(id, `telling ${key}`, clock.now() - LOOK_AGAIN_MS))) return;
    const action = await this.#current(id);
    const before = action && tellingOf(action, kind, place);
    if (action?.state !== 'pending' || before?.at !== undefined || this.#closed) return;
    if (before?.post && !(await this.#isLost(action, kind, place, before))) return;
    const post = once.next(undefined, channel);
    await this.#put(id, kind, place, { triedAt: clock.now(), post });
    try {
      const at = await web.post(channel, this.#options.draw(action, kind), { mark: post.mark });
      await this.#put(id, kind, place, { triedAt: post.since, at, toldAt: clock.now(), shown: 'pending' });
    } catch (error) {
      if (isAmbiguous(error)) {
        log('warn', { action: id, place, error: String(error) }, 'Slack did not say whether approvers were told');
        await this.#put(id, kind, place, {
          triedAt: clock.now(),
          post: { ...post, ...(error.answered ? { answered: true as const } : {}) },
        });
      } else await this.#put(id, kind, place, this.#refusedBy(error, place));
    }
  }

  /** True if a message that was sent without an answer did not arrive. If it did arrive, that is stored. */
  async #isLost(action: Action, kind: TellingKind, place: string, { post }: Telling): Promise<boolean> {
    const { once, clock, log } = this.#options;
    if (!post) return true;
    try {
      const arrival = await once.look(post);
      if (arrival.kind === 'lost') return true;
      if (arrival.kind === 'arrived') {
        const told = { triedAt: post.last, at: arrival.at, toldAt: post.last, shown: 'pending' } as const;
        await this.#put(action.id, kind, place, told);
        return false;
      }
    } catch (error) {
      log('warn', { action: action.id, place, error: String(error) }, 'failed to check whether approvers were told');
    }
    const now = await this.#current(action.id);
    // Another process may have found it meanwhile.
    if (now && tellingOf(now, kind, place)?.at === undefined)
      await this.#put(action.id, kind, place, { triedAt: clock.now(), post });
    return false;
  }

  /** Looks up messages whose arrival is unconfirmed, and updates those that show an earlier state. */
  async #settle(action: Action): Promise<void> {
    if (action.state !== 'pending') await this.#findUnconfirmed(action);
    await this.#update(action.id, 0);
  }

  async #findUnconfirmed(action: Action): Promise<void> {
    for (const [key, telling] of Object.entries(tellingsOf(action))) {
      const { kind, place } = partsOf(key);
      if (telling.post === undefined || !this.#mayTry(telling)) continue;
      if (await this.#isLost(action, kind, place, telling)) {
        await this.#put(action.id, kind, place, { triedAt: this.#options.clock.now(), refused: 'lost' });
      }
    }
    const now = await this.#current(action.id);
    if (now && Object.values(tellingsOf(now)).some(({ post }) => post !== undefined))
      this.#options.clock.setTimeout(() => void (this.#closed || this.sync(action.id)), LOOK_AGAIN_MS);
  }

  /** Updates the messages that show an earlier state, and tries a few times if Slack does not take an update. */
  async #update(id: string, attempt: number): Promise<void> {
    const { web, log, clock } = this.#options;
    const action = await this.#current(id);
    if (!action || this.#closed) return;
    let failed = false;
    for (const { kind, place, telling } of this.#outdated(action)) {
      if (!telling.at) continue;
      const shown: Telling = { ...telling, shown: action.state };
      try {
        await web.update(telling.at, await this.#drawFor(action, kind, place));
        await this.#put(id, kind, place, shown);
      } catch (error) {
        log('info', { action: id, place, error: String(error) }, 'failed to update a message to approvers');
        if (UPDATE_AGAIN_MS[attempt] !== undefined) failed = true;
        // The message is gone, or Slack refuses the update for good. Record it, so that later checks of the ledger do
        // not try again.
        else await this.#put(id, kind, place, shown);
      }
    }
    const wait = failed ? UPDATE_AGAIN_MS[attempt] : undefined;
    if (wait !== undefined) clock.setTimeout(() => void this.#queue(id, () => this.#update(id, attempt + 1)), wait);
  }

  /** The message for this place. A person who is no longer an approver sees no content. */
  async #drawFor(action: Action, kind: TellingKind, place: string): Promise<Message> {
    const may = !isPerson(place) || (await this.#options.recipients.may(place, 'approver'));
    if (may === undefined) throw new SlackRefusal('users.info', UNREAD);
    return may ? this.#options.draw(action, kind) : notice('ℹ️', 'You are not an approver any more.');
  }

  /** Messages that show an earlier state of the action. "Confirmed" and "in flight" look the same. */
  #outdated(action: Action): { kind: TellingKind; place: string; telling: Telling }[] {
    return Object.entries(tellingsOf(action)).flatMap(([key, telling]) =>
      telling.at !== undefined && (telling.shown === undefined || statusOf(telling.shown) !== statusOf(action.state))
        ? [{ ...partsOf(key), telling }]
        : [],
    );
  }

  /** The record of a refusal. One that stays is logged once. */
  #refusedBy(error: unknown, place: string): Telling {
    const reason = error instanceof SlackRefusal ? error.reason : String(error);
    this.#warnOnce(`${place} ${reason}`, { place, reason });
    return { triedAt: this.#options.clock.now(), refused: reason };
  }

  #warnOnce(key: string, fields: Readonly<Record<string, string>>): void {
    if (this.#logged.has(key)) return;
    this.#logged.add(key);
    this.#options.log('warn', fields, 'approvers could not be told that an action waits');
  }

  #put(id: string, kind: TellingKind, place: string, telling: Telling): Promise<void> {
    return this.#options.gate.notes.merge(id, 'told', { [`${kind} ${place}`]: telling });
  }

  #current(id: string): Promise<Action | undefined> {
    return this.#options.gate.actions.get(id);
  }
}

/**
 * Time of the reminder to approvers (epoch ms): a minute before the action expires, or halfway through a lifetime of
 * less than two minutes.
 */
function remindAtOf({ createdAt, expiresAt }: Action): number {
  return expiresAt - Math.min(REMIND_MS, (expiresAt - createdAt) / 2);
}

function partsOf(key: string): { kind: TellingKind; place: string } {
  const [kind = '', place = ''] = key.split(' ');
  return { kind: kind === 'reminder' ? 'reminder' : 'asked', place };
}

function isPerson(place: string): boolean {
  return place.startsWith('U') || place.startsWith('W');
}
