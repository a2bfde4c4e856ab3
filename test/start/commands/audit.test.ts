import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import type { ChangeRow } from '../../../src/catalogue/change.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { createSeal } from '../../../src/ledger/seal.ts';
import { runAudit } from '../../../src/start/commands/audit.ts';
import { makeFolder } from '../../support/folder.ts';
import { newAction } from '../../support/new-action.ts';
import { onSandbox } from '../../support/on-sandbox.ts';
import { runCli } from '../../support/process.ts';
import { makeStore } from '../../support/stores.ts';

afterEach(() => void vi.unstubAllEnvs());

/** The lines that the command writes. */
async function printed(...args: string[]): Promise<string> {
  const out = new PassThrough();
  expect(await runAudit(args, out)).toBe(0);
  return String(out.read() ?? '');
}

/** Writes an action whose reason, requester, input and change are this text. */
async function fill(texts: readonly string[], rows: (text: string) => ChangeRow[]): Promise<void> {
  const data = await makeStore('sqlite');
  for (const [name, value] of Object.entries({ ...onSandbox('http://127.0.0.1:9'), DATA_DIR: data.folder }))
    vi.stubEnv(name, value);
  const { store } = data;
  const seal = createSeal(randomBytes(32));
  const ledger = new Ledger({ db: store.database('ledger'), seal, clock: store.clock, owner: 'one' });
  onTestFinished(() => ledger.close());
  for (const text of texts) {
    const change = { rows: rows(text), leads: [{ what: 'Leads to', from: text, to: text }], keeps: [], names: {} };
    const own = { shown: { Note: text }, known: { change }, reason: text, given: { text } };
    await ledger.create(newAction({ actorId: text, actorName: text, state: 'in_flight', ...own }));
  }
}

it('has one JSON line for each entry, and characters that a terminal or a reader of lines obeys are escaped', async () => {
  const forged = ['x\r\n{"seq":999}', 'x\u2028{"seq":999}', '","a","'];
  const hostile = [...forged, '\u001b]0;title\u0007\u009b31m', '\u202egnp.exe'];
  await fill(hostile, (text) => [{ of: '+12015550101', what: 'Name', before: text, after: text }]);
  const text = await printed();
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
  const lines = text.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).reason)).toEqual(hostile);
});

it('shows neither secrets nor files of a change', async () => {
  await fill(['x'], () => [
    { of: '', what: 'Password', before: 'old secret', after: 'new secret', hidden: true },
    { of: '', what: 'Limit', before: 90, after: 300, member: 'Limit' },
  ]);
  const text = await printed();
  expect(text).not.toMatch(/old secret|new secret/);
  expect(JSON.parse(text).changes).toEqual([
    { of: 'new', what: 'Password', before: '••• (not shown)', after: '••• (not shown)' },
    { of: 'new', what: 'Limit', before: '90', after: '300', member: 'Limit' },
  ]);
});

it('has what a change was before and after, who asked and decided, how and why, of the days that are asked for, and a chain that others can check', async () => {
  const folder = makeFolder();
  const words = ['call', 'numbers_update', 'Number=+12015550101', 'MessageEnabled=false', '--reason', 'a lost phone'];
  expect((await runCli([...words, '--yes'], folder, {})).code).toBe(0);
  const audit = async (...args: string[]) => (await runCli(['audit', ...args], folder, {})).out;
  const out = await audit();
  const entries = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries.map(({ what }) => what)).toEqual(['asked', 'confirmed', 'sent', 'done']);
  expect(entries[0]).toMatchObject({
    requester: expect.stringMatching(/^local:/),
    decider: null,
    reason: 'a lost phone',
    changes: [{ of: '+12015550101', before: 'yes', after: 'no', member: 'MessageEnabled' }],
  });
  expect(entries[1]).toMatchObject({ decider: expect.stringMatching(/^local:/), way: 'terminal', batch: null });
  // The record of the customer is not in it.
  expect(out).not.toContain('Ava Stone');
  const members = ['prev', 'seq', 'at', 'action', 'operation', 'what', 'who', 'detail', 'requester', 'decider', 'way'];
  let prev = '';
  for (const entry of entries) {
    const values = [...members, 'batch', 'reason', 'change_digest'].map((name) =>
      name === 'at' ? Date.parse(entry.at) : entry[name],
    );
    expect(entry.prev).toBe(prev);
    expect(createHash('sha256').update(JSON.stringify(values)).digest('base64url')).toBe(entry.hash);
    prev = entry.hash;
  }
  expect(await audit('--until', '2026-01-01')).toBe('');
  expect(await audit('--since', entries[0].at.slice(0, 10))).toBe(out);
  expect(await audit('--since', '8h')).toBe(out);
});

it('says that the data cannot be read where the system does not open their file', async () => {
  const DATA_DIR = makeFolder();
  mkdirSync(join(DATA_DIR, 'demo', 'switchboard.db'), { recursive: true });
  vi.stubEnv('DATA_DIR', DATA_DIR);
  await expect(runAudit([])).rejects.toMatchObject({ face: { code: 'unavailable', outcome: 'not_done' } });
});

it.each([
  [['--since', 'yesterday'], '--since yesterday is not a time'],
  [['--until', '2026-02-30'], '--until 2026-02-30 is not a time'],
  [['--since', '2026-03-02', '--until', '2026-03-01'], '--until 2026-03-01 is before --since 2026-03-02'],
  [['--end', `1 ${'a'.repeat(43)}`], '--end is for --verify'],
  [['--verify', '--since', '8h'], '--verify checks the whole trail'],
  [['--verify', '--end', '12'], '--end 12 is not an end that --verify printed'],
])('refuses %j', async (args, problem) => {
  await expect(runAudit(args)).rejects.toThrow(problem);
});
