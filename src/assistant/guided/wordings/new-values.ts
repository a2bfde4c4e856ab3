import { carriers } from '../../../../tools/surfaces/words.ts';
import { LINE } from '../facts/line-pattern.ts';
import { isName } from './complaints.ts';

/*
 * Orders without a verb of change about what a record has: "new owner for 0104 is Ben", "new price for Starter 20". They
 * change the record, and buy nothing. "Bring 0103 over to Ben" gives a line, and ports none.
 */

const POLITE = String.raw`^(?<start>\W*(?:(?:please|pls|plz|can|could|you|u|ok|okay|so|and|hi|hey|we|i|need|want|an?|the)[\s,:]+)*)`;
const VALUE = String.raw`(?:\s*(?::|=|,|\bis\b|\bwill\s+be\b|\bshould\s+be\b|\bto\b)?\s*(?<value>[\p{L}\d$][^;!?]{0,60}?))?(?<end>[\s.!]*)$`;
const NEW_OF_LINE = new RegExp(
  String.raw`${POLITE}new\s+(?<what>name|owner|holder|plan|package|(?:(?:voice|call|sip|sms|text|message)\s+)?route|caller\s+(?:id|name)|cnam)\s+(?:of|for|on)\s+(?<who>${LINE})${VALUE}`,
  'iu',
);
const NEW_PRICE = new RegExp(
  String.raw`${POLITE}new\s+(?<what>price|cost|monthly\s+(?:price|fee))\s+(?:of|for|on)\s+(?:the\s+)?(?<who>\p{L}[\p{L}\d-]*(?:\s+\p{L}[\p{L}\d-]*){0,2}?)(?:\s*(?::|=|,|\bis\b|\bwill\s+be\b|\bto\b)\s*|\s+)(?<value>\$?\d+(?:[.,]\d{1,2})?(?:\s*(?:usd|dollars?|\$))?)(?<end>[\s.!]*)$`,
  'iu',
);
const HANDED = new RegExp(
  String.raw`${POLITE}(?:bring|send|hand|pass|return|carry|shift)\s+(?<line>${LINE})\s+(?:back\s+|over\s+|across\s+|on\s+)*to\s+(?<name>\p{L}[\p{L}-]+(?:\s+\p{L}[\p{L}-]+)?)(?=\s*(?:$|[,.;!]|\b(?:please|pls|now|today|again)\b))`,
  'iu',
);
const UPDATES = new RegExp(
  String.raw`${POLITE}subscribe\s+(?:me\s+|us\s+|ops\s+)?to\s+(?:the\s+|all\s+|any\s+)?(?:updates?|news|changes?|notifications?|alerts?|events?)\s+(?:of|on|for|about|from)\s+(?<line>${LINE})`,
  'iu',
);

/** The sentence with the verb for what it orders. Any other sentence as it is. */
export function withVerbOfChange(text: string): string {
  const of = (NEW_OF_LINE.exec(text) ?? NEW_PRICE.exec(text))?.groups;
  if (of && !/["“„]/u.test(text)) {
    const what = /^(?:holder)$/iu.test(of.what ?? '') ? 'owner' : of.what;
    const value = of.value === undefined ? '' : ` to ${of.value}`;
    return `${of.start ?? ''}change the ${what} of ${of.who}${value}${of.end ?? ''}`;
  }
  const { name } = HANDED.exec(text)?.groups ?? {};
  const isCarrier = name !== undefined && carriers.some((one) => name.toLowerCase().includes(one));
  if (isCarrier) return text.replace(HANDED, '$<start>port $<line> out to $<name>');
  if (isName(name)) return text.replace(HANDED, '$<start>give $<line> to $<name>');
  return text.replace(UPDATES, '$<start>watch $<line>');
}
