import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nock from 'nock';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { doctor } from '../../../src/start/commands/doctor.ts';
import { platformTime } from '../../platform/support.ts';

const SCOPES = 'commands,chat:write,im:write,users:read,usergroups:read';
let folder: string;
let said: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchboard-doctor-'));
  said = '';
  // A file before this one, in the same process, may have given the network back.
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
  vi.stubEnv('DATA_DIR', folder);
  vi.stubEnv('SLACK_BOT_TOKEN', 'xoxb-test');
  vi.stubEnv('SLACK_SIGNING_SECRET', 'a-signing-secret');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  nock.cleanAll();
  nock.enableNetConnect();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => nock.restore());

const slack = () => nock('https://slack.com').post('/api/auth.test');

it('signs in to Slack', async () => {
  slack().reply(200, { ok: true, team: 'Acme', user: 'switchboard' }, { 'x-oauth-scopes': SCOPES });
  expect(await doctor()).toBe(0);
  expect(said).toContain('ok   slack: signed in to Acme as switchboard');
  expect(said).not.toContain('xoxb-test');
});

it('warns of a request budget above the platform’s limit', async () => {
  for (const [budget, isWarned] of [
    ['120', false],
    ['121', true],
    ['600', true],
  ] as const) {
    said = '';
    vi.stubEnv('PLATFORM_REQUESTS_PER_MINUTE', budget);
    slack().reply(200, { ok: true, team: 'Acme', user: 'sb' }, { 'x-oauth-scopes': SCOPES });
    expect(await doctor()).toBe(0);
    expect(said.includes(`warn settings: PLATFORM_REQUESTS_PER_MINUTE is ${budget}`)).toBe(isWarned);
  }
});

it('names what looks like a misspelt setting in the environment', async () => {
  for (const name of ['PUBLIC_ULR', 'PLATFORM_TIMEZONE']) vi.stubEnv(name, 'true');
  // A near miss of a setting that is set.
  vi.stubEnv('SLACK_BOT_TOKENS', 'x');
  // Names of other programs.
  for (const name of ['HOSTS', 'POR', 'SLACK_WEBHOOK_URL', 'XDG_DATA_DIR']) vi.stubEnv(name, 'x');
  slack().reply(200, { ok: true, team: 'Acme', user: 'sb' }, { 'x-oauth-scopes': SCOPES });
  expect(await doctor()).toBe(0);
  expect(said.match(/^warn settings: .*$/gm)?.sort()).toEqual([
    'warn settings: PLATFORM_TIMEZONE is not a setting; did you mean PLATFORM_TIME_ZONE? (the environment)',
    'warn settings: PUBLIC_ULR is not a setting; did you mean PUBLIC_URL? (the environment)',
    'warn settings: SLACK_BOT_TOKENS is not a setting; did you mean SLACK_BOT_TOKEN? (the environment)',
  ]);
  expect(said).not.toContain('ok   settings');
});

it('names a misspelt restriction that stops every other command', async () => {
  for (const name of ['MCP_READONLY', 'SLACK_APROVERS']) vi.stubEnv(name, 'true');
  expect(await doctor()).toBe(1);
  expect(said.match(/^FAIL settings: .*$/gm)?.sort()).toEqual([
    'FAIL settings: MCP_READONLY in the environment is not a setting; did you mean MCP_READ_ONLY?',
    'FAIL settings: SLACK_APROVERS in the environment is not a setting; did you mean SLACK_APPROVERS?',
  ]);
});

it('says that the token is refused', async () => {
  slack().reply(200, { ok: false, error: 'invalid_auth' });
  expect(await doctor()).toBe(1);
  expect(said).toContain('FAIL slack: the bot token is refused: invalid_auth');
});

it('names the scopes that are missing, and the way out', async () => {
  slack().reply(200, { ok: true, team: 'Acme', user: 'sb' }, { 'x-oauth-scopes': 'commands,users:read' });
  expect(await doctor()).toBe(1);
  expect(said).toMatch(/scopes are missing: chat:write, im:write; reinstall the app/);
});

it('says what happens where the histories may not be read', async () => {
  slack().reply(200, { ok: true, team: 'Acme', user: 'sb' }, { 'x-oauth-scopes': `${SCOPES},channels:history` });
  expect(await doctor()).toBe(0);
  expect(said).toMatch(
    /slack history: .*may appear twice.*scopes are missing: groups:history, im:history, mpim:history/,
  );
});

it('says what happens without the scopes for files', async () => {
  slack().reply(200, { ok: true, team: 'Acme', user: 'sb' }, { 'x-oauth-scopes': SCOPES });
  expect(await doctor()).toBe(0);
  expect(said).toMatch(/slack files: an eSIM's QR code is shown as text only.*; the scope files:write is missing/);
  expect(said).toMatch(/slack files: a batch takes its list as typed lines.*; the scope files:read is missing/);
  said = '';
  slack().reply(200, { ok: true, team: 'Acme', user: 'sb' }, { 'x-oauth-scopes': `${SCOPES},files:write,files:read` });
  await doctor();
  expect(said).not.toContain('slack files');
});

it('says that Slackbot cannot call the tools without its scope, where Slack can reach them', async () => {
  const line = /slackbot: cannot call the tools; the scope mcp:connect is missing.*--url https:\/\/sb\.example\.com$/m;
  const answer = { ok: true, team: 'Acme', user: 'sb' };
  slack().reply(200, answer, { 'x-oauth-scopes': SCOPES });
  expect(await doctor()).toBe(0);
  expect(said).not.toContain('slackbot');
  vi.stubEnv('PUBLIC_URL', 'https://sb.example.com');
  slack().reply(200, answer, { 'x-oauth-scopes': SCOPES });
  await doctor();
  expect(said).toMatch(line);
  said = '';
  slack().reply(200, answer, { 'x-oauth-scopes': `${SCOPES},mcp:connect` });
  await doctor();
  expect(said).not.toContain('slackbot');
});

it('says that Slack cannot be reached', async () => {
  slack().replyWithError('connection refused');
  expect(await doctor()).toBe(1);
  expect(said).toContain('FAIL slack: cannot be reached');
});

it('names every setting that is wrong, and asks nobody', async () => {
  vi.stubEnv('PORT', 'http');
  vi.stubEnv('PLATFORM_BASE_URL', 'http://platform.example');
  expect(await doctor()).toBe(1);
  expect(said).toMatch(/FAIL settings: PORT must be a whole number/);
  expect(said).toMatch(/FAIL settings: PLATFORM_BASE_URL must be an https/);
});

it.each([
  ['in the past', 'UTC', -3_600_000, /FAIL platform token: A new access token reads as expired.*PLATFORM_TIME_ZONE/],
  ['ahead of the zone set', 'Asia/Tokyo', 3_600_000, /FAIL platform token: .*8 h ago in Asia\/Tokyo/],
])(
  'names the clock and the zone for a token whose expiry is %s, having asked once',
  async (_name, zone, ahead, line) => {
    let asked = 0;
    const platform = createServer((_req, res) => {
      asked += 1;
      res.end(
        JSON.stringify({ token: 'opaque-token', successful: true, tokenExpiry: platformTime(Date.now() + ahead) }),
      );
    });
    await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
    const { port } = platform.address() as AddressInfo;
    vi.stubEnv('PLATFORM_BASE_URL', `http://127.0.0.1:${port}`);
    vi.stubEnv('PLATFORM_ACCOUNT_KEY', 'DID-key');
    vi.stubEnv('PLATFORM_ACCOUNT_SECRET', 'an-account-secret');
    vi.stubEnv('PLATFORM_TIME_ZONE', zone);
    slack().reply(200, { ok: true, team: 'Acme', user: 'switchboard' }, { 'x-oauth-scopes': SCOPES });
    expect(await doctor()).toBe(1);
    platform.close();
    expect(said).toMatch(/ok {3}platform: .* accepts the credentials\n/);
    expect(said).toMatch(line);
    expect(said).not.toContain('opaque-token');
    expect(asked).toBe(1);
  },
);
