import { FAMILY, NOTICES } from '../../../tools/surfaces/filter-words.ts';
import type { StateChange } from './filter-states.ts';

/*
 * Orders about the numbers that get a text when a filter stops something: "send alerts for Ben to +1…", "notify 0101 when
 * his filter blocks something", "his mum wants no alerts any more".
 */

const STOPS = String.raw`(?:stop|block|flag|catch|caught|hold|held|filter)\w*`;
const WHEN = String.raw`(?:when(?:ever)?|if|once|every\s+time|any\s*time|as\s+soon\s+as|each\s+time)`;
const TELLS = String.raw`(?:tell|text|notify|alert|inform|warn|message|sms|ping|let)\w*`;
/** "Text her when something gets blocked" */
const WHEN_STOPPED = new RegExp(
  String.raw`\b${TELLS}\b[^.;!?]*\b${WHEN}\b[^.;!?]*\b(?:filter\w*[^.;!?]*\b${STOPS}|(?:something|anything|stuff|things?|texts?|messages?|calls?|someone|somebody|it)\b[^.;!?]*\b${STOPS})`,
  'iu',
);
const SENT = new RegExp(
  String.raw`\b(?:send|get|gets|receive|receives|give|have|go|goes|want|wants|would\s+like|should)\b[^.;!?]*\b(?:${NOTICES})\b|\b(?:${NOTICES})\b[^.;!?]*\b(?:to|go|goes|for|at)\b|\b(?:${NOTICES})\s+(?:phone|number)`,
  'iu',
);
/** "Send them to dad instead", after an answer about such notices. */
const SENDS_THEM = /\b(?:send|text|give)\s+(?:them|those|these|it|that)\s+to\b/iu;
const NO_MORE = new RegExp(
  String.raw`(?:\bno\s+(?:more\s+)?(?:${NOTICES})|(?:\bnot|\bdont|\bnever|n['’]?t)\b[^.;!?]*\b(?:${NOTICES})|\b(?:stop|end|remove|cancel|turn\s+off|switch\s+off|without|quit|drop)\b[^.;!?]*\b(?:${NOTICES}|notify\w*|alerting)\b|\b(?:${NOTICES})\b[^.;!?]*\boff\b|\bstop\s+(?:notify|alert|warn|text)ing\b)`,
  'iu',
);
const IN_PLACE = /\b(?:instead|only|just|rather|no\s+longer|not|replace)\b/iu;
/** Notices about something else: data, a port-in, the state of a line. */
const OF_ELSE =
  /\b(?:data|usage|gb|mb|gigs?|limits?|cap|ports?|porting|portin|orders?|sims?|esim|hold|parked|active|activated|cancel\w*|roaming|swap\w*|plan|bill|invoice|watch\w*|webhooks?|status|stuck|online|offline)\b/i;
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
  const isTold = WHEN_STOPPED.test(text) || SENT.test(text) || (isFilter && SENDS_THEM.test(text));
  if (!isTold) return undefined;
  const input = { NotificationPhones: [...others] };
  if (IN_PLACE.test(text)) return { traffic, input, note: '; the other numbers get no notice any more' };
  return { traffic, input, note: '; the other numbers go on to get it', addsNotices: true };
}
