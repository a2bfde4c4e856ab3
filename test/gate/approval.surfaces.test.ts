import { describe, expect, it } from 'vitest';
import { reasonText } from '../../src/gate/approval.ts';
import { TYPED_SECRET } from '../../src/lib/hide.ts';
import { accepts, asks, followed } from '../support/asking.ts';
import { look, press } from '../support/page.ts';
import { REACTIVATE, REACTIVATE_PATH, seeded, TSUID } from '../support/seed.ts';
import { call, face, openWorld, texts, value, type World } from '../support/world.ts';

/*
 * Who may confirm through an MCP client and the page. The full table is in approval.test.ts; the people of Slack are in
 * surfaces/slack/people/roles.test.ts, and the terminal in the tests of its own room.
 */

const TOKENS = 'ana:approver:token-of-ana,lee:approver:token-of-lee,opa:operator:token-of-opa';
const SLACK = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'signing-secret', SLACK_APPROVERS: 'U000LEAD' };

/** A client whose user, or the assistant itself, answers every question with yes. */
async function accepting(world: World, token?: string) {
  const asked: string[] = [];
  const client = await world.client({
    ...(token === undefined ? {} : { token }),
    person: ({ params }) => {
      asked.push(params.message);
      return accepts();
    },
  });
  return { client, asked };
}

describe('an MCP client that answers its own question with yes', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['an operator’s token', { MCP_HTTP_TOKENS: TOKENS }, 'token-of-opa'],
    ['a caller on loopback without a token', {}, undefined],
    ['an approver, where only the page decides', { MCP_HTTP_TOKENS: TOKENS, CONFIRM_VIA: 'page' }, 'token-of-ana'],
    ['an approver, where Slack is configured', { MCP_HTTP_TOKENS: TOKENS, ...SLACK }, 'token-of-ana'],
  ])('is not asked, and nothing is sent: %s', async (_name, env, token) => {
    const world = await openWorld(env);
    const { client, asked } = await accepting(world, token);
    const confirmation = await asks(client, 'numbers_reactivate', REACTIVATE);
    expect([confirmation.status, asked]).toEqual(['pending', []]);
    // The page's address is given only where the page may be used.
    const pageAllowed = env.CONFIRM_VIA === undefined ? env.SLACK_BOT_TOKEN === undefined : env.CONFIRM_VIA === 'page';
    expect('url' in confirmation).toBe(pageAllowed);
    expect(await world.sent(REACTIVATE_PATH)).toEqual([]);
  });

  it('confirms for an approver where clients decide, and is on record as its user', async () => {
    const world = await openWorld({ MCP_HTTP_TOKENS: TOKENS, CONFIRM_VIA: 'client' });
    const { client, asked } = await accepting(world, 'token-of-ana');
    expect(value(await call(client, 'numbers_reactivate', REACTIVATE)).Successful).toBe(true);
    expect(asked).toHaveLength(1);
    expect(await world.sent(REACTIVATE_PATH)).toHaveLength(1);
    const { ledger } = world.runtime;
    const [action] = await ledger.list({ states: ['done'] });
    const user = 'token:ana (the user of test)';
    expect(await followed(client, action?.id ?? '')).toMatchObject({ status: 'done', decidedBy: user });
    const lines = (await ledger.audit()).filter(({ action: id }) => id === action?.id);
    expect(lines.map(({ what, requester, decider, way }) => [what, requester, decider, way]).reverse()).toEqual([
      ['asked', 'token:ana', null, null],
      ...['confirmed', 'sent', 'done'].map((what) => [what, 'token:ana', user, 'client']),
    ]);
    const { Actions } = value(await call(client, 'events_since', { Since: '1h', Only: 'actions' }));
    expect(Actions).toMatchObject([{ AskedBy: 'token:ana (ana)', DecidedBy: user, DecidedVia: 'client' }]);
  });

  it('is refused at once where nobody could confirm, before anything is prepared', async () => {
    const ways = { CONFIRM_VIA: 'client,terminal', CONFIRM_TWO_PERSON: 'true' };
    const world = await openWorld({ MCP_HTTP_TOKENS: TOKENS, ...ways });
    const { client, asked } = await accepting(world, 'token-of-ana');
    const error = face(await call(client, 'numbers_cancel', { PhoneNumbers: [seeded(3)] }));
    expect(error).toMatchObject({ code: 'forbidden_by_role', outcome: 'not_done' });
    for (const words of ['CONFIRM_TWO_PERSON', 'SLACK_APPROVERS', 'MCP_HTTP_TOKENS'])
      expect(error.message).toContain(words);
    expect(asked).toEqual([]);
    expect(await world.runtime.gate.actions.list({})).toEqual([]);
    expect(await world.sent('/v1.0/numbers/cancel-order-request')).toEqual([]);
  });
});

it('two persons are not the requester and a browser on the requester’s computer', async () => {
  const world = await openWorld({ ...SLACK, CONFIRM_VIA: 'slack,page', CONFIRM_TWO_PERSON: 'true' });
  const { url } = await asks(await world.client(), 'numbers_reactivate', REACTIVATE);
  const answer = await press(url, 'confirm');
  expect([answer.status, answer.html]).toEqual([403, expect.stringContaining('CONFIRM_TWO_PERSON')]);
  expect(await world.sent(REACTIVATE_PATH)).toEqual([]);
  // Taking back is no confirmation.
  expect((await press(url, 'decline')).html).toContain('Declined. Nothing was done.');
});

/* A reason is kept for ever in the audit trail, so a secret that somebody types into one is removed before it is kept. */

it.each([
  [
    'customer wants pin 918273, password: Hunter2Secret!',
    `customer wants pin ${TYPED_SECRET}, password: ${TYPED_SECRET}`,
  ],
  ['la clave es girasol', `la clave es ${TYPED_SECRET}`],
  // The length is that of what is kept, so that no half of a secret is left.
  [`${'x'.repeat(494)} pin 918273`, `${'x'.repeat(494)} pin [`],
  ['customer lost the phone', 'customer lost the phone'],
])('a reason is kept without the secrets in it: %s', (given, kept) => expect(reasonText(given)).toBe(kept));

it('a secret in a reason is nowhere in what is shown, kept and chained', async () => {
  const world = await openWorld({ MCP_TOOLSETS: 'all' });
  const client = await world.client();
  const stored = world.runtime.store.database('ledger');
  const asked = await call(client, 'numbers_portout', {
    PortOutNumber: seeded(5),
    PortOutPIN: '918273',
    Reason: 'customer wants pin 918273, password: Hunter2Secret!',
  });
  const { id, url } = value(asked).confirmation;
  const updated = await call(client, 'subscribers_update', {
    SubscriberId: TSUID,
    Password: 'Sup3rS3cretPw!9',
    Reason: 'the password is Sup3rS3cretPw!9',
  });
  await press(url, 'decline', { reason: 'her PIN is 4711' });
  const since = await call(client, 'events_since', { Since: '1h' });
  const shown = [
    ...[asked, updated, since, await call(client, 'confirmations_get', { id })].map((one) =>
      JSON.stringify([one, texts(one)]),
    ),
    (await look(url)).html,
    JSON.stringify(await stored.all('SELECT * FROM actions')),
    JSON.stringify(await stored.all('SELECT * FROM audit')),
  ];
  for (const text of shown) expect(text).not.toMatch(/918273|Hunter2|Sup3rS3cret|\b4711\b/);
  expect(shown.filter((text) => text.includes(TYPED_SECRET)).length).toBeGreaterThan(5);
});
