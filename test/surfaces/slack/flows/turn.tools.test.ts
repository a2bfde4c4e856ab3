import { describe, expect, it } from 'vitest';
import { seeded } from '../../../support/world.ts';
import { C_SUPPORT, shown, U_AGENT, U_LEAD, U_VIEW, until } from '../support.ts';
import { answers, heard, pendingId, say, talking } from '../talking.ts';

/* Tests the tools of a model beside the operations, through signed requests of Slack. */

const LOOKUP = { name: 'numbers_lookup', input: { PhoneNumber: seeded(2) } };
const limitOf = (value: number) => ({
  name: 'numbers_data_usage_set',
  input: { PhoneNumbers: [{ Number: seeded(1) }], LimitValue: value },
});
const requestOf = (text: string | undefined) =>
  JSON.parse(text ?? '{}') as { messages: { role: string; content: string }[]; tool_choice?: string };

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

  it('is handed to the person, filled in as far as the model knows', async () => {
    const s = await talking();
    s.model.answers({ calls: [opened] }, { text: 'Here is the form.' });
    const thread = await s.say('limits for 0101, I fill in the rest');
    const text = await heard(s, thread, /Here is the form.*Open the form/s);
    expect(text).toContain('300');
    expect(await s.gate.actions.list({})).toEqual([]);
  });

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

describe('the calls of a turn', () => {
  it('are not used up by searches, and the same read is made once', async () => {
    const s = await talking({}, { steps: '2' });
    const search = { name: 'search', input: { query: 'data limits' } };
    const describeIt = { name: 'describe', input: { operation: 'numbers_lookup' } };
    s.model.answers(
      { calls: [search, describeIt, search] },
      { calls: [LOOKUP, LOOKUP] },
      { calls: [{ name: 'numbers_find', input: { Query: '0103' } }] },
      { text: 'Both were read.' },
    );
    const thread = await s.say('look at 0102 and 0103');
    const text = await heard(s, thread, 'Both were read.');
    expect(text).not.toContain('may make no more calls');
    expect(text.match(/Looked up/g)).toHaveLength(1);
  });

  it('end with an answer when they are used up', async () => {
    const s = await talking({}, { steps: '1' });
    s.model.answers({ calls: [LOOKUP] }, ({ text }) => ({
      text: requestOf(text).tool_choice === 'none' ? 'That is all I know.' : 'NOT LAST',
    }));
    expect(await heard(s, await s.say('look at 0102'), /That is all I know|NOT LAST/)).toContain('That is all I know.');
    expect(s.model.requests[1]?.text).toContain('limit of calls for one message is reached');
  });
});

describe('a message', () => {
  it('that is written while a turn runs is answered next, and the fourth that waits is told so', async () => {
    const s = await talking();
    let go: () => void = () => undefined;
    const after = new Promise<void>((resolve) => {
      go = resolve;
    });
    s.model.answers({ text: 'First.', after }, { text: 'Second.' }, { text: 'Third.' }, { text: 'Fourth.' });
    const thread = await s.say('one', { channel: C_SUPPORT });
    const at = { channel: C_SUPPORT, threadTs: thread.ts };
    await until(() => s.model.requests.length === 1, 'the first turn');
    for (const [i, text] of ['two', 'three', 'four'].entries()) {
      await say(s, text, at);
      const waits = () =>
        s.ws.calls('assistant.threads.setStatus').filter(({ args }) => /earlier/.test(String(args.status)));
      await until(() => waits().length === i + 1, `${text} waits`);
    }
    await say(s, 'five', at);
    await until(() => s.ws.messages(C_SUPPORT).some((one) => shown(one).includes('Three messages wait')), 'a notice');
    go();
    await heard(s, thread, /First\..*Second\..*Third\..*Fourth\./s);
    expect(
      requestOf(s.model.requests[1]?.text)
        .messages.map(({ content }) => content.split('\n')[0])
        .slice(-3),
    ).toEqual(['one', 'First.', 'two']);
    expect(s.model.requests).toHaveLength(4);
  });

  it('at the top level of a direct message knows what was said there in the last 12 hours', async () => {
    const s = await talking();
    s.model.answers({ text: 'Noted.' });
    const first = await s.say('the word is heliotrope');
    await heard(s, first, 'Noted.');
    await heard(s, await s.say('what is the word?'), 'Noted.');
    const said = () => s.model.requests.at(-1)?.text ?? '';
    expect(said()).toContain('heliotrope');
    await say(s, 'and in this thread?', { threadTs: first.ts });
    await until(() => s.model.requests.length === 3, 'the third turn');
    expect(said()).toContain('heliotrope');
    await s.settled();
    await heard(s, await s.say('new topic: what is the word?'), 'Noted.');
    expect(said()).not.toMatch(/heliotrope|new topic/);
    s.clock.skip(13 * 3_600_000);
    await heard(s, await s.say('and now?'), 'Noted.');
    expect(said()).not.toContain('what is the word?');
    await heard(s, await s.say('forget everything'), 'This conversation is forgotten.');
    expect(await s.assistant.conversations.messages(`slack/${first.channel}/${first.ts}`)).toEqual([]);
  });
});

describe('what the model reads', () => {
  it('begins alike for everybody and at every time, and ends with the writer, their zone and the time', async () => {
    const s = await talking();
    s.model.answers({ text: 'Hello.' });
    await heard(s, await s.say('hello'), 'Hello.');
    s.clock.skip(61_000);
    await heard(s, await s.say('hello again', { user: U_LEAD }), 'Hello.');
    const [first, second] = s.model.requests.map(({ text }) => requestOf(text).messages);
    expect(first?.[0]?.role).toBe('system');
    expect(second?.[0]).toEqual(first?.[0]);
    expect(first?.[0]?.content).not.toMatch(/be subscribed|\d{4}-\d\d-\d\d/);
    expect(first?.at(-1)?.content).toMatch(
      /^hello\n\n\[Switchboard: the last message is from "@ana", whose role is operator\. For them it is .* \([A-Za-z_/]+\)/,
    );
  });
});
