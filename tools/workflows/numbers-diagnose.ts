import { type Call, defineWorkflow } from '../../src/catalogue/operation.ts';
import { defined, type Fields, recordsIn } from '../../src/lib/values.ts';
import { text } from '../shared/before.ts';
import {
  diagnose,
  type Evidence,
  type Finding,
  fixShape,
  portInFinding,
  type Service,
  withJointFixes,
} from '../shared/diagnosis.ts';
import { numberOrPortIn, partReader } from '../shared/directory.ts';
import { choice, e164, out } from '../shared/fields.ts';
import { aheadOf, aheadShape, hasData, headline, isCancelled, productHas } from '../shared/line.ts';

const SERVICES = { texts: 'sms', calls: 'voice', data: 'data' } as const satisfies Record<string, Service>;

export default defineWorkflow({
  id: 'numbers_diagnose',
  group: 'numbers',
  title: 'Why it does not work',
  description:
    'Finds out why a number cannot text, call or use data. Findings worst first, with the tool and input that mends them (Needs: fields a person must choose).',
  risk: 'read',
  batch: { row: 'PhoneNumber' },
  input: () => ({
    PhoneNumber: e164,
    About: choice(['texts', 'calls', 'data']).optional(),
  }),
  output: () => ({
    Summary: out.own,
    Number: out.plain,
    Findings: out.rows({
      Finding: out.own,
      Affects: out.texts,
      CarrierMessage: out.said,
      Route: out.said,
      Blocked: out.texts,
      Fix: fixShape,
    }),
    ...aheadShape,
    NotChecked: out.texts,
    OrderId: out.plain,
  }),
  /** Makes at most seven platform requests: one for the number, then six together. */
  run: async ({ PhoneNumber, About }, { call, history }) => {
    const { number: record, order } = await numberOrPortIn(PhoneNumber, { call, history });
    if (order)
      return {
        Summary: `Not in service yet: it is being ported in, and the order is ${order.words}.`,
        Number: PhoneNumber,
        OrderId: order.orderId,
        Findings: [shown(portInFinding(order))],
      };
    const ahead = await aheadOf(record, history);
    const number = ahead.known;
    const condition = { until: ahead.dates.ReactivateUntil, now: history.now() };
    const { evidence, missed } = await gather(number, PhoneNumber, condition, call);
    const all = diagnose(evidence);
    const only = About === undefined ? undefined : SERVICES[About];
    const found = all.filter(({ Affects }) => only === undefined || Affects.length === 0 || Affects.includes(only));
    // A fault of another service is in the answer, so it is not said that nothing was found.
    const isSound = found.length === 0 && missed.length === 0 && all.every(({ level }) => level === 'note');
    const head = headline(number, evidence);
    const answer = only === undefined ? '' : serviceAnswer(only, number, all, missed.length === 0);
    // The headline may begin with the same words.
    const isSaid = answer === '' || head.startsWith(answer.slice(0, -1));
    return {
      Summary: `${isSaid ? '' : `${answer} `}${head}${ahead.words}.${isSound ? ' Nothing was found that would keep it from working.' : ''}`,
      Number: PhoneNumber,
      Findings: withJointFixes(found).map(shown),
      ...ahead.rows,
      ...(missed.length > 0 && { NotChecked: missed }),
    };
  },
  examples: [{ PhoneNumber: '+12015550110' }, { PhoneNumber: '+12015550107', About: 'texts' }],
});

/** A finding as the answer has it. Its severity is its place. */
const shown = ({ level: _level, ...finding }: Finding): Fields => defined(finding);

/** Reads the records for a diagnosis. `missed` names those that could not be read. */
async function gather(number: Fields, phone: string, condition: Pick<Evidence, 'until' | 'now'>, call: Call) {
  const { missing: missed, part } = partReader();
  const read = (name: string, id: string | undefined, operation: string, input: Fields) =>
    part(name, id === undefined || isCancelled(number) ? undefined : call(operation, input));
  const MessageRouteId = text(number.MessageRouteId);
  const CallRouteID = text(number.VoiceRouteId);
  const SubscriberId = text(number.AssignedSubscriberId);
  const own = { PhoneNumbers: [{ Number: phone }] };
  const [usage, messageRoute, voiceRoute, guardian, calls, messages] = await Promise.all([
    read('data usage', hasData(number) ? phone : undefined, 'numbers_data_usage_info', own),
    read('message route', MessageRouteId, 'message_routes_get', { MessageRouteId }),
    read('voice route', CallRouteID, 'voice_routes_get', { CallRouteID }),
    read('guardian filtering', SubscriberId, 'subscribers_guardian_features_get', { SubscriberId }),
    read('call filters', SubscriberId, 'subscribers_call_filter_get', { Phone: phone }),
    read('message filters', SubscriberId, 'subscribers_message_filter_get', { Phone: phone }),
  ]);
  const evidence: Evidence = {
    number,
    usage: recordsIn(usage?.PhoneNumbers)[0],
    ...defined({ messageRoute, voiceRoute, guardian }),
    callFilters: recordsIn(calls?.Results),
    messageFilters: recordsIn(messages?.Results),
    ...condition,
  };
  return { evidence, missed };
}

const NAMES: Readonly<Record<Service, [string, string, string]>> = {
  sms: ['Texts', 'do not work', 'work'],
  voice: ['Calls', 'do not work', 'work'],
  data: ['Data', 'does not work', 'works'],
};

/** Answers a question about one service: "Texts work, but not without limits." `isWhole`: all records were read. */
function serviceAnswer(asked: Service, number: Fields, found: readonly Finding[], isWhole: boolean): string {
  const [name, not, works] = NAMES[asked];
  const worst = found.find(({ level, Affects }) => level !== 'note' && Affects.includes(asked));
  if (worst !== undefined && worst.level !== 'limits') return `${name} ${not}.`;
  if (asked === 'data' ? !hasData(number) : productHas(number, asked) === false)
    return `${name}: this line has none by its product.`;
  if (worst !== undefined) return `${name} ${works}, but not without limits.`;
  return `${name} ${works}${isWhole ? '' : ' as far as could be checked'}.`;
}
