import type { GuidedAnswer } from '../answers/answer.ts';

/*
 * "Tell Ben his SIM is on the way" says in other words what Ben is to read. A text goes out as it is written, so "his"
 * would reach him. Where the words are marked as a text, they are meant as they stand.
 */

const MARKED = /["“„:]/u;
const TELLS = /\b(?:tell|inform|notify|let|text|sms|message|msg|write|remind)\b/iu;
const THEIRS: readonly (readonly [word: RegExp, own: string])[] = [
  [/^(?:his|her|their)\b(?=\s+\p{L})/iu, 'your'],
  [/^(?:s?he|they)\b/iu, 'you'],
  [/\b(?:his|her|their)\b(?=\s+\p{L})/iu, 'your'],
  [/\b(?:him|them)\b/iu, 'you'],
];

/** The answer with a word about a text that speaks of its receiver as of somebody else. */
export function withSpeechNote(guided: GuidedAnswer, said: string): GuidedAnswer {
  const { operation, input, kind } = guided;
  const body = input.Body;
  if (operation !== 'message_outbound' || kind === 'help' || typeof body !== 'string') return guided;
  if (MARKED.test(said) || !TELLS.test(said.slice(0, 80))) return guided;
  const [found] = THEIRS.flatMap(([pattern, own]) => {
    const word = pattern.exec(body)?.[0];
    return word === undefined ? [] : [{ word, own }];
  });
  if (!found) return guided;
  const told = `. The text goes out as it is written: write “${found.own}” in place of “${found.word}” if the receiver is meant`;
  return {
    ...guided,
    understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${guided.remarks ?? ''}${told}`,
  };
}
