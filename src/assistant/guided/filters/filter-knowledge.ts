import { CHILDREN, FAMILY, NOTICES } from '../../../../tools/surfaces/filter-words.ts';
import { TRAFFIC, type Traffic } from '../../../../tools/surfaces/guard.ts';

/*
 * Questions about how filters work, and about all filters at once. No record answers them: what a filter can block is
 * read off the modes and rules of its kind of traffic.
 */

const ASKS =
  /\?|^\W*(?:(?:hi|hey|so|and|but|ok|okay|wait|please|pls|also)[\s,]+)*(?:what|whats|which|who|how|when|can|could|do|does|is|are|will|would|why|explain|tell\s+me|list|show|give\s+me|overview)\b/iu;
const FILTERS = String.raw`(?:(?:(?:call|text|message|sms|guardian|parental|spam)s?\s+)*filter(?:s|ing|ed)?|guardian|guard(?:ing|ed)?|parental\s+controls?|protection)`;

/** "Can a parent see the texts of their kid" */
const PARENT_SEES = new RegExp(
  String.raw`\b(?:can|could|may|will|does|do|is|are|possible|able|let)\b[^.;!?]*\b(?:${FAMILY})\b[^.;!?]*\b(?:see|sees|read|reads|view|watch|look\s+at|look\s+into|listen|hear|spy|check|copy|copies|get\s+(?:to\s+)?(?:see|read|a\s+copy|copies))\b[^.;!?]*\b(?:texts?|messages?|sms|chats?|calls?|conversations?|inbox|photos?|pictures?|what\s+(?:he|she|they))\b`,
  'iu',
);
/** "Is dad told about every text or only the blocked ones" */
const WHEN_TOLD = new RegExp(
  String.raw`(?=.*\b(?:${FAMILY}|they|he|she|parents?|${NOTICES})\b).*\b(?:told|notified|alerted|informed|warned|pinged|texted|hears?|(?:gets?|receives?|sees?)\s+(?:\p{L}+\s+){0,2}?(?:${NOTICES}|texts?|sms|messages?))\b[^.;!?]*\b(?:every|each|all|only|just|when(?:ever)?|any|how\s+often|everything)\b|\b(?:when|how\s+often|what\s+for)\b[^.;!?]*\b(?:told|notified|alerted|informed|warned|(?:${NOTICES}))\b|\bwhat\s+(?:do|does|will|is|are)\s+(?:\p{L}+\s+){0,2}?(?:${NOTICES})\b`,
  'iu',
);
const OF_OTHERS = /\b(?:data|usage|limit|port\w*|order|bill|plan|webhooks?|gb|mb|approv\w*|digest)\b/iu;

/** "What can be filtered on calls? levels too or just numbers" */
const CAN_FILTER = new RegExp(
  String.raw`\b(?:what|which|how)\b[^.;!?]*\b(?:can|could|may|do|does|is|are)\b[^.;!?]*\b(?:(?:be|get|you|i|we|one|it|they)\s+)(?:\p{L}+\s+){0,2}?(?:filter(?:ed)?|block(?:ed)?|stop(?:ped)?|restrict(?:ed)?|flag(?:ged)?)\b|\bwhat\s+(?:do|does|can|could)\s+(?:an?\s+|the\s+)?${FILTERS}\s+(?:block|stop|filter|do|catch|cover)\b|\bwhat\s+(?:do|does)\s+(?:an?\s+|the\s+)?(?:\p{L}+\s+){1,2}?(?:mode|level|setting)s?\s+(?:block|stop|filter|do|catch|cover|mean|allow)\b|\bwhat\s+(?:kinds?|sorts?|types?)\s+of\b[^.;!?]*\bfilter`,
  'iu',
);
const LEVELS = /\b(?:levels?|modes?|settings?|age\s+groups?)\b/iu;
const CALLS = /\b(?:call|caller|voice|phone)s?\b/iu;
const TEXTS = /\b(?:text|sms|message|msg)s?\b/iu;

/** "List all kids lines with a filter on", "how many customers have guardian" */
const OF_ALL = new RegExp(
  String.raw`\b(?:list|show|which|what|who|how\s+many|all|every|any|count)\b[^.;!?]*\b(?:${CHILDREN}|lines?|numbers?|customers?|subscribers?|people|families|accounts?|everyone|everybody|users?|who)\b[^.;!?]*\b(?:with(?:out)?|have|has|got|having|on|use|uses|under|using|are|is)\b[^.;!?]*\b${FILTERS}\b`,
  'iu',
);
const WITH_FILTER = new RegExp(String.raw`^\W*(?:who|which|how\s+many)\b[^.;!?]*\b${FILTERS}\b`, 'iu');

const NOTICE_TEXT =
  'A filter sends its notices as texts to the numbers on its list of notification phones, when it stops or flags something. What gets through makes no notice. “Send alerts for NAME to NUMBER” sets them';
const SEES_TEXT =
  'No filter shows a parent the texts or calls of a line: what it can do is send a notice to the parent’s number when it stops something, as in “send alerts for NAME to NUMBER”. Agents here see the messages of a line with “show texts of NUMBER”, and no recording of calls but of those that a filter flags';
const ALL_TEXT =
  'Guardian filtering is read for one customer at a time: write “is guardian filtering on for NAME”. “Show all call filters” and “show all message filters” list the filters that there are. Nothing was changed';

/** Lists the settings of a filter of this kind, in a sentence. */
function ofTraffic({ name, noun, levels, rules }: Traffic): string {
  const lists = levels.map(([, words]) => words.replace(/^\p{Lu}/u, (one) => one.toLowerCase()));
  const blocked = rules.map(([, , words]) => words).join(', ');
  const none = name === 'calls' ? '. It has no levels: those of age do nothing for calls today' : '';
  return `A ${noun} is set to one of: ${lists.join('; ')}. It can also block ${blocked}, and it has a list of allowed and one of blocked numbers${none}`;
}

/** The explanation that a question about filters in general asks for. `isOwned`: it names a line or a customer. */
export function filterKnowledge(text: string, isOwned: boolean): string | undefined {
  if (!ASKS.test(text) || /["“„]/u.test(text)) return undefined;
  if (PARENT_SEES.test(text) && !/\d{4}/u.test(text)) return SEES_TEXT;
  if (WHEN_TOLD.test(text) && !OF_OTHERS.test(text) && !isOwned) return NOTICE_TEXT;
  if (isOwned) return undefined;
  const [calls, texts] = [CALLS.test(text), TEXTS.test(text)];
  const kinds = TRAFFIC.filter(({ name }) => calls === texts || (name === 'calls') === calls);
  const isOfFilters = CAN_FILTER.test(text) && (calls || texts || /\bfilter|\bguard|\b(?:mode|level)s?\b/iu.test(text));
  if (isOfFilters || (LEVELS.test(text) && calls && !texts && /\bfilter|\bguard/iu.test(text)))
    return kinds.map(ofTraffic).join('. ');
  return asksOfAll(text) && !/\bfilters?\b/iu.test(text) ? ALL_TEXT : undefined;
}

const GUARD = String.raw`(?:guardian(?:\s+filter\w*)?|(?:(?:spam|calls?|texts?|messages?|sms|junk|robocall)\s+)?filter(?:s|ing)?)`;
/** "What did guardian stop yesterday", "anything the spam filter caught overnight" */
const GUARD_STOPPED = new RegExp(
  String.raw`\b(?:what|whats|which|anything|something|any|how\s+(?:many|much))\b[^.;!?]{0,60}?\b(?:did\s+|has\s+|have\s+)?(?:the\s+|our\s+|her\s+|his\s+)?${GUARD}\s+(?:(?:has|have|already|actually)\s+)?(?:stop|block|catch|caught|hold|held|flag|filter|reject|screen)(?:s|ed|ped|ged)?\b|\b(?:what|which|anything|how\s+(?:many|much))\b[^.;!?]{0,40}?\b(?:got|was|were|been)\s+(?:stopped|blocked|caught|filtered|flagged|held)\s+by\s+(?:the\s+|our\s+)?${GUARD}|\b(?:what|which|anything|how\s+(?:many|much))\b[^.;!?]{0,30}?\b(?:got|was|were|been)\s+filtered\b`,
  'iu',
);
/** True for a question what guardian filtering or a filter has stopped. */
export function asksWhatStopped(text: string): boolean {
  return GUARD_STOPPED.test(text);
}

/** True for a question which of all lines or customers have a filter. */
export function asksOfAll(text: string): boolean {
  return ASKS.test(text) && !GUARD_STOPPED.test(text) && (OF_ALL.test(text) || WITH_FILTER.test(text));
}
