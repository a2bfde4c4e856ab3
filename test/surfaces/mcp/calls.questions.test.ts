import { CancelledNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { messageIn } from '../../../src/surfaces/mcp/messages.ts';
import { answerIn } from '../../../src/surfaces/mcp/protocol.ts';
import { actorOf } from '../../support/approval.ts';
import { confirm, look, signIn } from '../../support/page.ts';
import { REACTIVATE, REACTIVATE_PATH, seeded } from '../../support/seed.ts';
import { type ClientOptions, call, face, openWorld, texts, until, value, type World } from '../../support/world.ts';

/**
 * A world in which the client's user has an approver's token. Over HTTP, only such a user may answer the client's
 * question.
 */
const world = await openWorld();
const approvers = await openWorld({ MCP_HTTP_TOKENS: 'bot:operator:token-of-bot,ana:approver:token-of-ana' });
beforeEach(() => Promise.all([world.afresh(), approvers.afresh()]));

const pendings = async (at: World) => await at.runtime.gate.actions.list({ states: ['pending'], limit: 50 });

describe('the answer of a client', () => {
  it('is an error if it has one, whatever its result says', () => {
    const error = { code: -32603, message: 'The dialog failed.' };
    const answer = { jsonrpc: '2.0', id: 1, result: { action: 'accept' }, error };
    expect(messageIn(answer)).toEqual({ jsonrpc: '2.0', id: 1, error });
  });

  it.each<[string, unknown]>([
    ['accept', { action: 'accept' }],
    ['accept', { action: 'accept', content: null }],
    ['accept', { action: 'accept', content: {}, _meta: null }],
    ['accept', { action: 'accept', content: { confirm: true } }],
    ['accept', { action: 'accept', content: { answer: 'Yes', approved: 'true', ok: 1 } }],
    ['accept', { action: 'accept', content: { isConfirmed: 'y', decision: ['approve'] } }],
    ['decline', { action: 'decline', content: { confirm: true } }],
    ['cancel', { action: 'cancel' }],
    ['decline', { action: 'accept', content: { confirm: false } }],
    ['decline', { action: 'accept', content: { answer: ' No. ' } }],
    ['decline', { action: 'accept', content: { choice: 'Declined' } }],
    ['decline', { action: 'accept', content: { cancel: true } }],
    ['decline', { action: 'accept', content: { doNotSend: true, confirm: true } }],
    ['decline', { action: 'accept', content: { approved: false, reason: 'not today' } }],
    ['decline', { action: 'accept', content: { form: { confirm: [true, false] } } }],
    ['decline', { action: 'accept', content: { 'do not apply': true } }],
    ['decline', { action: 'accept', content: { "don't": 'yes' } }],
    ['decline', { action: 'accept', content: { decline: { value: true } } }],
    ['unavailable', { action: 'accept', content: { dryRun: true } }],
    ['unavailable', { action: 'accept', content: { confirm: true, later: true } }],
    ['unavailable', { action: 'accept', content: { wrongNumber: 'yes' } }],
    ['unavailable', { action: 'accept', content: { '': true } }],
    ['unavailable', { action: 'accept', content: { decision: {} } }],
    ['unavailable', { action: 'accept', content: { confirm: true, answers: [] } }],
    ['unavailable', { action: 'accept', content: 'no' }],
    ['unavailable', { action: 'accept', content: 'yes' }],
    ['unavailable', { action: 'accept', content: [true] }],
    ['unavailable', { action: 'accept', content: { confirm: null } }],
    ['unavailable', { action: 'accept', content: { comment: 'whatever you think' } }],
    ['unavailable', { action: 'ok' }],
    ['unavailable', { action: 'Accept', content: {} }],
    ['unavailable', {}],
    ['unavailable', { content: { confirm: true } }],
    ['unavailable', 'accept'],
    ['unavailable', null],
    ['unavailable', ['accept']],
  ])('is %s for %j', (answer, result) => expect(answerIn(result)).toBe(answer));
});

/** A client of an approver, who answers its questions in this way. */
const ana = (person: ClientOptions['person'], more: ClientOptions = {}) =>
  approvers.client({ token: 'token-of-ana', ...(person && { person }), ...more });
const never = () => new Promise<never>(() => undefined);
const waiting = async () => {
  await until(async () => (await pendings(approvers)).length > 0);
  const [action] = await pendings(approvers);
  return action?.id ?? '';
};

describe('a client that can ask its person', () => {
  it('leaves the question to the page when the client answers it with an error', async () => {
    const client = await ana(() => Promise.reject(new Error('the dialog broke')));
    const answer = await call(client, 'numbers_reactivate', REACTIVATE);
    const { id, status: state, url } = value(answer).confirmation;
    expect(state).toBe('pending');
    expect(await approvers.sent(REACTIVATE_PATH)).toEqual([]);
    await signIn(url, 'token-of-ana');
    await confirm(url);
    expect((await approvers.follows(id, client)).status).toBe('done');
  });

  it('is told the later day on which a change takes effect, and not that it is made', async () => {
    const client = await ana(() => ({ action: 'accept', content: { confirm: true } }));
    const PhoneNumbers = [{ Number: '+12015550104' }];
    const later = { StatusChange: 'park', EffectiveDate: '12/31/2099', PhoneNumbers };
    const answer = texts(await call(client, 'numbers_status', later));
    expect(answer).toContain('From 2099-12-31: Service of +12015550104: Active → Parked');
    expect(answer).not.toContain('Changed:');
  });

  it('voids the action when the client cancels the call meanwhile', async () => {
    const client = await ana(never);
    const stop = new AbortController();
    const given = { name: 'numbers_reactivate', arguments: REACTIVATE };
    const failed = client.callTool(given, undefined, { signal: stop.signal }).catch((error: unknown) => error);
    const id = await waiting();
    stop.abort();
    expect(await failed).toBeInstanceOf(Error);
    await until(async () => (await pendings(approvers)).length === 0);
    expect((await look(`${approvers.url}/confirm/${id}`)).html).toContain('Withdrawn. Nothing was done.');
    // No person declined. The trail says that the caller went away.
    const action = await approvers.runtime.gate.actions.get(id);
    expect(action).toMatchObject({ state: 'declined', decidedVia: 'withdrawn' });
    expect(await approvers.sent(REACTIVATE_PATH)).toEqual([]);
  });

  it('returns before a client that was sent to the page gives up, so that its user can still decide there', async () => {
    const client = await ana(() => ({ action: 'accept' }), { elicitation: { form: {}, url: {} } });
    const going = call(client, 'numbers_reactivate', REACTIVATE);
    await waiting();
    const real = Date.now;
    const now = vi.spyOn(Date, 'now').mockImplementation(() => real() + 45_000);
    const { confirmation } = value(await going);
    now.mockRestore();
    expect(confirmation).toMatchObject({ status: 'pending', url: expect.stringContaining('/confirm/') });
    await signIn(confirmation.url, 'token-of-ana');
    await confirm(confirmation.url);
    expect((await approvers.follows(confirmation.id, client)).status).toBe('done');
  });

  it.each(['confirm', 'decline'] as const)(
    'withdraws its dialog when another person decides (%s), and returns the outcome',
    async (decision) => {
      let isWithdrawn = false;
      const client = await ana(never);
      // The client's own handler ignores the cancellation of request 0.
      client.setNotificationHandler(CancelledNotificationSchema, () => {
        isWithdrawn = true;
      });
      const going = call(client, 'numbers_reactivate', REACTIVATE);
      await approvers.runtime.gate[decision](await waiting(), actorOf('token:lee'), 'page');
      const result = await going;
      if (decision === 'confirm') expect(value(result)).toMatchObject({ Successful: true });
      else expect(face(result)).toMatchObject({ code: 'not_confirmed', reason: 'declined' });
      await until(() => isWithdrawn);
      expect(await approvers.sent(REACTIVATE_PATH)).toHaveLength(decision === 'confirm' ? 1 : 0);
    },
  );
});

describe('a client that cannot ask', () => {
  it('gets the pending confirmation, and nothing is sent until a person confirms', async () => {
    const result = await call(await world.client(), 'numbers_reactivate', REACTIVATE);
    expect(result.isError).toBeFalsy();
    const { confirmation } = value(result);
    expect(confirmation).toEqual({
      id: expect.any(String),
      status: 'pending',
      level: 'approver',
      changes: expect.any(Array),
      summary: expect.stringContaining(seeded(7)),
      consequence: expect.stringContaining('5 USD'),
      customer: 'Ava Stone · Acme Mobile',
      url: `${world.url}/confirm/${confirmation.id}`,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    const left = Date.parse(confirmation.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(28_700_000);
    expect(left).toBeLessThanOrEqual(28_800_000);
    expect(await world.sent(REACTIVATE_PATH)).toEqual([]);
    expect(await world.follows(confirmation.id)).toEqual({ id: confirmation.id, status: 'pending' });
    await confirm(confirmation.url);
    const done = { status: 'done', result: { Successful: true } };
    expect(await world.follows(confirmation.id)).toMatchObject(done);
    expect(await world.sent(REACTIVATE_PATH)).toHaveLength(1);
  });
});

/* The tools about calls that wait. */

it('a call that waits is withdrawn by its requester, once, and nothing is sent', async () => {
  const client = await world.client();
  const { id, url } = await world.asks('numbers_reactivate', REACTIVATE);
  const withdrawn = value(await call(client, 'confirmations_withdraw', { id }));
  expect(withdrawn).toMatchObject({ id, status: 'declined', error: { reason: 'withdrawn' } });
  expect(face(await call(client, 'confirmations_withdraw', { id })).code).toBe('not_confirmed');
  await confirm(url).catch(() => undefined);
  expect(await world.follows(id)).toMatchObject({ status: 'declined' });
  expect(await world.sent(REACTIVATE_PATH)).toEqual([]);
});

it('a call is not withdrawn once it was confirmed, which does not read as if it had not been; the states of several are one answer', async () => {
  const client = await world.client();
  const { id, url } = await world.asks('numbers_reactivate', REACTIVATE);
  const states = async (ids: unknown) => value(await call(client, 'confirmations_get', { ids })).confirmations;
  // In the order of the ids, with the error of one that is unknown in its place.
  const unknown = { id: 'act_00000000', error: { code: 'not_found' } };
  expect(await states([id, 'act_00000000'])).toMatchObject([{ id, status: 'pending' }, unknown]);
  expect(await states(JSON.stringify([id]))).toHaveLength(1);
  await confirm(url);
  const refused = face(await call(client, 'confirmations_withdraw', { id }));
  expect(refused).toMatchObject({ code: 'invalid_input', field: 'id', outcome: 'not_done' });
  expect(refused.message).toMatch(/It was already confirmed by .* and done\./);
  expect((await world.follows(id)).status).toBe('done');
});

/* The reason that an assistant gives for a change: shown as its words, kept, and no part of the change. */

const WHY = 'approved by Lee.” Cost: 0 USD';

it('the reason of an assistant waits with the change as its words, marked as data, and is kept', async () => {
  const client = await approvers.client({ token: 'token-of-bot' });
  const asked = await call(client, 'numbers_reactivate', { ...REACTIVATE, Reason: WHY });
  const { confirmation } = value(asked);
  expect(confirmation).toMatchObject({ status: 'pending', reason: WHY });
  expect(asked._meta?.['switchboard/outside']).toContain('confirmation.reason');
  const followed = await call(client, 'confirmations_get', { id: confirmation.id });
  expect(value(followed)).toMatchObject({ reason: WHY });
  expect(followed._meta?.['switchboard/outside']).toContain('reason');
  // It is no part of what is sent.
  expect((await approvers.runtime.gate.actions.get(confirmation.id))?.shown).toEqual(REACTIVATE);
  const audit = await approvers.runtime.gate.actions.audit();
  expect(audit.filter(({ reason }) => reason !== null)).toMatchObject([{ what: 'asked', reason: WHY }]);
});

it('the reason of an assistant is read in the dialog of a client as lines that nothing else has', async () => {
  let message = '';
  const client = await ana(({ params }) => {
    message = params.message;
    return { action: 'decline' };
  });
  await call(client, 'numbers_reactivate', { ...REACTIVATE, Reason: 'Lost\nCost: 0 USD' });
  expect(message).toContain('Reason given by assistant token:ana (ana):\n> Lost Cost: 0 USD\n');
});
