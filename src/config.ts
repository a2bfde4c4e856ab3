import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import * as z from 'zod';

// Compiling parsers costs more than it saves in a process that starts often and checks small inputs.
z.config({ jitless: true });

import { groups, presets } from '../tools/groups.ts';
import type { Role } from './actor.ts';

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
const tokens = list.transform((entries, context) =>
  entries.map((entry) => {
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
  }),
);
const TOOLSETS = ['core', 'all', ...Object.keys(presets), ...Object.keys(groups)];
const toolsets = list.refine((names) => names.length > 0 && names.every((name) => TOOLSETS.includes(name)), {
  message: `must be among ${TOOLSETS.join(', ')}, separated by commas`,
});
const optional = <T extends z.ZodType>(type: T) => type.optional();

export const settings = {
  PLATFORM_BASE_URL: {
    type: optional(platformUrl),
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
    type: optional(z.url('must be a URL, for example https://switchboard.example.com')),
    about: 'How others reach this server: links to confirmation pages, webhooks.',
  },
  DATA_DIR: { type: z.string().min(1).default('./data'), about: 'Where the ledger and the sealing key live.' },
  REDIS_URL: {
    type: optional(z.string()),
    about: 'Shared state for several machines. Not built yet: start-up refuses it.',
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
  SLACK_API_URL: { type: optional(z.url()), about: 'Another Slack Web API base, for tests.' },
  SLACK_COMMAND_PREFIX: {
    type: optional(z.string().regex(/^[a-z0-9_-]{1,12}$/, 'must be 1 to 12 of a-z, 0-9, _ and -')),
    about: 'sb makes /sb-numbers.',
  },
  SLACK_VIEWERS: { type: who.default([]), about: 'Who may look things up: U…, S…, or * for everyone.' },
  SLACK_OPERATORS: { type: who.default([]), about: 'Who may change things and ask for gated actions.' },
  SLACK_APPROVERS: { type: who.default([]), about: 'Who may confirm.' },
  SLACK_TWO_PERSON: { type: flag.default(false), about: 'The approver must not be the requester.' },
  SLACK_EVENTS_CHANNEL: {
    type: optional(z.string().regex(/^[CG][A-Z0-9]+$/, 'must be a channel id, C…')),
    about: "Where orders, inbound messages and assistants' confirmations appear.",
  },
  MCP_TOOLSETS: {
    type: toolsets.default(['core']),
    about: 'core, all, support, oncall, or groups separated by commas (numbers,subscribers).',
  },
  MCP_READ_ONLY: { type: flag.default(false), about: 'Only tools that change nothing.' },
  MCP_ROLE: {
    type: z.enum(['viewer', 'operator'], { error: 'must be viewer or operator' }).default('operator'),
    about: 'viewer or operator: of stdio, and of HTTP without tokens.',
  },
  MCP_DISCOVER: { type: flag.default(false), about: 'search/describe/call instead of one tool per operation.' },
  MCP_HTTP_TOKENS: { type: tokens.default([]), about: 'name:role:token, separated by commas. Without: loopback only.' },
  MCP_ALLOWED_HOSTS: { type: list.default([]), about: 'Host names accepted beside loopback and PUBLIC_URL.' },
  MCP_OAUTH_ISSUER: {
    type: optional(z.url()),
    about: 'OAuth authorization server. Not built yet: start-up refuses it.',
  },
  MCP_OAUTH_AUDIENCE: {
    type: optional(z.string()),
    about: 'Audience of OAuth tokens. Not built yet: start-up refuses it.',
  },
  CONFIRM_TTL_SECONDS: { type: whole(10, 86_400).default(300), about: 'How long a confirmation waits for a person.' },
  CONFIRM_VIA: {
    type: optional(
      list.refine((ways) => ways.length > 0 && ways.every((way) => way === 'slack' || way === 'page'), {
        message: 'must be slack, page, or slack,page',
      }),
    ),
    about: 'slack when Slack is configured, otherwise page; or slack,page.',
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

export interface Config extends Settings {
  /** No platform is configured: everything runs on the embedded sandbox. */
  demo: boolean;
  /** Slack is configured, by Socket Mode or by HTTP. */
  slack: 'http' | 'socket' | undefined;
  /** The local user, for the audit trail. */
  user: string;
  machine: string;
}

/** A setting that stops start-up: its name and the reason. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Settings that are named in contract.md and not built: refused rather than ignored. */
const UNBUILT = ['REDIS_URL', 'MCP_OAUTH_ISSUER', 'MCP_OAUTH_AUDIENCE'] as const;

/** Reads and checks all settings; `.env` of the working folder fills what the environment leaves out. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  if (env === process.env && existsSync('.env')) process.loadEnvFile('.env');
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { type }] of Object.entries(settings)) {
    const raw = env[name];
    const parsed = type.safeParse(raw === undefined || raw.trim() === '' ? undefined : raw.trim());
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${name} ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
  }
  const config = values as Settings;
  for (const name of UNBUILT) if (config[name] !== undefined) problems.push(`${name} is not supported yet; unset it`);
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
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const slack =
    config.SLACK_BOT_TOKEN === undefined ? undefined : config.SLACK_APP_TOKEN !== undefined ? 'socket' : 'http';
  return { ...config, demo: given.length === 0, slack, user: userInfo().username, machine: hostname() };
}

export { isLoopback };
