import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { A1, call, confirm, openWorld, seeded, value, type World } from '../support/world.ts';
import { hostilePlatform } from './platform.ts';

const PIN = '7391';
const CODE = 'K7Q2M9XW3P';
const ACCOUNT_SECRET = 'sandbox-secret';

describe('a platform that echoes secrets in other members', () => {
  let platform: Awaited<ReturnType<typeof hostilePlatform>>;
  let world: World;
  beforeAll(async () => {
    platform = await hostilePlatform();
    world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_BASE_URL: platform.url });
  });
  afterAll(() => world.close());

  const files = () =>
    readdirSync(world.folder)
      .filter((name) => name !== 'sealing.key')
      .map((name) => readFileSync(join(world.folder, name)).toString('latin1'))
      .join('\n');
  const ask = async (id: string, input: Record<string, unknown>) => {
    const client = await world.client();
    const asked = value(await call(client, id, input)).confirmation;
    await confirm(asked.url);
    return JSON.stringify(await call(client, 'confirmations_get', { id: asked.id }));
  };

  it('shows no port-out PIN to an assistant or in the ledger, and leaves the phone number whole', async () => {
    platform.answers.set('/v1.0/numbers/portout', (input) => ({
      body: {
        OrderId: 'JNUOID-00000000-0000-4000-8000-000000007391',
        Status: 'Submitted',
        PhoneNumber: seeded(1),
        Message: `Your PIN ${PIN} is set for ${seeded(1)}; call +1 201-555-${PIN}`,
        Echo: { Sent: JSON.stringify(input), Number: Number(PIN), Encoded: `pin%3D${PIN}` },
        [`pin ${PIN}`]: true,
      },
    }));
    const shown = await ask('numbers_portout', { PortOutNumber: seeded(1), PortOutPIN: PIN });
    expect(shown).toContain('«redacted»');
    expect(shown.replaceAll(`201-555-${PIN}`, '').replaceAll(`00000000${PIN}`, '')).not.toContain(PIN);
    // Values that only look like the PIN are kept: another number, an id.
    expect(shown).toContain(`+1 201-555-${PIN}`);
    expect(shown).toContain('JNUOID-00000000-0000-4000-8000-000000007391');
    const kept = files();
    expect(kept).not.toMatch(new RegExp(`PIN ${PIN}`));
    expect(kept).not.toMatch(new RegExp(`"Number":${PIN}`));
  });

  it.each([
    ['a word', CODE],
    ['a number', 4_829_137_205],
  ])('keeps an AuthCode that is %s, also where it stands under other names', async (_kind, code) => {
    platform.answers.set('/v1.0/numbers/cancel-order-request', () => ({
      body: {
        OrderId: 'JNUOID-00000000-0000-4000-8000-000000000009',
        AuthCode: code,
        Reference: code,
        ConsentStatement: `By using ${code} I consent.`,
        Data: [{ auth_code: code, Note: `code=${encodeURIComponent(String(code))}` }],
        NumbersValid: [{ Number: seeded(1) }],
      },
    }));
    const requested = await call(await world.client(), 'numbers_cancel_order_request', {
      PhoneNumbers: [{ Number: seeded(1) }],
      AccountId: A1,
    });
    expect(requested.isError).not.toBe(true);
    expect(JSON.stringify(requested)).not.toContain(String(code));
    expect(files().includes(String(code))).toBe(false);

    let sent: unknown;
    platform.answers.set('/v1.0/numbers/cancel-order-submit', (input) => {
      sent = input.AuthCode;
      return { body: { OrderId: input.OrderId, Status: 'Complete', Message: `used ${String(input.AuthCode)}` } };
    });
    const shown = await ask('numbers_cancel_order_submit', { OrderId: 'JNUOID-00000000-0000-4000-8000-000000000009' });
    // The code is sent unchanged, also in its type.
    expect(sent).toBe(code);
    expect(shown).not.toContain(String(code));
    expect(files().includes(String(code))).toBe(false);
  });

  it('takes passwords, its own token and the account secret out of answers and errors, in every encoding', async () => {
    const password = 'Corr3ct/horse Battery';
    const hex = Buffer.from(password).toString('hex');
    const cases = [password.toUpperCase(), password.toLowerCase(), hex, hex.toUpperCase()];
    const forms = [password, encodeURIComponent(password), Buffer.from(`pat:${password}`).toString('base64')];
    const all = () => [...forms, ...cases, ACCOUNT_SECRET, ...platform.tokens];
    const noise = () => `${all().join(' | ')} ${JSON.stringify({ Password: password })}`;
    const input = {
      Name: 'Pat',
      Email: 'pat@example.com',
      PhoneNumbers: [],
      Role: 'Subscriber',
      Password: password,
      AccountId: A1,
    };
    platform.answers.set('/v1.0/subscribers/create', () => ({ body: { SubscriberId: 'TSUID-1', Note: noise() } }));
    const client = await world.client();
    const create = async (given: Record<string, unknown>) => {
      const { confirmation } = value(await call(client, 'subscribers_create', given));
      const page = await confirm(confirmation.url);
      return [page.html, await call(client, 'confirmations_get', { id: confirmation.id })] as const;
    };
    const good = await create(input);
    platform.answers.set('/v1.0/subscribers/create', () => ({ status: 400, body: { Message: noise() } }));
    const bad = await create({ ...input, Email: 'p2@example.com' });
    expect([value(good[1]).status, value(bad[1]).status]).toEqual(['done', 'failed']);
    const text = JSON.stringify([good, bad]) + files();
    for (const secret of [password, ...cases, encodeURIComponent(password), ACCOUNT_SECRET, ...platform.tokens])
      expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(password).toString('base64').slice(2, 20));
  });

  it('takes a PIN out of its own row, but not out of what callers write there', async () => {
    const row = { Number: seeded(1), PortOutPin: PIN, Note: `PIN ${PIN}`, Cnam: PIN, RouteName: `Line ${PIN}` };
    platform.answers.set('/v1.0/numbers/inventory', () => ({
      body: { PhoneNumbers: [row, { Cnam: PIN, Note: PIN }] },
    }));
    const { PhoneNumbers } = value(await call(await world.client(), 'numbers_inventory_get'));
    expect(PhoneNumbers).toEqual([
      { Number: seeded(1), Note: 'PIN «redacted»', Cnam: PIN, RouteName: `Line ${PIN}` },
      { Cnam: PIN, Note: PIN },
    ]);
  });
});
