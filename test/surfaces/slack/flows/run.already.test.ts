import { expect, it } from 'vitest';
import { stage, U_AGENT, whisper } from '../support.ts';

it.each([
  ['update +12015550101 MessageEnabled=true', 'yes'],
  ['update +12015550101 VoiceRouteId=main', 'Main SIP trunk'],
  ['data usage set +12015550105 LimitValue=20', '20 MB'],
])('calls nothing done that is already so, and shows no id: /numbers %s', async (text, value) => {
  const s = await stage();
  await s.type('/numbers', text);
  const { blocks } = await whisper(s.ws, U_AGENT, /already so, nothing was sent/i);
  const shown = JSON.stringify(blocks);
  expect(shown).toContain(value);
  expect(shown).not.toMatch(/Done|CRID-|✅|Warning/);
});
