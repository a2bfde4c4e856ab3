import { beforeAll, expect, it } from 'vitest';
import { A1, id, seeded, TSUID } from '../support/seed.ts';
import { call, type Json, openWorld, type World } from '../support/world.ts';

/* Prints how many characters the results of ten tasks of assistants have, and the list of tools. */

type Call = readonly [tool: string, input: (results: readonly Json[]) => Record<string, unknown>];

const plain = (tool: string, input: Record<string, unknown>): Call => [tool, () => input];
const waiting = (results: readonly Json[]) => results.at(-1)?.structuredContent?.confirmation?.id ?? '';

const TASKS: readonly (readonly [task: string, ...calls: readonly Call[]])[] = [
  ['who is on 0105', plain('numbers_find', { Query: '0105' }), plain('numbers_lookup', { PhoneNumber: seeded(5) })],
  ['everything on Ava Stone', plain('numbers_find', { Query: 'ava stone' })],
  ['why 0107 does not work', plain('numbers_diagnose', { PhoneNumber: seeded(7) })],
  [
    'raise the limit of 0101',
    plain('numbers_lookup', { PhoneNumber: seeded(1) }),
    plain('numbers_data_usage_set', {
      PhoneNumbers: [{ Number: seeded(1) }],
      ValueUnit: 'MB',
      LimitValue: 500,
    }),
    ['confirmations_get', (results) => ({ id: waiting(results) })],
  ],
  [
    'cancel 0104',
    plain('numbers_lookup', { PhoneNumber: seeded(4) }),
    plain('numbers_cancel', { PhoneNumbers: [{ Number: seeded(4) }] }),
    ['confirmations_get', (results) => ({ id: waiting(results) })],
    ['confirmations_withdraw', (results) => ({ id: results[1]?.structuredContent?.confirmation?.id })],
  ],
  [
    'reactivate 0107',
    plain('numbers_lookup', { PhoneNumber: seeded(7) }),
    plain('numbers_reactivate', { PhoneNumber: seeded(7) }),
  ],
  ['what happened overnight', plain('events_since', { Since: '12h' })],
  [
    'the port of 0111',
    plain('numbers_order_get', { OrderId: id('JNUOID', 1) }),
    plain('numbers_portin_eligibility', { PhoneNumber: '+13125550155', TargetClassification: 'Mobile' }),
  ],
  [
    'block a caller for Ava',
    plain('subscribers_get', { SubscriberId: TSUID }),
    plain('subscribers_call_filter_get', { SubscriberId: TSUID }),
    plain('subscribers_call_filter_create', {
      SubscriberId: TSUID,
      Phone: seeded(1),
      FilterMode: 'BLACKLIST',
      BlockedNumbers: ['+13125550199'],
      ApplyToInbound: true,
    }),
  ],
  [
    'text 0101 and see the conversation',
    plain('message_outbound', { From: seeded(4), To: [{ Number: seeded(1) }], Body: 'We are on it.' }),
    plain('message_search_get', { PhoneNumber: seeded(1) }),
    plain('account_packages_get', { AccountId: A1 }),
  ],
];

let world: World;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'core' });
});

it('shows the size of the results of ten tasks, and of the list of tools', async () => {
  const client = await world.client();
  await world.control('inbound', { From: '+13125550142', To: seeded(1), Body: 'No signal since last night' });
  let total = 0;
  const texts = new Map<string, string>();
  for (const [task, ...calls] of TASKS) {
    const results: Json[] = [];
    for (const [tool, input] of calls) {
      const result = await call(client, tool, input(results));
      results.push(result);
      const text = result.content.map((one: Json) => one.text ?? '').join('\n');
      texts.set(`${task}: ${tool}`, text);
    }
    const size = results
      .flatMap(({ content }) => content)
      .reduce((sum: number, one: Json) => sum + (one.text ?? '').length, 0);
    total += size;
    console.log(`${String(size).padStart(6)}  ${task}`);
  }
  if (process.env.SHOW) for (const [name, text] of texts) console.log(`--- ${name} (${text.length})\n${text}`);
  const { tools } = await client.listTools();
  console.log(
    `${String(total).padStart(6)}  in all; the list of ${tools.length} tools has ${JSON.stringify(tools).length}`,
  );
  expect(total).toBeGreaterThan(0);
});
