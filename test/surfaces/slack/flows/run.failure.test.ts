import { expect, it } from 'vitest';
import { card, stage, U_AGENT, whisper } from '../support.ts';

/* The answer to a call that is refused. */

it('shows the time until which another call waits in the zone of its reader', async () => {
  const s = await stage();
  await s.type('/numbers', 'cancel +12015550101 +12015550103');
  await card(s.ws);
  await s.type('/numbers', 'cancel +12015550103');
  const { blocks } = await whisper(s.ws, U_AGENT, 'Wait until a person has decided, or withdraw it');
  const [{ elements = [] } = {}] = blocks as { elements?: { elements?: { type: string; text?: string }[] }[] }[];
  const parts = elements.flatMap((section) => section.elements ?? []);
  expect(parts.map(({ type }) => type)).toContain('date');
  expect(parts.map(({ text = '' }) => text).join()).not.toMatch(/\d{4}-\d\d-\d\dT/);
});

it('ends a read that the platform asks to wait for two minutes', async () => {
  const s = await stage();
  const PATH = '/v1.0/numbers/data-usage/info';
  await s.control('faults', { path: PATH, times: 1, status: 429, retryAfter: 120 });
  const began = s.clock.now();
  await s.type('/numbers', 'data usage info +12015550101');
  const answer = JSON.stringify((await whisper(s.ws, U_AGENT, 'rate limit')).blocks);
  expect(answer).toMatch(/Try again in 120 s/);
  expect(s.clock.now() - began).toBeLessThan(30_000);
  expect(await s.requests(PATH)).toHaveLength(1);
  await s.type('/numbers', 'get +12015550101');
  expect(JSON.stringify((await whisper(s.ws, U_AGENT, 'asked for a pause')).blocks)).toMatch(
    /Try again in about \d+ s/,
  );
});
