import * as z from 'zod';
import { type Call, defineWorkflow, type WorkflowContext } from '../../src/catalogue/operation.ts';
import { defined, type Fields, recordsIn, textOf } from '../../src/lib/json.ts';
import { bareNumberId } from '../../src/platform/dialect/number-lists.ts';
import { text } from '../shared/before.ts';
import { diagnose, type Evidence, fixRow, fixShape, portInFinding } from '../shared/diagnosis.ts';
import { Directory } from '../shared/directory.ts';
import { e164, out } from '../shared/fields.ts';
import { aheadOf, aheadShape, cancelledUntil, hasData, headline, isCancelled } from '../shared/line.ts';
import { type Line, LineUses, lineRow, lineRowOf, readLimits, readUsage } from '../shared/line-uses.ts';
import { numberOrPortIn, type OpenPortIn } from '../shared/port-in-window.ts';

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
  title: 'Look a number up',
  description:
    'All about one full number: what is wrong and its Fix first, then state, subscriber, account, SIM, data used, last day for a reactivation. PhoneNumbers: short rows of up to 20, with data used and limits. Full adds plan, routes, filters. Only digits or a name: numbers_find. Why it fails: numbers_diagnose.',
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
      ? { field: 'PhoneNumber', message: 'give one number, or a list of up to 20 in PhoneNumbers' }
      : undefined,
  output: () => ({
    Summary: out.own,
    Number: out.record({ Number: out.text, Status: out.text }),
    Subscriber: out.record({ SubscriberId: out.text, Name: out.said }),
    DataUsage: out.record({ Used: out.text, Remaining: out.text, CurrentBehavior: out.text }),
    ReactivateUntil: out.text,
    ...aheadShape,
    PortIn: out.record({ OrderId: out.text, Status: out.text, CarrierMessage: out.said, Why: out.own }),
    Package: out.record({ PackageId: out.text, PackageName: out.said, Price: out.number, SubscriptionId: out.text }),
    MessageRoute: out.record({ RouteName: out.text }),
    VoiceRoute: out.record({ RouteName: out.text }),
    DataLimits: out.record({ LimitValue: out.number }),
    CallFilters: out.rows({ FilterId: out.text }),
    Fix: fixShape,
    Next: out.own,
    Numbers: out.rows({ ...lineRow, Summary: out.own, TNID: out.text }),
    NotFound: out.texts,
    Missing: z.array(z.string()).optional(),
  }),
  /**
   * Makes at most three platform requests for one number (nine with Full), and at most one for each number and seven
   * more for a list (nine and routes of other accounts with Full). Missing names the parts that could not be read. For a number that is being ported in, the answer is its
   * order.
   */
  run: async ({ PhoneNumber, PhoneNumbers, Full }, context) => {
    if (PhoneNumber === undefined) return lookUpList([...new Set(PhoneNumbers ?? [])], Full === true, context);
    const { call, tell, history } = context;
    const { number, order } = await numberOrPortIn(PhoneNumber, { call, history });
    if (order) return beingPortedIn(PhoneNumber, order);
    const shown = withoutEmpty(withoutRepeats(number));
    tell({ Number: shown });
    const now = history.now();
    const until = await cancelledUntil(number, history);
    const ahead = await aheadOf(number, history);
    const { missing, ...parts } = await readParts(number, PhoneNumber, { full: Full === true, call });
    const usage = usageOf(number, parts.usage);
    return {
      Summary: `${headline(number, { usage, until, now })}${ahead.words}`,
      Number: shown,
      Subscriber: parts.subscriber ? withoutEmpty(holderOf(parts.subscriber)) : null,
      ...defined({ DataUsage: usage && withoutEmpty(usage, 'Number'), ReactivateUntil: until }),
      ...ahead.rows,
      ...(Full && fullOf(number, parts)),
      ...defined({ Fix: fixOf({ number, usage, until, now }) }),
      ...(missing.length > 0 && { Missing: missing }),
    };
  },
  examples: [{ PhoneNumber: '+12015550101' }, { PhoneNumbers: ['+12015550101', '+12015550103'] }],
});

/** Short rows about several numbers: state, customer, data used and limits; with `full` also plan and routes. */
async function lookUpList(
  phones: readonly string[],
  full: boolean,
  { call, history }: WorkflowContext,
): Promise<Fields> {
  const directory = new Directory(call);
  const found: (Fields | undefined)[] = [];
  for (let at = 0; at < phones.length; at += AT_ONCE)
    found.push(...(await Promise.all(phones.slice(at, at + AT_ONCE).map((phone) => directory.number(phone)))));
  const lines = found.flatMap((row): Line[] => (row === undefined ? [] : [{ row }]));
  const missing: string[] = [];
  const part = (name: string, reading: Promise<void>) =>
    reading.catch((error: unknown) => {
      missing.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    });
  const uses = new LineUses(call);
  const records = lines.map(({ row }) => row);
  await Promise.all([
    full ? part('Plan', uses.readPlans()) : undefined,
    full ? part('Routes', uses.readRoutes(records)) : undefined,
    part(
      'Customer',
      directory.readHolders(records).then(() => directory.readAccounts(records)),
    ),
    part('Used', readUsage(lines, call)),
    part('LimitValue', readLimits(lines, call)),
  ]);
  const rows = await Promise.all(
    lines.map(async (line) => {
      const until = await cancelledUntil(line.row, history);
      const own = full ? { TNID: line.row.TNID } : {};
      // The summary says what the trouble is.
      const { Trouble: _, ...row } = lineRowOf(line, directory, full ? { routes: uses, plans: uses } : {});
      const { words } = await aheadOf(line.row, history);
      const Summary = `${headline(line.row, { usage: line.usage, until, now: history.now() })}${words}`;
      return { ...row, Summary, ...own };
    }),
  );
  const absent = phones.filter((_phone, at) => found[at] === undefined);
  return {
    Numbers: rows,
    ...(absent.length > 0 ? { NotFound: absent } : {}),
    ...(missing.length > 0 ? { Missing: missing } : {}),
  };
}

/** A subscriber with a short list of numbers. A longer one is counted; `numbers_find` has its rows. */
function holderOf(subscriber: Fields): Fields {
  const { PhoneNumbers, ...rest } = subscriber;
  if (!Array.isArray(PhoneNumbers) || PhoneNumbers.length <= MOST_HELD) return subscriber;
  return { ...rest, PhoneNumbersTotal: PhoneNumbers.length };
}

/** A number's record without the members that repeat the number or its id under another name. */
function withoutRepeats(number: Fields): Fields {
  const { PhoneNumber, PhoneNumberAssigned, PhoneNumberId, ...rest } = number;
  const shown = { PhoneNumber, PhoneNumberAssigned, PhoneNumberId };
  const kept = Object.entries(shown).filter(
    ([, value]) => value !== undefined && value !== rest.Number && value !== rest.TNID,
  );
  return { ...rest, ...Object.fromEntries(kept) };
}

/** A record without members that say nothing. `repeated`: a member that another record of the answer has. */
function withoutEmpty(record: Fields, repeated = ''): Fields {
  return Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) => value !== null && value !== '' && name !== 'Successful' && name !== repeated,
    ),
  );
}

function beingPortedIn(phone: string, order: OpenPortIn): Fields {
  const { orderId, status, words, rejected, message, reason } = order;
  const { fix } = portInFinding(order);
  return {
    Summary: rejected
      ? 'Not in service yet: the losing carrier rejected the port-in'
      : `Not in service yet: it is being ported in, and the order is ${words}`,
    PortIn: {
      PhoneNumber: phone,
      OrderId: orderId,
      Status: status,
      ...(message === '' ? {} : { CarrierMessage: message }),
      ...(reason ? { Why: reason.words } : {}),
    },
    ...(rejected && fix ? { Fix: fixRow(fix) } : {}),
    Next: rejected
      ? 'numbers_portin_update corrects the order and submits it again.'
      : 'numbers_order_get shows the order; look at most once a day.',
  };
}

/** The parts besides the number's own record. */
interface Parts {
  subscriber: Fields | undefined;
  usage: Fields | undefined;
  limits: Fields | undefined;
  filters: Fields | undefined;
  messageRoute: Fields | undefined;
  voiceRoute: Fields | undefined;
  subscription: Fields | undefined;
  package: Fields | undefined;
}

async function readParts(number: Fields, phone: string, { full, call }: { full: boolean; call: Call }) {
  const missing: string[] = [];
  const part = async (name: string, wanted: boolean, operation: string, input: Fields) => {
    if (!wanted) return undefined;
    try {
      return await call(operation, input);
    } catch (error) {
      missing.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
  const one = { PhoneNumbers: [{ Number: phone }] };
  const SubscriberId = text(number.AssignedSubscriberId);
  const data = hasData(number);
  const MessageRouteId = text(number.MessageRouteId);
  const CallRouteID = text(number.VoiceRouteId);
  const [subscriber, usage, limits, filters, messageRoute, voiceRoute, subscriptions] = await Promise.all([
    part('Subscriber', SubscriberId !== undefined, 'subscribers_get', { SubscriberId }),
    part('DataUsage', data, 'numbers_data_usage_info', one),
    part('DataLimits', full && data && !isCancelled(number), 'numbers_data_usage_settings', one),
    part('CallFilters', full, 'subscribers_call_filter_get', { Phone: phone }),
    part('MessageRoute', full && MessageRouteId !== undefined, 'message_routes_get', { MessageRouteId }),
    part('VoiceRoute', full && CallRouteID !== undefined, 'voice_routes_get', { CallRouteID }),
    part('Package', full, 'account_subscriptions_get', { Filter: 'Active' }),
  ]);
  const subscription = recordsIn(subscriptions?.Results).find(
    (row) => bareNumberId(textOf(row.TNID)) === bareNumberId(textOf(number.TNID)),
  );
  const PackageId = text(subscription?.PackageId);
  const found = await part('Package', PackageId !== undefined, 'packages_get', { PackageId });
  const parts: Parts = { subscriber, usage, limits, filters, messageRoute, voiceRoute, subscription, package: found };
  return { ...parts, missing };
}

/** The usage of a line. A cancelled line uses no data, so the behaviour of its data is left out. */
function usageOf(number: Fields, answer: Fields | undefined): Fields | undefined {
  const row = recordsIn(answer?.PhoneNumbers)[0];
  if (row === undefined || !isCancelled(number)) return row;
  const { CurrentBehavior: _, ...rest } = row;
  return rest;
}

function fullOf(number: Fields, parts: Parts): Fields {
  const { limits, filters, messageRoute, voiceRoute, subscription, package: found } = parts;
  return {
    Package: subscription
      ? {
          ...(found ?? {}),
          PackageId: subscription.PackageId,
          SubscriptionId: subscription.SubscriptionId,
          Type: subscription.Type,
        }
      : null,
    ...(messageRoute ? { MessageRoute: { RouteName: messageRoute.RouteName } } : {}),
    ...(voiceRoute ? { VoiceRoute: { RouteName: voiceRoute.RouteName } } : {}),
    ...(hasData(number) && !isCancelled(number) ? { DataLimits: recordsIn(limits?.PhoneNumbers)[0] ?? null } : {}),
    CallFilters: recordsIn(filters?.Results),
  };
}

/** The one tool that puts the worst trouble right, as far as these records show it. */
function fixOf(evidence: Evidence): Fields | undefined {
  const worst = diagnose(evidence).find(({ fix }) => fix !== undefined);
  return worst?.fix && fixRow(worst.fix);
}
