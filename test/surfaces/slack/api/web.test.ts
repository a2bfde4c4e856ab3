import nock from 'nock';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { C_SUPPORT, U_LEAD } from '../ids.ts';
import { stage, until } from '../support.ts';

/* What the scripted workspace cannot show: Slack's own address, and answers that are not Slack's. */

const TOKEN = 'xoxb-playground-bot';
const CUT = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** The next request for a method: to Slack's own address, with the token in its header and never in its body. */
const slack = (method: string, look: (body: Record<string, string>) => void = () => undefined) =>
  nock('https://slack.com', { reqheaders: { authorization: `Bearer ${TOKEN}` } }).post(`/api/${method}`, (body) => {
    look(body);
    return !JSON.stringify(body).includes(TOKEN);
  });

const open = () => stage({ SLACK_BOT_TOKEN: TOKEN, SLACK_API_URL: undefined, SLACK_APPROVALS_CHANNEL: C_SUPPORT });

beforeAll(() => {
  // Another file in this process may have given the network back.
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
  nock.enableNetConnect(/^127\.0\.0\.1(:|$)/);
});
afterEach(() => {
  const missing = nock.pendingMocks();
  nock.cleanAll();
  expect(missing, 'requests that never came').toEqual([]);
});
afterAll(() => {
  nock.enableNetConnect();
  nock.restore();
});

it.each([
  ['a long rate limit', /ratelimited/, 1, () => slack('auth.test').reply(429, '', { 'retry-after': '30' })],
  ['the page of a proxy', /network/, 2, () => slack('auth.test').reply(200, '<html>Sign in</html>')],
  ['the page of a proxy that fails', /network/, 2, () => slack('auth.test').reply(502, '<html>Bad gateway</html>')],
  ['a cut connection', /network/, 2, () => slack('auth.test').replyWithError(CUT)],
])('is not ready after %s', async (_what, reason, attempts, answer) => {
  const s = await open();
  for (let attempt = 0; attempt < attempts; attempt += 1) answer();
  await expect(s.slack.health()).rejects.toThrow(reason);
});

it('waits as long as a rate limit says, and does not repeat a message that may be there', async () => {
  const s = await open();
  /** Lets the time pass in steps, until all requests came that are scripted. */
  const arrived = () => until(() => nock.isDone() || s.clock.skip(100), 'the requests');
  slack('auth.test').reply(200, { ok: true, team_id: 'T000DEMO', user_id: 'U000BOT' });
  slack('users.info').reply(200, { ok: true, user: { id: U_LEAD, team_id: 'T000DEMO', name: 'lee' } });
  slack('usergroups.users.list').reply(200, { ok: true, users: [U_LEAD] });
  slack('chat.postMessage').reply(429, '', { 'retry-after': '7' });
  await s.type('/numbers', 'cancel +12015550103', U_LEAD);
  await until(() => nock.isDone(), 'the first attempt');
  const limited = s.clock.now();
  let metadata: unknown;
  slack('chat.postMessage', (body) => {
    metadata = JSON.parse(body.metadata ?? '');
  }).replyWithError(CUT);
  await arrived();
  expect(s.clock.now() - limited).toBeGreaterThan(6_900);
  // The message is there. It is found by its mark and updated.
  slack('conversations.history').reply(200, () => ({ ok: true, messages: [{ ts: '1700000001.000100', metadata }] }));
  slack('chat.update', ({ ts }) => expect(ts).toBe('1700000001.000100')).reply(200, { ok: true });
  await arrived();
  await s.quiet();
  expect(s.logged.join()).not.toContain('No match for request');
});
