import { expect, it } from 'vitest';
import { C_SUPPORT, card, shown, stage, U_AGENT, U_LEAD, U_VIEW, until, whispers } from './support.ts';

const REACTIVATE = 'reactivate +12015550107 AccountId=AID-00000000-0000-4000-8000-000000000001';
const answers = (s: Awaited<ReturnType<typeof stage>>, user: string) =>
  whispers(s.ws, user, C_SUPPORT).filter((message) => shown(message).includes('Active')).length;

it('an approver’s click and another person’s lookup do not wait behind one viewer’s many lookups', async () => {
  // 60 a minute: 3 are kept for confirmed actions, and the last 5 before them for people who hold few.
  const s = await stage({}, { requestsPerMinute: 60 });
  await s.type('/numbers', REACTIVATE);
  const { ts } = await card(s.ws);
  await Promise.all(Array.from({ length: 80 }, () => s.type('/numbers', 'get +12015550101', U_VIEW)));
  await until(
    async () => (await s.gate.budget()).waiting > 10 && answers(s, U_VIEW) > 20,
    'the viewer waits for the budget',
  );

  await s.type('/numbers', 'get +12015550102', U_AGENT);
  await until(() => answers(s, U_AGENT) === 1, 'the other person’s answer');
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
  await until(() => shown(s.ws.message(ts)).includes('✅ Done'), 'the confirmed action');
  expect((await s.gate.budget()).waiting).toBeGreaterThan(10);
  expect(await s.requests('/numbers/reactivate')).toHaveLength(1);
  // Closing the client ends the waiting calls as not sent. Otherwise they would hold up the end of the test for a
  // minute.
  await s.client.close();
  await s.settled();
});
