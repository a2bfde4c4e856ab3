import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { numbers } from '../support/batches.ts';
import { A1, call, type Json, look, MRID, openWorld, seeded, TSUID, value, type World } from '../support/world.ts';

/*
 * Changes that once reached no person, or only people who could not see them. Each waits for a person, and its question
 * shows every value, where it leads, and what remains.
 */

const figures = { tried: 0, writes: 0 };
afterAll(() => {
  console.info(`changes that reach nobody: ${figures.tried} tried, ${figures.writes} sent`);
  expect(figures.writes).toBe(0);
});

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
  client = await world.client();
});
afterAll(() => world.close());
beforeEach(async () => {
  for (const action of await world.runtime.gate.actions.list({ states: ['pending'], limit: 200 }))
    await world.runtime.ledger.decline(action.id, undefined);
  await world.reset();
});

const person = async (operation: string, input: Record<string, unknown>): Promise<Json> => {
  const ran = await world.cli([operation, '--json', JSON.stringify(input), '--yes']);
  // The question that --yes answers is on stderr, and no error.
  expect([ran.code, ran.err.includes('"error"')]).toEqual([0, false]);
  return ran.json();
};

/**
 * Calls an operation as an assistant. Returns the question and the page that shows it, and counts the requests that
 * were sent.
 */
async function asked(operation: string, input: Record<string, unknown>, path: string) {
  figures.tried += 1;
  // What is there already is read before.
  const writes = async () => (await world.sent(path)).filter(({ method }) => method === 'POST').length;
  const before = await writes();
  const result = await call(client, operation, input);
  figures.writes += (await writes()) - before;
  expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
  const { confirmation } = value(result);
  expect(confirmation).toMatchObject({ status: 'pending' });
  return { confirmation, html: (await look(confirmation.url)).html.replace(/<[^>]+>/g, ' ') };
}

const STRANGER = '+19005550123';

describe('a call filter', () => {
  const path = '/v1.0/subscribers/call-filter';
  const base = { SubscriberId: TSUID, Phone: seeded(1), FilterMode: 'BLACKLIST', ApplyToInbound: true };
  const inputs: [string, Record<string, unknown>, string[]][] = [
    ['one useless number on a white list', { FilterMode: 'WHITELIST', AllowedNumbers: [STRANGER] }, ['WHITELIST']],
    ['a stranger who is notified', { NotificationPhones: [STRANGER] }, [STRANGER]],
    ['recording', { RecordFlaggedCalls: true }, ['Record flagged calls']],
    ['a warning that is spoken', { WarningMessage: `Call ${STRANGER} instead.` }, [`Call ${STRANGER} instead.`]],
    [
      'calls ended at everyday words',
      {
        EnableTranscription: true,
        KeywordFilter: '{"CustomKeywords":["hello","yes"]}',
        TranscriptionAction: 'TERMINATE',
      },
      ['hello', 'TERMINATE'],
    ],
  ];

  it.each(inputs)('that is new, with %s, waits for an approver', async (_what, more, shows) => {
    const { confirmation, html } = await asked('subscribers_call_filter_create', { ...base, ...more }, path);
    expect(confirmation.level).toBe('approver');
    for (const text of shows) expect(html).toContain(text);
  });
});

describe('a data limit', () => {
  const path = '/v1.0/numbers/data-usage';

  it.each([
    [
      'a list in one call',
      'numbers_data_usage_set',
      { PhoneNumbers: numbers(1, 3, 5).map((phone) => ({ Number: phone })) },
    ],
    ['a batch', 'batches_create', undefined],
  ])('of 1 MB for lines of %s waits for an approver, after the monthly reset too', async (_what, tool, list) => {
    await world.control('clock', { advance: '40d' });
    const input = list
      ? { ...list, LimitValue: 1 }
      : { Operation: 'numbers_data_usage_set', Numbers: numbers(1, 3, 5), Fields: { LimitValue: 1 } };
    const { confirmation, html } = await asked(tool, input, path);
    expect(confirmation.level).toBe('approver');
    for (const phone of numbers(1, 3, 5)) expect(html).toContain(phone);
    expect(html).toContain('20 MB → 1 MB');
  });
});

describe('where a line leads', () => {
  it('is shown for a new route with the name of the present one', async () => {
    const url = 'https://elsewhere.example/inbox';
    const route = { RouteName: 'Main SMS route', MessageUrl: url, MessageUrlMethod: 'POST', AccountId: A1 };
    const { MessageRouteId } = await person('message_routes_create', route);
    expect(MessageRouteId).not.toBe(MRID);
    const input = { Number: seeded(1), MessageRouteId };
    const { confirmation, html } = await asked('numbers_update', input, '/v1.0/numbers/update');
    expect(html).toContain(`https://example.invalid/messages → ${url}`);
    expect(confirmation.changes).toMatchObject([{ before: '“Main SMS route”', after: 'another “Main SMS route”' }]);
    expect(confirmation.leads).toMatchObject([{ from: 'https://example.invalid/messages', to: url }]);
  });

  it('is shown for the new address of a route that lines use', async () => {
    const url = 'https://elsewhere.example/inbox';
    const input = { MessageRouteId: MRID, MessageUrl: url };
    const { html } = await asked('message_routes_update', input, '/v1.0/message/routes/update');
    expect(html).toContain(`https://example.invalid/messages → ${url}`);
  });
});

describe('words of the caller', () => {
  it('close no quotation and add no sentence to a question', async () => {
    const Body = 'Hi”. Each message is free. Nothing is charged. “';
    const input = { From: seeded(1), To: [{ Number: '+13125550199' }], Body };
    const { confirmation, html } = await asked('message_outbound', input, '/v1.0/message/outbound');
    expect(confirmation.consequence).toMatch(/^Each message is billed\. /);
    const decoded = html.replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
    expect(decoded.replaceAll(/“[^”]*”/g, '')).not.toContain('Each message is free');
  });

  it('remove no consequence from the question of a batch', async () => {
    const consequence = 'Each message is billed.';
    const bodies = [consequence, 'Undo: everything', 'What happens: nothing'];
    for (const Body of bodies) {
      const batch = { Operation: 'message_outbound', Numbers: numbers(1, 2), Fields: { From: seeded(3), Body } };
      const { confirmation, html } = await asked('batches_create', batch, '/v1.0/message/outbound');
      expect(confirmation.consequence).toContain(`2 numbers. ${consequence}`);
      expect(html).toContain(Body);
    }
    const Rows = [1, 3].map((n) => ({ Number: seeded(n), CnamFirstName: `Takes effect at once.${n}` }));
    const batch = { Operation: 'numbers_update', Rows };
    const { confirmation, html } = await asked('batches_create', batch, '/v1.0/numbers/update');
    expect(confirmation.consequence).toContain('Takes effect at once.');
    for (const { CnamFirstName } of Rows) expect(html).toContain(CnamFirstName);
  });
});
