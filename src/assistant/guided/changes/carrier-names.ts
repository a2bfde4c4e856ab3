import { carriers } from '../../../../tools/surfaces/words.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { isChange, type Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { type GuidedAnswer, understood } from '../answers/answer.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * "The carrier is Lakeside Wireless", "losing carrier = Blue Bird": the words after “carrier” name the one that has
 * the number now, in any part of the order. They are the name of no customer.
 */

const FIELD = 'CurrentCarrierName';
const STOPS = '(?:account|acct|acc|pin|zip|for|number|no|and|with|at|on|from|but|to|is|she|he|they|please|pls|now)\\b';
const NAME = String.raw`(?<name>[\p{L}\d][\p{L}\d&'’-]*(?:\s+(?!${STOPS})[\p{L}&][\p{L}\d&'’-]*){0,2})`;
const LABELLED = new RegExp(
  String.raw`\b(?:carrier|provider|operator|network|telco)(?:\s+name)?(?:\s+(?:of|for)\s+\+?[\d\s().-]{7,16})?(?<mark>\s*[:=]\s*|\s+(?:is|was)\s+(?:currently\s+|now\s+|actually\s+|called\s+|the\s+)*|\s+)${NAME}`,
  'giu',
);

/** The order for a number of another carrier, with the carrier that it names. */
export function withCarrierName(guided: GuidedAnswer, { said }: Asked, tool: Tool | undefined): GuidedAnswer {
  const isOffer = guided.kind === 'form' || guided.kind === 'question';
  if (!tool || !isOffer || !isChange(tool) || guided.input[FIELD] !== undefined) return guided;
  if (!fieldsOf(tool).some(({ name }) => name === FIELD)) return guided;
  const name = carrierIn(said);
  if (name === undefined) return guided;
  // A name that is the carrier's is no customer's.
  const others = Object.entries(guided.input).filter(([, value]) => value !== name);
  const input = { ...Object.fromEntries(others), [FIELD]: name };
  const before = understood(tool, guided.input, guided.find).replace(/\.$/, '');
  const text = guided.understood.replace(before, () => understood(tool, input, guided.find));
  return { ...guided, input, understood: text };
}

function carrierIn(said: string): string | undefined {
  for (const { groups } of said.matchAll(LABELLED)) {
    const { name = '', mark = '' } = groups ?? {};
    const [first] = wordsOf(name);
    const isCapital = /^\p{Lu}/u.test(name);
    const isKnown = first !== undefined && (first.isUnknown || carriers.includes(first.plain));
    // Words behind it without a mark are a name only if nothing else is meant: "the carrier rejects it".
    if (isKnown || (isCapital && mark.trim() !== '')) return name;
  }
  return undefined;
}
