/* Nouns of what an operation does: "the hold", "the cancellation". */

const DEED_NOUN =
  /\b(?:suspension|hold|pause|freeze|parking|blocking|throttle|cancel(?:l?ation)?|park|reactivation|activation|block|limit|cap|swap|text|message)\b/i;
const DEEDS_OF: readonly (readonly [noun: RegExp, operation: RegExp])[] = [
  [/^(?:suspension|hold|pause|freeze|park(?:ing)?|activation)/i, /^numbers_status$/],
  [/^cancel/i, /^numbers_cancel$/],
  [/^reactivation/i, /^numbers_reactivate$/],
  [/^block/i, /blocked_\w+_add$/],
  [/^(?:limit|cap|throttle)/i, /^numbers_data_usage_set$/],
  [/^swap/i, /^numbers_(?:update|status)$/],
  [/^(?:text|message)/i, /^message_outbound$/],
];

/** The first such noun of a text. */
export function deedNounIn(text: string): string | undefined {
  return DEED_NOUN.exec(text)?.[0];
}

/** True if a noun names what an operation does: "the hold" after "park 0103". */
export function isDeedOf(noun: string, operation = ''): boolean {
  return DEEDS_OF.some(([named, done]) => named.test(noun) && done.test(operation));
}
