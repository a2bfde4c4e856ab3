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

  it('checks the input first', async () => {
    expect((await run(['numbers', 'cancel', 'PhoneNumbers=12'])).code).toBe(2);
  });

  it('shows on stderr of a pipe what changed where nobody is asked', async () => {
    const limit = ['numbers', 'data', 'usage', 'set', '+12015550101', 'LimitValue=77'];
    const { code, out, err } = await run(limit, { approval: everyWay({ asksOwn: false }) });
    expect([code, JSON.parse(out).Warning]).toEqual([0, undefined]);
    expect(err).toMatch(/^Changed:\n {2}Data limit: .* → 77 MB\n/);
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

  it('prints a made secret once, on stderr', async () => {
    const { code, out, err } = await run(['numbers_portout', '+12015550105', '--yes']);
    expect(code).toBe(0);
    const pin = /^PortOutPIN \(shown once\): (\d{6})\n$/m.exec(err)?.[1];
    expect(pin).toBeTruthy();
    expect(out).not.toContain(pin);
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
});
