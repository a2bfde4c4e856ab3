import { tools } from '../../../tools/index.ts';
import { FETCH_MS } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { causeOf } from '../../lib/errors.ts';
import { Proxies } from '../../lib/proxies.ts';
import { type Fields, objectIn, recordOf, textOf } from '../../lib/values.ts';
import { buildManifest } from '../../surfaces/slack/manifest.ts';
import type { Finding } from './checks.ts';

/**
 * The answer to one call of Slack's Web API. `refused`: Slack refused it, with its code, such as `invalid_auth`.
 * `failed`: nothing follows about the token or the arguments. It is a warning if Slack only takes no more requests.
 */
type SlackAnswer =
  | { kind: 'ok'; body: Fields; scopes: readonly string[] | undefined }
  | { kind: 'refused'; error: string }
  | { kind: 'failed'; reason: string; verdict: 'warn' | 'FAIL' };

/** Calls a method with the bot token. */
type BotCall = (method: string, args?: Readonly<Record<string, string>>) => Promise<SlackAnswer>;

/** Checks the tokens, the scopes, the channels and the people of the settings. */
export async function* checkSlack(config: Config): AsyncIterable<Finding> {
  const { SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: secret } = config;
  if (token === undefined)
    return yield ['ok', `not configured${config.demo ? ': the playground page stands in for it' : ''}`];
  const call: BotCall = (method, args) => callSlack(config, token, method, args);
  const answer = await call('auth.test');
  if (answer.kind === 'ok') yield* scopeFindings(config, answer);
  else if (answer.kind === 'failed') yield [answer.verdict, answer.reason];
  else yield ['FAIL', `the bot token is refused: ${answer.error}; set SLACK_BOT_TOKEN to the one of the app`];
  // The answer holds the address of one more connection. The check does not connect, because Slack would send events of
  // the running server to that connection.
  if (appToken !== undefined) yield appTokenFinding(await callSlack(config, appToken, 'apps.connections.open'));
  // No call of Slack takes the signing secret, so only its form can be checked.
  const where = 'it stands under Basic Information of the app, Signing Secret';
  if (secret !== undefined && !/^[0-9a-f]{32}$/.test(secret))
    yield ['warn', `SLACK_SIGNING_SECRET is not 32 hexadecimal digits; ${where}`, 'slack signature'];
  if (answer.kind !== 'ok') return undefined;
  for (const name of ['SLACK_EVENTS_CHANNEL', 'SLACK_APPROVALS_CHANNEL'] as const) {
    const channel = config[name];
    if (channel !== undefined) yield await channelFinding(name, channel, call);
  }
  return yield* checkPeople(config, call);
}

/** Slack's codes for a failure of Slack itself. */
const OWN_FAILURES = /^(fatal_error|internal_error|service_unavailable|request_timeout)$/;

/** Calls a method once, so that a failure is reported as it is. */
async function callSlack(
  config: Config,
  token: string,
  method: string,
  args: Readonly<Record<string, string>> = {},
): Promise<SlackAnswer> {
  const failed = (reason: string, verdict: 'warn' | 'FAIL' = 'FAIL') => ({ kind: 'failed', reason, verdict }) as const;
  const base = config.SLACK_API_URL ?? 'https://slack.com/api/';
  let answer: Response;
  let text: string;
  try {
    answer = await new Proxies(config).fetch(new URL(method, base.endsWith('/') ? base : `${base}/`), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams(args),
      signal: AbortSignal.timeout(FETCH_MS),
    });
    text = await answer.text();
  } catch (error) {
    return failed(`cannot be reached: ${causeOf(error)}`);
  }
  const { status, headers } = answer;
  const body = objectIn(text) ?? {};
  const error = textOf(body.error);
  if (status === 429 || /^rate_?limited$/.test(error)) {
    const seconds = headers.get('retry-after');
    return failed(`limits requests at the moment (429); try again in ${seconds ? `${seconds} s` : 'a minute'}`, 'warn');
  }
  if (status >= 500 || OWN_FAILURES.test(error)) {
    const meaning = 'which says nothing about the token; see https://slack-status.com and try again';
    return failed(`fails at the moment (${status >= 500 ? status : error}), ${meaning}`);
  }
  const scopes = (headers.get('x-oauth-scopes') ?? '').split(/[\s,]+/).filter(Boolean);
  if (body.ok === true) return { kind: 'ok', body, scopes: scopes.length > 0 ? scopes : undefined };
  // Slack's errors are codes. Anything else did not come from Slack.
  if (/^[a-z0-9_]{1,80}$/.test(error)) return { kind: 'refused', error };
  return failed(`sent an answer that is not Slack's (${status}); check SLACK_API_URL and the proxy between`);
}

function appTokenFinding(answer: SlackAnswer): Finding {
  const what = 'slack socket';
  if (answer.kind === 'ok') return ['ok', 'the app-level token opens connections (Socket Mode)', what];
  if (answer.kind === 'failed') return [answer.verdict, answer.reason, what];
  const wayOut =
    answer.error === 'missing_scope'
      ? 'it needs the scope connections:write'
      : 'make one with the scope connections:write under Basic Information of the app, and set SLACK_APP_TOKEN';
  return ['FAIL', `the app-level token is refused: ${answer.error}; ${wayOut}`, what];
}

/** Without these scopes the app does nothing. It can do without the others of the manifest. */
const NEEDED_SCOPES: readonly string[] = ['commands', 'chat:write', 'im:write', 'users:read'];

/** Compares the scopes of the token with those of the manifest. */
function* scopeFindings(config: Config, { body, scopes }: SlackAnswer & { kind: 'ok' }): Iterable<Finding> {
  const signedIn = `signed in to ${body.team} as ${body.user}`;
  if (scopes === undefined)
    return yield ['warn', `${signedIn}; Slack does not say which scopes the app has, so they were not compared`];
  // Slack signs requests to the address that the manifest declares with --url, which is https.
  const isSigned = config.SLACK_SIGNING_SECRET !== undefined && config.PUBLIC_URL?.startsWith('https:');
  const url = isSigned ? config.PUBLIC_URL : undefined;
  const wayOut = `reinstall the app from ${url === undefined ? 'manifest.json' : `switchboard manifest --url ${url}`}`;
  const people = [config.SLACK_VIEWERS, config.SLACK_OPERATORS, config.SLACK_APPROVERS].flat();
  const needed = [...NEEDED_SCOPES, ...(people.some((id) => id.startsWith('S')) ? ['usergroups:read'] : [])];
  const missing = needed.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) yield ['ok', signedIn];
  else yield ['FAIL', `scopes are missing: ${missing.join(', ')}; ${wayOut}`];
  const manifest = buildManifest({ tools, ...(url !== undefined && { url }) });
  const { bot } = recordOf(recordOf(manifest.oauth_config).scopes);
  const declared = Array.isArray(bot) ? bot.map(String) : [];
  const lost = declared.filter((scope) => !scopes.includes(scope) && !needed.includes(scope));
  const effect = 'what needs these scopes does not work';
  if (lost.length > 0)
    yield ['warn', `${effect}, because the app lacks them: ${lost.join(', ')}; ${wayOut}`, 'slack scopes'];
  return undefined;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  not_in_channel: 'does not have the app as a member; invite it there with /invite',
  is_archived: 'is archived; set the id of another channel',
  channel_not_found:
    'does not exist, or is private without the app as a member; set the id (C…) that Slack shows in the details of the channel, and invite the app there with /invite',
};

/** Checks that a channel exists and that the app is a member. */
async function channelFinding(name: string, channel: string, call: BotCall): Promise<Finding> {
  const what = name === 'SLACK_EVENTS_CHANNEL' ? 'slack events' : 'slack approvals';
  // The manifest has the scopes of histories, not of channels.
  const answer = await call('conversations.history', { channel, limit: '1' });
  if (answer.kind === 'ok') return ['ok', `the app is a member of ${channel} (${name})`, what];
  if (answer.kind === 'failed') return ['warn', `${name} ${channel} cannot be checked: Slack ${answer.reason}`, what];
  const { error } = answer;
  const problem = PROBLEMS[error];
  if (problem !== undefined) return ['FAIL', `${name} ${channel} ${problem}`, what];
  return ['warn', `${name} ${channel} cannot be checked (${error}); reinstall the app from manifest.json`, what];
}

/** Maximum number of users and user groups of one setting that are looked up, so that Slack does not limit the check. */
const MAX_LOOKUPS = 30;
/** Slack's codes for a user or a user group that it does not know. */
const UNKNOWN = /^(user_not_(found|visible)|no_such_subteam|subteam_not_found|invalid_usergroup)$/;

/** Finds users and user groups of the settings that Slack does not know. Fails if it knows none of SLACK_APPROVERS. */
async function* checkPeople(config: Config, call: BotCall): AsyncIterable<Finding> {
  for (const name of ['SLACK_VIEWERS', 'SLACK_OPERATORS', 'SLACK_APPROVERS'] as const) {
    const wrong: string[] = [];
    for (const id of config[name].filter((one) => one !== '*').slice(0, MAX_LOOKUPS)) {
      const isGroup = id.startsWith('S');
      const asked = isGroup ? call('usergroups.users.list', { usergroup: id }) : call('users.info', { user: id });
      const answer = await asked;
      if (answer.kind === 'refused' && UNKNOWN.test(answer.error)) wrong.push(id);
    }
    if (wrong.length === 0) continue;
    const isNobody = wrong.length === config[name].length && name === 'SLACK_APPROVERS';
    const effect = isNobody ? 'nobody can confirm in Slack: ' : '';
    const problem = `${wrong.join(' and ')} is no user or user group of this workspace`;
    yield [isNobody ? 'FAIL' : 'warn', `${name}: ${effect}${problem}`, 'slack people'];
  }
}
