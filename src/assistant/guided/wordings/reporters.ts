import { CHILDREN } from '../../../../tools/surfaces/filter-words.ts';

/*
 * The number in brackets behind a person who calls for another one is where they can be reached: "Mrs Stone (206-555-0121)
 * asks which numbers are on her daughters account". It is none of the lines that are spoken of.
 */

const WHOLE = String.raw`\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}`;
const REACHED_AT = new RegExp(
  String.raw`^(?!\W*(?:(?:please|pls|can|could|you|u|so|and|ok|hi|hey)[\s,]+)*(?:let|allow|permit|only|just|make|block|unblock|stop|never|do\s*n['’]?o?t|do\s+not)\b)(?<who>\W*(?:[\p{L}'’]+[\s.,]+){1,5}?)[(\[]\s*(?:(?:tel|phone|ph|mobile|cell|cb|call\s*back|nr|no|number|on|at)[\s.:]+)*${WHOLE}\s*[)\]]\s*,?\s+(?=(?:(?:is|was|has|just|on|the|phone|line|here|and|who|now)\s+)*(?:asks?|asked|asking|says?|said|saying|wants?|wanted|wonders|calls?|called|calling|rang|rings|phoned|reports?|reported|complain\w*|needs?|would)\b)`,
  'iu',
);
const OF_ANOTHER = new RegExp(String.raw`\b(?:his|her|their|the)\s+(?:\p{L}+\s+)?(?:${CHILDREN})(?:['’]?s)?\b`, 'iu');

/** The sentence without the number of a caller who speaks for a child, or of another line. */
export function withoutReporter(text: string): string {
  const rest = text.replace(REACHED_AT, '$<who>');
  return rest !== text && (OF_ANOTHER.test(rest) || /(?<![\d-])\d{4}(?![\w-])/u.test(rest)) ? rest : text;
}
