import { describe, expect, it } from 'vitest';
import type { ScriptedAnswer } from '../../../support/models.ts';
import { seeded } from '../../../support/world.ts';
import { C_SUPPORT, shown, U_AGENT, U_LEAD, until } from '../support.ts';
import { directOf, heard, pendingId, say, stateOf, type Talk, talking } from '../talking.ts';

/** A person sends a file with a message, as a reply in a thread. */
async function sendFile(
  s: Talk,
  name: string,
  content: string,
  text: string,
  answer: ScriptedAnswer = { text: 'Hello.' },
): Promise<void> {
  s.model.answers({ text: 'Go on.' });
  const { channel, ts: thread } = await s.say('a file follows');
  await heard(s, { channel, ts: thread }, 'Go on.');
  s.model.answers(answer);
  const file = s.ws.state.files.add({ name, data: Buffer.from(content), user: U_AGENT });
  const url = s.ws.state.files.urlOf(file);
  const files = [{ id: file.id, name, filetype: name.split('.').at(-1), url_private_download: url }];
  const message = { type: 'message', subtype: 'file_share', channel_type: 'im', user: U_AGENT, channel, text, files };
  const sent = await s.ws.event({ ...message, thread_ts: thread, ts: `${Number(thread) + 1}` });
  expect(sent.status).toBe(200);
}

const posted = (s: Talk) => s.ws.messages(directOf(s, U_AGENT)).map(shown).join('\n');

describe('a file of a message', () => {
  it('is a list for a batch, whose rows the model does not write', async () => {
    const s = await talking();
    const input = { Operation: 'numbers_cancel', File: 'lines.csv' };
    await sendFile(s, 'lines.csv', `Number\n${seeded(2)}\n${seeded(3)}\n`, 'cancel these', {
      calls: [{ name: 'batches_create', input }],
    });
    await until(async () => (await s.gate.actions.list({ states: ['pending'] })).length === 1, 'one question');
    expect(s.model.requests[1]?.text).toContain('lines.csv');
    const [action] = await s.gate.actions.list({ states: ['pending'] });
    expect(JSON.stringify(action)).toContain(seeded(3));
  });

  it('that is no list gets a sentence', async () => {
    const s = await talking();
    await sendFile(s, 'photo.png', 'x', 'look at this');
    await until(() => posted(s).includes('“photo.png” was not read'), 'a sentence');
  });
});

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
