import { Blocked } from '../../../lib/errors.ts';
import type { Services } from './services.ts';

/** A reason why Slack refuses every event, and how a person can fix it. */
type Cause = readonly [reason: string, fix: string];

const INVITE: Cause = [
  'Switchboard is not a member of it, or it does not exist',
  'Invite the app there (/invite @Switchboard)',
];
const ARCHIVED: Cause = ['it is archived', 'Unarchive it and invite the app there'];
const SCOPE: Cause = [
  'the app lacks a scope',
  'Install the app again from manifest.json; switchboard doctor names the scope',
];
const POLICY: Cause = [
  'the rules of the workspace or of the channel do not let Switchboard post',
  'Let the app post there',
];
const TOKEN: Cause = [
  'the bot token is no longer valid',
  'Install the app again, set the new SLACK_BOT_TOKEN and restart Switchboard',
];
/** By Slack's error codes (https://docs.slack.dev/reference/methods/chat.postMessage, errors). */
const CAUSES: readonly (readonly [RegExp, Cause])[] = [
  [/^(not_in_channel|channel_not_found)$/, INVITE],
  [/^is_archived$/, ARCHIVED],
  [/^missing_scope$/, SCOPE],
  [/^(restricted_action(_\w+)?|no_permission|(ekm_)?access_denied|team_access_not_granted)$/, POLICY],
  [/^(invalid_auth|not_authed|account_inactive|token_revoked|token_expired|org_login_required)$/, TOKEN],
];

/** Whether Slack refuses every event. Events wait meanwhile; the log and /readyz say why. */
export class Outage {
  readonly #channel: string;
  readonly #services: Pick<Services, 'clock' | 'log'>;
  /** `reason`: Slack's error code. `since`: epoch ms. `why`: what a person can do. */
  #refused: { reason: string; since: number; why: string } | undefined;

  constructor(channel: string, services: Pick<Services, 'clock' | 'log'>) {
    this.#channel = channel;
    this.#services = services;
  }

  /** The error for a refused event: `Blocked` if a person can fix it, `undefined` if only this event is refused. */
  refused(reason: string): Blocked | undefined {
    const { clock, log } = this.#services;
    const channel = this.#channel;
    const [cause, fix] = CAUSES.find(([codes]) => codes.test(reason))?.[1] ?? [];
    if (cause === undefined) return undefined;
    const why = `${cause}. ${fix}.`;
    if (this.#refused?.reason !== reason)
      log('error', { channel, reason }, `Slack refuses events: ${cause}. They are queued. ${fix}.`);
    this.#refused = { reason, since: this.#refused?.since ?? clock.now(), why };
    return new Blocked(`Slack refuses events in ${channel} (${reason}): ${why}`);
  }

  /** Slack accepted an event, which ends an outage. */
  over(): void {
    if (this.#refused) this.#services.log('info', { channel: this.#channel }, 'Slack accepts events again');
    this.#refused = undefined;
  }

  /** One sentence for /readyz while Slack refuses events. */
  problem(): string | undefined {
    if (!this.#refused) return undefined;
    const { reason, since, why } = this.#refused;
    return `Slack refuses SLACK_EVENTS_CHANNEL ${this.#channel} since ${new Date(since).toISOString()} (${reason}): ${why}`;
  }
}
