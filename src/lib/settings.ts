import * as z from 'zod';
import { type Role, WAYS, type Way } from './actor.ts';
import { decoded, hasCredentials, isSafeUrl, NO_CREDENTIALS, parseUrl } from './values.ts';

/** One entry of MCP_OAUTH_ROLES: a token with this value of this claim has this role. */
export interface RoleRule {
  claim: string;
  value: string;
  role: Role;
}

/* The types of settings: each reads one value of the environment or says what is wrong with it. */

const text = z.string();
const say = (context: { addIssue(issue: { code: 'custom'; message: string }): void }, message: string) =>
  context.addIssue({ code: 'custom', message });
const ROLES: readonly string[] = ['viewer', 'operator', 'approver'] satisfies Role[];
const like = (pattern: RegExp, message: string) => z.string().regex(pattern, message);
const atLeast8 = z.string().min(8, 'must have at least 8 characters');
const channel = like(
  /^[CG][A-Z0-9]+$/,
  "must be a channel id (C…), not a name; Slack shows it at the end of the channel's details",
);
const oneOf = <const T extends readonly string[]>(...values: T) =>
  z.enum(values, { error: `must be ${values.length > 2 ? `one of ${values.join(', ')}` : values.join(' or ')}` });
const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true, false, 1 or 0' })
  .transform((value) => value === 'true' || value === '1');
const whole = (min: number, max: number) =>
  z
    .string()
    .transform((value) => (/^\d+$/.test(value) ? Number(value) : Number.NaN))
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);
const list = z.string().transform((value) => value.split(',').flatMap((part) => part.trim() || []));

const url = (isValid: (value: string) => boolean, message: string) =>
  z
    .string()
    .refine(isValid, message)
    .refine((value) => !hasCredentials(value), NO_CREDENTIALS);
const safeUrl = (example: string) =>
  url(isSafeUrl, `must be an https:// URL (http:// only on loopback), for example ${example}`);
const webUrl = (example: string) =>
  url(
    (value) => /^https?:$/.test(parseUrl(value)?.protocol ?? ''),
    `must be an https:// or http:// URL, for example ${example}`,
  );
/** A URL without a query and a fragment. */
const base = (type: z.ZodString, why: string) =>
  type.refine((value) => !/[?#]/.test(value), `must have no query and no fragment, because ${why}`);
/** A URL of a host alone. */
const origin = (type: z.ZodString, why: string) =>
  base(type, why).refine(
    (value) => parseUrl(value)?.pathname === '/',
    `must be https://host without a path, because ${why}`,
  );
const databaseUrl = z
  .string()
  .refine(
    (url) => /^postgres(ql)?:\/\//.test(url) && parseUrl(url) !== undefined,
    'must be postgres://user:password@host/database, with / # ? @ in the password percent-encoded (%2F %23 %3F %40)',
  )
  // The other modes of libpq would connect without TLS if the server has none, which the driver cannot do.
  .refine((url) => {
    const query = parseUrl(url)?.searchParams;
    const mode = query?.get('sslmode') ?? 'disable';
    return /^(disable|require|verify-full)$/.test(mode) || (mode === 'verify-ca' && query?.has('sslrootcert'));
  }, 'must have sslmode disable, require (encrypted, not verified), verify-ca with sslrootcert, or verify-full');
/** Other programs take a proxy without its scheme, so `proxy:3128` is read as they read it. A word alone is a slip. */
const proxyUrl = z
  .string()
  .transform((value) => (value.includes('://') || !/[.:]/.test(value) ? value : `http://${value}`))
  .refine(
    (value) => /^https?:\/\/[^/]+\/?$/.test(value) && parseUrl(value) !== undefined,
    'must be http://host:port or https://host:port, with a user name and password before the host if it asks for them (http://user:password@host:port)',
  );
/** Host names as the Host header has them, so that each can match one. */
const hostNames = list
  .refine(
    (names) => names.every((name) => /^([\w.-]+|\[[\da-f:.]+\])$/i.test(name)),
    'must be host names without scheme, port or path, separated by commas',
  )
  .transform((names) => names.map((name) => parseUrl(`http://${name}`)?.hostname ?? name));
/** Other programs read these as well, each its own patterns (`*.local`, `<local>`), so only what none of them reads is refused. */
const hosts = like(
  /^[\p{L}\p{N}_.*:/[\]<>%,\s-]*$/u,
  'must be host names, addresses or networks (10.0.0.0/8), separated by commas, or *',
).transform((value) => value.split(/[,\s]+/).filter((host) => host !== ''));
const zone = z.string().refine((value) => {
  try {
    // The default is not looked up, because reading the time zones takes a tenth of a start.
    return value === 'UTC' || new Intl.DateTimeFormat('en', { timeZone: value }) !== undefined;
  } catch {
    return false;
  }
}, 'must be an IANA time zone, for example UTC or America/Denver');
const who = list.refine(
  (ids) => ids.every((id) => id === '*' || /^[USW][A-Z0-9]+$/.test(id)),
  'must be user ids U…, user-group ids S… or *, separated by commas',
);
const ways = list
  .refine(
    (given) => given.length > 0 && given.every((way) => WAYS.some((known) => known === way)),
    `must be among ${WAYS.join(', ')}, separated by commas`,
  )
  .transform((given): Way[] => WAYS.filter((way) => given.includes(way)));
const keys32 = list.refine(
  (keys) => keys.length > 0 && keys.every((key) => Buffer.from(key, 'base64').length === 32),
  'must be 32 bytes in base64, or several such keys separated by commas; generate one with: openssl rand -base64 32',
);
const tokens = list.transform((entries, context) => {
  const read = entries.map((entry) => {
    const [name = '', role = '', ...rest] = entry.split(':');
    const token = rest.join(':');
    // Other characters cannot be sent in a header.
    if (name === '' || !ROLES.includes(role) || !/^[!-~]{8,}$/.test(token))
      say(
        context,
        'must be name:role:token entries separated by commas; roles are viewer, operator, approver; a token has at least 8 letters, digits or signs of ASCII, without spaces',
      );
    return { name, role: role as Role, token };
  });
  // A name is an identity and a token belongs to one: with duplicates, it would be unclear who confirmed.
  for (const member of ['name', 'token'] as const)
    if (new Set(read.map((entry) => entry[member])).size < read.length)
      say(context, `contains a ${member} twice; give each entry its own ${member}`);
  return read;
});
const NO_ROLE_RULE =
  'must be claim=value:role entries separated by commas, for example groups=support:operator; roles are viewer, operator, approver';
const roleRules = list.transform((entries, context): RoleRule[] => {
  if (entries.length === 0) say(context, NO_ROLE_RULE);
  return entries.flatMap((entry) => {
    // A value may hold colons, a claim's name may not hold an equals sign.
    const [, claim = '', value = '', role = ''] = /^([^=]+)=(.+):([^:]+)$/.exec(entry) ?? [];
    if (!ROLES.includes(role)) say(context, NO_ROLE_RULE);
    return [{ claim, value, role: role as Role }];
  });
});

/** Names of settings. One name of an inner list is enough. */
type Needs = readonly (string | readonly string[])[];

/** A setting. A default is part of its type, as the environment writes it; without one, an unset setting is undefined. */
interface Entry {
  type: z.ZodType<unknown, string | undefined>;
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
  /** True if its name in lower case counts too, in the environment and in the file, as for other programs. */
  eitherCase?: boolean;
  /** Installers of the package, such as Claude Desktop, ask for it under this title. */
  offered?: { title: string; format?: 'boolean' };
  /** In .env.example, a section with this heading begins here. */
  section?: string;
}

const PLATFORM = ['PLATFORM_BASE_URL', 'PLATFORM_ACCOUNT_KEY', 'PLATFORM_ACCOUNT_SECRET'] as const;
const OAUTH = ['MCP_OAUTH_ISSUER', 'MCP_OAUTH_AUDIENCE', 'MCP_OAUTH_ROLES'] as const;

/**
 * Every setting, and nothing else describes one: .env.example, the table of src/start/README.md, the forms of installers,
 * redaction and the checks at start-up are derived from here.
 */
const entries = {
  PLATFORM_BASE_URL: {
    section: 'The platform. Leave all three out for demo mode on the embedded sandbox.',
    type: origin(safeUrl('https://api.example.com'), '/v1.0/... is appended to it').optional(),
    needs: PLATFORM,
    offered: { title: 'Platform URL' },
    help: 'The platform, as https://host; /v1.0/... is appended. Unset: demo mode on the embedded sandbox.',
  },
  PLATFORM_ACCOUNT_KEY: {
    type: text.optional(),
    needs: PLATFORM,
    offered: { title: 'Account key' },
    help: 'Account key (DID-...).',
  },
  PLATFORM_ACCOUNT_SECRET: {
    type: text.optional(),
    needs: PLATFORM,
    offered: { title: 'Account secret' },
    secret: 'value',
    help: 'Account secret.',
  },
  PLATFORM_TIME_ZONE: { type: zone.prefault('UTC'), help: 'Time zone of dates in responses that have none.' },
  PLATFORM_REQUESTS_PER_MINUTE: {
    type: whole(1, 100_000).prefault('120'),
    help: 'Requests per minute, for everything this distributor runs. The platform takes 120; with more, it refuses the rest (429), and start and doctor warn.',
  },
  PLATFORM_TIMEOUT_MS: {
    type: whole(100, 600_000).prefault('30000'),
    help: 'Timeout of one attempt at a request, in milliseconds.',
  },
  PLATFORM_SETTLE_SECONDS: {
    type: whole(1, 86_400).prefault('300'),
    help: 'How long the platform may keep working on a call after its last byte was sent; at least PLATFORM_TIMEOUT_MS. Until then, an unknown outcome is not resolved as "not done".',
  },
  PLATFORM_ACCOUNT_ID: {
    type: like(/^AID-\S+$/i, 'must start with AID-').optional(),
    offered: { title: 'Default account' },
    help: 'Default account of what is made or paid, for distributors with several accounts. Reads and searches cover all accounts.',
  },
  HOST: { section: 'This server', type: text.prefault('127.0.0.1'), help: 'Address to listen on.' },
  PORT: { type: whole(0, 65_535).prefault('3900'), help: 'Port to listen on; 0 takes a free one.' },
  PUBLIC_URL: {
    type: origin(
      webUrl('https://switchboard.example.com'),
      'paths such as /confirm are appended to it; behind a reverse proxy, give this server a host name of its own',
    )
      .transform((value) => new URL(value).origin)
      .optional(),
    help: 'Public address of this server, as https://host, for links to confirmation pages and for webhooks.',
  },
  DATA_DIR: {
    type: text.optional(),
    help: "Folder of the ledger and the sealing key. Demo data is in its subfolder demo. Unset: switchboard in the user's state directory ($XDG_STATE_HOME, ~/.local/state, %LOCALAPPDATA%).",
  },
  HTTPS_PROXY: {
    type: proxyUrl.optional(),
    secret: 'login',
    eitherCase: true,
    help: 'Proxy for https: the platform, Slack, the model and OAuth, as http://user:password@host:port. Also read as https_proxy. This computer is always reached directly.',
  },
  HTTP_PROXY: {
    type: proxyUrl.optional(),
    secret: 'login',
    eitherCase: true,
    help: 'Proxy for http, and for https without HTTPS_PROXY. Also read as http_proxy.',
  },
  NO_PROXY: {
    type: hosts.prefault(''),
    eitherCase: true,
    help: 'Hosts that are reached without a proxy, separated by commas: names (with those below them), addresses, networks (10.0.0.0/8), each also with :port; * for all. Also read as no_proxy.',
  },
  DATABASE_URL: {
    type: databaseUrl.optional(),
    secret: 'password',
    help: 'postgres://user:password@host/database (13 or later), for several processes or machines. Unset: an SQLite file in DATA_DIR.',
  },
  LOG_LEVEL: {
    type: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').prefault('info'),
    help: 'fatal, error, warn, info, debug, trace or silent.',
  },
  SLACK_BOT_TOKEN: {
    section: 'Slack. Values from https://api.slack.com/apps after creating the app from manifest.json.',
    type: like(/^xox[be]/, 'must start with xoxb-').optional(),
    secret: 'value',
    needs: [['SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET']],
    help: 'Bot token of the Slack app.',
  },
  SLACK_APP_TOKEN: {
    type: like(/^xapp-/, 'must start with xapp-').optional(),
    secret: 'value',
    needs: ['SLACK_BOT_TOKEN'],
    help: 'App-level token, for Socket Mode.',
  },
  SLACK_SIGNING_SECRET: {
    type: atLeast8.optional(),
    secret: 'value',
    needs: ['SLACK_BOT_TOKEN'],
    help: 'Signing secret, for HTTP mode at /slack/events.',
  },
  SLACK_API_URL: {
    type: webUrl('http://127.0.0.1:4000/api/').optional(),
    help: 'Base URL of another Slack Web API, for tests.',
  },
  SLACK_COMMAND_PREFIX: {
    type: like(/^[a-z0-9_-]{1,12}$/, 'must be 1 to 12 of a-z, 0-9, _ and -').optional(),
    help: 'Prefix of the slash commands: sb makes /sb-numbers.',
  },
  SLACK_VIEWERS: { type: who.prefault(''), help: 'Who may look things up: U…, S…, or * for everyone.' },
  SLACK_OPERATORS: { type: who.prefault(''), help: 'Who may change things and ask for gated actions.' },
  SLACK_APPROVERS: { type: who.prefault(''), help: 'Who may confirm.' },
  SLACK_APPROVALS_CHANNEL: {
    type: channel.optional(),
    help: 'Channel where approvers are asked. Unset: each approver gets a direct message.',
  },
  SLACK_EVENTS_CHANNEL: {
    type: channel.optional(),
    help: 'Channel for orders, inbound messages and confirmations that assistants requested.',
  },
  MCP_TOOLSETS: {
    section: 'MCP',
    type: list.prefault('core'),
    offered: { title: 'Tools' },
    help: 'core, all, support, oncall, or groups separated by commas (numbers,subscribers).',
  },
  MCP_READ_ONLY: {
    type: flag.prefault('false'),
    offered: { title: 'Read only', format: 'boolean' },
    help: 'Offer only tools that change nothing.',
  },
  MCP_ROLE: {
    type: oneOf('viewer', 'operator').prefault('operator'),
    help: 'Role of stdio clients, and of HTTP clients if no tokens are set: viewer or operator.',
  },
  MCP_DISCOVER: {
    type: flag.prefault('false'),
    help: 'Offer three tools (search, describe, call) instead of one per operation.',
  },
  MCP_HTTP_TOKENS: {
    type: tokens.prefault(''),
    secret: 'tokens',
    help: "name:role:token entries, separated by commas. An approver's token also signs in on the confirmation page. Unset: loopback only.",
  },
  MCP_ALLOWED_HOSTS: {
    type: hostNames.prefault(''),
    help: 'Host names accepted in addition to loopback and PUBLIC_URL.',
  },
  MCP_OAUTH_ISSUER: {
    type: base(safeUrl('https://login.example.com'), 'an issuer has none (RFC 8414, section 2)').optional(),
    needs: OAUTH,
    help: 'OAuth issuer, as https://host/path. Its access tokens are accepted at /mcp, and approvers sign in with it.',
  },
  MCP_OAUTH_AUDIENCE: {
    type: text.optional(),
    needs: OAUTH,
    help: 'Audience (aud) that access tokens must have, for example https://switchboard.example.com/mcp.',
  },
  MCP_OAUTH_ROLES: {
    type: roleRules.optional(),
    needs: OAUTH,
    help: 'claim=value:role entries, separated by commas, for example groups=support:operator. Entries of scope limit the role to what the client was granted.',
  },
  MCP_OAUTH_CLIENT_ID: {
    type: text.optional(),
    needs: OAUTH,
    help: 'OAuth client id of the confirmation page. Unset: MCP_OAUTH_AUDIENCE.',
  },
  MCP_OAUTH_CLIENT_SECRET: {
    type: text.optional(),
    secret: 'value',
    needs: OAUTH,
    help: 'OAuth client secret of the confirmation page, if the issuer requires one.',
  },
  ASSISTANT_MODEL: {
    section: 'The model. Leave it out to have plain words answered by what was learned from examples.',
    type: like(/^.{1,200}$/, 'must have at most 200 characters').optional(),
    needs: (textOf) =>
      textOf('ASSISTANT_API') === 'anthropic' ? [['ASSISTANT_KEY', 'ASSISTANT_URL']] : ['ASSISTANT_URL'],
    help: 'Name of the model that answers plain words, as its endpoint knows it. Unset: what was learned from examples answers.',
  },
  ASSISTANT_URL: {
    type: webUrl('http://127.0.0.1:11434/v1').optional(),
    needs: ['ASSISTANT_MODEL'],
    help: "Base URL of the model's endpoint, usually ending in /v1 (http://127.0.0.1:11434/v1 is Ollama on this computer). Not needed for Anthropic's own.",
  },
  ASSISTANT_KEY: {
    type: text.optional(),
    needs: ['ASSISTANT_MODEL'],
    secret: 'value',
    help: "Key of the model's endpoint, if it requires one.",
  },
  ASSISTANT_API: {
    type: oneOf('openai-compatible', 'anthropic').prefault('openai-compatible'),
    needs: ['ASSISTANT_MODEL'],
    help: 'The protocol of the endpoint: openai-compatible or anthropic.',
  },
  ASSISTANT_STEPS: {
    type: whole(1, 50).prefault('12'),
    help: 'Maximum number of operations that the model may call to answer one message.',
  },
  ASSISTANT_CONTEXT: {
    type: whole(8_000, 2_000_000).prefault('32000'),
    help: 'Tokens that the model can read at once: the prompt, tools, memory and results fit into it. Below 16000, the model finds tools by search.',
  },
  CONFIRM_TTL_SECONDS: {
    section: 'Confirmations',
    type: whole(10, 86_400).prefault('28800'),
    help: 'How long a question waits for a person; by default a working day.',
  },
  CONFIRM_OWN: {
    type: flag.prefault('true'),
    help: 'false lets ordinary changes, which any operator may confirm, run without a question. Changes that need an approver always ask.',
  },
  CONFIRM_VIA: {
    type: ways.optional(),
    help: 'Ways in which a person may confirm: slack, page, client (an MCP client that asks its user), terminal; separated by commas. Default: slack,terminal when Slack is configured, otherwise page,client,terminal; all four in demo mode.',
  },
  CONFIRM_TWO_PERSON: {
    type: flag.prefault('false'),
    help: 'The approver must not be the requester, on every surface.',
  },
  LEDGER_KEEP_DAYS: {
    type: whole(1, 36_500).prefault('365'),
    help: 'Actions and batches that ended longer ago are deleted. The audit trail stays; `switchboard audit` prints it.',
  },
  SEALING_KEY: {
    type: keys32.optional(),
    secret: 'value',
    help: '32 bytes in base64. Unset: generated once in DATA_DIR. While it is rotated: the new key and the old one, separated by a comma.',
  },
  EVENTS_USERNAME: {
    section: 'Credentials that the platform must present to /events/...',
    type: text.optional(),
    needs: ['EVENTS_PASSWORD'],
    help: 'User name that the platform must present to /events/... (Basic authentication).',
  },
  EVENTS_PASSWORD: {
    type: text.optional(),
    secret: 'value',
    needs: ['EVENTS_USERNAME'],
    help: 'Password that goes with EVENTS_USERNAME.',
  },
  EVENTS_TOKEN: {
    type: atLeast8.optional(),
    secret: 'value',
    help: 'Bearer token that the platform must present to /events/..., instead of a user name and password.',
  },
} as const satisfies Record<string, Entry>;

type Entries = typeof entries;
type SettingName = keyof Entries;

/** All settings as one type: from texts of the environment to values. */
export const settings = z.object(
  Object.fromEntries(Object.entries(entries).map(([name, { type }]) => [name, type])) as {
    [K in SettingName]: Entries[K]['type'];
  },
);
export type Settings = z.output<typeof settings>;

/**
 * Every setting with its name, and its default as the environment writes it, in the order in which they are listed for
 * people.
 */
export function listSettings(): (Entry & { name: SettingName; default: string | undefined })[] {
  return Object.entries<Entry>(entries).map(([name, entry]) => ({
    ...entry,
    name: name as SettingName,
    default: entry.type instanceof z.ZodPrefault ? String(entry.type.def.defaultValue) : undefined,
  }));
}

/** True if more would be allowed without it. */
export function restricts(name: string): boolean {
  return /^(CONFIRM_|MCP_|SLACK_(VIEWERS|OPERATORS|APPROVERS)$)/.test(name);
}

/** The names by which a setting is read. As in other programs, that in lower case goes first. */
export function namesOf({ name, eitherCase }: { name: string; eitherCase?: boolean }): string[] {
  return eitherCase ? [name.toLowerCase(), name] : [name];
}

/**
 * The secrets of these settings, for redaction by value. Short ones are replaced only as whole words (lib/hide.ts).
 */
export function settingSecrets(values: Partial<Settings>): string[] {
  return listSettings()
    .flatMap(({ name, secret }) => (secret === undefined ? [] : secretsIn(values[name], secret)))
    .filter((secret) => secret !== '');
}

function secretsIn(value: unknown, kind: NonNullable<Entry['secret']>): string[] {
  if (kind === 'tokens') return Array.isArray(value) ? value.map(({ token }: { token: string }) => token) : [];
  const plain = [value].flat().filter((one) => typeof one === 'string');
  const url = parseUrl(plain[0] ?? '');
  if (kind === 'value' || (kind === 'login' && url === undefined)) return plain;
  const { username = '', password = '' } = url ?? {};
  const hidden = kind === 'login' ? password || username : password;
  return [hidden, decoded(hidden)];
}
