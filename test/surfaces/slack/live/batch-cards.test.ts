import { expect, it } from 'vitest';
import { asked, click, phone, says, skipUntil } from '../batching.ts';
import { C_APPROVALS, C_SUPPORT, card, type Stage, shown, stage, U_AGENT, U_LEAD, until, whisper } from '../support.ts';
import { answers, heard, talking } from '../talking.ts';

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
  expect(news(s, ts)[0]).toMatch(new RegExp(`${U_AGENT}.*Stopped.*sb_batch_rest`, 's'));
});

it('posts the end of a batch that a direct message asked for in that conversation, and not beside its card', async () => {
  const s = await talking();
  const input = { Operation: 'numbers_cancel', Numbers: [phone(1), phone(3)] };
  s.model.answers({ calls: [{ name: 'batches_create', input }] });
  const thread = await s.say('cancel 0101 and 0103');
  await heard(s, thread, 'waits for an approver');
  const { ts } = await card(s.ws, C_APPROVALS);
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
  const done = /"user_id":"U.*Done: 2 done/s;
  await skipUntil(s, () => answers(s, thread).some((one) => done.test(shown(one))), 'the end', 2_000);
  expect(await heard(s, thread, done)).toContain(U_AGENT);
  await s.settled();
  expect(s.ws.messages(C_APPROVALS).filter(({ threadTs }) => threadTs === ts)).toEqual([]);
  await until(
    () =>
      [...s.ws.state.channels.keys()]
        .flatMap((id) => s.ws.messages(id))
        .every((one) => !shown(one).includes('sb_withdraw')),
    'no button to withdraw',
  );
});

/** The message to approvers about the question of a batch. */
const told = (s: Stage) => s.ws.messages(C_APPROVALS).filter(({ ephemeralTo }) => ephemeralTo === undefined)[0];

it('shows approvers that a batch has started, how it ended, and no button of the question', async () => {
  const s = await stage();
  const { ts } = await asked(s, [1, 3].map(phone).join('\n'));
  await until(() => shown(told(s)).includes('sb_confirm'), 'the message to approvers');
  await click(s, U_LEAD, told(s)?.ts ?? '', 'sb_confirm');
  await until(() => !shown(told(s)).includes('sb_confirm'), 'the start');
  await says(s, ts, /Done: 2 done/);
  await until(() => shown(told(s)).includes('Done: 2 done'), 'the end');
  expect(shown(told(s))).not.toContain('Started');
  expect(shown(told(s))).not.toMatch(/sb_(confirm|decline|batch_stop)/);
});

it('shows approvers that a batch was withdrawn, and offers nobody to ask again', async () => {
  const s = await stage();
  const { ts } = await asked(s, [1, 3].map(phone).join('\n'));
  await until(() => shown(told(s)).includes('sb_confirm'), 'the message to approvers');
  const withdraw = await whisper(s.ws, U_AGENT, 'sb_withdraw');
  await click(s, U_AGENT, withdraw.ts, 'sb_withdraw');
  for (const text of [() => shown(s.ws.message(ts)), () => shown(told(s))]) {
    await until(() => text().includes('Withdrawn'), 'the withdrawal');
    expect(text()).not.toMatch(/sb_(again|confirm)/);
  }
});
