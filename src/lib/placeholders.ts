import { REDACTED } from './hide.ts';
import { pathOf, textsIn } from './json.ts';

/*
 * Texts that stand for something else and that no field takes: for a removed secret, and for a person of Slack.
 *
 * Those that replace a secret are shown to people and models, who may write them into a field,
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

/** A reference of Slack to a person, a channel or a group, without its name: `<@U012AB3CD>`. */
const MENTION = /<(?:[@#]|!subteam\^)[A-Z0-9]{2,30}>/;
export const MENTION_REFUSED = 'has a person, channel or group of Slack whose name Slack did not send; write the name';

/** The paths of the fields with such a reference, which the receiver of a text would read as an id. */
export function mentionsIn(value: unknown): string[] {
  return textsIn(value)
    .filter(({ value: text }) => MENTION.test(text))
    .map((part) => pathOf(part));
}

/** The paths of the fields with such a text ("PhoneNumbers.0.ICCID"). */
export function placeholdersIn(value: unknown): string[] {
  return textsIn(value)
    .filter(({ value: text }) => hasPlaceholder(text))
    .map((part) => pathOf(part));
}
