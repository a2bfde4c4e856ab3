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
