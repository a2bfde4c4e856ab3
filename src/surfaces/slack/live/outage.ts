import type { Clock } from '../../../lib/clock.ts';
import { Blocked } from '../../../lib/errors.ts';
import type { Log } from '../../../lib/log.ts';

/** A reason why Slack refuses every event, and how a person can fix it. */
interface Cause {
  reason: string;
  fix: string;
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

/** Whether Slack refuses every event. Events wait meanwhile; the log and /readyz say why. */
export class Outage {
  readonly #channel: string;
  readonly #clock: Clock;
  readonly #log: Log;
  /** `reason`: Slack's error code. `since`: epoch ms. */
  #refused: { reason: string; since: number } | undefined;

  constructor(channel: string, { clock, log }: { clock: Clock; log: Log }) {
    this.#channel = channel;
    this.#clock = clock;
    this.#log = log;
  }

  /** The error for a refused event: `Blocked` if a person can fix it, `undefined` if only this event is refused. */
  refused(reason: string): Blocked | undefined {
    const cause = CAUSES[reason];
    if (!cause) return undefined;
    const channel = this.#channel;
    if (this.#refused?.reason !== reason)
      this.#log('error', { channel, reason }, `Slack refuses events: ${cause.reason}. They are queued. ${cause.fix}.`);
    this.#refused = { reason, since: this.#refused?.since ?? this.#clock.now() };
    return new Blocked(`Slack refuses events in ${channel} (${reason}): ${cause.reason}. ${cause.fix}.`);
  }

  /** Slack accepted an event, which ends an outage. */
  over(): void {
    if (this.#refused) this.#log('info', { channel: this.#channel }, 'Slack accepts events again');
    this.#refused = undefined;
  }

  /** One sentence for /readyz while Slack refuses events. */
  problem(): string | undefined {
    if (!this.#refused) return undefined;
    const { reason, since } = this.#refused;
    const { reason: why, fix } = CAUSES[reason] ?? INVITE;
    return `Slack refuses SLACK_EVENTS_CHANNEL ${this.#channel} since ${new Date(since).toISOString()} (${reason}): ${why}. ${fix}.`;
  }
}
