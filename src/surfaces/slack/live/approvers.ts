import { type Gate, statusOf } from '../../../gate/gate.ts';
import { showJob } from '../../../ledger/later.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Clock } from '../../../lib/clock.ts';
import { RETRY_MS } from '../../../lib/durations.ts';
import { textOf } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import { levelOf } from '../../../store/unavailable.ts';
import type { Jobs } from '../../../work/jobs.ts';
import type { Worker } from '../../../work/worker.ts';
import { isAmbiguous, SlackRefusal } from '../api/refusal.ts';
import { REFUSED_MS, type WebApi } from '../api/web.ts';
import { approvalsLine, askedWhomText, awayLine } from '../blocks/asked-whom.ts';
import { type Message, notice } from '../blocks/text.ts';
import { reminderAt } from '../people/hours.ts';
import type { Recipients } from '../people/recipients.ts';
import {
  approversOf,
  BUSY,
  channelTold,
  noteOf,
  type Telling,
  type TellingKind,
  tellingOf,
  tellingsOf,
  threadAt,
  UNREAD,
} from '../types.ts';
import { ApproverPlan, type ApproverPlanOptions, isPerson } from './approver-plan.ts';
import type { OncePoster } from './post-once.ts';

/** Maximum number of direct messages that are sent at the same time. */
const AT_ONCE = 4;
/** Failed updates of a message after which it stays as it is. */
const MAX_UPDATES = 6;
/** The kind of the job that sends and updates the messages about one action. */
const TELL = 'slack.tell';

export interface ApproversOptions extends Omit<ApproverPlanOptions, 'warn'> {
  gate: Gate;
  web: WebApi;
  once: OncePoster;
  recipients: Recipients;
  clock: Clock;
  log: Log;
  draw(action: Action, kind: TellingKind): Message;
  /** Channels and users where the action's card may still be posted, which notifies the people there. */
  cardPlaces(action: Action): readonly string[];
  jobs: Jobs;
  worker: Pick<Worker, 'on' | 'off' | 'look'>;
}

/**
 * Notifies approvers that an action waits, independent of the place of the request: in SLACK_APPROVALS_CHANNEL, or each
 * by direct message. A reminder follows before the action expires. Each message is sent once over all processes and
 * restarts, and shows the action's state from then on.
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

  /** Has the messages to approvers redrawn at the next run even if they are up to date. A failure is logged. */
  async refresh(id: string): Promise<void> {
    const { gate, log } = this.#options;
    const action = await this.#current(id);
    const posted = Object.entries(action ? tellingsOf(action) : {}).filter(([, { at }]) => at !== undefined);
    if (posted.length === 0) return;
    const stale = posted.map(([key, { shown: _, ...telling }]) => [key, telling] as const);
    await gate.notes
      .merge(id, 'told', Object.fromEntries(stale))
      .catch((error: unknown) =>
        log(levelOf(error, 'error'), { action: id, error: String(error) }, 'failed to tell approvers about an action'),
      );
  }

  async close(): Promise<void> {
    await this.#options.worker.off([TELL]);
  }

  /** Resolves to the time (epoch ms) at which the next message is due. */
  async #bringUpToDate(id: string, attempts: number): Promise<number | undefined> {
    let action = await this.#current(id);
    if (!action) return undefined;
    if (action.state === 'pending') {
      const before = askedWhomText(action);
      await this.#plan.bringUpToDate(action);
      action = (await this.#current(id)) ?? action;
      await this.#tellAll(action);
      await this.#redrawCard(id, before);
    } else await this.#findUnconfirmed(action);
    await this.#update(id, attempts);
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

  /** Time (epoch ms) at which a message has to be sent or looked for again. */
  #nextAt(action: Action): number | undefined {
    const { clock } = this.#options;
    const isPending = action.state === 'pending';
    const card = noteOf(action);
    // Its next attempt is followed by a run of this job, because a card notifies the people of its channel.
    const isCardNext = card.ts === undefined && card.unplaced === true;
    const times = Object.values(tellingsOf(action)).flatMap((one) =>
      one.at === undefined && ((isPending && !isCardNext) || one.post !== undefined) ? [this.#triableAt(one)] : [],
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

  /** The messages to send now. */
  #dueOf(action: Action): [TellingKind, string][] {
    if (action.state !== 'pending') return [];
    const { clock } = this.#options;
    const { places: all = [], nobody, away = [] } = approversOf(action);
    const absent = away.flatMap(({ approver, instead }) => (instead === undefined ? [] : approver));
    const places = all.filter((place) => !absent.includes(place));
    const card = noteOf(action);
    const standsAt = channelTold(card);
    // The card notifies the people of its channel, even if Slack has not confirmed its arrival yet.
    const sent = Object.keys(card.sent ?? {}).filter((place) => threadAt(card, place) === undefined);
    const expected = [...this.#options.cardPlaces(action), ...sent];
    const first = places.filter((place) => place !== standsAt && !expected.includes(place));
    const due = first.map((place): [TellingKind, string] => ['asked', place]);
    const isDue = (place: string) => clock.now() >= remindAtOf(action, place) && action.expiresAt > clock.now();
    const own = nobody === 'everyone' && standsAt !== undefined && !standsAt.startsWith('D') ? [standsAt] : [];
    const asked = places.filter((place) => {
      if (place === standsAt) return true;
      const told = tellingOf(action, 'asked', place);
      // Approvers who were first notified this late get no reminder.
      return told?.toldAt !== undefined && told.toldAt < remindAtOf(action, place);
    });
    due.push(...[...own, ...asked].filter(isDue).map((place): [TellingKind, string] => ['reminder', place]));
    return due.filter(([kind, place]) => {
      const telling = tellingOf(action, kind, place);
      return telling?.at === undefined && this.#mayTry(telling);
    });
  }

  #mayTry(telling: Telling | undefined): boolean {
    return telling === undefined || this.#options.clock.now() >= this.#triableAt(telling);
  }

  #triableAt({ triedAt, refused }: Telling): number {
    const isStaying = refused !== undefined && !BUSY.has(refused);
    return triedAt + (isStaying ? REFUSED_MS : RETRY_MS);
  }

  /** Sends one message, or finds it where an earlier attempt left it. */
  async #tell(id: string, kind: TellingKind, place: string): Promise<void> {
    const { web, once, recipients, clock, log } = this.#options;
    let channel: string;
    try {
      channel = isPerson(place) ? await recipients.open(place, 'approver') : place;
    } catch (error) {
      await this.#put(id, kind, place, this.#refusedBy(error, place));
      return;
    }
    const action = await this.#current(id);
    const before = action && tellingOf(action, kind, place);
    if (action?.state !== 'pending' || before?.at !== undefined) return;
    if (before?.post && !(await this.#isLost(action, kind, place, before))) return;
    const post = once.next(undefined, channel);
    await this.#put(id, kind, place, { triedAt: clock.now(), post });
    try {
      const at = await web.post(channel, this.#options.draw(action, kind), { mark: post.mark });
      await this.#put(id, kind, place, {
        triedAt: post.since,
        at,
        toldAt: clock.now(),
        shown: 'pending',
        ...approvalsShown(action),
      });
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
        const told = {
          triedAt: post.last,
          at: arrival.at,
          toldAt: post.last,
          shown: 'pending',
          ...approvalsShown(action),
        } as const;
        await this.#put(action.id, kind, place, told);
        return false;
      }
    } catch (error) {
      log(
        levelOf(error, 'warn'),
        { action: action.id, place, error: String(error) },
        'failed to check whether approvers were told',
      );
    }
    const now = await this.#current(action.id);
    // Another process may have found it meanwhile.
    if (now && tellingOf(now, kind, place)?.at === undefined)
      await this.#put(action.id, kind, place, { triedAt: clock.now(), post });
    return false;
  }

  async #findUnconfirmed(action: Action): Promise<void> {
    for (const [key, telling] of Object.entries(tellingsOf(action))) {
      const { kind, place } = partsOf(key);
      if (telling.post === undefined || !this.#mayTry(telling)) continue;
      if (await this.#isLost(action, kind, place, telling)) {
        await this.#put(action.id, kind, place, { triedAt: this.#options.clock.now(), refused: 'lost' });
      }
    }
  }

  /** Updates the messages that show an earlier state. Rejects if one failed that is tried again. */
  async #update(id: string, attempts: number): Promise<void> {
    const { web, log } = this.#options;
    const action = await this.#current(id);
    if (!action) return;
    let failure: unknown;
    for (const { kind, place, telling } of this.#outdated(action)) {
      if (!telling.at) continue;
      const shown: Telling = { ...telling, shown: action.state, ...approvalsShown(action) };
      try {
        await web.update(telling.at, await this.#drawFor(action, kind, place));
        await this.#put(id, kind, place, shown);
      } catch (error) {
        log('info', { action: id, place, error: String(error) }, 'failed to update a message to approvers');
        if (attempts + 1 < MAX_UPDATES) failure = error;
        // The message is gone, or Slack refuses the update for good.
        else await this.#put(id, kind, place, shown);
      }
    }
    if (failure !== undefined) throw failure;
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
      telling.at !== undefined &&
      (telling.shown === undefined ||
        statusOf(telling.shown) !== statusOf(action.state) ||
        !hasApprovals(action, telling))
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

/** Time of the reminder to a place (epoch ms). */
function remindAtOf(action: Action, place: string): number {
  return approversOf(action).remindAt?.[place] ?? reminderAt(action, undefined);
}

function partsOf(key: string): { kind: TellingKind; place: string } {
  const [kind = '', place = ''] = key.split(' ');
  return { kind: kind === 'reminder' ? 'reminder' : 'asked', place };
}

/** What a message says about the yeses and about approvers who are away, for comparison. */
function approvalsShown(action: Action): Pick<Telling, 'approvals'> {
  const blocks = [...approvalsLine(action), ...awayLine(action)];
  return blocks.length === 0 ? {} : { approvals: JSON.stringify(blocks) };
}

function hasApprovals(action: Action, { approvals }: Telling): boolean {
  return action.state !== 'pending' || approvals === approvalsShown(action).approvals;
}
