import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/lib/actor.ts';
import { runBatch } from '../../../src/surfaces/cli/batch-command.ts';
import { approver } from '../../support/batches.ts';
import { begunDay } from '../../support/clock.ts';
import { makeFolder } from '../../support/folder.ts';
import { seeded } from '../../support/seed.ts';
import { type Json, openWorld } from '../../support/world.ts';
import { type Typing, typing, typist } from './typing.ts';

const PARK = ['numbers', 'status', 'StatusChange=park', `EffectiveDate=${begunDay()}`];
const SENT = '/v1.0/numbers/status';

const world = await openWorld();
const folder = makeFolder();
beforeEach(() => world.reset());

interface How extends Typing {
  role?: Actor['role'];
  as?: string;
  /** Called once, when stderr has this text. */
  after?: [text: string, then: () => unknown];
}

/** Types `switchboard batch` with these arguments on the world's installation. */
async function run(args: string[], how: How = {}) {
  const { io, said } = typing(how);
  let opened = 0;
  let { after } = how;
  io.stderr.on('data', () => {
    if (!after || !said.err.includes(after[0])) return;
    after[1]();
    after = undefined;
  });
  const code = await runBatch(args, {
    ...{ ...io, redraws: true, actor: typist(how) },
    openDoor: async () => {
      opened += 1;
      return { ...world.runtime, close: async () => undefined };
    },
  });
  return { code, opened, ...said };
}

/** A CSV file with the seeded numbers. */
function listOf(...ends: number[]): string {
  const path = join(folder, 'list.csv');
  writeFileSync(path, `Phone,Note\n${ends.map((end) => `${seeded(end)},x\n`).join('')}`);
  return path;
}

const json = (text: string): Json => JSON.parse(text);
/**
 * Creates a batch that the rule stops: the platform refuses the first of two reactivations, one given by its last digits.
 * Returns its id.
 */
async function stopped(): Promise<string> {
  const made = await run(['numbers_reactivate', '--file', '-', '--yes'], { stdin: `0108\n${seeded(7)}\n` });
  expect([made.code, json(made.out).status]).toEqual([1, 'stopped']);
  return json(made.out).id;
}

describe('switchboard batch', () => {
  it('shows the plan as a table, asks, and reports the end', async () => {
    const { code, out, err } = await run([...PARK, '--file', listOf(1, 2, 7)], { tty: true, types: 'y' });
    expect(err).toMatch(/Row +Target +State +Reason/);
    expect(err).toMatch(new RegExp(`${seeded(7).replace('+', '\\+')} +left out +.*cancelled`));
    expect(err).toContain('2 numbers');
    // The question in the words of every other question. The table above it has the rows.
    expect(err).toMatch(/\nWhat happens: .+\n/);
    expect(err).toContain('\nWhat changes:\n');
    expect(err).not.toMatch(/Numbers \(2\)|Left out \(1\)/);
    expect(err).toContain('Not used: the column Note.');
    expect(out).toContain('Done: 2 done, 1 left out.');
    expect(code).toBe(5);
    expect(await world.sent(SENT)).toHaveLength(2);
  });

  it.each([
    ['n at the question', { tty: true, types: 'n' }, [], 3],
    ['no terminal and no --yes', {}, [], 3],
    ['a viewer', { role: 'viewer' as const }, ['--yes'], 2],
  ])('sends nothing: %s', async (_what, how, more, code) => {
    expect((await run([...PARK, '--file', listOf(1, 2), ...more], how)).code).toBe(code);
    expect(await world.sent(SENT)).toHaveLength(0);
  });

  it('shows the question before it is refused where nobody can be asked, and asks nobody', async () => {
    const waiting = await run([...PARK, '--file', listOf(1, 2), '--yes'], { role: 'operator' });
    expect([waiting.code, json(waiting.out).status]).toEqual([3, 'waiting']);
    expect(waiting.err).toMatch(/^Park .*\n\n[\s\S]*What happens: .*2 numbers[\s\S]*What changes:\n/m);
    const { code, out, err } = await run([...PARK, '--file', listOf(2, 1, 7)]);
    expect([code, out]).toEqual([3, '']);
    const [question = '', error = ''] = err.split(/(?=\{\n {2}"error")/);
    expect(question).toMatch(/\nPark .*\n\n[\s\S]*What happens: .*2 numbers.*1 left out[\s\S]*What changes:\n/);
    for (const end of [1, 2, 7]) expect(question).toContain(seeded(end));
    expect(json(error).error).toEqual({
      code: 'not_confirmed',
      outcome: 'not_done',
      message: expect.stringMatching(/must be confirmed by a person\. Nothing was sent\. .*--yes/),
    });
    const none = await run([...PARK, '--file', listOf(7, 8)]);
    expect([none.code, json(none.out).summary]).toEqual([1, expect.stringContaining('No row can be sent')]);
    expect((await world.runtime.gate.actions.list({ states: ['pending'], limit: 10 })).length).toBe(1);
    expect(await world.sent(SENT)).toHaveLength(0);
    await world.runtime.batches.stop(json(waiting.out).id, approver, 'page');
  });

  it.each([{ tty: true }, {}])('shows the question that --yes answers: %j', async (how) => {
    const { code, err } = await run([...PARK, '--file', listOf(1, 2), '--yes'], how);
    expect([code, err]).toEqual([0, expect.stringMatching(/What happens: (.*\n)+What changes:\n/)]);
  });

  it.each([
    ['an unknown option', [...PARK, '--fil', 'x']],
    ['no list', PARK],
    ['a list that cannot be read', [...PARK, '--file', '/nowhere/list.csv']],
    ['an operation that takes no list', ['numbers_portout', '--file', '-', '--yes']],
    ['no id', ['stop']],
  ])('exits 2 for %s', async (_what, args) => {
    const { code, out } = await run(args, { stdin: `${seeded(1)}\n${seeded(2)}\n` });
    expect([code, out]).toEqual([2, '']);
  });

  it('writes JSON to a pipe, all rows to a CSV, and lists what there is', async () => {
    const csv = join(folder, 'end.csv');
    const stdin = `${seeded(1)}\n${seeded(99)}\n${seeded(2)}\n`;
    const { code, out, err } = await run(['numbers_get', '--file', '-', '--csv', csv], { stdin });
    expect([code, err]).toEqual([5, '']);
    const made = json(out);
    expect(made).toMatchObject({ status: 'partly', total: 3, done: 2, failed: 1 });
    expect(made.rows.map(({ status }: Json) => status)).toEqual(['done', 'failed', 'done']);
    const lines = readFileSync(csv, 'utf8').trim().split('\r\n');
    expect(lines).toHaveLength(4);
    expect((await run(['show', made.id, '--csv', '-'])).out.trim().split('\r\n')).toEqual(lines);
    expect(json((await run(['list'])).out).map(({ id }: Json) => id)).toContain(made.id);
    expect((await run(['list'], { tty: true })).out).toMatch(new RegExp(`Id +Batch +State.*\n.*${made.id}`, 's'));
    expect((await run(['show', made.id], { as: 'eve', role: 'operator' })).code).not.toBe(0);
  });

  it('says what the rule stopped, and asks for the rest', async () => {
    const id = await stopped();
    expect((await run(['show', id], { tty: true })).out).toContain('Stopped: 1 failed, 1 not sent.');
    expect((await run(['stop', id])).code).toBe(2);
    const refused = await run(['rest', id]);
    expect([refused.code, refused.err]).toEqual([3, expect.stringMatching(/^Reactivate [\s\S]*Nothing was charged\./)]);
    const rest = await run(['rest', id, '--yes']);
    expect(json(rest.out)).toMatchObject({ total: 2, operation: 'numbers_reactivate', status: 'stopped' });
    expect(json(rest.out).id).not.toBe(id);
  });

  it('stops at Ctrl-C for good, waits for the row that was sent, and says how to ask for the rest', async () => {
    await world.control('faults', { path: SENT, times: 1, hangMs: 4_000 });
    const { code, out, err } = await run([...PARK, '--file', listOf(3, 4, 5, 6), '--yes'], {
      tty: true,
      interruptAt: /1 being sent/,
      after: ['Stopped', () => world.answerNow(4_000)],
    });
    expect([code, out]).toEqual([5, expect.stringMatching(/^Stopped: 1 done, 3 not sent\./)]);
    const id = /Ask for the rest: switchboard batch rest (bat_\w+)/.exec(err)?.[1] ?? '';
    expect(await world.sent(SENT)).toHaveLength(1);
    const [line] = (await world.runtime.gate.actions.audit(50)).filter(
      ({ batch, what }) => batch === id && what === 'stopped',
    );
    expect(line).toMatchObject({ who: 'cli:ana (ana)', decider: 'cli:ana (ana)', way: 'terminal' });
    expect((await run(['rest', id], { tty: true, types: 'y' })).code).toBe(0);
    expect(await world.sent(SENT)).toHaveLength(3);
  });

  it.each([
    ['Ctrl-C', { types: '\u0003' }],
    ['SIGTERM', { interruptAt: /\[y\/N\]/, signal: 'SIGTERM' }],
  ] as const)('withdraws its question at %s, and says so', async (_, how) => {
    const { code, out } = await run([...PARK, '--file', listOf(3, 4)], { tty: true, ...how });
    expect([code, out]).toEqual([3, expect.stringMatching(/^The question was withdrawn before a person decided\./)]);
    expect(await world.sent(SENT)).toHaveLength(0);
  });
});

describe('the file for the results of a batch', () => {
  const PIPED = [...PARK, '--file', '-', '--yes'];
  const NUMBERS = `${seeded(1)}\n${seeded(3)}\n`;

  it.each([
    ['in a folder that does not exist', () => join(folder, 'none', 'r.csv')],
    ['that is a folder', () => folder],
    ['without a name', () => ''],
  ])('%s is refused before anything is asked', async (_what, path) => {
    const { code, out, err, opened } = await run([...PIPED, `--csv=${path()}`], { stdin: NUMBERS });
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
      const { code, err, opened } = await run([...PARK, '--file', path, '--csv', csv]);
      expect([code, opened, json(err).error.message]).toEqual([
        2,
        0,
        expect.stringContaining('is the file of the list'),
      ]);
    }
    expect(readFileSync(path, 'utf8')).toBe(NUMBERS);
  });

  it.skipIf(!existsSync('/dev/full'))('that is full does not lose the results', async () => {
    const { code, out } = await run([...PIPED, '--csv', '/dev/full'], { stdin: NUMBERS });
    const { id, status, rows, Warning } = json(out);
    expect([code, status]).toEqual([5, 'done']);
    expect(rows.map(({ target, status: state }: Json) => [target, state])).toEqual([
      [seeded(1), 'done'],
      [seeded(3), 'done'],
    ]);
    expect(Warning).toContain(`switchboard batch show ${id} --csv FILE`);
  });
});
