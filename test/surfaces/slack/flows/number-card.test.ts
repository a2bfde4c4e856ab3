import { describe, expect, it } from 'vitest';
import { C_SUPPORT, type Stage, shown, stage, U_AGENT, until, whisper } from '../support.ts';

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
