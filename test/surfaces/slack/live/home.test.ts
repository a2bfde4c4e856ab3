import { expect, it } from 'vitest';
import { card, cards, type Stage, stage, U_AGENT, U_LEAD, until } from '../support.ts';

const homeOf = async (s: Stage) => {
  await s.ws.openHome({ user: U_AGENT });
  await until(() => s.ws.home(U_AGENT) !== undefined, 'the Home');
  return JSON.stringify(s.ws.home(U_AGENT)?.definition);
};

it('has a button for each request of a person that waits, to withdraw it', async () => {
  const s = await stage();
  const asked = ['0101', '0102', '0103', '0104', '0105'];
  for (const line of asked) await s.type('/numbers', `cancel ${line}`);
  await until(async () => (await s.gate.actions.list({ states: ['pending'] })).length === asked.length, 'all of them');
  const home = await homeOf(s);
  expect(home.split('"sb_withdraw"')).toHaveLength(asked.length + 1);
  expect(home).not.toContain('more of yours');
});

it('shows an approver what was decided today, and others their own actions alone', async () => {
  const s = await stage();
  await s.type('/numbers', 'cancel 0101');
  const { ts } = await card(s.ws);
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
  await until(() => s.ws.message(ts)?.text.includes('Done') === true, 'the end');
  await s.type('/numbers', 'cancel 0103');
  await until(() => cards(s.ws).length === 2, 'the second card');
  const withdrawn = await card(s.ws);
  await s.ws.click({ user: U_AGENT, messageTs: withdrawn.ts, actionId: 'sb_withdraw' });
  await until(() => s.ws.message(withdrawn.ts)?.text.includes('Withdrawn') === true, 'the withdrawal');
  await s.ws.openHome({ user: U_LEAD });
  await until(() => s.ws.home(U_LEAD) !== undefined, 'the Home');
  expect(JSON.stringify(s.ws.home(U_LEAD)?.definition)).not.toContain('+12015550103');
  expect(JSON.stringify(s.ws.home(U_LEAD)?.definition)).toMatch(/Decided today.*Cancel \+12015550101.*confirmed by/s);
  expect(await homeOf(s)).not.toContain('Decided today');
});
