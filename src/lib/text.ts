/*
 * Texts from outside may contain characters that move a terminal's cursor, rewrite its title, change the reading
 * direction or are invisible. They are shown as their code, so that a reader notices them.
 */

/**
 * Control characters except line breaks and tabs (C0, DEL, C1), line separators, marks that change the reading
 * direction, and characters without width: soft hyphen, fillers, zero-width space, word joiner, byte order mark, tags.
 */
const UNSEEN =
  /(?![\n\t])(?:\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\p{Cc}\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}])/gu;

/** Characters that join emoji into one, and letters of scripts that need it. They are kept between such characters. */
const JOINERS = new Set(['\u200c', '\u200d']);
const JOINED_AFTER = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|(?!\p{Script=Latin})[\p{L}\p{M}])$/u;
const JOINED_BEFORE = /^(?:\p{Extended_Pictographic}|(?!\p{Script=Latin})[\p{L}\p{M}])/u;

/** UTF-16 units that are checked on each side of a joiner: one character. */
const NEIGHBOUR = 2;

/**
 * A text that is safe to show on a terminal and in Slack: characters that are invisible, move the cursor or change the
 * reading direction are written as `[U+202E]`. Line breaks, tabs, and joiners inside emoji and scripts that need them
 * stay.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character, at: number) =>
    JOINERS.has(character) && joins(text, at) ? character : named(character),
  );
}

function joins(text: string, at: number): boolean {
  return (
    JOINED_AFTER.test(text.slice(Math.max(0, at - NEIGHBOUR), at)) &&
    JOINED_BEFORE.test(text.slice(at + 1, at + 1 + NEIGHBOUR))
  );
}

/**
 * A value as JSON that is safe to show on a terminal: characters that are invisible, move the cursor or change the
 * reading direction are written as JSON escapes, so that parsing gives the same value. `indent`: spaces per level, 0
 * for one line.
 */
export function jsonText(value: unknown, indent = 0): string {
  return escapeJson(JSON.stringify(value, null, indent) ?? 'null');
}

/** Like `jsonText`, for a text that is JSON already. */
export function escapeJson(json: string): string {
  // A tab or a line break inside a JSON string is escaped already; outside they are layout.
  return json.replace(UNSEEN, escaped);
}

/** `[U+202E]`, which neither a terminal nor Slack nor a page reads as markup. */
function named(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** There are a few hundred such characters, so each escape is computed once. */
const escapes = new Map<string, string>();

function escaped(character: string): string {
  const known = escapes.get(character);
  if (known !== undefined) return known;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const made = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  escapes.set(character, made);
  return made;
}

/** Removes this character from the end of a text, however often it is repeated. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === character) end -= 1;
  return text.slice(0, end);
}

/** The text with a full stop, unless it ends with a punctuation mark already. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** The text in one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** One line without control characters and direction marks, shortened to `most` characters. */
export function plainLine(text: string, most: number): string {
  const line = text.replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\s]+/gu, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/**
 * A text of others in quotation marks. Such marks inside it become plain ones, so that it cannot close its quotation.
 *
 * @param most characters of the text that are shown
 */
export function inQuotes(text: string, most = Number.POSITIVE_INFINITY): string {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text;
  return `“${shown.replace(/[“”„‟″]/g, '"')}”`;
}
