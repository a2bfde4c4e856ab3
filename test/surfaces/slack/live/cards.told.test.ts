import { describe, expect, it } from 'vitest';
import { C_SUPPORT, type Stage, shown, stage, told, U_LEAD, until } from '../support.ts';

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
    await told(s.ws, 'Outcome unknown');
    const ends = () =>
      s.ws.messages(C_SUPPORT).filter((one) => one.threadTs !== undefined && one.text.includes('Done: Reactivate'));
    await later(s, () => ends().length > 0, 'the outcome');
    for (let i = 0; i < 3; i += 1) await later(s, () => true, 'nothing more');
    expect(ends()).toHaveLength(1);
  });
});
