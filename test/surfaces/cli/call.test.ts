import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runCall } from '../../../src/surfaces/cli/call.ts';
import { tools } from '../../../tools/index.ts';
import { errorOf, run, world } from './support.ts';

describe('reading', () => {
  it('prints one JSON document in a pipe, and nothing on stderr', async () => {
    const { code, out, err } = await run(['numbers_get', 'PhoneNumber=+12015550101']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ Number: '+12015550101', Status: 'Active' });
    expect(out).toMatch(/^\{\n {2}"/);
    expect(err).toBe('');
    expect(world.closed).toBe(1);
  });

  it.each([
    [['numbers', 'get', '+12015550101']],
    [['Numbers', 'GET', 'phonenumber=+12015550101']],
    [['numbers', 'get', '--json', '{"PhoneNumber":"+12015550101"}']],
    [['numbers_get', '--json={"PhoneNumber":"+12015550199"}', 'PhoneNumber=+12015550101']],
  ])('takes %j', async (args) => {
    expect(JSON.parse((await run(args)).out).Number).toBe('+12015550101');
  });

  it('reads --json - from standard input', async () => {
    const { code, out } = await run(['numbers_get', '--json', '-'], { stdin: '{"PhoneNumber":"+12015550101"}' });
    expect([code, JSON.parse(out).Number]).toEqual([0, '+12015550101']);
  });

  it('prints for a reader on a terminal, and JSON there when asked', async () => {
    const table = await run(['numbers', '+12015550101'], { tty: true });
    expect(table.out).toMatch(/^ {2}Number +\+12015550101$/m);
    expect(table.out).toMatch(/^ {2}Status +Active$/m);
    const json = await run(['numbers', '+12015550101', '--output', 'json'], { tty: true });
    expect(JSON.parse(json.out).Number.Status).toBe('Active');
    const rows = await run(['numbers', 'inventory', '--output=table']);
    expect(rows.out).toMatch(/\+12015550103/);
  });
});

describe('wrong input', () => {
  it.each<[string[], RegExp]>([
    [[], /Name an operation/],
    [['numbers'], /Name an operation of numbers/],
    [['numbers_portin_updat', 'OrderId=x'], /Did you mean numbers_portin_update\?/],
    [['numbers', 'inventry'], /Did you mean switchboard call numbers inventory\?/],
    [['numbers_get', 'PhoneNumbr=+12015550101'], /did you mean PhoneNumber\?/],
    [
      ['numbers_status', '+12015550101', 'StatusChange=Parkd', 'EffectiveDate=12/01/2099'],
      /^StatusChange: must be one of: park, activate, another phone number \(swap\), .*; did you mean park\?/,
    ],
    [['numbers_get', 'PhoneNumber=12'], /not a phone number/],
    [['numbers_get', '--jsn', '{}'], /Did you mean --json\?/],
    [['numbers_get', '--json', '{"a'], /--json must be a JSON object/],
    [['numbers_get', '--json'], /--json .*argument missing/],
    [['numbers_get', '--output', 'xml'], /json or table/],
    [['numbers_get', '--json={}', '--json', '{}'], /--json was given twice/],
  ])('%j exits 2', async (args, message) => {
    const { code, out, err } = await run(args);
    expect(JSON.parse(err).error).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(message) });
    expect([code, out]).toEqual([2, '']);
  });

  it('exits 2 for a role that may not ask', async () => {
    const { code, err } = await run(['numbers_portin_cancel', 'OrderId=JNUOID-1', '--yes'], { role: 'viewer' });
    expect([code, errorOf(err).code]).toEqual([2, 'forbidden_by_role']);
  });
});

describe('terminals and pipes', () => {
  it('shows control characters of what the platform says instead of obeying them', async () => {
    world.fails = { code: 'bad_request', message: 'no\u001b[2J\u001b]0;owned\u0007 such', outcome: 'not_done' };
    const { err } = await run(['account', 'create', 'AccountName=Northwind', '--yes'], { tty: true });
    expect(err).toMatch(/\nno\[U\+001B\]\[2J\[U\+001B\]\]0;owned\[U\+0007\] such\n$/);
    expect(err).not.toContain('\u001b');
  });

  it('ends quietly when its reader has gone', async () => {
    const broken = new PassThrough();
    broken.write = (_chunk: unknown, done?: unknown) => {
      const error = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
      broken.destroy(error);
      if (typeof done === 'function') done(error);
      return false;
    };
    const err = new PassThrough();
    const code = await runCall(['--help'], {
      tools,
      stdin: new PassThrough(),
      stdout: broken,
      stderr: err,
      actor: { id: 'cli:ana', name: 'ana', role: 'approver', surface: 'cli', priority: 'person' },
      openDoor: () => Promise.reject(new Error('not needed')),
    });
    expect([code, err.read()]).toEqual([0, null]);
  });
});
