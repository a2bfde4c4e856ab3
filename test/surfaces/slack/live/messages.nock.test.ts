import { describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  expectCancelledOnce,
  expectNotCancelled,
  expectReactivatedOnce,
  hook,
  knowsAna,
  leeConfirms,
  nextChannelTakes,
  no,
  of,
  ok,
  posted,
  REACTIVATED,
  scene,
  sent,
  slack,
  story,
  TS,
  text,
  times,
} from '../nock-support.ts';
import { C_APPROVALS, C_SUPPORT, until } from '../support.ts';

describe('a confirmation card that a channel refuses', () => {
  const REFUSALS = ['not_in_channel', 'is_archived', 'channel_not_found'];

  it.each(REFUSALS)('is posted in the next channel, and works there: %s', async (error) => {
    const s = await nextChannelTakes(no(error));
    const [refused, taken] = of('chat.postMessage');
    expect(taken?.args.blocks).toEqual(refused?.args.blocks);
    expect(taken?.headers.authorization).toBe('Bearer xoxb-playground-bot');
    expect(text(of('response_url')[0])).toContain(`The card is in <#${C_APPROVALS}>`);
    await expectNotCancelled(s);

    sent.length = 0;
    await leeConfirms(s, taken, { channel: C_APPROVALS });
    await s.settled();
    expect(story()).toEqual([
      `chat.update ${C_APPROVALS}`,
      `chat.update ${C_APPROVALS}`,
      `chat.getPermalink ${C_APPROVALS}`,
      `chat.postEphemeral ${C_SUPPORT}`,
    ]);
    expect(of('chat.update').map(({ args }) => args.ts)).toEqual([TS, TS]);
    expect(text(of('chat.update').at(-1))).toContain('✅ Done');
    await expectCancelledOnce(s);
  });

  it('is posted later if every channel refuses it, and the requester is told where to find it', async () => {
    const s = await scene({ SLACK_EVENTS_CHANNEL: undefined });
    knowsAna();
    // The card, and the message to approvers in the same channel.
    slack('chat.postMessage', ...times(2, no('not_in_channel')));
    slack('conversations.open', no('missing_scope'));
    hook('/commands/1', ok());
    await s.command(`reactivate ${REACTIVATED} AccountId=${ACCOUNT}`);
    await s.settled();
    await until(() => of('chat.postMessage').length === 2, 'the message to approvers');
    await s.polled();
    expect(text(of('response_url')[0])).toContain('Its card could not be posted here. Approvers find it in the app');
    sent.length = 0;
    // The next poll does not try again, because a refusal now would be a refusal a second later.
    await s.polled();
    expect(story()).toEqual([]);
    slack('chat.postMessage', posted(C_SUPPORT, TS));
    // The card itself notifies the approvers now, so its update drops the line that they were not notified.
    slack('chat.update', ok());
    s.clock.skip(61_000);
    await s.polled();
    expect(story()).toEqual([`chat.postMessage ${C_SUPPORT}`, `chat.update ${C_SUPPORT}`]);
    expect(text(of('chat.update')[0])).not.toContain('Nobody was told');
    await leeConfirms(s, of('chat.postMessage')[0]);
    await s.settled();
    await expectReactivatedOnce(s);
  });
});
