import { givenNames } from '../../../../tools/surfaces/spellings.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { isEveryday } from '../../../language/vocabulary.ts';

/*
 * The name of a customer who is new here. It may be made of words that ask for something else in another place ("Nina
 * Park", "Mark Hold"), so it is taken out of the sentence before the sentence is read.
 */

const NOUN = String.raw`(?:customer|subscriber|client|user|person|employee|hire|joiner|someone|somebody)(?:\s+(?:profile|record|entry))?`;
const MAKES = String.raw`(?:add|create|make|register|put\s+in|set\s*up|setup|sign\s*up|onboard|enter|enroll)`;
const ARTICLE = String.raw`(?:(?:an?|the|another|our|new|fresh|following)\s+)*`;
const WORD = String.raw`\p{L}[\p{L}\p{M}'’.-]*(?<![.'’-])`;
/** Words that are no part of a name. */
const NO_NAME = String.raw`(?!(?:an?|the|to|for|of|on|in|at|by|from|with|under|down|as|is|are|was|has|had|who|that|which|and|or|wants?|needs?|gets?|not|please|pls|plz|up|support|account|number|line|plan|package|name|email|mail|phone|role|service|route|password|his|her|their)\b)`;
const NAME = String.raw`(?<name>${NO_NAME}${WORD}(?:\s+${NO_NAME}${WORD}){0,3})`;
const END = String.raw`(?=\s*(?:$|[,;(!?:\n]|\.(?:\s|$)|[-–—]\s|\b(?:with|under|for|at|in|on|to|of|into|e-?mail|mail|phone|number|please|pls|plz|thx|thanks|and|role|password|as|his|her|their|today|now|asap)\b|(?<!\p{L})\S+@|\d{1,5}[A-Z]?\s+\p{L}))`;
const CALLED = String.raw`(?:\s*[:,–—-]\s*|\s+(?:is\s+)?(?:called|named|by\s+the\s+name\s+of|name(?:\s+is|:)?)\s+|\s+)`;

const PLACES: readonly RegExp[] = [
  // "Make a customer Nina Park", "new customer: Nina Park"
  new RegExp(
    String.raw`\b(?:${MAKES}\s+${ARTICLE}|(?<!\b(?:the|our|this|that)\s+)new\s+)${NOUN}${CALLED}${NAME}${END}`,
    'iu',
  ),
  // "Can we get a new customer in the system, Nina Park, nina@x.com"
  new RegExp(
    String.raw`(?:\b${MAKES}\s+${ARTICLE}|(?<!\b(?:the|our|this|that)\s+)\bnew\s+)${NOUN}(?<kept>\s+[^,:;.!?\d@]{1,40}?)\s*[:,–—]\s*${NAME}(?=\s*[,;(<-]?\s*(?:\p{L}+:?\s+){0,2}(?<!\p{L})\S+@)`,
    'iu',
  ),
  // "Add Nina Park as a customer", "make Nina Park a customer"
  new RegExp(
    String.raw`\b(?:${MAKES}|sign|mark|list|put|record|note|book|take)\s+${NAME}(?:\s+(?:up|in|down|on))?(?:\s*,\s*\S+@\S+?,?)?\s+(?:as\s+(?:our\s+|an?\s+)?|an?\s+|to\s+(?:the|our)\s+)(?:new\s+)?${NOUN}s?\b`,
    'iu',
  ),
  // "Put Nina Park in as the manager at Acme, nina@x.com"
  new RegExp(
    String.raw`\b(?:put|add|set|get)\s+${NAME}\s+(?:in\s+|up\s+)?as\s+(?:the|an?|our)?\s*(?=(?:new\s+)?(?:manager|account\s+admin|admin|subscriber|user)\b[^.;!?]*\S+@)`,
    'iu',
  ),
  // "Sign up Nina Park"
  new RegExp(
    String.raw`\b(?:sign\s+up|onboard|enroll|register)\s+${NAME}(?=\s*(?:$|[,;(!?]|\.(?:\s|$)|\b(?:with|please|pls|plz|under|today|now)\b|(?<!\p{L})\S+@))`,
    'iu',
  ),
  // "Add Nina Park, nina@x.com"
  new RegExp(
    String.raw`(?<=^\W*(?:(?:please|pls|plz|hi|hey|can|could|you|u|now|then|also|and|ok|okay|so|next)\W+)*)(?:${MAKES})\s+(?!customer|subscriber|client|user)${NAME}(?=\s*[,;(<-]?\s*(?<!\p{L})\S+@)`,
    'iu',
  ),
];
/** "New dispatcher" before a name. */
const JOB =
  /^(?:(?:our|my|new|another)\s+)+(?:\p{L}[\p{L}-]*\s+){0,2}?(?=\p{L}[\p{L}'’-]*\s+\p{L}[\p{L}'’-]*$)|^(?:\p{Ll}[\p{L}-]*\s+){1,2}(?=\p{Lu}[\p{L}'’-]*\s+\p{Lu}[\p{L}'’-]*$)/u;
/** Sentences that ask for something, or make nothing. */
const OTHERS =
  /^\W*(?:who|what|whats|where|which|when|why|how|is|are|was|were|did|does|has|have|show|find|look|list|call|text|tell|message|send|if)\b|\b(?:not|never)\b|n['’]t\b/iu;
/** "Add customer Ava to the workgroup": a customer who is here already. */
const JOINS =
  /^\s*(?:to|into|in|on|of)\s+[^,.;!?]*\b(?:workgroup|group|list|plan|package|filter|webhook|line|number)\b/iu;

const GIVEN: ReadonlySet<string> = new Set(givenNames.split(' '));

/** The name of a new customer in a sentence, and the sentence without it. Undefined if it names none. */
export function newCustomerIn(text: string): { name: string; rest: string } | undefined {
  if (OTHERS.test(text)) return undefined;
  for (const pattern of PLACES) {
    const found = pattern.exec(text);
    const name = found?.groups?.name?.replace(JOB, '');
    if (!found || name === undefined || !isName(name, /@/.test(text))) continue;
    if (JOINS.test(text.slice(found.index + found[0].length))) continue;
    const kept = (found.groups?.kept ?? '')
      .replace(/\b(?:in|into|to|on)\s+(?:the|our)\s+(?:system|books|platform)\b/iu, ' ')
      // "Add someone to the Globex account" makes no account.
      .replace(/(?<=\b(?:in|into|to|on|at)\s+(?:the\s+|our\s+)?\p{L}+)\s+account\b/iu, '');
    const mail = /\S+@\S+/.exec(found[0])?.[0] ?? '';
    const before = text.slice(0, found.index).replace(/\b(?:get|have|need|want|add)\s+(?:an?\s+)?$/iu, '');
    const rest = `${before}create a new customer ${kept} ${mail} ${text.slice(found.index + found[0].length)}`;
    return { name, rest };
  }
  return undefined;
}

/** True for words of which at least the first is a name, or that are all written like one. */
function isName(name: string, hasMail: boolean): boolean {
  const words = name.split(/\s+/);
  const first = words[0]?.toLowerCase() ?? '';
  const isFree = GIVEN.has(first) || (wordsOf(first).every(({ isUnknown }) => isUnknown) && !isEveryday(first));
  const isCapital = words.length > 1 && words.every((word) => /^\p{Lu}/u.test(word));
  return isFree || isCapital || (hasMail && words.length > 1);
}
