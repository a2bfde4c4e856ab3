import { Blocked } from '../../../lib/errors.ts';
import type { Services } from './services.ts';

/** Slack's error codes for what a person has to fix (https://docs.slack.dev/reference/methods/chat.postMessage). */
const OF_CHANNEL =
  /^(not_in_channel|channel_not_found|is_archived|restricted_action(_\w+)?|no_permission|(ekm_)?access_denied|team_access_not_granted)$/;
const OF_TOKEN =
  /^(missing_scope|invalid_auth|not_authed|account_inactive|token_revoked|token_expired|org_login_required)$/;

/** Whether Slack refuses every event. Events wait meanwhile; the log and /readyz say why. */
export class Outage {
  readonly #channel: string;
  readonly #services: Pick<Services, 'clock' | 'log'>;
  /** `reason`: Slack's error code. `since`: epoch ms. `fix`: what a person can do. */
  #refused: { reason: string; since: number; fix: string } | undefined;

  constructor(channel: string, services: Pick<Services, 'clock' | 'log'>) {
    this.#channel = channel;
    this.#services = services;
  }

  /** The error for a refused event: `Blocked` if a person can fix it, `undefined` if only this event is refused. */
  refused(reason: string): Blocked | undefined {
    const { clock, log } = this.#services;
    const fix = OF_CHANNEL.test(reason)
      ? 'Invite the app there (/invite @Switchboard), and let it post.'
      : OF_TOKEN.test(reason)
        ? 'Install the app again from manifest.json, set the new SLACK_BOT_TOKEN and restart Switchboard.'
        : undefined;
    if (fix === undefined) return undefined;
    const channel = this.#channel;
    if (this.#refused?.reason !== reason)
      log('error', { channel, reason }, `Slack refuses events. They are queued. ${fix}`);
    this.#refused = { reason, since: this.#refused?.since ?? clock.now(), fix };
    return new Blocked(`Slack refuses events in ${channel} (${reason}). ${fix}`);
  }

  /** Slack accepted an event, which ends an outage. */
  over(): void {
    if (this.#refused) this.#services.log('info', { channel: this.#channel }, 'Slack accepts events again');
    this.#refused = undefined;
  }

  /** One sentence for /readyz while Slack refuses events. */
  problem(): string | undefined {
    if (!this.#refused) return undefined;
    const { reason, since, fix } = this.#refused;
    return `Slack refuses SLACK_EVENTS_CHANNEL ${this.#channel} since ${new Date(since).toISOString()} (${reason}). ${fix}`;
  }
}
