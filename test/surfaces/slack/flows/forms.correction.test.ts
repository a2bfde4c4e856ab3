import { describe, expect, it } from 'vitest';
import type { Given } from '../../../../src/demo/playground/forms.ts';
import { objects } from '../../../../src/demo/playground/types.ts';
import { record, type Stage, stage, U_AGENT, until, whisper } from '../support.ts';

/* The form that corrects a port-in order: the reason first, then the refused details, then the others. */

const ORDER = 'JNUOID-00000000-0000-4000-8000-000000000001';
const SENT = {
  PortInNumber: '+13125550111',
  CurrentCarrierName: 'Lakeside Wireless',
  CurrentAccountNumber: '46512222',
  CurrentBillingAddress: { Street1: '1 Main St', City: 'Chicago', State: 'IL', Zip: '60601' },
  SubscriberName: 'Ava Stone',
};

/** The order was placed by Ana, and the carrier refused it. */
async function refused(message: string): Promise<Stage> {
  const s = await stage({ CONFIRM_OWN: false });
  const { action } = await s.ledger.create({
    operation: 'numbers_portin',
    actorId: `slack:T1/${U_AGENT}`,
    actorName: 'Ana',
    surface: 'slack',
    state: 'in_flight',
    input: {},
    shown: SENT,
    known: {},
    consent: undefined,
    digest: 'digest',
    expiresAt: s.clock.now() + 60_000,
  });
  await s.ledger.settle(action.id, { from: ['in_flight'], state: 'done', result: { OrderId: ORDER }, who: 'test' });
  await s.control('orders', { OrderId: ORDER, Status: 'Rejected', ErrorMessage: message });
  return s;
}

async function opened(s: Stage): Promise<void> {
  await s.type('/numbers', `portin update OrderId=${ORDER} form`);
  await sees(s, 'Submit again');
}

function view(s: Stage): string {
  return JSON.stringify(s.ws.openViews(U_AGENT).at(-1)?.definition ?? '');
}

async function sees(s: Stage, text: string): Promise<void> {
  await until(() => view(s).includes(text), `${text} in ${view(s).slice(0, 2_000)}`);
}

function blocks(s: Stage): Record<string, unknown>[] {
  return objects(s.ws.openViews(U_AGENT).at(-1)?.definition.blocks);
}

/** The inputs in their order: field, whether it may be left empty. */
function inputs(s: Stage): [string, boolean][] {
  return blocks(s)
    .filter(({ type }) => type === 'input')
    .map(({ block_id, optional }) => [String(block_id).split('~')[0] ?? '', optional === true]);
}

/** Submits the form with these changes, and returns the errors by field. */
async function submit(s: Stage, values: Record<string, Given> = {}): Promise<Record<string, string>> {
  const blockOf = (field: string) =>
    blocks(s)
      .map(({ block_id }) => String(block_id))
      .find((id) => id.split('~')[0] === field) ?? field;
  const entered = Object.fromEntries(Object.entries(values).map(([field, value]) => [blockOf(field), value]));
  const { errors = {} } = await s.ws.submit({ user: U_AGENT, values: entered });
  return Object.fromEntries(Object.entries(errors).map(([block, text]) => [block.split('~')[0], String(text)]));
}

async function order(s: Stage): Promise<Record<string, unknown>> {
  const { orders } = record(await s.control('state'));
  return record((orders as unknown[]).map(record).find(({ OrderId }) => OrderId === ORDER));
}

describe('the form that corrects a port-in', () => {
  it('begins with the reason and the refused detail', async () => {
    const s = await refused('8A-ACCOUNT_NUM_REQ_OR_INCORRECT');
    await opened(s);
    expect(record(s.ws.openViews(U_AGENT).at(-1)?.definition.title)).toMatchObject({ text: 'Correct a port-in order' });
    const [alert] = blocks(s);
    expect(JSON.stringify(alert)).toContain('The account number at the losing carrier is missing or wrong');
    expect(view(s)).toContain('8A-ACCOUNT_NUM_REQ_OR_INCORRECT');
    expect(inputs(s)[0]).toEqual(['CurrentAccountNumber', false]);
    // The order is known, so the form does not ask for its id.
    expect(inputs(s).map(([field]) => field)).not.toContain('OrderId');
    for (const value of ['46512222', 'Lakeside Wireless', '60601', 'Ava Stone'])
      expect(view(s)).toContain(`"initial_value":"${value}"`);

    expect(await submit(s, { CurrentAccountNumber: '46512346' })).toEqual({});
    const asked = await whisper(s.ws, U_AGENT, '46512222 → 46512346');
    await s.ws.click({ user: U_AGENT, messageTs: asked.ts, actionId: 'sb_confirm' });
    await until(async () => (await order(s)).OrderStatus === 'Submitted', 'the order');
    expect(s.ws.warnings()).toEqual([]);
  });
});

describe('a form that is opened again', () => {
  it('says why the platform refused the same before', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/subscribers', 'get SubscriberId=TSUID-00000000-0000-4000-8000-000000000099');
    const answer = await whisper(s.ws, U_AGENT, 'Open the form');
    await s.ws.click({ user: U_AGENT, messageTs: answer.ts, actionId: 'sb_form' });
    await sees(s, 'TSUID-00000000-0000-4000-8000-000000000099');
    expect(JSON.stringify(blocks(s)[0])).toContain('TSUID-00000000-0000-4000-8000-000000000099');
  });
});
