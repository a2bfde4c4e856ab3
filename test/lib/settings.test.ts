import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasDisplay, loadConfig, unsafeListening } from '../../src/lib/config.ts';
import { listSettings, settingSecrets, settings } from '../../src/lib/settings.ts';
import { packageFolder, readSettingsFile } from '../../src/lib/settings-file.ts';
import { ROOT } from '../support/build.ts';
import { problem } from './support.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sb-settings-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (text: string, name = 'my.env') => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('the settings file', () => {
  it('fills in what the environment leaves out, and no more', () => {
    const path = file('PORT=4001\nexport LOG_LEVEL="warn" # quiet\nMCP_ROLE=\'viewer\'\n');
    const config = loadConfig({ PORT: '4002', DATA_DIR: folder }, readSettingsFile(path));
    expect(config).toMatchObject({ PORT: 4002, LOG_LEVEL: 'warn', MCP_ROLE: 'viewer', settingsFile: path });
    expect(process.env.MCP_ROLE).toBeUndefined();
  });

  it('takes only our names from it, and tells which others stand in it', () => {
    const path = file('NODE_OPTIONS=--require ./evil.js\nPROT=1\nEVENTS_TOKN=12345678\nPATH=/evil\n');
    const before = { ...process.env };
    const config = loadConfig({ DATA_DIR: folder }, readSettingsFile(path));
    expect(process.env).toEqual(before);
    expect(Object.fromEntries(config.unknownSettings.map(({ name, nearest }) => [name, nearest]))).toEqual({
      NODE_OPTIONS: undefined,
      PROT: 'PORT',
      EVENTS_TOKN: 'EVENTS_TOKEN',
      PATH: undefined,
    });
  });

  it('is .env beside package.json where none is named, wherever the code was bundled to', () => {
    expect(packageFolder()).toBe(ROOT.replace(/\/$/, ''));
    expect(packageFolder(join(ROOT, 'dist', 'chunks', 'x.js'))).toBe(ROOT.replace(/\/$/, ''));
  });

  it('that is named must be there', () => {
    expect(() => readSettingsFile(join(folder, 'none.env'))).toThrow(/--settings .*none\.env: there is no such file/);
  });

  it('gives a relative DATA_DIR its own folder', () => {
    const path = file('DATA_DIR=state\n');
    expect(loadConfig({}, readSettingsFile(path)).DATA_DIR).toBe(join(folder, 'state'));
    expect(loadConfig({ DATA_DIR: ' ' }, readSettingsFile(path)).DATA_DIR).toBe(join(folder, 'state'));
    const typed = join(folder, 'typed');
    expect(loadConfig({ DATA_DIR: typed }, readSettingsFile(path)).DATA_DIR).toBe(typed);
  });

  it.each(['state', './state', '../state', '.'])(
    'leaves a relative DATA_DIR of the environment refused: %s',
    (typed) => {
      const said = `DATA_DIR ${typed} is a relative path, and the working directory is not used: set an absolute path`;
      expect(problem({ DATA_DIR: typed })).toBe(said);
      expect(problem({ DATA_DIR: typed }, file('DATA_DIR=state\n'))).toBe(said);
    },
  );

  it('speaks where the environment has a blank value', () => {
    const path = file('CONFIRM_TWO_PERSON=true\nCONFIRM_VIA=page\n');
    const blank = { DATA_DIR: folder, CONFIRM_TWO_PERSON: '', CONFIRM_VIA: ' ' };
    expect(loadConfig(blank, readSettingsFile(path))).toMatchObject({
      CONFIRM_TWO_PERSON: true,
      CONFIRM_VIA: ['page'],
    });
    const off = { ...blank, CONFIRM_TWO_PERSON: 'false' };
    expect(loadConfig(off, readSettingsFile(path)).CONFIRM_TWO_PERSON).toBe(false);
  });

  it.each([
    ['ops:operator:sametoken1,ops:approver:othertoken', 'MCP_HTTP_TOKENS contains the name ops twice'],
    ['a:operator:a token of words', 'MCP_HTTP_TOKENS must be name:role:token entries'],
    ['a:operator:schlüsselwort', 'MCP_HTTP_TOKENS must be name:role:token entries'],
    ['a:operator:sametoken1,b:approver:sametoken1', 'MCP_HTTP_TOKENS has the same token for a and b'],
  ])('and MCP_HTTP_TOKENS that no client can send, or that leave open who a person is: %s', (value, said) => {
    const told = problem({ DATA_DIR: folder, MCP_HTTP_TOKENS: value });
    expect(told).toContain(said);
    expect(told).not.toContain('sametoken1');
  });

  it.each(['http://sb.example.com', 'sb.example.com/mcp', 'sb.example.com:8443', 'a b', '*.example.com', 'me@host'])(
    'refuses MCP_ALLOWED_HOSTS=%s, which no Host header can match',
    (value) => {
      expect(problem({ DATA_DIR: folder, MCP_ALLOWED_HOSTS: `one.test,${value}` })).toBe(
        'MCP_ALLOWED_HOSTS must be host names without scheme, port or path, separated by commas',
      );
    },
  );

  const PLATFORM = { PLATFORM_ACCOUNT_KEY: 'DID-1', PLATFORM_ACCOUNT_SECRET: 'sekret' };
  it.each([
    [
      { ...PLATFORM, PLATFORM_BASE_URL: 'https://p.example/v1.0' },
      /^PLATFORM_BASE_URL must be https:\/\/host without a path/,
    ],
    [{ PLATFORM_SETTLE_SECONDS: '1' }, /^PLATFORM_SETTLE_SECONDS must be at least PLATFORM_TIMEOUT_MS, which is 30000/],
    [{ NO_PROXY: 'a.example,!!' }, /^NO_PROXY must be host names, addresses or networks/],
  ])('stops the start: %j', (env, said) => {
    expect(problem({ DATA_DIR: folder, ...env })).toMatch(said);
  });

  it.each([
    { ...PLATFORM, PLATFORM_BASE_URL: 'https://p.example/' },
    { PLATFORM_SETTLE_SECONDS: '600', PLATFORM_TIMEOUT_MS: '600000' },
    { PLATFORM_TIMEOUT_MS: '600000' },
    { NO_PROXY: 'localhost, *.local <local> [::1] fe80::1%eth0 10.0.0.0/8 host:8080 .example.com müller.example *' },
  ])('takes %j', (env) => {
    expect(problem({ DATA_DIR: folder, ...env })).toBe('');
  });

  it('reads MCP_ALLOWED_HOSTS as they stand in a Host header', () => {
    const { MCP_ALLOWED_HOSTS } = loadConfig({
      DATA_DIR: folder,
      MCP_ALLOWED_HOSTS: 'Sb.Example.com, [fd00::7],10.0.0.1',
    });
    expect(MCP_ALLOWED_HOSTS).toEqual(['sb.example.com', '[fd00::7]', '10.0.0.1']);
  });

  const OAUTH = {
    MCP_OAUTH_ISSUER: 'https://login.example.com/acme',
    MCP_OAUTH_AUDIENCE: 'https://sb.example.com/mcp',
    MCP_OAUTH_ROLES: 'groups=support:operator, groups=leads:approver,scope=a:b=c:viewer',
  };
  it('reads who has which role by OAuth', () => {
    const { MCP_OAUTH_ROLES, local } = loadConfig({ DATA_DIR: folder, ...OAUTH });
    expect(local).toBe(false);
    expect(MCP_OAUTH_ROLES).toEqual([
      { claim: 'groups', value: 'support', role: 'operator' },
      { claim: 'groups', value: 'leads', role: 'approver' },
      { claim: 'scope', value: 'a:b=c', role: 'viewer' },
    ]);
  });

  it.each([
    ['MCP_OAUTH_ISSUER', 'http://login.example.com', /MCP_OAUTH_ISSUER must be an https:\/\/ URL \(http:\/\/ only on/],
    ['MCP_OAUTH_ISSUER', 'http://127.0.0.1.example.com', /MCP_OAUTH_ISSUER must be an https:/],
    ['MCP_OAUTH_ISSUER', 'login.example.com', /MCP_OAUTH_ISSUER must be an https:/],
    ['MCP_OAUTH_ISSUER', 'https://login.example.com/?tenant=x', /MCP_OAUTH_ISSUER must have no query/],
    ['MCP_OAUTH_ISSUER', 'https://me:secret@login.example.com', /MCP_OAUTH_ISSUER must not contain a user name/],
    ['MCP_OAUTH_ROLES', 'groups=support', /MCP_OAUTH_ROLES must be claim=value:role entries/],
    ['MCP_OAUTH_ROLES', 'groups=support:admin', /MCP_OAUTH_ROLES must be claim=value:role entries/],
    ['MCP_OAUTH_ROLES', ',', /MCP_OAUTH_ROLES must be claim=value:role entries/],
  ])('refuses %s=%s', (name, value, reason) => {
    expect(problem({ DATA_DIR: folder, ...OAUTH, [name]: value })).toMatch(reason);
  });

  it.each(Object.keys(OAUTH))('refuses OAuth without %s', (name) => {
    const others = Object.fromEntries(Object.entries(OAUTH).filter(([other]) => other !== name));
    expect(problem({ DATA_DIR: folder, ...others })).toMatch(new RegExp(`^${name} is missing; MCP_OAUTH_\\w+ is set`));
    expect(problem({ DATA_DIR: folder, ...others, [name]: '  ' })).toContain(`${name} is missing`);
  });

  it.each([
    [{ PLATFORM_ACCOUNT_KEY: 'DID-1' }, ['PLATFORM_BASE_URL', 'PLATFORM_ACCOUNT_SECRET'], 'PLATFORM_ACCOUNT_KEY'],
    [{ SLACK_BOT_TOKEN: 'xoxb-1' }, ['SLACK_APP_TOKEN or SLACK_SIGNING_SECRET'], 'SLACK_BOT_TOKEN'],
    [{ SLACK_APP_TOKEN: 'xapp-1', SLACK_SIGNING_SECRET: '12345678' }, ['SLACK_BOT_TOKEN'], 'SLACK_APP_TOKEN'],
    [{ ASSISTANT_MODEL: 'm', ASSISTANT_KEY: 'k' }, ['ASSISTANT_URL'], 'ASSISTANT_MODEL'],
    [{ ASSISTANT_MODEL: 'm', ASSISTANT_API: 'anthropic' }, ['ASSISTANT_KEY or ASSISTANT_URL'], 'ASSISTANT_MODEL'],
    [{ ASSISTANT_KEY: 'k' }, ['ASSISTANT_MODEL'], 'ASSISTANT_KEY'],
    [{ EVENTS_USERNAME: 'ana' }, ['EVENTS_PASSWORD'], 'EVENTS_USERNAME'],
    [{ EVENTS_PASSWORD: 'secret' }, ['EVENTS_USERNAME'], 'EVENTS_PASSWORD'],
  ])('refuses %j without what it needs', (env, missing, name) => {
    const lines = problem({ DATA_DIR: folder, ...env } as Record<string, string>).split('\n');
    expect(lines.map((line) => line.replace(/(it|one of them)$/, 'it'))).toEqual(
      missing.map((other) => `${other} is missing; ${name} is set and needs it`),
    );
  });

  it('does not call a value missing that is not valid', () => {
    const said = problem({ DATA_DIR: folder, SLACK_BOT_TOKEN: 'x', SLACK_APP_TOKEN: 'xapp-1' });
    expect(said).toBe('SLACK_BOT_TOKEN must start with xoxb-');
  });

  it('refuses a client of OAuth without its issuer, and takes one on loopback by http', () => {
    expect(problem({ DATA_DIR: folder, MCP_OAUTH_CLIENT_SECRET: 'secret' })).toContain('MCP_OAUTH_ISSUER is missing');
    const local = { ...OAUTH, MCP_OAUTH_ISSUER: 'http://localhost:8080' };
    expect(loadConfig({ DATA_DIR: folder, ...local }).MCP_OAUTH_ISSUER).toBe('http://localhost:8080');
  });

  it.each(['ftp://sb.example.com', 'javascript:alert(1)', 'mailto:a@b.c', 'file:///etc', 'sb.example.com'])(
    'refuses PUBLIC_URL=%s',
    (url) => {
      expect(problem({ DATA_DIR: folder, PUBLIC_URL: url })).toBe(
        'PUBLIC_URL must be an https:// or http:// URL, for example https://switchboard.example.com',
      );
    },
  );

  it.each(['ftp://slack.test/api/', 'slack.test'])('refuses SLACK_API_URL=%s', (url) => {
    expect(problem({ DATA_DIR: folder, SLACK_API_URL: url })).toMatch(
      /^SLACK_API_URL must be an https:\/\/ or http:\/\/ URL/,
    );
  });

  it.each(['https://sb.example.com/?a=b', 'https://sb.example.com#top'])(
    'refuses a URL that paths are appended to, with a query or a fragment: %s',
    (url) => {
      const platform = { PLATFORM_BASE_URL: url, PLATFORM_ACCOUNT_KEY: 'DID-1', PLATFORM_ACCOUNT_SECRET: 'a-secret' };
      expect(problem({ DATA_DIR: folder, PUBLIC_URL: url })).toMatch(/^PUBLIC_URL must have no query and no fragment/);
      expect(problem({ DATA_DIR: folder, ...platform })).toMatch(/^PLATFORM_BASE_URL must have no query/);
    },
  );

  it.each(['https://x.example', 'localhost:5432/switchboard', 'postgres:/x'])('refuses DATABASE_URL=%s', (url) => {
    expect(problem({ DATA_DIR: folder, DATABASE_URL: url })).toContain(
      'DATABASE_URL must be postgres://user:password@host/database',
    );
  });

  it('takes a database, and does not show its password', () => {
    const url = 'postgresql://ana:s3cret-pass@db.example.com/switchboard?sslmode=require';
    const config = loadConfig({ DATA_DIR: folder, DATABASE_URL: url });
    expect(config.DATABASE_URL).toBe(url);
    expect(settingSecrets(config)).toContain('s3cret-pass');
  });
});

describe('the entries of settings', () => {
  it('need settings that exist', () => {
    const needed = listSettings().flatMap(({ needs = [] }) =>
      (typeof needs === 'function' ? needs((name) => name) : needs).flat(),
    );
    expect(Object.keys(settings.shape)).toEqual(expect.arrayContaining(needed));
  });

  it('mark as secret whatever is named so', () => {
    const named = listSettings().filter(({ name }) => /(SECRET|PASSWORD|TOKENS?|KEY)$/.test(name));
    const open = named.filter(({ secret }) => secret === undefined);
    expect(open.map(({ name }) => name)).toEqual(['PLATFORM_ACCOUNT_KEY']);
  });

  it('give each secret to the redactor by its value', () => {
    const long = 'a-long-secret-0123';
    const special: Record<string, unknown> = {
      MCP_HTTP_TOKENS: [{ name: 'ana', role: 'viewer', token: `${long}-MCP_HTTP_TOKENS` }],
      DATABASE_URL: `postgres://ana:${long}-DATABASE_URL@db.example.com/x`,
    };
    const secret = listSettings().filter((setting) => setting.secret !== undefined);
    const config = Object.fromEntries(secret.map(({ name }) => [name, special[name] ?? `${long}-${name}`]));
    const found = settingSecrets(config).join(' ');
    for (const { name } of secret) expect(found).toContain(`${long}-${name}`);
    expect(found).not.toContain('postgres:');
  });
});

describe('what is local', () => {
  const config = (env: Record<string, string>) => loadConfig({ DATA_DIR: folder, ...env });
  const TOKEN = { MCP_HTTP_TOKENS: 'a:viewer:12345678' };

  it.each([
    [{}, true, false],
    [{ HOST: 'localhost' }, true, false],
    [{ HOST: '::1' }, true, false],
    [{ PUBLIC_URL: 'http://localhost:3900' }, true, false],
    [{ PUBLIC_URL: 'http://[::1]:3900' }, true, false],
    [{ PUBLIC_URL: 'https://sb.example.com' }, false, true],
    [{ PUBLIC_URL: 'http://127.0.0.1.example.com' }, false, true],
    [{ HOST: '0.0.0.0' }, false, true],
    [{ HOST: '192.168.1.7' }, false, true],
    [TOKEN, false, false],
    [{ ...TOKEN, PUBLIC_URL: 'http://localhost' }, false, false],
  ])('%j', (env, local, others) => {
    expect(config(env as Record<string, string>)).toMatchObject({ local, public: others });
  });

  it('refuses to listen for others without credentials, in one sentence', () => {
    expect(unsafeListening(config({ HOST: '0.0.0.0' }))).toMatch(/^HOST 0\.0\.0\.0 .*set MCP_HTTP_TOKENS.*\.$/);
    expect(unsafeListening(config({ HOST: '0.0.0.0', ...TOKEN }))).toBeUndefined();
    expect(unsafeListening(config({}))).toBeUndefined();
  });

  it.each([
    [{}, 'linux', false],
    [{ DISPLAY: ':0' }, 'linux', true],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
    [{ DISPLAY: ':0', CI: 'true' }, 'linux', false],
    [{ DISPLAY: ':10', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, 'linux', false],
    [{}, 'darwin', true],
    [{ SSH_TTY: '/dev/ttys001' }, 'darwin', false],
    [{}, 'win32', true],
  ] as const)('knows a display: %j on %s', (env, platform, expected) => {
    expect(hasDisplay(env, platform)).toBe(expected);
  });
});
