import type { Clock } from '../../../lib/clock.ts';
import { RETRY_MS } from '../../../lib/durations.ts';
import { Blocked } from '../../../lib/errors.ts';
import type { Log } from '../../../lib/log.ts';
import { KeyValues, NEVER } from '../../../store/key-values.ts';
import type { Database } from '../../../store/types.ts';
import type { Jobs } from '../../../work/jobs.ts';
import type { Worker } from '../../../work/worker.ts';
import type { WebApi } from '../api/web.ts';
import { type Message, rich, say } from '../blocks/text.ts';
import type { Recipients } from '../people/directory.ts';

/**
 * A reason why Slack refuses every event, and how a person can fix it. `token`: approvers cannot be notified in Slack
 * either.
 */
interface Cause {
  reason: string;
  fix: string;
  token?: true;
}

const INVITE: Cause = {
  reason: 'Switchboard is not a member of it, or it does not exist',
  fix: 'Invite the app there (/invite @Switchboard)',
};
const POLICY: Cause = {
  reason: 'the rules of the workspace or of the channel do not let Switchboard post',
  fix: 'Let the app post there',
};
const TOKEN: Cause = {
  reason: 'the bot token is no longer valid',
  fix: 'Install the app again, set the new SLACK_BOT_TOKEN and restart Switchboard',
  token: true,
};
/** By Slack's error code (https://docs.slack.dev/reference/methods/chat.postMessage, errors). */
const CAUSES: Readonly<Record<string, Cause>> = {
  not_in_channel: INVITE,
  channel_not_found: INVITE,
  is_archived: { reason: 'it is archived', fix: 'Unarchive it and invite the app there' },
  missing_scope: {
    reason: 'the app lacks a scope',
    fix: 'Install the app again from manifest.json; switchboard doctor names the scope',
  },
  restricted_action: POLICY,
  restricted_action_read_only_channel: POLICY,
  restricted_action_thread_only_channel: POLICY,
  restricted_action_non_threadable_channel: POLICY,
  no_permission: POLICY,
  access_denied: POLICY,
  ekm_access_denied: POLICY,
  team_access_not_granted: POLICY,
  invalid_auth: TOKEN,
  not_authed: TOKEN,
  account_inactive: TOKEN,
  token_revoked: TOKEN,
  token_expired: TOKEN,
  org_login_required: TOKEN,
};

/** Maximum number of approvers who are notified. */
const MAX_NOTIFIED = 50;
/** The job that notifies the approvers. */
const NOTIFY = 'slack.outage';
/** There is one channel of events, so at most one outage. */
const KEY = 'events';

/** A period in which Slack refuses every event. */
interface Outage {
  channel: string;
  reason: string;
  /** Epoch ms. */
  since: number;
  /** The users who were notified. */
  notified: string[];
  /** Every approver was notified. */
  allNotified?: true;
}

export interface OutageOptions {
  channel: string;
  /** Shared by all processes. */
  database: Database;
  web: WebApi;
  recipients: Recipients;
  jobs: Jobs;
  worker: Pick<Worker, 'on' | 'off' | 'look'>;
  clock: Clock;
  log: Log;
}

/** Records while Slack refuses every event, and notifies the approvers once per outage. */
export class Outages {
  readonly #options: OutageOptions;
  readonly #outage: KeyValues;

  constructor(options: OutageOptions) {
    this.#options = options;
    this.#outage = new KeyValues({ ...options, kind: 'outage' });
    options.worker.on(NOTIFY, () => this.#notify());
  }

  /** The error for a refused event: `Blocked` if a person can fix it, `undefined` if only this event is refused. */
  async refused(code: string): Promise<Blocked | undefined> {
    const { channel, jobs, worker, log } = this.#options;
    const cause = CAUSES[code];
    if (!cause) return undefined;
    const { before, now } = await this.#begin(code);
    if (before?.since !== now.since)
      log('error', { channel, reason: code }, `Slack refuses events: ${cause.reason}. They are queued. ${cause.fix}.`);
    else if (before.reason !== code)
      log('error', { channel, reason: code }, `Slack still refuses events: ${cause.reason}. ${cause.fix}.`);
    if (!cause.token && !now.allNotified) {
      await jobs.ensure({ kind: NOTIFY, key: NOTIFY });
      worker.look();
    }
    return new Blocked(`Slack refuses events in ${channel} (${code}): ${cause.reason}. ${cause.fix}.`);
  }

  /** Records that Slack accepted an event, which ends an outage. */
  async over(): Promise<void> {
    const { channel, log } = this.#options;
    const outage = await this.#read();
    if (outage && (await this.#outage.take(KEY)))
      log('info', { channel, reason: outage.reason }, 'Slack accepts events again');
  }

  /** One sentence for /readyz while Slack refuses events, including refusals that other processes found. */
  async problem(): Promise<string | undefined> {
    const { channel } = this.#options;
    const outage = await this.#read();
    if (outage?.channel !== channel) return undefined;
    const { reason, fix } = CAUSES[outage.reason] ?? { reason: 'unknown', fix: 'See the log' };
    return `Slack refuses SLACK_EVENTS_CHANNEL ${channel} since ${new Date(outage.since).toISOString()} (${outage.reason}): ${reason}. ${fix}.`;
  }

  /** Resolves when no notification is being sent. */
  close(): Promise<void> {
    return this.#options.worker.off([NOTIFY]);
  }

  async #read(): Promise<Outage | undefined> {
    return outageIn(await this.#outage.get(KEY));
  }

  /** Records the outage and its reason, over all processes. */
  async #begin(reason: string): Promise<{ before: Outage | undefined; now: Outage }> {
    const { channel, clock } = this.#options;
    const fresh: Outage = { channel, reason, since: clock.now(), notified: [] };
    let before: Outage | undefined;
    let now = fresh;
    await this.#outage.change(KEY, NEVER, (text) => {
      before = outageIn(text);
      now = before?.channel === channel ? { ...before, reason } : fresh;
      return JSON.stringify(now);
    });
    return { before, now };
  }

  /** Changes the record of this outage, unless it is over. */
  #note(since: number, change: (outage: Outage) => Outage): Promise<void> {
    return this.#outage.change(KEY, NEVER, (text) => {
      const outage = outageIn(text);
      return outage?.since === since ? JSON.stringify(change(outage)) : text;
    });
  }

  /** Notifies the approvers. Resolves to the time (epoch ms) of the next attempt if one could not be notified. */
  async #notify(): Promise<number | undefined> {
    const { channel, clock, log } = this.#options;
    const outage = await this.#read();
    const cause = outage && CAUSES[outage.reason];
    if (outage?.channel !== channel || !cause || cause.token) return undefined;
    const { users, unread, unreadGroup } = await this.#options.recipients.approvers();
    let isComplete = unread.length === 0 && !unreadGroup;
    for (const user of users.slice(0, MAX_NOTIFIED).filter((id) => !outage.notified.includes(id))) {
      try {
        await this.#notifyOne(user, outage.since, warning(channel, outage.reason, cause));
      } catch (error) {
        isComplete = false;
        log('warn', { user, error: String(error) }, 'failed to notify an approver that events are queued; will retry');
      }
    }
    if (!isComplete) return clock.now() + RETRY_MS;
    await this.#note(outage.since, (now) => ({ ...now, allNotified: true }));
    if (users.length === 0)
      log('warn', { channel }, 'SLACK_APPROVERS contains no user who could be notified that events are queued');
    return undefined;
  }

  async #notifyOne(user: string, since: number, message: Message): Promise<void> {
    const { web, recipients } = this.#options;
    const channel = await recipients.open(user, 'approver');
    const mark = `outage ${since} ${user}`;
    if ((await web.find(channel, mark)).length === 0) await web.post(channel, message, { mark });
    await this.#note(since, (now) => ({ ...now, notified: [...now.notified, user] }));
  }
}

function outageIn(text: string | undefined): Outage | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Outage);
}

function warning(channel: string, code: string, { reason, fix }: Cause): Message {
  const nextStep = `${fix}, or set SLACK_EVENTS_CHANNEL to another channel and restart Switchboard.`;
  return {
    text: `Platform events are waiting: Slack refuses them in <#${channel}> (${channel}), because ${reason}. ${nextStep}`,
    blocks: [
      say(
        '⚠️ ',
        rich.bold('Platform events are waiting.'),
        ' Slack refuses them in ',
        rich.channel(channel),
        ` (${channel}, ${code}), because ${reason}.`,
      ),
      say(`${nextStep} No event is lost: they appear there in order within seconds.`),
    ],
  };
}
