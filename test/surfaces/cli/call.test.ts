import { execFile } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/demo/sandbox/index.ts';
import { Gate } from '../../../src/gate/gate.ts';
import type { Ledger } from '../../../src/gate/ledger/ledger.ts';
import { parseTokens } from '../../../src/language/parse.ts';
import { argumentToken } from '../../../src/language/tokens.ts';
import type { Actor } from '../../../src/lib/actor.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { type ErrorFace, SwitchboardError } from '../../../src/lib/errors.ts';
import { createRedactor } from '../../../src/lib/redact.ts';
import { createClient } from '../../../src/platform/client.ts';
import type { Client, Request } from '../../../src/platform/types.ts';
import { type CallIo, runCall } from '../../../src/surfaces/cli/call.ts';
import { tools } from '../../../tools/index.ts';
import { everyWay } from '../../support/approval.ts';
import { keptIn } from '../../support/here.ts';
import { openLedger } from '../../support/ledger.ts';

/** The real client on the sandbox, which can be made to wait or to fail. */
function clientOf(sandbox: Sandbox, world: World): Client {
  const client = createClient({
    baseUrl: sandbox.url,
    accountKey: 'DID-sandbox',
    accountSecret: 'sandbox-secret',
    timeZone: 'UTC',
    requestsPerMinute: 120,
    timeoutMs: 5000,
    clock: systemClock,
  });
  return {
    token: (endpoint, request) => client.token(endpoint, request),
    budget: () => client.budget(),
    close: () => client.close(),
    async send(request) {
      world.sent.push(request);
      if (world.waits) request.onWait?.('rate_limit', 8);
      if (world.fails && !request.read) throw new SwitchboardError(world.fails);
      return client.send(request);
    },
  };
}

interface World {
  sent: Request[];
  opened: number;
  closed: number;
  waits?: boolean;
  closesBadly?: boolean;
  fails?: ErrorFace;
}

interface How {
  tty?: boolean;
  /** Width of the terminal. */
  columns?: number;
  role?: Actor['role'];
  /** Who types; ana if left out. */
  as?: string;
  /** What is typed once the question stands; "eof" ends the input, "^C" interrupts. */
  types?: string;
  stdin?: string;
  /** Interrupts the process once the question stands. */
  interrupt?: boolean;
}

let sandbox: Sandbox;
let world: World;
let ledger: Ledger;

beforeEach(async () => {
  sandbox = await startSandbox();
  world = { sent: [], opened: 0, closed: 0 };
  ledger = openLedger();
});
afterEach(async () => {
  await ledger.close();
  await sandbox.close();
});

async function run(args: string[], how: How = {}) {
  const stream = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });
  const [stdin, stdout, stderr] = [stream(how.tty ?? false), stream(how.tty ?? false), stream(how.tty ?? false)];
  const said = { out: '', err: '' };
  stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  let interrupted: () => void = () => undefined;
  stderr.on('data', (chunk) => {
    said.err += chunk;
    if (how.interrupt && String(chunk).includes('[y/N]')) interrupted();
    if (how.types !== undefined && String(chunk).includes('[y/N]')) {
      if (how.types === 'eof') stdin.end();
      else stdin.write(how.types === '^C' ? '\u0003' : `${how.types}\n`);
    }
  });
  if (how.stdin !== undefined) stdin.end(how.stdin);
  const io: CallIo = {
    tools,
    stdin,
    stdout,
    stderr,
    columns: how.columns ?? 100,
    actor: {
      id: `cli:${how.as ?? 'ana'}`,
      name: how.as ?? 'ana',
      role: how.role ?? 'approver',
      surface: 'cli',
      priority: 'person',
    },
    openDoor: async () => {
      world.opened += 1;
      const client = clientOf(sandbox, world);
      const gate = new Gate({
        tools,
        ledger,
        client,
        clock: systemClock,
        redactor: createRedactor(['PortOutPIN', 'CurrentAccountPassword']),
        approval: everyWay(),
        confirmSeconds: 300,
        pageUrl: () => undefined,
        history: keptIn(ledger).history,
      });
      return {
        gate,
        close: async () => {
          world.closed += 1;
          await client.close();
          if (world.closesBadly) throw new Error('the store did not close');
        },
      };
    },
    onInterrupt: (stop) => {
      interrupted = stop;
      return () => undefined;
    },
  };
  const code = await runCall(args, io);
  return { code, ...said };
}

function errorOf(text: string): ErrorFace {
  return JSON.parse(text.slice(text.indexOf('{\n  "error"'))).error;
}

/** The status the sandbox itself has of a number (GET /sandbox/state). */
function statusOf(number: string, at: unknown = sandbox.state()): unknown {
  if (at === null || typeof at !== 'object') return undefined;
  if ('Number' in at && at.Number === number && 'Status' in at) return at.Status;
  return Object.values(at)
    .map((member) => statusOf(number, member))
    .find((status) => status !== undefined);
}

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

  it('reads --json - from standard input', async () => {
    const { code, out } = await run(['numbers_get', '--json', '-'], { stdin: '{"PhoneNumber":"+12015550101"}' });
    expect([code, JSON.parse(out).Number]).toEqual([0, '+12015550101']);
  });

  it('prints for a reader on a terminal, and JSON there when asked', async () => {
    const table = await run(['numbers', '+12015550101'], { tty: true });
    expect(table.out).toMatch(/^Number +\+12015550101$/m);
    expect(table.out).toMatch(/^Number: status +Active$/m);
    const json = await run(['numbers', '+12015550101', '--output', 'json'], { tty: true });
    expect(JSON.parse(json.out).Number.Status).toBe('Active');
    const rows = await run(['numbers', 'inventory', '--output=table']);
    expect(rows.out).toMatch(/\+12015550103/);
  });

  it('aligns columns by the width of what a terminal shows', async () => {
    const made = await run(['account', 'create', 'AccountName=Width']);
    const { AccountId } = JSON.parse(made.out);
    // Each name with the columns it takes: two for a CJK character or an emoji, none for a combining mark.
    const names = { 'Main line': 9, 東京本社: 8, 'Cafe\u0301': 4, '👩‍💻 desk': 7 };
    for (const name of Object.keys(names))
      await run(['voice_routes_create', `RouteName=${name}`, 'RouteType=Forward', `AccountId=${AccountId}`]);
    const { out } = await run(['account', 'voice', 'routes', AccountId], { tty: true, columns: 300 });
    const gaps = Object.entries(names).map(([name, columns]) => {
      const [, spaces = ''] = new RegExp(`  ${name}( +)Forward`).exec(out) ?? [];
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
    [['numbers', 'inventry'], /Did you mean numbers inventory\?/],
    [['numbers_get', 'PhoneNumbr=+12015550101'], /did you mean PhoneNumber\?/],
    [['numbers_get', 'PhoneNumber=12'], /not a phone number/],
    [['numbers_get', '--jsn', '{}'], /Did you mean --json\?/],
    [['numbers_get', '--json', '{"a'], /--json must be a JSON object/],
    [['numbers_get', '--json'], /--json needs a value/],
    [['numbers_get', '--output', 'xml'], /json or table/],
    [['numbers_get', '--yes=1'], /--yes takes no value/],
    [['numbers_get', '--json={}', '--json', '{}'], /--json was given twice/],
    [['numbers_get', '-5x'], /"-5x" fits no field/],
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

describe('what a person confirms', () => {
  const cancel = ['numbers', 'cancel', '+12015550103'];

  it('exits 3 without a terminal and without --yes, with nothing created or sent', async () => {
    const { code, out, err } = await run(cancel);
    expect(JSON.parse(err).error).toMatchObject({
      code: 'not_confirmed',
      outcome: 'not_done',
      message: expect.stringMatching(/--yes/),
    });
    expect([code, out, world.opened, world.sent]).toEqual([3, '', 0, []]);
    expect(await ledger.list({ limit: 10 })).toEqual([]);
  });

  it('checks the input first', async () => {
    expect((await run(['numbers', 'cancel', 'PhoneNumbers=12'])).code).toBe(2);
  });

  it('is done with --yes', async () => {
    const { code, out } = await run([...cancel, '--yes']);
    expect([code, statusOf('+12015550103')]).toEqual([0, 'Cancelled - Pending Delete']);
    expect(out).not.toContain('AuthCode');
  });

  it('shows the consent with the statement word for word, and is done on y', async () => {
    const { code, err } = await run(cancel, { tty: true, types: 'y' });
    expect(code).toBe(0);
    const statement = (await ledger.list({ limit: 10 })).find((action) => action.operation === 'numbers_cancel')
      ?.consent?.statement;
    expect(statement).toBeTruthy();
    expect(err).toContain(String(statement));
    expect(err).toMatch(/Expires \d{4}-/);
    expect(statusOf('+12015550103')).toBe('Cancelled - Pending Delete');
  });

  it.each(['', 'n', 'yess', 'eof', '^C'])('is not done on %j, which is told in a sentence', async (types) => {
    const { code, err } = await run(cancel, { tty: true, types });
    expect([code, err]).toEqual([3, expect.stringMatching(/Nothing was sent.*\n$/)]);
    expect(err).not.toContain('"error"');
    expect(statusOf('+12015550103')).toBe('Active');
    expect(world.sent.some((request) => request.path.endsWith('cancel-order-submit'))).toBe(false);
  });

  it('is voided when the process is interrupted while the question stands', async () => {
    const { code, err } = await run(cancel, { tty: true, interrupt: true });
    expect([code, err]).toEqual([3, expect.stringMatching(/Nothing was sent.*\n$/)]);
    expect((await ledger.list({ limit: 10 })).find((action) => action.operation === 'numbers_cancel')?.state).toBe(
      'declined',
    );
    expect(statusOf('+12015550103')).toBe('Active');
  });

  it('waits for an approver where the caller is none', async () => {
    const { code, err } = await run([...cancel, '--yes'], { role: 'operator' });
    expect([code, errorOf(err).message]).toEqual([3, expect.stringMatching(/waits for an approver/)]);
    expect(statusOf('+12015550103')).toBe('Active');
  });

  it('prints a made secret once, on stderr', async () => {
    const { code, out, err } = await run(['numbers_portout', '+12015550105', '--yes']);
    expect(code).toBe(0);
    const pin = /^PortOutPIN \(shown once\): (\d{6})\n$/.exec(err)?.[1];
    expect(pin).toBeTruthy();
    expect(out).not.toContain(pin);
  });

  it('exits 4 where the outcome is unknown, and asks before it sends the same again', async () => {
    world.fails = { code: 'network', message: 'The connection broke.', outcome: 'unknown' };
    const send = ['message', 'outbound', 'To=+12015550199', 'From=+12015550101', 'Body=Hello there'];
    const first = await run([...send, '--yes']);
    expect([first.code, errorOf(first.err).outcome]).toEqual([4, 'unknown']);
    expect((await run(send)).code).toBe(3);
  });

  it('does not take --yes for a call that may have been done already, until --again says so', async () => {
    world.fails = { code: 'network', message: 'The connection broke.', outcome: 'unknown' };
    const send = ['message', 'outbound', 'To=+12015550199', 'From=+12015550101', 'Body=Hello there', '--yes'];
    expect((await run(send)).code).toBe(4);
    const [first] = await ledger.list({ states: ['unknown'] });
    const tries = () => world.sent.filter((request) => !request.read).length;
    const once = tries();
    for (let n = 0; n < 2; n += 1) {
      const { code, err, out } = await run(send);
      expect([code, out]).toEqual([3, '']);
      const { message, outcome } = errorOf(err);
      expect(outcome).toBe('not_done');
      expect(message).toContain(first?.id);
      for (const word of ['confirmations_get', 'numbers lookup', '--yes --again']) expect(message).toContain(word);
    }
    expect(tries()).toBe(once);
    delete world.fails;
    expect((await run([...send, '--again'])).code).toBe(0);
    expect(tries()).toBe(once + 1);
  });

  it('shows the warning and asks on a terminal, although --yes is given', async () => {
    world.fails = { code: 'network', message: 'The connection broke.', outcome: 'unknown' };
    const send = ['message', 'outbound', 'To=+12015550199', 'From=+12015550101', 'Body=Hello there', '--yes'];
    expect((await run(send, { tty: true })).code).toBe(4);
    delete world.fails;
    const no = await run(send, { tty: true, types: 'n' });
    expect(no.code).toBe(3);
    expect(no.err).toMatch(/outcome is unknown: it may have been done already\. Check before confirming\./);
    expect((await run(send, { tty: true, types: 'y' })).code).toBe(0);
    // --again without --yes confirms nothing in a pipe.
    expect((await run(send.slice(0, -1).concat('--again'))).code).toBe(3);
  });

  it('does not take --yes for what somebody else sent before, with an unknown outcome', async () => {
    world.fails = { code: 'network', message: 'The connection broke.', outcome: 'unknown' };
    const send = ['message', 'outbound', 'To=+12015550199', 'From=+12015550101', 'Body=Hello there', '--yes'];
    expect((await run(send, { as: 'lee' })).code).toBe(4);
    const { code, err } = await run(send);
    expect(code).toBe(3);
    expect(errorOf(err).message).toContain('--yes --again');
  });

  it('does not repeat a write of unknown outcome unasked', async () => {
    world.fails = { code: 'network', message: 'The connection broke.', outcome: 'unknown' };
    const write = ['account', 'create', 'AccountName=Northwind'];
    expect((await run(write)).code).toBe(4);
    const sent = world.sent.filter((request) => !request.read).length;
    const again = await run(write);
    expect([again.code, errorOf(again.err).message]).toEqual([3, expect.stringMatching(/--yes/)]);
    expect(world.sent.filter((request) => !request.read)).toHaveLength(sent);
  });
});

describe('terminals and pipes', () => {
  it('shows control characters of what the platform says instead of obeying them', async () => {
    world.fails = { code: 'bad_request', message: 'no\u001b[2J\u001b]0;owned\u0007 such', outcome: 'not_done' };
    const { err } = await run(['account', 'create', 'AccountName=Northwind'], { tty: true });
    expect(err).toMatch(/^no\[U\+001B\]\[2J\[U\+001B\]\]0;owned\[U\+0007\] such\n$/);
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
    expect(out).toMatch(/PortInNumber +phone number +required/);
    expect(out).toContain('asks for confirmation, costs money');
    expect((await run(['numbers', 'portin', '--help'])).out).toBe(out);
    expect((await run(['numbers', 'portin', 'help'])).out).toBe(out);
    expect((await run(['numbers', '--help'])).out).toContain('numbers portin update');
    expect(world.opened).toBe(0);
  });
});

describe('an example in help', () => {
  it.each(['packages_create', 'numbers_portin', 'message_outbound'])('of %s is what a shell takes', async (id) => {
    const { out } = await run([id, '--help']);
    const line = /^Example: switchboard call (.*)$/m.exec(out)?.[1] ?? '';
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `printf '%s\\n' ${line}`]);
    const parsed = parseTokens(
      stdout.split('\n')[0] ?? '',
      stdout.trimEnd().split('\n').slice(1).map(argumentToken),
      tools,
    );
    expect(parsed.kind === 'call' && parsed.input).toEqual(tools.find((tool) => tool.id === id)?.examples[0]);
  });
});
