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

  it('keeps the answer when closing fails', async () => {
    world.closesBadly = true;
    const { code, out } = await run(['numbers_get', '+12015550101']);
    expect([code, JSON.parse(out).Number]).toEqual([0, '+12015550101']);
  });

  it.each([
    [['numbers', 'get', '+12015550101']],
    [['Numbers', 'GET', 'phonenumber=+12015550101']],
    [['numbers', 'get', '--json', '{"PhoneNumber":"+12015550101"}']],
    [['numbers_get', '--json={"PhoneNumber":"+12015550199"}', 'PhoneNumber=+12015550101']],
  ])('takes %j', async (args) => {
    expect(JSON.parse((await run(args)).out).Number).toBe('+12015550101');
  });

  it.each([[['number']], [['numbers', 'lookup']], [['numbers_lookup']]])(
    'looks two numbers up with %j',
    async (words) => {
      const { code, out } = await run([...words, '+1', '(201)', '555-0101', '+12015550103']);
      const { Numbers } = JSON.parse(out);
      expect([code, Numbers.map((row: { Number: string }) => row.Number)]).toEqual([
        0,
        ['+12015550101', '+12015550103'],
      ]);
      expect(Numbers[0]).toMatchObject({ Customer: 'Ava Stone', LimitValue: 20, Used: expect.any(String) });
    },
  );

  it('suggests commands without JSON', async () => {
    const { out } = await run(['numbers', 'diagnose', '+12015550110'], { tty: true });
    expect(out).toMatch(/switchboard call numbers_update Number=/);
    expect(out).not.toMatch(/[{}[\]"]/);
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

  it('aligns columns by the width of what a terminal shows', async () => {
    const made = await run(['account', 'create', 'AccountName=Width', '--yes']);
    const { AccountId } = JSON.parse(made.out);
    // Each name with the columns it takes: two for a CJK character or an emoji, none for a combining mark.
    const names = { 'Main line': 9, 東京本社: 8, 'Cafe\u0301': 4, '👩‍💻 desk': 7 };
    for (const name of Object.keys(names))
      await run(['voice_routes_create', `RouteName=${name}`, 'RouteType=Forward', `AccountId=${AccountId}`, '--yes']);
    const { out } = await run(['account', 'voice', 'routes', AccountId, '--fields', 'RouteName,RouteType'], {
      tty: true,
    });
    const gaps = Object.entries(names).map(([name, columns]) => {
      const [, spaces = ''] = new RegExp(`^${name}( +)Forward`, 'm').exec(out) ?? [];
      return columns + spaces.length;
    });
    expect(gaps).toEqual([12, 12, 12, 12]);
  });

  it('tells waiting on a terminal, and keeps stderr to one JSON document in a pipe', async () => {
    world.waits = true;
    expect((await run(['numbers_get', '+12015550101'], { tty: true })).err).toContain(
      'waiting for the rate limit, about 8 s',
    );
    const refused = await run(['numbers_get', '+12015550199']);
    expect(JSON.parse(refused.err).error).toMatchObject({ code: 'not_found', outcome: 'not_done', status: 404 });
    expect(refused.code).toBe(1);
  });
});

describe('wrong input', () => {
  it.each<[string[], RegExp]>([
    [[], /Name an operation/],
    [['numbers'], /Name an operation of numbers/],
    [['numbers_portin_updat', 'OrderId=x'], /Did you mean numbers_portin_update\?/],
    [['numbers', 'inventry'], /Did you mean switchboard call numbers inventory\?/],
    [['numbers_get', 'PhoneNumbr=+12015550101'], /did you mean PhoneNumber\?/],
    [['numbers_update', 'CallRouteId=x'], /^CallRouteId: .*; did you mean MessageRouteId or VoiceRouteId\?/],
    [
      ['numbers_cancel', '+12015550103', 'EffectiveDate=12/01/2099'],
      /^EffectiveDate: is not a field of numbers cancel;/,
    ],
    [['numbers_find', 'HasPlan=false'], /^HasPlan: .* did you mean Plan\?/],
    [['numbers_find', 'Foo=1'], /^Foo: .* the fields are Query, (?:\w+, ){6}\w+ and \d+ more\./],
    [['numbers_find', '--json', '{"Foo":1}'], /^Foo: .* the fields are Query, (?:\w+, ){6}\w+ and \d+ more\./],
    [
      ['numbers_status', '+12015550101', 'StatusChange=Parkd', 'EffectiveDate=12/01/2099'],
      /^StatusChange: must be one of: pause the service \(park\), .*; did you mean park\?/,
    ],
    [['products_create', 'BillingFrequency=weekly'], /must be monthly \(MRC\), one-time \(NRC\) or usage-based/],
    [['numbers_get', 'PhoneNumber=12'], /not a phone number/],
    [['numbers_get', '--jsn', '{}'], /Did you mean --json\?/],
    [['numbers_get', '--json', '{"a'], /--json must be a JSON object/],
    [['numbers_get', '--json'], /--json .*argument missing/],
    [['numbers_get', '--output', 'xml'], /json or table/],
    [['numbers_get', '--yes=1'], /--yes.* does not take an argument/],
    [['numbers_get', '-5x'], /-5x is not an option/],
    [['numbers_reactivate', 'PhoneNumber=12', '--yes'], /not a phone number/],
  ])('%j exits 2 before anything is opened', async (args, message) => {
    const { code, out, err } = await run(args);
    expect(JSON.parse(err).error).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(message) });
    expect([code, out, world.opened]).toEqual([2, '', 0]);
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

describe('help', () => {
  it('names every exit status', async () => {
    expect((await run(['--help'])).out.replace(/\s+/g, ' ')).toContain('4 outcome unknown, 5 partly done.');
  });

  it('lists operations under their groups', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const tool of tools) expect(out).toContain(tool.id);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('tells an operation by id and by words', async () => {
    const { out } = await run(['numbers_portin', '--help']);
    expect(out).toMatch(/^ {2}PortInNumber +Required\. .*\(phone number\)$/m);
    expect(out).toContain('asks for confirmation, costs money');
    expect((await run(['numbers', 'portin', '--help'])).out).toBe(out);
    expect((await run(['numbers', 'portin', 'help'])).out).toBe(out);
    expect((await run(['numbers', '--help'])).out).toMatch(/^ {2}portin update +\S/m);
    expect(world.opened).toBe(0);
  });
});
