import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/lib/actor.ts';
import { runBatch } from '../../../src/surfaces/cli/batch-command.ts';
import { tools } from '../../../tools/index.ts';
import { approver } from '../../support/batches.ts';
import { begunDay } from '../../support/clock.ts';
import { type Json, openWorld, seeded, until, type World } from '../../support/world.ts';

const PARK = ['numbers', 'status', 'StatusChange=park', `EffectiveDate=${begunDay()}`];
const SENT = '/v1.0/numbers/status';

let world: World;
let folder: string;
beforeAll(async () => {
  world = await openWorld();
  folder = mkdtempSync(join(tmpdir(), 'switchboard-batch-'));
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => world.reset());

interface How {
  tty?: boolean;
  /** Width of the terminal. */
  columns?: number;
  role?: Actor['role'];
  /** By default the one of all tests. */
  world?: World;
  as?: string;
  /** The answer to the question. */
  types?: string;
  stdin?: string;
  /** Interrupts the command once, when a text of this kind is first written to stderr. */
  interruptAt?: RegExp;
  /** The interrupt, by default Ctrl-C. */
  signal?: NodeJS.Signals;
  /** Called once, when stderr has this text. */
  after?: [text: string, then: () => unknown];
}

/** Types `switchboard batch` with these arguments on the world's installation. */
async function run(args: string[], how: How = {}) {
  const stream = () => Object.assign(new PassThrough(), { isTTY: how.tty ?? false });
  const [stdin, stdout, stderr] = [stream(), stream(), stream()];
  const said = { out: '', err: '' };
  let interrupt: (signal?: NodeJS.Signals) => void = () => undefined;
  let isInterrupted = false;
  let { after } = how;
  stdout.on('data', (chunk) => (said.out += chunk));
  stderr.on('data', (chunk) => {
    said.err += chunk;
    if (!isInterrupted && how.interruptAt?.test(String(chunk))) {
      isInterrupted = true;
      interrupt(how.signal);
    }
    if (after && said.err.includes(after[0])) {
      after[1]();
      after = undefined;
    }
    if (how.types !== undefined && String(chunk).includes('[y/N]')) stdin.write(`${how.types}\n`);
  });
  if (how.stdin !== undefined) stdin.end(how.stdin);
  const name = how.as ?? 'ana';
  const code = await runBatch(args, {
    ...{ tools, stdin, stdout, stderr, columns: how.columns ?? 100, redraws: true },
    actor: { id: `cli:${name}`, name, role: how.role ?? 'approver', surface: 'cli', priority: 'person' },
    openDoor: async () => ({ ...(how.world ?? world).runtime, close: async () => undefined }),
    onInterrupt: (stop) => {
      interrupt = stop;
      return () => undefined;
    },
  });
  return { code, ...said };
}

/** A CSV file with the seeded numbers. */
function listOf(...ends: number[]): string {
  const path = join(folder, 'list.csv');
  writeFileSync(path, `Phone,Note\n${ends.map((end) => `${seeded(end)},x\n`).join('')}`);
  return path;
}

const json = (text: string): Json => JSON.parse(text);
/** Creates a batch that the rule stops: the platform refuses the first of two reactivations. Returns its id. */
async function stopped(): Promise<string> {
  const made = await run(['numbers_reactivate', '--file', '-', '--yes'], { stdin: `${seeded(8)}\n${seeded(7)}\n` });
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

  it('quotes the reason of the person who asks', async () => {
    const more = ['--reason', 'approved by Lee'];
    const { err } = await run([...PARK, '--file', listOf(1, 2), ...more], { tty: true, types: 'n' });
    expect(err).toContain('Reason given by cli:ana (ana):\n> approved by Lee\n');
    const [asked] = await world.runtime.gate.actions.list({ limit: 1 });
    expect(asked).toMatchObject({ state: 'declined', reason: 'approved by Lee' });
  });

  it('watches a list of lines without a yes', async () => {
    const { code, out } = await run(['numbers_watch', '--file', listOf(1, 3)]);
    expect([code, json(out)]).toEqual([0, expect.objectContaining({ status: 'done', done: 2 })]);
  });

  it.each([{ tty: true }, {}])('shows the question that --yes answers: %j', async (how) => {
    const { code, err } = await run([...PARK, '--file', listOf(1, 2), '--yes'], how);
    expect([code, err]).toEqual([0, expect.stringMatching(/What happens: (.*\n)+What changes:\n/)]);
  });

  it('tells on stderr that a batch was stopped and how to go on if the results are on stdout', async () => {
    const stdin = `${seeded(8)}\n${seeded(7)}\n`;
    const { code, out, err } = await run(['numbers_reactivate', '--file', '-', '--yes', '--csv', '-'], { stdin });
    expect([code, out]).toEqual([1, expect.stringMatching(/^Row,Line,Target/)]);
    expect(err).toMatch(/Stopped: (.*\n)+Ask for the rest: switchboard batch rest bat_\w+\n/);
    expect(err).toContain(seeded(8));
    const read = await run(['numbers_lookup', '--file', '-', '--csv', '-'], { stdin });
    expect([read.code, read.err]).toEqual([0, '']);
  });

  it('names the operation itself for a list of one row', async () => {
    const { code, err } = await run([...PARK, '--file', listOf(1), '--yes'], { tty: true });
    expect(code).toBe(2);
    expect(err.replace(/\s+/g, ' ')).toContain('this list has one. Use numbers_status for it.');
    expect(await world.sent(SENT)).toHaveLength(0);
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

  it('leaves a running batch to another process when it is to end', async () => {
    await world.control('faults', { path: SENT, times: 1, hangMs: 900 });
    const ended = await run([...PARK, '--file', listOf(3, 4, 5, 6), '--yes'], {
      tty: true,
      interruptAt: /being sent/,
      signal: 'SIGTERM',
    });
    expect([ended.code, ended.out]).toEqual([4, expect.stringMatching(/^Running: 1 being sent, 3 to go\./)]);
    const id = /bat_\w+/.exec(ended.out)?.[0] ?? '';
    await until(async () => (await world.runtime.batches.view(id, approver)).state === 'done', 'the batch is done');
  });

  it.each([
    ['Ctrl-C', { types: '\u0003' }],
    ['SIGTERM', { interruptAt: /\[y\/N\]/, signal: 'SIGTERM' }],
  ] as const)('withdraws its question at %s, and says so', async (_, how) => {
    const { code, out } = await run([...PARK, '--file', listOf(3, 4)], { tty: true, ...how });
    expect([code, out]).toEqual([3, expect.stringMatching(/^The question was withdrawn before a person decided\./)]);
    expect(await world.sent(SENT)).toHaveLength(0);
  });

  it.each([
    ['', 'the list is empty'],
    [`${seeded(3)}\n`, 'this list has one'],
    [`Phone,Note\n"${seeded(3)},x\n${seeded(4)},y\n`, 'not closed'],
    [Array.from({ length: 501 }, (_, n) => `+1201556${String(n).padStart(4, '0')}\n`).join(''), 'has 501'],
  ])('refuses a wrong list before it asks a script for --yes: %#', async (stdin, why) => {
    const { code, err } = await run([...PARK, '--file', '-'], { stdin });
    expect([code, json(err).error.code, json(err).error.message]).toEqual([
      2,
      'invalid_input',
      expect.stringContaining(why),
    ]);
  });

  it('names the rows that failed with the reason and the command to try them again', async () => {
    const stdin = `${seeded(1)}\n${seeded(99)}\n${seeded(98)}\n`;
    const { code, out, err } = await run(['numbers_lookup', '--file', '-'], { tty: true, stdin });
    expect(code).toBe(5);
    const id = /bat_\w+/.exec(out)?.[0];
    expect(out).toMatch(/^Partly done: 1 done, 2 failed\.\n/);
    expect(out).toMatch(/\n2 +\+12015550199 +failed +The platform said: “Number \+12015550199 not found\.”\n3 /);
    expect(out).not.toContain(seeded(1));
    expect(err).toContain(`\nAsk for the rest: switchboard batch rest ${id}\n`);
    expect(err).toContain(`\nAll rows as CSV: switchboard batch show ${id} --csv FILE\n`);
  });

  it('fits 40 columns and cuts no number, id or command', async () => {
    const how = { tty: true, columns: 40 };
    const planned = await run([...PARK, '--file', listOf(5, 6, 7)], { ...how, types: 'y' });
    const plan = planned.err.slice(0, planned.err.indexOf('Park '));
    expect(plan).toMatch(/^State +ready$/m);
    expect(plan).toMatch(/^State +left out\nReason/m);
    // The rows that the plan left out are on the screen already.
    expect(planned.out).not.toContain(seeded(7));
    const failed = await run(['numbers_lookup', '--file', '-'], { ...how, stdin: `${seeded(1)}\n${seeded(99)}\n` });
    const id = /bat_\w+/.exec(failed.out)?.[0] ?? '';
    const shown = await run(['show', id], how);
    const list = await run(['list'], how);
    expect(list.out).toMatch(new RegExp(`^Id +${id}$`, 'm'));
    for (const text of [failed.out, shown.out, list.out])
      for (const line of text.split('\n')) expect([...line].length, line).toBeLessThanOrEqual(40);
    // A moving line that is wider than the terminal would leave a copy of itself at each frame.
    const frames = failed.err.split('\u001b[2K').map((frame) => frame.split(/[\r\n]/)[0] ?? '');
    const drawn = frames.filter((frame) => frame.includes('░') || frame.includes('█'));
    for (const frame of drawn) expect([...frame].length, frame).toBeLessThan(40);
  });

  it('names rows that cannot be read as they were given', async () => {
    const list = `Phone\n${seeded(1)}\n555\n${seeded(1)}\n${seeded(99)}\n${seeded(98)}\n`;
    const { out } = await run(['numbers_lookup', '--file', '-', '--csv', '-'], { stdin: list });
    expect(out).toContain('Row,Line,Target,');
    expect(out).toMatch(/^2,3,555,left out,/m);
    const again = await run(['numbers_lookup', '--file', '-'], { tty: true, stdin: list });
    expect(again.out).toMatch(
      /\n2 +555 +left out +No line ends in 555.*\n3 +\+12015550101 +left out +It is on line 2 already\./,
    );
  });

  it('finds lines by their last digits, with one search for the list', async () => {
    const { out } = await run(['numbers_lookup', '--file', '-', '--csv', '-'], { stdin: '0102\n...0104\n' });
    for (const n of [2, 4]) expect(out).toContain(`,${seeded(n)},done,`);
  });

  it('leaves the question of an operator to an approver', async () => {
    const { code, out } = await run([...PARK, '--file', listOf(1, 2), '--yes'], { role: 'operator' });
    expect([code, json(out).status]).toEqual([3, 'waiting']);
    expect(await world.sent(SENT)).toHaveLength(0);
  });
});
