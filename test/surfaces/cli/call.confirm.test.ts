import { describe, expect, it } from 'vitest';
import { everyWay } from '../../support/approval.ts';
import { controlSandbox } from '../../support/on-sandbox.ts';
import { until } from '../../support/until.ts';
import { errorOf, ledger, run, sandbox, statusOf, world } from './support.ts';

describe('what a person confirms', () => {
  const cancel = ['numbers', 'cancel', '+12015550103'];

  it('exits 3 without a terminal and without --yes, with the change shown and nothing created or sent', async () => {
    const { code, out, err } = await run(cancel);
    expect(errorOf(err)).toEqual({
      code: 'not_confirmed',
      outcome: 'not_done',
      message:
        'Cancel +12015550103 must be confirmed by a person. Nothing was sent. Run it on a terminal, or add --yes to confirm it.',
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
      'Change +12015550101 must be confirmed by a person. Nothing was sent. Run it on a terminal, or add --yes to confirm it.',
    ]);
    expect(err).toContain('No calls in or out any more.');
    const paid = await run(['numbers_reactivate', '+12015550107']);
    expect([paid.code, errorOf(paid.err)]).toEqual([
      3,
      expect.objectContaining({ message: expect.stringContaining('Nothing was sent. Nothing was charged.') }),
    ]);
    expect(paid.err).toMatch(/Cost: .*5 USD/);
  });

  it('leaves what waits as it is where nobody can be asked', async () => {
    const limit = (mb: number) => ['numbers', 'data', 'usage', 'set', '+12015550101', `LimitValue=${mb}`];
    await run([...limit(300), '--yes'], { approval: everyWay({ via: ['page'] }) });
    const [waiting] = await ledger.list({ states: ['pending'] });
    const { code, err } = await run(limit(400));
    expect([code, err]).toEqual([3, expect.stringMatching(/Data limit: .* → 400 MB/)]);
    expect((await ledger.list({ limit: 10 })).map(({ id, state }) => [id, state])).toEqual([[waiting?.id, 'pending']]);
  });

  it('checks the input first', async () => {
    expect((await run(['numbers', 'cancel', 'PhoneNumbers=12'])).code).toBe(2);
  });

  it('names the page and how to open it where only the page may confirm', async () => {
    const { code, err } = await run([...cancel, '--yes'], { approval: everyWay({ via: ['page'] }) });
    const { message, code: failed } = errorOf(err);
    expect([code, failed]).toEqual([3, 'not_confirmed']);
    expect(message).toMatch(
      /Its page is \/confirm\/act_[\w-]+ of "switchboard start"; "switchboard key" prints the link/,
    );
  });

  it('names only the places where somebody else can confirm under two-person approval', async () => {
    const demo = await run([...cancel, '--yes'], { approval: everyWay({ twoPerson: true }) });
    expect([demo.code, errorOf(demo.err).message]).toEqual([
      3,
      expect.stringMatching(/another approver in Slack until/),
    ]);
    expect(demo.err).not.toMatch(/switchboard key|\/confirm\//);
    const tokens = everyWay({ twoPerson: true, pairing: false, pageApprovers: ['token:lee'] });
    const served = await run([...cancel, '--yes'], { approval: tokens });
    expect(errorOf(served.err).message).toMatch(
      /\/confirm\/act_[\w-]+ of "switchboard start"; whoever confirms signs in there\./,
    );
    expect(served.err).not.toContain('switchboard key');
  });

  it('shows on stderr of a pipe what changed where nobody is asked', async () => {
    const limit = ['numbers', 'data', 'usage', 'set', '+12015550101', 'LimitValue=77'];
    const { code, out, err } = await run(limit, { approval: everyWay({ asksOwn: false }) });
    expect([code, JSON.parse(out).Warning]).toEqual([0, undefined]);
    expect(err).toMatch(/^Changed:\n {2}Data limit: .* → 77 MB\n/);
  });

  it('is done with --yes', async () => {
    const { code, out } = await run([...cancel, '--yes']);
    expect([code, statusOf('+12015550103')]).toEqual([0, 'Cancelled - Pending Delete']);
    expect(out).not.toContain('AuthCode');
  });

  it.each(['y\n', 'y', 'y\ny\n'])('takes %j that was typed before the question for no answer', async (typedBefore) => {
    const { code } = await run(cancel, { tty: true, typedBefore, types: 'n' });
    expect([code, statusOf('+12015550103')]).toEqual([3, 'Active']);
  });

  it('withdraws the question where Ctrl-C was pressed before it', async () => {
    const { code, err } = await run(cancel, { tty: true, typedBefore: '\u0003' });
    expect([code, statusOf('+12015550103')]).toEqual([3, 'Active']);
    expect(err).toContain('Nothing was sent');
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

  it('names the cost of what --yes confirms, and of a call that fails in a pipe only the error', async () => {
    const { code, err } = await run(['numbers_reactivate', '+12015550107', '--yes']);
    expect([code, err]).toEqual([0, expect.stringMatching(/Cost: .*5 USD/)]);
    const failed = await run(['numbers_reactivate', '+12015550108', '--yes']);
    expect([failed.code, errorOf(failed.err).outcome]).toEqual([1, 'not_done']);
  });

  it('leaves a number out of what was changed for which nothing was done', async () => {
    const numbers = ['numbers', 'cancel', 'PhoneNumbers=+12015550103,+12015550107', '--yes'];
    const { code, err } = await run(numbers, { tty: true });
    expect(code).toBe(5);
    const [, changed = ''] = err.split('Changed:');
    expect(changed).toContain('+12015550103');
    expect(changed).not.toContain('+12015550107');
    const action = (await ledger.list({ limit: 10 })).find(({ operation }) => operation === 'numbers_cancel');
    const { rows, concerns } = (action?.known.change ?? {}) as { rows: { of: string }[]; concerns: string[] };
    expect([rows.map(({ of }) => of), concerns.join()]).toEqual([
      ['+12015550103'],
      expect.not.stringContaining('no subscriber'),
    ]);
  });

  it.each(['a\u0000b', 'a\ud800b', 'a\u200bb'])('keeps a reason that can be stored and sealed: %j', async (reason) => {
    const { code } = await run([...cancel, '--reason', reason, '--yes']);
    expect(code).toBe(0);
    const action = (await ledger.list({ limit: 10 })).find(({ operation }) => operation === 'numbers_cancel');
    expect(action?.reason).toMatch(/^a ?b$/);
  });

  it('prints a made secret once, on stderr', async () => {
    const { code, out, err } = await run(['numbers_portout', '+12015550105', '--yes']);
    expect(code).toBe(0);
    const pin = /^PortOutPIN \(shown once\): (\d{6})\n$/m.exec(err)?.[1];
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
  });

  it('shows the warning and asks on a terminal, although --yes is given', async () => {
    world.fails = { code: 'network', message: 'The connection broke.', outcome: 'unknown' };
    const send = ['message', 'outbound', 'To=+12015550199', 'From=+12015550101', 'Body=Hello there', '--yes'];
    expect((await run(send, { tty: true })).code).toBe(4);
    delete world.fails;
    const no = await run(send, { tty: true, types: 'n' });
    expect(no.code).toBe(3);
    expect(no.err.replace(/\n +/g, ' ')).toMatch(
      /outcome is unknown: it may have been done already\. Check before confirming\./,
    );
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

  it('exits 4 where the same call of another process has not ended in time', async () => {
    const send = ['message', 'outbound', 'To=+12015550199', 'From=+12015550101', 'Body=Hello there', '--yes'];
    await controlSandbox(sandbox.url, 'faults', { path: '/v1.0/message/outbound', times: 1, hangMs: 2_000 });
    const first = run(send);
    await until(async () => (await ledger.list({ states: ['in_flight'] })).length === 1, 'the first call is sent');
    const { code, err } = await run(send, { seconds: 0.5 });
    expect([code, errorOf(err)]).toEqual([4, expect.objectContaining({ code: 'timeout', outcome: 'unknown' })]);
    expect(errorOf(err).message).toMatch(/is running.*Nothing more was sent.*confirmations_get id=act_/);
    expect((await first).code).toBe(0);
  });

  it('does not repeat a write of unknown outcome unasked', async () => {
    world.fails = { code: 'network', message: 'The connection broke.', outcome: 'unknown' };
    const write = ['account', 'create', 'AccountName=Northwind'];
    expect((await run([...write, '--yes'])).code).toBe(4);
    const sent = world.sent.filter((request) => !request.read).length;
    const again = await run(write);
    expect([again.code, errorOf(again.err).message]).toEqual([3, expect.stringMatching(/--yes/)]);
    expect(world.sent.filter((request) => !request.read)).toHaveLength(sent);
  });
});
