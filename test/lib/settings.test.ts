import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasDisplay, loadConfig, packageFolder, readSettingsFile } from '../../src/lib/config.ts';
import { listSettings, settingSecrets } from '../../src/lib/settings.ts';
import { ROOT } from '../support/build.ts';
import { makeFolder } from '../support/folder.ts';
import { problem } from './support.ts';

const folder = makeFolder();

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

  it('reads lists and rules', () => {
    const config = loadConfig({
      DATA_DIR: folder,
      ...OAUTH,
      MCP_ALLOWED_HOSTS: 'Sb.Example.com, [fd00::7],10.0.0.1',
      NO_PROXY: 'localhost, *.local <local> [::1] fe80::1%eth0 10.0.0.0/8 host:8080 müller.example *',
    });
    expect(config.MCP_ALLOWED_HOSTS).toEqual(['sb.example.com', '[fd00::7]', '10.0.0.1']);
    expect(config.MCP_OAUTH_ROLES).toEqual([
      { claim: 'groups', value: 'support', role: 'operator' },
      { claim: 'scope', value: 'a:b=c', role: 'viewer' },
    ]);
    expect(config.local).toBe(false);
  });
});

const PLATFORM = { PLATFORM_BASE_URL: 'https://p.example', PLATFORM_ACCOUNT_KEY: 'k', PLATFORM_ACCOUNT_SECRET: 's' };
const OAUTH = {
  MCP_OAUTH_ISSUER: 'http://localhost:8080',
  MCP_OAUTH_AUDIENCE: 'https://sb.example.com/mcp',
  MCP_OAUTH_ROLES: 'groups=support:operator,scope=a:b=c:viewer',
};
const NEEDS = (name: string, by: string) => `${name} is missing; ${by} is set and needs `;

describe('a start', () => {
  it.each<[Record<string, string>, string]>([
    [{ MCP_HTTP_TOKENS: 'ops:operator:sametoken1,ops:approver:othertoken' }, 'contains a name twice'],
    [{ MCP_HTTP_TOKENS: 'a:operator:sametoken1,b:approver:sametoken1' }, 'contains a token twice'],
    [{ MCP_HTTP_TOKENS: 'a:operator:a token of words' }, 'MCP_HTTP_TOKENS must be name:role:token entries'],
    [{ MCP_HTTP_TOKENS: 'a:operator:schlüsselwort' }, 'MCP_HTTP_TOKENS must be name:role:token entries'],
    ...['http://sb.example.com', 'sb.example.com:8443', 'a b', '*.example.com', 'me@host'].map(
      (host): [Record<string, string>, string] => [
        { MCP_ALLOWED_HOSTS: `one.test,${host}` },
        'MCP_ALLOWED_HOSTS must be host names without scheme, port or path, separated by commas',
      ],
    ),
    [{ ...PLATFORM, PLATFORM_BASE_URL: 'https://p.example/v1.0' }, 'must be https://host without a path'],
    [{ ...PLATFORM, PLATFORM_BASE_URL: 'https://p.example?a=b' }, 'must have no query and no fragment'],
    [{ ...PLATFORM, PLATFORM_BASE_URL: 'http://p.example' }, 'must be an https:// URL (http:// only on loopback)'],
    [{ ...PLATFORM, PLATFORM_BASE_URL: 'https://a:b@p.example' }, 'must not contain a user name or password'],
    [{ NO_PROXY: 'a.example,!!' }, 'NO_PROXY must be host names, addresses or networks'],
    [{ ...OAUTH, MCP_OAUTH_ISSUER: 'http://127.0.0.1.example.com' }, 'MCP_OAUTH_ISSUER must be an https:'],
    [{ ...OAUTH, MCP_OAUTH_ISSUER: 'https://login.example.com/?tenant=x' }, 'MCP_OAUTH_ISSUER must have no query'],
    [{ ...OAUTH, MCP_OAUTH_ROLES: 'groups=support' }, 'MCP_OAUTH_ROLES must be claim=value:role entries'],
    [{ ...OAUTH, MCP_OAUTH_ROLES: 'groups=support:admin' }, 'MCP_OAUTH_ROLES must be claim=value:role entries'],
    [{ ...OAUTH, MCP_OAUTH_AUDIENCE: ' ' }, NEEDS('MCP_OAUTH_AUDIENCE', 'MCP_OAUTH_ISSUER')],
    [{ MCP_OAUTH_CLIENT_SECRET: 'secret' }, NEEDS('MCP_OAUTH_ISSUER', 'MCP_OAUTH_CLIENT_SECRET')],
    [{ PLATFORM_ACCOUNT_KEY: 'k' }, NEEDS('PLATFORM_BASE_URL', 'PLATFORM_ACCOUNT_KEY')],
    [{ SLACK_BOT_TOKEN: 'xoxb-1' }, NEEDS('SLACK_APP_TOKEN or SLACK_SIGNING_SECRET', 'SLACK_BOT_TOKEN')],
    [{ SLACK_APP_TOKEN: 'xapp-1' }, NEEDS('SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN')],
    [{ ASSISTANT_MODEL: 'm', ASSISTANT_KEY: 'k' }, NEEDS('ASSISTANT_URL', 'ASSISTANT_MODEL')],
    [{ ASSISTANT_MODEL: 'm', ASSISTANT_API: 'anthropic' }, NEEDS('ASSISTANT_KEY or ASSISTANT_URL', 'ASSISTANT_MODEL')],
    [{ EVENTS_USERNAME: 'ana' }, NEEDS('EVENTS_PASSWORD', 'EVENTS_USERNAME')],
    [{ PUBLIC_URL: 'javascript:alert(1)' }, 'PUBLIC_URL must be an https:// or http:// URL'],
    [{ PUBLIC_URL: 'https://sb.example.com#top' }, 'PUBLIC_URL must have no query and no fragment'],
    [{ PUBLIC_URL: 'https://sb.example.com/sb' }, 'PUBLIC_URL must be https://host without a path'],
    [{ SLACK_API_URL: 'ftp://slack.test/api/' }, 'SLACK_API_URL must be an https:// or http:// URL'],
    [{ DATABASE_URL: 'localhost:5432/switchboard' }, 'must be postgres://user:password@host/database'],
    [{ DATABASE_URL: 'postgres://ana@db.example.com/x?sslmode=prefer' }, 'must have sslmode disable, require'],
    [{ DATABASE_URL: 'postgres://ana@db.example.com/x?sslmode=verify-ca' }, 'verify-ca with sslrootcert'],
  ])('is refused: %j', (env, reason) => {
    const said = problem({ DATA_DIR: folder, ...env });
    expect(said).toContain(reason);
    expect(said).not.toContain('sametoken1');
  });

  it.each<Record<string, string>>([
    { ...PLATFORM, PLATFORM_BASE_URL: 'https://p.example/' },
    { PLATFORM_SETTLE_SECONDS: '600', PLATFORM_TIMEOUT_MS: '600000' },
    { PLATFORM_TIMEOUT_MS: '600000' },
    { DATABASE_URL: 'postgresql://ana:s3cret-pass@db.example.com/switchboard?sslmode=require' },
  ])('goes on: %j', (env) => {
    expect(problem({ DATA_DIR: folder, ...env })).toBe('');
  });
});

describe('the entries of settings', () => {
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
    [TOKEN, false, false],
  ])('%j', (env, local, others) => {
    expect(config(env as Record<string, string>)).toMatchObject({ local, public: others });
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
