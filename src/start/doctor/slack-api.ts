import { FETCH_MS } from '../../lib/durations.ts';
import { type Fields, recordOf, textOf } from '../../lib/json.ts';
import type { Proxies } from '../../lib/proxies.ts';

/**
 * The answer to one call of Slack's Web API.
 * - `ok`: Slack did it.
 * - `refused`: Slack refused it, with its code, such as `invalid_auth`.
 * - `failed`: nothing follows about the token or the arguments. `limited` is true if Slack only takes no more requests.
 */
export type SlackAnswer =
  | { kind: 'ok'; body: Fields; scopes: readonly string[] | undefined }
  | { kind: 'refused'; error: string }
  | { kind: 'failed'; reason: string; limited: boolean };

/** Calls a method with the bot token. */
export type BotCall = (method: string, args?: Readonly<Record<string, string>>) => Promise<SlackAnswer>;

/** Slack's codes for a failure of Slack itself. */
const OWN_FAILURES = /^(fatal_error|internal_error|service_unavailable|request_timeout)$/;

/**
 * Calls a method once, so that a failure is reported as it is.
 *
 * @param api `base`: SLACK_API_URL
 */
export async function callSlack(
  { base = 'https://slack.com/api/', proxies }: { base: string | undefined; proxies: Proxies },
  token: string,
  method: string,
  args: Readonly<Record<string, string>> = {},
): Promise<SlackAnswer> {
  const failed = (reason: string, limited = false) => ({ kind: 'failed', reason, limited }) as const;
  let answer: Response;
  let text: string;
  try {
    answer = await proxies.fetch(new URL(method, base.endsWith('/') ? base : `${base}/`), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams(args),
      signal: AbortSignal.timeout(FETCH_MS),
    });
    text = await answer.text();
  } catch (error) {
    const { message, cause } = error as Error;
    return failed(`cannot be reached: ${cause instanceof Error && cause.message !== '' ? cause.message : message}`);
  }
  const { status, headers } = answer;
  const body = recordOf(parsed(text));
  const error = textOf(body.error);
  if (status === 429 || /^rate_?limited$/.test(error)) {
    const seconds = headers.get('retry-after');
    const wait = seconds === null ? 'a minute' : `${seconds} s`;
    return failed(`limits requests at the moment (429); try again in ${wait}`, true);
  }
  if (status >= 500 || OWN_FAILURES.test(error)) {
    const code = status >= 500 ? status : error;
    const meaning = 'which says nothing about the token; see https://slack-status.com and try again';
    return failed(`fails at the moment (${code}), ${meaning}`);
  }
  const scopes = (headers.get('x-oauth-scopes') ?? '').split(/[\s,]+/).filter(Boolean);
  if (body.ok === true) return { kind: 'ok', body, scopes: scopes.length > 0 ? scopes : undefined };
  // Slack's errors are codes. Anything else did not come from Slack.
  if (/^[a-z0-9_]{1,80}$/.test(error)) return { kind: 'refused', error };
  return failed(`sent an answer that is not Slack's (${status}); check SLACK_API_URL and the proxy between`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is no JSON, so it is not Slack's answer.
    return undefined;
  }
}
