import { defined, type Fields } from '../../src/lib/json.ts';
import { readFlag } from '../../src/platform/dialect/readings.ts';
import { CANCELLED, PENDING_DELETE, text } from './before.ts';
import { type Finding, filterFindings, LEVELS, type Service } from './filter-findings.ts';
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
 * Finds the causes that keep a number from texting, calling or using data. Each finding has plain words and the one
 * tool that fixes it. These are pure functions over the records that were read. The words quote nothing from outside.
 */

/** The records on which a diagnosis is based; undefined for one that does not exist or could not be read. */
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

/** The findings, the worst first. */
export function diagnose(evidence: Evidence): Finding[] {
  const state = stateFinding(evidence);
  // For a cancelled line, no other cause matters. A parked line keeps its other faults when it is activated.
  const rest = isCancelled(evidence.number)
    ? []
    : [...services(evidence), ...data(evidence), ...filterFindings(evidence)];
  return [...(state ? [state] : []), ...rest].sort(
    // Among findings of one level, the one that affects more services comes first.
    (a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) || b.affects.length - a.affects.length,
  );
}

function stateFinding({ number, until, now }: Evidence): Finding | undefined {
  const phone = text(number.Number) ?? '';
  const state = stateOf(number);
  if (state === PENDING_DELETE) {
    return {
      level: 'dead',
      affects: ALL,
      words: `The number is cancelled (Cancelled - Pending Delete), so nothing works. It can be reactivated ${reactivatedWhen(until, now)}.`,
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
        input: { StatusChange: 'activate', PhoneNumbers: [{ Number: phone }], EffectiveDate: todayIn(now) },
        words: 'Activate it.',
      },
    };
  return state === 'active' || state === ''
    ? undefined
    : {
        level: 'stops',
        affects: ALL,
        words: 'The number is in a state that is not Active. Ask the platform what it means.',
        fix: { tool: 'numbers_get', input: { PhoneNumber: phone }, words: 'Read the record: Status names the state.' },
      };
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
  return [...found, ...noVoice(number), ...routes(evidence), ...bindings(number, update)];
}

function noVoice(number: Fields): Finding[] {
  if (productHas(number, 'voice') !== false) return [];
  return [{ level: 'note', affects: ['voice'], words: 'This line has no calls by its product, so none are expected.' }];
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
  const voiceOff = voiceRoute && voiceRouteOff(voiceRoute);
  return [
    ...(messageRoute && readFlag(messageRoute.MessageRouteEnabled) === false
      ? [
          {
            level: 'stops' as const,
            affects: ['sms' as const],
            words: 'The message route of the number is switched off, for every number on it.',
            route: 'MessageRouteId' as const,
            fix: {
              tool: 'message_routes_update',
              input: { MessageRouteId: text(number.MessageRouteId), MessageRouteEnabled: true },
              words: 'Switch the route on.',
            },
          },
        ]
      : []),
    ...(voiceOff !== undefined
      ? [
          {
            level: 'stops' as const,
            affects: ['voice' as const],
            words: voiceOff.words,
            route: 'VoiceRouteId' as const,
            fix: voiceOff.on
              ? {
                  tool: 'voice_routes_update',
                  input: { CallRouteId: text(number.VoiceRouteId), ...voiceOff.on },
                  words: voiceOff.does,
                }
              : {
                  tool: 'numbers_update',
                  input: { Number: text(number.Number) },
                  needs: ['VoiceRouteId'],
                  words: voiceOff.does,
                },
          },
        ]
      : []),
  ];
}

/**
 * The reason why a voice route carries no call, and its remedy; undefined if the record has none. `on`: what
 * switches the route on, if it has where to send calls.
 */
function voiceRouteOff(route: Fields): { words: string; on?: Fields; does: string } | undefined {
  if (readFlag(route.RouteEnabled) === false)
    return {
      words: 'The voice route of the number is switched off, for every number on it.',
      on: { RouteEnabled: true },
      does: 'Switch the route on.',
    };
  const type = text(route.RouteType)?.toLowerCase();
  if (type !== undefined && type !== 'trunk') return undefined;
  const trunks = ([1, 2] as const).map((n) => ({
    member: `TrunkEnabled${n}`,
    isSet: text(route[`TrunkIp${n}`]) !== undefined || text(route[`TrunkUri${n}`]) !== undefined,
    isOn: readFlag(route[`TrunkEnabled${n}`]),
  }));
  // A trunk whose record does not say whether it is on may carry calls.
  const isOff = trunks.some(({ isOn }) => isOn === false) && trunks.every((one) => !one.isSet || one.isOn === false);
  if (!isOff) return undefined;
  const words = 'No trunk of the voice route is switched on, so calls of every number on it go nowhere.';
  const set = trunks.filter(({ isSet }) => isSet);
  if (set.length === 0) return { words, does: 'Give the number another voice route.' };
  const on = Object.fromEntries(set.map(({ member }) => [member, true]));
  return {
    words,
    on,
    does: set.length === 1 ? 'Switch the trunk of the route on.' : 'Switch the trunks of the route on.',
  };
}

function bindings(number: Fields, update: Update): Finding[] {
  const orphan = text(number.AssignedSubscriberId) === undefined;
  return [
    ...(hasNoSim(number)
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
    return [{ level: 'note', affects: ['data'], words: 'This line has no data by its product, so none is expected.' }];
  const state = dataState(usage);
  // A parked line has no data that could work.
  if (state === 'normal' && (!isNearlyUsedUp(usage) || stateOf(number) === 'parked')) return [];
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
        needs: [state === 'slowed' ? 'ThrottleValue' : 'LimitValue'],
        words:
          state === 'slowed'
            ? 'Slow down later. The other thresholds stay.'
            : 'Set a higher limit. The other thresholds stay.',
      },
    },
  ];
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
      ...(reason ? { needs: reason.fields.length > 0 ? reason.fields : ['CurrentAccountNumber'] } : {}),
      words:
        reason?.fields.length === 0
          ? 'No detail has to change. Once the customer has settled this with the carrier, submit the order again with the same details.'
          : 'Correct what the carrier objected to. That submits the order again.',
    },
  };
}
