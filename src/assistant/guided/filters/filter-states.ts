import { FEATURES_SET, TRAFFIC, type Traffic } from '../../../../tools/surfaces/guard.ts';
import type { Fields } from '../../../lib/json.ts';

/*
 * Orders that pause filtering or let it go on. The filter of one line is paused by itself; guardian filtering is switched
 * for a customer, and so for all their lines.
 */

const FILTER = /\bfilter(?:s|ing)?\b/iu;
const GUARDIAN = /\bguardian\b|\ball\s+(?:the\s+)?filter(?:s|ing)\b|\bparental\s+controls?\b/iu;
const OFF = String.raw`\b(?:pause|suspend|deactivate|disable|freeze|inactivate)(?:s|d)?\b|\b(?:turn|switch|put|set)\s+off\b|\b(?:turn|switch|put|set)\b[^.;!?]*\boff\b(?!\s+(?:the|his|her|their)\s+\p{L}*\s*list)|\bput\b[^.;!?]*\bon\s+(?:hold|pause)\b`;
const ON = String.raw`\b(?:resume|unpause|reactivate|re-?enable|restart)(?:s|d)?\b|\b(?:turn|switch)\s+(?:back\s+)?on\b|\b(?:turn|switch|put|set|bring|take)\b[^.;!?]*\b(?:back\s+on|on\s+again|off\s+(?:hold|pause)|on(?=\s*(?:$|[,.;!?]|please\b|pls\b|now\b)))`;
const ENDS = String.raw`(?=\s*(?:$|[,.;!?]|please\b|pls\b|now\b))`;
/** "Message filter off please" */
const SAID_OFF = new RegExp(
  String.raw`\bfilter(?:s|ing)?\s+(?:(?:should|to|must)\s+(?:be\s+)?)?(?:off|inactive|paused)${ENDS}`,
  'iu',
);
const SAID_ON = new RegExp(
  String.raw`\bfilter(?:s|ing)?\s+(?:(?:should|to|must)\s+(?:be\s+)?)?(?:back\s+)?on(?:\s+again)?${ENDS}`,
  'iu',
);
const PAUSES = new RegExp(OFF, 'iu');
const RESUMES = new RegExp(ON, 'iu');
const HOLD_OFF = /\boff\s+(?:hold|pause)\b|\bback\s+on\b/iu;

/** True for off, false for on. Undefined for a text that switches nothing. */
function isPaused(text: string): boolean | undefined {
  if (SAID_OFF.test(text) || SAID_ON.test(text)) return SAID_OFF.test(text);
  if (RESUMES.test(text) && (HOLD_OFF.test(text) || !PAUSES.test(text))) return false;
  return PAUSES.test(text) ? true : undefined;
}

const ALL_LINES = '; guardian filtering is switched for all lines of the customer';

/** Settings of a filter, or of guardian filtering, in the operation that changes them. */
export interface StateChange {
  operation?: string;
  traffic: Traffic['name'];
  input: Fields;
  note: string;
  /** True if its list of numbers that get a notice goes to those of the filter. */
  addsNotices?: true;
  /** The same for the other kind of traffic. */
  also?: StateChange;
}

/** The state of filters that a text sets. `kind`: the kind of traffic, if the text names one alone. */
export function stateIn(text: string, kind: Traffic['name'] | undefined, isLine: boolean): StateChange | undefined {
  const each = eachKind(text);
  if (each) return each;
  const isOff = FILTER.test(text) && !GUARDIAN.test(text) ? isPaused(text) : undefined;
  if (isOff === undefined) return undefined;
  if (kind === 'messages') return ofMessages(isOff);
  if (isLine) return kind === 'calls' ? ofCalls(isOff) : { ...ofMessages(isOff), also: ofCalls(isOff) };
  const switched = TRAFFIC.filter(({ name }) => kind === undefined || name === kind);
  const input = Object.fromEntries(switched.map(({ feature }) => [feature, !isOff]));
  const stays = isOff ? '; the filter itself stays, with its lists' : '';
  return { operation: FEATURES_SET, traffic: kind ?? 'calls', input, note: `${stays}${ALL_LINES}` };
}

function ofMessages(isOff: boolean): StateChange {
  const note = '; it goes on without a level, so that only its rules and lists block: name a level for more';
  return { traffic: 'messages', input: { FilterMode: isOff ? 'INACTIVE' : 'ACTIVE' }, note: isOff ? '' : note };
}

/** A call filter has no mode in which it is paused. */
function ofCalls(isOff: boolean): StateChange {
  const input = isOff ? { ApplyToInbound: false, ApplyToOutbound: false } : { ApplyToInbound: true };
  const note = isOff
    ? '; a call filter has no pause: it is set to filter neither direction, and keeps its lists'
    : '; it filters incoming calls';
  return { traffic: 'calls', input, note };
}

const KIND = '(?<kind>calls?|texts?|sms|messages?)';
const STATE = String.raw`(?:(?:stays?|is|should|be|left|leave|keep|remain|turn(?:ed)?|switch(?:ed)?|to)\s+)*(?<state>on|off)`;
const KIND_STATE = new RegExp(
  String.raw`\b${KIND}\s+(?:guardian\s+|filter(?:ing)?\s+)?${STATE}\b(?!\s+(?:the|his|her)\b)`,
  'giu',
);

/** "Guardian calls off, texts on" */
function eachKind(text: string): StateChange | undefined {
  if (!/\bguardian\b|\bfilter(?:s|ing)\b/iu.test(text)) return undefined;
  const found = [...text.matchAll(KIND_STATE)].map(({ groups }) => {
    const name = /^call/i.test(groups?.kind ?? '') ? 'calls' : 'messages';
    const feature = TRAFFIC.find((one) => one.name === name)?.feature ?? '';
    return [feature, groups?.state?.toLowerCase() === 'on'] as const;
  });
  if (new Set(found.map(([feature]) => feature)).size < 2) return undefined;
  return { operation: FEATURES_SET, traffic: 'calls', input: Object.fromEntries(found), note: ALL_LINES };
}
