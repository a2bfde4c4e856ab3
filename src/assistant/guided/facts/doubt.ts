import type { Tool } from '../../../catalogue/operation.ts';
import type { Word } from '../../../language/sentence.ts';
import { MIND } from './retraction.ts';

/* Sentences that name a change without asking for it now: conditions, words taken back, judgements and reports. */

/** "Wants to know when her number comes over", "so that it is seen when she rings": a question in other words, and no condition. */
const ASKED = String.raw`(?<!\b(?:to\s+(?:know|hear|see|learn)|asks?|asked|asking|wonders?|wondering|(?:is|be)\s+(?:seen|shown))\s)`;

/** "Make a list of all cancelled numbers and when they get deleted": a second question. */
const LISTED = String.raw`(?<!\b(?:list|overview|table|report|show|tell)\b[^.;!?]{0,100}\b(?:and|with|plus)\s)`;

/** Words after which something else has to happen first. Days, volumes and times of day are taken out or excluded. */
const CONDITIONS: readonly RegExp[] = [
  new RegExp(String.raw`${ASKED}\bif\b(?!\s+(?:possible|you|u|ya|need(?:ed)?\s+be|not\s+already)\b)`),
  /\b(?:unless|whenever|provided|providing|assuming|depending\s+on|subject\s+to|in\s+case|on\s+condition|as\s+long\s+as|so\s+long\s+as)\b/,
  /\bas\s+soon\s+as\b(?!\s+(?:possible|you|u)\b)/,
  new RegExp(
    String.raw`${ASKED}${LISTED}\bwhen\b(?!\s+(?:possible|convenient|you|u|free|do|does|did|will|would|was|were)\b)`,
  ),
  /(?<!\b(?:at|than|just|only)\s)\bonce\b(?!\s+(?:more|again|you|u|and\s+for\s+all)\b)/,
  /(?<!\bas\s)\b(?:after|before)\b(?!\s*(?:$|[,.;!?]|and\b|\d|noon\b|midnight\b|lunch\b|today\b|tonight\b|tomorrow\b|now\b|then\b|all\b|hours?\b|work\b|data\b|you\s+go\b))/,
  /\bpending\s+(?:[\w'’]+\s+)?(?:approval|confirmation|payment|ok)\b/,
  /(?<!\b(?:s?he|they|customer|client)(?:['’]s|\s+is|\s+are)?\s+)\bwait(?:ing|s)?\s+(?:for|on|until|till|to)\b/,
];
const UNTIL = /\b(?:until|till|til)\b(?!\s*(?:$|[,.;!?]|further\b|today\b|tonight\b|tomorrow\b|\d))/;
const UNTIL_FIRST = /(?:^|[,.;!?]\s*)(?:until|till|til)\b(?!\s*(?:$|[,.;!?]))/;

const BAD = String.raw`(?:a\s+|an\s+|the\s+|all\s+|so\s+|very\s+|too\s+|really\s+|just\s+|just\s+a\s+)*(?:wrong|bad|mistakes?|errors?|joke|stupid|silly|unfair|unnecessary|pointless|premature|early|refused|rejected|declined|denied|undone|reverted|not\s+(?:right|ok|okay|allowed|possible|wise|good|fair|meant|intended|necessary|asked))`;
const IS = '(?:is|was|were|been|are|be|seems|seemed)';
/** Words that judge a change, or report how it went. */
const JUDGED = String.raw`(?:(?:has\s+|had\s+|have\s+)?(?:just\s+|again\s+)?(?:failed|fails)|(?:did|does|has|could|would)\s*(?:not|n['’]?t)\s+(?:even\s+)?(?:work|worked|help|helped|succeed|go\s+through|gone\s+through|happen|happened|take|stick)|never\s+(?:worked|happened|went)|(?:would\s+|will\s+|should\s+|has\s+|had\s+)?(?:have\s+)?${IS}\s+${BAD}|${IS}\s+what)\b`;

/** Words that take a request back, or make it an example. */
const TAKEN_BACK: readonly RegExp[] = [
  /\b(?:i|we|they|she|he)\s+wish(?:ed|es)?\b(?!\s+to\b)|\bif\s+only\b/,
  /\b(?:nope|nah|kidding|joking|jk|hypothetical(?:ly)?|theoretical(?:ly)?|in\s+theory|never\s*mind|nvm|disregard|ignore[ds]?)\b/,
  /\b(?:scratch|strike|forget)\s+(?:that|this|it)\b|\bon\s+second\s+thoughts?\b/,
  MIND,
  /(?<!^\W*)\b(?:wait|actually|oh|sorry|hm+|uh)[\s,]+no\b|\bno[\s,]+wait\b|\s(?:no|not)[\s.!]*$/,
  /^\W*(?:please\s+)?(?:imagine|suppose|supposing|assume|pretend|let\s+us\s+say|let['’]?s\s+(?:say|imagine|pretend|suppose)|say\s+(?:we|i|she|he|they)\b|for\s+example|example|e\.?g\b)/,
  /\bno[\s,]+not\b|[,.;!?–—-]\s*(?:(?:oh|no|sorry|wait)[\s,]+)*i\s+mean(?:t)?\b/,
  /\bnot(?:\s*(?:$|[,.;!?])|\s+(?:today|tonight|tomorrow|now|right\s+now|yet|immediately|at\s+once|this|before|until|any\s*time|so\s+soon)\b)/,
];

/** "It was a mistake to cancel", "a mistake cancelling her". */
const JUDGED_FIRST = new RegExp(
  String.raw`\b(?:it|that|this|what\s+a)\s*(?:['’]s|would\s+be|will\s+be|would\s+have\s+been|${IS})?\s*${BAD}\s+(?:idea\s+|thing\s+|move\s+)?(?:to|that|if|when|we|cancelling|canceling|parking|\w+ing)\b`,
);
/** "That was wrong", as a part of a sentence on its own. */
const JUDGED_AFTER = new RegExp(
  String.raw`[,.;!?–—-]\s*(?:(?:and|but|sorry|oh|no|wait|so)[\s,]+)*(?:(?:it|that|this|which)\s*${JUDGED}|(?:it|that|this)['’]?s\s+${BAD}(?:\s*[.!]*$))`,
);
/** "Reactivate 0107 failed", within the part of a sentence that names the change. */
const JUDGED_INSIDE = new RegExp(String.raw`\S\s+${JUDGED}`);

/** Operations that ask for a condition themselves. */
const TAKES_CONDITION: ReadonlySet<string> = new Set(['numbers_watch', 'webhooks_create']);
const SETS_LIMIT = 'numbers_data_usage_set';
const NOTICE = /\b(?:notify|warn|alert|tell|throttl\w*|slow\w*|cap\w*|stop\w*|cut)\b/;
const CORRECTS = 'numbers_portin_update';
const GIVES_RIGHT =
  /\b(?:should|must|has\s+to|needs\s+to)\s+(?:be|read|say)\b|\b(?:correct|right)\s+(?:one|is)\b|\bit['’]?s\b|\binstead\b|\bchange\b|\bcorrect\b/;
/** Operations with which people hold something for a time. */
const HOLDS = /^numbers_(?:status|update)$|_add$|^numbers_data_usage_set$/;
/** Operations that mend a mistake: "it was a mistake" is a reason for them. */
const MENDS = /^numbers_reactivate$|_remove$/;

/**
 * True if a sentence names a change without asking for it now: under a condition, as something taken back, or as
 * something that was or would be wrong.
 *
 * @param rest the sentence without days, volumes and the text of a message
 * @param clause the part of it that names the change
 */
export function isDoubtful(rest: string, clause: string, tool: Tool): boolean {
  const text = rest.toLowerCase().trim();
  if (isConditional(text, tool.id) || TAKEN_BACK.some((pattern) => pattern.test(text))) return true;
  // A correction of an order is about its mistake.
  if (tool.id === CORRECTS && GIVES_RIGHT.test(text)) return false;
  if (JUDGED_FIRST.test(text) || JUDGED_INSIDE.test(clause.toLowerCase())) return true;
  return !MENDS.test(tool.id) && JUDGED_AFTER.test(text);
}

function isConditional(text: string, id: string): boolean {
  if (TAKES_CONDITION.has(id) || (id === SETS_LIMIT && NOTICE.test(text))) return false;
  if (UNTIL_FIRST.test(text) || (!HOLDS.test(id) && UNTIL.test(text))) return true;
  return CONDITIONS.some((pattern) => pattern.test(text));
}

/** "If 0107 isn't deleted yet reactivate it": the condition is negated, and not what is asked for. */
export function isOnlyConditionNegated(clause: string, asking: readonly Word[]): boolean {
  const text = clause.toLowerCase();
  const start = text.search(/\b(?:if|unless|in\s+case|as\s+long\s+as|so\s+long\s+as|provided|assuming|when|once)\b/);
  if (start < 0) return false;
  return asking.every(({ typed }) => {
    const word = typed.toLowerCase();
    // An expression such as "bring … back" is one word of the vocabulary.
    const at = text.includes(` ${word}`) ? text.lastIndexOf(` ${word}`) : text.search(PARTED);
    return at > start && !NEGATED.test(`${text.slice(start, at)} `);
  });
}

/** Verbs of expressions with a word between them. */
const PARTED =
  /\s(?:bring|get|take|put|switch|turn|let|give|set|make)\b(?!.*\s(?:bring|get|take|put|switch|turn|let|give|set|make)\b)/;
/** Right before a deed that is not to be done. */
const NEGATED =
  /\b(?:do\s*(?:n['’]?t|not)|dnt|never|not\s+to|no\s+need\s+to|without|(?:should|must|shall|can|will|would)(?:\s*n['’]?t|\s+not)|cannot|wont|nobody|avoid)\s+(?:\p{L}+\s+)?$/iu;

/**
 * The words of a condition: "only if Ava agrees". Undefined for a sentence without one.
 *
 * @param asking the words that ask for the change, before which the condition ends
 */
export function conditionIn(said: string, asking: readonly Word[] = []): string | undefined {
  const whole = wholeConditionIn(said);
  if (whole === undefined) return undefined;
  const before = said.slice(0, said.indexOf(whole)).toLowerCase();
  if (asking.some(({ typed }) => before.includes(typed.toLowerCase()))) return whole;
  const ends = asking.map(({ typed }) => `${whole.toLowerCase()} `.lastIndexOf(` ${typed.toLowerCase()} `));
  const end = Math.min(...ends.filter((at) => at > MIN_CONDITION));
  return Number.isFinite(end) ? whole.slice(0, end).replace(/[\s,]+(?:then|please|pls|just|so)$/i, '') : whole;
}

/** "If he has not paid, cancel 0104": a condition, and no question about the deed, as "if I cancel 0104, …" is. */
export function beginsCondition(said: string, clause: string, asking: readonly Word[]): boolean {
  const head = CONDITION_FIRST.exec(clause)?.[0];
  if (head === undefined || said.includes('?')) return false;
  const first = clause.slice(head.length).replace(DOER, '').toLowerCase();
  return !asking.some(({ typed }) => first.startsWith(typed.toLowerCase()));
}

const CONDITION_FIRST =
  /^\W*(?:(?:ok|okay|so|and|but|please|pls|hey|hi|number|line|[#…]*\d{4})[\s,:]+)*(?:if|unless|when|once)\s+/i;
const DOER =
  /^(?:i|we|you|u|they|he|she|someone|the\s+customer)\s+(?:(?:can|could|would|should|will|want\s+to|have\s+to)\s+)*/i;

/** Shorter texts are no condition. */
const MIN_CONDITION = 6;

function wholeConditionIn(said: string): string | undefined {
  const text = said.trim();
  const starts = CONDITIONS.map((pattern) => text.toLowerCase().search(pattern)).filter((at) => at >= 0);
  if (starts.length === 0) return undefined;
  const at = Math.min(...starts);
  const before = /\b(?:but\s+)?(?:only|just|except|even)\s+$/i.exec(text.slice(0, at))?.[0] ?? '';
  return /^.+?(?=[,;!?]|\.(?:\s|$)|$)/s.exec(text.slice(at - before.length))?.[0].trim();
}

const EVERYONE_BUT =
  /\b(?:block|ban|bar|blacklist|stop|reject|filter)\w*\b[^,.;!?]*\b(?:every\s*(?:one|body|thing)?|all|any\s*(?:one|body|thing)|the\s+rest)\b[^,.;!?]*?\b(?:but|except(?:\s+for)?|besides|other\s+than|apart\s+from|save\s+for|excluding)\b/i;

/** True for an operation with which people hold something for a time. */
export function holdsFor({ id }: Tool): boolean {
  return HOLDS.test(id);
}

/** True for "block everyone but": it asks to allow, and not to block, the numbers that it names. */
export function blocksOthers(said: string): boolean {
  return EVERYONE_BUT.test(said);
}

/** True for "remove 0101 from ava", where the number is to stay, and for "cancel the warning on 0105". */
export function takesFrom(said: string, tool: Tool): boolean {
  if (tool.id !== 'numbers_cancel') return false;
  const [, thing] = PART_OF_LINE.exec(said) ?? [];
  return (thing !== undefined && !LINE.test(thing)) || FROM.test(said) || OFF_OTHER.test(said);
}

/** "Take 0103 off …" something that is not the service: a cancellation needs a word for cancelling. */
const OFF_OTHER =
  /^(?!.*\b(?:cancel|terminat|disconnect|deactivat|delet|clos|end\b|kill)).*(?:\bnumber|\bline|\d{4})\s+(?:away\s+)?(?:off|out\s+of)\s+(?:of\s+)?(?!(?:(?:the|our|your)\s+)?(?:network|system|systems|air|service|grid|books?|platform|inventory|us|now|today|please|pls|for|asap|then|completely|entirely|permanently|right)\b)\p{L}/iu;

const FROM = /\b(?:remove|delete|drop|erase|take|clear|wipe|cut|shut)\b[^,.;!?]*\bfrom\b/i;
/** The thing that is ended, where a line is named after it. */
const PART_OF_LINE =
  /\b(?:remove|delete|drop|erase|take|clear|wipe|cancel|end|stop|kill|terminate|disconnect|close)\s+(?:(?:off|out|down|the|an?|her|his|their|its|that|this|any|all|whole|entire)\s+)*([a-z][a-z'’ -]*?)\s+(?:on|of|for|from|off)\s+(?:the\s+)?(?:number|line|[#…*]*\d{4})/i;
/** Words for a line as a whole. */
const LINE =
  /(?:^|\s)(?:lines?|numbers?|services?|contracts?|mobiles?|phones?|cells?|sims?|accounts?|msisdns?|it|that|this|everything|both|one)$/i;
