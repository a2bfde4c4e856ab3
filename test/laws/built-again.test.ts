import { describe, expect, it } from 'vitest';
import { makesAnew } from '../../src/catalogue/change.ts';
import { fieldsOf } from '../../src/catalogue/input.ts';
import type { Field, Tool } from '../../src/catalogue/operation.ts';
import { keysOf } from '../../src/gate/change.ts';
import { changeOf } from '../../src/ledger/action.ts';
import type { Actor } from '../../src/lib/actor.ts';
import { example } from '../e2e/table.derived.ts';
import { rows } from '../e2e/table.rows.ts';
import { A1, id, seeded, TSUID } from '../support/seed.ts';
import { openWorld, type World, within } from '../support/world.ts';
import { changing, valuesFor } from './change-cases.ts';

/*
 * A change that is built again from the same records is the same change. Every operation that changes something is asked
 * about and confirmed with all of its members set: once with new values, once with half of them as the record has them,
 * and once with those removed that can be. Its change is built for the question, and again when the yes comes.
 */

type Input = Record<string, unknown>;

const ANA: Actor = { id: 'cli:ana', name: 'ana', role: 'approver', surface: 'cli', priority: 'person' };

const ADDRESS = { Street1: '9 Other St', City: 'Heber', State: 'Utah', Zip: '84032', Country: 'USA' };
/** Numbers of which the seeded lists have the first. */
const LISTED = ['+12015550199', '+13125550177'];

/** Values that the platform takes for a member, where the sampled ones are refused. The second is set after the first. */
const VALUES: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  numbers_update: { AssignedSubscriberId: [TSUID], CnamFirstName: ['Ava', 'Eva'], CnamLastName: ['Stone', 'Reed'] },
  numbers_provision: { AssignedSubscriberId: [TSUID] },
  numbers_portin: { AssignedSubscriberId: [TSUID] },
  numbers_data_usage_set: { LimitValue: [20_000, 900], NotifyValue: [1_000, 100], ThrottleValue: [15_000, 800] },
  numbers_portin_update: {
    CurrentBillingAddress: [{ Street1: '9 Other St', City: 'Reno', State: 'NV', Zip: '89501' }],
    TargetPortinClassification: ['Mobile'],
  },
  subscribers_create: { PhoneNumbers: [[seeded(10)]] },
  subscribers_update: { PhoneNumbers: [[seeded(1), seeded(10)], [seeded(1)]] },
  subscribers_call_filter_allowed_numbers_add: { Numbers: [LISTED] },
  subscribers_call_filter_blocked_numbers_add: { Numbers: [LISTED] },
  subscribers_message_filter_allowed_contacts_add: { Numbers: [LISTED] },
  subscribers_message_filter_blocked_contacts_add: { Numbers: [LISTED] },
  subscribers_guardian_features_set: {
    EnableIntelligentGuardianCalls: [true, false],
    EnableIntelligentGuardianMessages: [true, false],
  },
  subscribers_call_filter_update: { SubscriberId: [TSUID], Phone: [seeded(1)] },
  subscribers_message_filter_update: { SubscriberId: [TSUID], Phone: [seeded(1)] },
  message_outbound: {
    From: [seeded(1)],
    To: [['+12015550199', seeded(3)]],
    MmsMedia: [[{ MediaUrl: 'https://media.example/picture.png' }]],
    MmsBase64: [[{ Base64: 'iVBORw0KGgo=', BaseType: 'image/png' }]],
    CampaignId: [id('JCID', 1)],
  },
  voice_routes_create: { IpWhitelist: [[{ IpAddress: '192.0.2.77' }]] },
  voice_routes_update: { IpWhitelist: [[{ IpAddress: '192.0.2.77' }], [{ IpAddress: '192.0.2.78' }]] },
  account_create: { MailingAddress: [ADDRESS] },
  account_update: { MailingAddress: [ADDRESS, { ...ADDRESS, City: 'Provo' }] },
  subscriptions_update: { SubscriberId: [TSUID], Type: ['Mvno'], TNID: [id('NID', 3), id('NID', 5)] },
};
const ACCOUNT = [A1];

const world = await openWorld({ MCP_TOOLSETS: 'all' });

const run: World['person'] = (operation, input) => world.person(operation, input);

/** A call of the operation with what it needs, on a platform as it was seeded. */
async function baseOf(tool: Tool): Promise<Input> {
  await world.afresh();
  const { input = tool.examples[0], before } = rows[tool.id] ?? {};
  return { ...input, ...(await before?.(run)) };
}

/** Values of a member that differ from the one in an input. */
function valuesOf(tool: Tool, field: Field, input: Input): unknown[] {
  const given = VALUES[tool.id]?.[field.name] ?? (field.name === 'AccountId' ? ACCOUNT : undefined);
  const found = given ?? [...(field.known ?? []), ...valuesFor(tool, field, input)].filter((value) => value !== null);
  return found.filter((value) => JSON.stringify(value) !== JSON.stringify(input[field.name]));
}

/** The input with other values, or without any, for all of these members that can be so together. */
async function withMembers(tool: Tool, base: Input, fields: readonly Field[], removed = false): Promise<Input> {
  const values = fields.flatMap((field) => {
    const [value] = removed ? [null] : valuesOf(tool, field, base);
    return value === undefined ? [] : [[field.name, value] as const];
  });
  const all = { ...base, ...Object.fromEntries(values) };
  if (values.length > 0 && (await isTaken(tool, all))) return all;
  let input = base;
  // A second time for what needs a later member.
  for (const [name, value] of [...values, ...values]) {
    if (input[name] !== base[name]) continue;
    const next = { ...input, [name]: value };
    if (await isTaken(tool, next)) input = next;
  }
  return input;
}

const preview = (tool: Tool, input: Input) => world.runtime.gate.preview(tool.id, input, ANA);
const isTaken = (tool: Tool, input: Input) =>
  preview(tool, input).then(
    () => true,
    () => false,
  );
async function expectDone(tool: Tool, input: Input): Promise<void> {
  const [one, other] = [await preview(tool, input), await preview(tool, input)];
  expect({ change: changeOf(other), consent: other.consent }).toEqual({ change: changeOf(one), consent: one.consent });
  await run(tool.id, input);
}

describe.each(changing.map((tool) => [tool.id, tool] as const))('%s', (_id, tool) => {
  const keys = keysOf(tool).filter((name) => name !== 'AccountId');
  const fields = fieldsOf(tool).filter(({ name }) => !keys.includes(name) || VALUES[tool.id]?.[name]);

  it('is the same change when it is built again, and is done', async () => {
    const full = await withMembers(tool, await baseOf(tool), fields);
    const { known } = await preview(tool, full);
    await expectDone(tool, full);
    const change = changeOf({ known });
    if (change !== undefined && !makesAnew(change)) {
      const halves = [0, 1].map((half) => fields.filter((_, at) => at % 2 === half));
      let last = full;
      for (const [members, removed] of [...halves.map((half) => [half, false] as const), [fields, true] as const]) {
        const next = await withMembers(tool, last, members, removed);
        if (next !== last) await expectDone(tool, next);
        last = next;
      }
    }
    // A member that cannot stand beside another one has a call of its own.
    for (const field of fieldsOf(tool).filter(({ name }) => full[name] === undefined)) {
      const base = await baseOf(tool);
      const [value] = valuesOf(tool, field, base);
      await expectDone(tool, await withMembers(tool, { ...base, [field.name]: value }, fields));
    }
  });
});

it('is the same change with numbers that somebody holds, which the platform then refuses', async () => {
  await world.reset();
  const input = JSON.stringify({ ...example('subscribers_create'), PhoneNumbers: [seeded(1), seeded(10)] });
  const ran = await world.cli(['subscribers_create', '--json', input, '--yes']);
  expect(ran.error()).toMatchObject({ code: 'bad_request', status: 400 });
});

it('is the same change where the account is the configured one', async () => {
  await within({ MCP_TOOLSETS: 'all', PLATFORM_ACCOUNT_ID: A1 }, async ({ runtime: { gate } }) => {
    for (const tool of changing.filter((one) => one.kind === 'operation' && one.defaultAccount)) {
      const { AccountId: _, ...input }: Input = { ...tool.examples[0], ...rows[tool.id]?.input };
      const done = await gate.perform(tool.id, input, ANA, { ask: async () => 'accept' });
      expect({ ...done, id: tool.id }).toMatchObject({
        id: tool.id,
        kind: 'done',
        change: { sends: { AccountId: A1 } },
      });
    }
  });
});
