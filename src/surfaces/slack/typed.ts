import { INNER_SPACE } from '../../language/tokens.ts';
import { withEmoji } from './emoji.ts';

/* Slack changes what people type before it sends it to an app. These functions change it back. */

/** Links and references: `<target>` or `<target|label>`. */
const MARKUP = /<((?:tel:|mailto:|https?:\/\/|[@#!])[^<>|]*)(?:\|([^<>]*))?>/gi;

/**
 * The text that a person typed in a message or a form: links and references as they were typed, emoji as characters,
 * `&amp;` as `&`.
 */
export function typedText(text: string): string {
  return unescaped(withEmoji(text.replace(MARKUP, (_all, target: string, label?: string) => typed(target, label))));
}

/** Like `typedText`, for a line that is split at spaces afterwards: those of a link's text do not split it. */
export function typedLine(text: string): string {
  const line = text.replace(MARKUP, (_all, target: string, label?: string) =>
    typed(target, label).replace(/\s/g, INNER_SPACE),
  );
  return unescaped(withEmoji(line));
}

/** A secret as it was typed. It may have the letters of an emoji's code. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/**
 * What was typed for a link or a reference. Slack links what looks like an address or a number and keeps the typed text
 * as the label. Where the label is something else, a person has made words a link to the address.
 */
function typed(target: string, label: string | undefined): string {
  const [mark = ''] = target;
  if (/^!date\^/.test(target)) return label ?? '';
  if ('@#!'.includes(mark)) return reference(mark, target.slice(1), label);
  const address = target.replace(/^(?:tel|mailto):/i, '');
  if (label === undefined || label === '') return address;
  if (!/^https?:/i.test(target) || bare(label) === bare(target)) return label;
  // The words alone would lose the address, and the address alone the words.
  return /^https?:\/\/|^www\./i.test(label) ? target : `${label} (${target})`;
}

/** A person, a channel or a group as typed: with its mark, and its id where Slack sends no name. */
function reference(mark: string, id: string, label: string | undefined): string {
  if (label === undefined || label === '') return mark === '!' ? `@${id.replace(/^subteam\^/, '')}` : `${mark}${id}`;
  if (mark === '#') return `#${label.replace(/^#/, '')}`;
  return `@${label.replace(/^@/, '')}`;
}

function bare(address: string): string {
  return unescaped(address)
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .toLowerCase();
}
