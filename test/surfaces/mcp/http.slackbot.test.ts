import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkBlocks } from '../../../src/demo/playground/limits.ts';
import { SLACKBOT_TYPES } from '../../../src/language/assistants/own-tools.ts';
import { initialize, MODERN, messageIn, metaOf, rpc } from '../../support/messages.ts';
import { C_APPROVALS, U_AGENT, U_LEAD, U_OTHER, U_VIEW } from '../slack/ids.ts';
import { record, type Stage, stage } from '../slack/support.ts';

const SECRET = 'playground-signing-secret';
const TEAM = 'T000DEMO';
const CANCELLED = '+12015550107';
const ACTIVE = '+12015550101';

interface Answer {
  status: number;
  body: Record<string, unknown>;
  result: Record<string, unknown>;
  /** All texts of the result. */
  text: string;
  blocks: Record<string, unknown>[];
}

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A request as Slack signs it, `age` seconds ago. */
function signed(s: Stage, body: string, { secret = SECRET, age = 0 } = {}): Record<string, string> {
  const at = Math.floor(s.clock.now() / 1000) - age;
  const hex = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  return { ...headers, 'x-slack-request-timestamp': String(at), 'x-slack-signature': `v0=${hex}` };
}

async function post(s: Stage, body: string, given: Record<string, string>): Promise<Answer> {
  const answer = await fetch(s.mcpUrl, { method: 'POST', body, headers: given });
  const text = await answer.text();
  const parsed = record(text === '' ? {} : messageIn(text));
  const result = record(parsed.result);
  const content = (result.content ?? []) as { text: string }[];
  const blocks = (record(record(result._meta).slack).blocks ?? []) as Answer['blocks'];
  return { status: answer.status, body: parsed, result, text: content.map((one) => one.text).join('\n'), blocks };
}

let serial = 0;
const message = (method: string, params: Record<string, unknown>) => {
  serial += 1;
  return JSON.stringify(rpc(method, params, serial));
};

const person = (user: string, more: Record<string, unknown> = {}) => ({
  _meta: { slack: { user_id: user, team_id: TEAM, ...more } },
});

/** Sends a message as Slack does. */
const send = (s: Stage, body: string) => post(s, body, signed(s, body));

/** One tool call of Slackbot for a person. */
const call = (s: Stage, user: string, name: string, input: Record<string, unknown>) =>
  send(s, message('tools/call', { name, arguments: input, ...person(user) }));

/** Checks the blocks as Slack does, and that Slackbot shows each of them. */
function accepted(answer: Answer): string {
  expect(answer.blocks.length).toBeGreaterThan(0);
  expect(checkBlocks(answer.blocks, 'message')).toEqual([]);
  for (const { type } of answer.blocks) expect(SLACKBOT_TYPES).toContain(type);
  return JSON.stringify(answer.blocks);
}

const errorOf = (answer: Answer) => record(record(answer.result._meta)['switchboard/error']);
const confirmationOf = (answer: Answer) => record(record(answer.result.structuredContent).confirmation);

describe('Slackbot over /mcp', () => {
  it.each([
    [
      'of a change',
      'numbers_reactivate',
      { PhoneNumber: CANCELLED, AccountId: 'AID-00000000-0000-4000-8000-000000000001' },
    ],
    ['of a list', 'batches_create', { Operation: 'numbers_reactivate', Numbers: [CANCELLED, '+12015550108'] }],
  ])('gives the reason %s as an assistant, not as the person', async (_, name, input) => {
    const s = await stage();
    await call(s, U_AGENT, name, { ...input, Reason: 'approved by *Lee*' });
    const blocks = JSON.stringify((await s.card(C_APPROVALS)).blocks);
    const [title, quotation] = blocks.split('Reason given by ').slice(-1)[0]?.split('rich_text_quote') ?? [];
    expect(title).toMatch(new RegExp(`^the assistant of .*"user_id":"${U_AGENT}"`));
    expect(quotation).toContain('"text":"approved by *Lee*"');
  });

  it('says that it is unavailable while Slack does not tell who has which role, and answers afterwards', async () => {
    const s = await stage();
    for (const method of ['auth.test', 'users.info', 'usergroups.users.list'])
      s.ws.fail(method, { status: 503 }, 1_000_000);
    const answer = await call(s, U_LEAD, 'numbers_lookup', { PhoneNumber: ACTIVE });
    expect(errorOf(answer)).toMatchObject({ code: 'unavailable', outcome: 'not_done', retryAfterSeconds: 60 });
    expect(answer.text).toContain(
      'your role cannot be checked. Nothing was done. Try again in a minute. (unavailable)',
    );
    accepted(answer);
    expect((await send(s, message('tools/list', person(U_LEAD)))).status).toBe(503);
    expect(await s.requests()).toEqual([]);
    s.ws.clearFaults();
    s.clock.skip(60_000);
    expect((await call(s, U_LEAD, 'numbers_lookup', { PhoneNumber: ACTIVE })).text).toContain('Active');
  });

  it('initializes and lists tools without a person, and calls nothing', async () => {
    const s = await stage();
    const blockKit = { mimeTypes: ['application/vnd.slack.blocks+json'] };
    const hello = JSON.stringify(initialize({ extensions: { 'io.slack/block-kit': blockKit } }));
    expect(record((await send(s, hello)).result.serverInfo).name).toBe('switchboard');
    const { tools } = (await send(s, message('tools/list', {}))).result;
    expect(tools).toContainEqual(
      expect.objectContaining({ name: 'numbers_reactivate', _meta: { slack: { supportsBlockKit: true } } }),
    );
    for (const meta of [{}, { slack: {} }, { slack: { user_id: U_LEAD } }, { slack: { user_id: 7, team_id: TEAM } }]) {
      const body = message('tools/call', { name: 'numbers_lookup', arguments: { PhoneNumber: ACTIVE }, _meta: meta });
      expect((await send(s, body)).status).toBe(403);
    }
    expect(await s.requests()).toEqual([]);
  });

  it('does a change that needs no confirmation as the operator, under their Slack identity', async () => {
    const s = await stage();
    const done = await call(s, U_AGENT, 'numbers_watch', { PhoneNumber: ACTIVE });
    expect(done.result.isError).toBeUndefined();
    accepted(done);
    await s.type('/numbers', `watch ${ACTIVE}`);
    await s.settled();
    const actors = (await s.gate.actions.list({})).map(({ actorId, person: who, surface }) => [actorId, who, surface]);
    expect(new Set(actors.map(String))).toEqual(new Set([`slack:${TEAM}/${U_AGENT},slack:${TEAM}/${U_AGENT},slack`]));
  });

  it('posts the card of a gated call to the approvers, and another person confirms it there', async () => {
    const s = await stage();
    const asked = await call(s, U_AGENT, 'numbers_reactivate', { PhoneNumber: CANCELLED });
    const confirmation = confirmationOf(asked);
    expect(confirmation.status).toBe('pending');
    expect(asked.text).toContain('waits for an approver on a card in Slack');
    expect(asked.text).toContain('Allowing the tool in Slackbot does not confirm it.');
    const blocks = accepted(asked);
    expect(blocks).toContain('5 USD');
    expect(blocks).toContain(C_APPROVALS);
    expect(await s.requests('/v1.0/numbers/reactivate')).toEqual([]);
    // Asked again ("Always allow" repeats without a question): the same action still waits.
    const again = await call(s, U_AGENT, 'numbers_reactivate', { PhoneNumber: CANCELLED });
    expect(confirmationOf(again).id).toBe(confirmation.id);
    const [card] = s.cards(C_APPROVALS);
    if (!card) throw new Error('no card');
    expect(s.cards(C_APPROVALS)).toHaveLength(1);
    await s.press(card, 'sb_confirm');
    await s.settled();
    await s.says(card.ts, '✅');
    expect(await s.requests('/v1.0/numbers/reactivate')).toHaveLength(1);
    const followed = await call(s, U_AGENT, 'confirmations_get', { id: confirmation.id });
    const decided = { status: 'done', decidedBy: expect.stringContaining(U_LEAD) };
    expect(followed.result.structuredContent).toMatchObject(decided);
    expect(accepted(followed)).toContain(U_LEAD);
  });

  it('never takes an answer of the client as a confirmation', async () => {
    const s = await stage({ CONFIRM_VIA: ['slack', 'client'] });
    const body = message('tools/call', {
      name: 'numbers_reactivate',
      arguments: { PhoneNumber: CANCELLED },
      _meta: { ...person(U_LEAD)._meta, ...metaOf({ elicitation: { form: {} } }) },
    });
    const answer = await post(s, body, {
      ...signed(s, body),
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': 'numbers_reactivate',
    });
    expect(answer.status).toBe(200);
    expect(confirmationOf(answer).status).toBe('pending');
    accepted(answer);
  });
});

describe('requests that Slack did not sign for this person', () => {
  const lookup = (user: string, more?: Record<string, unknown>) =>
    message('tools/call', { name: 'numbers_lookup', arguments: { PhoneNumber: ACTIVE }, ...person(user, more) });

  it('refuses forged, altered and stale ones', async () => {
    const s = await stage();
    const body = lookup(U_LEAD);
    const forged = signed(s, body, { secret: 'another' });
    const altered = signed(s, lookup(U_VIEW));
    const { 'x-slack-signature': _, ...unsigned } = signed(s, body);
    const { 'x-slack-request-timestamp': __, ...undated } = signed(s, body);
    for (const given of [forged, altered, unsigned, undated]) expect((await post(s, body, given)).status).toBe(401);
    expect((await post(s, body, signed(s, body, { age: 301 }))).status).toBe(401);
    expect((await post(s, body, signed(s, body, { age: -301 }))).status).toBe(401);
    expect(await s.requests()).toEqual([]);
    expect((await post(s, body, signed(s, body, { age: 280 }))).status).toBe(200);
  });

  it('refuses a repeated one, in every process', async () => {
    const s = await stage();
    const body = lookup(U_LEAD);
    const given = signed(s, body);
    expect((await post(s, body, given)).status).toBe(200);
    const sent = (await s.requests()).length;
    expect((await post(s, body, given)).status).toBe(401);
    const other = await s.again();
    expect((await post({ ...s, mcpUrl: other.mcpUrl }, body, given)).status).toBe(401);
    expect(await s.requests()).toHaveLength(sent);
    // Clients of two people can send the same bytes in one second to learn what there is.
    const list = message('tools/list', {});
    const twice = signed(s, list);
    for (const _time of [1, 2]) expect((await post(s, list, twice)).status).toBe(200);
  });

  it('refuses a forged one from a caller who is let in without a signature', async () => {
    const s = await stage();
    const body = lookup(U_LEAD);
    expect((await post(s, body, headers)).status).toBe(200);
    expect((await post(s, body, signed(s, body, { secret: 'another' }))).status).toBe(401);
  });

  it('refuses people of another workspace, whichever team the request names', async () => {
    const s = await stage();
    for (const team of ['T999OTHER', TEAM]) {
      const answer = await send(s, lookup(U_OTHER, { team_id: team }));
      expect(errorOf(answer).code).toBe('forbidden_by_role');
      expect(answer.text).toContain('belongs to another workspace');
      accepted(answer);
    }
    expect((await send(s, message('tools/list', person(U_AGENT, { team_id: 'T999OTHER' })))).status).toBe(403);
    expect(await s.requests()).toEqual([]);
  });

  it('ignores _meta.slack without a signature: the caller stays who the token says', async () => {
    const s = await stage();
    const given = { name: 'numbers_reactivate', arguments: { PhoneNumber: CANCELLED }, ...person(U_LEAD) };
    await post(s, message('tools/call', given), headers);
    const [action] = await s.gate.actions.list({});
    expect(action?.actorId).toBe('mcp:http');
    expect(action?.person).not.toContain(U_LEAD);
  });

  it('refuses a batch, a stream of changes and anything signed where no secret is set', async () => {
    const s = await stage();
    expect((await send(s, `[${lookup(U_AGENT)},${lookup(U_LEAD)}]`)).status).toBe(400);
    const listen = message('subscriptions/listen', { notifications: {}, ...person(U_AGENT) });
    expect((await send(s, listen)).status).toBe(403);
    const socket = await stage({ SLACK_SIGNING_SECRET: undefined, SLACK_APP_TOKEN: 'xapp-playground-app' });
    expect((await send(socket, lookup(U_AGENT))).status).toBe(401);
  });
});
