import type { Gate } from '../../../gate/gate.ts';
import { showJob } from '../../../ledger/later.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Clock, MINUTE_MS } from '../../../lib/clock.ts';
import { RETRY_MS } from '../../../lib/durations.ts';
import { textOf } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import type { Jobs } from '../../../work/jobs.ts';
import type { Worker } from '../../../work/worker.ts';
import { REFUSED_MS } from '../api/web.ts';
import { askedWhomText } from '../blocks/asked-whom.ts';
import { slackUser } from '../blocks/render.ts';
import type { Recipients } from '../people/directory.ts';
import {
  type ApproversNote,
  approversOf,
  channelTold,
  messagesOf,
  type SlackConfig,
  type TellingKind,
  tellingOf,
} from '../types.ts';
import { type ActionMessages, nextTry, startedBatch } from './messages.ts';

/** Maximum number of approvers who are notified by direct message. Larger teams set SLACK_APPROVALS_CHANNEL. */
const MAX_TOLD = 20;
/** Maximum number of direct messages that are sent at the same time. */
const AT_ONCE = 4;
/** Time before a question expires at which approvers are reminded; of a short question, half of its time. */
const REMIND_MS = 15 * MINUTE_MS;
/** The kind of the job that sends and updates the messages about one action. */
const TELL = 'slack.tell';

export interface ApproversOptions {
  config: SlackConfig;
  gate: Gate;
  messages: ActionMessages;
  recipients: Recipients;
  clock: Clock;
  log: Log;
  jobs: Jobs;
  worker: Pick<Worker, 'on' | 'off' | 'look'>;
}

/**
 * Notifies approvers that an action waits, independent of the place of the request: in SLACK_APPROVALS_CHANNEL, or each
 * by direct message. One reminder follows before the action expires. The messages show the action's state from then on.
 */
export class Approvers {
  readonly #options: ApproversOptions;
  /** Reasons that were logged. */
  readonly #logged = new Set<string>();

  constructor(options: ApproversOptions) {
    this.#options = options;
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
    const { gate, jobs, worker, messages } = this.#options;
    let action = await gate.actions.get(id);
    if (!action) return undefined;
    const before = askedWhomText(action);
    if (action.state === 'pending') await this.#choose(action);
    action = (await gate.actions.get(id)) ?? action;
    const due = this.#unsent(action).filter(({ at }) => at <= this.#options.clock.now());
    const sender = async () => {
      for (let next = due.shift(); next; next = due.shift()) await this.#tell(id, next.kind, next.place);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
    // The job of a started batch edits them.
    if (startedBatch(action) === undefined) await messages.edit(id, ['asked', 'reminder'], attempts);
    action = (await gate.actions.get(id)) ?? action;
    // The card names the approvers.
    if (askedWhomText(action) !== before) {
      await jobs.add(showJob(id));
      worker.look();
    }
    return this.#nextAt(action);
  }

  /** Stores the places to notify with the action. They are chosen once. */
  async #choose(action: Action): Promise<void> {
    const { gate, clock } = this.#options;
    const { places, nobody } = approversOf(action);
    if (places !== undefined || (nobody !== undefined && nobody !== 'unread')) return;
    if (nobody === 'unread' && !(await gate.notes.claim(action.id, 'planning', clock.now() - REFUSED_MS))) return;
    const plan = await this.#planFor(action);
    if (plan.nobody !== undefined && !['everyone', 'own', 'way'].includes(plan.nobody))
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
    const others = users.filter((user) => user !== slackUser(action.person));
    const more = others.length - MAX_TOLD;
    if (others.length > 0) return { places: others.slice(0, MAX_TOLD), ...(more > 0 && { more }) };
    if (unreadGroup) return { nobody: 'unread' };
    if (users.length === 0) return { nobody: outsiders.length > 0 ? 'outsiders' : 'unnamed' };
    const { person, actorName: name } = action;
    const requester = { id: person, person, name, role: 'approver', surface: 'slack', priority: 'person' } as const;
    return { nobody: gate.refusal('confirm', action, requester, 'slack') ? 'barred' : 'own' };
  }

  /** Time (epoch ms) of the next message, or of the next look at a user group that Slack did not return. */
  #nextAt(action: Action): number | undefined {
    const now = this.#options.clock.now();
    // Its next attempt is followed by a run of this job, because a card notifies the people of its channel.
    const { card } = messagesOf(action);
    const isCardNext = action.state === 'pending' && card !== undefined && card.at === undefined;
    const times = this.#unsent(action).flatMap(({ at, isTried }) => (isTried && isCardNext ? [] : at));
    if (action.state === 'pending' && approversOf(action).nobody === 'unread') times.push(now + REFUSED_MS);
    // A message that could be tried now is looked at again, but not at once.
    return times.length === 0 ? undefined : Math.min(...times.map((at) => (at > now ? at : now + RETRY_MS)));
  }

  /**
   * The messages that are to be sent, each with the time (epoch ms) at which it is due. After the action has ended, a
   * message that Slack may have taken is looked for.
   */
  #unsent(action: Action): { kind: TellingKind; place: string; at: number; isTried: boolean }[] {
    const { places = [], nobody } = approversOf(action);
    const { createdAt, expiresAt, state } = action;
    const isPending = state === 'pending';
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
      ...places.filter((place) => place !== standsAt).map((place) => ({ kind: 'asked' as const, place, from: 0 })),
      ...[...own, ...reminded].map((place) => ({ kind: 'reminder' as const, place, from: remindAt })),
    ];
    return wanted.flatMap(({ kind, place, from }) => {
      const told = tellingOf(action, kind, place);
      if (told?.at !== undefined || (!isPending && told?.unsure === undefined)) return [];
      return [{ kind, place, at: told ? nextTry(told) : from, isTried: told !== undefined }];
    });
  }

  async #tell(id: string, kind: TellingKind, place: string): Promise<void> {
    const { gate, messages } = this.#options;
    const action = await gate.actions.get(id);
    if (!action || (await messages.post(action, `${kind} ${place}`, place)) !== 'refused') return;
    const told = await gate.actions.get(id);
    const reason = told && tellingOf(told, kind, place)?.refused;
    if (reason !== undefined) this.#warnOnce(`${place} ${reason}`, { place, reason });
  }

  #warnOnce(key: string, fields: Readonly<Record<string, string>>): void {
    if (this.#logged.has(key)) return;
    this.#logged.add(key);
    this.#options.log('warn', fields, 'approvers could not be told that an action waits');
  }
}
