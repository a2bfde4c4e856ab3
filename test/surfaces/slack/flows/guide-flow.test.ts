import { describe, expect, it } from 'vitest';
import { TSUID } from '../../../support/world.ts';
import { guideStage } from '../guiding.ts';
import { cards, shown, U_AGENT, U_VIEW, until, whisper } from '../support.ts';
import { directOf } from '../talking.ts';

const AVA = TSUID;
const PLAN = 'PKID-00000000-0000-4000-8000-000000000001';
const SERIAL = '8901240397190195850';

type Guided = Awaited<ReturnType<typeof guideStage>>;

const numbers = async (d: Guided) => (await d.state()).numbers as Record<string, unknown>[];
/** Numbers that were bought for Ava. */
const bought = async (d: Guided) =>
  (await numbers(d)).filter((row) => row.AssignedSubscriberId === AVA && !/^\+120155501\d\d$/.test(String(row.Number)));
const subscriptions = async (d: Guided) => (await d.state()).subscriptions as Record<string, unknown>[];

/** The first form of a new line for Ava, filled in by the command. */
async function newLine(d: Guided) {
  await d.type('/numbers', 'new guide ava');
  await d.sees('🔵 1 Line');
  await d.sees('Ava Stone');
}

describe('the guide for a new line', () => {
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
    expect((await subscriptions(d)).at(-1)).toMatchObject({ PackageId: PLAN, SubscriberId: AVA });
    for (const text of ['✅ Provision', 'for Ava Stone', '✅ Subscribe number', 'Show QR code'])
      expect(d.view()).toContain(text);
    await d.press('sb_qr');
    await d.sees('Activation code');
    expect(d.ws.warnings()).toEqual([]);
  });

  it('binds a SIM card, and shows no QR code for it', async () => {
    const d = await guideStage();
    await newLine(d);
    await d.pick('Sim', 'SIM card');
    await d.sees('SIM serial (ICCID)');
    const missing = await d.send({ Area: '201' });
    expect(Object.values(missing.errors ?? {}).join()).toMatch(/Fill this in|required/i);
    await d.send({ Area: '201', ICCID: SERIAL });
    await d.sees('🔵 2 Service');
    await d.send({});
    await d.approve(1);
    await d.sees('✅ 4 Done');
    expect((await numbers(d)).at(-1)).toMatchObject({ Iccid: SERIAL });
    expect(d.view()).toContain('puts the SIM card into the phone');
    expect(d.view()).not.toContain('Show QR code');
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
    expect(d.view()).toContain('✅ Provision');
    await d.send({ PackageId: '' });
    await d.sees('Show QR code');
    expect(await bought(d)).toHaveLength(1);
    expect(await subscriptions(d)).toHaveLength(before);
  });

  it('goes on after a restart, and by direct message if its form was closed', async () => {
    const d = await guideStage();
    await newLine(d);
    await d.send({ Area: '201' });
    await d.sees('🔵 2 Service');
    await d.restart();
    await d.send({ PackageId: PLAN });
    await d.sees('waits for an approver');
    await d.restart();
    await d.approve(1);
    await until(() => cards(d.ws).length === 2, 'the question about the plan');
    await d.sees('Subscribe number');
    await d.ws.closeView({ user: U_AGENT });
    await d.restart();
    await d.approve(2, 'sb_decline');
    const told = () => d.ws.messages(directOf(d.stage, U_AGENT)).findLast((one) => shown(one).includes('Continue'));
    await until(() => told() !== undefined, 'a direct message');
    for (const text of ['Declined by', 'Subscribe number']) expect(shown(told())).toContain(text);
    await d.ws.click({ user: U_AGENT, messageTs: told()?.ts ?? '', actionId: 'sb_guide_0' });
    await d.sees('Leave it empty to finish without a plan');
    await d.send({});
    await d.approve(3);
    await d.sees('✅ 4 Done');
    expect((await subscriptions(d)).at(-1)).toMatchObject({ SubscriberId: AVA, PackageId: PLAN });
    expect(await bought(d)).toHaveLength(1);
  });

  it('is refused to a person without the right before a form is filled in', async () => {
    const d = await guideStage();
    await d.type('/numbers', 'new guide 201', U_VIEW);
    await whisper(d.ws, U_VIEW, 'needs the role operator');
    expect(d.ws.openViews(U_VIEW)).toEqual([]);
  });
});

describe('the guide for a SIM swap', () => {
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
    await d.press('sb_qr');
    await d.sees('Activation code');
  });
});
