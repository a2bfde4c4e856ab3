import { type GuidedAnswer, help } from '../answers/answer.ts';
import { narrowedBy } from '../answers/read-conditions.ts';

/*
 * Words that messages are searched for: "find texts with the word invoice sent to 0102". They are taken out of the sentence
 * before it is read, because they may be those of another question.
 */

const READS =
  /^\W*(?:(?:hi|hey|ok|so|and|please|pls|can|could|you|u|we|i|need|want|to|me|us)[\s,]+)*(?:show|find|search|look|list|get|pull|see|check|which|what|any|is|are|did|do|does|has|have|how|all|the|texts?|sms|messages?|msgs?)\b/iu;
const NOUN = String.raw`\b(?:texts?|sms|mms|messages?|msgs?)\b`;
const END = String.raw`(?=\s*(?:[?.!,;]|$)|\s+(?:sent|going|to|from|of|on|in|for|by|at|since|after|before|between|this|last|today|yesterday|over\s*night|tonight|received|that|which|and|please|pls|go|went|gone|get|got|arrive[ds]?|reach(?:ed)?|c[ao]me)\b)`;
const WORD = String.raw`(?:["“'](?<quoted>[^"”']{2,60})["”']|(?<bare>[\p{L}\d$€£%-]+(?:\s+[\p{L}\d$€£%-]+){0,3}?)${END})`;
const THE_WORD = String.raw`(?:the\s+)?(?:words?|phrase|text|term|name)\s+`;
const SAYS = new RegExp(
  String.raw`(?<=${NOUN}[^.;!?"“]{0,60})\s(?:(?:with|using|having|has|have|for)\s+${THE_WORD}|(?:(?:that|which)\s+)?(?:contain|mention|includ|say|read)(?:s|es|ing|e)?\s+(?:${THE_WORD})?|about\s+(?!(?:it|that|this)\b)(?:the\s+|her\s+|his\s+|their\s+|an?\s+)?)${WORD}`,
  'iu',
);

/** "Search messages for invoice", "look for the word refund in 0101's texts" */
const SEARCHED = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|ok|so|and|please|pls|can|could|you|u|we|i|need|want|to)[\s,]+)*(?:search|look|go)(?:\s+(?:in|through|at))?\s+(?:(?:all|the|our|\S+['’]s)\s+)*(?:texts?|sms|messages?|msgs?)\s+(?:(?:of|on|from|to)\s+\S+\s+)?for\s+(?:${THE_WORD})?${WORD}`,
  'iu',
);
const WORD_FIRST = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|ok|so|and|please|pls|can|could|you|u|we|i|need|want|to)[\s,]+)*(?:search|look|find)(?:\s+for)?\s+(?:the\s+)(?:words?|phrase|term)\s+${WORD}(?=\s+in\s[^.;!?]*\b(?:texts?|sms|messages?|msgs?)\b)`,
  'iu',
);

const MESSAGES = 'message_search_get';
const OF_ONE_LINE =
  'Messages are read for one line at a time, and then narrowed to a word: write “texts of NUMBER with the word';

/** The messages that have these words. Undefined for a sentence that looks for no words. */
export function ofSearchedTexts(said: string, one: (said: string) => GuidedAnswer): GuidedAnswer | undefined {
  const found = SEARCHED.exec(said) ?? WORD_FIRST.exec(said) ?? (READS.test(said) ? SAYS.exec(said) : null);
  const text = found?.groups?.quoted ?? found?.groups?.bare;
  if (!found || text === undefined) return undefined;
  const isSearched = SEARCHED.test(said) || WORD_FIRST.test(said);
  const left = isSearched ? withoutWord(said, found[0], text) : undefined;
  const rest = left ?? `${said.slice(0, found.index)} ${said.slice(found.index + found[0].length)}`;
  const guided = one(rest.replace(/\s+/g, ' '));
  const isListed = ({ kind, operation }: GuidedAnswer) => kind === 'lookup' && operation === MESSAGES;
  const withText = (answer: GuidedAnswer) => (isListed(answer) ? narrowedBy(answer, [{ text, said: text }]) : answer);
  if (guided.kind === 'form' && guided.operation === MESSAGES && Object.keys(guided.input).length === 0) {
    const told = `${OF_ONE_LINE} ${text}”`;
    return { ...help(told), nearest: [{ operation: MESSAGES, input: {} }] };
  }
  if (![guided, ...(guided.also ?? [])].some(isListed)) return undefined;
  return { ...withText(guided), ...(guided.also && { also: guided.also.map(withText) }) };
}

/** The order to show the messages that are searched, without the word. */
function withoutWord(said: string, whole: string, word: string): string {
  const behind = said.slice(said.indexOf(whole) + whole.length);
  const before = whole.slice(0, Math.max(whole.lastIndexOf(word), 0));
  const kept = `${before} ${behind}`.replace(
    /["“”'](?=\s|$)|(?<=\s)["“”']|\bfor\s+(?=\s|$)|\b(?:the\s+)?(?:words?|phrase|term)\b/giu,
    ' ',
  );
  return kept
    .replace(/^\W*(?:\p{L}+\s+)*?(?:search|look|find|go)(?:\s+(?:for|in|through|at))*\s+(?:in\s+)?/iu, 'show ')
    .replace(/\bfor\s*$/iu, '');
}
