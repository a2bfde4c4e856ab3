import { beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/demo/playground/types.ts';
import { id, seeded } from '../../../support/seed.ts';
import { ASSISTANT, C_APPROVALS, C_SUPPORT, U_AGENT, U_VIEW } from '../ids.ts';
import { type Stage, shown, stage } from '../support.ts';

/* A form that showed the record's values and is sent is the yes of its sender to an own change. */

let s: Stage;

beforeEach(async () => {
  s = await stage();
});

const limits = { LimitValue: 900, NotifyValue: 100, ThrottleValue: 500, ThrottleSpeed: '1-mbps' };

const setLimits = (values: Partial<typeof limits>) =>
  s.apply('numbers_data_usage_set', { PhoneNumbers: [{ Number: '+12015550101' }], ...limits, ...values });

const newest = async (operation: string) =>
  (await s.gate.actions.list({})).find((action) => action.operation === operation);

describe('a form of an own change', () => {
  beforeEach(async () => {
    await setLimits({});
    await s.form('/numbers', 'data usage set 0101 form');
  });

  it('is sent by the button that names the act, and answers with before and after', async () => {
    expect(s.view()).toContain('"text":"Set data limits"');
    expect(s.view()).not.toMatch(/on the card that follows|before an approver approves/);
    await s.sends({ LimitValue: '1000' });
    const answer = await s.whisper('900 MB → 1000 MB');
    expect(shown(answer)).not.toContain('sb_confirm');
    expect(await newest('numbers_data_usage_set')).toMatchObject({
      state: 'done',
      decidedVia: 'slack',
      shown: { LimitValue: 1000, NotifyValue: 100, ThrottleValue: 500 },
    });
    expect(s.cards()).toEqual([]);
  });

  it('is not sent if the record changed meanwhile, and shows the new values beside what was typed', async () => {
    await setLimits({ LimitValue: 2000, NotifyValue: 150, ThrottleValue: 1500 });
    const before = await newest('numbers_data_usage_set');
    expect(JSON.stringify(await s.sends({ NotifyValue: '120' }))).toContain('update');
    expect((await newest('numbers_data_usage_set'))?.id).toBe(before?.id);
    const again = s.view();
    expect(again).toContain('Changed since you opened this form. Nothing was sent.');
    expect(again).toContain('Data limit: 900 MB when you opened it, 2000 MB now');
    expect(again).toContain('Notify at: 100 MB when you opened it, 150 MB now');
    expect(again).toMatch(/"initial_value":"120"/);
    expect(again).toMatch(/"initial_value":"2000"/);
    await s.sends({});
    expect(await newest('numbers_data_usage_set')).toMatchObject({
      state: 'done',
      shown: { LimitValue: 2000, NotifyValue: 120, ThrottleValue: 1500 },
    });
  });

  it('waits for a yes if a value that it showed is gone, and the record could not be read when it was sent', async () => {
    s.sandbox.perform('/v1.0/numbers/data-usage', {
      PhoneNumbers: [{ Number: '+12015550101' }],
      ...{ ValueUnit: 'MB', LimitValue: 900, ThrottleValue: 500, ThrottleSpeed: '1-mbps' },
    });
    await s.control('faults', { path: '/v1.0/numbers/data-usage/settings', times: 1, status: 400 });
    await s.sends({ NotifyValue: '120' });
    expect(await newest('numbers_data_usage_set')).toMatchObject({ state: 'pending' });
  });
});

it('a form whose change needs no yes names the act that sending it is', async () => {
  s = await stage({ CONFIRM_OWN: false });
  const form = await s.form('/account', 'create form');
  expect(form).toContain('"text":"Create an account"');
  expect(form).not.toMatch(/on the card|Review/);
  await s.sends({ AccountName: 'Initech' });
  expect(await newest('account_create')).toMatchObject({ state: 'done' });
});

it.each([
  ['says that an approver is always asked', '/webhook', 'update form', '"text":"Ask for approval"'],
  [
    'that has other values says that a card follows',
    '/numbers',
    'update 0101 CnamFirstName=Al form',
    'Review the change',
  ],
  ['names choices in hints as in menus', '/numbers', 'provision form', 'Data SIM: only “Between people”; internet'],
  ['names no id that its picker fills', '/subscriptions', 'create form', 'One subscription a number. Nothing is sent'],
])('a form %s', async (_, command, line, says) => {
  expect(await s.form(command, line)).toContain(says);
});

it('a form without a field that is an own change says that an approver is asked', async () => {
  const line = await answered('/number', '0110');
  expect(await s.opens(line, 'sb_fill_0')).toContain('"text":"Ask for approval"');
});

it('a form of a new record at the level own leads to its card, as its button says', async () => {
  expect(await s.form('/account', 'create form')).toContain('"text":"Review the change"');
  await s.sends({ AccountName: 'Initech' });
  expect(await newest('account_create')).toMatchObject({ state: 'pending' });
  const { ts } = await s.whisper('sb_confirm');
  await s.press(ts, 'sb_confirm', U_AGENT);
  await s.settled();
  expect(await newest('account_create')).toMatchObject({ state: 'done', decidedVia: 'slack' });
  expect(shown(s.whispers().at(-1))).toMatch(/✅.*AID-/s);
});

/* The whole change is shown to its requester, who applies, edits or takes it back where it was asked. */

const NUMBER = '+12015550103';
const RENAME = 'update +12015550103 CnamFirstName=Bob';

/** Enters a command, and returns its answer. */
async function answered(command: string, line: string): Promise<Message> {
  const before = s.whispers().length;
  await s.type(command, line);
  await s.settled();
  const found = s.whispers()[before];
  if (!found) throw new Error('no answer');
  return found;
}

const buttons = (message: Message | undefined) =>
  [...shown(message).matchAll(/"action_id":"(sb_\w+)"/g)].map(([, id]) => id);
const updates = () => s.requests('/numbers/update');

describe('an own change of a command', () => {
  it('is shown whole to its writer alone, and Apply sends it and shows the outcome in its place', async () => {
    const asked = await answered('/numbers', RENAME);
    expect(buttons(asked)).toEqual(['sb_confirm', 'sb_edit', 'sb_withdraw']);
    expect(shown(asked)).toMatch(/Change \+12015550103.*Ava Stone · Acme Mobile.*“Bob”/s);
    expect(shown(asked)).toMatch(/Apply.*Edit.*Cancel/s);
    expect([...s.cards(), ...s.cards(C_APPROVALS)]).toEqual([]);
    expect(await updates()).toEqual([]);
    await s.press(asked, 'sb_confirm', U_AGENT);
    expect(await updates()).toHaveLength(1);
    expect(s.shows(asked)).toMatch(/✅.*aller name.*“Bob”/s);
    expect(s.shows(asked)).not.toContain('sb_confirm');
    expect(s.shows(asked)).not.toContain('TSUID-');
  });

  it('shows its end in its place if Slack fails once, and in a new message if Slack does not change it', async () => {
    for (const [times, place, fault] of [
      [1, 0, { status: 503 }],
      [8, 1, { status: 503 }],
      [9, 1, { error: 'expired_url' }],
    ] as const) {
      const asked = await answered('/numbers', RENAME.replace('Bob', `Bob${times}`));
      const before = s.whispers().length;
      s.ws.fail('response_url', fault, times);
      await s.press(asked, 'sb_confirm', U_AGENT);
      s.ws.clearFaults();
      expect(shown(s.whispers()[before - 1 + place])).toMatch(new RegExp(`✅ Done.*“Bob${times}”`, 's'));
      // The question, if it stands, shows the end when it is pressed again.
      await s.pressOld(asked, 'sb_confirm', (await s.gate.actions.list({}))[0]?.id ?? '', U_AGENT);
      expect(s.shows(asked)).toContain('✅ Done');
    }
    expect(await updates()).toHaveLength(3);
  });

  it('says in its place, and nowhere else, that its record has changed since', async () => {
    const asked = await answered('/numbers', RENAME);
    const before = s.whispers().length;
    await s.apply('numbers_update', { Number: NUMBER, CnamFirstName: 'Eve' });
    await s.press(asked, 'sb_confirm', U_AGENT);
    expect(s.shows(asked)).toMatch(/Not sent: out of date.*record has changed since it was asked/s);
    expect(s.whispers()).toHaveLength(before);
  });

  it('opens its form filled in, and what is sent takes its place', async () => {
    const asked = await answered('/numbers', RENAME);
    const form = await s.opens(asked, 'sb_edit');
    for (const text of ['"initial_value":"Bob"', 'Now: Sample Line 3']) expect(form).toContain(text);
    await s.sends({ CnamFirstName: 'Robert' });
    // The form cannot show the name that callers see now, so the change is shown again.
    expect(s.shows(asked)).toMatch(/“Sample Line 3” → “Robert”/s);
    await s.press(asked, 'sb_confirm', U_AGENT);
    expect(s.shows(asked)).toMatch(/✅.*“Robert”/s);
    const [edited, old] = await s.gate.actions.list({});
    expect(edited).toMatchObject({ state: 'done', shown: { CnamFirstName: 'Robert' } });
    expect(old).toMatchObject({ state: 'declined', decidedVia: 'replaced' });
  });

  it('of an assistant has a card in the channel for approvals, which any operator may apply', async () => {
    await s.gate.perform('numbers_update', { Number: NUMBER, CnamFirstName: 'Bob' }, ASSISTANT);
    const asked = await s.card(C_APPROVALS);
    expect(shown(asked)).toMatch(/“Bob”.*Apply.*Decline/s);
    await s.press(asked, 'sb_confirm', U_VIEW);
    expect(await updates()).toEqual([]);
    expect(shown(await s.whisper('operator', U_VIEW, C_APPROVALS))).toContain('operator');
    await s.press(asked, 'sb_confirm', U_AGENT);
    expect(await updates()).toHaveLength(1);
    expect(shown(await s.card(C_APPROVALS))).toMatch(/✅ Done.*“Bob”/s);
  });
});

it.each(['at once', 'again'])(
  'a remedy that is pressed twice, %s, has one question, which shows the end',
  async (when) => {
    await s.apply('numbers_update', { Number: seeded(1), MessageEnabled: false });
    const diagnosis = await answered('/numbers', `why ${seeded(1)}`);
    const first = s.press(diagnosis, 'sb_run_0', U_AGENT);
    if (when === 'again') await first;
    await Promise.all([first, s.press(diagnosis, 'sb_run_0', U_AGENT)]);
    const waiting = () => s.whispers().filter((one) => shown(one).includes('sb_confirm'));
    expect(waiting()).toHaveLength(1);
    const again = await s.whisper('See the message with the question');
    expect(await s.opens(again, 'sb_everything')).toContain('sb_confirm');
    await s.press(waiting()[0], 'sb_confirm', U_AGENT);
    await s.whisper('✅ Done');
    expect(s.whispered()).not.toContain('Nothing has been sent');
  },
);

it('the form that edits a question names the records as its card does, also in a process that never read them', async () => {
  await s.type('/numbers', `update +12015550103 AssignedSubscriberId=${id('TSUID', 2)}`);
  const asked = await s.card();
  expect(shown(asked)).toContain('“Ben Reed”');
  await s.again();
  expect(await s.opens(asked, 'sb_edit')).toContain('"text":"Ben Reed"');
});

it('a change for an approver is replaced by what its requester sends from the form, and the old card says so and asks nothing', async () => {
  await s.type('/numbers', 'update +12015550103 MessageEnabled=false');
  const old = await s.card();
  await s.opens(old, 'sb_edit');
  await s.sends({ VoiceEnabled: 'false' });
  await s.says(old, 'Replaced');
  expect(buttons(s.ws.message(old.ts))).toEqual([]);
  expect(s.cards()).toHaveLength(2);
  // Nobody is told of an act of their own.
  expect(s.ws.messages(C_SUPPORT).filter(({ threadTs }) => threadTs === old.ts)).toEqual([]);
});
