import { describe, expect, it, vi } from 'vitest';
import {
  ACCOUNT,
  ACTIVE,
  type Answer,
  always,
  asked,
  buttonOf,
  CANCEL,
  CANCELLED,
  confirm,
  D_AGENT,
  GONE,
  hook,
  knowsAna,
  LIMIT,
  LIMITED,
  LINK,
  lee,
  NOTHING_THERE,
  nextChannelTakes,
  no,
  of,
  ok,
  posted,
  REACTIVATE,
  REACTIVATED,
  REACTIVATIONS,
  type Scene,
  SUBMIT,
  scene,
  sent,
  slack,
  story,
  TS,
  text,
  times,
} from './nock-support.ts';
import { C_APPROVALS, C_SUPPORT, record, U_AGENT, until } from './support.ts';

describe('a confirmation card that a channel refuses', () => {
  const REFUSALS = ['not_in_channel', 'is_archived', 'channel_not_found'];

  it.each(REFUSALS)('is posted in the next channel, and works there: %s', async (error) => {
    const s = await nextChannelTakes(no(error));
    const [refused, taken] = of('chat.postMessage');
    expect(taken?.args.blocks).toEqual(refused?.args.blocks);
    expect(taken?.headers.authorization).toBe('Bearer xoxb-playground-bot');
    expect(text(of('response_url')[0])).toContain(`The card is in <#${C_APPROVALS}>`);
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
    expect(await s.requests(SUBMIT)).toEqual([]);

    sent.length = 0;
    slack('users.info', lee);
    slack('chat.update', ...times(2, ok()));
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', ok());
    await confirm(s, taken, { channel: C_APPROVALS });
    await s.settled();
    expect(story()).toEqual([
      `chat.update ${C_APPROVALS}`,
      `chat.update ${C_APPROVALS}`,
      `chat.getPermalink ${C_APPROVALS}`,
      `chat.postEphemeral ${C_SUPPORT}`,
    ]);
    expect(of('chat.update').map(({ args }) => args.ts)).toEqual([TS, TS]);
    expect(text(of('chat.update').at(-1))).toContain('✅ Done');
    expect(await s.number(CANCELLED)).toMatchObject(GONE);
    expect(await s.requests(SUBMIT)).toHaveLength(1);
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
    // It stands there now: nothing is posted again.
    await s.polled();
    expect(of('chat.postMessage')).toHaveLength(4);
    expect(await s.state()).toBe('pending');
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
    expect(await s.requests(SUBMIT)).toEqual([]);
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
    expect(text(of('response_url')[0])).toContain('its card could not be posted here. Approvers find it in the app');
    sent.length = 0;
    // Not at the next look: who refuses now refuses a second later.
    await s.polled();
    expect(story()).toEqual([]);
    slack('chat.postMessage', posted(C_SUPPORT, TS));
    s.clock.skip(61_000);
    await s.polled();
    expect(story()).toEqual([`chat.postMessage ${C_SUPPORT}`]);
    slack('users.info', lee);
    slack('chat.update', ...times(2, ok()));
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', ok());
    await confirm(s, of('chat.postMessage')[0]);
    await s.settled();
    expect(await s.number(REACTIVATED)).toMatchObject(ACTIVE);
    expect(await s.requests(REACTIVATIONS)).toHaveLength(1);
  });
});

describe('Slack’s rate limit', () => {
  const limited = (seconds: number): Answer => ({
    status: 429,
    body: { ok: false, error: 'ratelimited' },
    headers: { 'retry-after': String(seconds) },
  });

  it('delays the card as long as Slack says, and one card is posted', async () => {
    const s = await scene();
    knowsAna();
    slack('chat.postMessage', limited(7), posted(C_SUPPORT, TS));
    slack('chat.getPermalink', LINK);
    hook('/commands/1', ok());
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
    knowsAna();
    slack('chat.postMessage', limited(1), limited(2), limited(3), posted(C_APPROVALS, TS));
    slack('chat.getPermalink', LINK);
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.pass(1_000);
    await s.pass(2_000);
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

  it('is not waited for beyond the maximum wait', async () => {
    const s = await scene({ SLACK_APPROVALS_CHANNEL: C_APPROVALS });
    knowsAna();
    slack('chat.postMessage', limited(60), posted(C_APPROVALS, TS));
    slack('chat.getPermalink', LINK);
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    expect(s.waits(60_000)).toBe(0);
    expect(story().slice(0, 2)).toEqual([`chat.postMessage ${C_SUPPORT}`, `chat.postMessage ${C_APPROVALS}`]);
    expect(await s.state()).toBe('pending');
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
  });

  it('delays an update of a card, and nothing else', async () => {
    const s = await scene();
    const card = await asked(s, REACTIVATE);
    slack('users.info', lee);
    slack('chat.update', limited(1), ok(), ok());
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', ok());
    await confirm(s, card);
    await s.pass(1_000);
    await s.settled();
    expect(of('chat.update')).toHaveLength(3);
    expect(text(of('chat.update').at(-1))).toContain('✅ Done');
    expect(await s.number(REACTIVATED)).toMatchObject(ACTIVE);
    expect(await s.requests(REACTIVATIONS)).toHaveLength(1);
  });
});

describe('a card that can no longer be updated', () => {
  /**
   * Running, done, and done again after 1, 4 and 15 seconds. The first answer comes when the platform is done, so that
   * the card is not brought to "running" once more.
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
    slack('users.info', lee);
    slack('chat.update', ...refusals(s, 5, error));
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', ok());
    slack('chat.postMessage', posted(C_SUPPORT, '1700000002.000100'));
    await confirm(s, card);
    await s.settled();
    // The platform did it at once, whatever Slack does.
    expect(await s.number(CANCELLED)).toMatchObject(GONE);
    expect(await s.state()).toBe('done');
    for (const ms of [1_000, 4_000, 15_000]) await s.pass(ms);
    await until(() => of('chat.postMessage').length === 1, 'the news');
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

  it('notifies the requester directly if the thread is gone too', async () => {
    const s = await scene();
    const card = await asked(s, REACTIVATE);
    slack('users.info', lee);
    slack('chat.update', ...refusals(s, 5, 'message_not_found'));
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', no('user_not_in_channel'));
    slack('conversations.open', ...times(2, ok({ channel: { id: D_AGENT } })));
    slack('chat.postMessage', posted(D_AGENT, TS), no('is_archived'), posted(D_AGENT, TS));
    await confirm(s, card);
    await s.settled();
    expect(await s.number(REACTIVATED)).toMatchObject(ACTIVE);
    for (const ms of [1_000, 4_000, 15_000]) await s.pass(ms);
    await until(() => of('chat.postMessage').length === 3, 'the news');
    await s.polled();
    expect(story()).toEqual([
      `chat.update ${C_SUPPORT}`,
      `chat.update ${C_SUPPORT}`,
      `chat.getPermalink ${C_SUPPORT}`,
      `chat.postEphemeral ${C_SUPPORT}`,
      `conversations.open ${U_AGENT}`,
      `chat.postMessage ${D_AGENT}`,
      ...Array(3).fill(`chat.update ${C_SUPPORT}`),
      `chat.postMessage ${C_SUPPORT}`,
      `conversations.open ${U_AGENT}`,
      `chat.postMessage ${D_AGENT}`,
    ]);
    for (const direct of of('chat.postMessage').filter(({ args }) => args.channel === D_AGENT)) {
      expect(text(direct)).toContain('✅ Done');
      expect(direct.args.thread_ts).toBeUndefined();
    }
    expect(await s.state()).toBe('done');
    expect(await s.requests(REACTIVATIONS)).toHaveLength(1);
  });

  it('is not updated after the app has stopped, because its ledger may be closed', async () => {
    const s = await scene();
    const card = await asked(s, REACTIVATE);
    slack('users.info', lee);
    slack('chat.update', ...refusals(s, 2, 'message_not_found'));
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', ok());
    await confirm(s, card);
    await s.settled();
    await s.slack.close();
    const read = vi.spyOn(s.gate.actions, 'get');
    await s.pass(1_000);
    expect(read).not.toHaveBeenCalled();
  });

  it('is updated if only the first try fails', async () => {
    const s = await scene();
    const card = await asked(s, REACTIVATE);
    slack('users.info', lee);
    slack('chat.update', ...refusals(s, 2, 'cant_update_message'), ok());
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', ok());
    await confirm(s, card);
    await s.settled();
    await s.pass(1_000);
    await until(() => of('chat.update').length === 3, 'the third try');
    await s.polled();
    expect(text(of('chat.update').at(-1))).toContain('✅ Done');
    expect(of('chat.postMessage')).toEqual([]);
    expect(await s.number(REACTIVATED)).toMatchObject(ACTIVE);
    expect(await s.requests(REACTIVATIONS)).toHaveLength(1);
  });
});

describe('a card that may have been posted', () => {
  const DOUBTS: [string, Answer][] = [
    ['500', { status: 500, body: { ok: false, error: 'internal_error' } }],
    ['503', { status: 503, body: 'upstream connect error' }],
    ['a cut connection', { cut: 'socket hang up' }],
  ];

  it.each(DOUBTS)('is not posted there again but in the next channel: %s', async (_name, doubt) => {
    const s = await nextChannelTakes(doubt, true);
    expect(s.waits(250)).toBe(0);
    expect(text(of('response_url')[0])).toContain(`The card is in <#${C_APPROVALS}>`);
    expect(await s.state()).toBe('pending');
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);

    // A card that did arrive although no answer came counts as the one that is known does; both are brought up to date.
    const [lost, known] = of('chat.postMessage');
    expect(lost?.args.metadata).toMatchObject({ event_type: 'switchboard_message' });
    expect(known?.args.metadata).not.toEqual(lost?.args.metadata);
    sent.length = 0;
    slack('users.info', lee);
    slack('chat.update', ...times(4, ok()));
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', ok());
    const late = '1700000000.000001';
    await confirm(s, lost, { ts: late });
    await s.settled();
    expect(of('chat.update').map(({ args }) => args.ts)).toEqual([TS, late, TS, late]);
    expect(await s.number(CANCELLED)).toMatchObject(GONE);
    expect(await s.requests(SUBMIT)).toHaveLength(1);
  });

  it('is not posted there again if no answer comes within four seconds', async () => {
    const s = await scene({ SLACK_APPROVALS_CHANNEL: C_APPROVALS });
    const given: { ms: number; end(): void }[] = [];
    knowsAna();
    slack('chat.postMessage', { hang: true }, posted(C_APPROVALS, TS));
    slack('conversations.history', NOTHING_THERE);
    slack('chat.getPermalink', LINK);
    hook('/commands/1', ok());
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController();
      given.push({ ms, end: () => controller.abort(new DOMException('The operation timed out', 'TimeoutError')) });
      return controller.signal;
    });
    await s.command(CANCEL);
    await until(() => of('chat.postMessage').length === 1, 'the card');
    expect(given.at(-1)?.ms).toBe(4_000);
    given.at(-1)?.end();
    await s.settled();
    expect(story().slice(0, 3)).toEqual([
      `chat.postMessage ${C_SUPPORT}`,
      `conversations.history ${C_SUPPORT}`,
      `chat.postMessage ${C_APPROVALS}`,
    ]);
    expect(of('chat.postMessage')).toHaveLength(2);
    expect(await s.state()).toBe('pending');
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
  });

  it.each(DOUBTS)('is posted nowhere twice, even if no channel answers: %s', async (name, doubt) => {
    const s = await scene({ SLACK_APPROVALS_CHANNEL: C_APPROVALS });
    knowsAna();
    always('chat.postMessage', doubt);
    always('conversations.history', NOTHING_THERE);
    const cut = name === 'a cut connection';
    if (!cut) always('conversations.open', ok({ channel: { id: D_AGENT } }));
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    await s.polled();
    await s.polled();
    const places = of('chat.postMessage').map(({ args }) => args.channel);
    // A request that was answered is over; one that was cut may still be carried out, so there are two at most.
    // The last one tells approvers, in the channel that did not take the card.
    expect(places).toEqual([C_SUPPORT, C_APPROVALS, ...(cut ? [] : [D_AGENT, C_APPROVALS])]);
  });

  it.each(DOUBTS)('can be updated twice without harm: %s', async (_name, doubt) => {
    const s = await scene();
    const card = await asked(s, REACTIVATE);
    slack('users.info', lee);
    slack('chat.update', doubt, doubt, ok(), ok());
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', ok());
    await confirm(s, card);
    await s.pass(250);
    await s.pass(500);
    await s.settled();
    expect(story()).toEqual([
      ...Array(4).fill(`chat.update ${C_SUPPORT}`),
      `chat.getPermalink ${C_SUPPORT}`,
      `chat.postEphemeral ${C_SUPPORT}`,
    ]);
    const [first, second, third, last] = of('chat.update');
    expect([second?.args, third?.args]).toEqual([first?.args, first?.args]);
    expect(text(last)).toContain('✅ Done');
    expect(await s.number(REACTIVATED)).toMatchObject(ACTIVE);
    expect(await s.requests(REACTIVATIONS)).toHaveLength(1);
  });

  it.each(DOUBTS)('is followed by one ephemeral and then a direct message: %s', async (_name, doubt) => {
    const s = await scene();
    knowsAna();
    hook('/commands/1', { status: 404, body: '' });
    slack('chat.postEphemeral', doubt);
    // Opening a conversation twice does no harm.
    slack('conversations.open', doubt, ok({ channel: { id: D_AGENT } }));
    slack('chat.postMessage', posted(D_AGENT, TS));
    await s.command(LIMIT);
    await s.pass(250);
    await s.settled();
    expect(story()).toEqual([
      'response_url',
      `chat.postEphemeral ${C_SUPPORT}`,
      `conversations.open ${U_AGENT}`,
      `conversations.open ${U_AGENT}`,
      `chat.postMessage ${D_AGENT}`,
    ]);
    expect(record((await s.number(LIMITED)).DataUsage).LimitValue).toBe(25_000);
  });
});
