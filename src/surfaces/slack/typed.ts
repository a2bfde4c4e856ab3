import codes from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };
import { INNER_SPACE } from '../../language/tokens.ts';
import { type Fields, recordsIn, textOf } from '../../lib/values.ts';

/* Slack changes what people type before it sends it to an app. These functions change it back. */

/** Links and references: `<target>` or `<target|label>`. */
const MARKUP = /<((?:tel:|mailto:|https?:\/\/|[@#!])[^<>|]*)(?:\|([^<>]*))?>/gi;

/**
 * The text that a person typed in a message or a form: links and references as they were typed, emoji as characters,
 * `&amp;` as `&`.
 */
export function typedText(text: string): string {
  // Each space stays.
  return typedLine(text, '$&');
}

/** Like `typedText`, for a line that is split at spaces afterwards: those of a link's text do not split it. */
export function typedLine(text: string, space = INNER_SPACE): string {
  const line = text.replace(MARKUP, (_all, target: string, label?: string) =>
    typed(target, label).replace(/\s/g, space),
  );
  return unescaped(withEmoji(line));
}

/** A secret as it was typed. It may have the letters of an emoji's code. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/**
 * Returns the typed text of a link or a reference. Slack links what looks like an address or a number and keeps the
 * typed text as the label. If the label is something else, a person has made words a link to the address.
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

/**
 * A person, a channel or a group as typed, with its mark. Where Slack sends no name it stays a reference, which no field
 * takes: its id says nothing to a customer.
 */
function reference(mark: string, id: string, label: string | undefined): string {
  const isWord = mark === '!' && /^[a-z]+$/.test(id);
  if (label === undefined || label === '') return isWord ? `@${id}` : `<${mark}${id}>`;
  if (mark === '#') return `#${label.replace(/^#/, '')}`;
  return `@${label.replace(/^@/, '')}`;
}

function bare(address: string): string {
  return unescaped(address)
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .toLowerCase();
}

/**
 * The text of a block of rich text, or of a part of one, as Slack writes the text of a message: the pieces of a line in one
 * line, links and references in their form. `typedText` reads it.
 */
export function textOfRich({ type, elements }: Fields): string {
  const parts = recordsIn(elements);
  if (type === 'rich_text' || type === 'rich_text_list') return parts.map(textOfRich).join('\n');
  const line = parts.map(piece).join('');
  return type === 'rich_text_quote' ? line.replace(/^/gm, '&gt; ') : line;
}

function piece({ type, text, url, name, user_id, channel_id, usergroup_id, range, fallback, value }: Fields): string {
  const written = textOf(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  switch (type) {
    case 'link':
      return written === '' ? `<${textOf(url)}>` : `<${textOf(url)}|${written}>`;
    case 'user':
      return `<@${textOf(user_id)}>`;
    case 'channel':
      return `<#${textOf(channel_id)}>`;
    case 'usergroup':
      return `<!subteam^${textOf(usergroup_id)}>`;
    case 'broadcast':
      return `<!${textOf(range)}>`;
    case 'emoji':
      return `:${textOf(name)}:`;
    default:
      return written || textOf(fallback) || textOf(value);
  }
}

/* Slack sends an emoji as its code (`:wave:`), whether it was chosen, typed or pasted. */

/** One code, with the tone of the skin behind it. */
const CODE = /:([a-z0-9_+'-]+):(?::skin-tone-([2-6]):)?/g;
/** Words of an address are no codes: `https://host/:id:/`. */
const ADDRESS = /\S*:\/\/\S*/g;
/** Between other characters, so short a name is rather a part of a time, an address or a ratio: "10:100:1". */
const SHORT = /^(?:.{1,3}|\d+)$/;

/** The characters of each code. Filled when the first text with a code is read. */
let byCode: Map<string, string> | undefined;

/** A text with the characters of Slack's emoji in place of their codes. A workspace's own emoji have no character. */
function withEmoji(text: string): string {
  if (!CODE.test(text)) return text;
  CODE.lastIndex = 0;
  const parts = text.split(ADDRESS);
  const addresses = text.match(ADDRESS) ?? [];
  return parts.map((part, at) => converted(part) + (addresses[at] ?? '')).join('');
}

function converted(text: string): string {
  return text.replace(CODE, (code: string, name: string, tone: string | undefined, at: number) => {
    byCode ??= charactersByCode();
    const found = byCode.get(name);
    const isInside = /[\p{L}\p{N}]$/u.test(text.slice(0, at)) || /^[\p{L}\p{N}]/u.test(text.slice(at + code.length));
    if (found === undefined || (isInside && SHORT.test(name))) return code;
    return tone === undefined ? found : withTone(found, Number(tone));
  });
}

/** The emoji with a tone on its first person or hand; with the tone beside it if it has none. */
function withTone(emoji: string, tone: number): string {
  // Slack counts from the lightest, which is 2; Unicode's modifiers begin at U+1F3FB.
  const modifier = String.fromCodePoint(0x1f3fb + tone - 2);
  const [first = '', ...rest] = [...emoji];
  if (!/\p{Emoji_Modifier_Base}/u.test(first)) return emoji + modifier;
  return [first, modifier, ...(rest[0] === '\ufe0f' ? rest.slice(1) : rest)].join('');
}

function charactersByCode(): Map<string, string> {
  return new Map(
    Object.entries(codes as Record<string, string | string[]>).flatMap(([points, names]) => {
      const emoji = qualified(points.split('-').map((point) => String.fromCodePoint(Number.parseInt(point, 16))));
      return [names].flat().map((name) => [name, emoji] as const);
    }),
  );
}

/** The data leaves out most selectors (U+FE0F) that show a character as a picture instead of a sign. */
function qualified(characters: readonly string[]): string {
  return characters
    .map((character, at) => {
      const isSign = /(?!\p{Emoji_Presentation})\p{Emoji}/u.test(character);
      const isComplete = /^(?:\ufe0f|\p{Emoji_Modifier})$/u.test(characters[at + 1] ?? '');
      return isSign && !isComplete ? `${character}\ufe0f` : character;
    })
    .join('');
}
