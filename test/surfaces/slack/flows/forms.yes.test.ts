import { beforeEach, describe, expect, it } from 'vitest';
import { enterAll } from '../../../../src/demo/playground/forms.ts';
import { deciderOf } from '../../../../src/gate/decisions.ts';
import { card, cards, type Stage, shown, stage, U_AGENT, until, whisper, whispers } from '../support.ts';

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

const form = () => JSON.stringify(s.ws.openViews(U_AGENT).at(-1)?.definition ?? {});

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
    const answer = await whisper(s.ws, U_AGENT, '900 MB → 1000 MB');
    expect(shown(answer)).not.toContain('sb_confirm');
    expect(await newest('numbers_data_usage_set')).toMatchObject({
      state: 'done',
      decidedVia: 'slack',
      shown: { LimitValue: 1000, NotifyValue: 100, ThrottleValue: 500 },
    });
    expect(cards(s.ws)).toEqual([]);
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

  it('asks an approver for a member that is raised', async () => {
    await submit({ LimitValue: '501' });
    expect(shown(await card(s.ws))).toContain('900 MB → 501 MB');
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
  const { ts } = await whisper(s.ws, U_AGENT, 'sb_confirm');
  await s.ws.click({ user: U_AGENT, messageTs: ts, actionId: 'sb_confirm' });
  await s.settled();
  expect(await newest('account_create')).toMatchObject({ state: 'done', decidedVia: 'slack' });
  expect(shown(whispers(s.ws, U_AGENT).at(-1))).toMatch(/✅.*AID-/s);
});
