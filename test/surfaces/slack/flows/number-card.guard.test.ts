import { describe, expect, it } from 'vitest';
import { deciderOf } from '../../../../src/gate/decisions.ts';
import { card, record, type Stage, sharedStage, shown, U_AGENT, U_LEAD, until, whisper } from '../support.ts';

const stageOf = sharedStage();

/* `/subscribers guard`: the filters of one number, with a button for the form of each change. */

const PHONE = '+12015550101';
const OWNER = 'TSUID-00000000-0000-4000-8000-000000000001';
const LEAD = { id: 'slack:T1/U1', name: 'Lee', role: 'approver', surface: 'slack', priority: 'person' } as const;
/** The yes of an approver, at once. */
const YES = { ask: async () => 'accept' as const, decider: deciderOf(LEAD, 'slack') };

/** Gives the number a message filter, while filtering itself is off. */
async function filtered(s: Stage, settings: Record<string, unknown>): Promise<void> {
  const input = { SubscriberId: OWNER, Phone: PHONE, ApplyToInbound: true, ApplyToOutbound: true, ...settings };
  await s.gate.perform('subscribers_message_filter_create', input, LEAD, YES);
}

async function filters(s: Stage): Promise<Record<string, unknown>[]> {
  return (record(await s.control('state')).messageFilters as unknown[]).map((filter) => record(record(filter).fields));
}

async function asked(s: Stage, given: string, text: string) {
  await s.type('/subscribers', `guard ${given}`.trim());
  return await whisper(s.ws, U_AGENT, text);
}

function view(s: Stage): string {
  return JSON.stringify(s.ws.openViews(U_AGENT).at(-1)?.definition ?? '');
}

describe('/subscribers guard', () => {
  it('shows what is set, and the form of a filter starts from it', async () => {
    const s = stageOf();
    await filtered(s, { FilterMode: 'CHILD', BlockLinks: true });
    const message = await asked(s, '0101', 'Guard a number');
    for (const words of ['Ava Stone', 'Child: the strictest level', 'Blocked are links.', 'not filtered'])
      expect(shown(message)).toContain(words);
    for (const label of ['Change messages', 'New message filter', 'New call filter'])
      expect(shown(message)).toContain(label);
    await s.ws.click({ user: U_AGENT, messageTs: message.ts, actionId: 'sb_fill_0' });
    await until(() => view(s).includes('BlockLinks'), 'the form');
    expect(view(s)).toContain('CHILD');
    await s.ws.submit({ user: U_AGENT, values: { BlockLinks: 'false' } });
    // Less protection needs an approver.
    const { ts } = await card(s.ws);
    expect(shown(s.ws.message(ts))).toContain('Block links');
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    await until(() => s.ws.message(ts)?.text.includes('Done') === true, 'the end');
    expect((await filters(s))[0]).toMatchObject({ BlockLinks: false });
    expect(s.ws.warnings()).toEqual([]);
  });
});
