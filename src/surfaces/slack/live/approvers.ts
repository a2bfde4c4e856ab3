import type { Gate } from '../../../gate/gate.ts';
import { canonical } from '../../../ledger/action.ts';
import type { Absence, Absences } from '../../../ledger/actions-view.ts';
import { showJob } from '../../../ledger/later.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Clock } from '../../../lib/clock.ts';
import { RETRY_MS } from '../../../lib/durations.ts';
import { defined, textOf } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import type { Jobs } from '../../../work/jobs.ts';
import type { Worker } from '../../../work/worker.ts';
import { REFUSED_MS } from '../api/web.ts';
import { askedWhomText } from '../blocks/asked-whom.ts';
import { slackUser } from '../blocks/render.ts';
import type { Recipients } from '../people/directory.ts';
import { isShort, reminderAt } from '../people/directory.ts';
import {
  type ActionMessage,
  type ApproversNote,
  approversOf,
  channelTold,
  isPerson,
  messagesOf,
  type SlackConfig,
  type TellingKind,
  tellingOf,
} from '../types.ts';
import { type ActionMessages, nextTry, startedBatch } from './messages.ts';

/** Maximum number of direct messages that are sent at the same time. */
const AT_ONCE = 4;
/** The messages that this job posts and edits. */
const KINDS = ['asked', 'reminder'];
/** The kind of the job that sends and updates the messages about one action. */
const TELL = 'slack.tell';

export interface ApproversOptions extends Omit<ApproverPlanOptions, 'warn'> {
  gate: Gate;
  messages: ActionMessages;
  clock: Clock;
  log: Log;
  jobs: Jobs;
  worker: Pick<Worker, 'on' | 'off' | 'look'>;
}

/**
 * Notifies approvers that an action waits, independent of the place of the request: in SLACK_APPROVALS_CHANNEL, or each
 * by direct message. A reminder follows before the action expires. The messages show the action's state from then on.
 */
export class Approvers {
  readonly #options: ApproversOptions;
  /** Reasons that were logged. */
  readonly #logged = new Set<string>();

  readonly #plan: ApproverPlan;

  constructor(options: ApproversOptions) {
    this.#options = options;
    this.#plan = new ApproverPlan({ ...options, warn: (reason, fields) => this.#warnOnce(reason, fields) });
  }

  start(): void {
    this.#options.worker.on(TELL, (job) => this.#bringUpToDate(textOf(job.payload.action), job.attempts));
  }

  /** Sends and updates what is due, soon. */
  async later(id: string): Promise<void> {
    const { jobs, worker } = this.#options;
    await jobs.add({ kind: TELL, key: `${TELL} ${id}`, payload: { action: id } });
    worker.look();
  }

  async close(): Promise<void> {
    await this.#options.worker.off([TELL]);
  }

  /** Resolves to the time (epoch ms) at which the next message is due. */
  async #bringUpToDate(id: string, attempts: number): Promise<number | undefined> {
    let action = await this.#current(id);
    if (!action) return undefined;
    const before = askedWhomText(action);
    if (action.state === 'pending') await this.#plan.bringUpToDate(action);
    action = (await this.#current(id)) ?? action;
    await this.#tellAll(action);
    await this.#redrawCard(id, before);
    // The job of a started batch edits them.
    if (startedBatch(action) === undefined) await this.#options.messages.edit(id, KINDS, attempts);
    const now = await this.#current(id);
    return now && this.#nextAt(now);
  }

  async #tellAll(action: Action): Promise<void> {
    const due = this.#dueOf(action);
    const sender = async () => {
      for (let next = due.shift(); next; next = due.shift()) await this.#tell(action.id, ...next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
  }

  /** Has the card drawn again if the approvers that it names have changed. `before`: its earlier text about them. */
  async #redrawCard(id: string, before: string): Promise<void> {
    const { jobs, worker } = this.#options;
    const action = await this.#current(id);
    if (!action || askedWhomText(action) === before) return;
    await jobs.add(showJob(id));
    worker.look();
  }

  /** Time (epoch ms) at which a message has to be sent. */
  #nextAt(action: Action): number | undefined {
    const { clock } = this.#options;
    const isPending = action.state === 'pending';
    const { card } = messagesOf(action);
    // Its next attempt is followed by a run of this job, because a card notifies the people of its channel.
    const isCardNext = card !== undefined && card.at === undefined;
    const times = unsent(action).flatMap(([, , { unsure, ...one }]) =>
      (isPending && !isCardNext) || unsure ? [nextTry(one)] : [],
    );
    if (isPending && approversOf(action).nobody === 'unread') times.push(clock.now() + REFUSED_MS);
    // A message that is not due although it may be tried is looked at again, but not at once.
    const next = times.map((at) => (at > clock.now() ? at : clock.now() + RETRY_MS));
    if (isPending) {
      const { places = [], away = [] } = approversOf(action);
      const later = [...['', ...places].map((place) => remindAtOf(action, place)), ...away.map(({ until }) => until)];
      next.push(...later.filter((at) => at > clock.now()));
    }
    return next.length === 0 ? undefined : Math.min(...next);
  }

  /** The messages to send now, or to look for after the action has ended. */
  #dueOf(action: Action): [TellingKind, string][] {
    const { clock } = this.#options;
    if (action.state !== 'pending')
      return unsent(action).flatMap(([kind, place, one]): [TellingKind, string][] =>
        one.unsure && clock.now() >= nextTry(one) ? [[kind, place]] : [],
      );
    const { places: all = [], nobody, away = [] } = approversOf(action);
    const absent = away.flatMap(({ approver, instead }) => (instead === undefined ? [] : approver));
    const places = all.filter((place) => !absent.includes(place));
    const standsAt = channelTold(action);
    const first = places.filter((place) => place !== standsAt);
    const due = first.map((place): [TellingKind, string] => ['asked', place]);
    const isDue = (place: string) => clock.now() >= remindAtOf(action, place) && action.expiresAt > clock.now();
    const own = nobody === 'everyone' && standsAt !== undefined && !standsAt.startsWith('D') ? [standsAt] : [];
    const asked = places.filter((place) => {
      if (place === standsAt) return true;
      const told = tellingOf(action, 'asked', place);
      // Approvers who were first notified this late get no reminder.
      return told?.at !== undefined && told.triedAt < remindAtOf(action, place);
    });
    due.push(...[...own, ...asked].filter(isDue).map((place): [TellingKind, string] => ['reminder', place]));
    return due.filter(([kind, place]) => {
      const telling = tellingOf(action, kind, place);
      return telling === undefined || (telling.at === undefined && clock.now() >= nextTry(telling));
    });
  }

  async #tell(id: string, kind: TellingKind, place: string): Promise<void> {
    const action = await this.#current(id);
    if (!action || (await this.#options.messages.post(action, `${kind} ${place}`, place)) !== 'refused') return;
    const told = await this.#current(id);
    const reason = told && tellingOf(told, kind, place)?.refused;
    if (reason !== undefined) this.#warnOnce(`${place} ${reason}`, { place, reason });
  }

  #warnOnce(key: string, fields: Readonly<Record<string, string>>): void {
    if (this.#logged.has(key)) return;
    this.#logged.add(key);
    this.#options.log('warn', fields, 'approvers could not be told that an action waits');
  }

  #current(id: string): Promise<Action | undefined> {
    return this.#options.gate.actions.get(id);
  }
}

/** The messages to approvers that were tried and are not posted yet. */
function unsent(action: Action): [TellingKind, string, ActionMessage][] {
  return Object.entries(messagesOf(action)).flatMap(([key, message]): [TellingKind, string, ActionMessage][] => {
    const [kind, place = ''] = key.split(' ');
    return message.at === undefined && (kind === 'asked' || kind === 'reminder') ? [[kind, place, message]] : [];
  });
}

/** Time of the reminder to a place (epoch ms). */
function remindAtOf(action: Action, place: string): number {
  return approversOf(action).remindAt?.[place] ?? reminderAt(action, undefined);
}

/** Maximum number of approvers who are notified by direct message. Larger teams set SLACK_APPROVALS_CHANNEL. */
const MAX_TOLD = 20;

interface ApproverPlanOptions {
  config: SlackConfig;
  gate: Gate;
  absences: Pick<Absences, 'list'>;
  recipients: Recipients;
  clock: Clock;
  /** Logs once why no approver is notified. */
  warn(reason: string, fields: Readonly<Record<string, string>>): void;
}

/** Chooses who is notified that an action waits, who is asked instead of approvers who are away, and when to remind. */
class ApproverPlan {
  readonly #options: ApproverPlanOptions;

  constructor(options: ApproverPlanOptions) {
    this.#options = options;
  }

  /** Stores the plan with the action. The approvers are chosen once; those who are away are looked up at each run. */
  async bringUpToDate(action: Action): Promise<void> {
    await this.#choose(action);
    const { gate } = this.#options;
    const now = await gate.actions.get(action.id);
    if (now) await this.#cover(now, approversOf(now));
  }

  async #choose(action: Action): Promise<void> {
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
      this.#options.warn(plan.nobody, { action: action.id, reason: plan.nobody });
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

  /** Adds the people who are asked instead of approvers who are away, and the times of the reminders. */
  async #cover(action: Action, note: ApproversNote): Promise<void> {
    const { places } = note;
    if (places === undefined) return;
    const absences = await this.#options.absences.list();
    const isAsked = (user: string) => places.includes(user) || places.some((place) => !isPerson(place));
    const away: NonNullable<ApproversNote['away']> = [];
    for (const { approver, until } of absences.filter((one) => isAsked(one.approver))) {
      const instead = await this.#standIn(approver, action, absences);
      const name = (await this.#options.recipients.profileOf(approver))?.name ?? approver;
      away.push({ approver, name, until, ...defined({ instead }) });
    }
    // A message in a channel mentions the persons whom it is for.
    const added = places.every(isPerson) ? away.flatMap(({ instead }) => instead ?? []) : [];
    const all = [...new Set([...places, ...added])];
    const known = note.remindAt ?? {};
    const times = await Promise.all(
      all.map(async (place) => [place, known[place] ?? (await this.#remindAt(action, place))] as const),
    );
    const next: ApproversNote = { places: all, away, remindAt: Object.fromEntries(times) };
    const before: ApproversNote = { places, away: note.away ?? [], remindAt: known };
    if (canonical(next) !== canonical(before))
      await this.#options.gate.notes.merge(action.id, 'approvers', { ...next });
  }

  /** The approver who is asked instead: not away, still an approver, and not the requester. */
  async #standIn(approver: string, action: Action, absences: readonly Absence[]): Promise<string | undefined> {
    const seen = [approver];
    for (;;) {
      const next = absences.find((one) => one.approver === seen.at(-1))?.instead;
      if (next === undefined) break;
      if (seen.includes(next)) return undefined;
      seen.push(next);
    }
    const last = seen.at(-1) ?? approver;
    if (last === slackUser(action.person)) return undefined;
    return (await this.#options.recipients.may(last, 'approver')) ? last : undefined;
  }

  /** In a channel, the last of the times that suit one of the approvers. */
  async #remindAt(action: Action, place: string): Promise<number> {
    const { recipients } = this.#options;
    if (isShort(action)) return reminderAt(action, undefined);
    const people = isPerson(place) ? [place] : (await recipients.approvers()).users.slice(0, MAX_TOLD);
    const zones = await Promise.all(people.map(async (user) => (await recipients.profileOf(user))?.zone));
    return Math.max(...(zones.length === 0 ? [undefined] : zones).map((zone) => reminderAt(action, zone)));
  }
}
