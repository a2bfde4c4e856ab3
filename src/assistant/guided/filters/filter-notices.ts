import { FAMILY, NOTICES } from '../../../../tools/surfaces/filter-words.ts';
import type { StateChange } from './filter-states.ts';

/*
 * Orders about the numbers that get a text when a filter stops something: "send alerts for Ben to +1…", "notify 0101 when
 * his filter blocks something", "his mum wants no alerts any more".
 */

const STOPS = String.raw`(?:stop|block|flag|catch|caught|hold|held|filter)\w*`;
const WHEN = String.raw`(?:when(?:ever)?|if|once|every\s+time|any\s*time|as\s+soon\s+as|each\s+time)`;
const TELLS = String.raw`(?:tell|text|notify|alert|inform|warn|message|sms|ping|let)\w*`;
const TOLD = new RegExp(String.raw`\b(?:${TELLS}|hear|know|e?-?mail)\b`, 'iu');
const ONCE_STOPPED = new RegExp(String.raw`\b${WHEN}\b(?<what>[^.;!?]*)`, 'iu');
const IS_STOPPED = new RegExp(String.raw`\b${STOPS}`, 'iu');
const WHAT_IS_STOPPED =
  /\b(?:filter\w*|something|anything|stuff|things?|texts?|te?xts?|sms|msgs?|messages?|calls?|someone|somebody|it)\b/iu;

/** True for "text her when something gets blocked": a notice each time that a filter stops something. */
export function isToldWhenStopped(text: string): boolean {
  const what = ONCE_STOPPED.exec(text)?.groups?.what;
  return what !== undefined && IS_STOPPED.test(what) && WHAT_IS_STOPPED.test(what) && TOLD.test(text);
}

/** "Tell me when …", which no filter does. */
const TELLS_US = new RegExp(String.raw`\b${TELLS}\s+(?:me|us)\b`, 'iu');

/** The question for the number that gets the notice, of an order that names none. Undefined for other texts. */
export function noticeWithoutNumber(text: string, owner: string): string | undefined {
  if (OF_ELSE.test(text) || TELLS_US.test(text) || NO_MORE.test(text) || !isToldWhenStopped(text)) return undefined;
  return `A filter sends such a notice as a text, to numbers that it has on a list: write the number, such as “notify NUMBER when a message is blocked for ${owner}”. Nothing was done`;
}

const SENT = new RegExp(
  String.raw`\b(?:send|get|gets|receive|receives|give|have|go|goes|want|wants|would\s+like|should)\b[^.;!?]*\b(?:${NOTICES})\b|\b(?:${NOTICES})\b[^.;!?]*\b(?:to|go|goes|for|at)\b|\b(?:${NOTICES})\s+(?:phone|number)|\b(?:add|put)\b[^.;!?]*\b(?:to|on)\b[^.;!?]*\b(?:notify|(?:${NOTICES}))\s*-?\s*(?:list|phones?|numbers?)\b`,
  'iu',
);
/** "Send them to dad instead", after an answer about such notices. */
const SENDS_THEM = /\b(?:send|text|give)\s+(?:them|those|these|it|that)\s+to\b/iu;
const NO_MORE = new RegExp(
  String.raw`(?:\bno\s+(?:more\s+)?(?:${NOTICES})|(?:\bnot|\bdont|\bnever|n['’]?t)\b[^.;!?]*\b(?:${NOTICES})|\b(?:stop|end|remove|cancel|turn\s+off|switch\s+off|without|quit|drop)\b[^.;!?]*\b(?:${NOTICES}|notify\w*|alerting)\b|\b(?:${NOTICES})\b[^.;!?]*\boff\b|\bstop\s+(?:notify|alert|warn|text)ing\b)`,
  'iu',
);
const IN_PLACE = /\b(?:change[sd]?|swap|instead|only|just|rather|no\s+longer|not|replace)\b/iu;
/** Notices about something else: data, a port-in, the state of a line. */
const OF_ELSE =
  /\b(?:data|usage|gb|mb|gigs?|limits?|cap|ports?|porting|portin|orders?|sims?|esim|hold|parked|active|activated|cancel\w*|roaming|swap\w*|plan|bill|invoice|watch\w*|webhooks?|status|stuck|online|offline)\b/i;
/** True for a text about notices of something else than filters. */
export function isOfElse(text: string): boolean {
  return OF_ELSE.test(text);
}

const FILTERED = /\bfilter\w*|\bguardian\b|\bblocked\b|\bblocks\b/i;
const RELATIVE = new RegExp(String.raw`\b(?:${FAMILY})\b`, 'iu');

/**
 * The notices that a text sets up or ends.
 *
 * @param others the numbers in it besides that of the customer
 * @param isFilter true if it is about a filter, by its words or by its thread
 */
export function noticesIn(text: string, others: readonly string[], isFilter: boolean): StateChange | undefined {
  if (OF_ELSE.test(text)) return undefined;
  const isAbout = isFilter || FILTERED.test(text) || RELATIVE.test(text);
  const traffic = /\bcalls?\b/i.test(text) && !/\b(?:texts?|sms|messages?)\b/i.test(text) ? 'calls' : 'messages';
  if (others.length === 0) {
    const isEnd = isAbout && NO_MORE.test(text);
    const note = '; take the number that gets no notice any more off “Notification phones” in the form';
    return isEnd ? { traffic, input: {}, note } : undefined;
  }
  const isTold = isToldWhenStopped(text) || SENT.test(text) || (isFilter && SENDS_THEM.test(text));
  if (!isTold) return undefined;
  const input = { NotificationPhones: [...others] };
  if (IN_PLACE.test(text)) return { traffic, input, note: '; the other numbers get no notice any more' };
  return { traffic, input, note: '; the other numbers go on to get it', addsNotices: true };
}
