import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createWorkspace, IDS, type Workspace } from '../../../src/demo/playground/workspace.ts';
import { EVENT_JOBS } from '../../../src/events/inbox.ts';
import { createSeal } from '../../../src/ledger/seal.ts';
import { dataFile, loadConfig, useSettingsFile } from '../../../src/lib/config.ts';
import { doctor } from '../../../src/start/commands/doctor.ts';
import { DATA_FILE, openInstallation } from '../../../src/start/installation.ts';
import { openRuntime, type Runtime } from '../../../src/start/runtime.ts';
import { order } from '../../events/support.ts';
import { platformTime } from '../../platform/support.ts';
import { atEnd, listen } from '../../support/ending.ts';
import { makeFolder } from '../../support/folder.ts';
import { freePort } from '../../support/free-port.ts';
import { type ScriptedModel, scriptedModel } from '../../support/models.ts';
import { type Scripted, scripted } from '../../support/scripted.ts';

/* The lines of `switchboard doctor` for installations that are broken in one place each. */

interface World {
  folder: string;
  ws: Workspace;
  model: ScriptedModel;
  platform: Scripted;
  /** Another program on this computer. */
  other: { port: number };
  /** A port on which nothing listens. */
  unused: number;
}

interface Row {
  /** Names the fault. */
  installation: string;
  env?: (world: World) => Record<string, string>;
  /** Lines of the settings file. */
  file?: string;
  mode?: number;
  arrange?: (world: World) => unknown;
  /** The lines that are not `ok`, in order. `…` stands for anything. */
  says: readonly string[];
}

const MANIFEST = 'reinstall the app from manifest.json';
const KEY = (byte: number) => Buffer.alloc(32, byte).toString('base64');

const ROWS: readonly Row[] = [
  { installation: 'nothing is broken', says: [] },
  {
    installation: 'a bot token of another app',
    env: () => ({ SLACK_BOT_TOKEN: 'xoxb-of-another-app' }),
    says: ['FAIL slack: the bot token is refused: invalid_auth; set SLACK_BOT_TOKEN to the one of the app'],
  },
  {
    installation: 'Slack fails',
    arrange: ({ ws }) => ws.fail('auth.test', { status: 500 }, 9),
    says: ['FAIL slack: fails at the moment (500), which says nothing about the token; …'],
  },
  {
    installation: 'an app without a needed scope',
    arrange: ({ ws }) => ws.setScopes([...ws.state.scopes].filter((scope) => scope !== 'im:write')),
    says: [`FAIL slack: scopes are missing: im:write; ${MANIFEST}`],
  },
  {
    installation:
      'an app without scopes that it can do without, and a channel and an approver that Slack does not know',
    env: () => ({ SLACK_EVENTS_CHANNEL: 'C0NOWHERE', SLACK_APPROVERS: 'U0NOBODY' }),
    arrange: ({ ws }) =>
      ws.setScopes([...ws.state.scopes].filter((scope) => !/^(app_mentions:read|assistant:write|files:)/.test(scope))),
    says: [
      `warn slack scopes: what needs these scopes does not work, because the app lacks them: app_mentions:read, assistant:write, files:read, files:write; ${MANIFEST}`,
      'FAIL slack events: SLACK_EVENTS_CHANNEL C0NOWHERE does not exist, or is private without the app as a member; …',
      'FAIL slack people: SLACK_APPROVERS: nobody can confirm in Slack: U0NOBODY is no user or user group of this workspace',
    ],
  },
  {
    installation: 'the name of a channel in the settings file',
    file: 'SLACK_EVENTS_CHANNEL=#events',
    says: ['FAIL settings: SLACK_EVENTS_CHANNEL must be a channel id (C…), not a name; …'],
  },
  {
    installation: 'nobody named as approver',
    env: () => ({ SLACK_APPROVERS: '' }),
    says: ['warn approvers: only the user of a terminal may confirm (slack: SLACK_APPROVERS names nobody; …); …'],
  },
  {
    installation: 'a model that answers with words when a tool is asked for',
    env: ({ model }) => ({ ASSISTANT_MODEL: 'small', ASSISTANT_URL: model.url }),
    arrange: ({ model }) => model.answers({ text: 'I am ready.' }),
    says: ['warn assistant: small answers, but called no tool when it was asked to, …'],
  },
  {
    installation: 'an endpoint that refuses tools',
    env: ({ model }) => ({ ASSISTANT_MODEL: 'small', ASSISTANT_URL: model.url }),
    arrange: ({ model }) => model.answers(({ tools }) => (tools.length > 0 ? { status: 400 } : { text: 'ready' })),
    says: ['FAIL assistant: small answers, but its endpoint refuses tools (400), …'],
  },
  {
    installation: 'an endpoint that knows neither the model nor the path',
    env: ({ model }) => ({ ASSISTANT_MODEL: 'small', ASSISTANT_URL: model.url }),
    arrange: ({ model }) => model.answers({ status: 404 }),
    says: ['FAIL assistant: small (openai-compatible): … Check ASSISTANT_URL (…), ASSISTANT_MODEL, …'],
  },
  {
    installation: 'an event that could not be shown',
    arrange: withLostEvent,
    says: [
      'FAIL events: none waiting, 1 on the dead-letter list (last: …, no such channel); see switchboard events list',
    ],
  },
  {
    installation: 'a sealing key other than the one that sealed the data',
    env: () => ({ SEALING_KEY: KEY(2) }),
    arrange: sealedWith(1),
    says: [
      'warn sealing key: the next start of the demo begins with new data: SEALING_KEY is not the one that … was sealed with. …',
    ],
  },
  {
    installation: 'a sealing key other than that of the data of a customer, about whose account it says nothing',
    env: ({ platform }) => ({ ...asCustomer(platform), SEALING_KEY: KEY(2) }),
    arrange: ({ folder, platform }) =>
      openStarted({ ...asCustomer(platform), DATA_DIR: join(folder, 'data'), SEALING_KEY: KEY(1) }),
    says: ['FAIL sealing key: SEALING_KEY is not the one that … was sealed with. …'],
  },
  {
    installation:
      'a settings file that anybody may change, with two names that are wrong, a budget above the limit, and a port that is in use',
    file: 'PUBLIC_ADDRESS=https://sb.example.com\nCONFIRM_TTL_SECONDS=60\n\nCONFIRM_TTL_SECONDS=600',
    mode: 0o666,
    env: ({ other }) => ({ PLATFORM_REQUESTS_PER_MINUTE: '121', PORT: String(other.port) }),
    says: [
      'warn settings: PUBLIC_ADDRESS is not a setting… (…)',
      'warn settings: PLATFORM_REQUESTS_PER_MINUTE is 121, …',
      'warn settings: CONFIRM_TTL_SECONDS stands on the lines 2 and 4 of …; the last one counts',
      'warn settings file: … can be changed by other users (mode 0666); chmod 600 …',
      'FAIL server: something else answers on http://127.0.0.1:…; set PORT to a free port',
    ],
  },
  {
    installation: 'a platform that refuses the credentials',
    env: ({ platform }) => asCustomer(platform),
    arrange: ({ platform }) => platform.raw('/v1.0/oauth2/tokens', '{"Message":"no"}', 401),
    says: ['FAIL platform: …'],
  },
  {
    installation: 'a misspelt restriction, which stops every command',
    env: () => ({ MCP_READONLY: 'true' }),
    says: ['FAIL settings: MCP_READONLY in the environment is not a setting; did you mean MCP_READ_ONLY?'],
  },
  {
    installation: 'an app that Slackbot cannot call through, at an address that Slack reaches',
    env: ({ unused }) => ({
      SLACK_SIGNING_SECRET: 'xoxb-of-another-app',
      PUBLIC_URL: `https://127.0.0.1:${unused}`,
    }),
    says: [
      'warn slack scopes: …mcp:connect; …--url https://127.0.0.1:…',
      'warn slack signature: SLACK_SIGNING_SECRET is not 32 hexadecimal digits; …',
      'warn server address: PUBLIC_URL https://127.0.0.1:…: it cannot be reached from this computer (…ECONNREFUSED…); …',
    ],
  },
  {
    installation: 'a public address of another program',
    env: ({ other }) => ({ PUBLIC_URL: `http://127.0.0.1:${other.port}` }),
    says: ['warn server address: PUBLIC_URL http://127.0.0.1:…: something other than Switchboard answers; …'],
  },
  {
    installation: 'addresses of web pages in place of the platform and the model',
    env: ({ platform, other }) => ({
      ...asCustomer(platform),
      ASSISTANT_MODEL: 'small',
      ASSISTANT_URL: `http://127.0.0.1:${other.port}/v1`,
    }),
    arrange: ({ platform }) => platform.raw('/v1.0/oauth2/tokens', '<!doctype html><p>Welcome</p>'),
    says: [
      'FAIL platform: The answer is a web page, not one of the platform’s API. Check that PLATFORM_BASE_URL is the address of the API.',
      "FAIL assistant: small (openai-compatible): The model's endpoint answered with a web page. Check ASSISTANT_URL …",
    ],
  },
  {
    installation: 'a token that reads as expired, for which it asks once',
    env: ({ platform }) => ({ ...asCustomer(platform), PLATFORM_TIME_ZONE: 'Asia/Tokyo' }),
    arrange: ({ platform }) => {
      const tokenExpiry = platformTime(Date.now() + 3_600_000);
      platform.raw('/v1.0/oauth2/tokens', JSON.stringify({ token: 'opaque-token', successful: true, tokenExpiry }));
    },
    says: ['warn platform token: …8 h ago in Asia/Tokyo…PLATFORM_TIME_ZONE…'],
  },
  {
    installation: 'a time zone that is not the one of tokenExpiry',
    env: ({ platform }) => ({ ...asCustomer(platform), PLATFORM_TIME_ZONE: 'America/Phoenix' }),
    arrange: ({ platform }) => {
      const end = Date.now() + 3_600_000;
      const token = `e30.${Buffer.from(JSON.stringify({ exp: Math.floor(end / 1000) })).toString('base64url')}.x`;
      platform.raw('/v1.0/oauth2/tokens', JSON.stringify({ token, successful: true, tokenExpiry: platformTime(end) }));
    },
    says: [
      'warn platform token: …in America/Phoenix is 7 h after the end that the token itself names. Check PLATFORM_TIME_ZONE.',
    ],
  },
  {
    installation: 'a database that does not let anybody in',
    env: ({ unused }) => ({
      DATABASE_URL: `postgres://switchboard:pass-word@127.0.0.1:${unused}/switchboard`,
      SEALING_KEY: KEY(1),
    }),
    says: ['FAIL database: the database of DATABASE_URL cannot be used (…ECONNREFUSED…)'],
  },
  {
    installation: 'a database that another program has locked',
    arrange: ({ folder }) => locked(join(folder, 'data')),
    says: ['FAIL database: cannot be used (database is locked)'],
  },
];

/** The settings of a customer of this platform. */
function asCustomer(platform: Scripted) {
  return {
    PLATFORM_BASE_URL: platform.url,
    PLATFORM_ACCOUNT_KEY: 'DID-key',
    PLATFORM_ACCOUNT_SECRET: 'a-wrong-secret',
  };
}

/** Opens the runtime of a process with these settings, until the end of the test. */
async function openStarted(settings: Record<string, string>): Promise<Runtime> {
  const runtime = await openRuntime(loadConfig(settings), {});
  atEnd(() => runtime.close());
  return runtime;
}

/** Makes the data of an installation, and holds the lock of its file. */
async function locked(data: string): Promise<void> {
  const config = loadConfig({ DATA_DIR: data });
  mkdirSync(join(data, 'demo'), { recursive: true, mode: 0o700 });
  const store = await openInstallation(config);
  await store.database('ledger').ready();
  await store.close();
  const held = new Libsql(dataFile(config, DATA_FILE));
  held.exec('BEGIN IMMEDIATE');
  atEnd(() => held.close());
}

/** Makes data that were sealed with a key of this byte. */
function sealedWith(byte: number) {
  return async ({ folder }: World): Promise<void> => {
    const config = loadConfig({ DATA_DIR: join(folder, 'data') });
    mkdirSync(join(folder, 'data', 'demo'), { recursive: true, mode: 0o700 });
    const store = await openInstallation(config);
    const digest = createSeal(Buffer.alloc(32, byte)).digest('installation');
    await store.database('ledger').run('UPDATE installation SET key_digest = ?', digest);
    await store.close();
  };
}

/** Makes data with an event that was given up. */
async function withLostEvent({ folder }: World): Promise<void> {
  const runtime = await openStarted({ DATA_DIR: join(folder, 'data') });
  const inbox = runtime.inbox();
  await inbox.receive(order('Submitted'));
  for (const job of await inbox.jobs.claim({ [EVENT_JOBS[0]]: 1 })) await inbox.jobs.bury(job, 'no such channel');
}

const platform = await scripted();
const other = createServer(
  (_request, response) => void response.writeHead(403, { 'content-type': 'text/html' }).end('<html>Hello</html>'),
);
const port = Number(new URL(await listen(other)).port);

describe('switchboard doctor on installations that are broken in one place', () => {
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    useSettingsFile(undefined);
  });

  async function lines({ env, file = '', mode = 0o600, arrange }: Row): Promise<{ code: number; lines: string[] }> {
    const folder = makeFolder();
    const ws = createWorkspace();
    await ws.listen();
    const model = await scriptedModel('openai-compatible');
    atEnd(() => ws.close());
    const world: World = { folder, ws, model, platform, other: { port }, unused: await freePort() };
    await arrange?.(world);
    const path = join(folder, 'settings.env');
    writeFileSync(path, `${file}\n`);
    chmodSync(path, mode);
    useSettingsFile(path);
    const settings = {
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      SLACK_BOT_TOKEN: ws.botToken,
      SLACK_APP_TOKEN: ws.appToken,
      SLACK_API_URL: ws.apiUrl,
      SLACK_OPERATORS: IDS.S_OPERATORS,
      SLACK_APPROVERS: IDS.S_APPROVERS,
      ...env?.(world),
    };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    let said = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
    const code = await doctor();
    vi.restoreAllMocks();
    return { code, lines: said.trim().split('\n') };
  }

  it.each(ROWS)('says: $installation', async (row) => {
    const { code, lines: all } = await lines(row);
    const found = all.filter((line) => !line.startsWith('ok '));
    expect(found).toEqual(row.says.map((pattern) => expect.stringMatching(asPattern(pattern))));
    expect(code).toBe(found.some((line) => line.startsWith('FAIL')) ? 1 : 0);
    // A secret is never printed.
    expect(all.join('\n')).not.toMatch(/xoxb-|xapp-|a-wrong-secret|opaque-token/);
  });

  it('counts its requests in the budget of all processes, and says the end of its token as a terminal has times', async () => {
    const tokenExpiry = platformTime(Date.now() + 3_600_000);
    platform.raw('/v1.0/oauth2/tokens', JSON.stringify({ token: 'opaque-token', successful: true, tokenExpiry }));
    let running: Runtime | undefined;
    const { lines: all } = await lines({
      installation: 'one that runs',
      env: () => asCustomer(platform),
      arrange: async ({ folder }) => {
        running = await openStarted({ ...asCustomer(platform), DATA_DIR: join(folder, 'data') });
      },
      says: [],
    });
    expect(await running?.client.budget()).toMatchObject({ used: 1 });
    expect(all.join('\n')).toMatch(/^ok .* the token lasts until \d{4}-\d\d-\d\d \d\d:\d\d \S+$/m);
  });

  it.each([
    [{ CONFIRM_VIA: 'slack,terminal' }, 'confirm by slack; the user of a terminal confirms what they asked for there'],
    [{ CONFIRM_VIA: 'slack,terminal', CONFIRM_TWO_PERSON: 'true' }, 'confirm by slack'],
  ])('names every way by which people confirm what needs an approver: %j', async (env, says) => {
    const { lines: all } = await lines({ installation: '', env: () => env, says: [] });
    expect(all).toContain(`ok   approvers: ${says}`);
  });
});

/** `…` stands for anything. */
function asPattern(line: string): RegExp {
  const parts = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
