import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/lib/config.ts';
import { problem } from '../lib/support.ts';
import { makeFolder } from '../support/folder.ts';
import { onSandbox } from '../support/on-sandbox.ts';
import { runCli } from '../support/process.ts';
import { seeded } from '../support/world.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sb-names-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (text: string) => {
  const path = join(folder, 'my.env');
  writeFileSync(path, text);
  return path;
};

const MISSPELT = [
  ['CONFIRM_TWO_PERSONS', 'CONFIRM_TWO_PERSON'],
  ['CONFRIM_VIA', 'CONFIRM_VIA'],
  ['CONFIRMATION_VIA', 'CONFIRM_VIA'],
  ['MCP_READONLY', 'MCP_READ_ONLY'],
  ['MCP_HTTP_TOKEN', 'MCP_HTTP_TOKENS'],
  ['MCP_ALLOW_HOSTS', 'MCP_ALLOWED_HOSTS'],
  ['SLACK_APROVERS', 'SLACK_APPROVERS'],
  ['SLACK_VIEWING', 'SLACK_VIEWERS'],
] as const;

/** Names in ordinary environments. */
const OTHERS = ['MCP_TIMEOUT', 'MCP_CLIENT_SECRET', 'MCP_HTTP_PORT', 'SLACK_TOKEN', 'SLACK_WEBHOOK_URL', 'CONFIRM'];

describe('a misspelt name of a setting that restricts', () => {
  it.each(MISSPELT)('%s stops start-up from the environment and from the file', (name, meant) => {
    const said = (place: string) => `${name} in ${place} is not a setting; did you mean ${meant}?`;
    expect(problem({ DATA_DIR: folder, [name]: 'true' })).toBe(said('the environment'));
    const path = file(`${name}=true\n`);
    expect(problem({ DATA_DIR: folder }, path)).toBe(said(path));
    // A value of the setting itself does not say which of the two was meant.
    expect(problem({ DATA_DIR: folder, CONFIRM_TWO_PERSON: 'false', [name]: 'true' })).toContain(
      said('the environment'),
    );
  });

  it.each(OTHERS)('is not taken for %s of another program', (name) => {
    expect(loadConfig({ DATA_DIR: folder, [name]: 'x' }).unknownSettings).toEqual([]);
  });

  it.each(['CONFIRM_QUORUMS', 'CONFIRM_DELETE', 'confirm_everything'])('or any other that begins alike: %s', (name) => {
    const said = (place: string) => `${name} in ${place} is not a setting`;
    expect(problem({ DATA_DIR: folder, [name]: 'x' })).toContain(said('the environment'));
    const path = file(`${name}=x\n`);
    expect(problem({ DATA_DIR: folder }, path)).toContain(said(path));
  });

  it('with a blank value restricts nothing', () => {
    expect(problem({ DATA_DIR: folder, MCP_READONLY: ' ', CONFIRM_DELETE: '' })).toBe('');
  });

  it.each([[['start']], [['call', 'numbers_get', seeded(1)]]])('stops %j', async (args) => {
    const own = makeFolder();
    const ran = await runCli(args, own.path, { PORT: '0', MCP_READONLY: 'true', CONFIRM_TWO_PERSONS: 'true' });
    own.remove();
    const message = [
      'MCP_READONLY in the environment is not a setting; did you mean MCP_READ_ONLY?',
      'CONFIRM_TWO_PERSONS in the environment is not a setting; did you mean CONFIRM_TWO_PERSON?',
    ].join('\n');
    // A person reads a server's stderr. Other commands report all of it in one JSON document.
    const isServer = ['start', 'mcp', 'sandbox'].includes(args[0] ?? '');
    const document = { error: { code: 'invalid_input', message, outcome: 'not_done' } };
    const err = isServer ? `${message}\n` : `${JSON.stringify(document, null, 2)}\n`;
    expect(ran).toEqual({ code: 2, out: '', err });
  });
});

describe('a line of the settings file that is no setting', () => {
  const said = (path: string, line: number) =>
    `Line ${line} of ${path} is not NAME=value; begin a comment with #, and end a quoted value with its quote`;

  it.each([
    '// assistants only read',
    '[assistants]',
    'MCP_READ_ONLY: true',
    'MCP_READ_ONLY',
    'SLACK_APPROVERS:U1',
    'SLACK_APPROVERS="U1',
    "SLACK_APPROVERS= 'U1",
  ])('stops start-up and hides no other setting: %s', (line) => {
    const path = file(`PORT=4001\n\n${line}\nMCP_READ_ONLY=maybe\nLOG_LEVEL="info" # 'quiet'\n`);
    expect(problem({ DATA_DIR: folder }, path).split('\n')).toEqual([
      'MCP_READ_ONLY must be true, false, 1 or 0',
      said(path, 3),
    ]);
    expect(problem({ DATA_DIR: folder }, file(`${line}\r\nPORT=4001\r\n`))).toBe(said(path, 1));
  });
});

describe('another misspelt name', () => {
  it.each([
    ['call', ['call', 'numbers_lookup', seeded(1)]],
    ['mcp', ['mcp']],
  ])('is a warning of %s, from the file and from the environment', async (_command, args) => {
    const own = makeFolder();
    const path = file('PROT=1\nNODE_OPTIONS=x\n');
    const env = { LOG_LEVEL: 'info', PUBLIC_ULR: 'https://sb.example.com' };
    const { code, out, err } = await runCli([...args, '--settings', path], own.path, env);
    own.remove();
    expect({ code, out }).toMatchObject({ code: 0, out: expect.not.stringContaining('PROT') });
    expect(err).toContain(`PROT in ${path} is not a setting and is ignored; did you mean PORT?\n`);
    expect(err).toContain('PUBLIC_ULR in the environment is not a setting and is ignored; did you mean PUBLIC_URL?\n');
    expect(err).not.toContain('NODE_OPTIONS');
  });

  it('is reported beside the setting that is missing because of it', () => {
    const { PLATFORM_ACCOUNT_SECRET, ...others } = onSandbox('http://127.0.0.1:9');
    const path = file(`PLATFORM_ACCOUNT_SECERT=${PLATFORM_ACCOUNT_SECRET}\n`);
    const said = problem({ ...others, DATA_DIR: folder }, path).split('\n');
    expect(said).toEqual([
      expect.stringMatching(/^PLATFORM_ACCOUNT_SECRET is missing/),
      `PLATFORM_ACCOUNT_SECERT in ${path} is not a setting and is ignored; did you mean PLATFORM_ACCOUNT_SECRET?`,
    ]);
  });
});
