import { describe, expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import { viewText } from '../../../snapshots/slack-text.ts';
import {
  ASSISTANT,
  C_APPROVALS,
  C_SUPPORT,
  card,
  cards,
  decline,
  type Stage,
  type StageSettings,
  shown,
  stage,
  told,
  U_AGENT,
  U_LEAD,
  U_VIEW,
  until,
  whisper,
} from '../support.ts';

const ACCOUNT = 'AID-00000000-0000-4000-8000-000000000001';
const REACTIVATE = `reactivate +12015550107 AccountId=${ACCOUNT}`;
const CANCEL = 'cancel +12015550103';
const SUBMIT = '/numbers/cancel-order-submit';

/** The actions that a person is asked about, newest first. */
const asked = async (s: Stage) => (await s.gate.actions.list({})).filter((action) => action.consent !== undefined);

describe('a confirmation card', () => {
  it('shows action, cost and deadline word for word, with the decision first and the buttons of its requester below it', async () => {
    const s = await stage();
    const ack = await s.type('/numbers', CANCEL);
    expect(ack).toMatchObject({ outcome: 'acked', status: 200 });
    const found = await card(s.ws);
    const text = shown(found);
    expect(text).toContain('+12015550103');
    const action = (await asked(s))[0];
    expect(action?.consent?.statement).toBeTruthy();
    expect(text).toContain(JSON.stringify(action?.consent?.statement).slice(1, -1));
    expect(text).toContain(action?.consent?.undo);
    expect(text).toContain(`<@${U_AGENT}>`);
    expect(text).toContain('<!date^');
    const rows = found.blocks.filter((block) => block.type === 'actions').map((block) => block.elements);
    const [buttons, own] = rows as Record<string, unknown>[][];
    expect(buttons).toHaveLength(2);
    expect(buttons?.[0]).toMatchObject({ style: 'danger', value: action?.id, confirm: { style: 'danger' } });
    expect(JSON.stringify(buttons?.[0]?.confirm)).toContain('Service: Active → Cancelled - Pending Delete.');
    expect(buttons?.[1]).toMatchObject({ text: { text: 'Decline' }, value: action?.id });
    expect(own?.map(({ action_id: name }) => name)).toEqual(['sb_edit', 'sb_withdraw']);
    await s.settled();
    // It stands once: nothing else is left in the channel.
    expect(s.ws.messages(C_SUPPORT, { visibleTo: U_AGENT })).toHaveLength(1);
    expect(await s.requests(SUBMIT)).toEqual([]);
  });

  it('warns of the same request of somebody else by name, without an id', async () => {
    const s = await stage();
    for (const user of [U_AGENT, U_LEAD]) await s.type('/numbers', REACTIVATE, user);
    await until(() => cards(s.ws, C_SUPPORT).length === 2, 'both cards');
    const text = cards(s.ws, C_SUPPORT).map(shown).join();
    expect(text).toMatch(/An earlier question of \S+ for \+12015550107 still waits and is not replaced by this one\./);
    expect(text).not.toContain('(act_');
  });

  it('runs once for two simultaneous clicks, and names the decider and the result', async () => {
    const s = await stage({ SLACK_APPROVERS: [U_LEAD, U_AGENT] });
    await s.type('/numbers', CANCEL);
    const { ts } = await card(s.ws);
    const clicks = await Promise.all([
      s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' }),
      s.ws.click({ user: U_AGENT, messageTs: ts, actionId: 'sb_confirm' }),
      s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' }),
    ]);
    expect(clicks.map(({ outcome }) => outcome)).toEqual(['acked', 'acked', 'acked']);
    await until(() => s.ws.message(ts)?.text.includes('Done') === true, 'the end');
    await s.settled();
    expect(await s.requests(SUBMIT)).toHaveLength(1);
    const text = shown(s.ws.message(ts));
    expect(text).toContain('✅ Done');
    expect(text).toMatch(/confirmed by <@U000(LEAD|AGENT)/);
    expect(text).not.toContain('sb_confirm');
    expect(
      s.ws.messages(C_SUPPORT).filter((m) => shown(m).includes('already confirmed')).length,
    ).toBeGreaterThanOrEqual(1);
    expect(JSON.stringify(s.sandbox.state())).toMatch(/Cancelled - Pending Delete/);
    expect(cards(s.ws)).toHaveLength(1);
  });

  it('links to the page if Slack may not confirm, and an old card confirms nothing (CONFIRM_VIA=page)', async () => {
    const pages = 'http://127.0.0.1:1';
    const s = await stage({ CONFIRM_VIA: ['page'] }, { pages });
    await s.type('/numbers', CANCEL);
    const found = await card(s.ws);
    const action = (await asked(s))[0];
    expect(shown(found)).toContain(`http://127.0.0.1:1/confirm/${action?.id}`);
    expect(shown(found)).not.toMatch(/sb_confirm|sb_decline/);
    await s.ws.openHome({ user: U_LEAD });
    await until(() => s.ws.home(U_LEAD) !== undefined, 'the Home');
    expect(JSON.stringify(s.ws.home(U_LEAD))).toContain('/confirm/act_');
    expect(JSON.stringify(s.ws.home(U_LEAD))).not.toContain('sb_confirm');
    for (const [i, id] of ['sb_confirm', 'sb_decline'].entries()) {
      const old = { type: 'button', action_id: id, text: { type: 'plain_text', text: 'x' }, value: action?.id };
      s.ws.message(found.ts)?.blocks.push({ type: 'actions', block_id: `old${i}`, elements: [old] });
      await s.ws.click({ user: U_LEAD, messageTs: found.ts, actionId: id });
      await until(
        () => s.ws.messages(C_SUPPORT).filter((m) => m.text.includes('cannot be decided in Slack')).length === i + 1,
        'an answer',
      );
    }
    expect((await asked(s))[0]?.state).toBe('pending');
    expect(await s.requests(SUBMIT)).toEqual([]);
  });

  it('expires by itself, and answers a late click on an old copy', async () => {
    const s = await stage();
    await s.type('/numbers', REACTIVATE);
    const { ts } = await card(s.ws);
    s.ws.fail('chat.update', { error: 'fatal_error' }, 1);
    s.clock.skip(301_000);
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    await whisper(s.ws, U_LEAD, 'expired');
    await until(() => {
      s.clock.skip(3_000);
      return shown(s.ws.message(ts)).includes('⌛ Expired');
    }, 'expired');
    await s.settled();
    expect(await s.requests('/reactivate')).toEqual([]);
  });

  it('rejects a tampered value', async () => {
    const s = await stage();
    await s.type('/numbers', CANCEL);
    await card(s.ws);
    await s.quiet();
    const { blocks, ts } = await card(s.ws);
    const [button = {}] = objects(blocks.find((block) => block.type === 'actions')?.elements);
    for (const value of ['act_nonsense_nonsense', '../../etc', '']) {
      button.value = value;
      await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    }
    await whisper(s.ws, U_LEAD, 'This request is unknown');
    await s.settled();
    expect((await asked(s)).map(({ state }) => state)).toEqual(['pending']);
  });

  it('can be settled by an approver if reading cannot tell the outcome, and warns no more', async () => {
    const s = await stage();
    const send = () => s.type('/message', 'outbound To=+12015550199 From=+12015550101 Body="hello"');
    await s.control('faults', { path: '/v1.0/message/outbound', times: 1, dropAfterCommit: true });
    await send();
    const { ts } = await card(s.ws);
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    await until(() => shown(s.ws.message(ts)).includes('❓ Outcome unknown'), 'unknown');
    // A person who may not confirm may not say how it ended either.
    // Each of the three buttons is explained, and the card contains no code of a library.
    expect(shown(s.ws.message(ts))).toMatch(/\*Check now\* reads.*\*It was done\* .*\*It was not done\* /s);
    expect(shown(s.ws.message(ts))).not.toMatch(/UND_ERR|ECONN/);
    await s.ws.click({ user: U_VIEW, messageTs: ts, actionId: 'sb_wasDone' });
    await whisper(s.ws, U_VIEW, 'needs the role approver');
    expect((await s.gate.actions.list({}))[0]?.state).toBe('unknown');
    await send();
    await until(() => cards(s.ws).length === 2, 'a warning');
    expect(shown(cards(s.ws)[1])).toContain('its outcome is unknown');
    // Also where Slack takes plain text alone, as in the dialog of the button.
    expect(shown(cards(s.ws)[1])).toMatch(/sent at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
    expect(shown(cards(s.ws)[1])).not.toMatch(/\d{4}-\d\d-\d\dT\d\d/);
    await decline(s, { user: U_LEAD, messageTs: cards(s.ws)[1]?.ts ?? '' });

    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_wasNot' });
    await until(() => shown(s.ws.message(ts)).includes('❌ Failed'), 'closed');
    expect(shown(s.ws.message(ts))).toContain('@lee looked and says that it was not done.');
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_wasDone' }).catch(() => undefined);
    await send();
    await until(() => cards(s.ws).length === 3, 'a third card');
    expect(shown(cards(s.ws)[2])).not.toContain('outcome is unknown');
    expect(await s.requests('/message/outbound')).toHaveLength(1);
    expect((await s.gate.actions.audit()).map(({ what, who }) => `${what} ${who}`)).toContain('failed @lee (slack)');
  });

  it('is posted for an assistant’s request, and confirmed in Slack after a restart', async () => {
    const s = await stage();
    const performed = await s.gate.perform(
      'numbers_reactivate',
      { PhoneNumber: '+12015550107', AccountId: ACCOUNT },
      ASSISTANT,
    );
    expect(performed.kind).toBe('pending');
    const { ts } = await card(s.ws, C_APPROVALS);
    await s.slack.close();
    const { gate } = await s.again();
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    await until(() => shown(s.ws.message(ts)).includes('✅ Done'), 'done');
    expect((await gate.actions.list({}))[0]).toMatchObject({ state: 'done', decidedBy: '@lee', decidedVia: 'slack' });
    expect(shown(s.ws.message(ts))).toContain('mcp:claude (claude) over MCP');
  });

  it('shows a generated PIN once, only to the person who confirmed', async () => {
    const s = await stage();
    await s.type('/numbers', 'portout +12015550105');
    const { ts } = await card(s.ws);
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    const once = shown(await whisper(s.ws, U_LEAD, 'Shown once'));
    const pin = /"text":"(\d{6})"/.exec(once)?.[1] ?? 'none';
    expect(pin).toMatch(/^\d{6}$/);
    // In a block that Slack copies with one click, before the words about it.
    expect(once).toMatch(/rich_text_preformatted.*\d{6}.*Copy it now/);
    await until(() => shown(s.ws.message(ts)).includes('✅ Done'), 'done');
    await s.settled();
    const elsewhere = s.ws.bytesFromApp().filter(({ text }) => text.includes(pin));
    expect(elsewhere).toHaveLength(1);
    expect(s.logged.join('\n')).not.toContain(pin);
    expect((await asked(s))[0]?.hasOnce).toBe(false);
  });

  it('turns no PIN into a message that stays, where neither the response_url nor a whisper can show it', async () => {
    const s = await stage();
    await s.type('/numbers', 'portout +12015550105');
    const { ts } = await card(s.ws);
    await s.settled();
    s.ws.fail('response_url', { status: 404 }, 9);
    s.ws.fail('chat.postEphemeral', { error: 'user_not_in_channel' }, 9);
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    const direct = () =>
      s.ws
        .messages(`D${U_LEAD.slice(1)}`)
        .map(shown)
        .join();
    await until(() => direct().includes('could not show it to you alone'), 'the word to the approver');
    await s.settled();
    const [tried] = s.ws.bytesFromApp().flatMap(({ text }) => /"text":"(\d{6})"/.exec(text)?.[1] ?? []);
    expect(tried).toMatch(/^\d{6}$/);
    expect(JSON.stringify(s.ws.messages(C_SUPPORT)) + direct()).not.toContain(tried);
    expect((await asked(s))[0]?.state).toBe('done');
  });
});

const SUBMIT_PATH = '/v1.0/numbers/cancel-order-submit';

const CANCEL_THREE =
  'cancel PhoneNumbers=\'[{"Number":"+12015550101"},{"Number":"+12015550103"},{"Number":"+12015550104"}]\'';

/** Asks in a command, has an approver confirm it, and gives the card with the outcome. */
async function confirmed(s: Stage, line: string) {
  await s.type('/numbers', line);
  const { ts } = await card(s.ws);
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
  await s.settled();
  return s.ws.message(ts);
}

it('the outcome of a cancellation in Slack that is partly done: card, notice and Home count it and list the rest with reasons', async () => {
  const s = await stage();
  await s.control('faults', { path: SUBMIT_PATH, refuse: ['+12015550103'] });
  const done = await confirmed(s, CANCEL_THREE);
  expect(JSON.stringify(done?.blocks[0])).toContain('⚠️ Partly done: 2 of 3 numbers cancelled');
  expect(done?.text).toContain('Partly done: 2 of 3 numbers cancelled');
  expect(JSON.stringify(done?.blocks)).toContain('The carrier refused the change');
  expect(shown(done)).not.toContain('✅');
  await told(s.ws, 'Partly done: 2 of 3 numbers cancelled');
  await s.ws.openHome({ user: U_AGENT });
  await until(() => s.ws.home(U_AGENT) !== undefined, 'the Home');
  const home = s.ws.home(U_AGENT);
  expect(JSON.stringify(home)).toContain('partly done: 2 of 3 numbers cancelled');
  expect(JSON.stringify(home)).not.toContain('✅ Cancel');
});

it('a failure that the requester reads has its reason and its charge, and its card shows no value as reached', async () => {
  const s = await stage();
  const done = await confirmed(s, 'reactivate +12015550108');
  const reply = await told(s.ws, '❌ Failed: ');
  expect(reply).toContain('The carrier refused to reactivate +12015550108');
  expect(reply).toContain('Nothing was done. Nothing was charged.');
  expect(shown(done)).toContain('Service (not changed)');
});

/* The requester learns of every end, also of one that no click brings. */

const pressOf = (s: Stage, label: string, user: string) => {
  const found = s.ws
    .messages(C_SUPPORT, { visibleTo: user })
    .findLast((message) => shown(message).includes(`"${label}"`));
  return { user, messageTs: found?.ts ?? '' };
};

const lost = (s: Stage, path: string) => s.control('faults', { path, times: 1, dropAfterCommit: true });

/** Lets time pass until the requester has heard this. */
async function later(s: Stage, says: () => boolean, what: string): Promise<void> {
  await until(async () => {
    s.clock.skip(15_000);
    await s.settled();
    return says();
  }, what);
}

it('an outcome that was unknown is told to the requester once it is known, once', async () => {
  const s = await stage();
  await lost(s, '/v1.0/numbers/reactivate');
  await s.type('/numbers', 'reactivate 0107');
  await s.settled();
  await s.ws.click({ ...pressOf(s, 'Reactivate for 5 USD', U_LEAD), actionId: 'sb_confirm' });
  await told(s.ws, 'Outcome unknown');
  const ends = () =>
    s.ws.messages(C_SUPPORT).filter((one) => one.threadTs !== undefined && one.text.includes('Done: Reactivate'));
  await later(s, () => ends().length > 0, 'the outcome');
  for (let i = 0; i < 3; i += 1) await later(s, () => true, 'nothing more');
  expect(ends()).toHaveLength(1);
});

it('a message that is delivered later is so on its card and in the lookup', async () => {
  const s = await stage({}, { events: true });
  await s.type('/message', 'outbound To=+13125550123 From=+12015550101 Body="hello"');
  await s.settled();
  await s.ws.click({ ...pressOf(s, 'Send message', U_LEAD), actionId: 'sb_confirm' });
  const { ts } = await card(s.ws);
  await until(() => shown(s.ws.message(ts)).includes('not delivered yet'), 'the message is sent');
  expect(await told(s.ws, 'Done')).not.toContain('delivered');
  const [action] = await s.gate.actions.list({});
  const body = { ...action?.result, To: '+13125550123', Direction: 'Outbound', Status: 'Delivered' };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${s.url}/events/message-status`, { method: 'POST', headers, body: JSON.stringify(body) });
  await until(() => shown(s.ws.message(ts)).includes('Done, delivered'), 'the delivery on the card');
  await s.type('/number', '0101');
  expect(shown(await whisper(s.ws, U_AGENT, 'Last message'))).toContain('📤 delivered');
});

it('a question in a direct message has a card there for its requester and one for approvers, and both show the end', async () => {
  const s = await stage();
  const direct = s.ws.state.im(U_AGENT).id;
  await s.type('/numbers', 'cancel 0103', U_AGENT, direct);
  const { ts } = await card(s.ws, C_APPROVALS);
  await s.quiet();
  const mine = () => s.ws.messages(direct, { visibleTo: U_AGENT });
  expect(mine()).toHaveLength(1);
  expect(shown(mine()[0])).toMatch(/sb_edit.*sb_withdraw/s);
  expect(shown(mine()[0])).not.toContain('sb_confirm');
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
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
const LONG = { To: RECIPIENTS, From: '+12015550101', Body: BODY };

const typed = (input: { To: string[]; From: string; Body: string }) =>
  `outbound To=${input.To.join(',')} From=${input.From} Body="${input.Body}"`;

const home = (s: Stage) => JSON.stringify(s.ws.home(U_LEAD)?.definition ?? '');
const modal = (s: Stage) => JSON.stringify(s.ws.openViews(U_LEAD).at(-1)?.definition ?? '');

describe('a question that does not fit on a card', () => {
  it('is confirmed only where all of it is shown: not on the card, to approvers, in the reminder or in the Home', async () => {
    const s = await stage();
    await s.type('/message', typed(LONG));
    const { ts } = await card(s.ws);
    await until(() => s.ws.messages(C_APPROVALS).length === 1, 'the message to approvers');
    await s.settled();
    s.clock.skip(240_000);
    await until(() => {
      s.clock.skip(500);
      return s.ws.messages(C_APPROVALS).length === 2;
    }, 'the reminder');
    const messages = [s.ws.message(ts), ...s.ws.messages(C_APPROVALS)].map(shown);
    for (const message of messages) {
      expect(message).not.toContain('sb_confirm');
      expect(message).toContain('sb_everything');
      expect(message).toContain('sb_decline');
    }
    await s.ws.openHome({ user: U_LEAD });
    await until(() => home(s).includes('sb_everything'), 'the Home');
    expect(home(s)).not.toContain('sb_confirm');

    await s.ws.click({ user: U_LEAD, home: true, actionId: 'sb_everything' });
    await until(() => modal(s).includes('sb_confirm'), 'the modal');
    for (const part of [...RECIPIENTS, BODY, '+12015550101', 'Ava Stone', '100 messages'])
      expect(modal(s)).toContain(part);
    expect(s.ws.warnings()).toEqual([]);
    await s.ws.click({ user: U_LEAD, view: true, actionId: 'sb_confirm' });
    await until(() => shown(s.ws.message(ts)).includes('✅ Done'), 'the outcome on the card');
    await until(() => modal(s).includes('✅ Done'), 'the outcome in the modal');
    expect(modal(s)).not.toContain('sb_confirm');
    expect(await s.requests('/message/outbound')).toHaveLength(1);
  });

  it('is declined in the modal, and an operator cannot confirm there', async () => {
    const s = await stage();
    await s.type('/message', typed(LONG));
    const { ts } = await card(s.ws);
    await s.ws.click({ user: U_AGENT, messageTs: ts, actionId: 'sb_everything' });
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the modal');
    await s.ws.click({ user: U_AGENT, view: true, actionId: 'sb_confirm' });
    const answers = () =>
      s.ws
        .messages(`D${U_AGENT.slice(1)}`)
        .map(shown)
        .join('\n');
    await until(() => answers().includes('This needs the role approver'), 'the refusal');
    expect((await s.gate.actions.list({}))[0]?.state).toBe('pending');
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_everything' });
    await until(() => modal(s).includes('sb_decline'), 'the modal');
    await decline(s, { user: U_LEAD, view: true });
    await until(() => shown(s.ws.message(ts)).includes('🚫 Declined'), 'the decline');
    expect(await s.requests('/message/outbound')).toEqual([]);
  });

  it('hides the address of a picture on no card that confirms', async () => {
    const s = await stage();
    const input = { To: ['+12015550199'], From: '+12015550101', Body: 'See this', MmsMedia: [{ MediaUrl: MEDIA }] };
    await s.gate.perform('message_outbound', input, ASSISTANT);
    const { ts } = await card(s.ws, C_APPROVALS);
    expect(shown(s.ws.message(ts))).not.toContain('picture.png');
    expect(shown(s.ws.message(ts))).not.toContain('sb_confirm');
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_everything' });
    await until(() => modal(s).includes('sb_confirm'), 'the modal');
    expect(viewText(s.ws.openViews(U_LEAD)[0]?.definition ?? {})).toContain(MEDIA);
  });
});

/* Approvers are notified that a confirmation waits: in their channel, or each by direct message. */

/** The time a confirmation waits, and the time before its end at which approvers are reminded. */
const TTL_MS = 2_400_000;

const direct = (s: Pick<Stage, 'ws'>, user: string) =>
  s.ws.messages(`D${user.slice(1)}`).filter((one) => !one.ephemeralTo);

const inChannel = (s: Pick<Stage, 'ws'>) => s.ws.messages(C_APPROVALS).filter((one) => !one.ephemeralTo);
const isReminder = (text: string) => text.startsWith('⏰');

/** Lets time pass in steps that are shorter than a claim of a job, and lets the jobs of each step end. */
async function passing(s: Stage, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 15_000) {
    s.clock.skip(Math.min(left, 15_000));
    await s.quiet();
  }
}

/** Questions of 40 minutes, so that a test does not pass a whole day. */
const SHORT = { env: { CONFIRM_TTL_SECONDS: String(TTL_MS / 1_000) } };

async function waiting(settings: StageSettings = {}, options: Parameters<typeof stage>[1] = SHORT) {
  const s = await stage(settings, options);
  await s.type('/numbers', CANCEL);
  const { ts } = await card(s.ws);
  return { s, ts };
}

describe('approvers who have a channel', () => {
  it('are told there at once, with the same buttons, confirm there, and both messages show the outcome', async () => {
    const { s, ts } = await waiting();
    await until(() => inChannel(s).length === 1, 'the message to approvers');
    const [told] = inChannel(s);
    expect(shown(told)).toContain('sb_confirm');
    expect(shown(told)).toContain('sb_decline');
    expect(shown(told)).toMatch(new RegExp(`<@${U_AGENT}>, <!date[^>]+> in <#${C_SUPPORT}>`));
    await until(() => shown(s.ws.message(ts)).includes('"Asked:"'), 'the line on the card');
    expect(shown(s.ws.message(ts))).toContain(`"channel_id":"${C_APPROVALS}"`);
    expect(direct(s, U_LEAD)).toEqual([]);
    await s.ws.click({ user: U_LEAD, messageTs: told?.ts ?? '', actionId: 'sb_confirm' });
    const both = () => [s.ws.message(ts), inChannel(s)[0]].map(shown);
    await until(() => both().every((one) => one.includes('✅ Done')), 'the outcome on both');
    expect(await s.requests(SUBMIT)).toHaveLength(1);
    expect(both().join()).not.toContain('sb_confirm');
  });
});

describe('approvers without a channel', () => {
  const DIRECT = { SLACK_APPROVALS_CHANNEL: undefined };

  it('are told by direct message, members of user groups too, and the card names them', async () => {
    const { s, ts } = await waiting({ ...DIRECT });
    await until(() => direct(s, U_LEAD).length === 1, 'the direct message');
    expect(shown(direct(s, U_LEAD)[0])).toContain('sb_confirm');
    expect(inChannel(s)).toEqual([]);
    await until(() => shown(s.ws.message(ts)).includes('"Asked:"'), 'the line on the card');
    expect(shown(s.ws.message(ts))).toContain(`"user_id":"${U_LEAD}"`);
    await s.ws.click({ user: U_LEAD, messageTs: direct(s, U_LEAD)[0]?.ts ?? '', actionId: 'sb_confirm' });
    await until(() => shown(direct(s, U_LEAD)[0]).includes('✅ Done'), 'the outcome');
  });
});

it('two processes on one store tell approvers once, and remind them once', async () => {
  const s = await stage({ SLACK_APPROVALS_CHANNEL: undefined }, SHORT);
  await s.again();
  await s.type('/numbers', CANCEL);
  await card(s.ws);
  await until(() => direct(s, U_LEAD).length >= 1, 'the direct message');
  await passing(s, TTL_MS - 30_000);
  await until(() => direct(s, U_LEAD).length >= 2, 'the reminder');
  await passing(s, 20_000);
  expect(direct(s, U_LEAD).map(({ text }) => isReminder(text))).toEqual([false, true]);
});

const homeOf = async (s: Stage) => {
  await s.ws.openHome({ user: U_AGENT });
  await until(() => s.ws.home(U_AGENT) !== undefined, 'the Home');
  return JSON.stringify(s.ws.home(U_AGENT)?.definition);
};

it('has a button for each request of a person that waits, to withdraw it', async () => {
  const s = await stage();
  const asked = ['0101', '0102', '0103', '0104', '0105'];
  for (const line of asked) await s.type('/numbers', `cancel ${line}`);
  await until(async () => (await s.gate.actions.list({ states: ['pending'] })).length === asked.length, 'all of them');
  const home = await homeOf(s);
  expect(home.split('"sb_withdraw"')).toHaveLength(asked.length + 1);
  expect(home).not.toContain('more of yours');
});

it('shows an approver what was decided today, and others their own actions alone', async () => {
  const s = await stage();
  await s.type('/numbers', 'cancel 0101');
  const { ts } = await card(s.ws);
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
  await until(() => s.ws.message(ts)?.text.includes('Done') === true, 'the end');
  await s.type('/numbers', 'cancel 0103');
  await until(() => cards(s.ws).length === 2, 'the second card');
  const withdrawn = await card(s.ws);
  await s.ws.click({ user: U_AGENT, messageTs: withdrawn.ts, actionId: 'sb_withdraw' });
  await until(() => s.ws.message(withdrawn.ts)?.text.includes('Withdrawn') === true, 'the withdrawal');
  await s.ws.openHome({ user: U_LEAD });
  await until(() => s.ws.home(U_LEAD) !== undefined, 'the Home');
  expect(JSON.stringify(s.ws.home(U_LEAD)?.definition)).not.toContain('+12015550103');
  expect(JSON.stringify(s.ws.home(U_LEAD)?.definition)).toMatch(/Decided today.*Cancel \+12015550101.*confirmed by/s);
  expect(await homeOf(s)).not.toContain('Decided today');
});
