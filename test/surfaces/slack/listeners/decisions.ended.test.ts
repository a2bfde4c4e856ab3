import { describe, expect, it } from 'vitest';
import { enterAll } from '../../../../src/demo/playground/forms.ts';
import {
  card,
  decline,
  type Stage,
  shown,
  stage,
  told,
  U_AGENT,
  U_LEAD,
  until,
  whisper,
  whispers,
} from '../support.ts';

/*
 * A press on a question that has ended is answered with the decider, the time and the outcome, without ids and
 * contradictions.
 */

const CANCEL = 'cancel +12015550103';

/** Asks for a cancellation, and returns its card. */
async function asked(s: Stage) {
  await s.type('/numbers', CANCEL);
  const { ts } = await card(s.ws);
  const [action] = await s.gate.actions.list({ states: ['pending'] });
  return { card: ts, id: action?.id ?? '' };
}

const ENDS = {
  done: {
    end: (s: Stage, { card }: { card: string }) =>
      s.ws.click({ user: U_LEAD, messageTs: card, actionId: 'sb_confirm' }),
    state: 'done',
    says: /was already confirmed by .*U000LEAD.*"date".*Done/s,
  },
  declined: {
    end: (s: Stage, { card }: { card: string }) => decline(s, { user: U_LEAD, messageTs: card }),
    state: 'declined',
    says: /was already declined by .*U000LEAD.*"date".*Nothing was done/s,
  },
  withdrawn: {
    end: (s: Stage, { card }: { card: string }) =>
      s.ws.click({ user: U_AGENT, messageTs: card, actionId: 'sb_withdraw' }),
    state: 'declined',
    says: /was already withdrawn by .*U000AGENT.*"date".*Nothing was done/s,
  },
  expired: {
    end: async (s: Stage) => s.clock.skip(301_000),
    state: 'expired',
    says: /expired at .*"date".*nobody had said yes.*Nothing was done/s,
  },
} as const;

describe.each(Object.entries(ENDS))('a question that is %s', (_name, { end, state, says }) => {
  it.each(['sb_confirm', 'sb_decline', 'sb_edit', 'sb_withdraw', 'sb_check'])(
    'answers %s with what happened',
    async (actionId) => {
      const s = await stage();
      const at = await asked(s);
      await end(s, at);
      await until(async () => (await s.gate.actions.get(at.id))?.state === state, `the state ${state}`);
      await s.settled();
      // No click tells the requester of this end.
      if (state === 'expired') await told(s.ws, 'Nobody decided in time');
      const isOwn = actionId === 'sb_edit' || actionId === 'sb_withdraw';
      const user = isOwn ? U_AGENT : U_LEAD;
      const messageTs = at.card;
      const before = whispers(s.ws, user).length;
      const old = { type: 'button', action_id: actionId, text: { type: 'plain_text', text: 'x' }, value: at.id };
      const message = s.ws.message(messageTs) ?? whispers(s.ws, user).find(({ ts }) => ts === messageTs);
      message?.blocks.push({ type: 'actions', block_id: 'old', elements: [old] });
      await s.ws.click({ user, messageTs, actionId, blockId: 'old' });
      await s.settled();
      const [answer, ...more] = whispers(s.ws, user).slice(before);
      expect(more).toEqual([]);
      expect(shown(answer)).toMatch(says);
      expect(shown(answer)).toContain('Cancel +12015550103');
      expect(shown(answer)).not.toMatch(/act_|slack:|not done|it was not/i);
      expect(s.ws.openViews(U_AGENT)).toEqual([]);
    },
  );
});

describe('an edit that is sent after the yes of another person', () => {
  it('says that it was not sent, who confirmed the question and when, and keeps what was typed', async () => {
    const s = await stage();
    await s.type('/numbers', 'update +12015550103 CnamFirstName=Bob', U_AGENT);
    const own = await whisper(s.ws, U_AGENT, 'sb_edit');
    await s.ws.click({ user: U_AGENT, messageTs: own.ts, actionId: 'sb_edit' });
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    const [action] = await s.gate.actions.list({ states: ['pending'] });
    const lead = {
      id: `slack:T/${U_LEAD}`,
      name: 'Lee',
      role: 'approver',
      surface: 'slack',
      priority: 'person',
    } as const;
    await s.gate.confirm(action?.id ?? '', lead, 'slack');
    const view = s.ws.openViews(U_AGENT).at(-1);
    if (view) enterAll(view, { CnamFirstName: 'Robert' });
    await s.ws.submit({ user: U_AGENT });
    const answer = shown(await whisper(s.ws, U_AGENT, 'Your edit was not sent.'));
    expect(answer).toMatch(/was already confirmed by .*U000LEAD.*"date".*Done/s);
    expect(answer).not.toMatch(/slack:|: not done/);
    expect(answer).toContain('sb_form');
    expect(await s.requests('/numbers/update')).toHaveLength(1);
  });
});
