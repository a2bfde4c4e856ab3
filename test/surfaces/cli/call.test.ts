import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Gate } from '../../../src/gate/gate.ts';
import { qrLines } from '../../../src/lib/qr.ts';
import { localActor } from '../../../src/start/commands/call.ts';
import { runCall } from '../../../src/surfaces/cli/call.ts';
import { tools } from '../../../tools/index.ts';
import { actorOf, everyWay } from '../../support/approval.ts';
import { controlSandbox } from '../../support/on-sandbox.ts';
import { streams } from '../../support/streams.ts';
import { until } from '../../support/until.ts';
import { C_APPROVALS, U_LEAD } from '../slack/ids.ts';
import { decline, type Stage, stage } from '../slack/support.ts';
import { errorOf, ledger, run, sandbox, statusOf, world } from './support.ts';

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

  it('says which record was meant by the digits of a line', async () => {
    const { err } = await run(['voice_routes_get', 'CallRouteId=0103'], { tty: true });
    expect(err).toContain('"0103" was taken for Main SIP trunk.');
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
    [['numbers', 'cancel', 'PhoneNumbers=12'], /not a phone number/],
    [['numbers_find', 'BoughtFrom=2026-02-30'], /^BoughtFrom: there is no day 2026-02-30: [^.]*\.$/],
    [['numbers_find', 'UsedFrom=9', 'UsedTo=3'], /^UsedTo: 3 is less than UsedFrom\.$/],
    [['number', '+12015550101', 'parked', 'friday'], /"parked" fits no field of numbers lookup/],
    [['numbers_get', '--jsn', '{}'], /Did you mean --json\?/],
    [['numbers_get', '--json', '{"a'], /--json must be a JSON object/],
    [['numbers_get', '--json'], /--json .*argument missing/],
    [['numbers_get', '--output', 'xml'], /json or table/],
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

  it('keep the spaces of a value that will be sent', async () => {
    const body = `Two  spaces,   three, ${'and many words '.repeat(8)}`.trim();
    const words = ['message_outbound', 'From=+12015550101', 'To=+12015550199', `Body=${body}`];
    const { err } = await run(words, { tty: true, columns: 60, types: 'n' });
    expect(err).toContain(body);
  });

  it('draw the activation code of an eSIM with --qr, and after a change without it', async () => {
    const plain = await run(['numbers_get', '+12015550101'], { tty: true });
    expect(plain.out).not.toContain('█');
    expect(plain.out).toContain('--qr shows the activation code');
    const { out } = await run(['numbers_get', '+12015550101', '--qr'], { tty: true });
    const narrow = await run(['numbers_get', '+12015550101', '--qr'], { tty: true, columns: 40 });
    expect(narrow.out).toMatch(/The QR code needs 45 columns, and this\nterminal has 40\./);
    const { QrActivationLink } = JSON.parse((await run(['numbers_get', '+12015550101', '--qr'])).out);
    expect(out).toContain((qrLines(QrActivationLink, 'light') ?? []).join('\n'));
  });

  it('show an error as one sentence on a terminal and one document in a pipe', async () => {
    const { err } = await run(['numbers_get', 'PhoneNumber=+12015550199'], { tty: true });
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(errorOf((await run(['numbers_get', '+12015550199'])).err).message).toBe(err.trimEnd());
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
      ...{ tools, stdin: new PassThrough(), stdout: broken, stderr: err, actor: localActor('ana') },
      openDoor: () => Promise.reject(new Error('not needed')),
    });
    expect([code, err.read()]).toEqual([0, null]);
  });
});

describe('what a person confirms', () => {
  const cancel = ['numbers', 'cancel', '+12015550103'];

  it('exits 3 without a terminal and without --yes, with the change shown and nothing created or sent', async () => {
    const { code, out, err } = await run(cancel);
    expect(errorOf(err)).toEqual({
      code: 'not_confirmed',
      outcome: 'not_done',
      message:
        'Cancel +12015550103 must be confirmed by a person. Nothing was sent. Run it on a terminal, or add --yes.',
    });
    expect([code, out, world.sent.filter(({ read }) => !read)]).toEqual([3, '', []]);
    expect(await ledger.list({ limit: 10 })).toEqual([]);
    // The words of the question that a terminal asks. Only that one has requested the statement.
    const [shown = ''] = err.split('\n{\n');
    const asked = await run(cancel, { tty: true, columns: 1000, types: 'n' });
    const [later = ''] = /The platform’s consent statement .*/.exec(shown) ?? [];
    expect(later).not.toBe('');
    for (const line of shown.split('\n').filter((one) => !one.includes(later))) expect(asked.err).toContain(line);
    expect(shown).toMatch(/^Cancel .*0103\n\nCustomer: .*Ava Stone[\s\S]*What happens: [\s\S]*What changes:\n/);
  });

  it('shows a change that only its input makes one for an approver, and says what it does not cost', async () => {
    const { code, err } = await run(['numbers', 'update', '+12015550101', 'VoiceEnabled=false']);
    expect([code, errorOf(err).message]).toEqual([
      3,
      'Change +12015550101 must be confirmed by a person. Nothing was sent. Run it on a terminal, or add --yes.',
    ]);
    expect(err).toContain('No calls in or out any more.');
    const paid = await run(['numbers_reactivate', '+12015550107']);
    expect(paid.code).toBe(3);
    expect(errorOf(paid.err).message).toContain('Nothing was sent. Nothing was charged.');
    expect(paid.err).toMatch(/Cost: .*5 USD/);
  });

  it('shows on stderr of a pipe what changed where nobody is asked', async () => {
    const limit = ['numbers', 'data', 'usage', 'set', '+12015550101', 'LimitValue=77'];
    const { code, out, err } = await run(limit, { approval: everyWay({ asksOwn: false }) });
    expect([code, JSON.parse(out).Warning]).toEqual([0, undefined]);
    expect(err).toMatch(/^Changed:\n {2}Data limit: .* → 77 MB\n/);
  });

  it.each(['y\n', 'y', 'y\ny\n', '\u0003'])(
    'takes %j that was typed before the question for no yes',
    async (typedBefore) => {
      const { code, err } = await run(cancel, { tty: true, typedBefore, types: 'n' });
      expect([code, statusOf('+12015550103')]).toEqual([3, 'Active']);
      expect(err).toContain('Nothing was sent');
    },
  );

  it('shows the consent with the statement word for word, and is done on y', async () => {
    const { code, err } = await run(cancel, { tty: true, types: 'y' });
    expect(code).toBe(0);
    const [asked] = await ledger.list({ limit: 1, whole: true });
    const statement = asked?.consent?.statement;
    expect(statement).toBeTruthy();
    expect(err).toContain(String(statement));
    expect(err).toMatch(/Expires \d{4}-/);
    expect(statusOf('+12015550103')).toBe('Cancelled - Pending Delete');
  });

  const answers = ['', 'n', 'yess', 'eof', '^C'].map((types) => ({ types }));
  it.each([...answers, { interruptAt: /\[y\/N\]/ }])('is not done on %j, which is told in a sentence', async (how) => {
    const { code, err } = await run(cancel, { tty: true, ...how });
    expect([code, err]).toEqual([3, expect.stringMatching(/Nothing was sent.*\n$/)]);
    expect(err).not.toContain('"error"');
    expect((await ledger.list({ limit: 1, whole: true }))[0]?.state).toBe('declined');
    expect(statusOf('+12015550103')).toBe('Active');
    expect(world.sent.some((request) => request.path.endsWith('cancel-order-submit'))).toBe(false);
  });

  it('waits for an approver where the caller is none', async () => {
    const { code, err } = await run([...cancel, '--yes'], { role: 'operator' });
    expect([code, errorOf(err).message]).toEqual([3, expect.stringMatching(/waits for an approver/)]);
    expect(statusOf('+12015550103')).toBe('Active');
  });

  it.each([
    [{ via: ['page'] }, 3, 'not_confirmed', 'waits for an approver on the confirmation page'],
    [{ twoPerson: true, via: ['terminal'] }, 2, 'forbidden_by_role', 'CONFIRM_TWO_PERSON'],
  ] as const)('is not confirmed by --yes where the terminal may not confirm: %j', async (rules, code, error, says) => {
    const ran = await run([...cancel, '--yes'], { approval: everyWay(rules) });
    expect([ran.code, ran.out, errorOf(ran.err)]).toMatchObject([
      code,
      '',
      { code: error, outcome: 'not_done', message: expect.stringContaining(says) },
    ]);
    expect(statusOf('+12015550103')).toBe('Active');
  });

  it.each([
    { tty: false, says: /^Change \+12015550104\n\n(.*\n)+What changes:\n.*“Q”(.*\n)+\{\n {2}"error"/ },
    { tty: true, says: /^Change \+12015550104\n\n(.*\n)+What changes:\n.*“Q”[\s\S]*confirmations_get id=act_/ },
  ])('shows a change that others confirm, and says who may where: on a terminal %j', async ({ tty, says }) => {
    const how = { tty, approval: everyWay({ via: ['slack', 'page'] }) };
    const { code, err } = await run(['numbers_update', '+12015550104', 'CnamFirstName=Q'], how);
    expect([code, err]).toEqual([3, expect.stringMatching(says)]);
    expect(err.replace(/\s+/g, ' ')).toContain(
      'waits for an operator in Slack or an approver on the confirmation page',
    );
  });

  it.each([
    ['account_create', 'AccountName', 'It can be changed, and not deleted here.'],
    ['subscriptions_features_add', 'FeatureName', 'It can be deleted, and not changed here.'],
  ])('says of a new record what can be done with it: %s', async (operation, name, undo) => {
    const { err } = await run([operation, `${name}=New`]);
    expect(err).toContain(`\nUndo: ${undo}\n`);
  });

  it('shows the whole change that --yes confirms on stderr, and only the answer on stdout', async () => {
    const name = ['numbers_update', '+12015550104', 'CnamFirstName=Q'];
    const shown = await run([...name, '--yes'], { tty: true });
    const question = (name: string) =>
      new RegExp(
        `^Change .*0104\\n\\nCustomer: (.*\\n)+What happens: (.*\\n)+What changes:\\n  Caller first name, part of the caller name: .*“${name}”`,
      );
    expect([shown.code, shown.err]).toEqual([0, expect.stringMatching(question('Q'))]);
    expect(shown.err.slice(shown.err.indexOf('Changed:'))).toMatch(
      /^Changed:\n {2}Caller first name, part of the caller name: .*Q/,
    );
    const piped = await run(['numbers_update', '+12015550104', 'CnamFirstName=R', '--yes']);
    expect([piped.err, piped.out]).toEqual([expect.stringMatching(question('R')), expect.stringMatching(/^\{/)]);
    const table = await run(['numbers_update', '+12015550104', 'CnamFirstName=S', '--yes', '--output', 'table']);
    expect(table.out).toMatch(/^Changed:\n {2}Caller first name, part of the caller name: .*“S”.*\n/);
  });

  it('does not take --yes for a call that was done or may have been, until --again says so', async () => {
    world.fails = { code: 'network', message: 'The connection broke.', outcome: 'unknown' };
    const send = ['message', 'outbound', 'To=+12015550199', 'From=+12015550101', 'Body=Hello there', '--yes'];
    expect((await run(send)).code).toBe(4);
    const [first] = await ledger.list({ states: ['unknown'] });
    const tries = () => world.sent.filter((request) => !request.read).length;
    const once = tries();
    for (let n = 0; n < 2; n += 1) {
      const { code, err, out } = await run(send);
      expect([code, out]).toEqual([3, '']);
      const { message, outcome, reason } = errorOf(err);
      expect([outcome, reason]).toEqual(['not_done', undefined]);
      // The question with its warning was shown.
      expect(err).toMatch(/What happens: [\s\S]*outcome is unknown: it may have been done already/);
      expect(message).toContain(first?.id);
      for (const word of ['confirmations_get', 'numbers lookup', '--yes --again']) expect(message).toContain(word);
    }
    expect(tries()).toBe(once);
    delete world.fails;
    expect((await run([...send, '--again'])).code).toBe(0);
    expect(tries()).toBe(once + 1);
    // One's own call that was done is one too.
    const other = send.map((word) => word.replace('Hello', 'Bye'));
    const runs = [await run(other), await run(other), await run([...other, '--again'])];
    expect([...runs.map(({ code }) => code), tries()]).toEqual([0, 3, 0, once + 3]);
    expect(runs[1]?.err).toMatch(/The same call was sent at .*; it was done\. Confirming does it a second time/);
  });

  it('waits for the same call that another process sends, and tells its result', async () => {
    const send = ['message', 'outbound', 'To=+12015550199', 'From=+12015550101', 'Body=Hello there', '--yes'];
    await controlSandbox(sandbox.url, 'faults', { path: '/v1.0/message/outbound', times: 1, hangMs: 1_500 });
    const first = run(send);
    await until(async () => (await ledger.list({ states: ['in_flight'] })).length === 1, 'the first call is sent');
    const [one, other] = [await run(send), await first];
    expect([one.code, other.code]).toEqual([0, 0]);
    expect(JSON.parse(one.out).Warning).toMatch(/Nothing was sent now: this is the result of the same call/);
    expect(world.sent.filter((request) => !request.read)).toHaveLength(1);
  });
});

describe('a name in place of a number or an id', () => {
  it.each([
    [['numbers', 'get', 'ben', 'reed'], { Number: '+12015550102' }],
    [['numbers_get', 'PhoneNumber=0102'], { Number: '+12015550102' }],
    [['subscribers', 'get', '0102'], { Name: 'Ben Reed' }],
    [['message', 'routes', 'main'], { RouteName: 'Main SMS route' }],
    [['number', '0101', '0102'], { Numbers: [{ Number: '+12015550101' }, { Number: '+12015550102' }] }],
  ])('is found: %j', async (words, record) => {
    const { code, out } = await run(words);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject(record);
  });

  it.each([
    ['2', 0, /Ava Stone · \(201\) 555-0103/],
    ['no', 3, /Nothing was sent/],
  ])('is chosen from a list on a terminal: %s', async (types, code, text) => {
    const done = await run(['numbers', 'diagnose', 'ava'], { tty: true, types });
    expect(done.code).toBe(code);
    expect(`${done.out}${done.err}`).toMatch(text);
  });

  it('is never guessed: several are listed, and nothing is asked', async () => {
    const several = await run(['numbers', 'cancel', 'acme', '--yes'], { tty: true });
    expect(several.code).toBe(2);
    expect(several.err).toContain('Which number is "acme"?');
    expect(several.err).toContain('+12015550101  Ava Stone · (201) 555-0101 · Acme Mobile');
    const none = await run(['numbers', 'cancel', 'nobody', '--yes'], { tty: true });
    expect(none.code).toBe(2);
    expect(none.err).toContain('No number matches "nobody"');
  });
});

describe('a list on a terminal', () => {
  const inventory = ['numbers', 'inventory'];

  it('has every member with --wide, and is never cut in a pipe', async () => {
    const wide = await run([...inventory, '--wide'], { tty: true, columns: 80 });
    expect(wide.out).toMatch(/^Phone numbers \(10\)\n.*Next swap reset date/m);
    const piped = await run([...inventory, '--output', 'table'], { columns: 80 });
    expect(piped.out).toBe(wide.out);
  });

  it.each([{ tty: true }, { tty: false }])('refuses a member of --fields that no record has (%j)', async (how) => {
    const { code, out, err } = await run([...inventory, '--fields', 'Number,Statsu'], how);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/no member Statsu\. Did you mean Status\?/);
    // A change is refused before it is sent.
    const change = await run(['numbers_reactivate', '+12015550107', '--yes', '--fields', 'Statsu'], how);
    expect([change.code, statusOf('+12015550107')]).toEqual([2, 'Cancelled - Pending Delete']);
    expect(change.err).toMatch(/Did you mean Status\?/);
  });
});

describe('waiting', () => {
  it('for an answer ends when somebody else confirms, with the result', async () => {
    let gate: Gate | undefined;
    const running = run(['numbers', 'cancel', '+12015550103'], {
      tty: true,
      onGate: (opened) => {
        gate = opened;
      },
    });
    await until(async () => (await ledger.list({ states: ['pending'] })).length === 1);
    const [action] = await ledger.list({ states: ['pending'] });
    const lee = actorOf('slack:T1/U2', { person: 'slack:T1/U2', surface: 'slack' });
    await gate?.confirm(action?.id ?? '', lee, 'slack');
    const { code, err } = await running;
    expect([code, statusOf('+12015550103')]).toEqual([0, 'Cancelled - Pending Delete']);
    expect(err).toMatch(/\nConfirmed by slack:T1\/U2/);
  });

  it('for somebody else ends when its requester, and nobody else, withdraws it', async () => {
    const how = { approval: everyWay({ via: ['page'] }) };
    await run(['numbers', 'cancel', '+12015550103', '--yes'], how);
    const [{ id = '' } = {}] = await ledger.list({ states: ['pending'] });
    const withdraw = ['Confirmations', 'Withdraw', `id=${id}`];
    expect((await run(['confirmations_withdraw'])).err).toContain('call confirmations_withdraw id=act_…');
    const others = await run(withdraw, { ...how, as: 'eve' });
    expect([others.code, (await ledger.get(id))?.state]).toEqual([2, 'pending']);
    const own = await run(withdraw, how);
    expect([own.code, JSON.parse(own.out)]).toMatchObject([
      0,
      { id, status: 'declined', error: { reason: 'withdrawn' } },
    ]);
    expect(errorOf((await run(withdraw, how)).err).code).toBe('not_confirmed');
  });
});

describe('Ctrl-C', () => {
  const write = ['account', 'create', 'AccountName=Northwind', '--yes'];

  it('says that nothing was sent while the request waits', async () => {
    world.holds = true;
    world.waits = true;
    const { code, err } = await run(write, { tty: true, interruptAt: /Waiting for the platform/ });
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(
        /\n\nWaiting for the platform's rate limit, about 8 s\nStopped. Nothing was sent. Run it again if it is still needed.\n$/,
      ),
    ]);
    expect((await ledger.list({ limit: 5 }))[0]?.state).toBe('failed');
  });

  it('a second time stops waiting: the outcome is unknown, with the way to follow it', async () => {
    await controlSandbox(sandbox.url, 'faults', { path: '/v1.0/account', times: 1, hangMs: 20_000 });
    const { code, err } = await run(write, { tty: true, interruptSent: true, interruptAt: /already sent/ });
    expect(code).toBe(4);
    expect(err).toMatch(
      /its outcome is not known yet\. Follow it with:\s+switchboard call confirmations_get id=act_\S+\n$/,
    );
  });
});

/** Ends a question that waits on a terminal in another way than there. */
const ENDS: [what: string, end: (s: Stage) => unknown, says: RegExp, outcome: object][] = [
  [
    'nobody answers in time expires, and nobody is said to have declined it',
    (s) => s.clock.skip(8 * 3_600_000 + 1_000),
    /Nobody decided in time/,
    { state: 'expired', decidedBy: undefined },
  ],
  [
    'another person declines ends there',
    async (s) => decline(s, { user: U_LEAD, messageTs: (await s.card(C_APPROVALS)).ts }, 'Not before Monday'),
    /\[y\/N\].*\nDeclined by slack:\S+ \(.+\): “Not before Monday” Nothing was sent\./,
    { state: 'declined' },
  ],
];

it.each(ENDS)('a question on the terminal, with the reason of who asks, that %s', async (_what, end, says, outcome) => {
  const s = await stage({ CONFIRM_VIA: ['slack', 'terminal'] });
  const { stdin, stdout, stderr, said } = streams(true);
  const code = runCall(['numbers_reactivate', '+12015550107', '--reason', 'approved by Lee'], {
    ...{ tools, stdin, stdout, stderr, actor: localActor('ana') },
    openDoor: async () => ({ gate: s.gate, close: async () => undefined }),
  });
  await until(() => said.err.includes('[y/N]'), 'the question');
  expect(said.err).toContain('Reason given by local:ana (ana):\n> approved by Lee\n');
  await end(s);
  expect(await code).toBe(3);
  expect(said.err).toMatch(says);
  expect((await s.gate.actions.list({}))[0]).toMatchObject(outcome);
  expect(await s.requests('/numbers/reactivate')).toEqual([]);
});
