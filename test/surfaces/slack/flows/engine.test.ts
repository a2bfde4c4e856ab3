import { beforeEach, describe, expect, it } from 'vitest';
import { enterAll } from '../../../../src/demo/playground/forms.ts';
import type { Message } from '../../../../src/demo/playground/types.ts';
import { deciderOf } from '../../../../src/gate/decisions.ts';
import { ASSISTANT, C_APPROVALS, type Stage, shown, stage, U_AGENT, U_VIEW, until } from '../support.ts';

/* A form that showed the record's values and is sent is the yes of its sender to an own change. */

const PERSON = { id: 'slack:x', name: 'x', role: 'approver', surface: 'slack', priority: 'person' } as const;
let s: Stage;

beforeEach(async () => {
  s = await stage();
});

/** Another person, who says yes at once. */
const apply = (operation: string, input: Record<string, unknown>) =>
  s.gate.perform(operation, input, PERSON, { ask: async () => 'accept', decider: deciderOf(PERSON, 'slack') });

const limits = { LimitValue: 900, NotifyValue: 100, ThrottleValue: 500, ThrottleSpeed: '1-mbps' };

const setLimits = (values: Partial<typeof limits>) =>
  apply('numbers_data_usage_set', { PhoneNumbers: [{ Number: '+12015550101' }], ...limits, ...values });

const form = () => s.view();

async function open(command: string, line: string): Promise<void> {
  await s.type(command, line);
  await until(() => form().includes('"input"'), 'the form');
}

/** Sends the open form with these values over those that it started from. */
async function submit(values: Record<string, string>) {
  const view = s.ws.openViews(U_AGENT).at(-1);
  if (view) enterAll(view, values);
  const sent = await s.ws.submit({ user: U_AGENT });
  await s.settled();
  return sent;
}

const newest = async (operation: string) =>
  (await s.gate.actions.list({})).find((action) => action.operation === operation);

describe('a form of an own change', () => {
  beforeEach(async () => {
    await setLimits({});
    await open('/numbers', 'data usage set 0101 form');
  });

  it('is sent by the button that names the act, and answers with before and after', async () => {
    expect(form()).toContain('"text":"Set data limits"');
    expect(form()).not.toContain('on the card that follows');
    expect(form()).not.toContain('before an approver approves');
    await submit({ LimitValue: '1000' });
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
    expect(JSON.stringify(await submit({ NotifyValue: '120' }))).toContain('update');
    expect((await newest('numbers_data_usage_set'))?.id).toBe(before?.id);
    const again = form();
    expect(again).toContain('Changed since you opened this form. Nothing was sent.');
    expect(again).toContain('Data limit: 900 MB when you opened it, 2000 MB now');
    expect(again).toContain('Notify at: 100 MB when you opened it, 150 MB now');
    expect(again).toMatch(/"initial_value":"120"/);
    expect(again).toMatch(/"initial_value":"2000"/);
    await submit({});
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
    await submit({ NotifyValue: '120' });
    expect(await newest('numbers_data_usage_set')).toMatchObject({ state: 'pending' });
  });

  it('asks an approver for a member that is raised', async () => {
    await submit({ LimitValue: '501' });
    expect(shown(await s.card())).toContain('900 MB → 501 MB');
    expect(await newest('numbers_data_usage_set')).toMatchObject({ state: 'pending' });
  });
});

it('a form whose change needs no yes names the act that sending it is', async () => {
  s = await stage({ CONFIRM_OWN: false });
  await open('/account', 'create form');
  expect(form()).toContain('"text":"Create an account"');
  expect(form()).not.toMatch(/on the card|Review/);
  await submit({ AccountName: 'Initech' });
  expect(await newest('account_create')).toMatchObject({ state: 'done' });
});

it('a form of a new record at the level own leads to its card, as its button says', async () => {
  await open('/account', 'create form');
  expect(form()).toContain('"text":"Review the change"');
  await submit({ AccountName: 'Initech' });
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
async function answered(command: string, line: string, user: string = U_AGENT): Promise<Message> {
  const before = s.whispers(user).length;
  await s.type(command, line, user);
  await s.settled();
  const found = s.whispers(user)[before];
  if (!found) throw new Error('no answer');
  return found;
}

const press = async ({ ts }: Message, actionId: string, user: string = U_AGENT) => {
  const clicked = await s.ws.click({ user, messageTs: ts, actionId });
  await s.settled();
  return clicked;
};

/** The message as it is now. */
const now = ({ ts }: Message) => shown(s.whispers().find((message) => message.ts === ts));

const buttons = (message: Message | undefined) =>
  [...shown(message).matchAll(/"action_id":"(sb_\w+)"/g)].map(([, id]) => id);

const actions = async (operation: string) =>
  (await s.gate.actions.list({})).filter((action) => action.operation === operation);

const updates = () => s.requests('/numbers/update');

describe('an own change of a command', () => {
  it('is shown whole to its writer alone, and Apply sends it and shows the outcome in its place', async () => {
    const asked = await answered('/numbers', RENAME);
    expect(buttons(asked)).toEqual(['sb_confirm', 'sb_edit', 'sb_withdraw']);
    expect(shown(asked)).toMatch(/Change \+12015550103.*Ava Stone · Acme Mobile.*“Bob”/s);
    expect(shown(asked)).toMatch(/Apply.*Edit.*Cancel/s);
    expect([...s.cards(), ...s.cards(C_APPROVALS)]).toEqual([]);
    expect(await updates()).toEqual([]);
    await press(asked, 'sb_confirm');
    expect(await updates()).toHaveLength(1);
    expect(now(asked)).toMatch(/✅.*aller name.*“Bob”/s);
    expect(now(asked)).not.toContain('sb_confirm');
    expect(now(asked)).not.toContain('TSUID-');
  });

  it('opens its form filled in, and what is sent takes its place', async () => {
    const asked = await answered('/numbers', RENAME);
    await press(asked, 'sb_edit');
    expect(form()).toContain('"initial_value":"Bob"');
    expect(form()).toContain('Now: Sample Line 3');
    await submit({ CnamFirstName: 'Robert' });
    // The form cannot show the name that callers see now, so the change is shown again.
    expect(now(asked)).toMatch(/“Sample Line 3” → “Robert”/s);
    await press(asked, 'sb_confirm');
    expect(now(asked)).toMatch(/✅.*“Robert”/s);
    const [edited, old] = await actions('numbers_update');
    expect(edited).toMatchObject({ state: 'done', shown: { CnamFirstName: 'Robert' } });
    expect(old).toMatchObject({ state: 'declined', decidedVia: 'replaced' });
  });

  it('of an assistant has a card in the channel for approvals, which any operator may apply', async () => {
    await s.gate.perform('numbers_update', { Number: NUMBER, CnamFirstName: 'Bob' }, ASSISTANT);
    const asked = await s.card(C_APPROVALS);
    expect(shown(asked)).toMatch(/“Bob”.*Apply.*Decline/s);
    await press(asked, 'sb_confirm', U_VIEW);
    expect(await updates()).toEqual([]);
    expect(shown(await s.whisper('operator', U_VIEW, C_APPROVALS))).toContain('operator');
    await press(asked, 'sb_confirm', U_AGENT);
    expect(await updates()).toHaveLength(1);
    expect(shown(await s.card(C_APPROVALS))).toMatch(/✅ Done.*“Bob”/s);
  });
});

describe('a change for an approver', () => {
  const SIM = 'update +12015550103 MessageEnabled=false';

  it('is replaced by what its requester sends from the form, and the old card says so and asks nothing', async () => {
    await s.type('/numbers', SIM);
    const old = await s.card();
    await press(old, 'sb_edit');
    await submit({ VoiceEnabled: 'false' });
    await until(
      () => shown(s.ws.messages('C000SUPPORT').find(({ ts }) => ts === old.ts)).includes('Replaced'),
      'the end',
    );
    const ended = s.ws.messages('C000SUPPORT').find(({ ts }) => ts === old.ts);
    expect(buttons(ended)).toEqual([]);
    expect(s.cards()).toHaveLength(2);
    // Nobody is told of an act of their own.
    expect(s.ws.messages('C000SUPPORT').filter(({ threadTs }) => threadTs === old.ts)).toEqual([]);
  });
});
