import { describe, expect, it } from 'vitest';
import { card, type Stage, shown, stage, told, U_AGENT, U_LEAD, until } from '../support.ts';

const SUBMIT = '/v1.0/numbers/cancel-order-submit';
const CANCEL =
  'cancel PhoneNumbers=\'[{"Number":"+12015550101"},{"Number":"+12015550103"},{"Number":"+12015550104"}]\'';

/** Asks for a cancellation, has it confirmed, and returns the card with the outcome. */
async function cancelled(s: Stage, line = CANCEL) {
  await s.type('/numbers', line);
  const { ts } = await card(s.ws);
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
  await s.settled();
  const found = s.ws.message(ts);
  if (!found) throw new Error('no card');
  return found;
}

const head = (message: { blocks: Record<string, unknown>[] }) => JSON.stringify(message.blocks[0]);

describe('the outcome of a cancellation in Slack', () => {
  it('partly done: card, notice and Home count it and list the rest with reasons', async () => {
    const s = await stage();
    await s.control('faults', { path: SUBMIT, refuse: ['+12015550103'] });
    const done = await cancelled(s);
    expect(head(done)).toContain('⚠️ Partly done: 2 of 3 numbers cancelled');
    expect(done.text).toContain('Partly done: 2 of 3 numbers cancelled');
    expect(JSON.stringify(done.blocks)).toContain('The carrier refused the change');
    expect(shown(done)).not.toContain('✅');
    await told(s.ws, 'Partly done: 2 of 3 numbers cancelled');
    await s.ws.openHome({ user: U_AGENT });
    await until(() => s.ws.home(U_AGENT) !== undefined, 'the Home');
    const home = s.ws.home(U_AGENT);
    expect(JSON.stringify(home)).toContain('partly done: 2 of 3 numbers cancelled');
    expect(JSON.stringify(home)).not.toContain('✅ Cancel');
  });
});

describe('what the requester reads', () => {
  /** Asks in a command, has an approver confirm it, and gives the question, the card and the notice. */
  const confirmed = async (s: Stage, command: string, line: string, notice: string) => {
    await s.type(command, line);
    const { ts } = await card(s.ws);
    const asked = shown(s.ws.message(ts));
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    await s.settled();
    return { asked, done: shown(s.ws.message(ts)), reply: await told(s.ws, notice) };
  };

  it('a failure has its reason and its charge, and its card shows no value as reached', async () => {
    const s = await stage();
    const { done, reply } = await confirmed(s, '/numbers', 'reactivate +12015550108', '❌ Failed: ');
    expect(reply).toContain('The carrier refused to reactivate +12015550108');
    expect(reply).toContain('Nothing was done. Nothing was charged.');
    expect(done).toContain('Service (not changed)');
  });
});
