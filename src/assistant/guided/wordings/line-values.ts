import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { wordsFor } from '../facts/other-choices.ts';

/*
 * A value that a line should have: "0104 has to be mobile", "make ben's line mvno". The values are those of the lists of
 * the operation that changes a line.
 */

const POLITE = String.raw`(?:(?:please|pls|plz|so|ok|okay|and|hey|hi|also|just|can|could|you|u|we|i|no|sorry|actually)[\s,]+)*`;
const LINE = String.raw`(?:(?:the\s+)?(?:number|line)\s+)?(?:[#…*]*\d{4}|\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4})|(?:\p{L}[\p{L}-]+\s+)?\p{L}[\p{L}’'-]+\s+(?:line|number)|(?:the|that|this)\s+(?:line|number)(?:\s+of\s+\p{L}[\p{L}-]+)?|it`;
const SHOULD = String.raw`(?:should|must|has\s+to|have\s+to|needs?\s+to|ought\s+to|(?:is|was)\s+(?:supposed|meant)\s+to)\s+(?:now\s+)?(?:have\s+been|be|become)`;
const END = String.raw`(?:\s+(?:line|number|one))?(?<end>(?:[\s,]+(?:please|pls|plz|now|instead|thanks?))*[\s.!]*)$`;
const IS = new RegExp(
  String.raw`^(?<head>\W*${POLITE})(?:(?<line>${LINE})\s+${SHOULD}|(?:make|turn|set)\s+(?<made>${LINE}))\s+(?:into\s+)?(?:(?:an?|the)\s+)?(?<value>\p{L}[\p{L}\d+-]*(?:[\s-]\p{L}+)??)${END}`,
  'iu',
);

/** The sentence as an order that changes the line. */
export function withLineValue(text: string, update: Tool | undefined): string {
  const { head = '', line, made, value = '', end = '' } = IS.exec(text)?.groups ?? {};
  const whose = line ?? made;
  if (!update || whose === undefined || text.includes('"')) return text;
  const isValue = fieldsOf(update).some((field) =>
    (field.choices ?? []).some((choice) => wordsFor(field, choice).includes(value.toLowerCase())),
  );
  // Another number is another matter.
  return isValue ? `${head}change ${whose.replace(/\bnumber\b/iu, 'line')} to ${value}${end}` : text;
}
