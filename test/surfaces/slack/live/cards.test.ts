import { describe, expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import { rawText } from '../../../snapshots/slack-text.ts';
import { skipUntil } from '../batching.ts';
import { ASSISTANT, C_APPROVALS, C_SUPPORT, U_AGENT, U_LEAD, U_VIEW } from '../ids.ts';
import { decline, type Stage, shown, stage, until } from '../support.ts';

const CANCEL = 'cancel +12015550103';
const SUBMIT = '/numbers/cancel-order-submit';

/** The actions that a person is asked about, newest first. */
const asked = async (s: Stage) => (await s.gate.actions.list({})).filter((action) => action.consent !== undefined);

describe('a confirmation card', () => {
  it('shows action, cost and deadline word for word, with the decision first and the buttons of its requester below it', async () => {
    const s = await stage();
    const ack = await s.type('/numbers', CANCEL);
    expect(ack).toMatchObject({ outcome: 'acked', status: 200 });
    const found = await s.card();
    const { id, consent } = await s.pending();
    expect(consent?.statement).toBeTruthy();
    const statement = JSON.stringify(consent?.statement).slice(1, -1);
    for (const text of ['+12015550103', statement, consent?.undo, `<@${U_AGENT}>`, '<!date^'])
      expect(shown(found)).toContain(text);
    const rows = found.blocks.filter((block) => block.type === 'actions').map((block) => block.elements);
    const [buttons, own] = rows as Record<string, unknown>[][];
    expect(buttons).toMatchObject([
      { style: 'danger', value: id, confirm: { style: 'danger' } },
      { text: { text: 'Decline' }, value: id },
    ]);
    expect(JSON.stringify(buttons?.[0]?.confirm)).toContain('Service ends at once.');
    expect(own?.map(({ action_id: name }) => name)).toEqual(['sb_edit', 'sb_withdraw']);
    await s.settled();
    // It stands once: nothing else is left in the channel.
    expect(s.ws.messages(C_SUPPORT, { visibleTo: U_AGENT })).toHaveLength(1);
    expect(await s.requests(SUBMIT)).toEqual([]);
  });

  it('runs once for two simultaneous clicks, and names the decider and the result', async () => {
    const s = await stage({ SLACK_APPROVERS: [U_LEAD, U_AGENT] });
    await s.type('/numbers', CANCEL);
    const { ts } = await s.card();
    const clicks = [U_LEAD, U_AGENT, U_LEAD].map((user) => s.press(ts, 'sb_confirm', user));
    expect((await Promise.all(clicks)).map(({ outcome }) => outcome)).toEqual(['acked', 'acked', 'acked']);
    const text = await s.says(ts, '✅ Done');
    await s.settled();
    expect(await s.requests(SUBMIT)).toHaveLength(1);
    expect(text).toMatch(/confirmed by <@U000(LEAD|AGENT)/);
    expect(text).not.toContain('sb_confirm');
    expect(s.ws.messages(C_SUPPORT).map(shown).join()).toMatch(/running, confirmed by <@/);
    expect(JSON.stringify(s.sandbox.state())).toMatch(/Cancelled - Pending Delete/);
    expect(s.cards()).toHaveLength(1);
  });

  it('links to the page if Slack may not confirm, and an old card confirms nothing (CONFIRM_VIA=page)', async () => {
    const s = await stage({ CONFIRM_VIA: ['page'] }, { pages: 'http://127.0.0.1:1' });
    await s.type('/numbers', CANCEL);
    const found = await s.card();
    const { id } = await s.pending();
    expect(shown(found)).toContain(`http://127.0.0.1:1/confirm/${id}`);
    expect(shown(found)).not.toMatch(/sb_confirm|sb_decline/);
    const home = await s.home(U_LEAD);
    expect(home).toContain('/confirm/act_');
    expect(home).not.toContain('sb_confirm');
    for (const old of ['sb_confirm', 'sb_decline'])
      expect((await s.pressOld(found, old, id)).join()).toContain('cannot be decided in Slack');
    expect((await s.pending()).id).toBe(id);
    expect(await s.requests(SUBMIT)).toEqual([]);
  });

  it('rejects a tampered value', async () => {
    const s = await stage();
    await s.type('/numbers', CANCEL);
    await s.card();
    await s.quiet();
    const { blocks, ts } = await s.card();
    const [button = {}] = objects(blocks.find((block) => block.type === 'actions')?.elements);
    for (const value of ['act_nonsense_nonsense', '../../etc', '']) {
      button.value = value;
      await s.press(ts, 'sb_confirm');
    }
    await s.whisper('This request is unknown', U_LEAD);
    expect((await asked(s)).map(({ state }) => state)).toEqual(['pending']);
  });

  it('can be settled by an approver if reading cannot tell the outcome, and warns no more', async () => {
    const s = await stage();
    /** Sends the same message again, and returns its card. */
    const send = async (count: number) => {
      await s.type('/message', 'outbound To=+12015550199 From=+12015550101 Body="hello"');
      await until(() => s.cards().length === count, `card ${count}`);
      return s.card();
    };
    await lost(s, '/v1.0/message/outbound');
    await send(1);
    const { ts } = await s.confirm();
    // Each of the three buttons is explained, and the card contains no code of a library.
    const unknown = await s.says(ts, '❓ Outcome unknown');
    expect(unknown).toMatch(/\*Check now\* reads.*\*It was done\* .*\*It was not done\* /s);
    expect(unknown).not.toMatch(/UND_ERR|ECONN/);
    // A person who may not confirm may not say how it ended either.
    await s.press(ts, 'sb_wasDone', U_VIEW);
    await s.whisper('needs the role approver', U_VIEW);
    expect((await s.gate.actions.list({}))[0]?.state).toBe('unknown');
    const warned = await send(2);
    expect(shown(warned)).toContain('its outcome is unknown');
    // Also where Slack takes plain text alone, as in the dialog of the button.
    expect(shown(warned)).toMatch(/sent at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
    expect(shown(warned)).not.toMatch(/\d{4}-\d\d-\d\dT\d\d/);
    await decline(s, { user: U_LEAD, messageTs: warned.ts });

    await s.press(ts, 'sb_wasNot');
    expect(await s.says(ts, '❌ Failed')).toContain('@lee looked and says that it was not done.');
    expect(shown(await send(3))).not.toContain('outcome is unknown');
    expect(await s.requests('/message/outbound')).toHaveLength(1);
    expect((await s.gate.actions.audit()).map(({ what, who }) => `${what} ${who}`)).toContain('failed @lee (slack)');
  });

  it('shows a generated PIN once, only to the person who confirmed', async () => {
    const s = await stage();
    await s.type('/numbers', 'portout +12015550105');
    const { ts } = await s.confirm();
    const once = shown(await s.whisper('Shown once', U_LEAD));
    const pin = /"text":"(\d{6})"/.exec(once)?.[1] ?? 'none';
    // In a block that Slack copies with one click, before the words about it.
    expect(once).toMatch(/rich_text_preformatted.*\d{6}.*Copy it now/);
    await s.says(ts, '✅ Done');
    await s.settled();
    expect(s.ws.bytesFromApp().filter(({ text }) => text.includes(pin))).toHaveLength(1);
    expect(s.logged.join('\n')).not.toContain(pin);
    expect((await asked(s))[0]?.hasOnce).toBe(false);
  });

  it('turns no PIN into a message that stays, where neither the response_url nor a whisper can show it', async () => {
    const s = await stage();
    await s.type('/numbers', 'portout +12015550105');
    await s.card();
    await s.settled();
    s.ws.fail('response_url', { status: 404 }, 9);
    s.ws.fail('chat.postEphemeral', { error: 'user_not_in_channel' }, 9);
    await s.confirm();
    await until(() => s.direct(U_LEAD).includes('could not show it to you alone'), 'the word to the approver');
    await s.settled();
    const [tried] = s.ws.bytesFromApp().flatMap(({ text }) => /"text":"(\d{6})"/.exec(text)?.[1] ?? []);
    expect(tried).toMatch(/^\d{6}$/);
    expect(JSON.stringify(s.ws.messages(C_SUPPORT)) + s.direct(U_LEAD)).not.toContain(tried);
    expect((await asked(s))[0]?.state).toBe('done');
  });
});

const lost = (s: Stage, path: string) => s.control('faults', { path, times: 1, dropAfterCommit: true });

const CANCEL_THREE =
  'cancel PhoneNumbers=\'[{"Number":"+12015550101"},{"Number":"+12015550103"},{"Number":"+12015550104"}]\'';

it('the outcome of a cancellation in Slack that is partly done: card, notice and Home count it and list the rest with reasons', async () => {
  const s = await stage();
  await s.control('faults', { path: `/v1.0${SUBMIT}`, refuse: ['+12015550103'] });
  await s.type('/numbers', CANCEL_THREE);
  const done = await s.confirm();
  expect(JSON.stringify(done.blocks[0])).toContain('⚠️ Partly done: 2 of 3 numbers cancelled');
  expect(done.text).toContain('Partly done: 2 of 3 numbers cancelled');
  expect(JSON.stringify(done.blocks)).toContain('The carrier refused the change');
  expect(shown(done)).not.toContain('✅');
  await s.told('Partly done: 2 of 3 numbers cancelled');
  const home = await s.home();
  expect(home).toContain('partly done: 2 of 3 numbers cancelled');
  expect(home).not.toContain('✅ Cancel');
});

it('a failure that the requester reads has its reason and its charge, and its card shows no value as reached', async () => {
  const s = await stage();
  await s.type('/numbers', 'reactivate +12015550108');
  const card = await s.confirm();
  expect(shown(card)).toContain('Service (not changed)');
  expect(await s.opens(card, 'sb_edit')).toContain('+12015550108');
  const reply = await s.told('❌ Failed: ');
  expect(reply).toContain('The carrier refused to reactivate +12015550108');
  expect(reply).toContain('Nothing was done. Nothing was charged.');
});

/* The requester learns of every end, also of one that no click brings. */

it('an outcome that was unknown is told to the requester once it is known, once', async () => {
  const s = await stage();
  await lost(s, '/v1.0/numbers/reactivate');
  await s.type('/numbers', 'reactivate 0107');
  await s.confirm();
  await s.told('Outcome unknown');
  const ends = () =>
    s.ws.messages(C_SUPPORT).filter((one) => one.threadTs !== undefined && one.text.includes('Done: Reactivate'));
  await skipUntil(s, () => ends().length > 0, 'the outcome', 15_000);
  await passing(s, 45_000);
  expect(ends()).toHaveLength(1);
});

it.each([
  ['Delivered', '✅ Done, delivered', '📤 delivered'],
  ['Undelivered', '⚠️ Done, the carrier did not deliver it', '⚠️ the carrier did not deliver it'],
])('a message whose state is %s later has it on its card and in the lookup', async (Status, done, line) => {
  const s = await stage({}, { events: true });
  await s.type('/message', 'outbound To=+13125550123 From=+12015550101 Body="hello"');
  const { ts } = await s.confirm();
  await s.says(ts, 'not delivered yet');
  expect(await s.told('Done')).not.toContain('delivered');
  const [action] = await s.gate.actions.list({});
  const event = { ...action?.result, To: '+13125550123', Direction: 'Outbound', Status };
  await s.deliver('message-status', event);
  await s.says(ts, done);
  await s.type('/number', '0101');
  expect(shown(await s.whisper('Last message'))).toContain(line);
});

it('a question in a direct message has a card there for its requester and one for approvers, and both show the end', async () => {
  const s = await stage();
  const direct = s.ws.state.im(U_AGENT).id;
  await s.type('/numbers', 'cancel 0103', U_AGENT, direct);
  const { ts } = await s.card(C_APPROVALS);
  await s.quiet();
  const mine = () => s.ws.messages(direct, { visibleTo: U_AGENT });
  expect(mine()).toHaveLength(1);
  expect(shown(mine()[0])).toMatch(/sb_edit.*sb_withdraw/s);
  expect(shown(mine()[0])).not.toContain('sb_confirm');
  await s.press(ts, 'sb_confirm');
  await s.quiet();
  const [own, reply, ...more] = mine();
  expect(more).toEqual([]);
  for (const one of [own, s.ws.message(ts)]) expect(shown(one)).toContain('✅ Done');
  expect([reply?.threadTs, shown(reply).includes(U_AGENT)]).toEqual([own?.ts, true]);
});

/* A view that does not show everything that will be sent has no confirming button. */

const RECIPIENTS = Array.from({ length: 100 }, (_, i) => `+1201555${String(3000 + i)}`);
const BODY = `${'All of this text is sent. '.repeat(55)}The very end.`;
const MEDIA = `https://media.example.com/${'long-path/'.repeat(90)}picture.png`;

describe('a question that does not fit on a card', () => {
  it('is confirmed only where all of it is shown, by an approver: not on the card, to approvers, in the reminder or in the Home', async () => {
    const s = await stage();
    await s.type('/message', `outbound To=${RECIPIENTS.join(',')} From=+12015550101 Body="${BODY}"`);
    const { ts } = await s.card();
    await until(() => s.ws.messages(C_APPROVALS).length === 1, 'the message to approvers');
    await s.settled();
    s.clock.skip(240_000);
    await skipUntil(s, () => s.ws.messages(C_APPROVALS).length === 2, 'the reminder', 500);
    for (const view of [...[s.ws.message(ts), ...s.ws.messages(C_APPROVALS)].map(shown), await s.home(U_LEAD)]) {
      expect(view).toMatch(/sb_everything.*sb_decline|sb_decline.*sb_everything/s);
      expect(view).not.toContain('sb_confirm');
    }
    // An operator reads it, and cannot confirm there.
    await s.opens(ts, 'sb_everything');
    await s.press('view', 'sb_confirm', U_AGENT);
    await until(() => s.direct().includes('This needs the role approver'), 'the refusal');
    expect((await asked(s))[0]?.state).toBe('pending');

    const modal = await s.opens('home', 'sb_everything', U_LEAD, 'sb_confirm');
    for (const part of [...RECIPIENTS, BODY, '+12015550101', 'Ava Stone', '100 messages'])
      expect(modal).toContain(part);
    expect(s.ws.warnings()).toEqual([]);
    await s.press('view', 'sb_confirm');
    await s.says(ts, '✅ Done');
    expect(await s.opened(U_LEAD, '✅ Done')).not.toContain('sb_confirm');
    expect(await s.requests('/message/outbound')).toHaveLength(1);
  });

  it('hides the address of a picture on no card that confirms, and is declined where it is shown', async () => {
    const s = await stage();
    const input = { To: ['+12015550199'], From: '+12015550101', Body: 'See this', MmsMedia: [{ MediaUrl: MEDIA }] };
    await s.gate.perform('message_outbound', input, ASSISTANT);
    const { ts } = await s.card(C_APPROVALS);
    expect(s.shows(ts)).not.toMatch(/picture\.png|sb_confirm/);
    await s.opens(ts, 'sb_everything', U_LEAD, 'sb_confirm');
    const blocks = objects(s.ws.openViews(U_LEAD)[0]?.definition.blocks);
    expect(rawText({ text: '', blocks })).toContain(MEDIA);
    await decline(s, { user: U_LEAD, view: true });
    await s.says(ts, '🚫 Declined');
    expect(await s.requests('/message/outbound')).toEqual([]);
  });
});

/* Approvers are notified that a confirmation waits: in their channel, or each by direct message. */

/** Lets time pass in steps that are shorter than a claim of a job, and lets the jobs of each step end. */
async function passing(s: Stage, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 15_000) {
    s.clock.skip(Math.min(left, 15_000));
    await s.quiet();
  }
}

/** The time in which a question waits, so that a test does not pass a whole day. */
const TTL_MS = 2_400_000;

it('approvers who have a channel are told there at once, with the same buttons, confirm there, and both messages show the outcome', async () => {
  const s = await stage();
  await s.type('/numbers', CANCEL);
  const { ts } = await s.card();
  const told = await s.card(C_APPROVALS);
  expect(shown(told)).toMatch(/sb_confirm.*sb_decline/s);
  expect(shown(told)).toMatch(new RegExp(`<@${U_AGENT}>, <!date[^>]+> in <#${C_SUPPORT}>`));
  expect(await s.says(ts, '"Asked:"')).toContain(`"channel_id":"${C_APPROVALS}"`);
  expect(s.direct(U_LEAD)).toBe('');
  await s.press(told, 'sb_confirm');
  for (const one of [ts, told]) expect(await s.says(one, '✅ Done')).not.toContain('sb_confirm');
  expect(await s.requests(SUBMIT)).toHaveLength(1);
});

it('approvers without a channel are told and reminded by direct message, once over two processes, members of groups too', async () => {
  const s = await stage(
    { SLACK_APPROVALS_CHANNEL: undefined },
    { env: { CONFIRM_TTL_SECONDS: String(TTL_MS / 1_000) } },
  );
  await s.again();
  await s.type('/numbers', CANCEL);
  const { ts } = await s.card();
  const direct = () => s.ws.messages(s.ws.state.im(U_LEAD).id).filter((one) => !one.ephemeralTo);
  await until(() => direct().length >= 1, 'the direct message');
  expect(await s.says(ts, '"Asked:"')).toContain(`"user_id":"${U_LEAD}"`);
  expect(s.ws.messages(C_APPROVALS)).toEqual([]);
  await passing(s, TTL_MS - 14 * 60_000);
  await until(() => direct().length >= 2, 'the reminder');
  await passing(s, 60_000);
  expect(direct().map(({ text }) => text.startsWith('⏰'))).toEqual([false, true]);
});

it('the Home has a button to withdraw each request of its person, and shows an approver alone what was decided today', async () => {
  const s = await stage();
  await s.type('/numbers', 'cancel 0101');
  await s.confirm();
  for (const line of ['0102', '0103', '0104', '0105', '0106']) await s.type('/numbers', `cancel ${line}`);
  await until(async () => (await s.gate.actions.list({ states: ['pending'] })).length === 5, 'all of them');
  const home = await s.home();
  expect(home.split('"sb_withdraw"')).toHaveLength(6);
  expect(home).not.toMatch(/more of yours|Decided today/);
  const last = s.cards().find((one) => shown(one).includes('+12015550103'));
  await s.press(last, 'sb_withdraw', U_AGENT);
  await s.says(last, 'Withdrawn');
  const decided = await s.home(U_LEAD);
  expect(decided).not.toContain('+12015550103');
  expect(decided).toMatch(/Decided today.*Cancel \+12015550101.*confirmed by/s);
});
