import { expect, it } from 'vitest';
import { id } from '../../../support/seed.ts';
import { guideStage } from '../guiding.ts';
import { U_AGENT, U_LEAD } from '../ids.ts';
import { shown, until } from '../support.ts';

const PLAN = id('PKID', 1);

it.fails('two guides of one person with the same purchase: neither takes the plan of the other away', async () => {
  const d = await guideStage();
  for (const values of [{ PackageId: PLAN }, {}]) {
    await d.type('/numbers', 'new guide ava');
    await d.sees('🔵 1 Line');
    await d.send({ Area: '201' });
    await d.sees('🔵 2 Service');
    await d.send(values);
    // The second one says that the same call waits already for the first.
    await until(() => /waits/.test(d.view()), 'its end');
  }
  const { ts } = await d.card();
  expect(shown(d.ws.message(ts))).toContain('Asked next');
  await d.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
  await until(() => shown(d.ws.message(ts)).includes('✅ Done'), 'the purchase');
  const asked = () => d.ws.messages('C000SUPPORT').some((one) => shown(one).includes('Subscribe number'));
  await until(asked, 'the question about the plan that the card announced', 3_000);
});

it.fails('a guide whose request its person took back does not say that somebody declined', async () => {
  const d = await guideStage();
  await d.type('/numbers', 'swap guide +12015550101');
  await d.sees('🔵 2 New SIM');
  await d.send({ Sim: 'SIM card', ICCID: '8901240397190195850' });
  await d.sees('waits for an approver');
  await d.ws.click({ user: U_AGENT, messageTs: (await d.card()).ts, actionId: 'sb_withdraw' });
  await d.sees('Withdrawn');
  expect(d.view()).not.toContain('Declined by');
});
