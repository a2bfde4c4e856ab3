/*
 * Words before a sentence that only ask for attention or for time: "hold on, is anything still using it?", "before that - is
 * it portable". They order nothing, and "hold on" parks no line.
 */

const FIRST =
  /^\W*(?:(?:(?:ok|okay|oh|ah|um|hm+|no|but|and|sorry|hey)[\s,]+)*(?:(?:hold|hang)\s+on(?:\s+(?:a|one)\s+(?:sec(?:ond)?|minute|moment))?|(?:wait|just|one|give\s+me)(?:\s+an?|\s+one)?\s+(?:sec(?:ond)?|minute|moment)|wait(?:\s+wait)*|before\s+(?:that|this|(?:you|we|i)\s+do\s+(?:that|this|it|anything))|(?:hi|hey|hello|morning|good\s+(?:morning|afternoon|evening))\s+(?:team|all|guys|folks|everyone|everybody|there)|quick\s+question|one\s+more\s+thing|by\s+the\s+way|btw))\s*[,.:;!–—-]+\s*(?=\S+\s+\S)/iu;

const QUESTION =
  /^(?:is|are|was|were|does|do|did|has|have|who|whose|what|which|where|when|why|how|can\s+(?:it|that|she|he|they))\b/iu;

/** "He said only calls": the words that report a correction. */
const SAID =
  /^\W*(?:(?:no|oh|wait|sorry|ok|ah)[\s,]+)*(?:he|she|they|(?:the\s+)?(?:customer|client|caller))\s+(?:just\s+|only\s+)?(?:said|says|means|meant|wants?|wanted|asked\s+for)\s+(?:that\s+)?(?=(?:only|just)\b)/iu;

/** "Acct no 4410": “no” stands for number, and corrects nothing. */
const NUMBER_NO = /\b(?<what>ac+oun?t|acct|acc)\s+(?:no|nr|num)\b\.?\s*:?\s+(?=#?[A-Z-]*\d)/giu;

/** A message without such words, where a question follows them: "wait, 0105" corrects the order before. */
export function askedAfter(said: string): string {
  const text = said.replace(SAID, '').replace(NUMBER_NO, '$<what> number ');
  const rest = withoutInterjection(text);
  return QUESTION.test(rest) ? rest : text;
}

/** The sentence without such words in front of it. A short message after them may be a correction, and stays. */
export function withoutInterjection(text: string): string {
  return text.replace(FIRST, '');
}
