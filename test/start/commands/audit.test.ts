import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder, runCli } from '../../support/process.ts';

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
  const table = await runCli(['audit', '--output', 'table'], folder.path, {});
  expect(table.out).toMatch(/^At \(UTC\) +What +Operation +Who +Detail +Action$/m);
  expect(table.out).toMatch(/confirmed +numbers_reactivate +\S.* \(terminal\)/);
  expect((await runCli(['audit', '--until', '2026-01-01'], folder.path, {})).out).toBe('');
  const day = lines[0].at.slice(0, 10);
  expect((await runCli(['audit', '--since', day], folder.path, {})).out).toBe(out);
  expect((await runCli(['audit', '--since', '8h'], folder.path, {})).out).toBe(out);
});

it('refuses what is no date', async () => {
  const { code, err } = await runCli(['audit', '--since', 'yesterday'], folder.path, {});
  expect(code).toBe(2);
  expect(err).toContain('--since yesterday is not a time');
});
