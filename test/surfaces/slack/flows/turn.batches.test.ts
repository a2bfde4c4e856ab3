import { describe, expect, it } from 'vitest';
import { seeded } from '../../../support/world.ts';
import { C_SUPPORT, shown, U_AGENT, U_LEAD, until } from '../support.ts';
import { heard, pendingId, say, stateOf, talking } from '../talking.ts';

describe('a batch of a conversation', () => {
  it('is one question', async () => {
    const s = await talking();
    const input = {
      Operation: 'numbers_cancel',
      Numbers: [seeded(2), seeded(3)],
    };
    s.model.answers({ calls: [{ name: 'batches_create', input }] }, { text: 'All cancelled!' });
    const thread = await s.say('cancel 0102 and 0103', { channel: C_SUPPORT });
    expect(await heard(s, thread, 'waits for an approver')).toContain(`Cancel ${seeded(2)}, ${seeded(3)}`);
    expect(s.model.requests[0]?.tools).toContain('batches_create');
    expect(s.model.requests).toHaveLength(1);
    const asked = s.ws.messages(C_SUPPORT).find((one) => shown(one).includes('sb_confirm'));
    expect(asked?.threadTs).toBe(thread.ts);
    expect(await stateOf(s, seeded(3))).toBe('Active');
    await s.ws.click({ user: U_LEAD, actionId: 'sb_confirm', messageTs: asked?.ts ?? '', value: await pendingId(s) });
    await until(async () => (await stateOf(s, seeded(3))) === 'Cancelled - Pending Delete', 'the batch');
    // The end of the batch is a separate message, which mentions the requester.
    expect(await heard(s, thread, /"user_id":"U.*Done: 2 done/s)).toContain(U_AGENT);
  });

  it('may be stopped by a model, which the answer says', async () => {
    const s = await talking();
    const input = { Operation: 'numbers_cancel', Numbers: [seeded(2), seeded(3)] };
    s.model.answers({ calls: [{ name: 'batches_create', input }] });
    const thread = await s.say('cancel 0102 and 0103');
    await heard(s, thread, 'waits for an approver');
    const batch = await s.store.database('ledger').get<{ id: string }>('SELECT id FROM batches');
    const stop = { name: 'batches_stop', input: { id: batch?.id } };
    s.model.answers({ calls: [stop] }, { text: 'It is stopped.' });
    await say(s, 'never mind', { threadTs: thread.ts });
    expect(await heard(s, thread, /It is stopped\..*Done: Stopped the batch/s)).not.toContain('Nothing was changed');
  });
});
