import { expect, it } from 'vitest';
import { foundCard } from '../../../../src/cards/list.ts';
import { checkBlocks } from '../../../../src/demo/playground/limits.ts';
import { plainText } from '../../../../src/lib/words.ts';
import { listMessage, searchButtons } from '../../../../src/surfaces/slack/blocks/found.ts';
import { card, shown, stage, U_AGENT, U_LEAD, until, whisper } from '../support.ts';

it('a card says for which day a status change is scheduled, and so does the lookup', async () => {
  const s = await stage();
  await s.type('/numbers', 'status park +12015550103 EffectiveDate=12/31/2099');
  const { ts } = await card(s.ws);
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
  await until(() => shown(s.ws.message(ts)).includes('✅ Scheduled for Dec 31, 2099'), 'the outcome');
  expect(shown(s.ws.message(ts)).match(/Nothing changes before that day/g)).toHaveLength(1);
  await s.type('/number', '+12015550103');
  await whisper(s.ws, U_AGENT, 'scheduled: park on Dec 31, 2099');
  await s.type('/numbers', 'status park +12015550103 EffectiveDate=12/31/2099');
  await whisper(s.ws, U_AGENT, 'is already scheduled for Dec 31, 2099');
});

it('a search with more matches than one answer has goes on with a button', () => {
  const Numbers = Array.from({ length: 25 }, (_, i) => ({ Number: `+1201666${1000 + i}`, Account: 'Acme Mobile' }));
  const value = { Numbers, Found: 44, Message: 'The first 25 of 44 are shown.', NextPage: 10_001 };
  const read = { toolId: 'numbers_find', input: { Query: 'acme' } };
  const beside = searchButtons({ value, read });
  const message = listMessage(foundCard(value, 'acme', []), { reworded: plainText, beside });
  expect(checkBlocks(message.blocks, 'message')).toEqual([]);
  expect(message.text).toContain('44 numbers match');
  const text = JSON.stringify(message.blocks);
  for (const { Number: phone } of Numbers) expect(text).toContain(phone);
  expect(text).toContain(JSON.stringify('numbers_find|{"Query":"acme","Page":10001}'));
});
