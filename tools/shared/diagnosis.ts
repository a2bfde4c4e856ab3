import { defined, type Fields, textOf } from '../../src/lib/json.ts';
import { readFlag, readTexts } from '../../src/platform/dialect/readings.ts';
import { CANCELLED, PENDING_DELETE, text } from './before.ts';
import { out } from './fields.ts';
import { flaggedWords } from './keywords.ts';
import {
  dataState,
  hasData,
  hasNoSim,
  isCancelled,
  isNearlyUsedUp,
  kindOf,
  mismatch,
  productHas,
  reactivatedWhen,
  type ServiceFault,
  serviceFaults,
  stateOf,
  todayIn,
  usedText,
} from './line.ts';
import type { OpenPortIn } from './port-in-window.ts';

/*
 * Finds the causes that keep a number from texting, calling or using data. Each finding is one sentence with the one tool
 * that fixes it. These are pure functions over the records that were read. The words quote nothing from outside.
 */

/** The records on which a diagnosis is based; undefined for one that does not exist or could not be read. */
export interface Evidence {
  number: Fields;
  usage: Fields | undefined;
  messageRoute?: Fields | undefined;
  voiceRoute?: Fields | undefined;
  guardian?: Fields | undefined;
  callFilters?: readonly Fields[];
  messageFilters?: readonly Fields[];
  /** The last moment for a reactivation, ISO 8601. */
  until: string | undefined;
  now: Date;
}

export type Service = 'sms' | 'voice' | 'data';
const ALL: readonly Service[] = ['sms', 'voice', 'data'];

/** Severity of a finding: nothing works, one service stops, part of it may be held back, or a note. */
const LEVELS = ['dead', 'stops', 'limits', 'note'] as const;
type Level = (typeof LEVELS)[number];

export interface Finding {
  level: Level;
  affects: readonly Service[];
  words: string;
  /** The carrier's message, which is text from outside. */
  quoted?: string;
  /** The name of the route that it speaks of. */
  route?: string | undefined;
  /** The numbers that a filter blocks. */
  blocked?: readonly string[];
  fix?: Fix;
}

/** The tool that fixes a cause, and the role that confirms it. `needs`: required fields that a person must choose. */
interface Fix {
  tool: string;
  input: Fields;
  does: string;
  needs?: readonly string[];
  by?: 'operator' | 'approver';
}

/** The findings, the worst first. One tool that mends several is one fix with the fields of all, at the first of them. */
export function diagnose(evidence: Evidence): Finding[] {
  // For a cancelled line, no other cause matters. A parked line keeps its other faults when it is activated.
  const rest = isCancelled(evidence.number)
    ? []
    : [...services(evidence), ...routes(evidence), ...bindings(evidence), ...data(evidence), ...filters(evidence)];
  const found = [...stateFindings(evidence), ...rest].sort(
    // Among findings of one level, the one that affects more services comes first.
    (a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) || b.affects.length - a.affects.length,
  );
  const kept: Finding[] = [];
  for (const finding of found) {
    const { fix } = finding;
    const at = fix ? kept.findIndex((one) => one.fix !== undefined && mendsToo(one.fix, fix)) : -1;
    const first = kept[at]?.fix;
    if (!fix || !first) {
      kept.push(finding);
      continue;
    }
    const needs = [...(first.needs ?? []), ...(fix.needs ?? [])];
    kept[at] = {
      ...(kept[at] as Finding),
      fix: {
        ...first,
        input: { ...first.input, ...fix.input },
        does: `${first.does} ${fix.does}`,
        ...(needs.length > 0 && { needs: [...new Set(needs)] }),
        ...((first.by ?? fix.by) && { by: first.by === 'approver' ? 'approver' : (fix.by ?? 'operator') }),
      },
    };
    const { fix: _merged, ...words } = finding;
    kept.push(words);
  }
  return kept;
}

/** True if a change of the same record can do both. The lists of a filter are changed by numbers that differ. */
function mendsToo(one: Fix, other: Fix): boolean {
  const clash = Object.keys(one.input).some(
    (name) => name in other.input && textOf(one.input[name]) !== textOf(other.input[name]),
  );
  return one.tool === other.tool && !clash && /_update$|features_set$/.test(one.tool);
}

function stateFindings({ number, until, now }: Evidence): Finding[] {
  const phone = textOf(number.Number);
  const state = stateOf(number);
  const dead = { level: 'dead', affects: ALL } as const;
  if (state === PENDING_DELETE)
    return [
      {
        ...dead,
        words: `The number is cancelled, so nothing works. It can be reactivated ${reactivatedWhen(until, now)}.`,
        fix: {
          tool: 'numbers_reactivate',
          input: defined({ PhoneNumber: phone, AccountId: text(number.AccountId) }),
          does: 'Reactivate it for 5 USD.',
          by: 'approver',
        },
      },
    ];
  if (state === CANCELLED)
    return [
      {
        ...dead,
        words: 'The number is Cancelled and was released for good. It cannot come back.',
        fix: {
          tool: 'numbers_availability',
          input: { MessageEnabled: true, VoiceEnabled: true },
          does: 'See where other numbers can be bought.',
        },
      },
    ];
  if (state === 'parked')
    return [
      {
        ...dead,
        words: 'The number is Parked: service is paused until it is activated.',
        fix: {
          tool: 'numbers_status',
          input: { StatusChange: 'activate', PhoneNumbers: [{ Number: phone }], EffectiveDate: todayIn(now) },
          does: 'Activate it.',
          by: 'approver',
        },
      },
    ];
  if (state === 'active' || state === '') return [];
  return [
    {
      level: 'stops',
      affects: ALL,
      words: 'The number is in a state that is not Active. Ask the platform what it means.',
      fix: { tool: 'numbers_get', input: { PhoneNumber: phone }, does: 'Read the record: Status names the state.' },
    },
  ];
}

/** A change of the number's record. What only switches a service on is an operator's. */
function update(number: Fields, does: string, input: Fields, needs?: readonly string[]): Fix {
  const isOn = Object.keys(input).every((name) => input[name] === true) && needs === undefined;
  return {
    tool: 'numbers_update',
    input: { Number: text(number.Number), ...input },
    does,
    ...(needs && { needs }),
    by: isOn ? 'operator' : 'approver',
  };
}

/** The words and the fix of each fault of a service that the line's own record shows. */
function services({ number }: Evidence): Finding[] {
  const right = mismatch(number);
  const noRoute = text(number.VoiceRouteId) === undefined ? ['VoiceRouteId'] : undefined;
  const faults: Readonly<Record<string, [string, Fix]>> = {
    'sms product': [
      'The product of this line has no SMS.',
      update(number, 'Change the product of the line.', { ProductType: 'sms+data+voice' }),
    ],
    'sms off': ['SMS is turned off for this number.', update(number, 'Turn SMS on.', { MessageEnabled: true })],
    'sms route': [
      'The number has no message route: inbound messages have nowhere to go, and texting does not work.',
      update(number, 'Give it a message route of its account.', {}, ['MessageRouteId']),
    ],
    'sms type': [
      `A line of the kind ${kindOf(number)} carries ${right} messages only, and this one is set to another type.`,
      update(number, `Set the message type to ${right}.`, { MessageType: right }),
    ],
    'voice off': [
      'Voice is turned off for this number.',
      update(number, 'Turn voice on.', { VoiceEnabled: true }, noRoute),
    ],
    'voice route': [
      'The number has no voice route: calls have nowhere to go.',
      update(number, 'Give it a voice route of its account.', {}, ['VoiceRouteId']),
    ],
  };
  const found = serviceFaults(number).flatMap(({ service, cause }: ServiceFault): Finding[] => {
    const [words, fix] = faults[`${service} ${cause}`] ?? [];
    return words === undefined || fix === undefined ? [] : [{ level: 'stops', affects: [service], words, fix }];
  });
  const none = productHas(number, 'voice') === false ? [noneBy('voice', 'calls')] : [];
  return [...found, ...none];
}

function noneBy(service: Service, what: string): Finding {
  return { level: 'note', affects: [service], words: `This line has no ${what} by its product, so none are expected.` };
}

function routes({ messageRoute, voiceRoute, number }: Evidence): Finding[] {
  const found: Finding[] = [];
  if (readFlag(messageRoute?.MessageRouteEnabled) === false)
    found.push({
      level: 'stops',
      affects: ['sms'],
      words: 'The message route of the number is switched off, for every number on it.',
      route: text(messageRoute?.RouteName),
      fix: {
        tool: 'message_routes_update',
        input: { MessageRouteId: text(number.MessageRouteId), MessageRouteEnabled: true },
        does: 'Switch the route on.',
        by: 'operator',
      },
    });
  const off = voiceRoute && voiceRouteOff(voiceRoute);
  if (off)
    found.push({
      level: 'stops',
      affects: ['voice'],
      words: off.words,
      route: text(voiceRoute.RouteName),
      fix: off.on
        ? {
            tool: 'voice_routes_update',
            input: { CallRouteId: text(number.VoiceRouteId), ...off.on },
            does: 'Switch it on.',
            by: 'RouteEnabled' in off.on ? 'operator' : 'approver',
          }
        : update(number, 'Give the number another voice route.', {}, ['VoiceRouteId']),
    });
  return found;
}

/** The reason why a voice route carries no call, and what switches it on if it has where to send calls. */
function voiceRouteOff(route: Fields): { words: string; on?: Fields } | undefined {
  if (readFlag(route.RouteEnabled) === false)
    return {
      words: 'The voice route of the number is switched off, for every number on it.',
      on: { RouteEnabled: true },
    };
  const type = text(route.RouteType)?.toLowerCase();
  const trunks = [1, 2].map((n) => ({
    member: `TrunkEnabled${n}`,
    isSet: text(route[`TrunkIp${n}`] ?? route[`TrunkUri${n}`]) !== undefined,
    isOn: readFlag(route[`TrunkEnabled${n}`]),
  }));
  // A trunk whose record does not say whether it is on may carry calls.
  const isOff = trunks.some(({ isOn }) => isOn === false) && trunks.every((one) => !one.isSet || one.isOn === false);
  if (!isOff || (type !== undefined && type !== 'trunk')) return undefined;
  const set = trunks.filter(({ isSet }) => isSet);
  return {
    words: 'No trunk of the voice route is switched on, so calls of every number on it go nowhere.',
    ...(set.length > 0 && { on: Object.fromEntries(set.map(({ member }) => [member, true])) }),
  };
}

function bindings({ number }: Evidence): Finding[] {
  const found: Finding[] = [];
  if (hasNoSim(number))
    found.push({
      level: 'stops',
      affects: ALL,
      words: 'No SIM is bound to this mobile line, so no phone can use it.',
      fix: update(number, 'Bind a SIM.', {}, ['Iccid']),
    });
  if (text(number.AssignedSubscriberId) === undefined)
    found.push({
      level: 'note',
      affects: [],
      words: 'No subscriber holds the number. Filters and subscriptions need one.',
      fix: update(number, 'Bind a subscriber.', {}, ['AssignedSubscriberId']),
    });
  return found;
}

function data({ number, usage }: Evidence): Finding[] {
  if (!hasData(number)) return [noneBy('data', 'data')];
  const state = dataState(usage);
  // A parked line has no data that could work.
  if (state === 'normal' && (!isNearlyUsedUp(usage) || stateOf(number) === 'parked')) return [];
  const used = usedText(usage) ?? 'its usage is not known';
  const [level, words, field, does] = {
    stopped: ['stops', `Data is stopped at its limit: ${used}.`, 'LimitValue', 'Set a higher limit.'],
    slowed: ['limits', `Data is slowed down: ${used}.`, 'ThrottleValue', 'Slow down later.'],
    normal: ['note', `Data works but is nearly used up: ${used}.`, 'LimitValue', 'Set a higher limit.'],
  }[state] as [Level, string, string, string];
  const fix: Fix = {
    tool: 'numbers_data_usage_set',
    input: { PhoneNumbers: [{ Number: text(number.Number) }] },
    needs: [field],
    does,
    by: 'operator',
  };
  return [{ level, affects: ['data'], words, fix }];
}

/** The words and tools of the filters of one kind of traffic. */
const KINDS = [
  {
    service: 'sms',
    noun: 'message',
    feature: 'EnableIntelligentGuardianMessages',
    id: 'MessageFilterId',
    lists: 'subscribers_message_filter',
    allow: 'allowed_contacts_add',
    unblock: 'blocked_contacts_remove',
    entries: 'Contacts',
    blocked: 'BlockedContacts',
  },
  {
    service: 'voice',
    noun: 'call',
    feature: 'EnableIntelligentGuardianCalls',
    id: 'CallFilterId',
    lists: 'subscribers_call_filter',
    allow: 'allowed_numbers_add',
    unblock: 'blocked_numbers_remove',
    entries: 'Numbers',
    blocked: 'BlockedNumbers',
  },
] as const;

/** Guardian filters that may hold back traffic of a line without faults. Filters without effect are notes. */
function filters(evidence: Evidence): Finding[] {
  return KINDS.flatMap((kind) => {
    const all = (kind.service === 'sms' ? evidence.messageFilters : evidence.callFilters) ?? [];
    const active = all.filter(({ FilterMode }) => !/^inactive$/i.test(textOf(FilterMode)));
    const applying = active.filter((filter) => directionsOf(filter).length > 0);
    // A filter without a direction says something only where no other one applies.
    return (applying.length > 0 ? applying : active).map((filter) => filterFinding(filter, kind, evidence));
  });
}

/** The directions that a filter covers. */
function directionsOf({ ApplyToInbound, ApplyToOutbound }: Fields): ('Inbound' | 'Outbound')[] {
  const applies = (flag: unknown) => flag !== undefined && flag !== null && readFlag(flag) !== false;
  return [
    ...(applies(ApplyToInbound) ? (['Inbound'] as const) : []),
    ...(applies(ApplyToOutbound) ? (['Outbound'] as const) : []),
  ];
}

function filterFinding(filter: Fields, kind: (typeof KINDS)[number], evidence: Evidence): Finding {
  const { number, guardian, messageRoute, voiceRoute } = evidence;
  const { service, noun, feature } = kind;
  const SubscriberId = text(filter.SubscriberId) ?? text(number.AssignedSubscriberId);
  const route = service === 'sms' ? messageRoute : voiceRoute;
  const covered = directionsOf(filter);
  const open = covered.filter((one) => service !== 'sms' || readFlag(messageRoute?.[`${one}Bypass`]) !== true);
  const note = (why: string, fix: Fix): Finding => ({
    level: 'note',
    affects: [service],
    words: `A ${noun} filter exists and has no effect: ${why}.`,
    route: text(route?.RouteName),
    fix,
  });
  const onRoute = (does: string, settings: Fields): Fix => ({
    tool: 'message_routes_update',
    input: { MessageRouteId: text(number.MessageRouteId), ...settings },
    does,
    by: 'operator',
  });
  if (readFlag(guardian?.[feature]) === false)
    return note(`guardian filtering of ${noun}s is off for the subscriber`, {
      tool: 'subscribers_guardian_features_set',
      input: { SubscriberId, [feature]: true },
      does: 'Turn guardian filtering on, if the subscriber is to be protected.',
      by: 'operator',
    });
  if (readFlag(route?.IntelligentRouteEnabled) === false)
    return note(
      `intelligent routing is off for the ${service === 'sms' ? 'message' : 'voice'} route of the number`,
      service === 'sms'
        ? onRoute('Turn intelligent routing on, for every number on the route.', { IntelligentRouteEnabled: true })
        : update(number, 'Give the number a voice route with intelligent routing.', {}, ['VoiceRouteId']),
    );
  if (covered.length === 0)
    return note('it covers neither direction', {
      tool: `${kind.lists}_create`,
      input: { SubscriberId, Phone: text(number.Number), FilterMode: filter.FilterMode, ApplyToInbound: true },
      does: 'Create one that covers a direction.',
      by: 'operator',
    });
  if (open.length === 0)
    return note(
      'the message route of the number bypasses it',
      onRoute(
        'Stop bypassing filters, for every number on the route.',
        Object.fromEntries(covered.map((one) => [`${one}Bypass`, false])),
      ),
    );
  const blocked = readTexts(filter[kind.blocked]) ?? [];
  const direction =
    open.length === 2 ? 'in both directions' : open[0] === 'Inbound' ? 'of what comes in' : 'of what is sent';
  const held = /^monitor_only$/i.test(textOf(filter.FilterMode)) ? 'reports' : 'holds back';
  const input = { SubscriberId, [kind.id]: text(filter.FilterId) };
  return {
    level: 'limits',
    affects: [service],
    words: `A ${noun} filter ${held}, ${direction}: ${heldBack(filter, kind, blocked).join(', ')}.`,
    ...(blocked.length > 0 && { blocked }),
    fix:
      blocked.length > 0
        ? {
            tool: `${kind.lists}_${kind.unblock}`,
            input,
            needs: [kind.entries],
            does: 'Unblock the number.',
            by: 'approver',
          }
        : {
            tool: `${kind.lists}_${kind.allow}`,
            input,
            needs: [kind.entries],
            does: 'Allow the number.',
            by: 'operator',
          },
  };
}

/** What a filter holds back. */
function heldBack(filter: Fields, { service }: (typeof KINDS)[number], blocked: readonly string[]): string[] {
  const mode = textOf(filter.FilterMode).toUpperCase();
  const isOn = (name: string) => readFlag(filter[name]) === true;
  const flagged = text(filter.KeywordFilter);
  // For calls, keywords have an effect only with transcription.
  const words = flagged && (service === 'sms' || isOn('EnableTranscription')) ? flaggedWords(flagged) : undefined;
  const parts = [
    ...(mode === 'WHITELIST' ? ['everybody who is not allowed'] : []),
    ...(['CHILD', 'ADOLESCENT', 'TEENAGER'].includes(mode) && service === 'sms'
      ? [`what the level ${mode} names`]
      : []),
    ...(blocked.length > 0 ? [`${blocked.length} blocked ${blocked.length === 1 ? 'number' : 'numbers'}`] : []),
    ...(isOn('BlockUnknownNumbers') ? ['unknown numbers'] : []),
    ...(isOn('BlockLinks') ? ['links'] : []),
    ...(isOn('BlockMedia') ? ['media'] : []),
    ...(isOn('BlockInternational') ? ['international numbers'] : []),
    ...(words === undefined ? [] : [words]),
  ];
  return parts.length === 0 ? ['what its rules name'] : parts;
}

/** The finding about a number that is being ported in. */
export function portInFinding({ orderId, words, rejected, message, reason }: OpenPortIn): Finding {
  const dead = { level: 'dead', affects: ALL } as const;
  if (!rejected)
    return {
      ...dead,
      words: `The number is still being ported in: the order is ${words}. It works here once the order is Completed.`,
      fix: { tool: 'numbers_order_get', input: { OrderId: orderId }, does: 'Look at the order once a day.' },
    };
  const isSettled = reason?.fields.length === 0;
  return {
    ...dead,
    words: `The port-in was rejected by the losing carrier.${reason ? ` ${reason.words}` : ''}`,
    ...(message !== '' && { quoted: message }),
    fix: {
      tool: 'numbers_portin_update',
      input: { OrderId: orderId },
      ...(reason && { needs: isSettled ? ['CurrentAccountNumber'] : reason.fields }),
      does: isSettled
        ? 'No detail has to change: submit the order again once the customer has settled this with the carrier.'
        : 'Correct what the carrier objected to. That submits the order again.',
      by: 'operator',
    },
  };
}

/** A fix in an answer. */
export const fixShape = out.record({
  Tool: out.own,
  Input: out.record({}),
  Needs: out.owns,
  Does: out.own,
  ConfirmedBy: out.own,
});

export function fixRow({ tool, input, needs, does, by }: Fix): Fields {
  return defined({ Tool: tool, Input: input, Needs: needs, Does: does, ConfirmedBy: by && `an ${by}` });
}

/** A finding as the answer shows it. */
export function findingRow({ affects, words, quoted, route, blocked, fix }: Finding): Fields {
  return defined({
    Finding: words,
    Affects: affects,
    CarrierMessage: quoted,
    Route: route,
    Blocked: blocked,
    Fix: fix && fixRow(fix),
  });
}
