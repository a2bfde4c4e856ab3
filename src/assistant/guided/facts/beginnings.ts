/* Beginnings of a sentence that ask for nothing. */

const NEXT =
  /^(?<head>\W*)(?:(?:ok|okay|and|so|then)[\s,]+)*(?:next(?:\s+(?:one|up|thing|customer|ticket|case))?|another\s+one|one\s+more(?:\s+thing)?|first(?:\s+(?:one|thing))?|last\s+one)\s*[,:;–—-]+\s*(?=\S)/iu;

/** The sentence without a beginning such as "next:". */
export function withoutLead(text: string): string {
  return text.replace(NEXT, '$<head>');
}
