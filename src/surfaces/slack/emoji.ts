import codes from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

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
export function withEmoji(text: string): string {
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
