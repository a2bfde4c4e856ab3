import { isObject } from './json.ts';
import type { Filter, NumberRecord, Stopped } from './records.ts';
import type { World } from './world.ts';

/*
 * Guardian filtering of inbound messages and calls (PLATFORM.md, Guardian filtering): a filter has an effect only if
 * the subscriber's feature is on, and the number's route has intelligent routing on and does not bypass it.
 */

/** A message with its text, or a call, on its way to a number. */
export interface Inbound {
  from: string;
  /** Undefined for a call. */
  message?: { body: string; media: boolean };
}

/** Rules that a message level applies beside the filter's own (PLATFORM.md, Guardian filtering; assumed). */
const LEVELS: Readonly<Record<string, readonly string[]>> = {
  CHILD: ['BlockUnknownNumbers', 'BlockLinks'],
  ADOLESCENT: ['BlockLinks'],
};
const STOPS_NOTHING: ReadonlySet<string> = new Set(['INACTIVE', 'MONITOR_ONLY']);
const LINK = /https?:\/\/|\bwww\.|\b[a-z0-9-]+\.(com|net|org|io|ly|me|info)\b/i;

/** Returns the filter that stops a message or call to a number; undefined if it arrives. */
export function stoppedBy(world: World, to: NumberRecord, inbound: Inbound): Stopped | undefined {
  for (const filter of filtersInForce(world, to, inbound.message !== undefined)) {
    const Rule = ruleOf(filter, inbound);
    if (Rule !== undefined) return { FilterId: filter.FilterId, FilterMode: filter.FilterMode, Rule };
  }
  return undefined;
}

function filtersInForce({ store }: World, to: NumberRecord, isMessage: boolean): Filter[] {
  const subscriber = store.state.subscribers.find((row) => row.SubscriberId === to.AssignedSubscriberId);
  const isOn = isMessage ? subscriber?.EnableIntelligentGuardianMessages : subscriber?.EnableIntelligentGuardianCalls;
  const route = isMessage
    ? store.state.messageRoutes.find((row) => row.MessageRouteId === to.MessageRouteId)
    : store.state.voiceRoutes.find((row) => row.CallRouteId === to.VoiceRouteId);
  if (isOn !== true || route?.fields.IntelligentRouteEnabled !== true) return [];
  if (isMessage && route.fields.InboundBypass === true) return [];
  return store.state[isMessage ? 'messageFilters' : 'callFilters'].filter(
    (row) =>
      row.Phone === to.Number && row.SubscriberId === subscriber?.SubscriberId && row.fields.ApplyToInbound === true,
  );
}

/**
 * Returns the rule that stops a message or call. A blocked number comes first. An allowed number passes every other
 * rule.
 */
function ruleOf(filter: Filter, { from, message }: Inbound): string | undefined {
  const mode = filter.FilterMode.toUpperCase();
  if (STOPS_NOTHING.has(mode)) return undefined;
  if (filter.Blocked.includes(from)) return message ? 'BlockedContacts' : 'BlockedNumbers';
  if (filter.Allowed.includes(from)) return undefined;
  const has = (rule: string) =>
    filter.fields[rule] === true || (message !== undefined && LEVELS[mode]?.includes(rule) === true);
  if (has('BlockUnknownNumbers')) return 'BlockUnknownNumbers';
  if (message === undefined) {
    if (mode === 'WHITELIST') return 'WHITELIST';
    return has('BlockInternational') && !from.startsWith('+1') ? 'BlockInternational' : undefined;
  }
  if (has('BlockLinks') && LINK.test(message.body)) return 'BlockLinks';
  if (has('BlockMedia') && message.media) return 'BlockMedia';
  const body = message.body.toLowerCase();
  return keywordsOf(filter).some((word) => body.includes(word)) ? 'KeywordFilter' : undefined;
}

function keywordsOf({ fields }: Filter): string[] {
  try {
    const rules: unknown = JSON.parse(String(fields.KeywordFilter));
    if (!isObject(rules)) return [];
    const system = isObject(rules.SystemKeywords) ? Object.values(rules.SystemKeywords) : [];
    const words: unknown[] = [rules.CustomKeywords, ...system].filter((list) => Array.isArray(list)).flat();
    return words.flatMap((word) => (typeof word === 'string' && word !== '' ? [word.toLowerCase()] : []));
  } catch {
    return [];
  }
}
