import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/lib/actor.ts';
import { runBatch } from '../../../src/surfaces/cli/batch-command.ts';
import { tools } from '../../../tools/index.ts';
import { begunDay } from '../../support/clock.ts';
import { type Json, openWorld, seeded, type World } from '../../support/world.ts';

const PARK = ['numbers', 'status', 'StatusChange=park', `EffectiveDate=${begunDay()}`, '--file', '-', '--yes'];
const ANA: Actor = { id: 'cli:ana', name: 'ana', role: 'approver', surface: 'cli', priority: 'person' };
const NUMBERS = `${seeded(1)}\n${seeded(3)}\n`;

let world: World;
let folder: string;
beforeAll(async () => {
  world = await openWorld();
  folder = mkdtempSync(join(tmpdir(), 'switchboard-results-'));
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => world.reset());

/** Types `switchboard batch` in a pipe. */
async function run(args: string[], { stdin = '' }: { stdin?: string } = {}) {
  const [input, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const said = { out: '', err: '', opened: 0 };
  stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  input.end(stdin);
  const code = await runBatch(args, {
    ...{ tools, stdin: input, stdout, stderr, columns: 100, actor: ANA },
    openDoor: async () => {
      said.opened += 1;
      return { ...world.runtime, close: async () => undefined };
    },
  });
  return { code, ...said };
}

const json = (text: string): Json => JSON.parse(text);

describe('the file for the results of a batch', () => {
  it.each([
    ['in a folder that does not exist', () => join(folder, 'none', 'r.csv')],
    ['that is a folder', () => folder],
    ['without a name', () => ''],
  ])('%s is refused before anything is asked', async (_what, path) => {
    const { code, out, err, opened } = await run([...PARK, `--csv=${path()}`], { stdin: NUMBERS });
    expect([code, out, opened]).toEqual([2, '', 0]);
    expect(json(err).error).toMatchObject({ code: 'invalid_input', field: '--csv', outcome: 'not_done' });
    expect(json(err).error.message).toContain('Nothing was asked and nothing was sent.');
  });

  it('is not that of the list, under any name', async () => {
    const path = join(folder, 'both.csv');
    writeFileSync(path, NUMBERS);
    const link = join(folder, 'link.csv');
    symlinkSync(path, link);
    for (const csv of [path, link]) {
      const { code, err, opened } = await run([...PARK.slice(0, 4), '--file', path, '--csv', csv]);
      expect([code, opened, json(err).error.message]).toEqual([
        2,
        0,
        expect.stringContaining('is the file of the list'),
      ]);
    }
    expect(readFileSync(path, 'utf8')).toBe(NUMBERS);
  });

  it.skipIf(!existsSync('/dev/full'))('that is full does not lose the results', async () => {
    const { code, out } = await run([...PARK, '--csv', '/dev/full'], { stdin: NUMBERS });
    const { id, status, rows, Warning } = json(out);
    expect([code, status]).toEqual([5, 'done']);
    expect(rows.map(({ target, status: state }: Json) => [target, state])).toEqual([
      [seeded(1), 'done'],
      [seeded(3), 'done'],
    ]);
    expect(Warning).toContain(`switchboard batch show ${id} --csv FILE`);
  });
});
