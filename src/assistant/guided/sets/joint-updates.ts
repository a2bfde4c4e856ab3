import type { GuidedAnswer } from '../answers/answer.ts';
import { partsOf } from '../answers/parts.ts';

/*
 * Two changes of one line in one sentence that are fields of one operation: "give 0105 to Ben and set the caller name to
 * B REED". They are one form.
 */

const UPDATE = 'numbers_update';
const MAX_LENGTH = 300;
const MOST_PARTS = 4;
const LINE =
  /(?<![\d-])[#…*]*\d{4}(?![\w-])|(?<!\d)\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)|\b\p{Lu}?\p{Ll}+['’]s\s+(?:line|number)\b/u;
const PLACES = ['on', 'for', 'of'];

/** The answer with the values of all its parts. Undefined if a part is about another operation or another line. */
export function ofJointUpdate(said: string, answered: (text: string) => GuidedAnswer): GuidedAnswer | undefined {
  const parts = said.length > MAX_LENGTH || /["“„?]/u.test(said) ? [] : (listedIn(said) ?? partsOf(said));
  const line = LINE.exec(said)?.[0].trim();
  if (parts.length < 2 || parts.length > MOST_PARTS || line === undefined) return undefined;
  const read: GuidedAnswer[] = [];
  for (const part of parts) {
    const texts = LINE.test(part) ? [part] : PLACES.map((place) => `${part.replace(/[\s.!]+$/, '')} ${place} ${line}`);
    const own = texts.map(answered).find((one) => isUpdate(one) && isSameLine(one, read[0]));
    if (!own) return undefined;
    read.push(own);
  }
  const [first, ...others] = read;
  const inputs = read.map(({ input }) => Object.entries(input).filter(([name]) => name !== 'Number'));
  const all = inputs.flat();
  const isOnce = new Set(all.map(([name]) => name)).size === all.length;
  if (!first || !isOnce || inputs.some((own) => own.length === 0)) return undefined;
  const remarks = [...new Set(others.flatMap((one) => one.remarks ?? []))].join('');
  const { guide: _, ...rest } = first;
  return {
    ...rest,
    kind: 'form',
    input: { ...first.input, ...Object.fromEntries(all) },
    understood: `${first.understood.replace(/\.$/, '')}${remarks}.`,
    ...((first.remarks ?? remarks) !== '' && { remarks: `${first.remarks ?? ''}${remarks}` }),
    wordsLeft: read.flatMap(({ wordsLeft = [] }) => wordsLeft),
  };
}

const LISTS =
  /^\W*(?:(?:please|pls|can|could|you|and|ok)[\s,]+)*(?:change|update|edit|set|fix|correct)\s+(?:line\s+|number\s+)?[#…*]*\d{4}\s*[:,–—-]\s*(?<list>.*)$/isu;

/** "Change 0105: sim 8901…, caller name J LOPEZ": the values of a list, each as an order. */
function listedIn(said: string): string[] | undefined {
  const list = LISTS.exec(said)?.groups?.list;
  const parts = list?.split(/\s*[,;]\s*(?:and\s+)?|\s+and\s+/u).filter(Boolean);
  return parts === undefined || parts.length < 2 ? undefined : parts.map((part) => `set ${part}`);
}

function isUpdate({ operation, kind, each, also, isInstead }: GuidedAnswer): boolean {
  return operation === UPDATE && (kind === 'form' || kind === 'question') && !each && !also && isInstead !== true;
}

function isSameLine(one: GuidedAnswer, other: GuidedAnswer | undefined): boolean {
  const lineOf = ({ input, find }: GuidedAnswer) => JSON.stringify(input.Number ?? find?.input);
  return other === undefined || lineOf(one) === lineOf(other);
}
