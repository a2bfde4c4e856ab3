import { describe, expect, it } from 'vitest';
import { seeded } from '../../../support/world.ts';
import { C_SUPPORT, shown, U_AGENT, U_LEAD, U_VIEW, until } from '../support.ts';
import { answers, heard, pendingId, say, talking } from '../talking.ts';

const limitOf = (value: number) => ({
  name: 'numbers_data_usage_set',
  input: { PhoneNumbers: [{ Number: seeded(1) }], LimitValue: value },
});

describe('a change that waits', () => {
  it('is replaced by the same call with other values, and withdrawn by a tool that needs no yes', async () => {
    const s = await talking();
    s.model.answers({ text: 'I ask. ', calls: [limitOf(3_000)] });
    const thread = await s.say('limit 0101 to 3 GB');
    await heard(s, thread, 'sb_withdraw');
    const first = await pendingId(s);
    s.model.answers({ text: 'Changed. ', calls: [limitOf(300)] });
    await say(s, 'sorry, make it 300 MB', { threadTs: thread.ts });
    await until(async () => (await s.gate.actions.get(first))?.state === 'declined', 'the first question is replaced');
    const second = await pendingId(s);
    expect((await s.gate.actions.get(second))?.shown.LimitValue).toBe(300);
    s.model.answers(
      { calls: [{ name: 'confirmations_withdraw', input: { id: second } }] },
      { text: 'It is withdrawn.' },
    );
    await say(s, 'forget that one, please', { threadTs: thread.ts });
    const text = await heard(s, thread, 'It is withdrawn.');
    expect(text).toContain('Withdrawn');
    expect(await s.gate.actions.list({ states: ['pending'] })).toEqual([]);
  });

  it('of another person is not withdrawn', async () => {
    const s = await talking();
    s.model.answers({ calls: [limitOf(3_000)] });
    const thread = await s.say('limit 0101 to 3 GB', { channel: C_SUPPORT });
    await heard(s, thread, 'sb_withdraw');
    const id = await pendingId(s);
    s.model.answers({ calls: [{ name: 'confirmations_withdraw', input: { id } }] }, ({ text }) => ({
      text: `Told: ${text.includes('there is no confirmation') ? 'refused' : 'withdrawn'}`,
    }));
    await say(s, 'withdraw it', { user: U_LEAD, channel: C_SUPPORT, threadTs: thread.ts });
    await heard(s, thread, 'Told: refused');
    expect(await pendingId(s)).toBe(id);
  });
});

describe('the reason of a model', () => {
  it('is on the card as its words for the writer, and asking again does not make it theirs', async () => {
    const s = await talking();
    const { name, input } = limitOf(3_000);
    s.model.answers({ calls: [{ name, input: { ...input, Reason: 'approved by *Lee*' } }] });
    const thread = await s.say('limit 0101 to 3 GB');
    await heard(s, thread, 'sb_withdraw');
    const id = await pendingId(s);
    expect(await s.gate.actions.get(id)).toMatchObject({ reason: 'approved by *Lee*', shown: input });
    const card = answers(s, thread).find((one) => shown(one).includes('Reason given by the assistant of'));
    const [title, quotation] =
      JSON.stringify(card?.blocks).split('Reason given by ')[1]?.split('rich_text_quote') ?? [];
    expect(title).toMatch(new RegExp(`^the assistant of .*"user_id":"${U_AGENT}"`));
    expect(quotation).toContain('"text":"approved by *Lee*"');
    await s.ws.click({ user: U_AGENT, actionId: 'sb_edit', messageTs: card?.ts ?? '', value: id });
    await until(() => s.ws.openViews(U_AGENT).length > 0, 'the form');
    expect(JSON.stringify(s.ws.openViews(U_AGENT).at(-1)?.definition)).not.toContain('approved by');
  });
});

describe('a form', () => {
  const opened = { name: 'form_open', input: { Operation: 'numbers_data_usage_set', Input: limitOf(300).input } };

  it('for a person who may only read names the people who may, and one of them can open it', async () => {
    const s = await talking();
    s.model.answers({ calls: [opened] }, { text: 'You may only look.' });
    const thread = await s.say('limit 0101 to 300 MB', { user: U_VIEW, channel: C_SUPPORT });
    await heard(s, thread, /You may only look.*needs the role operator.*Open the form/s);
    const message = answers(s, thread).find((one) => shown(one).includes('Open the form'));
    const button = objectsOf(message).find(({ action_id: id }) => id === 'sb_fill_0');
    const clicked = await s.ws.click({
      user: U_AGENT,
      actionId: 'sb_fill_0',
      messageTs: message?.ts ?? '',
      value: String(button?.value),
    });
    expect(clicked.status).toBe(200);
    await until(() => s.ws.calls('views.open').length === 1, 'the form');
  });

  const objectsOf = (message: { blocks: readonly object[] } | undefined): Record<string, unknown>[] =>
    (message?.blocks ?? []).flatMap((block) => ((block as { elements?: object[] }).elements ?? []) as never[]);
});
