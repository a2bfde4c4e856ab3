import { groups } from '../../../tools/groups.ts';
import { tools } from '../../../tools/index.ts';
import { SLACKBOT_SCOPE } from '../../language/assistants/finders.ts';
import type { Config } from '../../lib/config.ts';
import { recordOf } from '../../lib/json.ts';
import { Proxies } from '../../lib/proxies.ts';
import { buildManifest } from '../../surfaces/slack/manifest.ts';
import type { Finding } from './report.ts';
import { type BotCall, callSlack, type SlackAnswer } from './slack-api.ts';
import { checkPeople } from './slack-people.ts';

/** Checks the tokens, the scopes, the channels and the people of the settings. */
export async function* checkSlack(config: Config): AsyncIterable<Finding> {
  const { SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken } = config;
  if (token === undefined)
    return yield ['ok', `not configured${config.demo ? ': the playground page stands in for it' : ''}`];
  const api = { base: config.SLACK_API_URL, proxies: new Proxies(config) };
  const call: BotCall = (method, args) => callSlack(api, token, method, args);
  const answer = await call('auth.test');
  if (answer.kind === 'ok') yield* scopeFindings(config, answer);
  else if (answer.kind === 'failed') yield [answer.limited ? 'warn' : 'FAIL', answer.reason];
  else yield ['FAIL', `the bot token is refused: ${answer.error}; set SLACK_BOT_TOKEN to the one of the app`];
  if (appToken !== undefined) yield appTokenFinding(await callSlack(api, appToken, 'apps.connections.open'));
  if (answer.kind !== 'ok') return undefined;
  for (const name of ['SLACK_EVENTS_CHANNEL', 'SLACK_APPROVALS_CHANNEL'] as const) {
    const channel = config[name];
    if (channel !== undefined) yield await channelFinding(name, channel, call);
  }
  return yield* checkPeople(config, call);
}

/**
 * The answer holds the address of one more connection. The check does not connect, because Slack would send events of
 * the running server to that connection.
 */
function appTokenFinding(answer: SlackAnswer): Finding {
  const what = 'slack socket';
  if (answer.kind === 'ok') return ['ok', 'the app-level token opens connections (Socket Mode)', what];
  if (answer.kind === 'failed') return [answer.limited ? 'warn' : 'FAIL', answer.reason, what];
  const wayOut =
    answer.error === 'missing_scope'
      ? 'it needs the scope connections:write'
      : 'make one with the scope connections:write under Basic Information of the app, and set SLACK_APP_TOKEN';
  return ['FAIL', `the app-level token is refused: ${answer.error}; ${wayOut}`, what];
}

/** Without these scopes the app does nothing. */
const NEEDED_SCOPES: readonly string[] = ['commands', 'chat:write', 'im:write', 'users:read'];
/** Scopes that the app can do without, by the effect of their absence. */
const LOSSES: Readonly<Record<string, { what: string; scopes: readonly string[] }>> = {
  'cannot be read, so a message may appear twice after a late response from Slack': {
    what: 'slack history',
    scopes: ['channels:history', 'groups:history', 'im:history', 'mpim:history'],
  },
  "an eSIM's QR code is shown as text only, and the rows of a batch cannot be sent as CSV": {
    what: 'slack files',
    scopes: ['files:write'],
  },
  'a batch takes its list as typed lines only, not as a CSV file': { what: 'slack files', scopes: ['files:read'] },
  'the app does not answer where it is mentioned in a channel': {
    what: 'slack mentions',
    scopes: ['app_mentions:read'],
  },
  'no status and no prompts are shown in a conversation': { what: 'slack assistant', scopes: ['assistant:write'] },
  'user groups in the settings give nobody a role': { what: 'slack groups', scopes: ['usergroups:read'] },
  'cannot call the tools': { what: 'slackbot', scopes: [SLACKBOT_SCOPE] },
};

/** Compares the scopes of the token with those of the manifest. */
function* scopeFindings(config: Config, { body, scopes }: SlackAnswer & { kind: 'ok' }): Iterable<Finding> {
  const signedIn = `signed in to ${body.team} as ${body.user}`;
  if (scopes === undefined)
    return yield ['warn', `${signedIn}; Slack does not say which scopes the app has, so they were not compared`];
  // Slack signs requests to the address that the manifest declares with --url, which is https.
  const isSigned = config.SLACK_SIGNING_SECRET !== undefined && config.PUBLIC_URL?.startsWith('https:');
  const url = isSigned ? config.PUBLIC_URL : undefined;
  const wayOut = `reinstall the app from ${url === undefined ? 'manifest.json' : `switchboard manifest --url ${url}`}`;
  const lists = [config.SLACK_VIEWERS, config.SLACK_OPERATORS, config.SLACK_APPROVERS].flat();
  const needed = [...NEEDED_SCOPES, ...(lists.some((id) => id.startsWith('S')) ? ['usergroups:read'] : [])];
  const missing = needed.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) yield ['ok', signedIn];
  else yield ['FAIL', `scopes are missing: ${missing.join(', ')}; ${wayOut}`];
  const manifest = buildManifest({ tools, groups, ...(url !== undefined && { url }) });
  const { bot } = recordOf(recordOf(manifest.oauth_config).scopes);
  const declared = Array.isArray(bot) ? bot.map(String) : [];
  for (const [effect, { what, scopes: of }] of Object.entries(LOSSES)) {
    const lost = of.filter((scope) => declared.includes(scope) && !scopes.includes(scope) && !needed.includes(scope));
    if (lost.length > 0) yield ['warn', `${effect}; missing in the app: ${lost.join(', ')}; ${wayOut}`, what];
  }
  return undefined;
}

const NO_MEMBER = 'does not have the app as a member; invite it there with /invite';
const PROBLEMS: Readonly<Record<string, string>> = {
  not_in_channel: NO_MEMBER,
  is_archived: 'is archived; set the id of another channel',
  channel_not_found:
    'does not exist, or is private without the app as a member; set the id (C…) that Slack shows in the details of the channel, and invite the app there with /invite',
};

/** Checks that a channel exists and that the app is a member. */
async function channelFinding(name: string, channel: string, call: BotCall): Promise<Finding> {
  const what = name === 'SLACK_EVENTS_CHANNEL' ? 'slack events' : 'slack approvals';
  const info = await call('conversations.info', { channel });
  // The manifest has the scopes of histories, not of channels. A history is refused with the same reasons.
  const isUnread = info.kind === 'refused' && /^(missing_scope|unknown_method|no_permission)$/.test(info.error);
  const answer = isUnread ? await call('conversations.history', { channel, limit: '1' }) : info;
  const { is_member, is_archived } = recordOf(answer.kind === 'ok' ? answer.body.channel : undefined);
  const isFound = answer.kind === 'ok' && is_member !== false && is_archived !== true;
  if (isFound) return ['ok', `the app is a member of ${channel} (${name})`, what];
  if (answer.kind === 'failed') return ['warn', `${name} ${channel} cannot be checked: Slack ${answer.reason}`, what];
  const error = answer.kind === 'refused' ? answer.error : is_archived === true ? 'is_archived' : 'not_in_channel';
  const problem = PROBLEMS[error];
  if (problem !== undefined) return ['FAIL', `${name} ${channel} ${problem}`, what];
  return ['warn', `${name} ${channel} cannot be checked (${error}); reinstall the app from manifest.json`, what];
}
