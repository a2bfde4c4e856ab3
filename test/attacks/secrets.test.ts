import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actorOf } from '../support/approval.ts';
import { asks } from '../support/asking.ts';
import { confirm, look, press, signIn, signOut } from '../support/page.ts';
import { scripted } from '../support/scripted.ts';
import { A1, MRID, PORT_IN, seeded, TSUID } from '../support/seed.ts';
import { call, face, openWorld, value, type World } from '../support/world.ts';

const PIN = '7391';
const CODE = 'K7Q2M9XW3P';
const ACCOUNT_SECRET = 'sandbox-secret';

const platform = await scripted();

const echoing = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_BASE_URL: platform.url });

describe('a platform that echoes secrets in other members', () => {
  const world = echoing;

  const files = () =>
    readdirSync(world.folder)
      .filter((name) => name !== 'sealing.key')
      .map((name) => readFileSync(join(world.folder, name)).toString('latin1'))
      .join('\n');
  const ask = async (id: string, input: Record<string, unknown>) => {
    const client = await world.client();
    const asked = await asks(client, id, input);
    const pages = [await look(asked.url), await confirm(asked.url)].map(({ html }) => html);
    return pages.join() + JSON.stringify(await call(client, 'confirmations_get', { id: asked.id }));
  };

  it('shows no port-out PIN to an assistant or in the ledger, and leaves the phone number whole', async () => {
    platform.answer('/v1.0/numbers/portout', (input) => ({
      OrderId: 'JNUOID-00000000-0000-4000-8000-000000007391',
      Status: 'Submitted',
      PhoneNumber: seeded(1),
      Message: `Your PIN ${PIN} is set for ${seeded(1)}; call +1 201-555-${PIN}`,
      Echo: { Sent: JSON.stringify(input), Number: Number(PIN), Encoded: `pin%3D${PIN}` },
      [`pin ${PIN}`]: true,
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
    platform.answer('/v1.0/numbers/cancel-order-request', () => ({
      OrderId: 'JNUOID-00000000-0000-4000-8000-000000000009',
      AuthCode: code,
      Reference: code,
      ConsentStatement: `By using ${code} I consent.`,
      Data: [{ auth_code: code, Note: `code=${encodeURIComponent(String(code))}` }],
      NumbersValid: [{ Number: seeded(1) }],
    }));
    const lines = { PhoneNumbers: [{ Number: seeded(1) }], AccountId: A1 };
    const requested = await call(await world.client(), 'numbers_cancel_order_request', lines);
    expect(requested.isError).not.toBe(true);
    expect(JSON.stringify(requested)).not.toContain(String(code));
    expect(files().includes(String(code))).toBe(false);

    let sent: unknown;
    platform.answer('/v1.0/numbers/cancel-order-submit', (input) => {
      sent = input.AuthCode;
      return { OrderId: input.OrderId, Status: 'Complete', Message: `used ${String(input.AuthCode)}` };
    });
    const { OrderId } = value(requested);
    const shown = await ask('numbers_cancel_order_submit', { OrderId });
    // The code is sent unchanged, also in its type.
    expect(sent).toBe(code);
    expect(shown).not.toContain(String(code));
    expect(files().includes(String(code))).toBe(false);
    // It works once.
    const again = await call(await world.client(), 'numbers_cancel_order_submit', { OrderId });
    expect(face(again)).toMatchObject({ code: 'invalid_input', field: 'OrderId' });
  });

  it('takes passwords, its own token and the account secret out of answers and errors, in every encoding', async () => {
    const password = 'Corr3ct/horse Battery';
    const hex = Buffer.from(password).toString('hex');
    const cases = [password.toUpperCase(), password.toLowerCase(), hex, hex.toUpperCase()];
    const forms = [password, encodeURIComponent(password), Buffer.from(`pat:${password}`).toString('base64')];
    const all = () => [...forms, ...cases, ACCOUNT_SECRET, ...platform.tokens];
    const noise = () => `${all().join(' | ')} ${JSON.stringify({ Password: password })}`;
    const person = { Name: 'Pat', Email: 'pat@example.com', PhoneNumbers: [], Role: 'Subscriber', AccountId: A1 };
    const input = { ...person, Password: password };
    platform.answer('/v1.0/subscribers/create', () => ({ SubscriberId: 'TSUID-1', Note: noise() }));
    const client = await world.client();
    const create = async (given: Record<string, unknown>) => {
      const { id, url } = await asks(client, 'subscribers_create', given);
      return [(await confirm(url)).html, await call(client, 'confirmations_get', { id })] as const;
    };
    const good = await create(input);
    platform.answer('/v1.0/subscribers/create', () => ({ Message: noise() }), 400);
    const bad = await create({ ...input, Email: 'p2@example.com' });
    expect([value(good[1]).status, value(bad[1]).status]).toEqual(['done', 'failed']);
    const text = JSON.stringify([good, bad]) + files();
    for (const secret of [password, ...cases, encodeURIComponent(password), ACCOUNT_SECRET, ...platform.tokens])
      expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(password).toString('base64').slice(2, 20));
  });

  it('takes a PIN out of its own row, but not out of what callers write there', async () => {
    const row = { Number: seeded(1), PortOutPin: PIN, Note: `PIN ${PIN}`, Cnam: PIN, RouteName: `Line ${PIN}` };
    platform.answer('/v1.0/numbers/inventory', () => ({ PhoneNumbers: [row, { Cnam: PIN, Note: PIN }] }));
    const { PhoneNumbers } = value(await call(await world.client(), 'numbers_inventory_get'));
    expect(PhoneNumbers).toEqual([
      { Number: seeded(1), Note: 'PIN «redacted»', Cnam: PIN, RouteName: `Line ${PIN}` },
      { Cnam: PIN, Note: PIN },
    ]);
  });
});

const APPROVER = 'approver-token-correct-horse-battery';
const WRONG = 'approver-token-correct-horse-cabbage';
const TOKENS = `vi:viewer:viewer-token-0123456789,op:operator:operator-token-0123456789,ap:approver:${APPROVER}`;

/** Returns the answer to a guess without the guess itself and without everything that is new with each call. */
const same = (text: string, guess: string) =>
  text
    .replaceAll(guess, '#')
    .replace(/act_[\w-]+/g, 'act')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/"(TMID|CFID|MFID|MRID|CRID|TSUID|WID)-[^"]+"/g, 'id')
    .replace(/"(TransactionLogId|transactionLogId)":"[^"]*"/g, '');

describe('a text that is tried as a secret comes back like any other', () => {
  let world: World;
  let [viewer, operator]: Client[] = [];
  beforeAll(async () => {
    world = await openWorld({ MCP_TOOLSETS: 'all', MCP_HTTP_TOKENS: TOKENS, CONFIRM_VIA: 'page,client' });
    await world.control('settings', { requestsPerMinute: 100_000 });
    const [vi = '', op = ''] = TOKENS.split(',').map((entry) => entry.split(':')[2] ?? '');
    viewer = await world.client({ token: vi });
    operator = await world.client({ token: op });
  });
  afterAll(signOut);

  const as = (client: Client | undefined) => async (name: string, input: Record<string, unknown>) =>
    JSON.stringify(await call(client as Client, name, input));

  it.each<[string, string, (guess: string) => Record<string, unknown>]>([
    ['a search', 'numbers_find', (Query) => ({ Query })],
    ['the id of a record', 'subscribers_get', (guess) => ({ SubscriberId: `TSUID-${guess}` })],
    ['the id of an order', 'numbers_order_get', (guess) => ({ OrderId: `JNUOID-${guess}` })],
    ['the id of a confirmation', 'confirmations_get', (id) => ({ id })],
    ['a field that is wrong', 'numbers_get', (PhoneNumber) => ({ PhoneNumber })],
    ['a field that does not exist', 'numbers_get', (guess) => ({ PhoneNumber: seeded(1), [guess]: 1 })],
    ['the URL of a token', 'oauth2_tokens', (guess) => ({ ApiEndpoint: `${world.sandbox.url}/v1.0/${guess}` })],
  ])('a viewer tests an approver’s token by %s', async (_by, name, input) => {
    const right = await as(viewer)(name, input(APPROVER));
    expect(right).not.toContain('«redacted»');
    expect(same(right, APPROVER)).toBe(same(await as(viewer)(name, input(WRONG)), WRONG));
  });

  describe('the PIN of a confirmed port-out', () => {
    let pin = '';
    beforeAll(async () => {
      const asked = await asks(operator as Client, 'numbers_portout', { PortOutNumber: seeded(1) });
      await world.runtime.gate.confirm(asked.id, actorOf('token:ap'), 'page');
      await signIn(asked.url, APPROVER);
      // The page that shows it once stays unopened.
      pin = await sealedPin(world, asked.id);
    });
    it.each<[string, string, (guess: string) => Record<string, unknown>]>([
      ['a name', 'subscribers_update', (Name) => ({ SubscriberId: TSUID, Name })],
      ['a route', 'message_routes_update', (RouteName) => ({ MessageRouteId: MRID, RouteName })],
      ['a message', 'message_outbound', (Body) => ({ From: seeded(1), To: [seeded(3)], Body })],
      ['a port-in', 'numbers_portin', portIn],
    ])('is not found by writing it as %s', async (_as, name, input) => {
      const written = await as(operator)(name, input(pin));
      const url = /"url":"([^"]+)"/.exec(written)?.[1];
      const page = url === undefined ? '' : (await look(url)).html;
      if (url !== undefined) await press(url, 'decline');
      const read = await Promise.all([
        as(operator)('numbers_get', { PhoneNumber: seeded(1) }),
        as(operator)('numbers_lookup', { PhoneNumber: seeded(1) }),
        as(operator)('subscribers_get', { SubscriberId: TSUID }),
        as(operator)('message_routes_get', { MessageRouteId: MRID }),
        as(viewer)('events_since', { Since: '1h' }),
      ]);
      const all = [written, page, ...read].join('\n');
      expect(all).toContain(pin);
      expect(all).not.toContain('«redacted»');
    });

    it('is not found by the candidates of one long text', async () => {
      const all = Array.from({ length: 1000 }, (_, n) =>
        String((Number(pin) - 500 + n + 1_000_000) % 1_000_000).padStart(6, '0'),
      );
      let missing = 0;
      for (let from = 0; from < all.length; from += 36) {
        const some = all.slice(from, from + 36);
        // The question shows the name as it would be sent.
        const text = await as(operator)('subscribers_update', { SubscriberId: TSUID, Name: some.join(' ') });
        missing += some.filter((guess) => !text.includes(guess)).length;
      }
      expect(missing).toBe(0);
    });
  });
});

const portIn = (secret: string) => ({
  ...{ ...PORT_IN, CurrentAccountNumber: secret, CurrentAccountPassword: secret, AccountId: A1 },
});

/** The PIN that the ledger keeps for the person who confirmed. */
async function sealedPin({ runtime }: World, id: string): Promise<string> {
  const row = await runtime.store
    .database('ledger')
    .get<{ sealed: Uint8Array }>('SELECT once_secret AS sealed FROM actions WHERE id = ?', id);
  return (runtime.seal.open(row?.sealed ?? new Uint8Array(), `${id}/once`) as { PortOutPIN: string }).PortOutPIN;
}
