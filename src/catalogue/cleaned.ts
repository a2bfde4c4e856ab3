import { cleanText, hasUnseen } from '../lib/text.ts';

/** Deeper members of an input are left as they are. The definition refuses them. */
const MAX_DEPTH = 12;

/** An input whose texts and names have lost invisible characters. The input itself is not changed. */
export function cleaned(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((entry) => cleaned(entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [cleanText(name), cleaned(member, depth + 1)]),
  );
}

/** Paths of the texts in an input that `cleaned` shortens, such as "CurrentBillingAddress.Street1". */
export function unseenIn(value: unknown, path = '', depth = 0): string[] {
  if (typeof value === 'string') return hasUnseen(value) ? [path] : [];
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    unseenIn(member, path === '' ? cleanText(name) : `${path}.${cleanText(name)}`, depth + 1),
  );
}
