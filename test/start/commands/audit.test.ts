import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { runAudit } from '../../../src/start/commands/audit.ts';
import { makeFolder } from '../../support/folder.ts';
import { runCli } from '../../support/process.ts';

let folder: ReturnType<typeof makeFolder>;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

it('prints the audit trail as JSON lines, of the days that are asked for', async () => {
  const called = await runCli(['call', 'numbers_reactivate', 'PhoneNumber=+12015550107', '--yes'], folder.path, {});
  expect(called.code).toBe(0);
  const { code, out } = await runCli(['audit'], folder.path, {});
  expect(code).toBe(0);
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ what }) => what)).toEqual(['asked', 'confirmed', 'sent', 'done']);
  expect(lines[1]).toMatchObject({ at: expect.stringMatching(/Z$/), operation: 'numbers_reactivate', way: 'terminal' });
  const table = await runCli(['audit', '--format', 'table'], folder.path, {});
  expect(table.out).toMatch(/^At +What +Operation +Who +Detail +Action$/m);
  expect(table.out).toMatch(/confirmed +numbers_reactivate +\S.* \(terminal\)/);
  expect((await runCli(['audit', '--until', '2026-01-01'], folder.path, {})).out).toBe('');
  const day = lines[0].at.slice(0, 10);
  expect((await runCli(['audit', '--since', day], folder.path, {})).out).toBe(out);
  expect((await runCli(['audit', '--since', '8h'], folder.path, {})).out).toBe(out);
});

it('is in words on a terminal, and whole in 40 columns', async () => {
  const words = ['numbers_reactivate', '+12015550107', '--reason', 'a bill', '--yes'];
  expect((await runCli(['call', ...words], folder.path, {})).code).toBe(0);
  vi.stubEnv('DATA_DIR', join(folder.path, 'data'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const out = Object.assign(new PassThrough(), { isTTY: true, columns: 40 });
  expect(await runAudit([], out)).toBe(0);
  const text = String(out.read());
  const [first = ''] = text.split('\n\n');
  expect(first).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+ asked\n {2}numbers_reactivate\n {2}by /);
  expect(first.replaceAll('\n ', '')).toMatch(/phone number:? \+12015550107.*Reason: a bill/i);
  expect(text).not.toContain('{');
  expect(first).toMatch(/\n {2}act_\S+$/);
  // An id is not cut.
  for (const line of text.split('\n'))
    if (!/^ +\(?AID-/.test(line)) expect([...line].length, line).toBeLessThanOrEqual(40);
  const table = await runCli(['audit', '--format', 'table'], folder.path, {});
  expect(table.out).toMatch(/phone number:? \+12015550107.*Reason: a bill +act_/i);
});

it('refuses what is no date', async () => {
  const { code, err } = await runCli(['audit', '--since', 'yesterday'], folder.path, {});
  expect(code).toBe(2);
  expect(err).toContain('--since yesterday is not a time');
});
