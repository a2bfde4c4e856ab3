import { hostname, userInfo } from 'node:os';
import { dirname, isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import type { Fields } from './json.ts';

// Compiling parsers costs more than it saves in a process that starts often and checks small inputs.
z.config({ jitless: true });

import { type Role, WAYS, type Way } from './actor.ts';
import { dataDirProblem, defaultDataDir } from './data-dir.ts';
import { nameProblems, type UnknownSetting, unknownSettings } from './setting-names.ts';
import { NO_SETTINGS_FILE, readSettingsFile, type SettingsFile } from './settings-file.ts';
import { hasCredentials, NO_CREDENTIALS } from './url.ts';

/*
 * The only reader of the environment. Each setting says what it is once: .env.example and the README's table
 * are derived from here.
 */

const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true, false, 1 or 0' })
  .transform((value) => value === 'true' || value === '1');
const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
const isLoopback = (host: string) => /^(127(\.\d+){3}|localhost|\[?::1\]?)$/.test(host);

const platformUrl = z.string().refine(
  (value) => {
    if (!URL.canParse(value)) return false;
    const url = new URL(value);
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  },
  { message: 'must be an https:// URL (http:// only on loopback), for example https://api.example.com' },
);
const bare = <T extends z.ZodType<string>>(url: T) =>
  url.refine((value) => !hasCredentials(value), { message: NO_CREDENTIALS });
const zone = z.string().refine(
  (value) => {
    try {
      new Intl.DateTimeFormat('en', { timeZone: value });
      return true;
    } catch {
      return false;
    }
  },
  { message: 'must be an IANA time zone, for example UTC or America/Denver' },
);
const who = list.refine((ids) => ids.every((id) => id === '*' || /^[USW][A-Z0-9]+$/.test(id)), {
  message: 'must be user ids U…, user-group ids S… or *, separated by commas',
});
const key32 = z.string().refine((value) => Buffer.from(value, 'base64').length === 32, {
  message: 'must be 32 bytes in base64; make one with: openssl rand -base64 32',
});
const tokens = list.transform((entries, context) => {
  const read = entries.map((entry) => {
    const [name = '', role = '', ...rest] = entry.split(':');
    const token = rest.join(':');
    if (name === '' || !['viewer', 'operator', 'approver'].includes(role) || token.length < 8) {
      context.addIssue({
        code: 'custom',
        message:
          'must be name:role:token entries separated by commas; roles are viewer, operator, approver; a token has at least 8 characters',
      });
    }
    return { name, role: role as Role, token };
  });
  // A name is an identity and a token belongs to one: with two of either, who confirmed could not be told.
  for (const [at, { name, token }] of read.entries()) {
    if (read.findIndex((one) => one.name === name) < at)
      context.addIssue({ code: 'custom', message: `has the name ${name} twice; give each entry a name of its own` });
    const first = read.findIndex((one) => one.token === token);
    if (first < at)
      context.addIssue({
        code: 'custom',
        message: `has the same token for ${read[first]?.name} and ${name}; give each entry a token of its own`,
      });
  }
  return read;
});
const optional = <T extends z.ZodType>(type: T) => type.optional();

export const settings = {
  PLATFORM_BASE_URL: {
    type: optional(bare(platformUrl)),
    about: 'The platform, as https://host; /v1.0/... is appended. Unset: demo mode on the embedded sandbox.',
  },
  PLATFORM_ACCOUNT_KEY: { type: optional(z.string()), about: 'Account key (DID-...).' },
  PLATFORM_ACCOUNT_SECRET: { type: optional(z.string()), about: 'Account secret.' },
  PLATFORM_TIME_ZONE: { type: zone.default('UTC'), about: 'Time zone of dates in answers that carry none.' },
  PLATFORM_REQUESTS_PER_MINUTE: {
    type: whole(1, 100_000).default(120),
    about: 'Requests a minute for everything this distributor runs.',
  },
  PLATFORM_TIMEOUT_MS: { type: whole(100, 600_000).default(30_000), about: 'For one attempt.' },
  PLATFORM_SETTLE_SECONDS: {
    type: whole(1, 86_400).default(300),
    about:
      'The longest the platform may work on one call after its last byte was sent (at least PLATFORM_TIMEOUT_MS): until then an unknown outcome cannot be found "not done".',
  },
  PLATFORM_ACCOUNT_ID: {
    type: optional(z.string().regex(/^AID-\S+$/i, 'must start with AID-')),
    about: 'Default account for distributors with several.',
  },
  HOST: { type: z.string().default('127.0.0.1'), about: 'Address to listen on.' },
  PORT: { type: whole(0, 65_535).default(3900), about: 'Port to listen on; 0 takes a free one.' },
  PUBLIC_URL: {
    type: optional(bare(z.url('must be a URL, for example https://switchboard.example.com'))),
    about: 'How others reach this server: links to confirmation pages, webhooks.',
  },
  DATA_DIR: {
    type: optional(z.string().min(1)),
    about:
      "Where the ledger and the sealing key live; the demo's in its folder demo. Unset: switchboard in the user's state directory ($XDG_STATE_HOME, ~/.local/state, %LOCALAPPDATA%).",
  },
  DATABASE_URL: {
    type: optional(z.string()),
    about: 'postgres://…, for several processes or machines. Not built yet: start-up refuses it.',
  },
  LOG_LEVEL: {
    type: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
        error: 'must be one of fatal, error, warn, info, debug, trace, silent',
      })
      .default('info'),
    about: 'fatal, error, warn, info, debug, trace or silent.',
  },
  SLACK_BOT_TOKEN: {
    type: optional(z.string().regex(/^xox[be]/, 'must start with xoxb-')),
    about: 'Bot token of the Slack app.',
  },
  SLACK_APP_TOKEN: {
    type: optional(z.string().regex(/^xapp-/, 'must start with xapp-')),
    about: 'App-level token: Socket Mode.',
  },
  SLACK_SIGNING_SECRET: {
    type: optional(z.string().min(8, 'has at least 8 characters')),
    about: 'HTTP mode at /slack/events.',
  },
  SLACK_API_URL: { type: optional(bare(z.url())), about: 'Another Slack Web API base, for tests.' },
  SLACK_COMMAND_PREFIX: {
    type: optional(z.string().regex(/^[a-z0-9_-]{1,12}$/, 'must be 1 to 12 of a-z, 0-9, _ and -')),
    about: 'sb makes /sb-numbers.',
  },
  SLACK_VIEWERS: { type: who.default([]), about: 'Who may look things up: U…, S…, or * for everyone.' },
  SLACK_OPERATORS: { type: who.default([]), about: 'Who may change things and ask for gated actions.' },
  SLACK_APPROVERS: { type: who.default([]), about: 'Who may confirm.' },
  SLACK_APPROVALS_CHANNEL: {
    type: optional(z.string().regex(/^[CG][A-Z0-9]+$/, 'must be a channel id, C…')),
    about: 'Where approvers are asked; unset, each gets a direct message.',
  },
  SLACK_EVENTS_CHANNEL: {
    type: optional(z.string().regex(/^[CG][A-Z0-9]+$/, 'must be a channel id, C…')),
    about: "Where orders, inbound messages and assistants' confirmations appear.",
  },
  MCP_TOOLSETS: {
    type: list.default(['core']),
    about: 'core, all, support, oncall, or groups separated by commas (numbers,subscribers).',
  },
  MCP_READ_ONLY: { type: flag.default(false), about: 'Only tools that change nothing.' },
  MCP_ROLE: {
    type: z.enum(['viewer', 'operator'], { error: 'must be viewer or operator' }).default('operator'),
    about: 'viewer or operator: of stdio, and of HTTP without tokens.',
  },
  MCP_DISCOVER: { type: flag.default(false), about: 'search/describe/call instead of one tool per operation.' },
  MCP_HTTP_TOKENS: {
    type: tokens.default([]),
    about:
      "name:role:token, separated by commas; an approver's also signs in on the confirmation page. Without: loopback only.",
  },
  MCP_ALLOWED_HOSTS: { type: list.default([]), about: 'Host names accepted beside loopback and PUBLIC_URL.' },
  MCP_OAUTH_ISSUER: {
    type: optional(bare(z.url())),
    about: 'OAuth authorization server. Not built yet: start-up refuses it.',
  },
  MCP_OAUTH_AUDIENCE: {
    type: optional(z.string()),
    about: 'Audience of OAuth tokens. Not built yet: start-up refuses it.',
  },
  MCP_OAUTH_ROLES: {
    type: optional(z.string()),
    about: 'claim=value:role, separated by commas. Not built yet: start-up refuses it.',
  },
  CONFIRM_TTL_SECONDS: { type: whole(10, 86_400).default(300), about: 'How long a confirmation waits for a person.' },
  CONFIRM_VIA: {
    type: optional(
      list.transform((given, context): Way[] => {
        const ways = WAYS.filter((way) => given.includes(way));
        if (given.length > 0 && given.every((way) => ways.some((known) => known === way))) return ways;
        context.addIssue({ code: 'custom', message: `must be among ${WAYS.join(', ')}, separated by commas` });
        return z.NEVER;
      }),
    ),
    about:
      'Ways a person may confirm by: slack, page, client (an MCP client that asks its user), terminal; separated by commas. Default: slack,terminal when Slack is configured, otherwise page,client,terminal; all four in demo mode.',
  },
  CONFIRM_TWO_PERSON: {
    type: flag.default(false),
    about: 'The approver must not be the requester, on every surface.',
  },
  SEALING_KEY: { type: optional(key32), about: '32 bytes, base64; otherwise made once under DATA_DIR.' },
  EVENTS_USERNAME: {
    type: optional(z.string().min(1)),
    about: 'What the platform must present to /events/... as Basic.',
  },
  EVENTS_PASSWORD: { type: optional(z.string().min(1)), about: 'See EVENTS_USERNAME.' },
  EVENTS_TOKEN: { type: optional(z.string().min(8, 'has at least 8 characters')), about: 'Or as a bearer token.' },
} as const;

type Settings = { [K in keyof typeof settings]: z.output<(typeof settings)[K]['type']> };

export interface Config extends Omit<Settings, 'DATA_DIR'> {
  /** Absolute. */
  DATA_DIR: string;
  /** No platform is configured: everything runs on the embedded sandbox. */
  demo: boolean;
  /** Slack is configured, by Socket Mode or by HTTP. */
  slack: 'http' | 'socket' | undefined;
  /** The local user, for the audit trail. */
  user: string;
  machine: string;
  /**
   * Requests from this computer are its user's: HOST and PUBLIC_URL are on loopback or unset, and there are neither
   * tokens nor OAuth. Each request is looked at beside this.
   */
  local: boolean;
  /** PUBLIC_URL or HOST lets others reach this server. */
  public: boolean;
  /** A browser can be opened where a person sees it. */
  display: boolean;
  /** The settings file that was read. */
  settingsFile: string | undefined;
  /** Names in the settings file that are none of ours, with the nearest that is. */
  unknownSettings: readonly UnknownSetting[];
}

/** A setting that stops start-up: its name and the reason. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Settings that have a name and are not built yet: refused rather than ignored. */
const UNBUILT = ['DATABASE_URL', 'MCP_OAUTH_ISSUER', 'MCP_OAUTH_AUDIENCE', 'MCP_OAUTH_ROLES'] as const;

let named: string | undefined;

/** Names the settings file of this process (`--settings FILE`), before the first `loadConfig()`. */
export function useSettingsFile(path: string): void {
  named = path;
}

function settingsFileOf(env: NodeJS.ProcessEnv): SettingsFile {
  if (env !== process.env) return NO_SETTINGS_FILE;
  try {
    return readSettingsFile(named);
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Reads and checks all settings. The environment wins over the settings file, of which only names in `settings` are
 * taken. A blank value counts as unset, so that `NAME=` in the environment does not hide what the file says. An
 * environment that is handed in stands alone: no file is read for it.
 *
 * @param known what the catalogue has: the names MCP_TOOLSETS is checked against; left out, it is not checked
 * @throws ConfigError naming every setting that is not valid, one a line
 */
export function loadConfig(
  env: NodeJS.ProcessEnv = process.env,
  file: SettingsFile = settingsFileOf(env),
  known: { toolsets?: readonly string[] } = {},
): Config {
  const settingOf = (name: string) => filled(env[name]) ?? filled(file.values[name]);
  const problems: string[] = [];
  const values: Fields = {};
  for (const [name, { type }] of Object.entries(settings)) {
    const parsed = type.safeParse(settingOf(name));
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${name} ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
  }
  const config = values as Settings;
  for (const name of UNBUILT) if (config[name] !== undefined) problems.push(`${name} is not supported yet; unset it`);
  const unknown = unknownSettings(Object.keys(file.values), Object.keys(settings));
  problems.push(...nameProblems(settingOf, unknown));
  const { toolsets } = known;
  // Undefined where the value itself was not valid, which is told already.
  const chosen: readonly string[] | undefined = config.MCP_TOOLSETS;
  if (toolsets && chosen && (chosen.length === 0 || !chosen.every((name) => toolsets.includes(name))))
    problems.push(`MCP_TOOLSETS must be among ${toolsets.join(', ')}, separated by commas`);
  const platform = ['PLATFORM_BASE_URL', 'PLATFORM_ACCOUNT_KEY', 'PLATFORM_ACCOUNT_SECRET'] as const;
  const given = platform.filter((name) => config[name] !== undefined);
  if (given.length > 0 && given.length < platform.length) {
    for (const name of platform)
      if (config[name] === undefined)
        problems.push(`${name} is missing; ${given[0]} is set, and all three belong together`);
  }
  if (
    config.SLACK_BOT_TOKEN !== undefined &&
    config.SLACK_APP_TOKEN === undefined &&
    config.SLACK_SIGNING_SECRET === undefined
  ) {
    problems.push('SLACK_BOT_TOKEN needs SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP) beside it');
  }
  if (
    (config.SLACK_APP_TOKEN !== undefined || config.SLACK_SIGNING_SECRET !== undefined) &&
    config.SLACK_BOT_TOKEN === undefined
  ) {
    problems.push('SLACK_BOT_TOKEN is missing; SLACK_APP_TOKEN or SLACK_SIGNING_SECRET is set');
  }
  if ((config.EVENTS_USERNAME === undefined) !== (config.EVENTS_PASSWORD === undefined)) {
    problems.push('EVENTS_USERNAME and EVENTS_PASSWORD belong together; set both or neither');
  }
  const dataDir = dataDirOf(env, file, config.DATA_DIR);
  const unsafe = isAbsolute(dataDir)
    ? dataDirProblem(dataDir)
    : `DATA_DIR ${dataDir} is relative, and the working directory plays no part: set an absolute path`;
  if (unsafe !== undefined) problems.push(unsafe);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const slack =
    config.SLACK_BOT_TOKEN === undefined ? undefined : config.SLACK_APP_TOKEN !== undefined ? 'socket' : 'http';
  const reachable = !isLoopback(config.HOST) || !(config.PUBLIC_URL === undefined || isLoopbackUrl(config.PUBLIC_URL));
  return {
    ...config,
    DATA_DIR: dataDir,
    demo: given.length === 0,
    slack,
    user: userInfo().username,
    machine: hostname(),
    local: !reachable && config.MCP_HTTP_TOKENS.length === 0 && config.MCP_OAUTH_ISSUER === undefined,
    public: reachable,
    display: hasDisplay(env, process.platform),
    settingsFile: file.path,
    unknownSettings: unknown,
  };
}

/** The value without the space around it; undefined where nothing is left. */
function filled(value: string | undefined): string | undefined {
  const text = value?.trim() ?? '';
  return text === '' ? undefined : text;
}

/**
 * A DATA_DIR of the settings file is relative to that file. One of the environment is taken as it stands, and refused
 * where it is relative: the working directory may be a folder that somebody else prepared.
 */
function dataDirOf(env: NodeJS.ProcessEnv, file: SettingsFile, given: string | undefined): string {
  if (given === undefined) {
    return defaultDataDir({
      platform: process.platform,
      stateHome: env.XDG_STATE_HOME,
      localAppData: env.LOCALAPPDATA,
    });
  }
  const fromFile = filled(env.DATA_DIR) === undefined && file.path !== undefined;
  if (fromFile) return resolve(dirname(file.path ?? ''), given);
  return isAbsolute(given) ? resolve(given) : given;
}

/**
 * Whether a browser opened by this process would stand before its user: never over SSH, never in CI, and on Linux
 * and the BSDs only where a display is named.
 */
export function hasDisplay(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  const isSet = (name: string) => (env[name] ?? '') !== '' && env[name] !== 'false' && env[name] !== '0';
  if (['CI', 'SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY'].some(isSet)) return false;
  return platform === 'darwin' || platform === 'win32' || isSet('DISPLAY') || isSet('WAYLAND_DISPLAY');
}

function isLoopbackUrl(url: string): boolean {
  return isLoopback(new URL(url).hostname);
}

/** Settings by which others would be served without credentials: start-up refuses them. */
export function unsafeListening(config: Config): string | undefined {
  if (isLoopback(config.HOST) || config.MCP_HTTP_TOKENS.length > 0 || config.MCP_OAUTH_ISSUER !== undefined)
    return undefined;
  return `HOST ${config.HOST} can be reached from other computers, and there are no credentials: set MCP_HTTP_TOKENS, or leave HOST at 127.0.0.1.`;
}

export { isLoopback };
