import type { Fields } from '../../../lib/json.ts';
import { jsonText } from '../../../lib/text.ts';
import type { GuidedAnswer } from '../answers/answer.ts';

/*
 * "Don't delete starter, just rename it to Starter 2026": the pronoun of what is wanted stands for what the refused part
 * names. The wanted part is read alone, with these words in place of the pronoun.
 */

const LEAD = String.raw`^(?:\W*(?:(?:please|pls|plz|hi|hey|ok|okay|no|nope|wait|actually|so)[\s,]+)*)`;
const REFUSED = String.raw`(?<refused>(?:do\s*n['’]?t|do\s+not|dnt|never|no\s+need\s+to|(?:never\s*mind|forget(?:\s+about)?)(?=\s+\p{L}+ing\b))\s+(?:get\s+rid\s+of|(?!(?:mind|start|begin|create|open|make|place|submit|order|buy|add|send|request)\b)\p{L}+(?:\s+(?:up|out|off|down))?)\s+(?<what>(?!(?:it|this|that|them|him|her|me|us|to)\b)[^,;!?]{2,60}?)(?:\s+(?:yet|just\s+yet|now|for\s+now|please|pls|anymore|entirely|completely))*)`;
const BUT = String.raw`(?:\s*[,;.!]+\s+|\s+[–—-]+\s+|\s+(?=(?:but|just|only|rather|instead)\b))(?:(?:but|just|only|rather|instead|please|pls|and|simply|i\s+(?:just|only)\s+(?:want|need)(?:\s+to)?|you\s+can|can\s+you)[\s,]+)*`;
const CONTRAST = new RegExp(String.raw`${LEAD}${REFUSED}${BUT}(?<wanted>[^.;!?]{3,200})[\s.!?]*$`, 'iu');
const OWN = /\b(?:its|their)\s+(?<part>\p{L}+(?:\s+(?:date|state|status|number|name|price))?)/iu;
const IT = /\b(?:it|them|that\s+one|this\s+one)\b/iu;
const LINE = /^(?:(?:the|line|number)\s+)*[#…*]*\+?[\d\s().-]+$/iu;

const TRAILING = /(?:[\s,]+(?:please|pls|plz|instead|now|thanks|thx))+$/iu;
const NEGATION = /^(?:do\s*n['’]?t|do\s+not|dnt|never\s*mind|forget(?:\s+about)?|never|no\s+need\s+to)\s+/iu;

/** The wanted part with what the refused one names. A line is named behind an order that has no pronoun, too. */
function namedIn(wanted: string, what: string): string | undefined {
  const isLine = LINE.test(what);
  // "Don't text 0101 any more, send it to 0104"
  if (isLine && /\d{4}/u.test(wanted)) return undefined;
  const of = OWN.exec(wanted);
  const text = of
    ? wanted.replace(of[0], () => `the ${of.groups?.part ?? ''} of ${what}`)
    : wanted.replace(IT, () => what);
  if (text !== wanted) return text;
  return isLine ? `${wanted.replace(TRAILING, '')} on ${what}` : undefined;
}

function isWithin(input: Fields, other: Fields): boolean {
  return Object.entries(input).every(([name, value]) => jsonText([other[name]]) === jsonText([value]));
}

/** The answer to what is wanted. Undefined for a sentence that refuses nothing, or names nothing in it. */
export function ofKeptSubject(said: string, answered: (text: string) => GuidedAnswer): GuidedAnswer | undefined {
  const { refused = '', what = '', wanted = '' } = (said.length > 300 ? null : CONTRAST.exec(said))?.groups ?? {};
  if (what === '' || /["“„]/u.test(said)) return undefined;
  const text = namedIn(wanted, what);
  if (text === undefined) return undefined;
  const own = answered(text);
  if (own.kind === 'help' && own.isUnread) return undefined;
  // "Don't park 0103, customer stays": a reason orders nothing.
  if (LINE.test(what) && own.kind !== 'form' && own.kind !== 'question') return undefined;
  // "Don't send the pin yet, just check it": nothing but the refused deed was read.
  const against = answered(refused.replace(NEGATION, ''));
  const isSame = own.operation === against.operation && own.kind !== 'lookup' && isWithin(own.input, against.input);
  if (isSame) return undefined;
  const told = `; left out, as you say: “${refused.trim()}”`;
  return { ...own, understood: `${own.understood.replace(/\.$/, '')}${told}.`, remarks: `${own.remarks ?? ''}${told}` };
}
