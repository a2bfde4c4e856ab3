import * as z from 'zod';
import { type Call, defineWorkflow, type WorkflowContext } from '../../src/catalogue/operation.ts';
import { defined, type Fields, recordsIn, textOf } from '../../src/lib/values.ts';
import { bareNumberId } from '../../src/platform/dialect/number-lists.ts';
import { readTexts } from '../../src/platform/dialect/readings.ts';
import { text } from '../shared/before.ts';
import { diagnose, fixShape, portInFinding, withJointFixes } from '../shared/diagnosis.ts';
import {
  Directory,
  filtersText,
  type Line,
  LineUses,
  lineRow,
  lineRowOf,
  numberOrPortIn,
  type OpenPortIn,
  openPortIn,
  partReader,
  readData,
  readFilters,
  usageShown,
  withoutEmpty,
} from '../shared/directory.ts';
import { e164, out } from '../shared/fields.ts';
import { aheadOf, aheadShape, hasData, headline, isCancelled } from '../shared/line.ts';

/** Largest number of numbers in one call. */
const MOST = 20;
/** Longest list of a subscriber's numbers that a lookup repeats. */
const MOST_HELD = 10;
/** Largest number of records that are asked for together. */
const AT_ONCE = 8;

/** The members that an assistant gets about each number of a batch. The whole answer has five times as many tokens. */
const BRIEF = [
  'Summary',
  'Number.Status',
  'Number.ProductType',
  'Subscriber.Name',
  'Subscriber.Account.CompanyName',
  'DataUsage.Used',
  'DataUsage.Remaining',
  'ReactivateUntil',
  'Scheduled',
  'Waiting',
  'PortIn',
  'Fix.Tool',
  'Missing',
];

export default defineWorkflow({
  id: 'numbers_lookup',
  group: 'numbers',
  title: 'Look up a number',
  description:
    'All about one full number: what is wrong and its Fix first, then state, customer, SIM, data used, dates. PhoneNumbers: short rows of up to 20, with limits. Full adds plan, routes, filters. Only digits or a name: numbers_find.',
  risk: 'read',
  batch: { row: 'PhoneNumber', also: ['PhoneNumbers'], brief: BRIEF },
  input: () => ({
    PhoneNumber: e164.optional(),
    PhoneNumbers: z
      .array(e164)
      .min(1, 'give at least one number')
      .max(MOST, `at most ${MOST} numbers in one call`)
      .optional(),
    Full: z.boolean().optional(),
  }),
  rules: ({ PhoneNumber, PhoneNumbers }) =>
    (PhoneNumber === undefined) === (PhoneNumbers === undefined)
      ? { field: 'PhoneNumber', ofWhole: true, message: 'give either one number, or up to 20 in PhoneNumbers' }
      : undefined,
  output: () => ({
    Summary: out.own,
    Number: out.record({ Number: out.plain, Status: out.plain }),
    Subscriber: out.record({ SubscriberId: out.plain, Name: out.said }),
    DataUsage: out.record({ Used: out.plain, Remaining: out.plain, CurrentBehavior: out.plain }),
    ...aheadShape,
    PortIn: out.record({ OrderId: out.plain, Status: out.plain, CarrierMessage: out.said, Why: out.own }),
    Package: out.record({ PackageId: out.plain, PackageName: out.said, Price: out.plain, SubscriptionId: out.plain }),
    MessageRoute: out.record({ RouteName: out.plain }),
    VoiceRoute: out.record({ RouteName: out.plain }),
    DataLimits: out.record({ LimitValue: out.plain }),
    Filters: out.own,
    CallFilters: out.rows({ FilterId: out.plain }),
    MessageFilters: out.rows({ FilterId: out.plain }),
    Fix: fixShape,
    Numbers: out.rows({ ...lineRow, Summary: out.own, TNID: out.plain, OrderId: out.plain }),
    NotFound: out.texts,
    Missing: z.array(z.string()).optional(),
  }),
  /**
   * Makes at most three platform requests for one number (eleven with Full), and at most one for each number and seven
   * more for a list (with Full nine, routes of other accounts, and three for each subscriber). Missing names the parts
   * that could not be read. For a number that is being ported in, the answer is its order.
   */
  run: async ({ PhoneNumber, PhoneNumbers, Full }, context) => {
    if (PhoneNumber === undefined) return lookUpList([...new Set(PhoneNumbers ?? [])], Full === true, context);
    const { call, history } = context;
    const { number: record, order } = await numberOrPortIn(PhoneNumber, { call, history });
    if (order) {
      const PortIn = {
        PhoneNumber,
        OrderId: order.orderId,
        Status: order.status,
        ...defined({ CarrierMessage: order.message || undefined, Why: order.reason?.words }),
      };
      return { Summary: portInText(order), PortIn, Fix: portInFinding(order).Fix };
    }
    const ahead = await aheadOf(record, history);
    const number = ahead.known;
    const { subscriber, usage, more, missing } = await readParts(number, Full === true, call);
    const held = readTexts(subscriber?.PhoneNumbers) ?? [];
    const isLong = held.length > MOST_HELD;
    const condition = { usage, until: ahead.dates.ReactivateUntil, now: history.now() };
    return {
      Summary: `${headline(number, condition)}${ahead.words}`,
      Number: withoutEmpty(number),
      // A longer list of numbers is counted; `numbers_find` has its rows.
      Subscriber: subscriber
        ? withoutEmpty(isLong ? { ...subscriber, PhoneNumbers: null, PhoneNumbersTotal: held.length } : subscriber)
        : null,
      ...(usage && { DataUsage: withoutEmpty(usageShown(number, usage)) }),
      ...ahead.rows,
      ...more,
      // The one tool that puts the worst trouble right, as far as these records show it.
      ...defined({ Fix: withJointFixes(diagnose({ number, ...condition })).find(({ Fix }) => Fix)?.Fix }),
      ...(missing.length > 0 && { Missing: missing }),
    };
  },
  examples: [{ PhoneNumber: '+12015550101' }, { PhoneNumbers: ['+12015550101', '+12015550103'] }],
});

/** Short rows about several numbers: state, customer, data used and limits; with `full` also plan and routes. */
async function lookUpList(phones: readonly string[], full: boolean, { call, history }: WorkflowContext) {
  const directory = new Directory(call);
  const found: (Fields | undefined)[] = [];
  for (let at = 0; at < phones.length; at += AT_ONCE)
    found.push(...(await Promise.all(phones.slice(at, at + AT_ONCE).map((phone) => directory.number(phone)))));
  const lines = found.flatMap((row): Line[] => (row === undefined ? [] : [{ row }]));
  const { missing, part } = partReader();
  const uses = new LineUses(call);
  const records = lines.map(({ row }) => row);
  const readPeople = async () => directory.readHolders(records).then(() => directory.readAccounts(records));
  await Promise.all([
    full ? part('Plan', uses.readPlans()) : undefined,
    full ? part('Routes', uses.readRoutes(records)) : undefined,
    part('Customer', readPeople()),
    part('Used', readData(lines, 'usage', call)),
    part('LimitValue', readData(lines, 'limits', call)),
    full ? part('Filters', readFilters(lines, call)) : undefined,
  ]);
  const rows = await Promise.all(
    lines.map(async (line) => {
      const own = full ? { TNID: line.row.TNID } : {};
      const { dates, words, known } = await aheadOf(line.row, history);
      // The summary says what the trouble is.
      const { Trouble: _, ...row } = lineRowOf(
        { ...line, dates },
        directory,
        full ? { routes: uses, plans: uses } : {},
      );
      const usage = line.usage && { ...line.usage, LimitValue: line.limits?.LimitValue };
      const condition = { usage, until: dates.ReactivateUntil, now: history.now() };
      return { ...row, Summary: `${headline(known, condition)}${words}`, ...own };
    }),
  );
  const unknown = phones.filter((_phone, at) => found[at] === undefined);
  const ordered = await Promise.all(
    unknown.map(async (phone) => {
      const order = await part('PortIn', openPortIn(phone, { call, history }));
      return order && { Number: phone, Status: 'On order', OrderId: order.orderId, Summary: portInText(order) };
    }),
  );
  const absent = unknown.filter((_phone, at) => ordered[at] === undefined);
  return {
    Numbers: [...rows, ...ordered.filter((row) => row !== undefined)],
    ...(absent.length > 0 ? { NotFound: absent } : {}),
    ...(missing.length > 0 ? { Missing: missing } : {}),
  };
}

function portInText({ rejected, words }: OpenPortIn): string {
  return `Not in service yet: ${rejected ? 'the losing carrier rejected the port-in' : `it is being ported in, and the order is ${words}`}`;
}

/** The parts besides the number's own record. `more`: those of a full answer. */
async function readParts(number: Fields, full: boolean, call: Call) {
  const { missing, part } = partReader();
  const one = { PhoneNumbers: [{ Number: number.Number }] };
  const SubscriberId = text(number.AssignedSubscriberId);
  const [MessageRouteId, CallRouteID] = full ? [text(number.MessageRouteId), text(number.VoiceRouteId)] : [];
  const hasLimits = full && hasData(number) && !isCancelled(number);
  const line: Line = { row: number };
  const [subscriber, used, limits, messageRoute, voiceRoute, plan] = await Promise.all([
    part('Subscriber', SubscriberId === undefined ? undefined : call('subscribers_get', { SubscriberId })),
    part('DataUsage', hasData(number) ? call('numbers_data_usage_info', one) : undefined),
    part('DataLimits', hasLimits ? call('numbers_data_usage_settings', one) : undefined),
    part('MessageRoute', MessageRouteId === undefined ? undefined : call('message_routes_get', { MessageRouteId })),
    part('VoiceRoute', CallRouteID === undefined ? undefined : call('voice_routes_get', { CallRouteID })),
    part('Package', full ? planOf(number, call) : undefined),
    part('Filters', full ? readFilters([line], call) : undefined),
  ]);
  const more = {
    Package: plan ?? null,
    ...(messageRoute && { MessageRoute: { RouteName: messageRoute.RouteName } }),
    ...(voiceRoute && { VoiceRoute: { RouteName: voiceRoute.RouteName } }),
    ...(hasLimits && { DataLimits: recordsIn(limits?.PhoneNumbers)[0] ?? null }),
    ...(line.filters && {
      Filters: filtersText(line.filters),
      CallFilters: line.filters.calls,
      MessageFilters: line.filters.messages,
    }),
  };
  return { subscriber, usage: recordsIn(used?.PhoneNumbers)[0], more: full ? more : {}, missing };
}

/** The package of a line with its subscription; undefined if no active subscription of the account is for it. */
async function planOf(number: Fields, call: Call): Promise<Fields | undefined> {
  const { Results } = await call('account_subscriptions_get', { Filter: 'Active' });
  const own = (row: Fields) => bareNumberId(textOf(row.TNID)) === bareNumberId(textOf(number.TNID));
  const subscription = recordsIn(Results).find(own);
  if (subscription === undefined) return undefined;
  const { PackageId, SubscriptionId, Type } = subscription;
  return { ...(await call('packages_get', { PackageId })), PackageId, SubscriptionId, Type };
}
