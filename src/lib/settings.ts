import type * as z from 'zod';
import {
  apiUrl,
  atLeast8,
  bare,
  channel,
  databaseUrl,
  flag,
  hostNames,
  hosts,
  issuer,
  keys32,
  like,
  list,
  oneOf,
  platformUrl,
  proxyUrl,
  publicUrl,
  quorum,
  roleRules,
  text,
  tokens,
  ways,
  webUrl,
  who,
  whole,
  zone,
} from './setting-types.ts';

/** Names of settings. One name of an inner list is enough. */
type Needs = readonly (string | readonly string[])[];

/**
 * A setting. Its entry below is the only place that describes it: .env.example, the table of src/start/README.md, the
 * forms of installers, redaction and the checks at start-up are derived from there.
 */
export interface Setting {
  type: z.ZodType<unknown, string>;
  /** The value if it is unset, as written in the environment. Without a default, an unset setting is undefined. */
  default?: string;
  /** One or two sentences for the person who sets it. */
  help: string;
  /**
   * Says what is secret: the whole value, the password in its URL, that or the user name without one, or the token of each
   * entry.
   */
  secret?: 'value' | 'password' | 'login' | 'tokens';
  /**
   * Names the settings that must be given with this one, which may depend on the values of others. A default does not
   * count as given, so name no setting that has one.
   */
  needs?: Needs | ((textOf: (name: string) => string | undefined) => Needs);
  /** True if more would be allowed without it. A name that looks like a misspelling of it then stops the start. */
  restricts?: boolean;
  /** True if its name in lower case counts too, in the environment and in the file, as for other programs. */
  eitherCase?: boolean;
  /** Installers of the package, such as Claude Desktop, ask for it under this title. */
  offered?: { title: string; format?: 'boolean' };
  /** In .env.example, a section with this heading begins here. */
  section?: string;
}

const PLATFORM = ['PLATFORM_BASE_URL', 'PLATFORM_ACCOUNT_KEY', 'PLATFORM_ACCOUNT_SECRET'] as const;
const OAUTH = ['MCP_OAUTH_ISSUER', 'MCP_OAUTH_AUDIENCE', 'MCP_OAUTH_ROLES'] as const;

export const settings = {
  PLATFORM_BASE_URL: {
    section: 'The platform. Leave all three out for demo mode on the embedded sandbox.',
    type: bare(platformUrl),
    needs: PLATFORM,
    offered: { title: 'Platform URL' },
    help: 'The platform, as https://host; /v1.0/... is appended. Unset: demo mode on the embedded sandbox.',
  },
  PLATFORM_ACCOUNT_KEY: {
    type: text,
    needs: PLATFORM,
    offered: { title: 'Account key' },
    help: 'Account key (DID-...).',
  },
  PLATFORM_ACCOUNT_SECRET: {
    type: text,
    needs: PLATFORM,
    offered: { title: 'Account secret' },
    secret: 'value',
    help: 'Account secret.',
  },
  PLATFORM_TIME_ZONE: { type: zone, default: 'UTC', help: 'Time zone of dates in responses that have none.' },
  PLATFORM_REQUESTS_PER_MINUTE: {
    type: whole(1, 100_000),
    default: '120',
    help: 'Requests per minute, for everything this distributor runs. The platform takes 120; with more, it refuses the rest (429), and start and doctor warn.',
  },
  PLATFORM_TIMEOUT_MS: {
    type: whole(100, 600_000),
    default: '30000',
    help: 'Timeout of one attempt at a request, in milliseconds.',
  },
  PLATFORM_SETTLE_SECONDS: {
    type: whole(1, 86_400),
    default: '300',
    help: 'How long the platform may keep working on a call after its last byte was sent; at least PLATFORM_TIMEOUT_MS. Until then, an unknown outcome is not resolved as "not done".',
  },
  PLATFORM_ACCOUNT_ID: {
    type: like(/^AID-\S+$/i, 'must start with AID-'),
    offered: { title: 'Default account' },
    help: 'Default account of what is made or paid, for distributors with several accounts. Reads and searches cover all accounts.',
  },
  HOST: { section: 'This server', type: text, default: '127.0.0.1', help: 'Address to listen on.' },
  PORT: { type: whole(0, 65_535), default: '3900', help: 'Port to listen on; 0 takes a free one.' },
  PUBLIC_URL: {
    type: bare(publicUrl),
    help: 'Public address of this server, for links to confirmation pages and for webhooks.',
  },
  DATA_DIR: {
    type: text,
    help: "Folder of the ledger and the sealing key. Demo data is in its subfolder demo. Unset: switchboard in the user's state directory ($XDG_STATE_HOME, ~/.local/state, %LOCALAPPDATA%).",
  },
  HTTPS_PROXY: {
    type: proxyUrl,
    secret: 'login',
    eitherCase: true,
    help: 'Proxy for https: the platform, Slack, the model and OAuth, as http://user:password@host:port. Also read as https_proxy. This computer is always reached directly.',
  },
  HTTP_PROXY: {
    type: proxyUrl,
    secret: 'login',
    eitherCase: true,
    help: 'Proxy for http, and for https without HTTPS_PROXY. Also read as http_proxy.',
  },
  NO_PROXY: {
    type: hosts,
    default: '',
    eitherCase: true,
    help: 'Hosts that are reached without a proxy, separated by commas: names (with those below them), addresses, networks (10.0.0.0/8), each also with :port; * for all. Also read as no_proxy.',
  },
  DATABASE_URL: {
    type: databaseUrl,
    secret: 'password',
    help: 'postgres://user:password@host/database (13 or later), for several processes or machines. Unset: an SQLite file in DATA_DIR.',
  },
  LOG_LEVEL: {
    type: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    help: 'fatal, error, warn, info, debug, trace or silent.',
  },
  SLACK_BOT_TOKEN: {
    section: 'Slack. Values from https://api.slack.com/apps after creating the app from manifest.json.',
    type: like(/^xox[be]/, 'must start with xoxb-'),
    secret: 'value',
    needs: [['SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET']],
    help: 'Bot token of the Slack app.',
  },
  SLACK_APP_TOKEN: {
    type: like(/^xapp-/, 'must start with xapp-'),
    secret: 'value',
    needs: ['SLACK_BOT_TOKEN'],
    help: 'App-level token, for Socket Mode.',
  },
  SLACK_SIGNING_SECRET: {
    type: atLeast8,
    secret: 'value',
    needs: ['SLACK_BOT_TOKEN'],
    help: 'Signing secret, for HTTP mode at /slack/events.',
  },
  SLACK_API_URL: { type: bare(apiUrl), help: 'Base URL of another Slack Web API, for tests.' },
  SLACK_COMMAND_PREFIX: {
    type: like(/^[a-z0-9_-]{1,12}$/, 'must be 1 to 12 of a-z, 0-9, _ and -'),
    help: 'Prefix of the slash commands: sb makes /sb-numbers.',
  },
  SLACK_WORKFLOW_STEPS: {
    type: flag,
    default: 'false',
    needs: ['SLACK_BOT_TOKEN'],
    help: "true lets workflows of Slack's Workflow Builder look numbers up and ask for changes. Every change that they ask for waits for an approver. Everybody who may build or run a workflow can look up what a viewer sees. Needs the manifest of `switchboard manifest --workflow`.",
  },
  SLACK_VIEWERS: {
    type: who,
    default: '',
    restricts: true,
    help: 'Who may look things up: U…, S…, or * for everyone.',
  },
  SLACK_OPERATORS: {
    type: who,
    default: '',
    restricts: true,
    help: 'Who may change things and ask for gated actions.',
  },
  SLACK_APPROVERS: { type: who, default: '', restricts: true, help: 'Who may confirm.' },
  SLACK_APPROVALS_CHANNEL: {
    type: channel,
    help: 'Channel where approvers are asked. Unset: each approver gets a direct message.',
  },
  SLACK_EVENTS_CHANNEL: {
    type: channel,
    help: 'Channel for orders, inbound messages and confirmations that assistants requested.',
  },
  MCP_TOOLSETS: {
    section: 'MCP',
    type: list,
    default: 'core',
    offered: { title: 'Tools' },
    restricts: true,
    help: 'core, all, support, oncall, or groups separated by commas (numbers,subscribers).',
  },
  MCP_READ_ONLY: {
    type: flag,
    default: 'false',
    offered: { title: 'Read only', format: 'boolean' },
    restricts: true,
    help: 'Offer only tools that change nothing.',
  },
  MCP_ROLE: {
    type: oneOf('viewer', 'operator'),
    default: 'operator',
    restricts: true,
    help: 'Role of stdio clients, and of HTTP clients if no tokens are set: viewer or operator.',
  },
  MCP_DISCOVER: {
    type: flag,
    default: 'false',
    restricts: true,
    help: 'Offer three tools (search, describe, call) instead of one per operation.',
  },
  MCP_APPS: {
    type: flag,
    default: 'false',
    restricts: true,
    help: 'Show lookups, orders, batches and confirmations as a view (MCP App) in hosts that support it.',
  },
  MCP_HTTP_TOKENS: {
    type: tokens,
    default: '',
    secret: 'tokens',
    restricts: true,
    help: "name:role:token entries, separated by commas. An approver's token also signs in on the confirmation page. Unset: loopback only.",
  },
  MCP_ALLOWED_HOSTS: {
    type: hostNames,
    default: '',
    restricts: true,
    help: 'Host names accepted in addition to loopback and PUBLIC_URL.',
  },
  MCP_OAUTH_ISSUER: {
    type: bare(issuer),
    needs: OAUTH,
    restricts: true,
    help: 'OAuth issuer, as https://host/path. Its access tokens are accepted at /mcp, and approvers sign in with it.',
  },
  MCP_OAUTH_AUDIENCE: {
    type: text,
    needs: OAUTH,
    restricts: true,
    help: 'Audience (aud) that access tokens must have, for example https://switchboard.example.com/mcp.',
  },
  MCP_OAUTH_ROLES: {
    type: roleRules,
    needs: OAUTH,
    restricts: true,
    help: 'claim=value:role entries, separated by commas, for example groups=support:operator. Entries of scope limit the role to what the client was granted.',
  },
  MCP_OAUTH_CLIENT_ID: {
    type: text,
    needs: OAUTH,
    restricts: true,
    help: 'OAuth client id of the confirmation page. Unset: MCP_OAUTH_AUDIENCE.',
  },
  MCP_OAUTH_CLIENT_SECRET: {
    type: text,
    secret: 'value',
    needs: OAUTH,
    restricts: true,
    help: 'OAuth client secret of the confirmation page, if the issuer requires one.',
  },
  ASSISTANT_MODEL: {
    section: 'The model. Leave it out to have plain words answered by what was learned from examples.',
    type: like(/^.{1,200}$/, 'must have at most 200 characters'),
    needs: (textOf) =>
      textOf('ASSISTANT_API') === 'anthropic' ? [['ASSISTANT_KEY', 'ASSISTANT_URL']] : ['ASSISTANT_URL'],
    help: 'Name of the model that answers plain words, as its endpoint knows it. Unset: what was learned from examples answers.',
  },
  ASSISTANT_URL: {
    type: bare(webUrl),
    needs: ['ASSISTANT_MODEL'],
    help: "Base URL of the model's endpoint, usually ending in /v1 (http://127.0.0.1:11434/v1 is Ollama on this computer). Not needed for Anthropic's own.",
  },
  ASSISTANT_KEY: {
    type: text,
    needs: ['ASSISTANT_MODEL'],
    secret: 'value',
    help: "Key of the model's endpoint, if it requires one.",
  },
  ASSISTANT_API: {
    type: oneOf('openai-compatible', 'anthropic'),
    default: 'openai-compatible',
    needs: ['ASSISTANT_MODEL'],
    help: 'The protocol of the endpoint: openai-compatible or anthropic.',
  },
  ASSISTANT_STEPS: {
    type: whole(1, 50),
    default: '12',
    help: 'Maximum number of operations that the model may call to answer one message.',
  },
  ASSISTANT_CONTEXT: {
    type: whole(8_000, 2_000_000),
    default: '32000',
    help: 'Tokens that the model can read at once: the prompt, tools, memory and results fit into it. Below 16000, the model finds tools by search.',
  },
  CONFIRM_TTL_SECONDS: {
    section: 'Confirmations',
    type: whole(10, 86_400),
    default: '28800',
    restricts: true,
    help: 'How long a question waits for a person; by default a working day.',
  },
  CONFIRM_OWN: {
    type: flag,
    default: 'true',
    restricts: true,
    help: 'false lets ordinary changes, which any operator may confirm, run without a question. Changes that need an approver always ask.',
  },
  CONFIRM_VIA: {
    type: ways,
    restricts: true,
    help: 'Ways in which a person may confirm: slack, page, client (an MCP client that asks its user), terminal; separated by commas. Default: slack,terminal when Slack is configured, otherwise page,client,terminal; all four in demo mode.',
  },
  CONFIRM_TWO_PERSON: {
    type: flag,
    default: 'false',
    restricts: true,
    help: 'The approver must not be the requester, on every surface.',
  },
  CONFIRM_QUORUM: {
    type: quorum,
    restricts: true,
    help: 'destroy:2 requires the yes of two different approvers for what takes service, data or control away. Unset: one is enough.',
  },
  LEDGER_KEEP_DAYS: {
    type: whole(1, 36_500),
    default: '365',
    help: 'Actions and batches that ended longer ago are deleted. The audit trail stays; `switchboard audit` prints it.',
  },
  SEALING_KEY: {
    type: keys32,
    secret: 'value',
    help: '32 bytes in base64. Unset: generated once in DATA_DIR. While it is rotated: the new key and the old one, separated by a comma.',
  },
  EVENTS_USERNAME: {
    section: 'Credentials that the platform must present to /events/...',
    type: text,
    needs: ['EVENTS_PASSWORD'],
    help: 'User name that the platform must present to /events/... (Basic authentication).',
  },
  EVENTS_PASSWORD: {
    type: text,
    secret: 'value',
    needs: ['EVENTS_USERNAME'],
    help: 'Password that goes with EVENTS_USERNAME.',
  },
  EVENTS_TOKEN: {
    type: atLeast8,
    secret: 'value',
    help: 'Bearer token that the platform must present to /events/..., instead of a user name and password.',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

type ValueOf<S extends Setting> = z.output<S['type']> | (S extends { default: string } ? never : undefined);

/** The values of all settings. */
export type Settings = { [K in SettingName]: ValueOf<(typeof settings)[K]> };

/** Every setting with its name, in the order in which they are listed for people. */
export function listSettings(): (Setting & { name: SettingName })[] {
  return Object.entries<Setting>(settings).map(([name, setting]) => ({ ...setting, name: name as SettingName }));
}

/** The names by which a setting is read. As in other programs, that in lower case goes first. */
export function namesOf(name: string): string[] {
  const { eitherCase }: Setting = settings[name as SettingName] ?? {};
  return eitherCase ? [name.toLowerCase(), name] : [name];
}
