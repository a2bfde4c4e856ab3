import { describe, expect, it } from 'vitest';
import { viewText } from '../../../snapshots/slack-text.ts';
import { ASSISTANT, C_APPROVALS, card, decline, type Stage, shown, stage, U_AGENT, U_LEAD, until } from '../support.ts';

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
