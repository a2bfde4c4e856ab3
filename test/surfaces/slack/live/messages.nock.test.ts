import { describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  type Answer,
  buttonOf,
  CANCEL,
  D_AGENT,
  expectCancelledOnce,
  expectNotCancelled,
  expectReactivatedOnce,
  hook,
  knowsAna,
  LINK,
  leeConfirms,
  nextChannelTakes,
  no,
  of,
  ok,
  posted,
  postedAgain,
  REACTIVATED,
  scene,
  sent,
  slack,
  story,
  TS,
  text,
  times,
} from '../nock-support.ts';
import { C_APPROVALS, C_SUPPORT, U_AGENT, until } from '../support.ts';

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

  it.each(REFUSALS)('is sent as a direct message if every channel refuses it: %s', async (error) => {
    const s = await scene({ SLACK_APPROVALS_CHANNEL: C_APPROVALS });
    knowsAna();
    slack('chat.postMessage', no(error), no(error), posted(D_AGENT, TS));
    slack('conversations.open', ok({ channel: { id: D_AGENT } }));
    slack('chat.postMessage', no(error));
    slack('chat.getPermalink', LINK);
    slack('chat.update', ok());
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    await until(() => of('chat.update').length === 1, 'the card that says that nobody was told');
    expect(
      story()
        .filter((line) => !/getPermalink|response_url/.test(line))
        .slice(0, 5),
    ).toEqual([
      `chat.postMessage ${C_SUPPORT}`,
      `chat.postMessage ${C_APPROVALS}`,
      `conversations.open ${U_AGENT}`,
      `chat.postMessage ${D_AGENT}`,
      `chat.postMessage ${C_APPROVALS}`,
    ]);
    expect(text(of('chat.update')[0])).toContain('Nobody was told:');
    expect(buttonOf(of('chat.postMessage')[2], 'sb_confirm')).toMatch(/^act_/);
    expect(text(of('response_url')[0])).toContain('the card is in your direct messages');
    // The card has been posted there, so the next poll posts nothing.
    await s.polled();
    expect(of('chat.postMessage')).toHaveLength(4);
    expect(await s.state()).toBe('pending');
    await expectNotCancelled(s);
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

describe('a card that may have been posted', () => {
  const DOUBTS: [string, Answer][] = [
    ['500', { status: 500, body: { ok: false, error: 'internal_error' } }],
    ['503', { status: 503, body: 'upstream connect error' }],
    ['a cut connection', { cut: 'socket hang up' }],
  ];

  it.each(DOUBTS)('is posted again if the channel lacks it, and both work: %s', async (_name, doubt) => {
    const { s, lost, card } = await postedAgain(doubt);
    expect(s.waits(250)).toBe(0);
    expect(await s.state()).toBe('pending');
    await expectNotCancelled(s);
    expect(lost?.args.metadata).toMatchObject({ event_type: 'switchboard_message' });
    expect(card?.args.metadata).toEqual(lost?.args.metadata);

    // A card that did arrive although no answer came counts as the one that is known does; both are brought up to date.
    const late = '1700000000.000001';
    await leeConfirms(s, lost, { updates: times(4, ok()), ts: late });
    await s.settled();
    expect(of('chat.update').map(({ args }) => args.ts)).toEqual([TS, late, TS, late]);
    for (const one of of('chat.update').slice(2)) expect(text(one)).toContain('✅ Done');
    await expectCancelledOnce(s);
  });

  it('is not posted again if the channel has it, and each copy there shows the outcome', async () => {
    const s = await scene();
    knowsAna();
    slack('chat.postMessage', { cut: 'socket hang up' });
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    await s.polled();
    const [lost] = of('chat.postMessage');
    const { metadata } = lost?.args ?? {};
    const copy = '1700000003.000100';
    const messages = [{ ts: copy, metadata }, { ts: '1700000002.000100' }, { ts: TS, metadata }];
    slack('conversations.history', ok({ messages, has_more: false }));
    // The messages that were found may show an earlier state.
    slack('chat.update', ok(), ok());
    await s.soon(() => of('chat.update').length === 2, 'both cards');
    await s.polled();
    sent.length = 0;
    await leeConfirms(s, lost, { updates: times(4, ok()) });
    await s.settled();
    expect(of('chat.update').map(({ args }) => args.ts)).toEqual([TS, copy, TS, copy]);
    for (const one of of('chat.update').slice(2)) expect(text(one)).toContain('✅ Done');
    await expectCancelledOnce(s);
  });
});
