import { expect, it } from 'vitest';
import { checkBlocks } from '../../../../src/demo/playground/limits.ts';
import { card, sharedStage, shown, stage, U_AGENT, whisper } from '../support.ts';

const stageOf = sharedStage();

/* Data usage as a bar, a port-in as steps, and counts above an answer of several lists. */

const ORDER = 'JNUOID-00000000-0000-4000-8000-000000000001';

it('data usage is a bar in a lookup and in a list of numbers', async () => {
  const s = stageOf();
  await s.type('/number', '+12015550101');
  expect(shown(await whisper(s.ws, U_AGENT, '▓'))).toContain('▓▓▓▓▓▓░░░░ 12.5 of 20 MB');
  await s.type('/numbers', 'data-usage info +12015550101 +12015550103');
  const listed = await whisper(s.ws, U_AGENT, 'Data used of 2 lines');
  expect(shown(listed)).toContain('▓▓▓▓▓▓░░░░ 12.5 of 20 MB');
  expect(checkBlocks(listed.blocks, 'message')).toEqual([]);
});

it('an order of a port-in is shown with its steps', async () => {
  const s = stageOf();
  await s.type('/numbers', `order ${ORDER}`);
  const answer = shown(await whisper(s.ws, U_AGENT, '⚪'));
  expect(answer.indexOf('🔵')).toBeLessThan(answer.indexOf('⚪'));
});

it('what happened starts with counts for each kind', async () => {
  const TOKEN = 'what-the-platform-presents-1';
  const s = await stage({}, { events: true, env: { EVENTS_TOKEN: TOKEN } });
  const message = {
    MessageId: 'TMID-1',
    Direction: 'INBOUND',
    From: '+12015550199',
    To: '+12015550101',
    Body: 'Hello',
  };
  const answer = await fetch(`${s.url}/events/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
  expect(answer.status).toBe(200);
  await s.type('/numbers', 'reactivate +12015550107');
  await card(s.ws);
  await s.type('/events', 'since 8h');
  const told = await whisper(s.ws, U_AGENT, 'Hello');
  const [headline, ...counts] = told.blocks.map((block) => JSON.stringify(block));
  expect(headline).toContain('What happened since');
  for (const kind of ['Messages', 'Changes'])
    expect(counts.join()).toContain(`"${kind}","style":{"bold":true}},{"type":"text","text":" 1"`);
});
