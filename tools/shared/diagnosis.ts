import { defined, type Fields, lowerFirst, textOf } from '../../src/lib/values.ts';
import { readFlag, readTexts } from '../../src/platform/dialect/readings.ts';
import { CALL_FILTER, FEATURES_SET, MESSAGE_FILTER, type Traffic } from '../surfaces/guard.ts';
import { CANCELLED, PENDING_DELETE, text } from './before.ts';
import type { OpenPortIn } from './directory.ts';
import { out } from './fields.ts';
import { listChange } from './filters.ts';
import { flaggedWords } from './keywords.ts';
import * as lines from './line.ts';

/*
 * Finds the causes that keep a number from texting, calling or using data. Each finding is one sentence with the one tool
 * that fixes it. These are pure functions over the records that were read. The sentences quote nothing from outside.
 */

/** The records on which a diagnosis is based; undefined for one that does not exist or could not be read. */
export interface Evidence extends lines.Condition {
  number: Fields;
  messageRoute?: Fields | undefined;
  voiceRoute?: Fields | undefined;
  guardian?: Fields | undefined;
  callFilters?: readonly Fields[];
  messageFilters?: readonly Fields[];
}

export type Service = 'sms' | 'voice' | 'data';
const ALL: readonly Service[] = ['sms', 'voice', 'data'];

/** Severity of a finding: nothing works, one service stops, part of it may be held back, or a note. */
const LEVELS = ['dead', 'stops', 'limits', 'note'] as const;

/** A finding, by the members that the answer shows, and its severity. */
export interface Finding {
  level: (typeof LEVELS)[number];
  Finding: string;
  Affects: readonly Service[];
  /** Text from outside. */
  CarrierMessage?: string | undefined;
  /** The name of the route that it speaks of. */
  Route?: string | undefined;
  /** The numbers that a filter blocks. */
  Blocked?: readonly string[] | undefined;
  Fix?: Fix | undefined;
}

/** The tool that fixes a cause, and the role that confirms it. `Needs`: required fields that a person must choose. */
interface Fix {
  Tool: string;
  Input: Fields;
  Does: string;
  Needs?: readonly string[];
  ConfirmedBy?: 'an operator' | 'an approver';
}

/** A fix in an answer. */
export const fixShape = out.record({
  Tool: out.own,
  Input: out.record({}),
  Needs: out.owns,
  Does: out.own,
  ConfirmedBy: out.own,
});

/** A fix, and who confirms it. A read needs nobody. */
const fix = (Does: string, Tool: string, Input: Fields, by?: 'operator' | 'approver'): Fix => ({
  ...{ Tool, Input, Does },
  ...(by && { ConfirmedBy: `an ${by}` }),
});

/** The findings, the worst first, each with its own fix. */
export function diagnose(evidence: Evidence): Finding[] {
  // For a cancelled line, no other cause matters. A parked line keeps its other faults when it is activated.
  const rest = lines.isCancelled(evidence.number)
    ? []
    : [...services(evidence), ...routes(evidence), ...bindings(evidence), ...data(evidence), ...filters(evidence)];
  return [...stateFindings(evidence), ...rest].sort(
    // Among findings of one level, the one that affects more services comes first.
    (a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) || b.Affects.length - a.Affects.length,
  );
}

/**
 * The findings of one answer. Where one call mends several, the first of them has it with the fields of all. What mends a
 * fault by itself asks for no choice that only a note speaks of.
 */
export function withJointFixes(found: readonly Finding[]): Finding[] {
  const fixes: Fix[] = [];
  return found.map(({ Fix: fix, ...finding }) => {
    if (!fix) return finding;
    const isChoice = finding.level === 'note' && fix.Needs !== undefined;
    // A change of the same record can do both. The lists of a filter are changed by numbers that differ.
    const first = fixes.find(
      ({ Tool, Input, Needs }) =>
        Tool === fix.Tool &&
        /_update$|features_set$/.test(Tool) &&
        !(isChoice && Needs === undefined) &&
        Object.keys(Input).every((name) => !(name in fix.Input) || textOf(Input[name]) === textOf(fix.Input[name])),
    );
    if (!first) {
      fixes.push(fix);
      return { ...finding, Fix: fix };
    }
    const needs = [...new Set([...(first.Needs ?? []), ...(fix.Needs ?? [])])];
    const by = first.ConfirmedBy === 'an approver' ? first : fix;
    const both = `${first.Does.slice(0, -1)}, and ${lowerFirst(fix.Does)}`;
    const Does = first.Does.includes(fix.Does) ? first.Does : both;
    Object.assign(first, by, { Input: { ...first.Input, ...fix.Input }, Does }, needs.length > 0 && { Needs: needs });
    return finding;
  });
}

const finding = (level: Finding['level'], Affects: readonly Service[], words: string, fix?: Fix): Finding => ({
  ...{ level, Affects, Finding: words },
  ...(fix && { Fix: fix }),
});

function stateFindings({ number, until, now }: Evidence): Finding[] {
  const phone = textOf(number.Number);
  const dead = (words: string, mends: Fix) => [finding('dead', ALL, words, mends)];
  switch (lines.stateOf(number)) {
    case 'active':
    case '':
      return [];
    case PENDING_DELETE: {
      const Input = defined({ PhoneNumber: phone, AccountId: text(number.AccountId) });
      return dead(
        `The number is cancelled, so nothing works. It can be reactivated ${lines.reactivatedWhen(until, now)}.`,
        fix('Reactivate it for 5 USD.', 'numbers_reactivate', Input, 'approver'),
      );
    }
    case CANCELLED: {
      const Input = { MessageEnabled: true, VoiceEnabled: true };
      return dead(
        'The number is Cancelled and was released for good. It cannot come back.',
        fix('See where other numbers can be bought.', 'numbers_availability', Input),
      );
    }
    case 'parked': {
      const day = lines.todayIn(now);
      const Input = { StatusChange: 'activate', PhoneNumbers: [{ Number: phone }], EffectiveDate: day };
      return dead(
        'The number is Parked: service is paused until it is activated.',
        fix('Activate it.', 'numbers_status', Input, 'approver'),
      );
    }
    default: {
      const read = fix('Read the record: Status names the state.', 'numbers_get', { PhoneNumber: phone });
      return [
        finding('stops', ALL, 'The number is in a state that is not Active. Ask the platform what it means.', read),
      ];
    }
  }
}

/** A change of the number's record. What only switches a service on is an operator's. */
function update(number: Fields, Does: string, input: Fields, Needs?: readonly string[]): Fix {
  const isOn = Object.values(input).every((value) => value === true) && Needs === undefined;
  const Input = { Number: text(number.Number), ...input };
  return { ...fix(Does, 'numbers_update', Input, isOn ? 'operator' : 'approver'), ...(Needs && { Needs }) };
}

/** The sentence and the fix of each fault of a service that the line's own record shows. */
function services({ number }: Evidence): Finding[] {
  const right = lines.mismatch(number);
  const noRoute = text(number.VoiceRouteId) === undefined ? ['VoiceRouteId'] : undefined;
  const on = `Turn voice on${noRoute ? ' with a voice route (account_voice_routes_get)' : ''}.`;
  const faults: Readonly<Record<string, [string, Fix]>> = {
    'sms product': [
      'The product of this line has no SMS.',
      update(number, 'Change the product of the line.', { ProductType: 'sms+data+voice' }),
    ],
    'sms off': ['SMS is turned off for this number.', update(number, 'Turn SMS on.', { MessageEnabled: true })],
    'sms route': [
      'The number has no message route: inbound messages have nowhere to go, and texting does not work.',
      update(number, 'Give it a message route of its account (account_message_routes_get).', {}, ['MessageRouteId']),
    ],
    'sms type': [
      `A line of the kind ${lines.kindOf(number)} carries ${right} messages only, and this one is set to another type.`,
      update(number, `Set the message type to ${right}.`, { MessageType: right }),
    ],
    'voice off': ['Voice is turned off for this number.', update(number, on, { VoiceEnabled: true }, noRoute)],
    'voice route': [
      'The number has no voice route: calls have nowhere to go.',
      update(number, 'Give it a voice route of its account (account_voice_routes_get).', {}, ['VoiceRouteId']),
    ],
  };
  const found = lines.serviceFaults(number).flatMap(({ service, cause }): Finding[] => {
    const [words, fix] = faults[`${service} ${cause}`] ?? [];
    return words === undefined ? [] : [finding('stops', [service], words, fix)];
  });
  return lines.productHas(number, 'voice') === false ? [...found, noneBy('voice', 'calls')] : found;
}

const noneBy = (service: Service, what: string) =>
  finding('note', [service], `This line has no ${what} by its product, so none are expected.`);

/** A change of the message route of a number, which concerns every number on it. */
function onMessageRoute(number: Fields, Does: string, settings: Fields): Fix {
  const Input = { MessageRouteId: text(number.MessageRouteId), ...settings };
  return fix(Does, 'message_routes_update', Input, 'operator');
}

function routes({ messageRoute, voiceRoute, number }: Evidence): Finding[] {
  const off = (service: Service, kind: string, route: Fields | undefined, mends: Fix) => ({
    ...finding('stops', [service], `The ${kind} route of the number is switched off, for every number on it.`, mends),
    Route: text(route?.RouteName),
  });
  const on = onMessageRoute(number, 'Switch the route on.', { MessageRouteEnabled: true });
  const voice = { CallRouteId: text(number.VoiceRouteId), RouteEnabled: true };
  return [
    ...(readFlag(messageRoute?.MessageRouteEnabled) === false ? [off('sms', 'message', messageRoute, on)] : []),
    ...(readFlag(voiceRoute?.RouteEnabled) === false
      ? [off('voice', 'voice', voiceRoute, fix('Switch it on.', 'voice_routes_update', voice, 'operator'))]
      : []),
  ];
}

function bindings({ number }: Evidence): Finding[] {
  const sim = lines.simState(number);
  const noSim = 'No SIM is bound to this mobile line, so no phone can use it.';
  const unscanned = `Its eSIM ${lines.SIM_WAITS}. An operator can see the code.`;
  const nobody = 'No subscriber holds the number. Filters and subscriptions need one.';
  const isHeld = text(number.AssignedSubscriberId) !== undefined;
  return [
    ...(sim === 'none' ? [finding('stops', ALL, noSim, update(number, 'Bind a SIM.', {}, ['Iccid']))] : []),
    ...(sim === 'waits' ? [finding('stops', ALL, unscanned)] : []),
    ...(isHeld
      ? []
      : [finding('note', [], nobody, update(number, 'Give it to a subscriber.', {}, ['AssignedSubscriberId']))]),
  ];
}

function data({ number, usage }: Evidence): Finding[] {
  if (!lines.hasData(number)) return [noneBy('data', 'data')];
  const state = lines.dataState(usage);
  // A parked line has no data that could work.
  if (state === 'normal' && (!lines.isNearlyUsedUp(usage) || lines.stateOf(number) === 'parked')) return [];
  const used = lines.usedText(usage) ?? 'its usage is not known';
  const found = (level: Finding['level'], words: string, field = 'LimitValue', does = 'Set a higher limit.') => {
    const Input = { PhoneNumbers: [{ Number: text(number.Number) }] };
    const mends = { ...fix(does, 'numbers_data_usage_set', Input, 'operator'), Needs: [field] };
    return [finding(level, ['data'], `${words}: ${used}.`, mends)];
  };
  if (state === 'stopped')
    return found('stops', 'Data is stopped at its limit', 'LimitValue', 'Set a limit above what is used.');
  if (state === 'slowed') return found('limits', 'Data is slowed down', 'ThrottleValue', 'Slow down later.');
  return found('note', 'Data works but is nearly used up');
}

/** Guardian filters that may hold back traffic of a line without faults. Filters without effect are notes. */
function filters(evidence: Evidence): Finding[] {
  return [
    { service: 'sms', kind: MESSAGE_FILTER, all: evidence.messageFilters, route: evidence.messageRoute } as const,
    { service: 'voice', kind: CALL_FILTER, all: evidence.callFilters, route: evidence.voiceRoute } as const,
  ].flatMap(({ service, kind, all = [], route }) => {
    const active = all.filter(({ FilterMode }) => !/^inactive$/i.test(textOf(FilterMode)));
    const applying = active.filter((filter) => directionsOf(filter).length > 0);
    // A filter without a direction says something only where no other one applies.
    return (applying.length > 0 ? applying : active).map((filter): Finding => {
      const idle = idleFilter(filter, kind, { ...evidence, route });
      if (idle === undefined) return { level: 'limits', ...holdingFilter(filter, kind, evidence), Affects: [service] };
      const words = `A ${kind.noun} exists and has no effect: ${idle.why}.`;
      return { ...finding('note', [service], words, idle.Fix), Route: text(route?.RouteName) };
    });
  });
}

/** The directions that a filter covers. */
function directionsOf(filter: Fields): ('Inbound' | 'Outbound')[] {
  return (['Inbound', 'Outbound'] as const).filter((one) => {
    const flag = filter[`ApplyTo${one}`];
    return flag !== undefined && flag !== null && readFlag(flag) !== false;
  });
}

/** The directions of a filter that the message route of the number does not bypass. */
function openDirections(filter: Fields, kind: Traffic, { messageRoute }: Evidence) {
  const bypasses = (one: string) => kind === MESSAGE_FILTER && readFlag(messageRoute?.[`${one}Bypass`]) === true;
  return directionsOf(filter).filter((one) => !bypasses(one));
}

/** Why a filter has no effect, and what gives it one; undefined if it has one. */
function idleFilter(filter: Fields, kind: Traffic, evidence: Evidence & { route: Fields | undefined }) {
  const { number, guardian, route } = evidence;
  const SubscriberId = text(filter.SubscriberId) ?? text(number.AssignedSubscriberId);
  if (readFlag(guardian?.[kind.feature]) === false) {
    const Does = 'Turn guardian filtering on, if the subscriber is to be protected.';
    const why = `guardian filtering of ${kind.name} is off for the subscriber`;
    return { why, Fix: fix(Does, FEATURES_SET, { SubscriberId, [kind.feature]: true }, 'operator') };
  }
  if (readFlag(route?.IntelligentRouteEnabled) === false) {
    const isMessages = kind === MESSAGE_FILTER;
    const on = 'Turn intelligent routing on, for every number on the route.';
    return {
      why: `intelligent routing is off for the ${isMessages ? 'message' : 'voice'} route of the number`,
      Fix: isMessages
        ? onMessageRoute(number, on, { IntelligentRouteEnabled: true })
        : update(number, 'Give the number a voice route with intelligent routing.', {}, ['VoiceRouteId']),
    };
  }
  const covered = directionsOf(filter);
  if (covered.length === 0) {
    const Input = { SubscriberId, Phone: text(number.Number), FilterMode: filter.FilterMode, ApplyToInbound: true };
    const Does = 'Create one that covers a direction.';
    return { why: 'it covers neither direction', Fix: fix(Does, kind.create, Input, 'operator') };
  }
  if (openDirections(filter, kind, evidence).length > 0) return undefined;
  const settings = Object.fromEntries(covered.map((one) => [`${one}Bypass`, false]));
  return {
    why: 'the message route of the number bypasses it',
    Fix: onMessageRoute(number, 'Stop bypassing filters, for every number on the route.', settings),
  };
}

/** What a filter holds back. A caller on its block list gets through only when taken off it. */
function holdingFilter(filter: Fields, kind: Traffic, evidence: Evidence) {
  const open = openDirections(filter, kind, evidence);
  const direction =
    open.length === 2 ? 'in both directions' : open[0] === 'Inbound' ? 'of what comes in' : 'of what is sent';
  const held = /^monitor_only$/i.test(textOf(filter.FilterMode)) ? 'reports' : 'holds back';
  const blocked = readTexts(filter[kind.blocked]) ?? [];
  const SubscriberId = text(filter.SubscriberId) ?? text(evidence.number.AssignedSubscriberId);
  const Input = { SubscriberId, [kind.id]: text(filter.FilterId) };
  const isOne = blocked.length === 1;
  const isBlocking = blocked.length > 0;
  const mends = isBlocking
    ? fix('Unblock the number.', listChange(kind, 'blocked', 'remove'), Input, 'approver')
    : fix('Allow the number.', listChange(kind, 'allowed', 'add'), Input, 'operator');
  return {
    Finding: `A ${kind.noun} ${held}, ${direction}: ${heldBack(filter, kind, blocked).join(', ')}.`,
    ...(isBlocking && { Blocked: blocked }),
    Fix: { ...mends, ...(isOne ? { Input: { ...Input, [kind.entries]: blocked } } : { Needs: [kind.entries] }) },
  };
}

/** The calls or messages that a filter blocks. */
function heldBack(filter: Fields, kind: Traffic, blocked: readonly string[]): string[] {
  const mode = textOf(filter.FilterMode).toUpperCase();
  const isOn = (name: string) => readFlag(filter[name]) === true;
  const flagged = text(filter.KeywordFilter);
  // For calls, keywords have an effect only with transcription, and levels have none.
  const isMessages = kind === MESSAGE_FILTER;
  const words = flagged && (isMessages || isOn('EnableTranscription')) ? flaggedWords(flagged) : undefined;
  const isLevel = isMessages && ['CHILD', 'ADOLESCENT', 'TEENAGER'].includes(mode);
  const parts = [
    ...(mode === 'WHITELIST' ? ['everybody who is not allowed'] : []),
    ...(isLevel ? [`what the level ${mode} names`] : []),
    ...(blocked.length > 0 ? [`${blocked.length} blocked ${blocked.length === 1 ? 'number' : 'numbers'}`] : []),
    ...kind.rules.flatMap(([flag, what]) => (isOn(flag) ? [what] : [])),
    ...(words === undefined ? [] : [words]),
  ];
  return parts.length === 0 ? ['what its rules name'] : parts;
}

/** The finding about a number that is being ported in. */
export function portInFinding({ orderId, words, rejected, message, reason }: OpenPortIn): Finding {
  const Input = { OrderId: orderId };
  if (!rejected) {
    const still = `The number is still being ported in: the order is ${words}. It works here once the order is Completed.`;
    return finding('dead', ALL, still, fix('Look at the order once a day.', 'numbers_order_get', Input));
  }
  const isSettled = reason?.fields.length === 0;
  const does = isSettled
    ? 'No detail has to change: submit the order again once the customer has settled this with the carrier.'
    : 'Correct what the carrier objected to. That submits the order again.';
  const mends = {
    ...fix(does, 'numbers_portin_update', Input, 'operator'),
    ...(reason && { Needs: isSettled ? ['CurrentAccountNumber'] : reason.fields }),
  };
  const said = `The port-in was rejected by the losing carrier.${reason ? ` ${reason.words}` : ''}`;
  return { ...finding('dead', ALL, said, mends), ...(message !== '' && { CarrierMessage: message }) };
}
