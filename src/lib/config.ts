import { hostname } from 'node:os';
import { dirname, isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import type { Fields } from './json.ts';

// Compiling parsers costs more than it saves in a process that starts often and checks small inputs.
z.config({ jitless: true });

import { WAYS, type Way } from './actor.ts';
import { assistantProblems, assistantSettings } from './assistant-settings.ts';
import { dataDirProblem, defaultDataDir, userName } from './data-dir.ts';
import { nameProblems, nameWarnings, type UnknownSetting, unknownSettings } from './setting-names.ts';
import {
  bare,
  flag,
  issuer,
  key32,
  list,
  optional,
  platformUrl,
  roleRules,
  tokens,
  webUrl,
  who,
  whole,
  zone,
} from './setting-types.ts';
import { NO_SETTINGS_FILE, readSettingsFile, type SettingsFile } from './settings-file.ts';
import type { ColourEnvironment } from './style.ts';
import { isLoopback } from './url.ts';

/*
 * The only reader of the environment. Each setting is described once: .env.example and the table of
 * src/start/README.md are derived from here.
 */

export const settings = {
  PLATFORM_BASE_URL: {
    type: optional(bare(platformUrl)),
    about: 'The platform, as https://host; /v1.0/... is appended. Unset: demo mode on the embedded sandbox.',
  },
  PLATFORM_ACCOUNT_KEY: { type: optional(z.string()), about: 'Account key (DID-...).' },
  PLATFORM_ACCOUNT_SECRET: { type: optional(z.string()), about: 'Account secret.' },
  PLATFORM_TIME_ZONE: { type: zone.default('UTC'), about: 'Time zone of dates in responses that have none.' },
  PLATFORM_REQUESTS_PER_MINUTE: {
    type: whole(1, 100_000).default(120),
    about: 'Requests per minute, for everything this distributor runs.',
  },
  PLATFORM_TIMEOUT_MS: {
    type: whole(100, 600_000).default(30_000),
    about: 'Timeout of one attempt at a request, in milliseconds.',
  },
  PLATFORM_SETTLE_SECONDS: {
    type: whole(1, 86_400).default(300),
    about:
      'How long the platform may keep working on a call after its last byte was sent; at least PLATFORM_TIMEOUT_MS. Until then, an unknown outcome is not resolved as "not done".',
  },
  PLATFORM_ACCOUNT_ID: {
    type: optional(z.string().regex(/^AID-\S+$/i, 'must start with AID-')),
    about:
      'Default account of what is made or paid, for distributors with several accounts. Reads and searches cover all accounts.',
  },
  HOST: { type: z.string().default('127.0.0.1'), about: 'Address to listen on.' },
  PORT: { type: whole(0, 65_535).default(3900), about: 'Port to listen on; 0 takes a free one.' },
  PUBLIC_URL: {
    type: optional(bare(webUrl)),
    about: 'Public address of this server, for links to confirmation pages and for webhooks.',
  },
  DATA_DIR: {
    type: optional(z.string().min(1)),
    about:
      "Folder of the ledger and the sealing key. Demo data is in its subfolder demo. Unset: switchboard in the user's state directory ($XDG_STATE_HOME, ~/.local/state, %LOCALAPPDATA%).",
  },
  DATABASE_URL: {
    type: optional(
      z
        .string()
        .refine(
          (url) => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url),
          'must be postgres://user:password@host/database, with / # ? @ in the password percent-encoded (%2F %23 %3F %40)',
        ),
    ),
    about:
      'postgres://user:password@host/database (13 or later), for several processes or machines. Unset: an SQLite file in DATA_DIR.',
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
    about: 'App-level token, for Socket Mode.',
  },
  SLACK_SIGNING_SECRET: {
    type: optional(z.string().min(8, 'must have at least 8 characters')),
    about: 'Signing secret, for HTTP mode at /slack/events.',
  },
  SLACK_API_URL: {
    type: optional(bare(z.url('must be a URL, for example http://127.0.0.1:4000/api/'))),
    about: 'Base URL of another Slack Web API, for tests.',
  },
  SLACK_COMMAND_PREFIX: {
    type: optional(z.string().regex(/^[a-z0-9_-]{1,12}$/, 'must be 1 to 12 of a-z, 0-9, _ and -')),
    about: 'Prefix of the slash commands: sb makes /sb-numbers.',
  },
  SLACK_VIEWERS: { type: who.default([]), about: 'Who may look things up: U…, S…, or * for everyone.' },
  SLACK_OPERATORS: { type: who.default([]), about: 'Who may change things and ask for gated actions.' },
  SLACK_APPROVERS: { type: who.default([]), about: 'Who may confirm.' },
  SLACK_APPROVALS_CHANNEL: {
    type: optional(z.string().regex(/^[CG][A-Z0-9]+$/, 'must be a channel id, C…')),
    about: 'Channel where approvers are asked. Unset: each approver gets a direct message.',
  },
  SLACK_EVENTS_CHANNEL: {
    type: optional(z.string().regex(/^[CG][A-Z0-9]+$/, 'must be a channel id, C…')),
    about: 'Channel for orders, inbound messages and confirmations that assistants requested.',
  },
  MCP_TOOLSETS: {
    type: list.default(['core']),
    about: 'core, all, support, oncall, or groups separated by commas (numbers,subscribers).',
  },
  MCP_READ_ONLY: { type: flag.default(false), about: 'Offer only tools that change nothing.' },
  MCP_ROLE: {
    type: z.enum(['viewer', 'operator'], { error: 'must be viewer or operator' }).default('operator'),
    about: 'Role of stdio clients, and of HTTP clients if no tokens are set: viewer or operator.',
  },
  MCP_DISCOVER: {
    type: flag.default(false),
    about: 'Offer three tools (search, describe, call) instead of one per operation.',
  },
  MCP_HTTP_TOKENS: {
    type: tokens.default([]),
    about:
      "name:role:token entries, separated by commas. An approver's token also signs in on the confirmation page. Unset: loopback only.",
  },
  MCP_ALLOWED_HOSTS: { type: list.default([]), about: 'Host names accepted in addition to loopback and PUBLIC_URL.' },
  MCP_OAUTH_ISSUER: {
    type: optional(bare(issuer)),
    about: 'OAuth issuer, as https://host/path. Its access tokens are accepted at /mcp, and approvers sign in with it.',
  },
  MCP_OAUTH_AUDIENCE: {
    type: optional(z.string()),
    about: 'Audience (aud) that access tokens must have, for example https://switchboard.example.com/mcp.',
  },
  MCP_OAUTH_ROLES: {
    type: optional(roleRules),
    about:
      'claim=value:role entries, separated by commas, for example groups=support:operator. Entries of scope limit the role to what the client was granted.',
  },
  MCP_OAUTH_CLIENT_ID: {
    type: optional(z.string()),
    about: 'OAuth client id of the confirmation page. Unset: MCP_OAUTH_AUDIENCE.',
  },
  MCP_OAUTH_CLIENT_SECRET: {
    type: optional(z.string()),
    about: 'OAuth client secret of the confirmation page, if the issuer requires one.',
  },
  ...assistantSettings,
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
      'Ways in which a person may confirm: slack, page, client (an MCP client that asks its user), terminal; separated by commas. Default: slack,terminal when Slack is configured, otherwise page,client,terminal; all four in demo mode.',
  },
  CONFIRM_TWO_PERSON: {
    type: flag.default(false),
    about: 'The approver must not be the requester, on every surface.',
  },
  LEDGER_KEEP_DAYS: {
    type: whole(1, 36_500).default(365),
    about: 'Actions that ended longer ago are deleted. The audit trail stays; `switchboard audit` prints it.',
  },
  SEALING_KEY: { type: optional(key32), about: '32 bytes in base64. Unset: generated once in DATA_DIR.' },
  EVENTS_USERNAME: {
    type: optional(z.string().min(1)),
    about: 'User name that the platform must present to /events/... (Basic authentication).',
  },
  EVENTS_PASSWORD: { type: optional(z.string().min(1)), about: 'Password that goes with EVENTS_USERNAME.' },
  EVENTS_TOKEN: {
    type: optional(z.string().min(8, 'must have at least 8 characters')),
    about: 'Bearer token that the platform must present to /events/..., instead of a user name and password.',
  },
} as const;

type Settings = { [K in keyof typeof settings]: z.output<(typeof settings)[K]['type']> };

export interface Config extends Omit<Settings, 'DATA_DIR'> {
  /** Absolute. */
  DATA_DIR: string;
  /** True if no platform is configured: all calls go to the embedded sandbox. */
  demo: boolean;
  /** Slack is configured, by Socket Mode or by HTTP. */
  slack: 'http' | 'socket' | undefined;
  /** The local user, for the audit trail. */
  user: string;
  machine: string;
  /**
   * True if requests from this computer count as its user's: HOST and PUBLIC_URL are on loopback or unset, and neither
   * tokens nor OAuth are set. Each request is checked as well.
   */
  local: boolean;
  /** True if PUBLIC_URL or HOST lets others reach this server. */
  public: boolean;
  /** True if this process can open a browser that its user sees. */
  display: boolean;
  /** The settings file that was read. */
  settingsFile: string | undefined;
  unknownSettings: readonly UnknownSetting[];
}

/** A setting that stops start-up: its name and the reason. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

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
 * taken. A blank value counts as unset, so that `NAME=` in the environment does not hide the value in the file. If an
 * environment is passed in, no file is read.
 *
 * @param known names that MCP_TOOLSETS may contain; if left out, MCP_TOOLSETS is not checked
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
  const unknown = unknownSettings(env, file, Object.keys(settings));
  problems.push(...nameProblems(unknown));
  const { toolsets } = known;
  // Undefined if the value itself was not valid, which is reported already.
  const chosen: readonly string[] | undefined = config.MCP_TOOLSETS;
  if (toolsets && chosen && (chosen.length === 0 || !chosen.every((name) => toolsets.includes(name))))
    problems.push(`MCP_TOOLSETS must be among ${toolsets.join(', ')}, separated by commas`);
  const platform = ['PLATFORM_BASE_URL', 'PLATFORM_ACCOUNT_KEY', 'PLATFORM_ACCOUNT_SECRET'] as const;
  const given = platform.filter((name) => config[name] !== undefined);
  if (given.length > 0 && given.length < platform.length) {
    // A value that is not valid is reported above.
    for (const name of platform)
      if (settingOf(name) === undefined)
        problems.push(`${name} is missing; ${given[0]} is set, and all three belong together`);
  }
  if (
    config.SLACK_BOT_TOKEN !== undefined &&
    config.SLACK_APP_TOKEN === undefined &&
    config.SLACK_SIGNING_SECRET === undefined
  ) {
    problems.push('SLACK_BOT_TOKEN also needs SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)');
  }
  if (
    (config.SLACK_APP_TOKEN !== undefined || config.SLACK_SIGNING_SECRET !== undefined) &&
    config.SLACK_BOT_TOKEN === undefined
  ) {
    problems.push('SLACK_BOT_TOKEN is missing; SLACK_APP_TOKEN or SLACK_SIGNING_SECRET is set');
  }
  problems.push(...oauthProblems((name) => settingOf(name) !== undefined));
  problems.push(...assistantProblems((name) => settingOf(name) !== undefined, config.ASSISTANT_API));
  if ((config.EVENTS_USERNAME === undefined) !== (config.EVENTS_PASSWORD === undefined)) {
    problems.push('EVENTS_USERNAME and EVENTS_PASSWORD belong together; set both or neither');
  }
  const dataDir = dataDirOf(env, file, config.DATA_DIR);
  const unsafe = isAbsolute(dataDir)
    ? dataDirProblem(dataDir)
    : `DATA_DIR ${dataDir} is a relative path, and the working directory is not used: set an absolute path`;
  if (unsafe !== undefined) problems.push(unsafe);
  // A misspelt name may be why another setting is missing.
  if (problems.length > 0) throw new ConfigError([...problems, ...nameWarnings(unknown)].join('\n'));
  const slack =
    config.SLACK_BOT_TOKEN === undefined ? undefined : config.SLACK_APP_TOKEN !== undefined ? 'socket' : 'http';
  const reachable = !isLoopback(config.HOST) || !(config.PUBLIC_URL === undefined || isLoopbackUrl(config.PUBLIC_URL));
  return {
    ...config,
    DATA_DIR: dataDir,
    demo: given.length === 0,
    slack,
    user: userName(),
    machine: hostname(),
    local: !reachable && config.MCP_HTTP_TOKENS.length === 0 && config.MCP_OAUTH_ISSUER === undefined,
    public: reachable,
    display: hasDisplay(env, process.platform),
    settingsFile: file.path,
    unknownSettings: unknown,
  };
}

/**
 * Refuses misspelt names of settings that restrict something, for a command that reads no settings or not yet.
 *
 * @throws ConfigError naming each, one a line
 */
export function requireNames(): void {
  const { env } = process;
  const problems = nameProblems(unknownSettings(env, settingsFileOf(env), Object.keys(settings)));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
}

/** The problems of an incomplete set of OAuth settings. */
function oauthProblems(isGiven: (name: string) => boolean): string[] {
  const needed = ['MCP_OAUTH_ISSUER', 'MCP_OAUTH_AUDIENCE', 'MCP_OAUTH_ROLES'];
  const given = [...needed, 'MCP_OAUTH_CLIENT_ID', 'MCP_OAUTH_CLIENT_SECRET'].filter(isGiven);
  if (given.length === 0) return [];
  const [first] = given;
  return needed
    .filter((name) => !isGiven(name))
    .map((name) => `${name} is missing; ${first} is set, and ${needed.join(', ')} belong together`);
}

/** The value without surrounding space; undefined if nothing is left. */
function filled(value: string | undefined): string | undefined {
  const text = value?.trim() ?? '';
  return text === '' ? undefined : text;
}

/**
 * A DATA_DIR in the settings file is relative to that file. One in the environment must be absolute, because the
 * working directory may be a folder that another person prepared.
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
 * True if this process can open a browser that its user sees: never over SSH, never in CI, and on Linux and the BSDs
 * only if a display is set.
 */
export function hasDisplay(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  const isSet = (name: string) => (env[name] ?? '') !== '' && env[name] !== 'false' && env[name] !== '0';
  if (['CI', 'SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY'].some(isSet)) return false;
  return platform === 'darwin' || platform === 'win32' || isSet('DISPLAY') || isSet('WAYLAND_DISPLAY');
}

/** The environment variables about colours on a terminal. The settings file does not affect them. */
export function colourEnvironment(): ColourEnvironment {
  return process.env;
}

function isLoopbackUrl(url: string): boolean {
  return isLoopback(new URL(url).hostname);
}

/**
 * The reason why these settings would serve other computers without credentials, which start-up refuses; undefined if
 * they would not.
 */
export function unsafeListening(config: Config): string | undefined {
  if (isLoopback(config.HOST) || config.MCP_HTTP_TOKENS.length > 0 || config.MCP_OAUTH_ISSUER !== undefined)
    return undefined;
  return `HOST ${config.HOST} can be reached from other computers, and there are no credentials: set MCP_HTTP_TOKENS or MCP_OAUTH_ISSUER, or leave HOST at 127.0.0.1.`;
}

export { isLoopback };
