import { wordsOf } from '../../language/sentence.ts';
import { jsonText } from '../../lib/text.ts';
import type { GuidedAnswer } from './answer.ts';

/*
 * A question about all but one: "data used by all lines except 0105", "active acme lines without ava's". Searches leave nobody
 * out, so the others are shown with that one, and the answer says so.
 */

const BUT =
  /[\s,]+(?:besides|except(?:ing)?(?:\s+for)?|apart\s+from|aside\s+from|other\s+than|excluding|without|but\s+not)\s+(?<who>[#…*]*\d{4}|\p{L}[\p{L}-]+(?:['’]s)?(?:\s+(?:lines?|numbers?|ones?))?)\s*[?.!]*$/iu;

/** The answer to such a question without the exception. Undefined if its words mean something else. */
export function ofOthersThan(said: string, read: (text: string) => GuidedAnswer): GuidedAnswer | undefined {
  const match = BUT.exec(said);
  const who = match?.groups?.who?.replace(/(?:['’]s)?(?:\s+(?:lines?|numbers?|ones?))?$/iu, '') ?? '';
  // "But not call" leaves out a service.
  const isNamed = /\d/.test(who) || wordsOf(who).every(({ isUnknown }) => isUnknown);
  if (!match || who === '' || !isNamed) return undefined;
  const shown = read(said);
  const isOnly = shown.kind === 'lookup' && has(jsonText([shown.input, shown.find?.input]), who);
  if (!isOnly) return undefined;
  const others = read(said.slice(0, match.index));
  if (others.kind !== 'lookup' || has(jsonText([others.input, others.find?.input]), who)) return undefined;
  const told = `; in the list, too: “${who}”`;
  return {
    ...others,
    understood: `${others.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${others.remarks ?? ''}${told}`,
  };
}

function has(text: string, name: string): boolean {
  return text.toLowerCase().includes(name.toLowerCase());
}
