import { Blocked } from '../../../lib/errors.ts';
import type { Log } from '../../../lib/log.ts';
import { type Message, rich, say } from '../blocks/text.ts';
import type { Recipients } from '../people/recipients.ts';
import type { OncePoster } from './post-once.ts';
import type { EventThreads } from './threads.ts';

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

export interface OutageOptions {
  channel: string;
  threads: EventThreads;
  once: OncePoster;
  recipients: Recipients;
  log: Log;
}

/** Records while Slack refuses every event, and notifies the approvers once per outage. */
export class Outages {
  readonly #options: OutageOptions;
  /** Start of the last outage of which every approver was notified. */
  #notifiedOf: number | undefined;
  #notifying: Promise<void> | undefined;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** The error for a refused event: `Blocked` if a person can fix it, `undefined` if only this event is refused. */
  async refused(code: string): Promise<Blocked | undefined> {
    const { channel, threads, log } = this.#options;
    const cause = CAUSES[code];
    if (!cause) return undefined;
    if (await threads.beginOutage(code)) {
      log('error', { channel, reason: code }, `Slack refuses events: ${cause.reason}. They are queued. ${cause.fix}.`);
    } else if (await threads.changeReason(code)) {
      log('error', { channel, reason: code }, `Slack still refuses events: ${cause.reason}. ${cause.fix}.`);
    }
    if (!cause.token)
      this.#notifying ??= this.#notify(code, cause)
        .catch((error: unknown) =>
          log('error', { error: String(error) }, 'failed to notify approvers that events are queued'),
        )
        .finally(() => {
          this.#notifying = undefined;
        });
    return new Blocked(`Slack refuses events in ${channel} (${code}): ${cause.reason}. ${cause.fix}.`);
  }

  /** Records that Slack accepted an event, which ends an outage. */
  async over(): Promise<void> {
    const { channel, threads, log } = this.#options;
    const known = await threads.outage();
    if (known && (await threads.endOutage()))
      log('info', { channel, reason: known.reason }, 'Slack accepts events again');
  }

  /** One sentence for /readyz while Slack refuses events, including refusals that other processes found. */
  async problem(): Promise<string | undefined> {
    const { channel, threads } = this.#options;
    const outage = await threads.outage();
    if (!outage || outage.channel !== channel) return undefined;
    const { reason, fix } = CAUSES[outage.reason] ?? { reason: 'unknown', fix: 'See the log' };
    return `Slack refuses SLACK_EVENTS_CHANNEL ${channel} since ${new Date(outage.since).toISOString()} (${outage.reason}): ${reason}. ${fix}.`;
  }

  /** Resolves when no notification is being sent. */
  async idle(): Promise<void> {
    await this.#notifying;
  }

  async #notify(code: string, cause: Cause): Promise<void> {
    const { channel, threads, log } = this.#options;
    const outage = await threads.outage();
    if (!outage || outage.since === this.#notifiedOf) return;
    const { users, unread, unreadGroup } = await this.#options.recipients.approvers();
    const people = users.slice(0, MAX_NOTIFIED).filter((id) => !outage.notified.includes(id));
    for (const user of people) {
      // Stored first, because another process may be doing the same.
      if (!(await threads.setNotified(outage.since, user, true))) continue;
      try {
        await this.#notifyOne(user, outage.since, warning(channel, code, cause));
      } catch (error) {
        await threads.setNotified(outage.since, user, false);
        log('warn', { user, error: String(error) }, 'failed to notify an approver that events are queued; will retry');
      }
    }
    const notified = (await threads.outage())?.notified ?? [];
    if (unread.length > 0 || unreadGroup || people.some((user) => !notified.includes(user))) return;
    this.#notifiedOf = outage.since;
    if (notified.length === 0)
      log('warn', { channel }, 'SLACK_APPROVERS contains no user who could be notified that events are queued');
  }

  async #notifyOne(user: string, since: number, message: Message): Promise<void> {
    const { threads, once, recipients } = this.#options;
    const name = `outage ${since} ${user}`;
    await once.post({
      channel: await recipients.open(user, 'approver'),
      message,
      unconfirmed: await threads.unconfirmed(name),
      store: (post) => threads.putUnconfirmed(name, name, post),
    });
    await threads.putUnconfirmed(name, name, undefined);
  }
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
