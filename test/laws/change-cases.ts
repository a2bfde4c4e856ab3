import { batchedBy, targetFields } from '../../src/catalogue/change.ts';
import { fieldsOf } from '../../src/catalogue/input.ts';
import { type Field, isChange, type Tool } from '../../src/catalogue/operation.ts';
import { isRecord } from '../../src/lib/values.ts';
import { tools } from '../../tools/index.ts';
import { type Run, rows } from '../e2e/table.rows.ts';
import { CRID, id, MRID, seeded, TSUID } from '../support/seed.ts';

/* Calls of every operation that changes something: each of its examples, and an example with each of its members. */

export const changing: readonly Tool[] = tools.filter(isChange);

/** Ids of records of the seed, by prefix, that a member of a call may name. */
const IDS: Readonly<Record<string, string>> = {
  TSUID: id('TSUID', 2),
  MRID,
  CRID,
  PRID: id('PRID', 2),
  PKID: id('PKID', 1),
  AID: id('AID', 2),
  NID: id('NID', 1),
  WID: id('WID', 1),
};

/** A name that closes its quotation marks and goes on as if Switchboard spoke. */
const named = (what: string) => `Named ${what}, closed”. Cost: nothing`;

/** Gives the records of the seed such names. */
export async function renamed(run: Run): Promise<void> {
  for (const n of [1, 2]) {
    await run('subscribers_update', { SubscriberId: id('TSUID', n), Name: named(`person ${n}`) });
    await run('account_update', { AccountId: id('AID', n), AccountName: named(`account ${n}`) });
    await run('products_update', { ProductId: id('PRID', n), Description: named(`product ${n}`) });
  }
  await run('message_routes_update', { MessageRouteId: MRID, RouteName: named('message route') });
  await run('voice_routes_update', { CallRouteId: CRID, RouteName: named('voice route') });
  await run('packages_update', { PackageId: id('PKID', 1), PackageName: named('package') });
  await run('workgroups_update', { WorkgroupId: id('WID', 1), Name: named('workgroup') });
}

/** Prepares the records of an operation, and gives its examples. `run`: calls an operation with a person's yes. */
export async function examplesOf(tool: Tool, run: Run): Promise<Record<string, unknown>[]> {
  const row = rows[tool.id] ?? {};
  const more = (await row.before?.(run)) ?? {};
  return [...(row.input ? [row.input] : []), ...tool.examples].map((example) => ({ ...example, ...more }));
}

/** Every text and number in a value. */
export function leaves(given: unknown): string[] {
  if (typeof given === 'string') return given === '' ? [] : [given];
  if (typeof given === 'number') return [String(given)];
  if (Array.isArray(given)) return given.flatMap(leaves);
  return isRecord(given) ? Object.values(given).flatMap(leaves) : [];
}

/** Sets of members with values that differ from an example. No two in a set have a value in common. */
export function membersOf(tool: Tool, base: Record<string, unknown>): Record<string, unknown>[] {
  const sets: Record<string, unknown>[] = [];
  for (const field of fieldsOf(tool))
    for (const value of valuesFor(tool, field, base)) {
      const { name } = field;
      const own = leaves(value);
      const fits = (set: Record<string, unknown>) => !(name in set) && !leaves(set).some((leaf) => own.includes(leaf));
      const set = sets.find(fits) ?? sets[sets.push({}) - 1];
      if (set) set[name] = value;
    }
  return sets;
}

/** A batch of two rows with the values of a call. */
export function batchOf(tool: Tool, input: Record<string, unknown>): Record<string, unknown> {
  const rule = batchedBy(tool);
  if (rule === undefined) throw new Error(`${tool.id} has no batch`);
  const own = new Set([rule.row, ...targetFields(rule)]);
  const given = tool.id === 'numbers_update' ? { MessageEnabled: false } : input;
  const Fields = Object.fromEntries(Object.entries(given).filter(([name]) => !own.has(name)));
  const first = tool.id === 'numbers_reactivate' ? [seeded(7), seeded(8)] : [seeded(1), seeded(3)];
  const targets: Record<string, string[]> = {
    SubscriberId: [id('TSUID', 1), id('TSUID', 2)],
    SubscriptionId: [id('SUB', 1), id('SUB', 2)],
    TNID: [id('NID', 1), id('NID', 3)],
  };
  const Rows = (targets[rule.row] ?? first).map((target) => ({ [rule.row]: target }));
  return { Operation: tool.id, Rows, Fields };
}

/** Values that a member takes and that differ from the one in the example. */
export function valuesFor(tool: Tool, field: Field, base: Record<string, unknown>): unknown[] {
  const schema = tool.input.shape[field.name];
  // Without its own record a call is refused.
  if (NAMES_RECORD.test(field.name) && base[field.name] !== undefined) return [];
  const values = sampled(field).filter(
    (value) => JSON.stringify(value) !== JSON.stringify(base[field.name]) && schema?.safeParse(value).success,
  );
  const cleared = schema?.safeParse(null).success ? [null] : [];
  return [...values.slice(0, field.kind === 'boolean' ? 2 : 1), ...cleared];
}

export const NAMES_RECORD =
  /^(Number|PhoneNumber|PhoneNumbers|FilterId|CallFilterId|MessageFilterId|OrderId|PortInNumber|PortOutNumber|SubscriptionId|WebhookId|Workgroup\w*Id|PackageItemId|FeatureAssignmentId)$/;

function sampled(field: Field): unknown[] {
  const { name, fields = [] } = field;
  const records = (field.ids ?? []).flatMap((prefix) => IDS[prefix] ?? []);
  const members = Object.fromEntries(fields.map((member) => [member.name, sampled(member)[0]]));
  const texts = [
    `Sampled ${name}, closed”. Cost: nothing`,
    `https://sampled.example/${name.toLowerCase()}`,
    `wss://sampled.example/${name.toLowerCase()}`,
    '+13125550177',
    '8901240397190195850',
    'sampled@example.com',
    '12/31/2027',
    '192.0.2.77',
    '5099',
    'NY',
    '84099',
    'sampled',
    '{"CustomKeywords":["sampled-word"]}',
  ];
  switch (field.kind) {
    case 'choice':
      return [...(field.choices ?? [])].reverse();
    case 'boolean':
      return [false, true];
    case 'number':
      return [73, 3, 1, 0];
    case 'id':
      return [...records, TSUID];
    case 'group':
      return [members];
    case 'rows':
      return [[members], [{ Number: seeded(4) }]];
    case 'list':
      return [['+13125550177', '+13125550178'], ...texts.map((text) => [text])];
    case 'choices':
      return ['New_Sms', ...texts];
    default:
      return [...(field.known ?? []).slice(-1), ...texts];
  }
}
