import { defined, type Fields, recordOf } from '../../src/lib/json.ts';
import { readFlag } from '../../src/platform/dialect/readings.ts';
import { text } from './before.ts';
import { flaggedWords } from './keywords.ts';

/**
 * The records of a number, of its routes and of its subscriber's guardian filters; undefined for one that could not be
 * read.
 */
export interface FilterEvidence {
  number: Fields;
  guardian: Fields | undefined;
  messageRoute: Fields | undefined;
  voiceRoute: Fields | undefined;
  callFilters: readonly Fields[];
  messageFilters: readonly Fields[];
}

type Traffic = 'sms' | 'voice';

/**
 * Findings about guardian filters, which may hold back traffic of a line without faults. Filters without effect are
 * reported as notes.
 */
export function filterFindings(evidence: FilterEvidence): Finding[] {
  return [
    ...inForce(evidence.messageFilters).flatMap((filter) => filterFinding(filter, 'sms', evidence)),
    ...inForce(evidence.callFilters).flatMap((filter) => filterFinding(filter, 'voice', evidence)),
  ];
}

const applies = (flag: unknown): boolean => flag !== undefined && flag !== null && readFlag(flag) !== false;
const hasDirection = (filter: Fields) => applies(filter.ApplyToInbound) || applies(filter.ApplyToOutbound);

/** Filters that are not paused. If some apply to a direction, those without a direction are left out. */
function inForce(filters: readonly Fields[]): readonly Fields[] {
  const active = filters.filter((filter) => (text(filter.FilterMode) ?? '').toUpperCase() !== 'INACTIVE');
  return active.some(hasDirection) ? active.filter(hasDirection) : active;
}

function filterFinding(filter: Fields, service: Traffic, evidence: FilterEvidence): Finding[] {
  const { number, messageRoute } = evidence;
  const noun = service === 'sms' ? 'message' : 'call';
  const mode = (text(filter.FilterMode) ?? '').toUpperCase();
  const SubscriberId = text(filter.SubscriberId) ?? text(number.AssignedSubscriberId);
  const base = { affects: [service] } as const;
  const without = withoutEffect(service, SubscriberId, evidence);
  if (without) return [{ ...base, level: 'note', ...without }];
  const applied = { inbound: applies(filter.ApplyToInbound), outbound: applies(filter.ApplyToOutbound) };
  if (!applied.inbound && !applied.outbound)
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
  const bypassed = (field: string) => service === 'sms' && isOn(messageRoute?.[field]);
  const inbound = applied.inbound && !bypassed('InboundBypass');
  const outbound = applied.outbound && !bypassed('OutboundBypass');
  if (!inbound && !outbound)
    return [
      {
        ...base,
        level: 'note',
        words: 'A message filter exists and has no effect: the message route of the number bypasses it.',
        route: 'MessageRouteId',
        fix: {
          tool: 'message_routes_update',
          input: {
            MessageRouteId: text(number.MessageRouteId),
            ...(applied.inbound ? { InboundBypass: false } : {}),
            ...(applied.outbound ? { OutboundBypass: false } : {}),
          },
          words: 'Stop bypassing filters on the route, for every number on it, if the subscriber is to be protected.',
        },
      },
    ];
  return [{ ...base, level: 'limits', ...blocking(filter, { service, noun, mode, inbound, outbound, SubscriberId }) }];
}

/** The reason why no filter of this kind has an effect: the subscriber's feature or the route is off. */
function withoutEffect(
  service: Traffic,
  SubscriberId: string | undefined,
  { number, guardian, messageRoute, voiceRoute }: FilterEvidence,
): Pick<Finding, 'words' | 'fix' | 'route'> | undefined {
  const noun = service === 'sms' ? 'message' : 'call';
  const head = `A ${noun} filter exists and has no effect:`;
  const feature = service === 'sms' ? 'EnableIntelligentGuardianMessages' : 'EnableIntelligentGuardianCalls';
  if (readFlag(guardian?.[feature]) === false)
    return {
      words: `${head} guardian filtering of ${noun}s is off for the subscriber.`,
      fix: {
        tool: 'subscribers_guardian_features_set',
        input: { SubscriberId, [feature]: true },
        words: 'Turn guardian filtering on, if the subscriber is to be protected.',
      },
    };
  if (service === 'sms' && readFlag(messageRoute?.IntelligentRouteEnabled) === false)
    return {
      words: `${head} intelligent routing is off for the message route of the number.`,
      route: 'MessageRouteId',
      fix: {
        tool: 'message_routes_update',
        input: { MessageRouteId: text(number.MessageRouteId), IntelligentRouteEnabled: true },
        words:
          'Turn intelligent routing on for the route, and for every number on it, if the subscriber is to be protected.',
      },
    };
  if (service === 'voice' && readFlag(voiceRoute?.IntelligentRouteEnabled) === false)
    return {
      words: `${head} intelligent routing is off for the voice route of the number.`,
      route: 'VoiceRouteId',
      fix: {
        tool: 'numbers_update',
        input: { Number: text(number.Number) },
        needs: ['VoiceRouteId'],
        words: 'Give the number a voice route with intelligent routing, if the subscriber is to be protected.',
      },
    };
  return undefined;
}

function blocking(
  filter: Fields,
  about: {
    service: Traffic;
    noun: string;
    mode: string;
    inbound: boolean;
    outbound: boolean;
    SubscriberId: string | undefined;
  },
): Pick<Finding, 'words' | 'fix' | 'blocked'> {
  const { service, noun, mode, inbound, outbound, SubscriberId } = about;
  const direction = inbound && outbound ? 'in both directions' : inbound ? 'of what comes in' : 'of what is sent';
  const blocked = [filter.BlockedContacts, filter.BlockedNumbers].flatMap((list) => (Array.isArray(list) ? list : []));
  const parts = [
    ...(mode === 'WHITELIST' ? ['everybody who is not allowed'] : []),
    ...(blocked.length > 0 ? [`${blocked.length} blocked ${blocked.length === 1 ? 'number' : 'numbers'}`] : []),
    ...(isOn(filter.BlockUnknownNumbers) ? ['unknown numbers'] : []),
    ...(isOn(filter.BlockLinks) ? ['links'] : []),
    ...(isOn(filter.BlockMedia) ? ['media'] : []),
    ...(isOn(filter.BlockInternational) ? ['international numbers'] : []),
    ...keywords(filter, service),
  ];
  const level =
    ['CHILD', 'ADOLESCENT', 'TEENAGER'].includes(mode) && service === 'sms'
      ? ` at the level ${mode.toLowerCase()}`
      : '';
  const what = parts.length === 0 ? 'what its rules name' : parts.join(', ');
  const silent = service === 'sms' ? ' The sender is not told.' : '';
  const held = mode === 'MONITOR_ONLY' ? 'reports' : 'holds back';
  return {
    words: `A ${noun} filter${level} ${held}, ${direction}: ${what}.${silent}`,
    blocked: phonesIn(blocked),
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

const MOST_BLOCKED = 20;

/** The phone numbers of a list of blocked parties, which is a list of numbers or of records. */
function phonesIn(list: readonly unknown[]): string[] {
  const all = list.map((entry) => {
    const { Number: number, PhoneNumber, Contact } = recordOf(entry);
    return typeof entry === 'string' ? entry : (text(number) ?? text(PhoneNumber) ?? text(Contact) ?? '');
  });
  return all.filter((phone) => /^\+\d{7,15}$/.test(phone)).slice(0, MOST_BLOCKED);
}

function isOn(value: unknown): boolean {
  return readFlag(value) === true;
}

/** The flagged keywords. For calls, they have an effect only with transcription. */
function keywords(filter: Fields, service: Traffic): string[] {
  const rules = text(filter.KeywordFilter);
  if (rules === undefined || (service === 'voice' && !isOn(filter.EnableTranscription))) return [];
  const flagged = flaggedWords(rules);
  return flagged === undefined ? [] : [flagged];
}

export type Service = 'sms' | 'voice' | 'data';

/** Severity of a finding: nothing works, one service stops, part of it may be held back, or a note. */
export const LEVELS = ['dead', 'stops', 'limits', 'note'] as const;
type Level = (typeof LEVELS)[number];

export interface Finding {
  level: Level;
  affects: readonly Service[];
  words: string;
  /** The carrier's message, which is text from outside. */
  quoted?: string;
  /** The route that it speaks of: its member in the number's record. */
  route?: 'MessageRouteId' | 'VoiceRouteId';
  /** The numbers that a filter blocks. */
  blocked?: readonly string[];
  /** The tool that fixes the cause. `needs` are required fields whose value a person must choose. */
  fix?: { tool: string; input: Fields; needs?: readonly string[]; words: string };
}

/** A route that a finding speaks of. */
export interface FoundRoute {
  name: string | undefined;
  /** Lines on it that are not cancelled; undefined if they were not read. */
  lines: number | undefined;
}

/** A finding as the answer shows it. */
export function findingRow(
  finding: Finding,
  routes: { [member in 'MessageRouteId' | 'VoiceRouteId']?: FoundRoute } = {},
): Fields {
  const { affects, words, quoted, blocked, fix } = finding;
  const route = finding.route && routes[finding.route];
  return {
    Finding: words,
    Affects: affects,
    ...defined({ CarrierMessage: quoted, Route: route?.name, LinesOnRoute: route?.lines }),
    ...(blocked === undefined || blocked.length === 0 ? {} : { Blocked: blocked }),
    ...(fix ? { Fix: fixRow(fix) } : {}),
  };
}

/** A fix as the answer shows it. */
export function fixRow({ tool, input, needs, words }: NonNullable<Finding['fix']>): Fields {
  return { Tool: tool, Input: input, ...(needs ? { Needs: needs } : {}), Does: words };
}
