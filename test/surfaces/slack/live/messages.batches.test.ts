import { expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/lib/clock.ts';
import { asked, click, open, PARK, phone, plan, says, skipUntil } from '../batching.ts';
import { C_EVENTS, C_SUPPORT, card, type Stage, shown, stage, U_AGENT, U_LEAD, whispers } from '../support.ts';

/** The messages in the thread of a card, oldest first. */
const news = (s: Stage, ts: string): string[] =>
  s.ws
    .messages(C_SUPPORT)
    .filter((message) => message.threadTs === ts && message.ephemeralTo === undefined)
    .map(shown);

it('posts the end of a batch once, in the thread of its card', async () => {
  const s = await stage();
  await s.control('faults', { path: '/v1.0/numbers/status', times: 1, status: 400 });
  const { ts } = await asked(s, [1, 3, 4, 5, 6].map(phone).join('\n'));
  await click(s, U_LEAD, ts, 'sb_confirm');
  await skipUntil(s, () => news(s, ts).length === 1, 'the end is posted', 2_000);
  await says(s, ts, /Stopped/);
  await s.settled();
  expect(news(s, ts)).toHaveLength(1);
  expect(news(s, ts)[0]).toMatch(new RegExp(`${U_AGENT}.*Stopped.*sb_rest`, 's'));
});

it('says scheduled of rows that take effect later, until the platform reports that they have; a left-out row has no part', async () => {
  const s = await stage({ SLACK_EVENTS_CHANNEL: C_EVENTS }, { events: true });
  await open(s);
  const later = new Date(Date.now() + 40 * DAY_MS).toISOString().slice(0, 10);
  const list = [phone(1), phone(4), phone(6), phone(7)].join('\n');
  await s.ws.submit({ user: U_AGENT, values: { ...PARK, batch_EffectiveDate: later, batch_list: list } });
  await click(s, U_AGENT, (await plan(s)).ts, 'sb_batchAsk');
  const { ts } = await card(s.ws);
  await click(s, U_LEAD, ts, 'sb_confirm');
  await says(s, ts, /3 scheduled for \w{3} \d+, \d{4}.*The end is shown here once the platform reports it/);
  const question = (await s.gate.actions.list({})).find(({ operation }) => operation === 'batches_run');
  const approver = { id: 'slack:T/U', name: 'Lee', role: 'approver', surface: 'slack', priority: 'person' } as const;
  const result = async () => (await s.gate.follow(question?.id ?? '', approver)).result;
  expect(await result()).toMatchObject({ Done: 0, Scheduled: 3, LeftOut: 1 });
  const home = async () => {
    await s.ws.openHome({ user: U_AGENT });
    await s.quiet();
    return JSON.stringify(s.ws.home(U_AGENT));
  };
  const lookedUp = async (number: string) => {
    const before = whispers(s.ws, U_AGENT).length;
    await s.type('/number', number);
    await s.quiet();
    return whispers(s.ws, U_AGENT).slice(before).map(shown).join();
  };
  expect(await home()).toMatch(/ scheduled for \w{3} \d+, \d{4}/);
  expect(await lookedUp('0101')).toMatch(/Park.* scheduled for \w{3} \d+, \d{4}/);
  expect(await lookedUp('0107')).not.toMatch(/Recent actions|Park \+/);

  await s.control('clock', { advance: '41d' });
  const rows = await s.gate.actions.list({ states: ['done'] });
  for (const { result } of rows.filter(({ batch }) => batch !== undefined)) {
    const body = JSON.stringify({ OrderId: result?.OrderId, Status: 'Complete' });
    const headers = { 'content-type': 'application/json' };
    const taken = await fetch(`${s.url}/events/platform`, { method: 'POST', headers, body });
    expect(taken.status).toBe(200);
  }
  const ended = await says(s, ts, /Done: 3 done, 1 left out/);
  expect(ended).not.toContain('scheduled');
  expect(await result()).toMatchObject({ Done: 3, LeftOut: 1 });
  expect(await result()).not.toHaveProperty('Scheduled');
  expect(await lookedUp('0101')).not.toContain('cheduled');
  const [shows, ...others] = s.ws.messages(C_EVENTS).filter(({ threadTs }) => threadTs === undefined);
  expect(others).toEqual([]);
  expect(shows?.text).toBe('✅ Park (201) 555-0101, (201) 555-0104, (201) 555-0106: completed');
  expect(shown(shows)).not.toContain('Carrier approval');
  const after = await home();
  expect(after).not.toContain('scheduled');
  expect(after.split('Park (201) 555-0101, (201) 555-0104, (201) 555-0106: completed')).toHaveLength(2);
  expect(after).not.toContain('Park or activate');
});
