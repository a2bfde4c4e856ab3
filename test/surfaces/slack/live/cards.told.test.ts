import { describe, expect, it } from 'vitest';
import { C_SUPPORT, type Stage, shown, stage, U_AGENT, U_LEAD, until, whisper, whispers } from '../support.ts';

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

describe('an outcome that was unknown', () => {
  it('is told to the requester once it is known, once', async () => {
    const s = await stage();
    await lost(s, '/v1.0/numbers/reactivate');
    await s.type('/numbers', 'reactivate 0107');
    await s.settled();
    await s.ws.click({ ...pressOf(s, 'Reactivate for 5 USD', U_LEAD), actionId: 'sb_confirm' });
    await whisper(s.ws, U_AGENT, 'Outcome unknown');
    const told = () => whispers(s.ws, U_AGENT).filter((one) => one.text.includes('Done: Reactivate'));
    await later(s, () => told().length > 0, 'the outcome');
    for (let i = 0; i < 3; i += 1) await later(s, () => true, 'nothing more');
    expect(told()).toHaveLength(1);
  });
});
