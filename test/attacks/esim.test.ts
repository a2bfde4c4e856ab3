import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../tools/index.ts';
import { call, confirm, look, openWorld, press, seeded, signIn, signOut, value, type World } from '../support/world.ts';
import { hostilePlatform } from './platform.ts';

const CODE = 'LPA:1$smdp.example.com$K2-SECRET-1';
const LINK = 'https://esim.example/activate/K2-SECRET-2';
const SECRET = /K2-SECRET/;
const TOKENS = 'vi:viewer:viewer-token,op:operator:operator-token,ap:approver:approver-token,al:approver:other-token';

/** An answer to any request, with a code in every place where the platform has put one. */
const answer = {
  OrderId: 'JNUOID-00000000-0000-4000-8000-000000000009',
  Status: 'Active',
  Number: seeded(1),
  PhoneNumber: seeded(1),
  QRCode: CODE,
  Message: `Scan ${CODE} now`,
  Sim: { QrActivationLink: LINK, ActivationCode: '1$smdp$K2-SECRET-3' },
  Results: [{ Number: seeded(2), QrCode: LINK }],
  PhoneNumbers: [seeded(1)],
};

describe('the activation code of an eSIM', () => {
  let world: World;
  const clients: Record<string, Client> = {};
  beforeAll(async () => {
    const platform = await hostilePlatform();
    for (const tool of tools) if (tool.kind === 'operation') platform.answers.set(tool.path, () => ({ body: answer }));
    world = await openWorld({
      MCP_TOOLSETS: 'all',
      MCP_HTTP_TOKENS: TOKENS,
      CONFIRM_VIA: 'page,client',
      PLATFORM_BASE_URL: platform.url,
    });
    for (const role of ['viewer', 'operator', 'approver'])
      clients[role] = await world.client({
        token: `${role}-token`,
        person: () => ({ action: 'accept', content: {} }),
      });
  });
  afterAll(async () => {
    signOut();
    await world.close();
  });

  /**
   * One call of each operation. The roles that may call it take turns, because withholding does not depend on the
   * operation.
   */
  const rows = tools.flatMap((tool, at) => {
    const roles = tool.risk === 'read' ? ['viewer', 'operator', 'approver'] : ['operator', 'approver'];
    return tool.examples.slice(0, 1).map((input) => [tool.id, roles[at % roles.length] ?? 'viewer', input] as const);
  });

  it('is withheld from assistants by every operation, and of every role', async () => {
    const seen: string[] = [];
    const withheld: string[] = [];
    for (const [id, role, input] of rows) {
      const text = JSON.stringify(await call(clients[role] as Client, id, input));
      if (SECRET.test(text)) seen.push(`${id} as ${role}`);
      if (text.includes('\\"activation\\":\\"withheld\\"') || text.includes('"activation":"withheld"'))
        withheld.push(role);
    }
    console.log(
      `${rows.length} calls over MCP, ${withheld.length} answers with a code withheld, ${seen.length} codes shown`,
    );
    expect(seen).toEqual([]);
    expect(withheld.length).toBeGreaterThan(40);
    expect(new Set(withheld).size).toBe(3);
  });

  it('is shown on the page to who asked or confirmed, to another approver by a button, and each time in the trail', async () => {
    const { id, url } = value(
      await call(clients.operator as Client, 'numbers_provision', { ...example('numbers_provision'), AreaCode: '212' }),
    ).confirmation;
    await signIn(url, 'approver-token');
    expect((await confirm(url)).html).toMatch(SECRET);
    await signIn(url, 'other-token');
    const other = await look(url);
    expect(other.html).not.toMatch(SECRET);
    expect((await press(url, 'qr', {}, other)).html).toMatch(SECRET);
    const trail = (await world.runtime.gate.actions.audit(20)).filter(({ what }) => what === 'revealed');
    expect(trail.filter(({ action }) => action === id).map(({ who, detail }) => [who, detail])).toEqual([
      ['token:al (al)', 'page'],
      ['token:ap (ap)', 'page'],
    ]);
  });

  it.each([
    ['viewer', ['numbers_get', seeded(1)], false],
    ['viewer', ['numbers_get', seeded(1), '--qr'], false],
    ['operator', ['numbers_get', seeded(1)], false],
    ['operator', ['numbers_get', seeded(1), '--qr'], true],
    ['operator', ['numbers_lookup', seeded(1), '--qr'], true],
    ['operator', ['numbers_inventory_get'], false],
  ] as const)('on a terminal as %s: %j: %s', async (role, args, isShown) => {
    const trail = () => world.runtime.gate.actions.audit(1);
    const before = (await trail())[0]?.seq;
    const { out, err } = await world.cli([...args], role);
    expect([SECRET.test(out), SECRET.test(err)]).toEqual([isShown, false]);
    const [last] = await trail();
    if (isShown) expect(last).toMatchObject({ what: 'revealed', who: expect.stringContaining('cli:ana') });
    else expect(last?.seq).toBe(before);
  });

  it('is not revealed to an assistant, nor to a viewer, by the gate itself', async () => {
    const { gate } = world.runtime;
    const read = { operation: 'numbers_get', input: { PhoneNumber: seeded(1) } };
    const actor = { id: 'x', name: 'x', surface: 'mcp', role: 'approver', priority: 'assistant' } as const;
    await expect(gate.reveal(read, actor)).rejects.toThrow('not to assistants');
    await expect(gate.reveal(read, { ...actor, surface: 'slack', role: 'viewer' })).rejects.toThrow('operators');
    expect(await gate.reveal(read, { ...actor, surface: 'slack', role: 'operator' })).toMatchObject({ QRCode: CODE });
  });
});

const example = (id: string): Record<string, unknown> => ({ ...tools.find((tool) => tool.id === id)?.examples[0] });
