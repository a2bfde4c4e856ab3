import { describe, expect, it } from 'vitest';
import { openLateSandbox } from '../../../support/late-platform.ts';
import { id, ORDER, seeded, TSUID } from '../../../support/seed.ts';
import { guideStage } from '../guiding.ts';
import { U_AGENT, U_LEAD, U_VIEW } from '../ids.ts';
import { shown, until } from '../support.ts';

const PLAN = id('PKID', 1);
const SERIAL = '8901240397190195850';

type Guided = Awaited<ReturnType<typeof guideStage>>;

const numbers = async (d: Guided) => (await d.state()).numbers as Record<string, unknown>[];
/** Numbers that were bought for Ava. */
const bought = async (d: Guided) =>
  (await numbers(d)).filter(
    (row) => row.AssignedSubscriberId === TSUID && !/^\+120155501\d\d$/.test(String(row.Number)),
  );
const subscriptions = async (d: Guided) => (await d.state()).subscriptions as Record<string, unknown>[];

/** A guide whose platform answers as a test says. */
async function guideOnLate() {
  const platform = await openLateSandbox();
  return { platform, d: await guideStage(platform.url) };
}

/** The first form of a new line for Ava, filled in by the command. */
async function newLine(d: Guided) {
  await d.type('/numbers', 'new guide ava');
  await d.sees('🔵 1 Line');
  await d.sees('Ava Stone');
}

it('the command for guides starts the one that it names, with the record behind its words, and offers all where it names none', async () => {
  const d = await guideStage();
  await d.type('/guide', 'new line for ava');
  await d.sees('🔵 1 Line');
  await d.sees('Ava Stone');
  await d.type('/guide', 'something else');
  expect(shown(await d.whisper('These are the guides'))).toMatch(/New line.*Swap a SIM/s);
  // A name of several lines is chosen in the form, which says so.
  await d.type('/numbers', 'swap guide ava');
  await d.sees('“ava” names no single record');
});

describe('the guide for a new line', () => {
  it('shows no step as done that follows the one that waits for an approver', async () => {
    const d = await guideStage();
    await d.form('/numbers', 'new guide 201');
    const blockId = String(/Holder~\w+/.exec(d.view()));
    await d.ws.click({ user: U_AGENT, view: true, actionId: 'sb_value', blockId, value: 'A new subscriber' });
    await d.settled();
    await d.send({ Holder: 'A new subscriber' });
    await d.sees('🔵 2 Subscriber');
    await d.send({ Name: 'Dana Fox', Email: 'd@a.example', Password: 'Fox-12345!', AccountId: id('AID', 1) });
    await d.sees('waits for an approver');
    expect(d.view()).toMatch(/🔵 2 Subscriber.*⚪ 3 Service.*⚪ 4 Approval/s);
  });

  it('leads from the area to the QR code of an eSIM, with one confirmation for each cost', async () => {
    const d = await guideStage();
    await newLine(d);
    await d.send({ Area: '201' });
    await d.sees('🔵 2 Service');
    await d.sees('Numbers are available.');
    // The only routes of the account are filled in by name.
    expect(d.view()).toContain('Main SMS');
    await d.send({ PackageId: PLAN });
    await d.sees('waits for an approver');
    expect(d.view()).not.toContain('TSUID-');
    const before = (await numbers(d)).length;
    await d.approve(1);
    // The second question follows without a click of the requester.
    await d.approve(2);
    await d.sees('✅ 4 Done');
    expect(await numbers(d)).toHaveLength(before + 1);
    expect(await bought(d)).toMatchObject([{ NumberType: 'mvno', MessageType: 'p2p', Status: 'Active' }]);
    expect((await subscriptions(d)).at(-1)).toMatchObject({ PackageId: PLAN, SubscriberId: TSUID });
    for (const text of ['✅ (201) 555-2000 for Ava Stone', 'for Ava Stone', '✅ Subscribe number', 'Show QR code'])
      expect(d.view()).toContain(text);
    await d.opens('view', 'sb_qr', U_AGENT, 'Activation code');
    // The look-up has both, although the input of one has the id of the number.
    await d.type('/number', '2000');
    expect(shown(await d.whisper('Recent actions'))).toMatch(/Subscribe number.*New line/s);
    expect(d.ws.warnings()).toEqual([]);
  });

  it('says where it is after a decline, asks again, and ends without the plan if that is wanted', async () => {
    const d = await guideStage();
    const before = (await subscriptions(d)).length;
    await newLine(d);
    await d.send({ Area: '201' });
    await d.sees('🔵 2 Service');
    await d.send({ PackageId: PLAN });
    await d.approve(1, 'sb_decline');
    await d.sees('Declined by');
    // The form still has the entered values, and asks again.
    expect(d.view()).toContain(PLAN);
    await d.send({});
    await d.approve(2);
    await d.approve(3, 'sb_decline');
    await d.sees('Leave it empty to finish without a plan');
    expect(d.view()).toContain('✅ (201) 555-2000 for Ava Stone');
    await d.send({ PackageId: '' });
    await d.sees('Show QR code');
    expect(await bought(d)).toHaveLength(1);
    expect(await subscriptions(d)).toHaveLength(before);
  });

  it.each(['Submitted', 'Pending', 'Partially Completed'])(
    'does not say that a line is ready whose order is %s',
    async (state) => {
      const { d, platform } = await guideOnLate();
      platform.rewrite = (answer, { path }) =>
        path === '/v1.0/numbers/provision' ? answer.replace(/("OrderStatus":)"[^"]*"/, `$1"${state}"`) : answer;
      await newLine(d);
      const blockId = /"block_id":"(Sim~[^"]+)"/.exec(d.view())?.[1] ?? '';
      await d.ws.click({ user: U_AGENT, view: true, actionId: 'sb_value', blockId, value: 'SIM card' });
      await d.sees('Printed on the card');
      await d.send({ Area: '201', Sim: 'SIM card', ICCID: SERIAL });
      await d.sees('🔵 2 Service');
      await d.send({});
      await d.approve(1);
      await d.sees('✅ 4 Done');
      expect(d.view()).toContain('(201) 555-2000 for Ava Stone is ordered, and not ready yet');
      expect(d.view()).toContain('Once the platform has completed it');
    },
  );

  it('is refused to a person without the right before a form is filled in', async () => {
    const d = await guideStage();
    await d.type('/numbers', 'new guide 201', U_VIEW);
    await d.whisper('needs the role operator', U_VIEW);
    expect(d.ws.openViews(U_VIEW)).toEqual([]);
  });
});

describe('the guide for a SIM swap', () => {
  it('says in the form that a serial may be mistyped, and takes it when it is sent again', async () => {
    const d = await guideStage();
    await d.type('/numbers', 'swap guide +12015550101');
    await d.sees('🔵 2 New SIM');
    const mistyped = { Sim: 'SIM card', ICCID: '8901240397190195851' };
    expect((await d.send(mistyped)).body).toContain('May be mistyped');
    await d.send(mistyped);
    await d.sees('waits for an approver');
  });

  it('leads from the line to the QR code', async () => {
    const d = await guideStage();
    await d.type('/numbers', 'swap guide +12015550101');
    await d.sees('🔵 2 New SIM');
    await d.sees('Ava Stone');
    await d.send({ Sim: 'eSIM', ICCID: SERIAL });
    await d.sees('waits for an approver');
    await d.approve(1, 'sb_confirm');
    await d.sees('✅ 4 Done');
    expect(d.view()).toContain('(201) 555-0101 works on its new SIM');
    expect((await numbers(d)).find((row) => row.Number === '+12015550101')).toMatchObject({ Iccid: SERIAL });
    await d.opens('view', 'sb_qr', U_AGENT, 'Activation code');
  });

  it('does not say that a line works on its new SIM while the platform works on the swap, or its day is to come', async () => {
    const { d, platform } = await guideOnLate();
    for (const [at, OrderStatus] of ['Submitted', 'Pending', 'Scheduled'].entries()) {
      platform.next('/v1.0/numbers/status', `{"OrderId":"${ORDER}","OrderStatus":"${OrderStatus}","Successful":true}`);
      await d.type('/numbers', `swap guide ${seeded([1, 3, 5][at] ?? 1)}`);
      await d.sees('🔵 2 New SIM');
      await d.send({ Sim: 'SIM card', ICCID: SERIAL });
      await d.approve(at + 1);
      await d.sees('✅ 4 Done');
      expect(d.view()).toContain('will be swapped');
      expect(d.view()).toContain('The old SIM works until the swap takes effect.');
      expect(d.view()).not.toContain('works on its new SIM');
    }
  });
});

it('two guides of one person with the same purchase: neither takes the plan of the other away', async () => {
  const d = await guideStage();
  for (const [values, end] of [
    [{ PackageId: PLAN }, 'waits for an approver'],
    [{}, 'Another guide has asked for the same'],
  ] as const) {
    await d.type('/numbers', 'new guide ava');
    await d.sees('🔵 1 Line');
    await d.send({ Area: '201' });
    await d.sees('🔵 2 Service');
    await d.send(values);
    await d.sees(end);
  }
  const { ts } = await d.card();
  expect(shown(d.ws.message(ts))).toContain('Asked next');
  await d.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
  await until(() => shown(d.ws.message(ts)).includes('✅ Done'), 'the purchase');
  const asked = () => d.ws.messages('C000SUPPORT').some((one) => shown(one).includes('Subscribe number'));
  await until(asked, 'the question about the plan that the card announced', 3_000);
});

it('a guide whose request its person took back does not say that somebody declined', async () => {
  const d = await guideStage();
  await d.type('/numbers', 'swap guide +12015550101');
  await d.sees('🔵 2 New SIM');
  await d.send({ Sim: 'SIM card', ICCID: '8901240397190195850' });
  await d.sees('waits for an approver');
  await d.ws.click({ user: U_AGENT, messageTs: (await d.card()).ts, actionId: 'sb_withdraw' });
  await d.sees('Withdrawn');
  expect(d.view()).not.toContain('Declined by');
});
