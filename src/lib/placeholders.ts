import { REDACTED } from './hide.ts';
import { pathOf, textsIn } from './json.ts';

/*
 * Texts that replace a secret. They are shown to people and models, who may write them into a field,
 * where they would be sent as if they were the value.
 */

/** Replaces a secret that a person typed into a conversation. */
export const TYPED_SECRET = '[secret removed]';
/** Models change the brackets, the case and the spaces. */
const TYPED = /secret[\s_-]*removed/i;

export const PLACEHOLDER_REFUSED =
  'stands for a secret that was removed; open the form of this operation and enter the value there, or leave the field out';

/** True for a text with such a placeholder in it. */
export function hasPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && (TYPED.test(value) || value.includes(REDACTED));
}

/** The paths of the fields with such a text ("PhoneNumbers.0.ICCID"). */
export function placeholdersIn(value: unknown): string[] {
  return textsIn(value)
    .filter(({ value: text }) => hasPlaceholder(text))
    .map((part) => pathOf(part));
}
