import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MODERN, metaOf, rpc } from '../../support/messages.ts';
import { confirm, signIn } from '../../support/page.ts';
import { A1, REACTIVATE_PATH, seeded } from '../../support/seed.ts';
import { type Json, openWorld, postMcp, type World } from '../../support/world.ts';

/* The protocol since 2026-07-28 over HTTP, request by request. */

const REACTIVATE = { name: 'numbers_reactivate', arguments: { PhoneNumber: seeded(7), AccountId: A1 } };
const TOKENS = 'ana:approver:token-of-ana,amy:approver:token-of-amy,opa:operator:token-of-opa';
const FORM = { elicitation: { form: {} } };

const world = await openWorld({ MCP_HTTP_TOKENS: TOKENS });
const other = await openWorld({ MCP_HTTP_TOKENS: TOKENS });
beforeEach(() => world.afresh());

interface Sent {
  token?: string;
  capabilities?: object;
  at?: World;
}

function post(method: string, params: Json = {}, sent: Sent = {}): Promise<Response> {
  const { token = 'token-of-ana', capabilities = {}, at = world } = sent;
  const name = params.name ?? params.uri;
  const _meta = metaOf(capabilities);
  const own = { authorization: `Bearer ${token}`, 'mcp-protocol-version': MODERN, 'mcp-method': method };
  const message = rpc(method, { ...params, _meta });
  return postMcp(at.url, message, { ...own, ...(name === undefined ? {} : { 'mcp-name': name }) });
}

const ask = async (method: string, params: Json = {}, sent: Sent = {}): Promise<Json> =>
  (await post(method, params, sent)).json();

it('a request needs the same token as every other request', async () => {
  expect((await post('server/discover', {}, { token: 'made-up' })).status).toBe(401);
});

describe('a call that a person must confirm', () => {
  const call = (more: Json = {}, sent: Sent = {}) =>
    ask('tools/call', { ...REACTIVATE, ...more }, { capabilities: FORM, ...sent });
  const accepted = (state: string, more: Json = {}, sent: Sent = {}) =>
    call({ inputResponses: { confirm: { action: 'accept', content: {} } }, requestState: state, ...more }, sent);

  it('asks by its result, and runs once when it is repeated with the answer', async () => {
    const { result } = await call();
    expect(result).toMatchObject({
      resultType: 'input_required',
      requestState: expect.any(String),
      inputRequests: { confirm: { method: 'elicitation/create', params: { mode: 'form' } } },
    });
    expect(result.inputRequests.confirm.params.message).toMatch(/5 USD[\s\S]*Accept: /);
    expect(await world.sent(REACTIVATE_PATH)).toEqual([]);
    expect((await accepted(result.requestState)).result.structuredContent).toMatchObject({ Successful: true });
    // The call is repeated, as after a lost answer. The result is the same, and nothing is sent again.
    expect((await accepted(result.requestState)).result.structuredContent).toMatchObject({ Successful: true });
    expect(await world.sent(REACTIVATE_PATH)).toHaveLength(1);
    const [action] = await world.runtime.gate.actions.list({ limit: 1, whole: true });
    expect(action).toMatchObject({ decidedPerson: 'token:ana', decidedBy: 'the user of raw', decidedVia: 'client' });
  });

  it('shows nothing of the state, and takes none that was changed', async () => {
    const { requestState } = (await call()).result;
    const [action] = await world.runtime.gate.actions.list({ states: ['pending'], limit: 1 });
    const text = Buffer.from(requestState, 'base64url').toString('latin1');
    expect(text).not.toContain(action?.id);
    const changed = `${requestState.slice(0, 40)}${requestState[40] === 'A' ? 'B' : 'A'}${requestState.slice(41)}`;
    for (const state of ['', 'made-up', changed, requestState.slice(0, -2), `${requestState}x`, `${requestState}=`])
      expect(await accepted(state)).toMatchObject({ error: { code: -32602 } });
    expect(await world.sent(REACTIVATE_PATH)).toEqual([]);
  });

  it('takes no answer for another input, another tool, another identity or another installation', async () => {
    const { requestState } = (await call()).result;
    const elsewhere = { arguments: { ...REACTIVATE.arguments, PhoneNumber: seeded(8) } };
    const others = [
      await accepted(requestState, elsewhere),
      await accepted(requestState, { arguments: { PhoneNumber: seeded(7) } }),
      await accepted(requestState, { name: 'numbers_cancel', arguments: { PhoneNumbers: [{ Number: seeded(4) }] } }),
      await accepted(requestState, {}, { token: 'token-of-amy' }),
      await accepted(requestState, {}, { at: other }),
    ];
    for (const answer of others) expect(answer).toMatchObject({ error: { code: -32602 } });
    expect(await world.sent(REACTIVATE_PATH)).toEqual([]);
    expect(await other.sent(REACTIVATE_PATH)).toEqual([]);
  });

  it('runs nothing on an answer that comes after a refusal', async () => {
    const { requestState } = (await call()).result;
    const refused = { inputResponses: { confirm: { action: 'decline' } } };
    expect((await accepted(requestState, refused)).result._meta['switchboard/error']).toMatchObject({
      reason: 'declined',
    });
    expect((await accepted(requestState)).result._meta['switchboard/error']).toMatchObject({ reason: 'declined' });
    expect(await world.sent(REACTIVATE_PATH)).toEqual([]);
  });

  it('runs nothing on an answer that comes too late', async () => {
    const { requestState } = (await call()).result;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 3_600_000 + 1_000 });
    try {
      expect((await accepted(requestState)).result._meta['switchboard/error']).toMatchObject({ reason: 'expired' });
    } finally {
      vi.useRealTimers();
    }
    expect(await world.sent(REACTIVATE_PATH)).toEqual([]);
  });

  it('asks again when it is repeated without an answer, or with one that answers nothing', async () => {
    const { requestState } = (await call()).result;
    for (const inputResponses of [
      undefined,
      {},
      { other: { action: 'accept' } },
      { confirm: { action: 'yes' } },
      { confirm: true },
      { confirm: { action: 'accept', content: { comment: 'as you like' } } },
    ]) {
      const { result } = await call({ requestState, ...(inputResponses ? { inputResponses } : {}) });
      expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { confirm: {} } });
    }
    // An answer without the state it belongs to is no answer.
    const { result } = await call({ inputResponses: { confirm: { action: 'accept', content: {} } } });
    expect(result.resultType).toBe('input_required');
    expect(await world.sent(REACTIVATE_PATH)).toEqual([]);
  });

  it('is not asked of a caller who may not confirm, nor of a client that cannot ask', async () => {
    const waits = { structuredContent: { confirmation: { status: 'pending' } } };
    expect((await call({}, { token: 'token-of-opa' })).result).toMatchObject(waits);
    expect((await call({}, { capabilities: {} })).result).toMatchObject(waits);
    const url = { token: 'token-of-opa', capabilities: { elicitation: { url: {} } } };
    expect((await call({}, url)).result).toMatchObject(waits);
  });

  it('does not run because the page was opened: the person decides there', async () => {
    const url = { capabilities: { elicitation: { form: {}, url: {} } } };
    const { result } = await call({}, url);
    const { params } = result.inputRequests.confirm;
    expect(params).toMatchObject({ mode: 'url', url: expect.stringContaining(`${world.url}/confirm/`) });
    expect(params.url).not.toMatch(/[?#]/);
    let isBack = false;
    const going = accepted(result.requestState, {}, url).finally(() => {
      isBack = true;
    });
    await signIn(params.url, 'token-of-ana');
    expect(isBack).toBe(false);
    expect(await world.sent(REACTIVATE_PATH)).toEqual([]);
    await confirm(params.url);
    expect((await going).result.structuredContent).toMatchObject({ Successful: true });
    expect(await world.sent(REACTIVATE_PATH)).toHaveLength(1);
    const id = params.url.split('/').at(-1);
    expect(await world.runtime.gate.actions.get(id)).toMatchObject({ decidedVia: 'page' });
  });
});
