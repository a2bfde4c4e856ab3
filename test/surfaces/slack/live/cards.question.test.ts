import { describe, expect, it } from 'vitest';
import { card, cards, decline, shown, stage, U_AGENT, U_LEAD, U_OTHER, until, whisper } from '../support.ts';

/* A card shows everything that will be sent. If Slack's limits cut it, the card says so and offers the whole text. */

const RECIPIENTS = Array.from({ length: 100 }, (_, i) => `+1201555${String(3000 + i)}`);
const BODY = `${'All of this text is sent. '.repeat(55)}The very end.`;
const OUTBOUND = `outbound To=${RECIPIENTS.join(',')} From=+12015550101 Body="${BODY}"`;

describe('the card of a long confirmation', () => {
  it('names what is cut, and shows everything in a modal', async () => {
    const s = await stage();
    await s.type('/message', OUTBOUND);
    const found = await card(s.ws);
    const text = shown(found);
    expect(text).toContain('Ava Stone · Acme Mobile');
    expect(text).toContain('100 messages');
    const hidden = RECIPIENTS.filter((phone) => !text.includes(phone));
    expect(hidden.length).toBeGreaterThan(0);
    expect(text).toContain(`To (100): ${hidden.length} of 100 are not shown.`);
    expect(text).toMatch(/Text: \d+ of \d+ characters are not shown\./);
    expect(text).not.toContain('The very end.');

    await s.ws.click({ user: U_LEAD, messageTs: found.ts, actionId: 'sb_everything' });
    await until(() => s.ws.openViews(U_LEAD).length === 1, 'the window');
    const whole = JSON.stringify(s.ws.openViews(U_LEAD)[0]?.definition);
    for (const phone of RECIPIENTS) expect(whole).toContain(phone);
    expect(whole).toContain(BODY);
    expect(s.ws.warnings()).toEqual([]);
    // The two buttons are still on the card.
    await decline(s, { user: U_LEAD, messageTs: found.ts });
    await until(() => shown(s.ws.message(found.ts)).includes('Declined'), 'declined');
    expect(await s.requests('/message/outbound')).toEqual([]);
  });

  it('shows everything from the Home, but not to another workspace', async () => {
    const s = await stage();
    await s.type('/message', OUTBOUND);
    const found = await card(s.ws);
    await s.ws.click({ user: U_OTHER, messageTs: found.ts, actionId: 'sb_everything' });
    await whisper(s.ws, U_OTHER, 'another workspace');
    expect(s.ws.openViews(U_OTHER)).toEqual([]);
    await s.ws.openHome({ user: U_LEAD });
    await until(() => JSON.stringify(s.ws.home(U_LEAD)?.definition ?? '').includes('sb_everything'), 'the Home');
  });

  it('asks an approver for a change with raised risk, and the requester for a harmless one', async () => {
    const s = await stage();
    await s.type('/numbers', 'update +12015550101 CnamFirstName=Ava');
    const { ts: own } = await whisper(s.ws, U_AGENT, 'apply?');
    expect(cards(s.ws)).toEqual([]);
    await s.ws.click({ user: U_AGENT, messageTs: own, actionId: 'sb_confirm' });
    await whisper(s.ws, U_AGENT, '✅');
    await s.type('/numbers', 'update +12015550101 VoiceEnabled=no');
    const { ts } = await card(s.ws);
    expect(shown(s.ws.message(ts))).toContain('Voice is switched off');
    expect(await s.requests('/numbers/update')).toHaveLength(1);
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    await until(() => shown(s.ws.message(ts)).includes('✅ Done'), 'done');
  });
});
