import type { Fields } from '../../src/lib/json.ts';
import { text } from './before.ts';
import type { Finding } from './finding.ts';
import { isFalse } from './line.ts';

/** The records of a number and of its subscriber's guardian filters; `guardian` undefined if it could not be read. */
export interface FilterEvidence {
  number: Fields;
  guardian: Fields | undefined;
  callFilters: readonly Fields[];
  messageFilters: readonly Fields[];
}

/** What holds back traffic although the line is in order: guardian filters, and those that look as if they did. */
export function filterFindings({ number, guardian, callFilters, messageFilters }: FilterEvidence): Finding[] {
  return [
    ...inForce(messageFilters).flatMap((filter) =>
      filterFinding(filter, 'sms', guardian?.EnableIntelligentGuardianMessages, number),
    ),
    ...inForce(callFilters).flatMap((filter) =>
      filterFinding(filter, 'voice', guardian?.EnableIntelligentGuardianCalls, number),
    ),
  ];
}

const applies = (flag: unknown): boolean => flag !== undefined && flag !== null && !isFalse(flag);
const hasDirection = (filter: Fields) => applies(filter.ApplyToInbound) || applies(filter.ApplyToOutbound);

/** Filters that are not paused. One that applies to no direction is of no interest where another one does. */
function inForce(filters: readonly Fields[]): readonly Fields[] {
  const active = filters.filter((filter) => (text(filter.FilterMode) ?? '').toUpperCase() !== 'INACTIVE');
  return active.some(hasDirection) ? active.filter(hasDirection) : active;
}

function filterFinding(filter: Fields, service: 'sms' | 'voice', flag: unknown, number: Fields): Finding[] {
  const noun = service === 'sms' ? 'message' : 'call';
  const mode = (text(filter.FilterMode) ?? '').toUpperCase();
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
  const inbound = applies(filter.ApplyToInbound);
  const outbound = applies(filter.ApplyToOutbound);
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
