/*
 * "Ben A. Reed" and "Mr. Cole": the dot behind an initial or a title ends no sentence. Names are read without it, and the
 * answer has them as they were typed.
 */

const PART = String.raw`\p{Lu}[\p{L}'’-]+`;
/** An initial behind a name and before its next part, or at the head of a name: "Joan R. Pratt", "J. Pratt". */
const DOTTED = new RegExp(
  String.raw`(?:(?<=(?<![\p{L}.])${PART}\s(?:\p{Lu}\.\s?)*)|(?<=\b(?:name|is|be|for|to|by|as)\s+(?:\p{Lu}\.\s?)*))\p{Lu}\.(?=\s?(?:\p{Lu}\.\s?)*${PART}(?![\p{L}]))|(?<![\p{L}.])(?:Mr|Mrs|Ms)\.(?=\s\p{Lu})`,
  'gu',
);
const AROUND = new RegExp(String.raw`(?:${PART}\s)?(?:(?:\p{Lu}|Mr|Mrs|Ms)\.\s?)+${PART}(?:\s${PART})?`, 'gu');

const DOT = /(?<=(?<!\p{L})(?:\p{Lu}|Mr|Mrs|Ms))\.(?=\s?\p{Lu})/gu;

/** The text without the dots of initials. */
export function withoutInitialDots(text: string): string {
  return text.replace(DOTTED, (found) => found.slice(0, -1));
}

/** The answer with the names of the messages as they were typed. */
export function asInitialed<T>(answered: T, messages: readonly string[]): T {
  const names = messages
    .flatMap((text) => text.match(AROUND) ?? [])
    .flatMap((name) => {
      const plain = name.replace(DOT, '');
      return plain === name ? [] : [[plain, name] as const];
    });
  return names.length === 0 ? answered : (typedIn(answered, names) as T);
}

function typedIn(value: unknown, names: readonly (readonly [plain: string, typed: string])[]): unknown {
  if (typeof value === 'string') return names.reduce((text, [plain, typed]) => text.replaceAll(plain, typed), value);
  if (Array.isArray(value)) return value.map((one) => typedIn(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typedIn(one, names)]));
}
