import { createHash, randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { isFormula, readCsv } from '../../../src/batches/csv.ts';
import type { ChangeRow } from '../../../src/catalogue/change.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { createSeal } from '../../../src/ledger/seal.ts';
import { runAudit } from '../../../src/start/commands/audit.ts';
import { makeFolder } from '../../support/folder.ts';
import { onSandbox } from '../../support/on-sandbox.ts';
import { runCli } from '../../support/process.ts';
import { makeStore, type TestStore } from '../../support/stores.ts';

/** Texts that a careless reader of the export would run, or read as a separate line or member. */
const HOSTILE = [
  '=HYPERLINK("http://evil.example","x")',
  '+1+cmd|x',
  '@SUM(A1)',
  '\t=1+1',
  'x\nCEF:0|Evil|evil|1|done|done|9|act=forged',
  'x\r\n{"seq":999}',
  'x\u2028{"seq":999}',
  'a=b suser=root cs1=forged',
  'back\\slash | pipe',
  '\u001b]0;title\u0007\u009b31m',
  '\u202egnp.exe',
  '","forged","',
];

let data: TestStore;
beforeEach(async () => {
  data = await makeStore('sqlite');
  for (const [name, value] of Object.entries({ ...onSandbox('http://127.0.0.1:9'), DATA_DIR: data.folder }))
    vi.stubEnv(name, value);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await data.remove();
});

/** Writes one entry for each text, which is its reason, its requester, its detail and its value before and after. */
async function fill(rows: (text: string) => ChangeRow[]): Promise<void> {
  const { store } = data;
  const ledger = new Ledger({
    db: store.database('ledger'),
    seal: createSeal(randomBytes(32)),
    clock: store.clock,
    owner: 'one',
  });
  onTestFinished(() => ledger.close());
  for (const text of HOSTILE)
    await ledger.create({
      operation: 'numbers_update',
      actorId: text,
      actorName: text,
      surface: 'cli',
      state: 'in_flight',
      input: {},
      shown: { Note: text },
      known: {
        change: { rows: rows(text), leads: [{ what: 'Leads to', from: text, to: text }], keeps: [], names: {} },
      },
      consent: undefined,
      reason: text,
      digest: text,
      expiresAt: Number.MAX_SAFE_INTEGER,
    });
}

async function exported(format: string): Promise<string> {
  const out = new PassThrough();
  expect(await runAudit(['--format', format], out)).toBe(0);
  return String(out.read());
}

const hostileRows = (text: string): ChangeRow[] => [{ of: '+12015550101', what: 'Name', before: text, after: text }];

it('has one JSON line for each entry, and characters that a terminal or a reader of lines obeys are escaped', async () => {
  await fill(hostileRows);
  const text = await exported('jsonl');
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
  const lines = text.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).reason)).toEqual(HOSTILE);
});

it('has one CSV line for each entry, and no cell that a spreadsheet runs', async () => {
  await fill(hostileRows);
  const text = await exported('csv');
  expect(text.split('\r\n')).toHaveLength(HOSTILE.length + 2);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u);
  const [heading, ...rows] = readCsv(text).map(({ cells }) => cells);
  expect(heading?.slice(0, 4)).toEqual(['Entry', 'Time', 'What', 'Operation']);
  expect(rows.map(([entry]) => entry)).toEqual(HOSTILE.map((_, at) => String(at + 1)));
  for (const row of rows) {
    expect(row).toHaveLength(heading?.length ?? 0);
    for (const cell of row) expect(isFormula(cell), cell).toBe(false);
  }
});

it('has one CEF line for each entry, whose members no text adds to', async () => {
  await fill(hostileRows);
  const text = await exported('cef');
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(HOSTILE.length);
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  for (const [at, line] of lines.entries()) {
    const [, head = '', extension = ''] = /^((?:(?:[^|\\]|\\.)*\|){7})(.*)$/.exec(line) ?? [];
    expect(head).toMatch(/^CEF:0\|Switchboard\|switchboard\|\d+\.\d+\.\d+\|sent\|numbers_update sent\|3\|$/);
    const keys = [...extension.matchAll(/(?<=^| )(\w+)=/g)].map(([, key]) => key);
    expect(keys).toEqual([
      ...['rt', 'externalId', 'act', 'suser', 'outcome', 'reason', 'msg', 'cs1Label', 'cs1', 'cs3Label', 'cs3'],
      ...['cs5Label', 'cs5', 'cs6Label', 'cs6'],
    ]);
    expect(extension).toContain(` externalId=${at + 1} act=numbers_update `);
  }
});

it('shows neither secrets nor files of a change', async () => {
  await fill((text) => [
    { of: '', what: 'Password', before: 'old secret', after: `new secret ${text}`, hidden: true },
    { of: '', what: 'Limit', before: 90, after: 300, member: 'Limit' },
  ]);
  for (const format of ['jsonl', 'csv', 'cef']) expect(await exported(format)).not.toMatch(/old secret|new secret/);
  const [first = ''] = (await exported('jsonl')).split('\n');
  expect(JSON.parse(first).changes).toEqual([
    { of: 'new', what: 'Password', before: '••• (not shown)', after: '••• (not shown)' },
    { of: 'new', what: 'Limit', before: '90', after: '300', member: 'Limit' },
  ]);
});

it('has what a change was before and after, who asked and decided, how and why, and a chain that others can check', async () => {
  vi.unstubAllEnvs();
  const folder = makeFolder();
  onTestFinished(() => folder.remove());
  const words = ['call', 'numbers_update', 'Number=+12015550101', 'MessageEnabled=false', '--reason', 'a lost phone'];
  expect((await runCli([...words, '--yes'], folder.path, {})).code).toBe(0);
  const { out } = await runCli(['audit', '--format', 'jsonl'], folder.path, {});
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
  const csv = (await runCli(['audit', '--format', 'csv'], folder.path, {})).out;
  expect(csv).toMatch(/'\+12015550101 [\w ]+: yes → no/);
  const cef = (await runCli(['audit', '--format', 'cef'], folder.path, {})).out;
  expect(cef).toMatch(/ cs5Label=changes cs5=\+12015550101 [\w ]+: yes → no /);
  const table = (await runCli(['audit', '--format', 'table'], folder.path, {})).out;
  expect(table).toMatch(/asked .*: yes → no; .*Reason: a lost phone/);
});
