import { describe, expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import { recordOf as record } from '../../../../src/lib/json.ts';
import { event } from '../../../events/support.ts';
import { C_SUPPORT, card, type Stage, shown, stage, U_AGENT, U_LEAD, U_VIEW, until, whisper } from '../support.ts';

const PHONE = '+12015550101';
/** A line without a SIM, whose card has room for more steps. */
const VOIP = '+12015550104';

describe('the on-call lookup', () => {
  it('offers the call filters, and shows the newest message, sent or received', async () => {
    const s = await stage();
    await s.type('/message', `outbound To=+12015550199 From=${VOIP} Body="we wrote"`);
    const { ts } = await card(s.ws);
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    await until(() => shown(s.ws.message(ts)).includes('✅ Done'), 'sent');
    await s.type('/number', VOIP);
    await whisper(s.ws, U_AGENT, 'we wrote');
    s.clock.skip(60_000);
    await s.inbox.receive(
      event({
        MessageId: 'TMID-1',
        Direction: 'INBOUND',
        From: '+12015550199',
        To: VOIP,
        Body: '<!channel> they wrote',
      }),
    );
    await s.type('/number', VOIP);
    const found = await whisper(s.ws, U_AGENT, 'they wrote');
    expect(shown(found)).toContain('received from (201) 555-0199');
    expect(shown(found)).not.toContain('we wrote');
    await s.ws.click({ user: U_AGENT, messageTs: found.ts, actionId: 'sb_run_4' });
    await whisper(s.ws, U_AGENT, 'Call filters');
    await s.settled();
    expect(await s.requests('/subscribers/call-filter')).toHaveLength(1);
  });

  it('offers to watch a number, or to stop watching it', async () => {
    const s = await stage();
    await s.type('/number', VOIP);
    const before = await whisper(s.ws, U_AGENT, '"text":"Watch"');
    expect(shown(before)).not.toContain('Stop watching');
    await s.ws.click({ user: U_AGENT, messageTs: before.ts, actionId: 'sb_run_3' });
    await whisper(s.ws, U_AGENT, 'Monitoring starts');
    await s.type('/number', VOIP);
    const after = await whisper(s.ws, U_AGENT, 'Stop watching');
    expect(shown(after)).not.toContain('"text":"Watch"');
  });

  it('shows recent actions and who requested them', async () => {
    const s = await stage();
    const clerk = { id: 'cli:x', name: 'clerk', role: 'operator', surface: 'cli', priority: 'person' } as const;
    const input = { To: [{ Number: '+12015550199' }], From: PHONE, Body: 'Your code <!here>' };
    const asked = await s.gate.perform('message_outbound', input, clerk);
    if (asked.kind !== 'pending') throw new Error('not asked');
    await s.gate.confirm(asked.action.id, { ...clerk, id: 'cli:y', name: 'lee', role: 'approver' }, 'page');
    await s.type('/number', PHONE);
    const text = shown(await whisper(s.ws, U_AGENT, 'cli:x (clerk)'));
    expect(text).toContain('cli:x (clerk)');
    expect(text).toContain('Last message');
    expect(text).toContain('Your code <!here>');
  });
});

describe('the headline and the buttons of a number', () => {
  const buttons = (message: { blocks: unknown }) => {
    const row = objects(message.blocks).find(({ type }) => type === 'actions');
    return objects(row?.elements).map(({ text }) => record(text).text);
  };

  it('say what matters first, and offer what fits the state and the reader', async () => {
    const s = await stage();
    for (const [user, number, headline, offered] of [
      [
        U_AGENT,
        '+12015550105',
        '⚠️ Ava Stone · (201) 555-0105: data nearly used up, 19.75 of 20 MB used',
        ['Set a higher limit', 'Why?', 'Send a message', 'Show QR code', 'Swap SIM'],
      ],
      [
        U_VIEW,
        '+12015550105',
        '⚠️ Ava Stone · (201) 555-0105: data nearly used up, 19.75 of 20 MB used',
        ['Why?', 'Call filters', 'Data used'],
      ],
      [
        U_AGENT,
        '+12015550107',
        '✕ Ava Stone · (201) 555-0107: cancelled, no service. It can be reactivated within 30 days of its cancellation, for 5 USD',
        ['Reactivate it for 5 USD'],
      ],
      [
        U_AGENT,
        '+12015550110',
        '⚠️ (201) 555-0110: no subscriber holds it; 0 of 20 MB used',
        ['Bind a subscriber', 'Why?', 'Send a message', 'Show QR code', 'Swap SIM'],
      ],
      [
        U_AGENT,
        '+12015550104',
        '● Ava Stone · (201) 555-0104: active; no data on this line',
        ['Why?', 'Send a message', 'Guard', 'Watch', 'Call filters'],
      ],
    ] as const) {
      await s.type('/number', number, user);
      const shownCard = await whisper(s.ws, user, new RegExp(`more:\\${number}.*sb_share`));
      expect(shownCard.text).toBe(headline);
      expect(buttons(shownCard)).toEqual(offered);
      // Ids are shown by Details.
      expect(
        shown({ ...shownCard, blocks: objects(shownCard.blocks).filter(({ type }) => type !== 'actions') }),
      ).not.toMatch(/(TSUID|AID|MRID|CRID|NID)-/);
    }
  });

  it('shows the ids by Details, and opens the filters by Guard', async () => {
    const s = await stage();
    await s.type('/number', VOIP);
    const { ts } = await whisper(s.ws, U_AGENT, 'sb_share');
    await s.ws.click({ user: U_AGENT, messageTs: ts, actionId: 'sb_page' });
    await whisper(s.ws, U_AGENT, 'MRID-00000000-0000-4000-8000-000000000001');
    await s.ws.click({ user: U_AGENT, messageTs: ts, actionId: 'sb_guard_2' });
    await whisper(s.ws, U_AGENT, 'New message filter');
  });
});

describe('a lookup that is shared later', () => {
  const CANCELLED = '+12015550107';
  const SHARED = (s: Stage) => s.ws.messages(C_SUPPORT).find((one) => one.ephemeralTo === undefined);

  it('says who shared it, and as of when', async () => {
    const s = await stage();
    await s.type('/number', CANCELLED);
    const answer = await whisper(s.ws, U_AGENT, 'Cancelled - Pending Delete (can be brought back)');
    await until(() => s.ws.message(answer.ts) !== undefined && shown(answer).includes('sb_share'), 'the button');
    await s.ws.click({ user: U_AGENT, messageTs: answer.ts, actionId: 'sb_share' });
    await until(() => SHARED(s) !== undefined, 'the shared card');
    const text = shown(SHARED(s));
    expect(text).toContain(`Shared by <@${U_AGENT}> · as of <!date^`);
    expect(text).not.toContain('sb_');
  });
});
