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
  | { kind: 'refused'; error: string; needed: string | undefined }
  | { kind: 'failed'; reason: string; limited: boolean };

/** Calls a method with the bot token. */
export type BotCall = (method: string, args?: Readonly<Record<string, string>>) => Promise<SlackAnswer>;

const BASE = 'https://slack.com/api/';
/** Slack's codes for a failure of Slack itself. */
const OWN_FAILURES = /^(fatal_error|internal_error|service_unavailable|request_timeout)$/;

/** The way to Slack's Web API. */
export interface SlackApi {
  /** SLACK_API_URL. */
  base: string | undefined;
  proxies: Proxies;
}

/** One attempt at a method, so that a failure is reported as it is. */
export async function callSlack(
  { base, proxies }: SlackApi,
  token: string,
  method: string,
  args: Readonly<Record<string, string>> = {},
): Promise<SlackAnswer> {
  const url = base ?? BASE;
  try {
    const answer = await proxies.fetch(new URL(method, url.endsWith('/') ? url : `${url}/`), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams(args),
      signal: AbortSignal.timeout(FETCH_MS),
    });
    return readAnswer(answer, await answer.text());
  } catch (error) {
    return { kind: 'failed', reason: `cannot be reached: ${reasonOf(error)}`, limited: false };
  }
}

function readAnswer({ status, headers }: Response, text: string): SlackAnswer {
  const body = recordOf(parsed(text));
  const error = textOf(body.error);
  if (status === 429 || error === 'ratelimited' || error === 'rate_limited') {
    const seconds = headers.get('retry-after');
    const wait = seconds === null ? 'a minute' : `${seconds} s`;
    return { kind: 'failed', reason: `limits requests at the moment (429); try again in ${wait}`, limited: true };
  }
  if (status >= 500 || OWN_FAILURES.test(error))
    return {
      kind: 'failed',
      reason: `fails at the moment (${status >= 500 ? status : error}), which says nothing about the token; see https://slack-status.com and try again`,
      limited: false,
    };
  if (body.ok === true) return { kind: 'ok', body, scopes: scopesOf(headers.get('x-oauth-scopes')) };
  // Slack's errors are codes. Anything else did not come from Slack.
  if (/^[a-z0-9_]{1,80}$/.test(error)) return { kind: 'refused', error, needed: textOf(body.needed) || undefined };
  return {
    kind: 'failed',
    reason: `sent an answer that is not Slack's (${status}); check SLACK_API_URL and the proxy between`,
    limited: false,
  };
}

/** The scopes of the token; undefined if Slack did not say. */
function scopesOf(header: string | null): string[] | undefined {
  const scopes = (header ?? '').split(',').map((scope) => scope.trim());
  return scopes.some((scope) => scope !== '') ? scopes : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is no JSON, so it is not Slack's answer.
    return undefined;
  }
}

/** The reason of a failed `fetch`, which has it in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
