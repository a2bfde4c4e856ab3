import { describe, expect, it } from 'vitest';
import { messageText, rawText } from '../../../snapshots/slack-text.ts';
import { card, stage, U_AGENT, U_LEAD, until, whisper } from '../support.ts';

/* The words on the card of a change that was done. */

describe('the card of a change that was done', () => {
  it('says how an unknown outcome was resolved, with the time in the reader’s zone and the command', async () => {
    const s = await stage();
    await s.type('/numbers', 'reactivate +12015550107');
    const waiting = await card(s.ws);
    await s.control('faults', { path: '/v1.0/numbers/reactivate', dropAfterCommit: true });
    await s.ws.click({ user: U_LEAD, messageTs: waiting.ts, actionId: 'sb_confirm' });
    await until(async () => rawText(await card(s.ws)).includes('Outcome unknown'), 'a card that says unknown');
    const unknown = rawText(await card(s.ws));
    expect(unknown).toContain('The platform does not show yet what happened. It is read again by itself until {time}.');
    expect(unknown).toContain('[Check now]');
    expect(unknown).not.toContain('check before trying again');
    await s.ws.click({ user: U_AGENT, messageTs: waiting.ts, actionId: 'sb_check' });
    await until(async () => rawText(await card(s.ws)).includes('Done'), 'a card that says Done');
    const done = rawText(await card(s.ws));
    expect(done).toContain('Resolved at {time} by reading: /numbers get says that +12015550107 is "Active".');
    expect(done).not.toMatch(/\d{4}-\d\d-\d\dT|\*Resolved\*/);
  });

  it('leaves the JSON whole', async () => {
    const s = await stage();
    await s.type('/numbers', 'cancel-order-request +12015550103');
    const answer = await whisper(s.ws, U_AGENT, 'Request a cancellation');
    expect(messageText(answer)).not.toContain('not accepted');
    const json = answer.blocks
      .flatMap(({ elements }) => (Array.isArray(elements) ? elements : []))
      .find((element: { action_id?: string }) => element.action_id === 'sb_json');
    await s.ws.click({ user: U_AGENT, messageTs: answer.ts, actionId: 'sb_json', value: String(json?.value) });
    expect(messageText(await whisper(s.ws, U_AGENT, 'as JSON'))).toContain('"NumbersInvalid": []');
  });
});
