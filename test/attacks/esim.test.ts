import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, describe, expect, it } from 'vitest';
import { tools } from '../../tools/index.ts';
import { example } from '../e2e/table.derived.ts';
import { accepts, asks } from '../support/asking.ts';
import { isOnPostgres } from '../support/ledger.ts';
import { confirm, look, lookAsStranger, press, signIn, signOut } from '../support/page.ts';
import { scripted } from '../support/scripted.ts';
import { seeded } from '../support/seed.ts';
import { call, openWorld } from '../support/world.ts';

const CODE = 'LPA:1$smdp.example.com$K2-SECRET-1';
const LINK = 'https://esim.example/activate/K2-SECRET-2';
const SECRET = /K2-SECRET/;
const TOKENS =
  'vi:viewer:viewer-token,op:operator:operator-token,ap:approver:approver-token,al:approver:other-token,ria:approver:second-token';

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

const platform = await scripted();

for (const tool of tools) if (tool.kind === 'operation') platform.answer(tool.path, () => answer);
const settings = { MCP_TOOLSETS: 'all', CONFIRM_VIA: 'page,client', PLATFORM_BASE_URL: platform.url };
const world = await openWorld({ ...settings, MCP_HTTP_TOKENS: TOKENS });

describe('the activation code of an eSIM', () => {
  afterAll(signOut);

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
    const clients = new Map<string, Client>();
    for (const role of ['viewer', 'operator', 'approver'])
      clients.set(role, await world.client({ token: `${role}-token`, person: accepts }));
    for (const [id, role, input] of rows) {
      const text = JSON.stringify(await call(clients.get(role) as Client, id, input));
      if (SECRET.test(text)) seen.push(`${id} as ${role}`);
      if (/\\?"activation\\?":\\?"withheld/.test(text)) withheld.push(role);
    }
    expect(seen).toEqual([]);
    expect(withheld.length).toBeGreaterThan(40);
    expect(new Set(withheld).size).toBe(3);
  });

  it('is drawn on the page for who asked or confirmed, for another approver by a button, and each time in the trail', async () => {
    const asker = await world.client({ token: 'second-token' });
    const input = { ...example('numbers_provision'), AreaCode: '212' };
    const { id, url } = await asks(asker, 'numbers_provision', input);
    await signIn(url, 'approver-token');
    const pages = [await confirm(url), await look(url)];
    await signIn(url, 'second-token');
    pages.push(await look(url));
    for (const { html } of pages) {
      expect(html).toContain('<div class="qr" role="img" aria-label="QR code of the eSIM of');
      expect(html).toMatch(SECRET);
    }
    await signIn(url, 'other-token');
    const other = await look(url);
    expect(other.html).toContain('Show QR code');
    for (const { html } of [other, await lookAsStranger(url)]) {
      expect(html).not.toContain('class="qr"');
      expect(html).not.toMatch(SECRET);
    }
    expect((await press(url, 'qr', {}, other)).html).toMatch(SECRET);
    const trail = (await world.runtime.gate.actions.audit(20)).filter(({ what }) => what === 'revealed');
    const own = trail.filter(({ action }) => action === id).map(({ who, detail }) => `${who} ${detail}`);
    expect([own[0], ...new Set(own)]).toEqual(['token:al (al) page', ...new Set(own)]);
    expect(own).toContain('token:ap (ap) page');
    const files = readdirSync(world.folder).map((name) => readFileSync(join(world.folder, name), 'latin1'));
    expect(isOnPostgres || files.some((text) => text.includes('New line ('))).toBe(true);
    expect(files.filter((text) => SECRET.test(text))).toEqual([]);
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
