import { describe, expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import { recordOf as record } from '../../../../src/lib/json.ts';
import { C_SUPPORT, type Stage, shown, stage, U_AGENT, U_VIEW, until, whisper } from '../support.ts';

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
