import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sealingKey } from '../../src/gate/ledger/seal.ts';
import { ConfigError, hasDisplay, loadConfig, unsafeListening } from '../../src/lib/config.ts';
import { defaultDataDir, openDataDir } from '../../src/lib/data-dir.ts';
import { settingSecrets } from '../../src/lib/setting-secrets.ts';
import { packageFolder, readSettingsFile } from '../../src/lib/settings-file.ts';
import { approverLines } from '../../src/start/approver-text.ts';
import { openRuntime } from '../../src/start/runtime.ts';
import { ROOT } from '../support/build.ts';
import { makeFolder, onSandbox, runCli, startCli } from '../support/process.ts';
import { seeded } from '../support/world.ts';

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
const problem = (env: Record<string, string>, settings?: string): string => {
  try {
    loadConfig(env, settings === undefined ? undefined : readSettingsFile(settings));
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
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

  it('does not leave out a protection under its former name without a word', () => {
    const said = 'SLACK_TWO_PERSON is now CONFIRM_TWO_PERSON; rename it';
    expect(problem({ DATA_DIR: folder, SLACK_TWO_PERSON: 'true' })).toBe(said);
    expect(problem({ DATA_DIR: folder }, file('SLACK_TWO_PERSON=true\n'))).toBe(said);
    expect(problem({ DATA_DIR: folder, SLACK_TWO_PERSON: '' }, file('SLACK_TWO_PERSON=true\n'))).toBe(said);
  });

  it.each([
    ['CONFIRM_TWO_PERSONS', 'CONFIRM_TWO_PERSON'],
    ['CONFRIM_VIA', 'CONFIRM_VIA'],
    ['MCP_READONLY', 'MCP_READ_ONLY'],
    ['MCP_HTTP_TOKEN', 'MCP_HTTP_TOKENS'],
    ['SLACK_APROVERS', 'SLACK_APPROVERS'],
    ['SLACK_OPERATOR', 'SLACK_OPERATORS'],
    ['confirm_two_person', 'CONFIRM_TWO_PERSON'],
  ])('stops start-up where %s was meant to protect something', (name, meant) => {
    expect(problem({ DATA_DIR: folder }, file(`${name}=true\n`))).toBe(
      `${name} in the settings file is not a setting; did you mean ${meant}?`,
    );
  });

  it.each([
    ['call', ['call', 'numbers_lookup', seeded(1)]],
    ['mcp', ['mcp']],
  ])('has its misspelt names told on stderr by %s', async (_command, args) => {
    const own = makeFolder();
    const path = file('PROT=1\nNODE_OPTIONS=x\n');
    const { code, out, err } = await runCli([...args, '--settings', path], own.path, { LOG_LEVEL: 'info' });
    own.remove();
    expect({ code, out }).toMatchObject({ code: 0, out: expect.not.stringContaining('PROT') });
    expect(err).toContain(`PROT in ${path} is not a setting and is ignored; did you mean PORT?\n`);
    expect(err).not.toContain('NODE_OPTIONS');
  });

  it('has its misspelt names told on stderr by start', async () => {
    const own = makeFolder();
    const running = startCli(['start', '--settings', file('LOG_LEVL=warn\n')], own.path, { PORT: '0' });
    await running.said(/listens on/);
    expect(running.err()).toMatch(/^LOG_LEVL in .* is not a setting and is ignored; did you mean LOG_LEVEL\?$/m);
    await running.stop();
    own.remove();
  });

  it.each([
    ['ops:operator:sametoken1,ops:approver:othertoken', 'MCP_HTTP_TOKENS contains the name ops twice'],
    ['a:operator:sametoken1,b:approver:sametoken1', 'MCP_HTTP_TOKENS has the same token for a and b'],
  ])('and MCP_HTTP_TOKENS that leave open who somebody is: %s', (value, said) => {
    const told = problem({ DATA_DIR: folder, MCP_HTTP_TOKENS: value });
    expect(told).toContain(said);
    expect(told).not.toContain('sametoken1');
  });

  it('names the toolsets there are where MCP_TOOLSETS names another', async () => {
    const own = makeFolder();
    const { code, err } = await runCli(['mcp'], own.path, { MCP_TOOLSETS: 'core,nothing' });
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MCP_TOOLSETS must be among core, all, .*numbers.*, separated by commas$/m),
    });
    expect((await runCli(['mcp'], own.path, { MCP_TOOLSETS: ',' })).code).toBe(2);
    own.remove();
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

  it('refuses a client of OAuth without its issuer, and takes one on loopback by http', () => {
    expect(problem({ DATA_DIR: folder, MCP_OAUTH_CLIENT_SECRET: 'secret' })).toContain('MCP_OAUTH_ISSUER is missing');
    const local = { ...OAUTH, MCP_OAUTH_ISSUER: 'http://localhost:8080' };
    expect(loadConfig({ DATA_DIR: folder, ...local }).MCP_OAUTH_ISSUER).toBe('http://localhost:8080');
  });

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

describe('the data folder', () => {
  const home = { home: '/home/ana', stateHome: undefined, localAppData: undefined };
  it.each([
    [{ ...home, platform: 'linux' }, '/home/ana/.local/state/switchboard'],
    [{ ...home, platform: 'darwin' }, '/home/ana/.local/state/switchboard'],
    [{ ...home, platform: 'linux', stateHome: '/var/ana' }, '/var/ana/switchboard'],
    [{ ...home, platform: 'linux', stateHome: 'relative' }, '/home/ana/.local/state/switchboard'],
  ] as const)('is by default in %j', (where, expected) => {
    expect(defaultDataDir(where)).toBe(expected);
  });

  it('is made for its user alone, with every file in it, under a permissive umask', async () => {
    const before = process.umask(0);
    try {
      const config = loadConfig({ DATA_DIR: join(folder, 'deep', 'data'), LOG_LEVEL: 'silent' });
      const runtime = await openRuntime(config, { pageUrl: () => undefined, host: true });
      await runtime.inbox().counts();
      await runtime.watches().list();
      const open = modes(config.DATA_DIR).filter(([, mode]) => (mode & 0o077) !== 0);
      const names = modes(config.DATA_DIR).map(([name]) => name);
      await runtime.close();
      expect(open).toEqual([]);
      for (const name of [
        'sealing.key',
        'demo/ledger.db',
        'demo/ledger.db-wal',
        'demo/ledger.db-shm',
        'demo/events.db',
      ])
        expect(names).toContain(name);
    } finally {
      process.umask(before);
    }
  });

  it('takes our own files in an existing folder from everybody else, and leaves others as they are', async () => {
    const data = join(folder, 'data');
    mkdirSync(data);
    const ours = ['ledger.db', 'events.db-wal', 'events.db-shm', 'pairing.db'].map((name) => join(data, name));
    for (const path of [...ours, join(data, 'notes.txt')]) {
      writeFileSync(path, '');
      chmodSync(path, 0o644);
    }
    chmodSync(data, 0o755);
    openDataDir(data);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    for (const path of ours) expect([path, statSync(path).mode & 0o777]).toEqual([path, 0o600]);
    expect(statSync(join(data, 'notes.txt')).mode & 0o777).toBe(0o644);
  });

  it.each([0o770, 0o707, 0o777, 0o1777])('is refused where others may write to it: %o', (mode) => {
    const data = join(folder, 'data');
    mkdirSync(data);
    chmodSync(data, mode);
    expect(problem({ DATA_DIR: data })).toMatch(/^DATA_DIR \S+ can be written to by other users, .*chmod 700/);
    expect(() => openDataDir(data)).toThrow('can be written to by other users');
  });

  it('is refused where it is somebody else’s, or no folder', ({ skip }) => {
    const data = join(folder, 'data');
    writeFileSync(data, '');
    expect(problem({ DATA_DIR: data })).toContain('is not a folder');
    rmSync(data);
    mkdirSync(data, { mode: 0o700 });
    if (process.getuid?.() !== 0) return skip('giving a folder away needs root');
    chownSync(data, 65534, 65534);
    expect(problem({ DATA_DIR: data })).toContain('belongs to another user');
    return undefined;
  });

  it('holds a sealing key that nobody else can have', ({ skip }) => {
    const key = join(folder, 'sealing.key');
    const made = sealingKey(folder, undefined);
    expect(made).toHaveLength(32);
    chmodSync(key, 0o644);
    expect(sealingKey(folder, undefined)).toEqual(made);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    writeFileSync(key, 'short');
    expect(() => sealingKey(folder, undefined)).toThrow('does not hold 32 bytes');
    rmSync(key);
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, Buffer.alloc(32).toString('base64'));
    symlinkSync(elsewhere, key);
    expect(() => sealingKey(folder, undefined)).toThrow('is not a file of this user');
    if (process.getuid?.() !== 0) return skip('giving a file away needs root');
    rmSync(key);
    writeFileSync(key, Buffer.alloc(32).toString('base64'), { mode: 0o600 });
    chownSync(key, 65534, 65534);
    expect(() => sealingKey(folder, undefined)).toThrow('is not a file of this user');
    return undefined;
  });
});

describe('as processes', () => {
  const place = makeFolder();

  it('a folder that somebody prepared does nothing to a command that runs in it', async () => {
    // What an attacker ships in a repository: settings, a data folder with a key, and a ledger that claims decisions.
    const trap = join(place.path, 'trap');
    const data = join(trap, 'data');
    mkdirSync(data, { recursive: true, mode: 0o700 });
    writeFileSync(
      join(trap, '.env'),
      'PLATFORM_BASE_URL=https://evil.invalid\nPLATFORM_ACCOUNT_KEY=x\nPLATFORM_ACCOUNT_SECRET=x\nDATA_DIR=./data\nHOST=0.0.0.0\nPORT=nonsense\n',
    );
    writeFileSync(join(data, 'sealing.key'), Buffer.alloc(32, 7).toString('base64'));
    writeFileSync(join(data, 'server.json'), '{"url":"http://127.0.0.1:9","pid":1}');
    const before = readdirSync(data);
    // No DATA_DIR in the environment: the user's own state directory is used.
    const env = { XDG_STATE_HOME: join(place.path, 'state'), DATA_DIR: undefined, LOG_LEVEL: '' };
    const ran = await runCli(['call', 'numbers_get', 'PhoneNumber=+12015550101'], trap, env);
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(ran.out)).toMatchObject({ Number: '+12015550101' });
    expect(readdirSync(data)).toEqual(before);
    expect(existsSync(join(place.path, 'state', 'switchboard', 'demo', 'ledger.db'))).toBe(true);
    place.remove();
  });

  it.each([
    [['start', '--prot'], /--prot is not an option\. .*--settings, --help/],
    [['mcp', '--setting', 'x'], /--setting is not an option\. Did you mean --settings\?/],
    [['sandbox', '--prot', '1'], /Did you mean --port\?/],
    [['call', 'numbers_get', '--jsn', '{}'], /Did you mean --json\?/],
    [['key', '--opne'], /Did you mean --open\?/],
    [['manifest', '--wirte'], /Did you mean --write\?/],
    [['webhooks', 'sync', '--ulr', 'x'], /Did you mean --url\?/],
    [['doctor', '--hlep'], /Did you mean --help\?/],
    [['start', 'now'], /now/],
    [['start', '--settings'], /--settings needs a file/],
    [['doctor', '--settings', '/nonexistent/x.env'], /there is no such file/],
    [['keys'], /Did you mean key\?/],
  ])('%j ends with 2 and the nearest', async (args, said) => {
    const own = makeFolder();
    const ran = await runCli(args, own.path, {});
    own.remove();
    expect({ code: ran.code, out: ran.out.startsWith('FAIL') ? '' : ran.out }).toEqual({
      code: args[0] === 'doctor' && args[1] === '--settings' ? 1 : 2,
      out: '',
    });
    expect(ran.err + ran.out).toMatch(said);
  });

  it.each(['start', 'mcp', 'sandbox', 'call', 'key', 'manifest', 'webhooks', 'doctor'])(
    '%s --help helps',
    async (name) => {
      const own = makeFolder();
      const ran = await runCli([name, '--help'], own.path, {});
      own.remove();
      expect(ran).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`switchboard ${name}`) });
    },
  );

  it('does not start for others without credentials', async () => {
    const own = makeFolder();
    const ran = await runCli(['start'], own.path, { HOST: '0.0.0.0', PORT: '0' });
    own.remove();
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/^HOST 0\.0\.0\.0 can be reached .*MCP_HTTP_TOKENS[^\n]*\n$/);
  });

  it('names the command for a key where nobody reads a terminal, and prints one where it is asked for', async () => {
    const own = makeFolder();
    const running = startCli(['start'], own.path, { PORT: '0' });
    try {
      const [, url = ''] = await running.said(/listens on (\S+)/);
      await running.said(/Confirmations/);
      expect(running.err()).toContain('switchboard key');
      expect(running.err()).not.toContain('?key=');
      const key = await runCli(['key'], own.path, {});
      expect(key.code).toBe(0);
      expect(key.out).toMatch(new RegExp(`^${url}/confirm\\?key=[\\w-]{43}\n$`));
      const tokens = await runCli(['key'], own.path, { MCP_HTTP_TOKENS: 'a:approver:12345678' });
      expect(tokens).toMatchObject({ code: 2, out: '', err: expect.stringContaining('MCP_HTTP_TOKENS is set') });
      const outside = await runCli(['key'], own.path, { PUBLIC_URL: 'https://sb.example.com' });
      expect(outside).toMatchObject({ code: 2, out: '', err: expect.stringContaining('https://sb.example.com') });
      // Without a display --open prints the link.
      const open = await runCli(['key', '--open'], own.path, {});
      expect(open).toMatchObject({
        code: 0,
        out: expect.stringContaining('?key='),
        err: expect.stringContaining('No browser'),
      });
    } finally {
      await running.stop('SIGKILL');
      own.remove();
    }
  });

  it('prints the link for whoever reads it at a terminal', async () => {
    const config = { local: true, MCP_HTTP_TOKENS: [], MCP_OAUTH_ISSUER: undefined };
    const pairing = { makeKey: async () => 'the-key' };
    const text = (isTerminal: boolean, more = {}) =>
      approverLines({ ...config, ...more }, pairing, 'http://127.0.0.1:3900', isTerminal).then((lines) =>
        lines.join('\n'),
      );
    expect(await text(true)).toContain('http://127.0.0.1:3900/confirm?key=the-key');
    expect(await text(false)).toContain('switchboard key');
    expect(await text(false)).not.toContain('the-key');
    const ana = { name: 'ana', role: 'approver', token: 'token-of-ana' } as const;
    const tokens = await text(true, { local: false, MCP_HTTP_TOKENS: [ana] });
    expect(tokens).toContain('the token of ana');
    expect(tokens).not.toMatch(/the-key|token-of-ana/);
  });

  it('goes to the process that answers, not to one that was killed', async () => {
    const own = makeFolder();
    const first = startCli(['start'], own.path, { PORT: '0' });
    const [, one = ''] = await first.said(/listens on (\S+)/);
    const second = startCli(['start'], own.path, { PORT: '0' });
    try {
      const [, two = ''] = await second.said(/listens on (\S+)/);
      const link = async () => new URL((await runCli(['key'], own.path, {})).out.trim()).origin;
      expect([one, two]).toContain(await link());
      await second.stop('SIGKILL');
      expect(await link()).toBe(one);
      await first.stop('SIGKILL');
      const none = await runCli(['key'], own.path, { PORT: '3999' });
      expect(none).toMatchObject({ code: 0, out: expect.stringContaining('http://127.0.0.1:3999/confirm?key=') });
      expect(none.err).toContain('Switchboard is not running yet');
      expect((await runCli(['key'], own.path, { PORT: '0' })).code).toBe(2);
    } finally {
      await Promise.all([first.stop('SIGKILL'), second.stop('SIGKILL')]);
      own.remove();
    }
  }, 40_000);

  it('tells of names it does not know', async () => {
    const own = makeFolder();
    const path = join(own.path, 'settings.env');
    writeFileSync(path, 'PROT=4000\nREDIS_URL=redis://x\n');
    const ran = await runCli(['doctor', '--settings', path], own.path, onSandbox('http://127.0.0.1:9'));
    own.remove();
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('FAIL settings: PROT is not a setting; did you mean PORT?');
    expect(ran.out).toMatch(/FAIL settings: REDIS_URL is not a setting/);
    expect(ran.out).toMatch(/ok {3}data: /);
    expect(ran.out).toMatch(/ok {3}server: /);
  });
});

/** Every file and folder under a folder with its mode. */
function modes(root: string): [string, number][] {
  return [
    ['.', statSync(root).mode],
    ...readdirSync(root, { recursive: true, withFileTypes: true }).map((entry): [string, number] => {
      const path = join(entry.parentPath, entry.name);
      return [relative(root, path), statSync(path).mode];
    }),
  ];
}
