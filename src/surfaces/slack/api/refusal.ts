import { recordOf } from '../../../lib/json.ts';

/** A failed call to Slack, with Slack's own error code as `reason`, such as `not_in_channel` or `ratelimited`. */
export class SlackRefusal extends Error {
  override readonly name = 'SlackRefusal';
  readonly reason: string;
  readonly retryAfterMs: number | undefined;
  /** Slack may have performed the call although no answer came. */
  readonly ambiguous: boolean;

  constructor(
    method: string,
    reason: string,
    more: { retryAfterMs?: number; ambiguous?: boolean; detail?: string } = {},
  ) {
    super(`${method}: ${reason}${more.detail ? ` (${more.detail})` : ''}`);
    this.reason = reason;
    this.retryAfterMs = more.retryAfterMs;
    this.ambiguous = more.ambiguous ?? false;
  }
}

/** True unless Slack clearly refused: the call may have taken effect. */
export function isAmbiguous(error: unknown): error is SlackRefusal {
  return error instanceof SlackRefusal && error.ambiguous;
}

/** An error of Slack's client as a `SlackRefusal`. */
export function refusalOf(method: string, error: unknown): SlackRefusal {
  if (error instanceof SlackRefusal) return error;
  const { code, data, retryAfter } = recordOf(error);
  if (code === 'slack_webapi_rate_limited_error')
    return new SlackRefusal(method, 'ratelimited', { retryAfterMs: Number(retryAfter ?? 1) * 1000 });
  if (code !== 'slack_webapi_platform_error') {
    const detail = error instanceof Error ? error.message.slice(0, 200) : '';
    return new SlackRefusal(method, 'network', { ambiguous: true, detail });
  }
  const { error: reason, response_metadata: metadata } = recordOf(data);
  // Slack's errors are codes. Anything else did not come from Slack; it may be the page of a proxy.
  if (typeof reason !== 'string' || !/^[a-z0-9_]{1,80}$/.test(reason))
    return new SlackRefusal(method, 'not_slack', { ambiguous: true, detail: 'the answer is not from Slack' });
  const { messages } = recordOf(metadata);
  const detail = Array.isArray(messages) ? messages.map(String).join('; ').slice(0, 500) : '';
  return new SlackRefusal(method, reason, { detail });
}
