import { describe, expect, it } from 'vitest';
import { messageText, rawText, viewText } from '../../../snapshots/slack-text.ts';
import { card, decline, type Stage, stage, U_AGENT, U_LEAD, until, whisper } from '../support.ts';

/* The words on the card of a change that was done. */

/** The card of a change after Lee has confirmed it. */
async function doneCard(s: Stage, command: string, line: string): Promise<string> {
  await s.type(command, line);
  const waiting = await card(s.ws);
  await s.ws.click({ user: U_LEAD, messageTs: waiting.ts, actionId: 'sb_confirm' });
  await until(async () => rawText(await card(s.ws)).includes('Done'), 'a card that says Done');
  return rawText(await card(s.ws));
}

describe('the card of a change that was done', () => {
  it('of an SMS has the time in the reader’s zone, the cost with its sign, and each number once', async () => {
    const s = await stage({}, { env: { PLATFORM_TIME_ZONE: 'America/Denver' } });
    const text = await doneCard(s, '/message', 'outbound From=+12015550101 To=+12015550199 Body="2026-11-22 is true"');
    expect(text).toContain('*Created on*  {time}');
    expect(text).toContain('*Cost*  *0.0045 USD*');
    expect(text).toContain('*Text*  “2026-11-22 is true”');
    expect(text).not.toMatch(/\*Owner\*|\d{4}-\d\d-\d\dT/);
    const date = (await card(s.ws)).blocks.flatMap(({ elements }) => JSON.stringify(elements ?? '')).join('');
    const at = Number(/"timestamp":(\d+)/.exec(date)?.[1]);
    // The sandbox writes its own wall clock, which this stage reads as Denver's.
    expect([6, 7]).toContain(Math.round((at - s.clock.now() / 1000) / 3600));
  });

  it('of a port-out PIN says that the PIN is in force, although the platform keeps its order pending', async () => {
    const s = await stage();
    const text = await doneCard(s, '/numbers', 'portout PortOutNumber=+12015550105');
    expect(text).toContain('Done, the PIN is in force');
    expect(text).not.toContain('Pending');
  });

  it('leaves out what is empty', async () => {
    const s = await stage();
    const text = await doneCard(s, '/numbers', 'cancel +12015550103');
    expect(text).toContain('*Service*  Active → Cancelled - Pending Delete (can be brought back for 30 days)');
    expect(text).toMatch(/Can be reactivated until [A-Z][a-z]{2} \d+, \d{4} for 5 USD a number\./);
    expect(text).not.toMatch(/Numbers changed|Reactivate until/);
    expect(text).not.toMatch(/none|Not changed|invalid/i);
  });

  it('shows an empty list if the change emptied it', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    const filter = 'TSUID-00000000-0000-4000-8000-000000000001';
    await s.type(
      '/subscribers',
      `call-filter create SubscriberId=${filter} Phone=+12015550101 FilterMode=BLACKLIST BlockedNumbers='["+12015550198"]'`,
    );
    const made = rawText(await whisper(s.ws, U_AGENT, 'Create a call filter'));
    expect(made).not.toMatch(/none/);
    const id = /CFID-[\w-]+/.exec(made)?.[0];
    const line = `call-filter blocked-numbers remove SubscriberId=${filter} CallFilterId=${id} Numbers='["+12015550198"]'`;
    expect(await doneCard(s, '/subscribers', line)).toContain('*Blocked numbers*  none');
  });

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

  it('stands in the Home on one line, with who decided said once', async () => {
    const s = await stage();
    await s.type('/numbers', 'reactivate +12015550107');
    await decline(s, { user: U_LEAD, messageTs: (await card(s.ws)).ts });
    await until(async () => rawText(await card(s.ws)).includes('Declined by'), 'a card that says Declined');
    await s.ws.openHome({ user: U_AGENT });
    const line = () =>
      viewText(s.ws.home(U_AGENT)?.definition ?? {})
        .split('\n')
        .find((one) => one.includes('🚫'));
    await until(() => line() !== undefined, 'the Home');
    expect(line()).toBe(`🚫 Reactivate +12015550107 declined by <@${U_LEAD}>, {time}`);
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
