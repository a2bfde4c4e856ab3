import { describe, expect, it } from 'vitest';
import {
  ASSISTANT,
  C_APPROVALS,
  cards,
  type Stage,
  U_AGENT,
  U_LEAD,
  U_OTHER,
  U_VIEW,
  until,
  whisper,
} from '../support.ts';
import { begin, CANCELLED, decline, ended, execution, press, question, stepStage, storedBytes } from './stepping.ts';

const HOUR_MS = 3_600_000;

/** The details of a port-in, as a workflow's form collects them. */
const PORT_IN = {
  number: '+13125550150',
  carrier: 'Lakeside Wireless',
  account_number: '46512222',
  account_pin: '8642097531',
  street: '1 Main St',
  city: 'Chicago',
  state: 'IL',
  zip: '60601',
  account: 'AID-00000000-0000-4000-8000-000000000001',
};

describe('a step that looks up', () => {
  it('ends at once with the fields of the number, and no secret', async () => {
    const s = await stepStage();
    const { outputs } = await ended(s, await begin(s, 'look_up_number', { number: '+12015550101' }));
    expect(outputs).toEqual({
      status: 'found',
      message: expect.stringContaining('Active'),
      summary: expect.stringContaining('Active'),
      state: 'Active',
      kind: 'mvno',
      plan: '',
      customer: 'Ava Stone',
    });
    expect(s.logged.join('\n')).toContain('a step of a workflow looked something up');
    expect(cards(s.ws, C_APPROVALS)).toEqual([]);
  });

  it.each(['0102', 'ben reed'])('takes %j for the number that it means', async (number) => {
    const s = await stepStage();
    const { outputs } = await ended(s, await begin(s, 'look_up_number', { number }));
    expect(outputs).toMatchObject({ status: 'found', customer: 'Ben Reed' });
  });

  it('ends with not_found for a number of nobody', async () => {
    const s = await stepStage();
    const { outputs } = await ended(s, await begin(s, 'look_up_number', { number: '+19175550000' }));
    expect(outputs).toMatchObject({ status: 'not_found', customer: '' });
  });

  it('ends with failed when the platform is down', async () => {
    const s = await stepStage();
    await s.control('faults', { path: '/v1.0/numbers', times: 20, status: 400 });
    const { outputs } = await ended(s, await begin(s, 'look_up_number', { number: '+12015550101' }));
    expect(outputs).toMatchObject({ status: 'failed' });
  });

  it.each([
    [{ number: 'ring me at 5551234' }, 'These inputs of the step are not valid: Phone number.'],
    [{ number: 'ava' }, 'This input of the step does not mean exactly one record: Phone number.'],
    [{}, 'The step lacks: Phone number.'],
    [{ number: '+12015550101', claimed_user: '' }, 'For whom'],
    [{ number: '+12015550101', claimed_user: U_OTHER }, 'lacks the role viewer'],
    [{ number: '+12015550101', claimed_user: 'U00NOBODY' }, 'no such person'],
  ])('fails for %j with a sentence that repeats no value', async (inputs, says) => {
    const s = await stepStage();
    const { state, error } = await ended(s, await begin(s, 'look_up_number', inputs));
    expect(state).toBe('failed');
    expect(error).toContain(says);
    expect(error).not.toContain('555');
  });
});

describe('a step that asks', () => {
  it('ends when an approver has confirmed and the change is done', async () => {
    const s = await stepStage();
    const id = await begin(s, 'request_cancellation', { number: CANCELLED, reason: 'Left the company' });
    const { ts, text } = await question(s);
    expect(text).toContain('Asked by a workflow, for <@U000AGENT> (not verified)');
    expect(text).toContain('Left the company');
    expect(execution(s, id).state).toBe('running');
    await press(s, ts, 'sb_confirm');
    const { outputs } = await ended(s, id);
    const [action] = await s.gate.actions.list({ whole: true });
    expect(action).toMatchObject({ surface: 'workflow', state: 'done', decidedBy: '@lee' });
    expect(outputs).toEqual({
      status: 'done',
      message: `Cancel ${CANCELLED}: Done.`,
      decided_by: 'slack:T000DEMO/U000LEAD (@lee)',
      operation_id: action?.id,
      link: expect.stringMatching(/^https:.*\/archives\/C000APPROVE\//),
      order_id: expect.stringMatching(/^JNUOID-/),
    });
  });

  it('asks about the number that last digits mean, and says so', async () => {
    const s = await stepStage();
    await begin(s, 'request_cancellation', { number: '0103' });
    const { text } = await question(s);
    expect(text).toContain('Cancel +12015550103');
    expect(text).toContain('“0103” was taken for Ava Stone');
  });

  it('ends with declined, and the reason of the person', async () => {
    const s = await stepStage();
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    const { ts } = await question(s);
    await decline(s, ts);
    await s.settled();
    expect(execution(s, id).state).toBe('running');
    await s.ws.submit({ user: U_LEAD, values: { sb_reason: 'Wrong number' } });
    expect((await ended(s, id)).outputs).toMatchObject({
      status: 'declined',
      decided_by: 'slack:T000DEMO/U000LEAD (@lee)',
      message: expect.stringMatching(/Declined by @lee.*Wrong number/),
    });
    expect(await s.requests('/cancel-order-submit')).toEqual([]);
  });

  it.each([
    ['the window is closed', (s: Stage) => s.ws.closeView({ user: U_LEAD })],
    ['the window is sent empty', (s: Stage) => s.ws.submit({ user: U_LEAD, values: {} })],
    ['the window stays open for two minutes', async (s: Stage) => s.clock.skip(2 * 60_000)],
  ])('waits for the reason of a decline until %s', async (_, end) => {
    const s = await stepStage();
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    const { ts } = await question(s);
    await decline(s, ts);
    await s.settled();
    expect(execution(s, id).state).toBe('running');
    await end(s);
    expect((await ended(s, id)).outputs).toMatchObject({ status: 'declined' });
  });

  it('ends with withdrawn when the person it names takes it back', async () => {
    const s = await stepStage();
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    const { ts } = await question(s);
    await press(s, ts, 'sb_decline', U_AGENT);
    expect((await ended(s, id)).outputs).toMatchObject({ status: 'withdrawn' });
  });

  it('ends with expired at its own deadline, and the question ends with it', async () => {
    const s = await stepStage({}, { env: { CONFIRM_TTL_SECONDS: '86400' } });
    const id = await begin(s, 'request_cancellation', { number: CANCELLED, deadline_hours: 2 });
    const { ts } = await question(s);
    s.clock.skip(HOUR_MS);
    await s.settled();
    expect(execution(s, id).state).toBe('running');
    s.clock.skip(HOUR_MS);
    expect((await ended(s, id, 1_000)).outputs).toMatchObject({ status: 'expired', decided_by: '' });
    await press(s, ts, 'sb_confirm').catch(() => undefined);
    await s.settled();
    expect((await s.gate.actions.list({ whole: true }))[0]).toMatchObject({ state: 'expired' });
    expect(await s.requests('/cancel-order-submit')).toEqual([]);
  });

  it('waits no longer than the owner lets a question wait', async () => {
    const s = await stepStage();
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    await question(s);
    s.clock.skip(301_000);
    expect((await ended(s, id, 1_000)).outputs).toMatchObject({ status: 'expired' });
  });

  it('starts a port-in, and tells its order', async () => {
    const s = await stepStage();
    const id = await begin(s, 'start_port_in', PORT_IN);
    const { ts } = await question(s);
    await press(s, ts, 'sb_confirm');
    expect((await ended(s, id)).outputs).toMatchObject({
      status: 'done',
      order_id: expect.stringMatching(/^JNUOID-/),
      order_status: 'Submitted',
    });
    const stored = s.logged.join('\n') + JSON.stringify([s.ws.calls(), await s.gate.actions.list({})]);
    expect(stored).not.toContain(PORT_IN.account_pin);
    expect(storedBytes(s)).not.toContain(PORT_IN.account_pin);
  });

  it('tells an unknown outcome when reading has not resolved it for ten minutes', async () => {
    const s = await stepStage({}, { timeoutMs: 300 });
    const id = await begin(s, 'start_port_in', PORT_IN);
    const { ts } = await question(s);
    await s.control('faults', { path: '/v1.0/numbers/portin', times: 1, status: 500 });
    await s.control('faults', { path: '/v1.0/numbers', times: 1_000, status: 503 });
    await press(s, ts, 'sb_confirm');
    await until(async () => (await s.gate.actions.list({}))[0]?.state === 'unknown', 'an unknown outcome');
    await s.settled();
    expect(execution(s, id).state).toBe('running');
    expect((await ended(s, id, 30_000)).outputs).toMatchObject({ status: 'unknown' });
  });

  it('ends with failed when the platform would refuse it, and asks nobody', async () => {
    const s = await stepStage();
    const id = await begin(s, 'request_cancellation', { number: '+12015550109' });
    expect((await ended(s, id)).outputs).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('Cancelled'),
      operation_id: '',
    });
    expect(cards(s.ws, C_APPROVALS)).toEqual([]);
  });

  it.each([
    [{ number: CANCELLED, deadline_hours: 25 }, 'hours from 1 to 24'],
    [{ number: CANCELLED, deadline_hours: 'soon' }, 'hours from 1 to 24'],
    [{ number: CANCELLED, claimed_user: U_VIEW }, 'lacks the role operator'],
  ])('fails for %j', async (inputs, says) => {
    const s = await stepStage();
    expect((await ended(s, await begin(s, 'request_cancellation', inputs))).error).toContain(says);
    expect(cards(s.ws, C_APPROVALS)).toEqual([]);
  });
});

describe('a step that asks for any change', () => {
  const OWN = { operation: 'numbers update', parameters: `${CANCELLED} CnamFirstName=Bob` };

  it.each([
    'numbers update',
    '/numbers update',
    'numbers_update',
    'Numbers update',
    'NUMBERS UPDATE',
    'number update',
    'numbers update.',
  ])('takes “%s”', async (operation) => {
    const s = await stepStage();
    const id = await begin(s, 'ask_for_change', { ...OWN, operation });
    const { ts, text } = await question(s);
    expect(text).toContain(CANCELLED);
    await press(s, ts, 'sb_confirm');
    expect((await ended(s, id)).outputs).toMatchObject({ status: 'done' });
  });

  it('asks an approver for an ordinary change too, also where those run without a question', async () => {
    const s = await stepStage({ CONFIRM_OWN: false });
    const id = await begin(s, 'ask_for_change', OWN);
    const { ts } = await question(s);
    expect(await s.requests('/numbers/update')).toEqual([]);
    const [asked] = await s.gate.actions.list({ whole: true });
    expect(asked).toMatchObject({ state: 'pending', known: { change: { level: 'own' } } });
    // The workflow names Ana, who is an operator. In person she could confirm an ordinary change of hers.
    await press(s, ts, 'sb_confirm', U_AGENT);
    await whisper(s.ws, U_AGENT, 'This needs the role approver; you have operator', C_APPROVALS);
    expect(asked && s.gate.confirmation(asked).change?.level).toBe('approver');
    // The rule is the gate's, not the card's.
    const ana = { ...ASSISTANT, id: 'slack:T000DEMO/U000AGENT', surface: 'slack', priority: 'person' } as const;
    await expect(s.gate.confirm(asked?.id ?? '', ana, 'slack')).rejects.toThrow('needs the role approver');
    expect((await s.gate.actions.get(asked?.id ?? ''))?.state).toBe('pending');
    await press(s, ts, 'sb_confirm');
    expect((await ended(s, id)).outputs).toMatchObject({ status: 'done', decided_by: expect.stringContaining('@lee') });
  });

  it('lets a named approver decide, but not under two-person approval', async () => {
    const one = await stepStage();
    const id = await begin(one, 'ask_for_change', { ...OWN, claimed_user: U_LEAD });
    await press(one, (await question(one)).ts, 'sb_confirm');
    expect((await ended(one, id)).outputs).toMatchObject({ status: 'done' });

    const two = await stepStage({ CONFIRM_TWO_PERSON: true, SLACK_APPROVERS: [U_LEAD, U_AGENT] });
    const other = await begin(two, 'ask_for_change', { ...OWN, claimed_user: U_LEAD });
    const { ts } = await question(two);
    await press(two, ts, 'sb_confirm', U_LEAD);
    await whisper(two.ws, U_LEAD, 'another approver must confirm it', C_APPROVALS);
    expect(execution(two, other).state).toBe('running');
    await press(two, ts, 'sb_confirm', U_AGENT);
    expect((await ended(two, other)).outputs).toMatchObject({ status: 'done' });
  });

  it.each([
    [{ operation: 'numbers get', parameters: '+12015550101' }, 'numbers get changes nothing'],
    [
      { operation: 'numbers cancel order request', parameters: CANCELLED },
      'changes nothing that a person has to decide',
    ],
    [{ operation: 'fly to the moon' }, 'names no operation'],
    [{ operation: 'numbers' }, 'names no operation'],
    [{ operation: 'numbers status', parameters: `park ${CANCELLED}` }, 'lack: EffectiveDate'],
    [{ operation: 'numbers status', parameters: `park ${CANCELLED} Colour=blue` }, 'do not fit numbers status'],
    [{ operation: 'numbers update', parameters: '9999 CnamFirstName=Bob' }, 'exactly one record'],
    [
      { operation: 'numbers portin', parameters: '+13125550150 CurrentAccountPassword=0550' },
      'Use the step “Start a port-in” instead',
    ],
    [{ operation: 'numbers portin', parameters: '' }, 'Use the step “Start a port-in” instead'],
    [{ operation: 'subscribers create', parameters: '' }, 'Use its form in Slack'],
    [{ operation: 'numbers update', parameters: `${CANCELLED} CnamFirstName="Bob` }, 'quote or a bracket'],
  ])('refuses %j', async (inputs, says) => {
    const s = await stepStage();
    const { error } = await ended(s, await begin(s, 'ask_for_change', inputs));
    expect(error).toContain(says);
    expect(error).not.toMatch(/555|blue|moon/);
    expect(cards(s.ws, C_APPROVALS)).toEqual([]);
  });

  it('ends with one short sentence where the settings let nobody confirm', async () => {
    const s = await stepStage({ CONFIRM_TWO_PERSON: true, SLACK_APPROVERS: [U_LEAD], CONFIRM_VIA: ['slack'] });
    const { outputs } = await ended(s, await begin(s, 'ask_for_change', { ...OWN, claimed_user: U_LEAD }));
    expect(outputs).toMatchObject({
      status: 'failed',
      message:
        'Nobody could confirm this with the settings of Switchboard, so nothing was sent. Its log has the details.',
    });
    expect(s.logged.join('\n')).toContain('Nobody can confirm this call');
  });

  it('that expires after one yes of two does not say that nobody decided', async () => {
    const s = await stepStage({ SLACK_APPROVERS: [U_LEAD, U_OTHER] }, { env: { CONFIRM_QUORUM: 'destroy:2' } });
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    const { ts } = await question(s);
    await press(s, ts, 'sb_confirm');
    await s.settled();
    s.clock.skip(301_000);
    expect((await ended(s, id, 1_000)).outputs).toMatchObject({
      status: 'expired',
      message: expect.stringContaining('Too few approvers said yes in time.'),
    });
  });

  it('ends as done if nothing would change', async () => {
    const s = await stepStage();
    const id = await begin(s, 'ask_for_change', {
      operation: 'subscribers update',
      parameters: 'TSUID-00000000-0000-4000-8000-000000000001 Name="Ava Stone"',
    });
    expect((await ended(s, id)).outputs).toMatchObject({ status: 'done', message: expect.stringContaining('already') });
  });
});
