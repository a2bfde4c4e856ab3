import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig, NO_SETTINGS_FILE, unknownSettings } from '../../src/lib/config.ts';
import { settings } from '../../src/lib/settings.ts';
import { problem } from '../lib/support.ts';
import { makeFolder } from '../support/folder.ts';

const folder = makeFolder();

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

/* A restriction with a misspelt name must not be dropped in silence: every slip of one key stops start-up. */

const KNOWN = Object.keys(settings.shape);
const RESTRICTIVE = KNOWN.filter((name) => /^(CONFIRM_|MCP_|SLACK_(VIEWERS|OPERATORS|APPROVERS)$)/.test(name));

/** One character left out, doubled, replaced, or swapped with its neighbour. */
function slips(name: string): string[] {
  const all = [...name].flatMap((char, at) => {
    const [before, after] = [name.slice(0, at), name.slice(at + 1)];
    const swapped = `${before}${after[0] ?? ''}${char}${after.slice(1)}`;
    return [`${before}${after}`, `${before}${char}${char}${after}`, `${before}X${after}`, swapped];
  });
  return [...new Set(all)].filter((slip) => !KNOWN.includes(slip));
}

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
});

it('stops at each slip of one key in the name of a restriction', () => {
  const tried = RESTRICTIVE.flatMap((name) => slips(name).map((slip) => ({ name, slip })));
  const stopped = tried.filter(({ name, slip }) =>
    unknownSettings({ [slip]: 'true' }, NO_SETTINGS_FILE).some(({ nearest, stops }) => stops && nearest === name),
  );
  expect(tried.length).toBeGreaterThan(500);
  expect(stopped).toHaveLength(tried.length);
});

it('takes no variable of this machine for one of them', () => {
  const own = Object.entries(process.env).filter(([name]) => !KNOWN.includes(name));
  const env = Object.fromEntries(own.map(([name, value]) => [name, value ?? '']));
  expect(problem({ ...env, DATA_DIR: '/nowhere' })).toBe('');
});
