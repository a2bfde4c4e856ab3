import { describe, expect, it } from 'vitest';
import {
  C_SUPPORT,
  card,
  shown,
  stage,
  U_AGENT,
  U_LEAD,
  U_OTHER,
  U_VIEW,
  until,
  whisper,
  whispers,
} from '../support.ts';

const SUBSCRIBER = 'TSUID-00000000-0000-4000-8000-000000000001';

describe('a command', () => {
  it('answers only the person who asked, in place of the first message, with Share and JSON', async () => {
    const s = await stage();
    const ack = await s.type('/subscribers', `get ${SUBSCRIBER}`, U_VIEW);
    expect(ack.outcome).toBe('acked');
    expect(ack.body).toContain('Looking that up');
    const answer = await whisper(s.ws, U_VIEW, 'sb_share');
    expect(whispers(s.ws, U_VIEW)).toHaveLength(1);
    expect(answer.ephemeralTo).toBe(U_VIEW);
    await s.ws.click({ user: U_VIEW, messageTs: answer.ts, actionId: 'sb_json' });
    await whisper(s.ws, U_VIEW, 'as JSON');
    await s.ws.click({ user: U_VIEW, messageTs: answer.ts, actionId: 'sb_share' });
    await until(() => s.ws.messages(C_SUPPORT).some((m) => m.ephemeralTo === undefined), 'shared');
    const shared = s.ws.messages(C_SUPPORT).find((m) => m.ephemeralTo === undefined);
    expect(shown(shared)).toContain(`Shared by <@${U_VIEW}> · as of <!date^`);
    expect(shown(shared)).not.toContain('sb_share');
  });

  it('names the help, and offers no change, for words that are neither an operation nor a name', async () => {
    const s = await stage();
    for (const [typed, says] of [
      ['frobnicate now', 'No number matches'],
      ['defenestrate 0104', 'The word “defenestrate” is not known here'],
      ['zorble line 0101 please', 'The word “zorble” is not known here'],
    ] as const) {
      await s.type('/numbers', typed);
      const answer = shown(await whisper(s.ws, U_AGENT, says));
      expect(answer).toContain('/numbers help lists what can be done');
      expect(answer).not.toMatch(/Cancel|Park|Change|Swap/);
    }
  });

  it('takes an amount without a name to the fields that it may mean, and words that several operations have to their forms', async () => {
    const s = await stage();
    await s.type('/numbers', 'data usage set 0103 40');
    const amount = await whisper(
      s.ws,
      U_AGENT,
      '40 could be LimitValue, NotifyValue or ThrottleValue: write LimitValue=40.',
    );
    await s.ws.click({ user: U_AGENT, messageTs: amount.ts, actionId: 'sb_form' });
    await until(() => JSON.stringify(s.ws.openViews(U_AGENT)).includes('"initial_value":"40"'), 'the form with 40');
    await s.type('/numbers', 'data-usage form');
    const several = await whisper(s.ws, U_AGENT, 'matches several operations');
    expect(shown(several)).toContain('Set data limits');
  });

  it('refuses a typed secret, sends nothing, and offers a form with the other values', async () => {
    const s = await stage();
    const line =
      'create WebhookUrl=https://example.com/hook SubscribedEvents=New_Sms AuthenticationType=Token AuthenticationToken=hunter2hunter2';
    const ack = await s.type('/webhook', line);
    expect(ack.body).toContain('AuthenticationToken is secret');
    expect(ack.body).not.toContain('hunter2');
    const [refusal] = whispers(s.ws, U_AGENT);
    await s.ws.click({ user: U_AGENT, messageTs: refusal?.ts ?? '', actionId: 'sb_form' });
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    const form = JSON.stringify(s.ws.openViews(U_AGENT)[0]?.definition);
    expect(form).toContain('https://example.com/hook');
    expect(form).not.toContain('hunter2');
    expect(form).toContain('Not shown again');
    expect(await s.requests()).toEqual([]);
    expect(s.logged.join('\n')).not.toContain('hunter2');
  });

  it('opens a form for missing fields, shows errors at their fields, and keeps the input', async () => {
    const s = await stage();
    const ack = await s.type('/numbers', 'reactivate');
    expect(ack.body).toBe('');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    await s.ws.suggest({ user: U_AGENT, view: true, actionId: 'sb_pick', blockId: 'PhoneNumber', value: '+1201' });
    const wrong = await s.ws.submit({ user: U_AGENT, values: { PhoneNumber: '+1201' } });
    expect(wrong.errors?.PhoneNumber).toContain('+12015550101');
    await s.ws.suggest({
      user: U_AGENT,
      view: true,
      actionId: 'sb_pick',
      blockId: 'PhoneNumber',
      value: '(201) 555-0107',
    });
    const done = await s.ws.submit({ user: U_AGENT, values: { PhoneNumber: '(201) 555-0107' } });
    expect(done).toMatchObject({ outcome: 'acked', body: '' });
    expect(s.ws.openViews(U_AGENT)).toEqual([]);
    expect((await card(s.ws)).text).toContain('waits for an approver');
  });

  it('requires a role, and names it and its holders', async () => {
    const s = await stage();
    await s.type('/numbers', 'reactivate +12015550107', U_VIEW);
    expect(shown(await whisper(s.ws, U_VIEW, 'needs the role operator'))).toContain('S000OPERATE');
    await s.type('/numbers', 'inventory', U_OTHER);
    await whisper(s.ws, U_OTHER, 'another workspace');
    expect(await s.requests()).toEqual([]);
    const none = await stage({ SLACK_VIEWERS: [], SLACK_OPERATORS: [], SLACK_APPROVERS: [] });
    await none.type('/numbers', 'inventory', U_LEAD);
    await whisper(none.ws, U_LEAD, 'Nobody has it yet');
    expect(await none.requests()).toEqual([]);
  });

  it('fails closed when user groups cannot be read', async () => {
    const s = await stage();
    s.ws.fail('usergroups.users.list', { error: 'missing_scope' }, 10);
    await s.type('/numbers', 'reactivate +12015550107', U_LEAD);
    await whisper(s.ws, U_LEAD, 'your role cannot be checked');
    expect(await s.requests()).toEqual([]);
  });
});

describe('a line of a command', () => {
  it.each([
    ['number', 'AID-00000000-0000-4000-8000-000000000002', '1 number of Globex Family'],
    ['numbers', 'status 0106 park tomorrow', 'Park +12015550106'],
    ['numbers', 'give ben 100 mb more', '(201) 555-0102 has no data'],
    ['numbers', 'data usage set 0102 LimitValue=100', 'no data on this line'],
  ])('/%s %s', async (command, line, answer) => {
    const s = await stage();
    await s.type(`/${command}`, line);
    await until(() => s.ws.messages(C_SUPPORT).some((message) => shown(message).includes(answer)), answer);
  });

  it('opens no form of limits for a line without data, and one choice for another number', async () => {
    const s = await stage();
    const form = () => JSON.stringify(s.ws.openViews(U_AGENT).at(-1)?.definition ?? '');
    await s.type('/numbers', 'data usage set 0102');
    await until(() => form().includes('has no data'), 'the form');
    expect(form()).not.toContain('"initial_value":"+12015550102"');
    await s.type('/numbers', 'status 0106');
    await until(() => form().includes('"Another phone number"'), 'the form');
    expect(form()).not.toContain('"replace"');
  });
});

describe('App Home', () => {
  it('shows waiting actions to approvers, who decide where all of it is shown', async () => {
    const s = await stage();
    await s.ws.openHome({ user: U_LEAD });
    await until(() => s.ws.home(U_LEAD) !== undefined, 'the Home');
    await s.type('/numbers', 'reactivate +12015550107 AccountId=AID-00000000-0000-4000-8000-000000000001');
    await until(() => {
      s.clock.skip(500);
      return JSON.stringify(s.ws.home(U_LEAD)?.definition).includes('sb_everything');
    }, 'what waits');
    expect(JSON.stringify(s.ws.home(U_LEAD)?.definition)).not.toContain('sb_confirm');
    await s.ws.click({ user: U_LEAD, home: true, actionId: 'sb_everything' });
    await until(() => s.ws.openViews(U_LEAD).length === 1, 'the window');
    await s.ws.click({ user: U_LEAD, view: true, actionId: 'sb_confirm' });
    await until(async () => (await s.gate.actions.list({}))[0]?.state === 'done', 'done');
    await until(() => {
      s.clock.skip(500);
      return !JSON.stringify(s.ws.home(U_LEAD)?.definition).includes('sb_everything');
    }, 'gone');
    await s.ws.openHome({ user: U_OTHER });
    await until(() => s.ws.home(U_OTHER) !== undefined, 'a refusal');
    expect(JSON.stringify(s.ws.home(U_OTHER)?.definition)).toContain('another workspace');
  });
});
