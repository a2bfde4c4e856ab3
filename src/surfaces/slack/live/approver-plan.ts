import type { Gate } from '../../../gate/gate.ts';
import type { Absence, Absences } from '../../../ledger/absences.ts';
import { canonical } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { isClaimed } from '../../../ledger/level.ts';
import type { Clock } from '../../../lib/clock.ts';
import { defined } from '../../../lib/json.ts';
import { REFUSED_MS } from '../api/web.ts';
import { slackUser } from '../blocks/render.ts';
import { isShort, reminderAt } from '../people/hours.ts';
import type { Recipients } from '../people/recipients.ts';
import { type ApproversNote, approversOf, isPerson, type SlackConfig } from '../types.ts';

/** Maximum number of approvers who are notified by direct message. Larger teams set SLACK_APPROVALS_CHANNEL. */
const MAX_TOLD = 20;

export interface ApproverPlanOptions {
  config: SlackConfig;
  gate: Gate;
  absences: Pick<Absences, 'list'>;
  recipients: Recipients;
  clock: Clock;
  /** Logs once why no approver is notified. */
  warn(reason: string, fields: Readonly<Record<string, string>>): void;
}

/** Chooses who is notified that an action waits, who is asked instead of approvers who are away, and when to remind. */
export class ApproverPlan {
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
    // A person whom a workflow names did not ask, and does not know of the question.
    const requester = isClaimed(action) && !this.#isBarred(action) ? undefined : slackUser(action.person);
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
    // A channel has no place of its own for a person: its message mentions them.
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
