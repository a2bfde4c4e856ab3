import { groups } from '../../../tools/groups.ts';
import { tools } from '../../../tools/index.ts';
import { SLACKBOT_SCOPE } from '../../language/assistants/finders.ts';
import type { Config } from '../../lib/config.ts';
import { type Fields, recordOf } from '../../lib/json.ts';
import { Proxies } from '../../lib/proxies.ts';
import { buildManifest } from '../../surfaces/slack/manifest.ts';
import type { Finding, Say } from './report.ts';
import { type BotCall, callSlack, type SlackAnswer } from './slack-api.ts';
import { checkPeople } from './slack-people.ts';

/** Checks the tokens, the scopes, the channels and the people of the settings. */
export async function checkSlack(config: Config, say: Say): Promise<void> {
  const { SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken } = config;
  if (token === undefined)
    return say('ok', 'slack', config.demo ? 'not configured: the playground page stands in for it' : 'not configured');
  const api = { base: config.SLACK_API_URL, proxies: new Proxies(config) };
  const call: BotCall = (method, args) => callSlack(api, token, method, args);
  const answer = await call('auth.test');
  if (answer.kind === 'ok') checkScopes(config, answer, say);
  else if (answer.kind === 'failed') say(answer.limited ? 'warn' : 'FAIL', 'slack', answer.reason);
  else say('FAIL', 'slack', `the bot token is refused: ${answer.error}; set SLACK_BOT_TOKEN to the one of the app`);
  if (appToken !== undefined) {
    const [verdict, detail] = appTokenFinding(await callSlack(api, appToken, 'apps.connections.open'));
    say(verdict, 'slack socket', detail);
  }
  if (answer.kind !== 'ok') return undefined;
  for (const name of ['SLACK_EVENTS_CHANNEL', 'SLACK_APPROVALS_CHANNEL'] as const) {
    const channel = config[name];
    if (channel !== undefined) await checkChannel({ name, channel, call, say });
  }
  return checkPeople(config, call, say);
}

/**
 * The answer holds the address of one more connection. The check does not connect, because Slack would send events of
 * the running server to that connection.
 */
function appTokenFinding(answer: SlackAnswer): Finding {
  if (answer.kind === 'ok') return ['ok', 'the app-level token opens connections (Socket Mode)'];
  if (answer.kind === 'failed') return [answer.limited ? 'warn' : 'FAIL', answer.reason];
  const wayOut =
    answer.error === 'missing_scope'
      ? 'it needs the scope connections:write'
      : 'make one with the scope connections:write under Basic Information of the app, and set SLACK_APP_TOKEN';
  return ['FAIL', `the app-level token is refused: ${answer.error}; ${wayOut}`];
}

/** Without these scopes the app does nothing. */
const NEEDED_SCOPES: readonly string[] = ['commands', 'chat:write', 'im:write', 'users:read'];
/** Scopes that the app can do without, each with the effect of its absence. */
const LOSSES: readonly { scopes: readonly string[]; what: string; effect: string }[] = [
  {
    scopes: ['channels:history', 'groups:history', 'im:history', 'mpim:history'],
    what: 'slack history',
    effect: 'cannot be read, so a message may appear twice after a late response from Slack',
  },
  {
    scopes: ['files:write'],
    what: 'slack files',
    effect: "an eSIM's QR code is shown as text only, and the rows of a batch cannot be sent as CSV",
  },
  {
    scopes: ['files:read'],
    what: 'slack files',
    effect: 'a batch takes its list as typed lines only, not as a CSV file',
  },
  {
    scopes: ['app_mentions:read'],
    what: 'slack mentions',
    effect: 'the app does not answer where it is mentioned in a channel',
  },
  {
    scopes: ['assistant:write'],
    what: 'slack assistant',
    effect: 'no status and no prompts are shown in a conversation',
  },
  { scopes: ['usergroups:read'], what: 'slack groups', effect: 'user groups in the settings give nobody a role' },
  { scopes: [SLACKBOT_SCOPE], what: 'slackbot', effect: 'cannot call the tools' },
];

/** Compares the scopes of the token with those of the manifest. */
function checkScopes(config: Config, { body, scopes }: SlackAnswer & { kind: 'ok' }, say: Say): void {
  const signedIn = `signed in to ${body.team} as ${body.user}`;
  if (scopes === undefined) {
    say('warn', 'slack', `${signedIn}; Slack does not say which scopes the app has, so they were not compared`);
    return;
  }
  // Slack signs requests to the address that the manifest declares with --url, which is https.
  const url =
    config.SLACK_SIGNING_SECRET !== undefined && config.PUBLIC_URL?.startsWith('https:')
      ? config.PUBLIC_URL
      : undefined;
  const source = url === undefined ? 'manifest.json' : `switchboard manifest --url ${url}`;
  const wayOut = `reinstall the app from ${source}`;
  const lists = [config.SLACK_VIEWERS, config.SLACK_OPERATORS, config.SLACK_APPROVERS].flat();
  const needed = [...NEEDED_SCOPES, ...(lists.some((id) => id.startsWith('S')) ? ['usergroups:read'] : [])];
  const missing = needed.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) say('ok', 'slack', signedIn);
  else say('FAIL', 'slack', `scopes are missing: ${missing.join(', ')}; ${wayOut}`);
  const others = manifestScopes(url).filter((scope) => !scopes.includes(scope) && !needed.includes(scope));
  for (const { scopes: of, what, effect } of LOSSES) {
    const lost = others.filter((scope) => of.includes(scope));
    if (lost.length === 0) continue;
    const named = lost.length === 1 ? `the scope ${lost[0]} is missing` : `scopes are missing: ${lost.join(', ')}`;
    say('warn', what, `${effect}; ${named}; ${wayOut}`);
  }
}

/** The bot scopes of the manifest. */
function manifestScopes(url: string | undefined): string[] {
  const manifest = buildManifest({ tools, groups, ...(url !== undefined && { url }) });
  const { bot } = recordOf(recordOf(manifest.oauth_config).scopes);
  return Array.isArray(bot) ? bot.map(String) : [];
}

/** Checks that a channel exists and that the app is a member. */
async function checkChannel(options: { name: string; channel: string; call: BotCall; say: Say }): Promise<void> {
  const { name, channel, call, say } = options;
  const what = name === 'SLACK_EVENTS_CHANNEL' ? 'slack events' : 'slack approvals';
  const problem = await channelProblem(channel, call);
  if (problem === undefined) return say('ok', what, `the app is a member of ${channel} (${name})`);
  return say(problem.limited ? 'warn' : 'FAIL', what, `${name} ${channel} ${problem.text}`);
}

interface ChannelProblem {
  text: string;
  /** True if the channel could not be checked now. */
  limited?: boolean;
}

const NO_MEMBER: ChannelProblem = { text: 'does not have the app as a member; invite it there with /invite' };
const ARCHIVED: ChannelProblem = { text: 'is archived; set the id of another channel' };

async function channelProblem(channel: string, call: BotCall): Promise<ChannelProblem | undefined> {
  const info = await call('conversations.info', { channel });
  if (info.kind === 'ok') return problemIn(recordOf(info.body.channel));
  // The manifest has the scopes of histories, not of channels. A history is refused with the same reasons.
  const answer =
    info.kind === 'refused' && /^(missing_scope|unknown_method|no_permission)$/.test(info.error)
      ? await call('conversations.history', { channel, limit: '1' })
      : info;
  if (answer.kind === 'ok') return undefined;
  if (answer.kind === 'failed') return { text: `cannot be checked: Slack ${answer.reason}`, limited: true };
  switch (answer.error) {
    case 'not_in_channel':
      return NO_MEMBER;
    case 'is_archived':
      return ARCHIVED;
    case 'channel_not_found':
      return {
        text: 'does not exist, or is private without the app as a member; set the id (C…) that Slack shows in the details of the channel, and invite the app there with /invite',
      };
    default:
      return { text: `cannot be checked (${answer.error}); reinstall the app from manifest.json`, limited: true };
  }
}

function problemIn({ is_member, is_archived }: Fields): ChannelProblem | undefined {
  if (is_archived === true) return ARCHIVED;
  return is_member === false ? NO_MEMBER : undefined;
}
