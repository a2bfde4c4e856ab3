import { type Fields, textOf } from '../lib/json.ts';

/** True if last digits, a number, a name or a product means this line of a search. */
export function isLineNamed(row: Fields, item: string): boolean {
  const digits = item.replace(/\D/g, '');
  if (digits !== '') return textOf(row.Number).endsWith(digits);
  return hasName(textOf(row.Customer), item) || textOf(row.Product).toLowerCase() === item.toLowerCase();
}

/** True if each word of a name begins a word of the full name: "acme" and "Acme Mobile". */
export function hasName(full: string, name: string): boolean {
  const own = full.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return name
    .toLowerCase()
    .split(/\s+/)
    .every((word) => own.some((part) => part.startsWith(word)));
}
