import { describe, expect, it } from 'vitest';
import {
  ACTIVE,
  type Answer,
  asked,
  CANCEL,
  CANCELLED,
  expectReactivatedOnce,
  GONE,
  leeConfirms,
  no,
  of,
  ok,
  posted,
  REACTIVATE,
  rateLimited,
  type Scene,
  SUBMIT,
  scene,
  slack,
  story,
  TS,
  takesCommand,
  text,
  times,
} from '../nock-support.ts';
import { C_APPROVALS, C_SUPPORT, U_AGENT, until } from '../support.ts';

describe('Slack’s rate limit', () => {
  it('delays the card as long as Slack says, and one card is posted', async () => {
    const s = await scene();
    takesCommand(rateLimited(7), posted(C_SUPPORT, TS));
    await s.command(CANCEL);
    await until(() => s.waits(7_000) === 1, 'a wait');
    expect(of('chat.postMessage')).toHaveLength(1);
    await s.pass(7_000);
    await s.settled();
    await s.polled();
    expect(story()).toEqual([
      `chat.postMessage ${C_SUPPORT}`,
      `chat.postMessage ${C_SUPPORT}`,
      `chat.getPermalink ${C_SUPPORT}`,
      'response_url',
    ]);
    expect(s.waits(7_000)).toBe(1);
    expect(await s.state()).toBe('pending');
    expect(await s.requests(SUBMIT)).toEqual([]);
  });

  it('is retried three times at most, then the next channel is tried', async () => {
    const s = await scene({ SLACK_APPROVALS_CHANNEL: C_APPROVALS });
    takesCommand(rateLimited(4), rateLimited(5), rateLimited(6), posted(C_APPROVALS, TS));
    await s.command(CANCEL);
    await s.pass(4_000);
    await s.pass(5_000);
    await s.settled();
    expect(story()).toEqual([
      ...Array(3).fill(`chat.postMessage ${C_SUPPORT}`),
      `chat.postMessage ${C_APPROVALS}`,
      `chat.getPermalink ${C_APPROVALS}`,
      'response_url',
    ]);
    expect(await s.state()).toBe('pending');
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
  });
});

describe('a card that can no longer be updated', () => {
  /**
   * Returns Slack's refusals of the card's updates: running, done, and done again three times. The first refusal comes
   * when the platform is done, so that the card is not brought to "running" again.
   */
  const refusals = (s: Scene, count: number, error: string): Answer[] => [
    {
      body: { ok: false, error },
      after: () => until(async () => (await s.state()) === 'done', 'the end at the platform'),
    },
    ...times(count - 1, no(error)),
  ];

  it.each(['message_not_found', 'cant_update_message'])('shows the outcome in its thread: %s', async (error) => {
    const s = await scene();
    const card = await asked(s, CANCEL);
    slack('chat.postMessage', posted(C_SUPPORT, '1700000002.000100'));
    await leeConfirms(s, card, { updates: refusals(s, 5, error) });
    await s.settled();
    // The platform did it at once, independent of Slack's answers.
    expect(await s.number(CANCELLED)).toMatchObject(GONE);
    expect(await s.state()).toBe('done');
    await s.soon(() => of('chat.postMessage').length === 1, 'the news');
    await s.polled();
    expect(story()).toEqual([
      `chat.update ${C_SUPPORT}`,
      `chat.update ${C_SUPPORT}`,
      `chat.getPermalink ${C_SUPPORT}`,
      `chat.postEphemeral ${C_SUPPORT}`,
      ...Array(3).fill(`chat.update ${C_SUPPORT}`),
      `chat.postMessage ${C_SUPPORT}`,
    ]);
    const [news] = of('chat.postMessage');
    expect(news?.args.thread_ts).toBe(TS);
    expect(text(news)).toContain('✅ Done');
    expect(text(news)).toContain('The card itself could not be updated.');
    expect(text(news)).not.toContain('sb_confirm');
    expect(of('chat.postEphemeral')[0]?.args).toMatchObject({ channel: C_SUPPORT, user: U_AGENT });
    expect(await s.requests(SUBMIT)).toHaveLength(1);
  });

  it('is updated if only the first try fails', async () => {
    const s = await scene();
    const card = await asked(s, REACTIVATE);
    await leeConfirms(s, card, { updates: [...refusals(s, 2, 'cant_update_message'), ok()] });
    await s.settled();
    await s.soon(() => of('chat.update').length === 3, 'the third try');
    await s.polled();
    expect(text(of('chat.update').at(-1))).toContain('✅ Done');
    expect(of('chat.postMessage')).toEqual([]);
    await expectReactivatedOnce(s);
  });
});
