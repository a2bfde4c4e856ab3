import type { GuidedAnswer } from '../answers/answer.ts';

/*
 * The text of a message goes out as it was typed. The sentence around it is read in other words than it has, which may
 * reach into the text: "john, mia and ben" was sent as "john and mia and ben".
 */

const SENDS = 'message_outbound';
/** Texts of a message as they were typed: in quotation marks, or behind a colon. */
const TYPED: readonly RegExp[] = [
  /["“„](?<text>[^"“”„]{2,1600})["”“]/u,
  /^[^:"“„]{3,120}:\s+(?<text>\S[\s\S]{1,1600})$/u,
];
/** Part of the words that two versions of a text share at least. */
const ALIKE = 0.7;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
}

function areAlike(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), new Set(wordsOf(other))];
  const shared = words.filter((word) => others.has(word)).length;
  return shared >= Math.max(words.length, others.size) * ALIKE;
}

/**
 * The answer with the text of its message as it was typed.
 *
 * @param message the message itself: those before it in a thread may have been corrected
 */
export function withTypedText(guided: GuidedAnswer, message: string): GuidedAnswer {
  const { Body } = guided.input;
  if (guided.operation !== SENDS || typeof Body !== 'string' || message.includes(Body)) return guided;
  const typed = TYPED.flatMap((pattern) => pattern.exec(message)?.groups?.text?.trim() ?? []).find((one) =>
    areAlike(Body, one),
  );
  return typed === undefined ? guided : { ...guided, input: { ...guided.input, Body: typed } };
}
