import { showJob } from '../../../ledger/later.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { MINUTE_MS } from '../../../lib/clock.ts';
import { RETRY_MS } from '../../../lib/durations.ts';
import { textOf } from '../../../lib/json.ts';
import { REFUSED_MS } from '../api/web.ts';
import { askedWhom } from '../blocks/asked-whom.ts';
import { slackUser } from '../blocks/render.ts';
import { type ApproversNote, approversOf, channelTold, messagesOf, tellingOf } from '../types.ts';
import { type ActionMessages, nextTry, startedBatch } from './messages.ts';
import type { Services } from './services.ts';

/** Maximum number of approvers who are notified by direct message. Larger teams set SLACK_APPROVALS_CHANNEL. */
const MAX_TOLD = 20;
/** Time before a question expires at which approvers are reminded; of a short question, half of its time. */
const REMIND_MS = 15 * MINUTE_MS;
/** The kind of the job that sends and updates the messages to approvers about one action. */
const TELL = 'slack.tell';

/** A message that is to be sent, with the time (epoch ms) at which it is due. */
interface Due {
  key: string;
  place: string;
  at: number;
  isTried: boolean;
}

/**
 * Notifies approvers that an action waits, independent of the place of the request: in SLACK_APPROVALS_CHANNEL, or each
 * by direct message. One reminder follows before the action expires. The messages show the action's state from then on.
 */
export class Approvers {
  readonly #services: Services;
  readonly #messages: ActionMessages;
  /** Reasons that were logged. */
  readonly #logged = new Set<string>();

  constructor(services: Services, messages: ActionMessages) {
    this.#services = services;
    this.#messages = messages;
  }

  start(): void {
    this.#services.worker.on(TELL, (job) => this.#bringUpToDate(textOf(job.payload.action), job.attempts));
  }

  /** Sends and updates what is due, soon. */
  async later(id: string): Promise<void> {
    await this.#add({ kind: TELL, key: `${TELL} ${id}`, payload: { action: id } });
  }

  async close(): Promise<void> {
    await this.#services.worker.off([TELL]);
  }

  async #add(job: Parameters<Services['jobs']['add']>[0]): Promise<void> {
    await this.#services.jobs.add(job);
    this.#services.worker.look();
  }

  /** Resolves to the time (epoch ms) at which the next message is due. */
  async #bringUpToDate(id: string, attempts: number): Promise<number | undefined> {
    const { gate, clock } = this.#services;
    const before = await gate.actions.get(id);
    if (!before) return undefined;
    if (before.state === 'pending') await this.#choose(before);
    const chosen = (await gate.actions.get(id)) ?? before;
    const due = this.#unsent(chosen).filter(({ at }) => at <= clock.now());
    for (const next of due) await this.#tell(id, next);
    // The job of a started batch edits them.
    if (startedBatch(chosen) === undefined) await this.#messages.edit(id, ['asked', 'reminder'], attempts);
    const now = (await gate.actions.get(id)) ?? chosen;
    // The card names the approvers.
    if (JSON.stringify(askedWhom(now)) !== JSON.stringify(askedWhom(before))) await this.#add(showJob(id));
    return this.#nextAt(now);
  }

  /** Stores the places to notify with the action. They are chosen once. */
  async #choose(action: Action): Promise<void> {
    const { gate, clock } = this.#services;
    const { places, nobody } = approversOf(action);
    if (places !== undefined || (nobody !== undefined && nobody !== 'unread')) return;
    if (nobody === 'unread' && !(await gate.notes.claim(action.id, 'planning', clock.now() - REFUSED_MS))) return;
    const plan = await this.#planFor(action);
    if (plan.nobody !== undefined && !['everyone', 'own', 'way'].includes(plan.nobody))
      this.#warnOnce(plan.nobody, { action: action.id, reason: plan.nobody });
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
    return { nobody: gate.refusal('confirm', action, requester, 'slack') ? 'barred' : 'own' };
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

  /** The messages that are to be sent. After the action has ended, one that Slack may have taken is looked for. */
  #unsent(action: Action): Due[] {
    const { places = [], nobody } = approversOf(action);
    const { createdAt, expiresAt, state } = action;
    const remindAt = expiresAt - Math.min(REMIND_MS, (expiresAt - createdAt) / 2);
    // The card notifies the people of its channel.
    const standsAt = channelTold(action);
    const own = nobody === 'everyone' && standsAt !== undefined && !standsAt.startsWith('D') ? [standsAt] : [];
    // Approvers who were first notified this late get no reminder.
    const reminded = places.filter((place) => {
      const told = tellingOf(action, 'asked', place);
      return place === standsAt || (told?.at !== undefined && told.triedAt < remindAt);
    });
    const wanted = [
      ...places.filter((place) => place !== standsAt).map((place) => ({ key: `asked ${place}`, place, from: 0 })),
      ...[...own, ...reminded].map((place) => ({ key: `reminder ${place}`, place, from: remindAt })),
    ];
    return wanted.flatMap(({ key, place, from }): Due[] => {
      const told = messagesOf(action)[key];
      if (told?.at !== undefined || (state !== 'pending' && told?.unsure === undefined)) return [];
      return [{ key, place, at: told ? nextTry(told) : from, isTried: told !== undefined }];
    });
  }

  async #tell(id: string, { key, place }: Due): Promise<void> {
    const { gate } = this.#services;
    const action = await gate.actions.get(id);
    if (!action || (await this.#messages.post(action, key, place)) !== 'refused') return;
    const told = await gate.actions.get(id);
    const reason = told && messagesOf(told)[key]?.refused;
    if (reason !== undefined) this.#warnOnce(`${place} ${reason}`, { place, reason });
  }

  #warnOnce(key: string, fields: Readonly<Record<string, string>>): void {
    if (this.#logged.has(key)) return;
    this.#logged.add(key);
    this.#services.log('warn', fields, 'approvers could not be told that an action waits');
  }
}
