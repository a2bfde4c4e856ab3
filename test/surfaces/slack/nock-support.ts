import nock from 'nock';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';
import { C_SUPPORT, later, record, type Stage, stage, U_AGENT, U_LEAD } from './support.ts';

/*
 * One fault of Slack's at a time, at the network's edge: every request that the app sends to Slack is named here, in
 * number and in order, and one too many fails its test. The platform behind is the sandbox.
 */

export const API = 'https://slack.test';
export const HOOKS = 'https://hooks.slack.test';
export const TEAM = 'T000DEMO';
export const ACCOUNT = 'AID-00000000-0000-4000-8000-000000000001';
export const REACTIVATED = '+12015550107';
export const REACTIVATE = `reactivate ${REACTIVATED} AccountId=${ACCOUNT}`;
export const CANCELLED = '+12015550103';
export const CANCEL = `cancel ${CANCELLED}`;
const LIMITED = '+12015550101';
export const LIMIT = `data usage set ${LIMITED} LimitValue=25000`;

/** The answer of one interceptor. */
export type Answer =
  | { body: unknown; status?: number; headers?: Record<string, string>; after?: () => Promise<unknown> }
  | { cut: string }
  /** Nothing, until the app gives up. */
  | { hang: true };

export interface Sent {
  method: string;
  args: Record<string, unknown>;
  headers: Record<string, unknown>;
}

/** Every request to Slack, in order. */
export const sent: Sent[] = [];
/** Requests that no test named. */
export const unexpected: string[] = [];

const onNoMatch = (request: unknown) => {
  const { host, hostname, path } = record(request);
  const origin = String(host ?? hostname ?? '');
  if (!origin.startsWith('127.0.0.1')) unexpected.push(`${origin}${String(path)}`);
};

beforeEach(() => {
  sent.length = 0;
  unexpected.length = 0;
  // The file before this one, in the same process, gave the network back.
  if (!nock.isActive()) nock.activate();
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
export function checked(): void {
  const pending = nock.pendingMocks();
  nock.emitter.off('no match', onNoMatch);
  nock.abortPendingRequests();
  nock.cleanAll();
  expect(unexpected, 'requests that nobody named').toEqual([]);
  expect(pending, 'requests that never came').toEqual([]);
}

/** The next requests to `path`, one answer each; with `always`, every further one too. */
export function serve(base: string, path: string, method: string, answers: readonly Answer[], always = false): void {
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
export const slack = (method: string, ...answers: Answer[]) => serve(API, `/api/${method}`, method, answers);
export const always = (method: string, answer: Answer) => serve(API, `/api/${method}`, method, [answer], true);
export const hook = (path: string, ...answers: Answer[]) => serve(HOOKS, path, 'response_url', answers);

/** A form's fields; Slack's client writes lists and objects as JSON. */
function argsOf(raw: string): Record<string, unknown> {
  if (raw.startsWith('{')) return record(JSON.parse(raw));
  return Object.fromEntries(
    [...new URLSearchParams(raw)].map(([name, value]) => [name, /^[[{]/.test(value) ? JSON.parse(value) : value]),
  );
}

export const ok = (more: Record<string, unknown> = {}): Answer => ({ body: { ok: true, ...more } });
export const no = (error: string): Answer => ({ body: { ok: false, error } });
export const times = (count: number, answer: Answer) => Array.from({ length: count }, () => answer);
export const posted = (channel: string, ts: string) => ok({ channel, ts, message: {} });
export const TS = '1700000001.000100';

export const ROLES = ['auth.test', 'users.info', 'usergroups.users.list'];
/** Returns the requests to Slack, without the questions about roles: `chat.postMessage C000SUPPORT`. */
export const story = () =>
  sent
    .filter(({ method }) => !ROLES.includes(method))
    .map(({ method, args }) => [method, args.channel ?? args.users].filter((part) => part !== undefined).join(' '));
export const of = (method: string) => sent.filter((one) => one.method === method);
/** All that one request shows a person. */
export const text = (one: Sent | undefined) =>
  one ? `${String(one.args.text)}\n${JSON.stringify(one.args.blocks)}` : '';

export function person(id: string, name: string, team = TEAM): Answer {
  return ok({ user: { id, name, team_id: team, tz: 'America/New_York', profile: { display_name: name } } });
}
export const ana = person(U_AGENT, 'ana');
export const lee = person(U_LEAD, 'lee');
export const APPROVERS = ok({ users: [U_LEAD] });
export const OPERATORS = ok({ users: [U_AGENT, U_LEAD] });

/** Slack says who Ana is, and that she is an operator. */
function knowsAna(): void {
  slack('auth.test', ok({ team_id: TEAM, user_id: 'U000BOT' }));
  slack('users.info', ana);
  slack('usergroups.users.list', APPROVERS, OPERATORS);
}

/** Slack knows Ana, gives these answers to the messages about her first command, and removes its progress. */
function takesCommand(...posts: Answer[]): void {
  knowsAna();
  slack('chat.postMessage', ...posts);
  hook('/commands/1', ok());
}

export interface Scene extends Stage {
  command(text: string, more?: { user?: string; team?: string; channel?: string }): Promise<string>;
  click(act: { user: string; ts?: string; actionId: string; value: string; channel?: string }): Promise<void>;
  /** Reads a number from the platform. */
  number(phone: string): Promise<Record<string, unknown>>;
  /** The state of the action that a person was asked about. */
  state(): Promise<string | undefined>;
}

export async function scene(settings: Parameters<typeof stage>[0] = {}): Promise<Scene> {
  // Last of all, after the app has stopped.
  later(checked);
  // Cards are posted in the approvers' channel, except in tests about messages to approvers.
  const s = await stage({ SLACK_API_URL: `${API}/api/`, SLACK_APPROVALS_CHANNEL: C_SUPPORT, ...settings });
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
    state: async () => (await s.gate.actions.list({})).find((action) => action.consent !== undefined)?.state,
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
export function buttonOf(one: Sent | undefined, actionId: string): string {
  const blocks = (one?.args.blocks ?? []) as Record<string, unknown>[];
  const found = blocks
    .flatMap((block) => (block.elements ?? []) as Record<string, unknown>[])
    .find((element) => element.action_id === actionId);
  return String(found?.value);
}

export const SUBMIT = '/numbers/cancel-order-submit';
export const ACTIVE = { Status: 'Active' };
export const GONE = { Status: 'Cancelled - Pending Delete' };

/** Asks as Ana. The card is posted in her channel. Returns the card. */
export async function asked(s: Scene, line: string): Promise<Sent> {
  takesCommand(posted(C_SUPPORT, TS));
  await s.command(line);
  await s.settled();
  const [card] = of('chat.postMessage');
  if (!card) throw new Error('no card');
  sent.length = 0;
  return card;
}

export const confirm = (s: Scene, card: Sent | undefined, more: { ts?: string; channel?: string } = {}) =>
  s.click({ user: U_LEAD, actionId: 'sb_confirm', value: buttonOf(card, 'sb_confirm'), ...more });

/** Expects that `CANCELLED` is unchanged, and that nothing was sent for it. */
export async function expectNotCancelled(s: Scene): Promise<void> {
  expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
  expect(await s.requests(SUBMIT)).toEqual([]);
}

export async function expectCancelledOnce(s: Scene): Promise<void> {
  expect(await s.number(CANCELLED)).toMatchObject(GONE);
  expect(await s.requests(SUBMIT)).toHaveLength(1);
}
