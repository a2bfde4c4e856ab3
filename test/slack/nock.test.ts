import nock from 'nock';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  C_APPROVALS,
  C_SUPPORT,
  later,
  record,
  S_APPROVERS,
  S_OPERATORS,
  type Stage,
  stage,
  U_AGENT,
  U_LEAD,
  U_OTHER,
  until,
} from './support.ts';

/*
 * One fault of Slack's at a time, at the network's edge: every request that the app sends to Slack is named here, in
 * number and in order, and one too many fails its test. The platform behind is the sandbox.
 */

const API = 'https://slack.test';
const HOOKS = 'https://hooks.slack.test';
const TEAM = 'T000DEMO';
const D_AGENT = 'D000AGENT';
const ACCOUNT = 'AID-00000000-0000-4000-8000-000000000001';
const REACTIVATED = '+12015550107';
const REACTIVATE = `reactivate ${REACTIVATED} AccountId=${ACCOUNT}`;
const CANCELLED = '+12015550103';
const CANCEL = `cancel ${CANCELLED}`;
const LIMITED = '+12015550101';
const LIMIT = `data usage set ${LIMITED} LimitValue=25000`;

/** What one interceptor answers. */
type Answer =
  | { body: unknown; status?: number; headers?: Record<string, string>; after?: () => Promise<unknown> }
  | { cut: string }
  /** Nothing, until the app gives up. */
  | { hang: true };

interface Sent {
  method: string;
  args: Record<string, unknown>;
  headers: Record<string, unknown>;
}

/** Every request to Slack, in order. */
const sent: Sent[] = [];
/** Requests that no test named. */
const unexpected: string[] = [];

const onNoMatch = (request: unknown) => {
  const { host, hostname, path } = record(request);
  const where = String(host ?? hostname ?? '');
  if (!where.startsWith('127.0.0.1')) unexpected.push(`${where}${String(path)}`);
};

beforeEach(() => {
  sent.length = 0;
  unexpected.length = 0;
  nock.disableNetConnect();
  nock.enableNetConnect(/^127\.0\.0\.1(:|$)/);
  nock.emitter.on('no match', onNoMatch);
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => {
  nock.enableNetConnect();
  nock.restore();
});

/** Every answer was asked for, and nothing else was. */
function checked(): void {
  const pending = nock.pendingMocks();
  nock.emitter.off('no match', onNoMatch);
  nock.abortPendingRequests();
  nock.cleanAll();
  expect(unexpected, 'requests that nobody named').toEqual([]);
  expect(pending, 'requests that never came').toEqual([]);
}

/** The next requests to `path`, one answer each; with `always`, every further one too. */
function serve(base: string, path: string, method: string, answers: readonly Answer[], always = false): void {
  for (const answer of answers) {
    const scope = nock(base).persist(always);
    scope.on('request', (request: unknown, _interceptor: unknown, raw: string) => {
      const headers = record(record(request).headers);
      sent.push({ method, args: argsOf(raw), headers });
    });
    const interceptor = scope.post(path);
    if ('cut' in answer) interceptor.replyWithError(Object.assign(new Error(answer.cut), { code: 'ECONNRESET' }));
    else if ('hang' in answer) interceptor.reply(() => new Promise<never>(() => undefined));
    else
      interceptor.reply(async () => {
        await answer.after?.();
        return [answer.status ?? 200, answer.body as nock.Body, answer.headers ?? {}];
      });
  }
}
const slack = (method: string, ...answers: Answer[]) => serve(API, `/api/${method}`, method, answers);
const always = (method: string, answer: Answer) => serve(API, `/api/${method}`, method, [answer], true);
const hook = (path: string, ...answers: Answer[]) => serve(HOOKS, path, 'response_url', answers);

/** A form's fields; Slack's client writes lists and objects as JSON. */
function argsOf(raw: string): Record<string, unknown> {
  if (raw.startsWith('{')) return record(JSON.parse(raw));
  return Object.fromEntries(
    [...new URLSearchParams(raw)].map(([name, value]) => [name, /^[[{]/.test(value) ? JSON.parse(value) : value]),
  );
}

const ok = (more: Record<string, unknown> = {}): Answer => ({ body: { ok: true, ...more } });
const no = (error: string): Answer => ({ body: { ok: false, error } });
const times = (count: number, answer: Answer) => Array.from({ length: count }, () => answer);
const posted = (channel: string, ts: string) => ok({ channel, ts, message: {} });
const TS = '1700000001.000100';

const ROLES = ['auth.test', 'users.info', 'usergroups.users.list'];
/** What was sent, without the questions about roles: `chat.postMessage C000SUPPORT`. */
const story = () =>
  sent
    .filter(({ method }) => !ROLES.includes(method))
    .map(({ method, args }) => [method, args.channel ?? args.users].filter((part) => part !== undefined).join(' '));
const of = (method: string) => sent.filter((one) => one.method === method);
/** All that one request shows a person. */
const text = (one: Sent | undefined) => (one ? `${String(one.args.text)}\n${JSON.stringify(one.args.blocks)}` : '');

function person(id: string, name: string, team = TEAM): Answer {
  return ok({ user: { id, name, team_id: team, tz: 'America/New_York', profile: { display_name: name } } });
}
const ana = person(U_AGENT, 'ana');
const lee = person(U_LEAD, 'lee');
const APPROVERS = ok({ users: [U_LEAD] });
const OPERATORS = ok({ users: [U_AGENT, U_LEAD] });

/** Slack says who Ana is, and that she is an operator. */
function knowsAna(): void {
  slack('auth.test', ok({ team_id: TEAM, user_id: 'U000BOT' }));
  slack('users.info', ana);
  slack('usergroups.users.list', APPROVERS, OPERATORS);
}

interface Scene extends Stage {
  command(text: string, more?: { user?: string; team?: string; channel?: string }): Promise<string>;
  click(act: { user: string; ts?: string; actionId: string; value: string; channel?: string }): Promise<void>;
  /** Waits until the app waits this long, and lets the time pass. */
  pass(ms: number): Promise<void>;
  /** How often the app has begun to wait this long. */
  waits(ms: number): number;
  /** Waits until the cards have been compared with the ledger once more. */
  polled(): Promise<void>;
  /** A number as it stands at the platform. */
  number(phone: string): Promise<Record<string, unknown>>;
  /** The state of the action that a person was asked about. */
  state(): string | undefined;
}

const POLL_MS = 3_000;

async function scene(settings: Parameters<typeof stage>[0] = {}): Promise<Scene> {
  // Last of all, after the app has stopped.
  later(checked);
  const s = await stage({ SLACK_API_URL: `${API}/api/`, ...settings });
  const timers = vi.spyOn(s.clock, 'setTimeout');
  const waits = (ms: number) => timers.mock.calls.filter(([, asked]) => asked === ms).length;
  const passed = new Map<number, number>();
  let serial = 0;
  const send = async (form: Record<string, string>) => {
    const body = new URLSearchParams(form).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...s.ws.sign(body) };
    const answer = await s.ws.raw(body, headers);
    expect(answer.status).toBe(200);
    return answer.body;
  };
  return {
    ...s,
    waits,
    async pass(ms) {
      const before = passed.get(ms) ?? 0;
      await until(() => waits(ms) > before, `a wait of ${ms} ms`);
      passed.set(ms, before + 1);
      s.clock.skip(ms);
    },
    async polled() {
      // Twice: the first may have begun before.
      for (const _ of [1, 2]) {
        const before = waits(POLL_MS);
        s.clock.skip(POLL_MS);
        await until(() => waits(POLL_MS) > before, 'a comparison');
      }
    },
    state: () => s.door.ledger.list({}).find((action) => action.consent !== undefined)?.state,
    command: (line, { user = U_AGENT, team = TEAM, channel = C_SUPPORT } = {}) => {
      serial += 1;
      return send({
        command: '/numbers',
        text: line,
        user_id: user,
        team_id: team,
        channel_id: channel,
        trigger_id: `trigger-${serial}`,
        response_url: `${HOOKS}/commands/${serial}`,
      });
    },
    async click({ user, ts = TS, actionId, value, channel = C_SUPPORT }) {
      serial += 1;
      const payload = {
        type: 'block_actions',
        user: { id: user, team_id: TEAM },
        team: { id: TEAM },
        container: { type: 'message', message_ts: ts, channel_id: channel },
        channel: { id: channel },
        trigger_id: `trigger-${serial}`,
        response_url: `${HOOKS}/actions/${serial}`,
        actions: [{ type: 'button', action_id: actionId, block_id: 'b', value, action_ts: `${serial}` }],
      };
      expect(await send({ payload: JSON.stringify(payload) })).toBe('');
    },
    async number(phone) {
      const { numbers } = record(await s.control('state'));
      return (numbers as Record<string, unknown>[]).find((one) => one.Number === phone) ?? {};
    },
  };
}

/** A button of a message that was sent, by its action id. */
function buttonOf(one: Sent | undefined, actionId: string): string {
  const blocks = (one?.args.blocks ?? []) as Record<string, unknown>[];
  const found = blocks
    .flatMap((block) => (block.elements ?? []) as Record<string, unknown>[])
    .find((element) => element.action_id === actionId);
  return String(found?.value);
}

const SUBMIT = '/numbers/cancel-order-submit';
const REACTIVATIONS = '/numbers/reactivate';
const ACTIVE = { Status: 'Active' };
const GONE = { Status: 'Cancelled - Pending Delete' };
const LINK = ok({ permalink: 'https://demo.slack.test/archives/1' });

/** Ana asks, the card stands in her channel, and she is told; `asked` is that card. */
async function asked(s: Scene, line: string): Promise<Sent> {
  knowsAna();
  slack('chat.postMessage', posted(C_SUPPORT, TS));
  slack('chat.getPermalink', LINK);
  hook('/commands/1', ok());
  await s.command(line);
  await s.settled();
  const [card] = of('chat.postMessage');
  if (!card) throw new Error('no card');
  sent.length = 0;
  return card;
}

const confirm = (s: Scene, card: Sent | undefined, more: { ts?: string; channel?: string } = {}) =>
  s.click({ user: U_LEAD, actionId: 'sb_confirm', value: buttonOf(card, 'sb_confirm'), ...more });

describe('a confirmation card that a channel does not take', () => {
  const REFUSALS = ['not_in_channel', 'is_archived', 'channel_not_found'];

  it.each(REFUSALS)('stands in the next channel, and counts there: %s', async (error) => {
    const s = await scene();
    knowsAna();
    slack('chat.postMessage', no(error), posted(C_APPROVALS, TS));
    slack('chat.getPermalink', LINK);
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    expect(story()).toEqual([
      `chat.postMessage ${C_SUPPORT}`,
      `chat.postMessage ${C_APPROVALS}`,
      `chat.getPermalink ${C_APPROVALS}`,
      'response_url',
    ]);
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

  it.each(REFUSALS)('comes as a direct message when no channel takes it: %s', async (error) => {
    const s = await scene();
    knowsAna();
    slack('chat.postMessage', no(error), no(error), posted(D_AGENT, TS));
    slack('conversations.open', ok({ channel: { id: D_AGENT } }));
    slack('chat.getPermalink', LINK);
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    expect(story()).toEqual([
      `chat.postMessage ${C_SUPPORT}`,
      `chat.postMessage ${C_APPROVALS}`,
      `conversations.open ${U_AGENT}`,
      `chat.postMessage ${D_AGENT}`,
      `chat.getPermalink ${D_AGENT}`,
      'response_url',
    ]);
    expect(buttonOf(of('chat.postMessage').at(-1), 'sb_confirm')).toMatch(/^act_/);
    expect(text(of('response_url')[0])).toContain('the card is in your direct messages');
    // It stands there now: nothing is posted again.
    await s.polled();
    expect(of('chat.postMessage')).toHaveLength(3);
    expect(s.state()).toBe('pending');
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
    expect(await s.requests(SUBMIT)).toEqual([]);
  });

  it('is posted later when nothing takes it now, and its asker is told where it is meanwhile', async () => {
    const s = await scene({ SLACK_EVENTS_CHANNEL: undefined });
    knowsAna();
    slack('chat.postMessage', no('not_in_channel'));
    slack('conversations.open', no('missing_scope'));
    hook('/commands/1', ok());
    await s.command(`reactivate ${REACTIVATED} AccountId=${ACCOUNT}`);
    await s.settled();
    expect(story().at(-1)).toBe('response_url');
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

  it('is waited for as long as Slack says, and one card is posted', async () => {
    const s = await scene();
    knowsAna();
    slack('chat.postMessage', limited(1), posted(C_SUPPORT, TS));
    slack('chat.getPermalink', LINK);
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await until(() => s.waits(1_000) === 1, 'a wait');
    expect(of('chat.postMessage')).toHaveLength(1);
    await s.pass(1_000);
    await s.settled();
    await s.polled();
    expect(story()).toEqual([
      `chat.postMessage ${C_SUPPORT}`,
      `chat.postMessage ${C_SUPPORT}`,
      `chat.getPermalink ${C_SUPPORT}`,
      'response_url',
    ]);
    expect(s.waits(1_000)).toBe(1);
    expect(s.state()).toBe('pending');
    expect(await s.requests(SUBMIT)).toEqual([]);
  });

  it('is met three times at most, then the next channel has its turn', async () => {
    const s = await scene();
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
    expect(s.state()).toBe('pending');
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
  });

  it('is not waited for where that takes longer than anybody would', async () => {
    const s = await scene();
    knowsAna();
    slack('chat.postMessage', limited(60), posted(C_APPROVALS, TS));
    slack('chat.getPermalink', LINK);
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    expect(s.waits(60_000)).toBe(0);
    expect(story().slice(0, 2)).toEqual([`chat.postMessage ${C_SUPPORT}`, `chat.postMessage ${C_APPROVALS}`]);
    expect(s.state()).toBe('pending');
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
  });

  it('on a card that changes costs a wait and nothing else', async () => {
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

describe('a card that can no longer be changed', () => {
  /**
   * Running, done, and done again after 1, 4 and 15 seconds. The first answer comes when the platform is done, so that
   * the card is not brought to "running" once more.
   */
  const refusals = (s: Scene, count: number, error: string): Answer[] => [
    { body: { ok: false, error }, after: () => until(() => s.state() === 'done', 'the end at the platform') },
    ...times(count - 1, no(error)),
  ];

  it.each(['message_not_found', 'cant_update_message'])('says how it ended in its thread: %s', async (error) => {
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
    expect(s.state()).toBe('done');
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

  it('tells its asker directly when the thread is gone too', async () => {
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
    expect(s.state()).toBe('done');
    expect(await s.requests(REACTIVATIONS)).toHaveLength(1);
  });

  it('is left alone once the app has stopped: its ledger may be closed by then', async () => {
    const s = await scene();
    const card = await asked(s, REACTIVATE);
    slack('users.info', lee);
    slack('chat.update', ...refusals(s, 2, 'message_not_found'));
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', ok());
    await confirm(s, card);
    await s.settled();
    await s.slack.close();
    const read = vi.spyOn(s.door.ledger, 'get');
    await s.pass(1_000);
    expect(read).not.toHaveBeenCalled();
  });

  it('is changed after all when only the first try fails', async () => {
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

describe('an address that takes no answer', () => {
  const GONE_AWAY: [string, Answer][] = [
    ['404 used_url', { status: 404, body: { ok: false, error: 'used_url' } }],
    ['404 expired_url', { status: 404, body: { ok: false, error: 'expired_url' } }],
    ['410', { status: 410, body: 'gone' }],
    ['500', { status: 500, body: '<html>oops</html>' }],
    ['a cut connection', { cut: 'socket hang up' }],
  ];
  const limit = async (s: Scene) => record((await s.number(LIMITED)).DataUsage).LimitValue;

  it.each(GONE_AWAY)('is followed by an ephemeral message: %s', async (_name, answer) => {
    const s = await scene();
    knowsAna();
    hook('/commands/1', answer);
    slack('chat.postEphemeral', ok());
    expect(await s.command(LIMIT)).toContain('Working on it');
    await s.settled();
    expect(story()).toEqual(['response_url', `chat.postEphemeral ${C_SUPPORT}`]);
    const [first, second] = sent.slice(-2);
    expect(second?.args).toMatchObject({ user: U_AGENT, text: first?.args.text, blocks: first?.args.blocks });
    expect(text(second)).toContain('✅');
    expect(await limit(s)).toBe(25_000);
    expect(await s.requests('/numbers/data-usage')).toHaveLength(1);
  });

  it('and does not answer at all is given up after four seconds, once', async () => {
    const s = await scene();
    const given: { ms: number; end(): void }[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController();
      given.push({ ms, end: () => controller.abort(new DOMException('The operation timed out', 'TimeoutError')) });
      return controller.signal;
    });
    knowsAna();
    hook('/commands/1', { hang: true });
    slack('chat.postEphemeral', ok());
    await s.command(LIMIT);
    await until(() => of('response_url').length === 1, 'the answer');
    expect(await limit(s)).toBe(25_000);
    expect(of('chat.postEphemeral')).toEqual([]);
    expect(given.at(-1)?.ms).toBe(4_000);
    given.at(-1)?.end();
    await s.settled();
    expect(story()).toEqual(['response_url', `chat.postEphemeral ${C_SUPPORT}`]);
    expect(text(sent.at(-1))).toContain('✅');
    expect(await s.requests('/numbers/data-usage')).toHaveLength(1);
  });

  it.each(GONE_AWAY)('is followed by a direct message where the app is not in the channel: %s', async (_n, answer) => {
    const s = await scene();
    knowsAna();
    hook('/commands/1', answer);
    slack('chat.postEphemeral', no('user_not_in_channel'));
    slack('conversations.open', ok({ channel: { id: D_AGENT } }));
    slack('chat.postMessage', posted(D_AGENT, TS));
    await s.command(LIMIT);
    await s.settled();
    expect(story()).toEqual([
      'response_url',
      `chat.postEphemeral ${C_SUPPORT}`,
      `conversations.open ${U_AGENT}`,
      `chat.postMessage ${D_AGENT}`,
    ]);
    expect(text(sent.at(-1))).toBe(text(of('response_url')[0]));
    expect(await limit(s)).toBe(25_000);
    expect(await s.requests('/numbers/data-usage')).toHaveLength(1);
  });

  it('leaves the outcome as it is when nothing else reaches the person either', async () => {
    const s = await scene();
    knowsAna();
    hook('/commands/1', { status: 404, body: '' });
    slack('chat.postEphemeral', no('channel_not_found'));
    slack('conversations.open', no('cannot_dm_bot'));
    await s.command(LIMIT);
    await s.settled();
    expect(story()).toEqual(['response_url', `chat.postEphemeral ${C_SUPPORT}`, `conversations.open ${U_AGENT}`]);
    expect(s.logged.join('\n')).toContain('a person could not be answered in Slack');
    expect(await limit(s)).toBe(25_000);
    expect(s.door.ledger.list({})[0]?.state).toBe('done');
  });

  it('never turns a secret into a direct message', async () => {
    const s = await scene();
    const card = await asked(s, 'portout +12015550105');
    slack('users.info', lee);
    slack('chat.update', ...times(2, ok()));
    hook('/actions/2', { status: 404, body: { ok: false, error: 'expired_url' } });
    // The secret, the word that it cannot be shown, and the asker's.
    slack('chat.postEphemeral', ...times(2, no('user_not_in_channel')), ok());
    slack('conversations.open', ok({ channel: { id: 'D000LEAD' } }));
    slack('chat.postMessage', posted('D000LEAD', TS));
    slack('chat.getPermalink', LINK);
    await confirm(s, card);
    await s.settled();
    const tried = of('response_url')[0];
    const pin = /"text":"(\d{6})"/.exec(text(tried))?.[1] ?? 'none';
    expect(pin).toMatch(/^\d{6}$/);
    expect(sent.filter((one) => text(one).includes(pin)).map(({ method }) => method)).toEqual([
      'response_url',
      'chat.postEphemeral',
    ]);
    expect(text(of('chat.postMessage')[0])).toContain('could not show it to you alone');
    expect(await s.requests('portout')).toHaveLength(1);
    expect(s.state()).toBe('done');
  });
});

describe('a form that does not open', () => {
  it.each(['expired_trigger_id', 'exchanged_trigger_id', 'internal_error'])(
    'keeps what was typed, one click away: %s',
    async (error) => {
      const s = await scene();
      knowsAna();
      slack('views.open', no(error));
      hook('/commands/1', ok());
      expect(await s.command(`${REACTIVATE} form`)).toBe('');
      await s.settled();
      expect(story()).toEqual(['views.open', 'response_url']);
      expect(of('views.open')[0]?.args.trigger_id).toBe('trigger-1');
      const [told] = of('response_url');
      expect(told?.args.response_type).toBe('ephemeral');
      expect(text(told)).toContain('The form could not be opened. What you typed is kept:');
      const value = buttonOf(told, 'sb_form');
      // The button carries a handle, not what was typed.
      expect(value).not.toContain(REACTIVATED);

      sent.length = 0;
      slack('views.open', no(error), ok({ view: { id: 'V1' } }));
      hook('/actions/2', ok());
      await s.click({ user: U_AGENT, ts: '1700000009.000100', actionId: 'sb_form', value });
      await s.settled();
      expect(story()).toEqual(['views.open', 'response_url']);
      expect(text(of('response_url')[0])).toContain('Press the button once more');
      await s.click({ user: U_AGENT, ts: '1700000009.000100', actionId: 'sb_form', value });
      await s.settled();
      const view = JSON.stringify(of('views.open').at(-1)?.args.view);
      expect(of('views.open').at(-1)?.args.trigger_id).toBe('trigger-3');
      expect(view).toContain(REACTIVATED);
      expect(view).toContain(ACCOUNT);
      expect(await s.number(REACTIVATED)).toMatchObject(GONE);
      expect(await s.requests()).toEqual([]);
      expect(s.door.ledger.list({})).toEqual([]);
    },
  );

  it('is not tried again after a cut connection: a trigger is good for one use', async () => {
    const s = await scene();
    knowsAna();
    slack('views.open', { cut: 'socket hang up' });
    hook('/commands/1', ok());
    await s.command('reactivate');
    await s.settled();
    expect(story()).toEqual(['views.open', 'response_url']);
    expect(text(of('response_url')[0])).toContain('PhoneNumber is missing, and the form could not be opened');
    expect(await s.requests()).toEqual([]);
  });
});

describe('roles that Slack does not tell', () => {
  const TEAM_IS = ok({ team_id: TEAM, user_id: 'U000BOT' });

  it.each(['ratelimited', 'missing_scope', 'fatal_error'])(
    'are no roles: user groups answer %s; asked again ten seconds later',
    async (error) => {
      const s = await scene();
      slack('auth.test', TEAM_IS);
      slack('users.info', ana);
      slack('usergroups.users.list', ...times(2, no(error)));
      hook('/commands/1', ok());
      await s.command(CANCEL);
      await s.settled();
      expect(of('usergroups.users.list').map(({ args }) => args.usergroup)).toEqual([S_APPROVERS, S_OPERATORS]);
      expect(story()).toEqual(['response_url']);
      expect(text(of('response_url')[0])).toContain('Nothing was done.');
      expect(text(of('response_url')[0])).toContain('your role cannot be checked');
      // Not at every click.
      hook('/commands/2', ok());
      await s.command(CANCEL);
      await s.settled();
      expect(of('usergroups.users.list')).toHaveLength(2);
      expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
      expect(await s.requests()).toEqual([]);
      expect(s.door.ledger.list({})).toEqual([]);

      s.clock.skip(10_000);
      slack('usergroups.users.list', APPROVERS, OPERATORS);
      slack('chat.postMessage', posted(C_SUPPORT, TS));
      slack('chat.getPermalink', LINK);
      hook('/commands/3', ok());
      await s.command(CANCEL);
      await s.settled();
      expect(s.state()).toBe('pending');
    },
  );

  it('are asked for twice at most where Slack limits the rate', async () => {
    const s = await scene();
    const limited: Answer = { status: 429, body: { ok: false, error: 'ratelimited' }, headers: { 'retry-after': '1' } };
    slack('auth.test', TEAM_IS);
    slack('users.info', ana);
    slack('usergroups.users.list', ...times(4, limited));
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.pass(1_000);
    await s.pass(1_000);
    await s.settled();
    expect(s.waits(1_000)).toBe(2);
    expect(text(of('response_url')[0])).toContain('Nothing was done.');
    expect(await s.requests()).toEqual([]);
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
  });

  it('confirm nothing: the approver of three minutes ago is asked about again', async () => {
    const s = await scene();
    const card = await asked(s, CANCEL);
    s.clock.skip(181_000);
    slack('users.info', lee);
    slack('usergroups.users.list', no('missing_scope'), OPERATORS);
    hook('/actions/2', ok());
    await confirm(s, card);
    await s.settled();
    expect(story()).toEqual(['response_url']);
    expect(text(of('response_url')[0])).toContain('needs the role approver; you have operator. Nothing was done.');
    expect(s.state()).toBe('pending');
    expect(await s.requests(SUBMIT)).toEqual([]);
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);

    s.clock.skip(10_000);
    slack('usergroups.users.list', APPROVERS);
    slack('chat.update', ...times(2, ok()));
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', ok());
    await confirm(s, card);
    await s.settled();
    expect(await s.number(CANCELLED)).toMatchObject(GONE);
    expect(await s.requests(SUBMIT)).toHaveLength(1);
  });

  it.each(['ratelimited', 'fatal_error'])('are none where Slack does not say who we are: %s', async (error) => {
    const s = await scene({ SLACK_VIEWERS: ['*'], SLACK_OPERATORS: [U_AGENT] });
    slack('auth.test', no(error));
    slack('users.info', ana);
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    expect(story()).toEqual(['response_url']);
    expect(text(of('response_url')[0])).toContain(
      'your role cannot be checked. Nothing was done. Try again in a minute',
    );
    expect(await s.requests()).toEqual([]);
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
  });

  it.each(['ratelimited', 'missing_scope'])(
    'come from our own user groups, not from users.info: a member goes on without a name: %s',
    async (error) => {
      const s = await scene();
      slack('auth.test', TEAM_IS);
      slack('users.info', no(error));
      slack('usergroups.users.list', APPROVERS, OPERATORS);
      slack('chat.postMessage', posted(C_SUPPORT, TS));
      slack('chat.getPermalink', LINK);
      hook('/commands/1', ok());
      await s.command(CANCEL);
      await s.settled();
      expect(of('users.info')).toHaveLength(1);
      expect(s.door.ledger.list({})[0]).toMatchObject({ actorName: `@${U_AGENT}` });
      expect(await s.requests(SUBMIT)).toEqual([]);
    },
  );

  it.each([
    [
      'of another organisation, whatever the request says',
      { team_id: 'T0OTHER', enterprise_user: { enterprise_id: 'E0THEM' } },
    ],
    ['of another organisation in a shared channel', { team_id: TEAM, is_stranger: true }],
    ['of another workspace, where there is no organisation', { team_id: 'T0OTHER' }],
  ])('are none for somebody %s', async (_name, user) => {
    const s = await scene({ SLACK_VIEWERS: ['*'] });
    slack(
      'auth.test',
      ok({ team_id: TEAM, user_id: 'U000BOT', ...('enterprise_user' in user ? { enterprise_id: 'E0US' } : {}) }),
    );
    slack('users.info', ok({ user: { id: U_OTHER, name: 'stranger', ...user } }));
    hook('/commands/1', ok());
    await s.command('inventory', { user: U_OTHER });
    await s.settled();
    expect(text(of('response_url')[0])).toContain('belongs to another workspace');
    expect(await s.requests()).toEqual([]);
  });

  it('are the usual ones for somebody of another workspace of our own organisation', async () => {
    const s = await scene({ SLACK_VIEWERS: ['*'] });
    slack('auth.test', ok({ team_id: TEAM, user_id: 'U000BOT', enterprise_id: 'E0US' }));
    slack('users.info', ok({ user: { id: U_OTHER, team_id: 'T0SISTER', enterprise_user: { enterprise_id: 'E0US' } } }));
    always('usergroups.users.list', ok({ users: [] }));
    hook('/commands/1', ok());
    await s.command('inventory', { user: U_OTHER });
    await s.settled();
    expect(await s.requests()).toHaveLength(1);
  });

  it.each(['ratelimited', 'missing_scope'])(
    'are none for somebody whose request is signed for another workspace: users.info answers %s',
    async (error) => {
      const s = await scene({ SLACK_VIEWERS: ['*'] });
      slack('auth.test', TEAM_IS);
      slack('users.info', no(error));
      hook('/commands/1', ok());
      await s.command('inventory', { user: U_OTHER, team: 'T999OTHER' });
      await s.settled();
      expect(text(of('response_url')[0])).toContain('belongs to another workspace');
      expect(await s.requests()).toEqual([]);
    },
  );

  it('are none under `*` where nobody says which workspace the person is of', async () => {
    const s = await scene({ SLACK_VIEWERS: ['*'] });
    slack('auth.test', TEAM_IS);
    slack('users.info', no('ratelimited'));
    always('usergroups.users.list', ok({ users: [] }));
    hook('/commands/1', ok());
    await s.command('inventory', { user: U_OTHER });
    await s.settled();
    expect(await s.requests()).toEqual([]);
  });
});

describe('what may have been posted', () => {
  const DOUBTS: [string, Answer][] = [
    ['500', { status: 500, body: { ok: false, error: 'internal_error' } }],
    ['503', { status: 503, body: 'upstream connect error' }],
    ['a cut connection', { cut: 'socket hang up' }],
  ];

  it.each(DOUBTS)('is not posted there a second time; the next channel has it for sure: %s', async (_name, doubt) => {
    const s = await scene();
    knowsAna();
    slack('chat.postMessage', doubt, posted(C_APPROVALS, TS));
    slack('chat.getPermalink', LINK);
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    await s.polled();
    expect(story()).toEqual([
      `chat.postMessage ${C_SUPPORT}`,
      `chat.postMessage ${C_APPROVALS}`,
      `chat.getPermalink ${C_APPROVALS}`,
      'response_url',
    ]);
    expect(s.waits(250)).toBe(0);
    expect(text(of('response_url')[0])).toContain(`The card is in <#${C_APPROVALS}>`);
    expect(s.state()).toBe('pending');
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);

    // A card that did arrive although no answer came decides nothing; the one that is known does.
    const [lost, known] = of('chat.postMessage');
    sent.length = 0;
    slack('users.info', lee);
    hook('/actions/2', ok());
    await confirm(s, lost, { ts: '1700000000.000001' });
    await s.settled();
    expect(text(of('response_url')[0])).toContain('does not belong to this card. Nothing was done');
    expect(await s.requests(SUBMIT)).toEqual([]);
    slack('chat.update', ...times(2, ok()));
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', ok());
    await confirm(s, known, { channel: C_APPROVALS });
    await s.settled();
    expect(await s.number(CANCELLED)).toMatchObject(GONE);
    expect(await s.requests(SUBMIT)).toHaveLength(1);
  });

  it('is not posted there a second time when no answer comes in four seconds', async () => {
    const s = await scene();
    const given: { ms: number; end(): void }[] = [];
    knowsAna();
    slack('chat.postMessage', { hang: true }, posted(C_APPROVALS, TS));
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
    expect(story().slice(0, 2)).toEqual([`chat.postMessage ${C_SUPPORT}`, `chat.postMessage ${C_APPROVALS}`]);
    expect(of('chat.postMessage')).toHaveLength(2);
    expect(s.state()).toBe('pending');
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
  });

  it.each(DOUBTS)('is posted nowhere twice, also where no place answers: %s', async (_name, doubt) => {
    const s = await scene();
    knowsAna();
    always('chat.postMessage', doubt);
    always('conversations.open', ok({ channel: { id: D_AGENT } }));
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    await s.polled();
    await s.polled();
    const places = of('chat.postMessage').map(({ args }) => args.channel);
    expect(places).toEqual([C_SUPPORT, C_APPROVALS, D_AGENT]);
  });

  it.each(DOUBTS)('may be changed again: the same change of a card twice does no harm: %s', async (_name, doubt) => {
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

  it.each(DOUBTS)('is whispered once, then said directly: %s', async (_name, doubt) => {
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

describe('an answer that is not Slack’s', () => {
  const page = `<!DOCTYPE html><html><body>${'Sign in to the guest network. '.repeat(2_000)}</body></html>`;
  const HTML: Answer = { body: page, headers: { 'content-type': 'text/html' } };
  /** And after how many ms a call that may be repeated is: what cannot be read at all is a doubt, not a refusal. */
  const STRANGE: [string, Answer, number | undefined][] = [
    ['a page', HTML, 250],
    ['half an answer', { body: '{"ok":true,"ts":"170' }, 250],
    ['nothing', { body: '' }, 250],
    ['null', { body: 'null' }, 250],
    ['a list', { body: '[]' }, 250],
    ['a text', { body: '"ok"' }, 250],
    ['no word about it', { body: '{}' }, 250],
  ];

  it.each(STRANGE)('is no posted card: %s', async (_name, answer) => {
    const s = await scene();
    knowsAna();
    slack('chat.postMessage', answer, posted(C_APPROVALS, TS));
    slack('chat.getPermalink', LINK);
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    await s.polled();
    expect(story()).toEqual([
      `chat.postMessage ${C_SUPPORT}`,
      `chat.postMessage ${C_APPROVALS}`,
      `chat.getPermalink ${C_APPROVALS}`,
      'response_url',
    ]);
    expect(text(of('response_url')[0])).toContain(`The card is in <#${C_APPROVALS}>`);
    expect(s.state()).toBe('pending');
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
    expect(await s.requests(SUBMIT)).toEqual([]);
  });

  it('is no posted card either where it says ok and nothing about where', async () => {
    const s = await scene();
    knowsAna();
    slack('chat.postMessage', ok());
    always('chat.postMessage', posted(C_APPROVALS, TS));
    always('chat.getPermalink', LINK);
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    expect(of('chat.postMessage').map(({ args }) => args.channel)).toEqual([C_SUPPORT, C_APPROVALS]);
  });

  it.each(STRANGE)('does not end the change of a card: %s', async (_name, answer, again) => {
    const s = await scene();
    const card = await asked(s, CANCEL);
    slack('users.info', lee);
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', ok());
    slack('chat.update', ok(), answer, ok());
    await confirm(s, card);
    await s.pass(again ?? 1_000);
    await until(() => of('chat.update').length === 3, 'the next try');
    await s.settled();
    expect(text(of('chat.update').at(-1))).toContain('✅ Done');
    expect(await s.number(CANCELLED)).toMatchObject(GONE);
    expect(await s.requests(SUBMIT)).toHaveLength(1);
  });

  it.each(STRANGE)('gives nobody a role: %s', async (_name, answer, again) => {
    const s = await scene();
    slack('auth.test', ok({ team_id: TEAM, user_id: 'U000BOT' }));
    slack('users.info', ana);
    slack('usergroups.users.list', ...times(again ? 4 : 2, answer));
    hook('/commands/1', ok());
    await s.command(CANCEL);
    for (const ms of again ? [again, again] : []) await s.pass(ms);
    await s.settled();
    expect(text(of('response_url')[0])).toContain('Nothing was done.');
    expect(await s.requests()).toEqual([]);
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
  });

  it.each(STRANGE)('is no open form: %s', async (_name, answer) => {
    const s = await scene();
    knowsAna();
    slack('views.open', answer);
    hook('/commands/1', ok());
    await s.command(`${REACTIVATE} form`);
    await s.settled();
    expect(story()).toEqual(['views.open', 'response_url']);
    expect(text(of('response_url')[0])).toContain('What you typed is kept:');
    expect(await s.requests()).toEqual([]);
  });

  it('fills neither the log nor what a person reads', async () => {
    const s = await scene();
    knowsAna();
    slack('chat.postMessage', HTML, posted(C_APPROVALS, TS));
    slack('chat.getPermalink', LINK);
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    expect(sent.map((one) => text(one)).join('')).not.toContain('guest network');
    for (const line of s.logged) expect(line.length).toBeLessThan(2_000);
  });
});
