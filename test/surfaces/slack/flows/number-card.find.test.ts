import { describe, expect, it } from 'vitest';
import { checkBlocks } from '../../../../src/demo/playground/limits.ts';
import { recordOf } from '../../../../src/lib/json.ts';
import { sharedStage, shown, stage, U_AGENT, U_VIEW, until, whisper } from '../support.ts';

const stageOf = sharedStage();

/* `/number` with last digits or a name, and the buttons under a diagnosis. */

describe('/number', () => {
  it.each(['0102', '…0102', 'ben reed', 'Reed', '"ben reed"', '“0102”', '“+12015550102”'])(
    'finds the only number and shows its lookup: %s',
    async (text) => {
      const s = stageOf();
      await s.type('/number', text, U_VIEW);
      const card = await whisper(s.ws, U_VIEW, '(201) 555-0102');
      await whisper(s.ws, U_VIEW, 'Ben Reed');
      expect(card.blocks[0]?.type).toBe('header');
    },
  );

  it('shows several as short rows, each with a button that looks it up', async () => {
    const s = stageOf();
    await s.type('/number', '555010', U_VIEW);
    await whisper(s.ws, U_VIEW, 'No number matches');
    await s.type('/number', 'acme', U_VIEW);
    const rows = await whisper(s.ws, U_VIEW, 'numbers match “acme”');
    expect(checkBlocks(rows.blocks, 'message')).toEqual([]);
    const buttons = rows.blocks.filter(({ accessory }) => accessory !== undefined);
    expect(buttons.length).toBeGreaterThan(1);
    await s.ws.click({ user: U_VIEW, messageTs: rows.ts, actionId: 'sb_look_0' });
    await whisper(s.ws, U_VIEW, '"type":"header"');
  });

  it('still takes operations and help, and answers a mistyped one with a suggestion', async () => {
    const s = stageOf();
    const help = await s.type('/number', 'help', U_VIEW);
    expect(JSON.stringify(help.body)).toContain('one number');
    await s.type('/number', 'cancle +12015550103', U_AGENT);
    await whisper(s.ws, U_AGENT, 'numbers cancel');
    expect(await s.requests()).toEqual([]);
  });

  it('is refused to somebody without a role, without a request', async () => {
    const s = await stage({ SLACK_VIEWERS: [] });
    await s.type('/number', 'ava stone', U_VIEW);
    await whisper(s.ws, U_VIEW, 'needs the role viewer');
    expect(await s.requests()).toEqual([]);
  });
});

describe('/numbers why', () => {
  it('lists findings, each with a button that asks about its change', async () => {
    const s = stageOf();
    await s.type('/numbers', 'why +12015550107');
    const answer = await whisper(s.ws, U_AGENT, 'Reactivate it for 5 USD');
    expect(checkBlocks(answer.blocks, 'message')).toEqual([]);
    expect(shown(answer)).not.toContain('numbers_reactivate ');
    const remedy = answer.blocks
      .map(({ accessory }) => recordOf(accessory))
      .find((one) => JSON.stringify(one).includes('Reactivate it'));
    await s.ws.click({ user: U_AGENT, messageTs: answer.ts, actionId: String(remedy?.action_id) });
    await until(async () => (await s.gate.actions.list({ states: ['pending'] })).length === 1, 'the question');
    const [asked] = await s.gate.actions.list({});
    expect(asked?.operation).toBe('numbers_reactivate');
    expect(JSON.stringify(asked)).toContain('+12015550107');
    expect(s.ws.openViews(U_AGENT)).toEqual([]);
  });

  it('says that nothing was found, with the lookup at hand', async () => {
    const s = stageOf();
    await s.type('/numbers', 'why +12015550101');
    const answer = await whisper(s.ws, U_AGENT, 'sb_look_0');
    expect(shown(answer)).toContain('(201) 555-0101');
  });
});
