import { existsSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readCsv } from '../../../src/batches/csv.ts';
import { makeFolder } from '../../support/folder.ts';
import { type Running, runCli, startCli } from '../../support/process.ts';
import { until } from '../../support/until.ts';

let folder: ReturnType<typeof makeFolder>;
const running: Running[] = [];
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  for (const process of running.splice(0)) await process.stop('SIGKILL');
  folder.remove();
});

const file = (name: string) => join(folder.path, name);
const read = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '');
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');
const entriesOf = (text: string): number[] => linesOf(text).map((line) => JSON.parse(line).seq);

/** A change, which adds four entries. */
async function change(name: string): Promise<void> {
  const { code, err } = await runCli(
    ['call', 'numbers_update', 'Number=+12015550101', `CnamFirstName=${name}`, '--yes'],
    folder.path,
    {},
  );
  expect([code, err]).toEqual([0, expect.anything()]);
}

function follow(...args: string[]): Running {
  const process = startCli(['audit', '--follow', ...args], folder.path);
  running.push(process);
  return process;
}

it('writes the entries that there are and those that come, and ends on SIGTERM', async () => {
  await change('AVA');
  const process = follow();
  await until(() => entriesOf(process.out()).length === 4);
  await change('EVE');
  await until(() => entriesOf(process.out()).length === 8);
  expect(await process.stop('SIGTERM')).toBe(0);
  expect(entriesOf(process.out())).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

it('goes on in a new file when its own was renamed, and below a new heading when it was emptied', async () => {
  await change('AVA');
  const process = follow('--format', 'csv', '--to', file('audit.csv'));
  await until(() => linesOf(read('audit.csv')).length === 5);
  expect(statSync(file('audit.csv')).mode & 0o777).toBe(0o600);
  renameSync(file('audit.csv'), file('audit.csv.1'));
  process.child.kill('SIGHUP');
  await change('EVE');
  await until(() => linesOf(read('audit.csv')).length === 5);
  expect(linesOf(read('audit.csv.1'))).toHaveLength(5);
  truncateSync(file('audit.csv'));
  await change('ADA');
  await until(() => linesOf(read('audit.csv')).length === 5);
  const rows = readCsv(read('audit.csv')).map(({ cells }) => cells);
  expect(rows.map(([entry]) => entry)).toEqual(['Entry', '9', '10', '11', '12']);
  expect(await process.stop('SIGTERM')).toBe(0);
});

it('goes on after the last entry that it wrote, and not if that one is gone', async () => {
  const args = ['--to', file('audit.jsonl'), '--position', file('position')];
  await change('AVA');
  expect((await runCli(['audit', ...args], folder.path, {})).code).toBe(0);
  await change('EVE');
  // A process that was killed has left a part of a line.
  writeFileSync(file('audit.jsonl'), `${read('audit.jsonl')}{"at":`);
  const process = follow(...args);
  await until(() => linesOf(read('audit.jsonl')).length === 9);
  expect(await process.stop('SIGTERM')).toBe(0);
  const lines = linesOf(read('audit.jsonl'));
  expect(lines[4]).toBe('{"at":');
  expect(entriesOf([...lines.slice(0, 4), ...lines.slice(5)].join('\n'))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const { hash } = JSON.parse(lines[8] ?? '');
  expect(read('position')).toBe(`8:${hash}\n`);
  expect((await runCli(['audit', '--verify', '--end', read('position')], folder.path, {})).code).toBe(0);

  writeFileSync(file('position'), `9:${hash}\n`);
  const { code, err } = await runCli(['audit', ...args], folder.path, {});
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('Entry 9, which was written last, is not in the audit trail'),
  ]);
});

it('refuses what does not belong together', async () => {
  for (const [args, problem] of [
    [['--follow', '--until', '8h'], '--follow has no --until'],
    [['--follow', '--format', 'table'], '--follow, --to and --position write jsonl, csv or cef'],
    [['--format', 'xml'], '--format must be table, jsonl, csv or cef'],
    [['--to', '/dev/null'], '--to /dev/null is not a file'],
    [['--position', file('empty.env')], 'is not a file that this command wrote'],
    [['--end', `1:${'a'.repeat(43)}`], '--end is for --verify'],
  ] as const) {
    if (problem.includes('--to /dev')) await change('AVA');
    const { code, err } = await runCli(['audit', ...args], folder.path, {});
    expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
  }
});
