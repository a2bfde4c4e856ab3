import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Decisions } from '../../src/gate/decisions.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { tools } from '../../tools/index.ts';
import { asks } from '../support/asking.ts';
import { FastClock } from '../support/clock.ts';
import { ORDER, seeded } from '../support/seed.ts';
import { call, openWorld, type World } from '../support/world.ts';
import { sources } from './import-rules.ts';

/*
 * Only a person decides. No tool, resource or prompt reaches the function that writes a yes, for a token of any role: by
 * the sources that call it, and by calling everything that an assistant can call while questions wait.
 */

/** Calls of what decides: a yes, and the statement how something ended. */
const DECIDES = /\b(gate|decisions|ledger|reconciler)\.(confirm|settle)\(/g;

/** The files outside of the gate and the ledger that decide for a person, with what they call. */
const DECIDERS: Readonly<Record<string, readonly string[]>> = {
  // A person's click on the page, in Slack and at a terminal.
  'src/surfaces/web/confirm.ts': ['gate.confirm', 'gate.settle'],
  'src/surfaces/slack/listeners/decisions.ts': ['gate.confirm', 'gate.settle'],
  'src/surfaces/cli/call.ts': ['gate.settle'],
  // The person of a recorded task, on a sandbox of its own.
};

describe('the function that decides', () => {
  it('is called by the page, by Slack and by the terminal alone', () => {
    const found = sources
      .filter(({ file }) => !/^src\/(gate|ledger)\//.test(file))
      .flatMap(({ file, text }) => {
        const calls = [...text.matchAll(DECIDES)].map(([all]) => all.slice(0, -1));
        return calls.length === 0 ? [] : [[file, [...new Set(calls)].sort()] as const];
      });
    expect(Object.fromEntries(found)).toEqual(DECIDERS);
  });

  it('is called in the gate by the door of those surfaces, and for the person whom a client or a terminal asks', () => {
    const callers = sources.filter(({ file, text }) => /^src\/gate\//.test(file) && /decisions\.confirm\(/.test(text));
    expect(callers.map(({ file }) => file)).toEqual(['src/gate/asking.ts', 'src/gate/gate.ts']);
  });
});

describe('everything that an assistant can call', () => {
  const TOKENS = 'eve:viewer:token-of-eve,desk:operator:token-of-desk,lee:approver:token-of-lee';
  const YES = { confirm: true, confirmed: true, approve: true, yes: true, decision: 'accept', action: 'accept' };
  const decided = [
    vi.spyOn(Ledger.prototype, 'confirm'),
    vi.spyOn(Decisions.prototype, 'confirm'),
    vi.spyOn(Decisions.prototype, 'decline'),
  ];
  let world: World;
  let ids: readonly string[];
  beforeAll(async () => {
    world = await openWorld({ MCP_TOOLSETS: 'all', MCP_HTTP_TOKENS: TOKENS }, new FastClock());
    await world.control('settings', { requestsPerMinute: 100_000 });
    const desk = await world.client({ token: 'token-of-desk' });
    const update = await asks(desk, 'numbers_update', { Number: seeded(1), CnamFirstName: 'Ava' });
    ids = [update.id, (await asks(desk, 'numbers_cancel', { PhoneNumbers: [seeded(3)] })).id];
  });
  afterAll(() => vi.restoreAllMocks());

  it.each(['eve', 'desk', 'lee'])('decides nothing with the token of %s', async (name) => {
    for (const spy of decided) spy.mockClear();
    const client = await world.client({ token: `token-of-${name}` });
    for (const [at, { name: tool }] of (await client.listTools()).tools.entries()) {
      const [example] = tools.find(({ id }) => id === tool)?.examples ?? [];
      if (example && name === 'lee') await call(client, tool, example);
      await call(client, tool, { ...example, id: ids[at % ids.length], ids, ...YES });
    }
    await call(client, 'confirmations_get', { id: ids[0] });
    const known = (await client.listResources()).resources.map(({ uri }) => uri);
    const named = [...ids, `${ids[0]}?confirm=true`].map((id) => `switchboard://confirmations/${id}`);
    const others = [`orders/${ORDER}`, `messages/${seeded(1)}`, `numbers/${seeded(1)}`];
    for (const uri of [...known, ...named, ...others.map((path) => `switchboard://${path}`)])
      await client.readResource({ uri }).catch(() => undefined);
    for (const prompt of (await client.listPrompts()).prompts) {
      const given = Object.fromEntries((prompt.arguments ?? []).map((one) => [one.name, ids[0] ?? '']));
      await client.getPrompt({ name: prompt.name, arguments: given }).catch(() => undefined);
    }
    expect(decided.map((spy) => spy.mock.calls.length)).toEqual([0, 0, 0]);
    for (const id of ids) expect((await world.runtime.gate.actions.get(id))?.state).toBe('pending');
  });
});
