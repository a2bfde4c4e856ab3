import { expect, it } from 'vitest';
import { forPeople } from '../../../snapshots/diary.ts';
import { card, stage, U_AGENT, U_LEAD, whisper } from '../support.ts';

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

it('says how the same call ended that was made before, without ids, names of members or times of a machine', async () => {
  const s = await stage();
  await s.control('faults', { path: '/v1.0/numbers/reactivate', times: 1, dropAfterCommit: true });
  await s.type('/numbers', 'reactivate 0107');
  const { ts } = await card(s.ws);
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
  await whisper(s.ws, U_AGENT, 'Outcome unknown');
  await s.type('/numbers', 'reactivate 0107');
  const told = forPeople(await whisper(s.ws, U_AGENT, 'Nothing was sent now'));
  expect(told).toMatch(/The same was asked for at .* and ended so:\n✅ Done: \*Reactivate \+12015550107\*/);
  expect(told).not.toMatch(/act_|numbers_get|T\d\d:\d\d:|Warning|Resolved/);
});

it('names the end of a watch as that, and calls nothing done that was not watched', async () => {
  const s = await stage();
  await s.type('/numbers', 'watch 0105');
  await whisper(s.ws, U_AGENT, /Done.*Watch a number/s);
  await s.type('/numbers', 'watch 0105 Stop=yes');
  await whisper(s.ws, U_AGENT, /Done.*Stop watching a number/s);
  await s.type('/numbers', 'watch 0103 Stop=yes');
  expect(forPeople(await whisper(s.ws, U_AGENT, /Already so.*Stop watching a number/s))).not.toMatch(/Done|✅/);
});
