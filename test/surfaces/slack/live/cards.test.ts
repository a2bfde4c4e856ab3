import { describe, expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import {
  ASSISTANT,
  C_APPROVALS,
  C_SUPPORT,
  card,
  cards,
  decline,
  type Stage,
  shown,
  stage,
  U_AGENT,
  U_LEAD,
  U_OTHER,
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

  it('refuses people who may not confirm, and names the role and its holders', async () => {
    const s = await stage();
    await s.type('/numbers', CANCEL);
    const { ts } = await card(s.ws);
    for (const user of [U_AGENT, U_VIEW]) {
      await s.ws.click({ user, messageTs: ts, actionId: 'sb_confirm' });
      const reworded = shown(await whisper(s.ws, user, 'needs the role approver'));
      expect(reworded).toContain('S000APPROVE');
    }
    await s.ws.click({ user: U_OTHER, messageTs: ts, actionId: 'sb_confirm' });
    await whisper(s.ws, U_OTHER, 'belongs to another workspace');
    await s.settled();
    expect((await asked(s))[0]?.state).toBe('pending');
    expect(await s.requests(SUBMIT)).toEqual([]);
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
    await s.ws.click({ user: U_VIEW, messageTs: ts, actionId: 'sb_was_done' });
    await whisper(s.ws, U_VIEW, 'needs the role approver');
    expect((await s.gate.actions.list({}))[0]?.state).toBe('unknown');
    await send();
    await until(() => cards(s.ws).length === 2, 'a warning');
    expect(shown(cards(s.ws)[1])).toContain('its outcome is unknown');
    // Also where Slack takes plain text alone, as in the dialog of the button.
    expect(shown(cards(s.ws)[1])).toMatch(/sent at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
    expect(shown(cards(s.ws)[1])).not.toMatch(/\d{4}-\d\d-\d\dT\d\d/);
    await decline(s, { user: U_LEAD, messageTs: cards(s.ws)[1]?.ts ?? '' });

    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_was_not_done' });
    await until(() => shown(s.ws.message(ts)).includes('❌ Failed'), 'closed');
    expect(shown(s.ws.message(ts))).toContain('@lee looked and says that it was not done.');
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_was_done' }).catch(() => undefined);
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
    expect(await s.gate.hasOnce((await asked(s))[0]?.id ?? '')).toBe(false);
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
