import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/lib/clock.ts';
import { actorOf } from '../../../support/approval.ts';
import { FakeClock } from '../../../support/clock.ts';
import { asked as askedBatch, open, PARK, phone, plan, says, skipUntil } from '../batching.ts';
import { C_APPROVALS, C_EVENTS, C_SUPPORT, U_AGENT } from '../ids.ts';
import { type Stage, shown, stage, until } from '../support.ts';

/** Slack takes a post, and its answer comes after the app has given up. */
const LATE = { lateMs: 5_000 };
const SCOPES = ['chat:write', 'commands', 'im:write', 'usergroups:read', 'users:read'];
const CANCEL = 'cancel +12015550103';
const SUBMIT = '/numbers/cancel-order-submit';

async function scene(approvals: string = C_EVENTS) {
  // Slack's clock is frozen, so that a late answer never comes before the app has given up.
  const slackClock = new FakeClock(Date.now());
  const s = await stage(
    { SLACK_APPROVALS_CHANNEL: approvals, SLACK_EVENTS_CHANNEL: C_EVENTS },
    { slackClock, slackTimeoutMs: 80 },
  );
  return { ...s, slackClock };
}

const everywhere = (s: Stage) =>
  [...s.ws.state.channels.keys()].flatMap((channel) => s.cards(channel).map(({ ts }) => ({ channel, ts })));
const asked = async (s: Stage) => (await s.gate.actions.list({})).find((one) => one.consent !== undefined);
/** Returns the ledger's note of the attempt to post the card. */
const attemptOf = async (s: Stage) => {
  const messages = (await asked(s))?.notes.messages as Record<string, { at?: { channel: string; ts: string } }>;
  return messages?.card;
};
const cardOf = async (s: Stage) => (await attemptOf(s))?.at;
/** Asks for a cancellation, and waits until the app has tried to post its card. */
async function request(s: Stage): Promise<void> {
  await s.type('/numbers', CANCEL);
  await until(async () => (await attemptOf(s)) !== undefined, 'the attempt');
}

/** Lets time pass until the condition holds, each second when no message is being sent. */
const passing = (s: Stage, condition: () => boolean | Promise<boolean>, what: string) =>
  until(async () => {
    if (await condition()) return true;
    const due = `SELECT 1 FROM jobs WHERE kind IN ('action.show', 'slack.tell') AND dead_at IS NULL
      AND (run_at <= ? OR claimed_until > ?)`;
    const now = s.clock.now();
    if ((await s.store.database('ledger').get(due, now, now)) === undefined) s.clock.skip(1_000);
    return false;
  }, what);

describe('a card that Slack accepts without answering in time', () => {
  it('is found in its channel, works, and shows the outcome', async () => {
    // The card notifies the approvers, so they get no separate message.
    const s = await scene(C_SUPPORT);
    s.ws.fail('chat.postMessage', LATE, 1_000);
    await request(s);
    const { ts } = await s.card();
    await passing(s, async () => (await cardOf(s))?.ts === ts, 'the card is found');
    for (let i = 0; i < 5; i += 1) {
      s.clock.skip(30_000);
      await s.quiet();
    }
    expect(everywhere(s)).toEqual([{ channel: C_SUPPORT, ts }]);
    s.ws.clearFaults();
    await s.press(ts, 'sb_confirm');
    await s.says(ts, '✅ Done');
    expect(await s.requests(SUBMIT)).toHaveLength(1);
  });

  it('is posted again if the app may not read the channel, and each copy that a person clicks shows the end', async () => {
    const s = await scene(C_SUPPORT);
    s.ws.setScopes(SCOPES);
    s.ws.fail('chat.postMessage', LATE, 3);
    await request(s);
    await passing(s, async () => (await cardOf(s)) !== undefined, 'the last card');
    expect(everywhere(s).length).toBeGreaterThan(3);
    const { ts = '' } = (await cardOf(s)) ?? {};
    await s.press(ts, 'sb_confirm');
    await s.says(ts, '✅ Done');
    // A button of an earlier copy answers that it was decided, and the copy is edited.
    const first = everywhere(s)[0]?.ts ?? '';
    await s.press(first, 'sb_confirm');
    await s.says(first, '✅ Done');
    expect(await s.requests(SUBMIT)).toHaveLength(1);
  });
});

it('approvers in another channel are asked at once while Slack may have taken the card', async () => {
  const s = await stage();
  s.ws.fail('chat.postMessage', { status: 503 }, 1);
  await request(s);
  await s.quiet();
  expect(everywhere(s)).toMatchObject([{ channel: C_APPROVALS }]);
  await passing(s, async () => (await cardOf(s)) !== undefined, 'the card');
  await s.quiet();
  expect(everywhere(s).map(({ channel }) => channel)).toEqual([C_SUPPORT, C_APPROVALS]);
});

it('the card of a batch of reads shows its end after an hour in which Slack changed no message', async () => {
  const s = await stage();
  await s.form('/batch', 'number');
  s.ws.fail('chat.update', { error: 'internal_error' }, 1_000);
  await s.ws.submit({ user: U_AGENT, values: { batch_list: [1, 3].map(phone).join('\n') } });
  await until(() => s.direct() !== '', 'its card');
  for (let i = 0; i < 60; i += 1) {
    s.clock.skip(60_000);
    await s.quiet();
  }
  expect(s.direct()).toContain('Running: 2 to go');
  s.ws.clearFaults();
  await skipUntil(s, () => !s.direct().includes('Running'), 'its end', 60_000);
});

/** The messages in the thread of a card, oldest first. */
const news = (s: Stage, ts: string): string[] =>
  s.ws
    .messages(C_SUPPORT)
    .filter((message) => message.threadTs === ts && message.ephemeralTo === undefined)
    .map(shown);

it('posts the end of a batch once, in the thread of its card, and no other message says how it goes', async () => {
  const s = await stage();
  await s.control('faults', { path: '/v1.0/numbers/status', times: 5, hangMs: 300 });
  const { ts } = await askedBatch(s, [1, 3, 4, 5, 6].map(phone).join('\n'));
  await s.press(ts, 'sb_confirm');
  await s.says(ts, 'sb_stop');
  await s.press(ts, 'sb_stop', U_AGENT);
  await skipUntil(s, () => news(s, ts).length === 1, 'the end is posted', 2_000);
  await says(s, ts, /Stopped/);
  await s.settled();
  expect(news(s, ts)).toHaveLength(1);
  expect(news(s, ts)[0]).toMatch(new RegExp(`${U_AGENT}.*: stopped`, 's'));
  expect(news(s, ts)[0] + s.whispered()).not.toMatch(/being sent|\d not sent|sb_rest/);
});

it('names the day of a later change alike in the reply, at the line and in the Home, and a change that waits once', async () => {
  const s = await stage();
  const day = new Date(Date.now() + 40 * DAY_MS).toISOString().slice(0, 10);
  const lineNow = async (command: string) => {
    await s.type('/numbers', command);
    await s.quiet();
    return shown(s.whispers().at(-1));
  };
  await s.type('/numbers', `status 0101 park ${day}`);
  await s.card();
  expect((await lineNow('0101')).split('Park +12015550101')).toHaveLength(2);
  await s.confirm();
  expect(await s.told('Scheduled for ')).not.toContain(day);
  expect(await s.home()).toMatch(/ scheduled for \w{3} \d+, \d{4}/);
  expect(await lineNow('0101')).toMatch(/Open orders[\s\S]*"Park \+12015550101 · Scheduled as of "/);
  expect(await lineNow('why 0101')).not.toContain(day);
});

it('says scheduled of rows that take effect later, until the platform reports that they have; a left-out row has no part', async () => {
  const s = await stage({ SLACK_EVENTS_CHANNEL: C_EVENTS }, { events: true });
  await open(s);
  const later = new Date(Date.now() + 40 * DAY_MS).toISOString().slice(0, 10);
  const list = [phone(1), phone(4), phone(6), phone(7)].join('\n');
  await s.ws.submit({ user: U_AGENT, values: { ...PARK, EffectiveDate: later, batch_list: list } });
  await s.press(await plan(s), 'sb_batchAsk', U_AGENT);
  const { ts } = await s.confirm();
  await says(s, ts, /3 scheduled for \w{3} \d+, \d{4}.*The end is shown here once the platform reports it/);
  const question = (await s.gate.actions.list({})).find(({ operation }) => operation === 'batches_run');
  const result = async () => (await s.gate.follow(question?.id ?? '', actorOf('slack:T/U'))).result;
  expect(await result()).toMatchObject({ Done: 0, Scheduled: 3, LeftOut: 1 });
  const lookedUp = async (number: string) => {
    const before = s.whispers().length;
    await s.type('/number', number);
    await s.quiet();
    return s.whispers().slice(before).map(shown).join();
  };
  expect(await s.home()).toMatch(/ scheduled for \w{3} \d+, \d{4}/);
  expect(await lookedUp('0101')).toMatch(/Park.* scheduled for \w{3} \d+, \d{4}/);
  expect(await lookedUp('0107')).not.toMatch(/Recent actions|Park \+/);

  await s.control('clock', { advance: '41d' });
  const rows = await s.gate.actions.list({ states: ['done'] });
  for (const { result } of rows.filter(({ batch }) => batch !== undefined)) {
    const taken = await s.deliver('platform', { OrderId: result?.OrderId, Status: 'Complete' });
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
  const after = await s.home();
  expect(after).not.toContain('scheduled');
  expect(after).not.toContain('Park or activate');
});
