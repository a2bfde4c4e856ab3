import { defined, type Fields } from '../../src/lib/json.ts';
import { CANCELLED, PENDING_DELETE, text } from './before.ts';
import {
  dataState,
  hasData,
  isFalse,
  isNearlyUsedUp,
  kindOf,
  mismatch,
  type ServiceFault,
  serviceFaults,
  stateOf,
  usedText,
} from './line.ts';
import type { OpenPortIn } from './portins.ts';

/*
 * What keeps a number from texting, calling or using data, in plain words, each with the one tool that would put it right. Pure
 * functions over what was read; the words quote nothing from outside.
 */

export type Service = 'sms' | 'voice' | 'data';

/** How bad a finding is: nothing works, one service stops, some of it may be held back, or only worth knowing. */
const LEVELS = ['dead', 'stops', 'limits', 'note'] as const;
type Level = (typeof LEVELS)[number];

export interface Finding {
  level: Level;
  affects: readonly Service[];
  words: string;
  /** What a carrier said, which is text from outside. */
  quoted?: string;
  /** `needs`: required fields whose value a person must choose. */
  fix?: { tool: string; input: Fields; needs?: readonly string[]; words: string };
}

/** The records that a diagnosis rests on; undefined where one does not exist or could not be read. */
export interface Evidence {
  number: Fields;
  usage: Fields | undefined;
  messageRoute: Fields | undefined;
  voiceRoute: Fields | undefined;
  guardian: Fields | undefined;
  callFilters: readonly Fields[];
  messageFilters: readonly Fields[];
  /** The last moment for a reactivation, ISO 8601. */
  until: string | undefined;
  now: Date;
}

const ALL: readonly Service[] = ['sms', 'voice', 'data'];

/** Findings, the worst first. */
export function diagnose(evidence: Evidence): Finding[] {
  const state = stateFinding(evidence);
  // A line out of service has no other cause worth naming.
  const rest = state?.level === 'dead' ? [] : [...services(evidence), ...data(evidence), ...filters(evidence)];
  return [...(state ? [state] : []), ...rest].sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
}

function stateFinding({ number, until, now }: Evidence): Finding | undefined {
  const phone = text(number.Number) ?? '';
  const state = stateOf(number);
  if (state === PENDING_DELETE) {
    const when = until === undefined ? 'for 30 days after its cancellation' : `until ${until.slice(0, 10)}`;
    return {
      level: 'dead',
      affects: ALL,
      words: `The number is cancelled (Cancelled - Pending Delete), so nothing works. It can be reactivated ${when}.`,
      fix: {
        tool: 'numbers_reactivate',
        input: { PhoneNumber: phone, ...defined({ AccountId: text(number.AccountId) }) },
        words: 'Reactivate it for 5 USD.',
      },
    };
  }
  if (state === CANCELLED)
    return {
      level: 'dead',
      affects: ALL,
      words: 'The number is Cancelled and was released for good. It cannot come back.',
      fix: {
        tool: 'numbers_availability',
        input: { MessageEnabled: true, VoiceEnabled: true },
        words: 'Get another number: first see where there are some.',
      },
    };
  if (state === 'parked')
    return {
      level: 'dead',
      affects: ALL,
      words: 'The number is Parked: service is paused until it is activated.',
      fix: {
        tool: 'numbers_status',
        input: { StatusChange: 'activate', PhoneNumbers: [{ Number: phone }], EffectiveDate: usDay(now) },
        words: 'Activate it.',
      },
    };
  return state === 'active' || state === ''
    ? undefined
    : {
        level: 'stops',
        affects: ALL,
        words: 'The number is in a state that is not Active. Ask the platform what it means.',
      };
}

function usDay(now: Date): string {
  const [year, month, day] = now.toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
}

type Update = (input: Fields, words: string, needs?: readonly string[]) => NonNullable<Finding['fix']>;

function updateOf(number: Fields): Update {
  return (input, words, needs) => ({
    tool: 'numbers_update',
    input: { Number: text(number.Number), ...input },
    words,
    ...(needs ? { needs } : {}),
  });
}

function services(evidence: Evidence): Finding[] {
  const { number } = evidence;
  const update = updateOf(number);
  const found = serviceFaults(number).map(({ service, cause }): Finding => {
    const words = service === 'sms' ? smsFault(number, cause, update) : voiceFault(number, cause, update);
    return { level: 'stops', affects: [service], ...words };
  });
  return [...found, ...routes(evidence), ...bindings(number, update)];
}

type Fault = Pick<Finding, 'words' | 'fix'>;

function smsFault(number: Fields, cause: ServiceFault['cause'], update: Update): Fault {
  if (cause === 'product')
    return {
      words: 'The product of this line has no SMS.',
      fix: update({ ProductType: 'sms+data+voice' }, 'Change the product of the line.'),
    };
  if (cause === 'off')
    return { words: 'SMS is turned off for this number.', fix: update({ MessageEnabled: true }, 'Turn SMS on.') };
  if (cause === 'route')
    return {
      words: 'The number has no message route: inbound messages have nowhere to go, and texting does not work.',
      fix: update({}, 'Give it a message route of its account.', ['MessageRouteId']),
    };
  const right = mismatch(number);
  return {
    words: `A line of the kind ${kindOf(number)} carries ${right} messages only, and this one is set to another type.`,
    fix: update({ MessageType: right }, `Set the message type to ${right}.`),
  };
}

function voiceFault(number: Fields, cause: ServiceFault['cause'], update: Update): Fault {
  const needs = text(number.VoiceRouteId) === undefined ? ['VoiceRouteId'] : undefined;
  if (cause === 'off')
    return {
      words: 'Voice is turned off for this number.',
      fix: update({ VoiceEnabled: true }, 'Turn voice on.', needs),
    };
  return {
    words: 'The number has no voice route: calls have nowhere to go.',
    fix: update({}, 'Give it a voice route of its account.', needs),
  };
}

function routes({ messageRoute, voiceRoute, number }: Evidence): Finding[] {
  return [
    ...(messageRoute && isFalse(messageRoute.MessageRouteEnabled)
      ? [
          {
            level: 'stops' as const,
            affects: ['sms' as const],
            words: 'The message route of the number is switched off, for every number on it.',
            fix: {
              tool: 'message_routes_update',
              input: { MessageRouteId: text(number.MessageRouteId), MessageRouteEnabled: true },
              words: 'Switch the route on.',
            },
          },
        ]
      : []),
    ...(voiceRoute && isFalse(voiceRoute.RouteEnabled)
      ? [
          {
            level: 'stops' as const,
            affects: ['voice' as const],
            words: 'The voice route of the number is switched off, for every number on it.',
            fix: {
              tool: 'numbers_update',
              input: { Number: text(number.Number) },
              needs: ['VoiceRouteId'],
              words: 'Give the number another voice route.',
            },
          },
        ]
      : []),
  ];
}

function bindings(number: Fields, update: Update): Finding[] {
  const orphan = text(number.AssignedSubscriberId) === undefined;
  const noSim = kindOf(number) !== 'voip' && kindOf(number) !== '' && text(number.Iccid) === undefined;
  return [
    ...(noSim
      ? [
          {
            level: 'stops' as const,
            affects: ALL,
            words: 'No SIM is bound to this mobile line, so no phone can use it.',
            fix: update({}, 'Bind a SIM.', ['Iccid']),
          },
        ]
      : []),
    ...(orphan
      ? [
          {
            level: 'note' as const,
            affects: [],
            words: 'No subscriber holds the number. Filters and subscriptions need one.',
            fix: update({}, 'Bind a subscriber.', ['AssignedSubscriberId']),
          },
        ]
      : []),
  ];
}

function data({ number, usage }: Evidence): Finding[] {
  if (!hasData(number))
    return [{ level: 'note', affects: ['data'], words: 'This line has no data by its product. That is no fault.' }];
  const state = dataState(usage);
  if (state === 'normal' && !isNearlyUsedUp(usage)) return [];
  const used = usedText(usage) ?? 'its usage is not known';
  const words = {
    stopped: `Data is stopped at its limit: ${used}. SMS and calls are not affected.`,
    slowed: `Data is slowed down: ${used}. SMS and calls are not affected.`,
    normal: `Data works but is nearly used up: ${used}.`,
  }[state];
  return [
    {
      level: ({ stopped: 'stops', slowed: 'limits', normal: 'note' } as const)[state],
      affects: ['data'],
      words,
      fix: {
        tool: 'numbers_data_usage_set',
        input: { PhoneNumbers: [{ Number: text(number.Number) }] },
        needs: ['LimitValue'],
        words: 'Set higher thresholds. It replaces all of them.',
      },
    },
  ];
}

function filters(evidence: Evidence): Finding[] {
  const { number, guardian, callFilters, messageFilters } = evidence;
  return [
    ...messageFilters.flatMap((filter) =>
      filterFinding(filter, 'sms', guardian?.EnableIntelligentGuardianMessages, number),
    ),
    ...callFilters.flatMap((filter) =>
      filterFinding(filter, 'voice', guardian?.EnableIntelligentGuardianCalls, number),
    ),
  ];
}

/** What holds back traffic although the line is in order: a guardian filter, or one that looks as if it did. */
function filterFinding(filter: Fields, service: 'sms' | 'voice', flag: unknown, number: Fields): Finding[] {
  const noun = service === 'sms' ? 'message' : 'call';
  const mode = (text(filter.FilterMode) ?? '').toUpperCase();
  if (mode === 'INACTIVE') return [];
  const SubscriberId = text(filter.SubscriberId) ?? text(number.AssignedSubscriberId);
  const base = { affects: [service] } as const;
  if (flag !== undefined && flag !== null && isFalse(flag))
    return [
      {
        ...base,
        level: 'note',
        words: `A ${noun} filter exists and has no effect: guardian filtering of ${noun}s is off for the subscriber.`,
        fix: {
          tool: 'subscribers_guardian_features_set',
          input: {
            SubscriberId,
            [service === 'sms' ? 'EnableIntelligentGuardianMessages' : 'EnableIntelligentGuardianCalls']: true,
          },
          words: 'Turn guardian filtering on, if the subscriber is to be protected.',
        },
      },
    ];
  const inbound = filter.ApplyToInbound !== undefined && !isFalse(filter.ApplyToInbound);
  const outbound = filter.ApplyToOutbound !== undefined && !isFalse(filter.ApplyToOutbound);
  if (!inbound && !outbound)
    return [
      {
        ...base,
        level: 'note',
        words: `A ${noun} filter applies to neither direction, so it filters nothing.`,
        fix: {
          tool: service === 'sms' ? 'subscribers_message_filter_create' : 'subscribers_call_filter_create',
          input: { SubscriberId, Phone: text(number.Number), FilterMode: mode, ApplyToInbound: true },
          words: 'Create one that applies to a direction, if the subscriber is to be protected.',
        },
      },
    ];
  return [{ ...base, level: 'limits', ...blocking(filter, { service, noun, mode, inbound, outbound, SubscriberId }) }];
}

function blocking(
  filter: Fields,
  about: {
    service: 'sms' | 'voice';
    noun: string;
    mode: string;
    inbound: boolean;
    outbound: boolean;
    SubscriberId: string | undefined;
  },
): Pick<Finding, 'words' | 'fix'> {
  const { service, noun, mode, inbound, outbound, SubscriberId } = about;
  const direction = inbound && outbound ? 'in both directions' : inbound ? 'of what comes in' : 'of what is sent';
  const count = (list: unknown) => (Array.isArray(list) ? list.length : 0);
  const blocked = count(filter.BlockedContacts) + count(filter.BlockedNumbers);
  const parts = [
    ...(mode === 'WHITELIST' ? ['everybody who is not allowed'] : []),
    ...(blocked > 0 ? [`${blocked} blocked ${blocked === 1 ? 'number' : 'numbers'}`] : []),
    ...(isOn(filter.BlockUnknownNumbers) ? ['unknown numbers'] : []),
    ...(isOn(filter.BlockLinks) ? ['links'] : []),
    ...(isOn(filter.BlockMedia) ? ['media'] : []),
    ...(isOn(filter.BlockInternational) ? ['international numbers'] : []),
  ];
  const level = ['CHILD', 'ADOLESCENT', 'TEENAGER'].includes(mode) && service === 'sms' ? ` at the level ${mode}` : '';
  const what = parts.length === 0 ? 'what its rules name' : parts.join(', ');
  const silent = service === 'sms' ? ' The sender is not told.' : '';
  const held = mode === 'MONITOR_ONLY' ? 'reports' : 'holds back';
  return {
    words: `A ${noun} filter${level} ${held}, ${direction}: ${what}.${silent}`,
    fix: {
      tool:
        service === 'sms'
          ? 'subscribers_message_filter_allowed_contacts_add'
          : 'subscribers_call_filter_allowed_numbers_add',
      input: {
        SubscriberId,
        [service === 'sms' ? 'MessageFilterId' : 'CallFilterId']: text(filter.FilterId),
      },
      needs: [service === 'sms' ? 'Contacts' : 'Numbers'],
      words: 'Allow the other party, if the person responsible agrees.',
    },
  };
}

function isOn(value: unknown): boolean {
  return String(value).trim().toLowerCase() === 'true';
}

/** The finding about a number that is being ported in. */
export function portInFinding({ orderId, words, rejected, message, reason }: OpenPortIn): Finding {
  if (!rejected)
    return {
      level: 'dead',
      affects: ALL,
      words: `The number is still being ported in: the order is ${words}. It works here once the order is Completed.`,
      fix: { tool: 'numbers_order_get', input: { OrderId: orderId }, words: 'Look at the order once a day.' },
    };
  return {
    level: 'dead',
    affects: ALL,
    words: `The port-in was rejected by the losing carrier.${reason ? ` ${reason.words}` : ''}`,
    ...(message === '' ? {} : { quoted: message }),
    fix: {
      tool: 'numbers_portin_update',
      input: { OrderId: orderId },
      needs: reason && reason.fields.length > 0 ? reason.fields : ['the corrected details'],
      words: 'Correct the order. That submits it again.',
    },
  };
}

/** A finding as the answer shows it. */
export function findingRow({ affects, words, quoted, fix }: Finding): Fields {
  return {
    Finding: words,
    Affects: affects,
    ...(quoted === undefined ? {} : { CarrierMessage: quoted }),
    ...(fix
      ? { Fix: { Tool: fix.tool, Input: fix.input, ...(fix.needs ? { Needs: fix.needs } : {}), Does: fix.words } }
      : {}),
  };
}
