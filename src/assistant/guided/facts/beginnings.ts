/* Beginnings of a sentence that ask for nothing. */

/** The source of an expression for the words of courtesy before an order: "hi, could you please", "so we need to". */
export const COURTESY = String.raw`(?:(?:please|pls|plz|kindly|hi|hey|hello|ok|okay|so|and|then|now|just|also|fyi|can|could|would|will|you|u|we|i|need|want|(?<=\b(?:we|i|you|u)\s+)(?:have|should|must)|to|let['’]?s|quickly)[\s,:]+)*`;

const NEXT =
  /^(?<head>\W*)(?:(?:ok|okay|and|so|then)[\s,]+)*(?:next(?:\s+(?:one|up|thing|customer|ticket|case))?|another\s+one|one\s+more(?:\s+thing)?|first(?:\s+(?:one|thing))?|last\s+one|(?:(?:an)?other|different|separate|unrelated)\s+(?:thing|topic|question|customer|caller|case|ticket|issue|matter)|new\s+(?:topic|question|case|ticket|issue))\s*[,:;–—-]+\s*(?=\S)/iu;

/** The sentence without a beginning such as "next:". */
export function withoutLead(text: string): string {
  return text.replace(NEXT, '$<head>');
}
