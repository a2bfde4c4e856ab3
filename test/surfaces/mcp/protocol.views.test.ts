import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, describe, expect, it } from 'vitest';
import type { ViewCard } from '../../../src/cards/view.ts';
import { listed } from '../../../src/start/derive.ts';
import { cardIn } from '../../../src/surfaces/mcp/view/shapes.ts';
import { drawnBy, view } from '../../../tools/surfaces/views.ts';
import { SHOWS_VIEWS, VIEW_TYPE } from '../../support/views.ts';
import { confirm, ORDER, openWorld, seeded, until, type World } from '../../support/world.ts';

const EXTENSION = 'io.modelcontextprotocol/ui';
const DRAWN = ['batches_get', 'confirmations_get', 'numbers_lookup', 'numbers_order_get'];

interface Listed {
  name: string;
  _meta?: Record<string, unknown> | undefined;
  annotations?: { readOnlyHint?: boolean | undefined } | undefined;
}

/** One client, whichever protocol it speaks. */
interface Connected {
  tools(): Promise<Listed[]>;
  uris(): Promise<string[]>;
  read(uri: string): Promise<Record<string, unknown>>;
  call(name: string, input: Record<string, unknown>): Promise<CallToolResult>;
  close(): Promise<void>;
}

type Connect = (url: string, capabilities: object, token?: string) => Promise<Connected>;

const legacy: Connect = async (url, capabilities, token) => {
  const client = new ClientV1({ name: 'host', version: '1' }, { capabilities });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new HttpV1(new URL(`${url}/mcp`), { requestInit: { headers } }) as never);
  return {
    tools: async () => (await client.listTools()).tools,
    uris: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: async (uri) => ({ ...(await client.readResource({ uri })).contents[0] }),
    call: async (name, input) => (await client.callTool({ name, arguments: input })) as CallToolResult,
    close: () => client.close(),
  };
};

const modern: Connect = async (url, capabilities, token) => {
  const mode = { pin: '2026-07-28' };
  const client = new ClientV2({ name: 'host', version: '1' }, { capabilities, versionNegotiation: { mode } });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new HttpV2(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return {
    tools: async () => (await client.listTools()).tools,
    uris: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: async (uri) => ({ ...(await client.readResource({ uri })).contents[0] }),
    call: async (name, input) => (await client.callTool({ name, arguments: input })) as CallToolResult,
    close: () => client.close(),
  };
};

const WITHDRAWS = expect.arrayContaining([expect.objectContaining({ id: 'withdraw' })]);

describe.each([
  ['up to 2025-11-25', legacy],
  ['since 2026-07-28', modern],
])('views for clients of the protocol %s', (_protocol, connect) => {
  let world: World | undefined;
  const clients: Connected[] = [];
  afterEach(async () => {
    await Promise.allSettled(clients.splice(0).map((client) => client.close()));
    await world?.close();
    world = undefined;
  });

  async function open(env: Record<string, string>): Promise<World> {
    world = await openWorld({ MCP_TOOLSETS: 'all', ...env });
    return world;
  }
  async function join({ url }: World, capabilities: object, token?: string): Promise<Connected> {
    const client = await connect(url, capabilities, token);
    clients.push(client);
    return client;
  }
  /** The card of a result, which the page must be able to draw. */
  function cardOf({ _meta }: CallToolResult): ViewCard | undefined {
    const card = _meta?.['switchboard/card'] as ViewCard | undefined;
    if (card) expect(cardIn(card)).toMatchObject(card);
    return card;
  }
  const confirmationOf = ({ structuredContent }: CallToolResult) =>
    (structuredContent as { confirmation: { id: string; url: string } }).confirmation;

  /** The lists, a result, and whether the view can be read. */
  async function seenBy(client: Connected) {
    const tools = await client.tools();
    const lookup = await client.call('numbers_lookup', { PhoneNumber: seeded(5) });
    const asked = confirmationOf(await client.call('numbers_reactivate', { PhoneNumber: seeded(7) }));
    const state = await client.call('confirmations_get', { id: asked.id });
    return {
      tools,
      uris: await client.uris(),
      cards: [lookup, state].map(cardOf),
      meta: Object.keys(lookup._meta ?? {}),
      view: await client.read(view.uri).then(
        () => 'read',
        (error: Error) => error.message,
      ),
    };
  }

  it('are not there unless MCP_APPS is set, whatever the client declares', async () => {
    const off = await open({});
    const plain = await seenBy(await join(off, {}));
    expect(await seenBy(await join(off, SHOWS_VIEWS))).toEqual(plain);
    expect(plain.tools.filter(({ _meta }) => _meta !== undefined)).toEqual([]);
    expect(plain.uris).not.toContain(view.uri);
    expect(plain.cards).toEqual([undefined, undefined]);
    expect(plain.view).toContain(`There is no resource ${view.uri}`);
  });

  it('change nothing for a client that does not declare them', async () => {
    const off = await open({});
    const { view: _view, ...plain } = await seenBy(await join(off, {}));
    await off.close();
    const on = await open({ MCP_APPS: 'true' });
    const others = [
      {},
      { extensions: {} },
      { extensions: { [EXTENSION]: {} } },
      { extensions: { other: SHOWS_VIEWS } },
    ];
    for (const capabilities of others) {
      const { view: _read, ...seen } = await seenBy(await join(on, capabilities));
      expect(seen).toEqual(plain);
    }
    const type = { extensions: { [EXTENSION]: { mimeTypes: ['text/html'] } } };
    expect((await seenBy(await join(on, type))).tools).toEqual(plain.tools);
  });

  it('are named by reads alone, and never by a tool that changes something', async () => {
    const on = await open({ MCP_APPS: 'true' });
    const tools = await (await join(on, SHOWS_VIEWS)).tools();
    const named = tools.filter(({ _meta }) => _meta !== undefined);
    expect(named.map(({ name }) => name).sort()).toEqual(DRAWN);
    for (const { name, _meta, annotations } of named) {
      expect([name, _meta, annotations?.readOnlyHint]).toEqual([name, { ui: { resourceUri: view.uri } }, true]);
    }
    expect(tools.length).toBeGreaterThan(60);
    for (const { id, risk } of listed()) if (risk !== 'read') expect([id, drawnBy(id)]).toEqual([id, undefined]);
  });

  it('are one page that loads nothing, and asks the host for no permission', async () => {
    const on = await open({ MCP_APPS: 'true' });
    const client = await join(on, SHOWS_VIEWS);
    expect(await client.uris()).toContain(view.uri);
    const { text, ...rest } = await client.read(view.uri);
    expect(rest).toEqual({ uri: view.uri, mimeType: VIEW_TYPE, _meta: { ui: { prefersBorder: true } } });
    const page = String(text);
    console.log(`the view has ${Buffer.byteLength(page)} bytes`);
    expect(Buffer.byteLength(page)).toBeLessThan(40_000);
    expect(page).not.toMatch(/https?:|\bsrc=|\bhref=|@import|\bimport\(|\bfetch\(|eval\(/);
  });

  it('cost the model nothing: what it reads of a tool stays the same', async () => {
    const on = await open({ MCP_APPS: 'true', MCP_TOOLSETS: 'core' });
    const [plain, shown] = [await (await join(on, {})).tools(), await (await join(on, SHOWS_VIEWS)).tools()];
    const withoutMeta = ({ _meta, ...tool }: Listed) => tool;
    expect(shown.map(withoutMeta)).toEqual(plain);
    const added = countTokens(JSON.stringify(shown)) - countTokens(JSON.stringify(plain));
    console.log(`a client that passes on everything pays ${added} tokens more`);
    expect(added).toBeLessThanOrEqual(100);
  });

  it('draw the question for its requester, and its end without the address', async () => {
    const on = await open({ MCP_APPS: 'true' });
    const client = await join(on, SHOWS_VIEWS);
    const asked = await client.call('numbers_reactivate', { PhoneNumber: seeded(7) });
    expect(asked._meta ?? {}).not.toHaveProperty('switchboard/card');
    const { id, url } = confirmationOf(asked);
    const waiting = cardOf(await client.call('confirmations_get', { id }));
    expect(waiting).toMatchObject({
      title: `Reactivate ${seeded(7)}`,
      state: { name: 'pending' },
      record: { kind: 'confirmation', id },
      changes: true,
      actions: [
        { id: 'open', label: 'Open the question', value: url },
        { id: 'withdraw', label: 'Withdraw', value: id, confirm: expect.anything() },
      ],
    });
    expect(JSON.stringify(waiting)).toContain('Cancelled - Pending Delete → Active');
    await confirm(url);
    const done = cardOf(await client.call('confirmations_get', { id }));
    expect(done).toMatchObject({ state: { name: 'done', text: 'Done.' }, changes: false });
    expect(done).not.toHaveProperty('actions');
    const list = cardOf(await client.call('confirmations_get', { ids: [id, 'act_nobody'] }));
    expect(list?.parts[0]).toMatchObject({
      rows: [
        [`Reactivate ${seeded(7)}`, 'Done.'],
        [expect.anything(), expect.stringMatching(/no confirmation/)],
      ],
    });
    // A result of a change has no card, nor has an error.
    const again = await client.call('confirmations_withdraw', { id });
    expect([again.isError, cardOf(again)]).toEqual([true, undefined]);
    expect(cardOf(await client.call('confirmations_get', { id: 'act_nobody' }))).toBeUndefined();
  });

  it('say once that nothing was done', async () => {
    const on = await open({ MCP_APPS: 'true' });
    const client = await join(on, SHOWS_VIEWS);
    const { id, url } = confirmationOf(await client.call('numbers_reactivate', { PhoneNumber: seeded(8) }));
    await confirm(url);
    const failed = cardOf(await client.call('confirmations_get', { id }));
    expect(failed?.state?.name).toBe('failed');
    expect(failed?.state?.text).toMatch(/carrier refused.* Nothing was done\. Nothing was charged\./);
    expect(failed?.state?.text.match(/Nothing was done/g)).toHaveLength(1);
  });

  it('draw the state alone for another requester of the same call', async () => {
    const on = await open({
      MCP_APPS: 'true',
      MCP_HTTP_TOKENS: 'ana:operator:token-of-ana,ben:operator:token-of-ben,lee:approver:token-of-lee',
    });
    const ana = await join(on, SHOWS_VIEWS, 'token-of-ana');
    const ben = await join(on, SHOWS_VIEWS, 'token-of-ben');
    const cancel = { PhoneNumbers: [{ Number: seeded(6) }] };
    const { id } = confirmationOf(await ana.call('numbers_cancel', cancel));
    expect(confirmationOf(await ben.call('numbers_cancel', cancel)).id).toBe(id);
    const own = cardOf(await ana.call('confirmations_get', { id }));
    expect(own).toMatchObject({ actions: WITHDRAWS, parts: expect.arrayContaining([expect.anything()]) });
    expect(JSON.stringify(own)).toContain('Ava Stone');
    expect(cardOf(await ben.call('confirmations_get', { id }))).toEqual({
      title: `Cancel ${seeded(6)}`,
      state: { name: 'pending', text: 'Waiting for a person. Nothing has been done yet.' },
      parts: [],
      record: { kind: 'confirmation', id },
      changes: true,
    });
  });

  it('draw numbers, the steps of an order, and a batch', async () => {
    const on = await open({ MCP_APPS: 'true' });
    const client = await join(on, SHOWS_VIEWS);
    const lookup = cardOf(await client.call('numbers_lookup', { PhoneNumber: seeded(5) }));
    expect(lookup?.parts[0]).toMatchObject({
      rows: expect.arrayContaining([['Data usage', '19.75 of 20 MB used']]),
    });
    expect(lookup).toMatchObject({
      title: 'Ava Stone · (201) 555-0105',
      state: { name: 'unknown', text: 'Data nearly used up, 19.75 of 20 MB.' },
    });
    const several = cardOf(await client.call('numbers_lookup', { PhoneNumbers: [seeded(1), seeded(2)] }));
    expect(several?.parts[0]).toMatchObject({
      kind: 'table',
      rows: [[seeded(1), 'Ava Stone', expect.anything()], expect.anything()],
    });
    const order = cardOf(await client.call('numbers_order_get', { OrderId: ORDER }));
    expect(order).toMatchObject({ state: { name: 'running', text: 'Submitted' }, changes: true });
    expect(order?.parts[0]).toMatchObject({
      kind: 'steps',
      steps: [{ label: 'Submitted', state: 'current' }, {}, {}, {}],
    });
    const made = await client.call('batches_create', { Operation: 'numbers_lookup', Numbers: [seeded(1), seeded(2)] });
    expect(cardOf(made)).toBeUndefined();
    const { id } = (made.structuredContent as { batch: { id: string } }).batch;
    const batch = cardOf(await client.call('batches_get', { id, Page: 1 }));
    expect(batch).toMatchObject({ title: 'Look a number up: 2 rows', record: { kind: 'batch', id, page: 1 } });
    expect(batch?.parts.map(({ kind }) => kind)).toContain('table');
  });

  it('draw a long list in a card that the page accepts', async () => {
    const on = await open({ MCP_APPS: 'true' });
    const client = await join(on, SHOWS_VIEWS);
    const made = await client.call('batches_create', {
      Operation: 'message_outbound',
      Numbers: Array.from({ length: 260 }, (_, n) => `+1312555${1000 + n}`),
      Fields: { From: seeded(4), Body: 'A sentence of a text message.' },
    });
    const { id } = (made.structuredContent as { batch: { id: string } }).batch;
    let card: ViewCard | undefined;
    await until(async () => {
      card = cardOf(await client.call('batches_get', { id, Page: 1 }));
      return card?.state?.name === 'pending';
    });
    expect(card).toMatchObject({ actions: WITHDRAWS });
    expect(card?.parts).toContainEqual(expect.objectContaining({ kind: 'table', more: 50 }));
    const values = card?.parts.flatMap((part) => (part.kind === 'facts' ? part.rows.map(([, value]) => value) : []));
    expect(values?.find((value) => value.startsWith('+13125551000'))?.length).toBe(3_002);
  });

  it('are not drawn for the one tool of discover mode that calls everything', async () => {
    const on = await open({ MCP_APPS: 'true', MCP_DISCOVER: 'true' });
    const client = await join(on, SHOWS_VIEWS);
    const named = (await client.tools()).filter(({ _meta }) => _meta !== undefined).map(({ name }) => name);
    expect(named.sort()).toEqual(['batches_get', 'confirmations_get']);
    const input = { operation: 'numbers_lookup', input: { PhoneNumber: seeded(5) } };
    expect(cardOf(await client.call('call', input))).toBeUndefined();
  });
});
