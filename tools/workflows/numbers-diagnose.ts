import { type Call, defineWorkflow, type LocalHistory } from '../../src/catalogue/operation.ts';
import { defined, type Fields, recordOf } from '../../src/lib/json.ts';
import { readFlag } from '../../src/platform/dialect/readings.ts';
import { text } from '../shared/before.ts';
import { diagnose, type Evidence, portInFinding } from '../shared/diagnosis.ts';
import { same } from '../shared/directory.ts';
import { choice, e164, out } from '../shared/fields.ts';
import { type Finding, type FoundRoute, findingRow, type Service } from '../shared/filter-findings.ts';
import {
  cancelledUntil,
  hasData,
  headline,
  isCancelled,
  productHas,
  scheduledChanges,
  scheduledText,
} from '../shared/line.ts';
import { type OpenPortIn, portInInstead } from '../shared/port-in-window.ts';
import { waitingOf, waitingRows } from '../shared/waiting.ts';

const SERVICES = { texts: 'sms', calls: 'voice', data: 'data' } as const satisfies Record<string, Service>;

const rowsOf = (answer: Fields | undefined, member: string): Fields[] => {
  const rows = answer?.[member];
  return Array.isArray(rows) ? rows.map(recordOf) : [];
};

export default defineWorkflow({
  id: 'numbers_diagnose',
  group: 'numbers',
  title: 'Why a number cannot send SMS, call or use data',
  description:
    'Finds out why a number cannot text, call or use data: state, services, routes, data limit, port-in, guardian filters. Findings worst first, each with the tool and input that put it right (Needs: fields a person must choose).',
  risk: 'read',
  batch: { row: 'PhoneNumber' },
  input: () => ({
    PhoneNumber: e164,
    About: choice(['texts', 'calls', 'data']).optional(),
  }),
  output: () => ({
    Summary: out.own,
    Number: out.text,
    Findings: out.rows({
      Finding: out.own,
      Affects: out.texts,
      CarrierMessage: out.said,
      Route: out.said,
      LinesOnRoute: out.number,
      Blocked: out.texts,
      Fix: out.record({ Tool: out.own, Input: out.record({}), Needs: out.owns, Does: out.own }),
    }),
    ...waitingRows,
    First: out.own,
    Routes: out.rows({ Service: out.own, Route: out.said, Filters: out.own }),
    NotChecked: out.texts,
    OrderId: out.text,
  }),
  /** Makes at most eight platform requests: one for the number, then seven together. One more if a route is at fault. */
  run: async ({ PhoneNumber, About }, { call, history }) => {
    const only = About === undefined ? undefined : SERVICES[About];
    const answer = await call('numbers_get', { PhoneNumber }).then(
      (number) => ({ number, order: undefined }),
      async (error: unknown) => ({ number: {}, order: await portInInstead(error, PhoneNumber, { call, history }) }),
    );
    if (answer.order) return portingIn(PhoneNumber, answer.order);
    const { number } = answer;
    const { evidence, missed } = await gather(number, PhoneNumber, { call, history });
    const scheduled = scheduledText(await scheduledChanges(PhoneNumber, history, number.Status));
    const waiting = await waitingOf(PhoneNumber, history);
    const all = diagnose(evidence);
    const found = all.filter(({ affects }) => only === undefined || affects.length === 0 || affects.includes(only));
    const routes = await foundRoutes(found, evidence, call);
    // A fault of another service is in the answer, so it is not said that nothing was found.
    const isSound = found.length === 0 && missed.length === 0 && all.every(({ level }) => level === 'note');
    const answered =
      only === undefined ? '' : `${serviceAnswer(only, { number, found: all, isWhole: missed.length === 0 })} `;
    return {
      Summary: `${answered}${headline(number, evidence.usage, evidence)}${scheduled}${waiting.words}.${isSound ? ' Nothing was found that would keep it from working.' : ''}`,
      Number: PhoneNumber,
      Findings: found.map((finding) => findingRow(finding, routes)),
      ...waiting.rows,
      ...firstOf(found),
      ...routesOf(evidence, only),
      ...(missed.length > 0 ? { NotChecked: missed } : {}),
    };
  },
  examples: [{ PhoneNumber: '+12015550110' }, { PhoneNumber: '+12015550107', About: 'texts' }],
});

/** The fix that goes first, if there are several. */
function firstOf(found: readonly Finding[]): Fields {
  const fixes = found.flatMap(({ fix, level }) => (fix && level !== 'note' ? [{ fix, level }] : []));
  const [first, ...others] = fixes;
  if (first === undefined || others.length === 0) return {};
  const words = first.fix.words.replace(/\.$/, '');
  return {
    First:
      first.level === 'dead'
        ? `${words} first: nothing works before. Then put the others right in the order listed.`
        : `${words} first, then the others in the order listed.`,
  };
}

type RouteMember = NonNullable<Finding['route']>;

/** The routes that findings speak of, with their names and the number of lines on them. At most one request. */
async function foundRoutes(
  found: readonly Finding[],
  { number, messageRoute, voiceRoute }: Pick<Evidence, 'number' | 'messageRoute' | 'voiceRoute'>,
  call: Call,
): Promise<{ [member in RouteMember]?: FoundRoute }> {
  const members = [...new Set(found.flatMap(({ route }) => route ?? []))];
  if (members.length === 0) return {};
  const inventory = await call('numbers_inventory_get', { TotalNumbersRequested: ROWS }).catch(() => ({}));
  const rows = rowsOf(inventory, 'PhoneNumbers').filter((row) => !isCancelled(row));
  const isWhole = rows.length > 0 && !(Number((inventory as Fields).TotalResults) > ROWS);
  return Object.fromEntries(
    members.map((member): [RouteMember, FoundRoute] => {
      const id = text(number[member]);
      const name = text((member === 'MessageRouteId' ? messageRoute : voiceRoute)?.RouteName);
      return [member, { name, lines: isWhole ? rows.filter((row) => same(text(row[member]), id)).length : undefined }];
    }),
  );
}

/** Rows of the inventory that one request reads. */
const ROWS = 100;

/** The routes of the line, and whether guardian filters have an effect on them. */
function routesOf(
  { messageRoute, voiceRoute }: Pick<Evidence, 'messageRoute' | 'voiceRoute'>,
  only: Service | undefined,
): Fields {
  const rows = [
    { service: 'sms', name: 'texts', route: messageRoute },
    { service: 'voice', name: 'calls', route: voiceRoute },
  ].flatMap(({ service, name, route }) =>
    route === undefined || (only !== undefined && only !== service)
      ? []
      : [defined({ Service: name, Route: text(route.RouteName), Filters: filtersOf(route) })],
  );
  return rows.length === 0 ? {} : { Routes: rows };
}

/** "yes", or why guardian filters have no effect on a route. */
function filtersOf(route: Fields): string {
  if (readFlag(route.IntelligentRouteEnabled) === false) return 'no: intelligent routing is off';
  const bypassed = [
    ...(readFlag(route.InboundBypass) === true ? ['what comes in'] : []),
    ...(readFlag(route.OutboundBypass) === true ? ['what is sent'] : []),
  ];
  return bypassed.length === 0 ? 'yes' : `yes, but ${bypassed.join(' and ')} bypasses them`;
}

function portingIn(phone: string, order: OpenPortIn): Fields {
  return {
    Summary: `Not in service yet: it is being ported in, and the order is ${order.words}.`,
    Number: phone,
    OrderId: order.orderId,
    Findings: [findingRow(portInFinding(order))],
  };
}

/** Reads the records for a diagnosis. `missed` names those that could not be read. */
async function gather(number: Fields, phone: string, { call, history }: { call: Call; history: LocalHistory }) {
  const missed: string[] = [];
  const read = async (name: string, id: string | undefined, operation: string, input: Fields) => {
    if (id === undefined || isCancelled(number)) return undefined;
    try {
      return await call(operation, input);
    } catch (error) {
      missed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
  const MessageRouteId = text(number.MessageRouteId);
  const CallRouteID = text(number.VoiceRouteId);
  const SubscriberId = text(number.AssignedSubscriberId);
  const [usage, messageRoute, voiceRoute, guardian, calls, messages] = await Promise.all([
    read('data usage', hasData(number) ? phone : undefined, 'numbers_data_usage_info', {
      PhoneNumbers: [{ Number: phone }],
    }),
    read('message route', MessageRouteId, 'message_routes_get', { MessageRouteId }),
    read('voice route', CallRouteID, 'voice_routes_get', { CallRouteID }),
    read('guardian filtering', SubscriberId, 'subscribers_guardian_features_get', { SubscriberId }),
    read('call filters', SubscriberId, 'subscribers_call_filter_get', { Phone: phone }),
    read('message filters', SubscriberId, 'subscribers_message_filter_get', { Phone: phone }),
  ]);
  const evidence = {
    number,
    usage: rowsOf(usage, 'PhoneNumbers')[0],
    messageRoute,
    voiceRoute,
    guardian,
    callFilters: rowsOf(calls, 'Results'),
    messageFilters: rowsOf(messages, 'Results'),
    until: await cancelledUntil(phone, number, history),
    now: history.now(),
  };
  return { evidence, missed };
}

const NAMES: Readonly<Record<Service, string>> = { sms: 'Texts', voice: 'Calls', data: 'Data' };
const OTHERS: readonly Service[] = ['sms', 'voice', 'data'];

/**
 * Answers a question about one service first: "Texts work. Calls: voice is turned off for this number." The words quote
 * nothing from outside.
 *
 * @param found every finding, also about other services
 * @param isWhole false if a record could not be read
 */
function serviceAnswer(asked: Service, line: { number: Fields; found: readonly Finding[]; isWhole: boolean }): string {
  const { number, found, isWhole } = line;
  const worst = (service: Service) => found.find(({ level, affects }) => level !== 'note' && affects.includes(service));
  const main = worst(asked);
  const others = OTHERS.flatMap((service) => {
    const finding = service === asked ? undefined : worst(service);
    return finding === undefined || finding === main ? [] : [`${NAMES[service]}: ${lower(finding.words)}`];
  });
  return [ownAnswer(asked, number, main, isWhole), ...new Set(others)].join(' ');
}

function ownAnswer(asked: Service, number: Fields, worst: Finding | undefined, isWhole: boolean): string {
  const name = NAMES[asked];
  const isPlural = name.endsWith('s');
  if (worst !== undefined && worst.level !== 'limits') return `${name} ${isPlural ? 'do' : 'does'} not work.`;
  if (asked === 'data' ? !hasData(number) : productHas(number, asked) === false)
    return `${name}: this line has none by its product.`;
  const works = `${name} ${isPlural ? 'work' : 'works'}`;
  if (worst !== undefined) return `${works}, but not without limits.`;
  return isWhole ? `${works}.` : `${works} as far as could be checked.`;
}

function lower(words: string): string {
  return /^[A-Z][a-z]/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}
