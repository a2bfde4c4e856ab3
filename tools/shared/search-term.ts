import { similarTexts } from '../../src/lib/nearest.ts';
import { type Fields, plainForm, searchForm } from '../../src/lib/values.ts';
import { text } from './before.ts';
import { ORPHAN } from './criteria.ts';
import { type Directory, idOf, phoneOf, same } from './directory.ts';

/* The text of a search for numbers: what it may mean, and which numbers have it. */

/** The meaning of a search term. */
export type Query =
  | { by: 'number'; phone: string }
  | { by: 'digits'; digits: string }
  | { by: 'several'; digits: readonly string[] }
  | { by: 'subscriber' | 'account'; id: string }
  | { by: 'orphan' }
  | { by: 'name'; words: readonly string[] };

export function queryOf(given: string): Query {
  const term = plainForm(given);
  if (ORPHAN.test(term)) return { by: 'orphan' };
  if (/^t?suid-|^sid-/i.test(term)) return { by: 'subscriber', id: term };
  if (/^aid-/i.test(term)) return { by: 'account', id: term };
  const several = term.split(/\s*[,;]\s*/).map(digitsOf);
  if (several.length > 1 && several.every((one) => /^\d{3,}$/.test(one))) return { by: 'several', digits: several };
  const digits = digitsOf(term);
  if (/^\d+$/.test(digits)) {
    if (term.startsWith('+') && digits.length > 7) return { by: 'number', phone: `+${digits}` };
    if (digits.length === 10) return { by: 'number', phone: `+1${digits}` };
    if (/^1\d{10}$/.test(digits)) return { by: 'number', phone: `+${digits}` };
    return { by: 'digits', digits };
  }
  return { by: 'name', words: searchForm(term).split(/\s+/) };
}

/** The digits of a number that is written in any way, or of its end. */
function digitsOf(term: string): string {
  return term.replace(/[\s().+-]/g, '').replace(/^[.…*x]+/i, '');
}

/** True if every word begins a word of the text. "reed" finds "Ben Reed", but "ed" does not. */
function namedLike(value: unknown, words: readonly string[]): boolean {
  const name = searchForm(text(value) ?? '');
  const own = [...name.split(/\s+/), ...name.split(/[^\p{L}\p{N}]+/u)];
  return words.every((word) => own.some((part) => part.startsWith(word)));
}

export function matches(query: Query, row: Fields, directory: Directory): boolean {
  switch (query.by) {
    case 'number':
      return phoneOf(row) === query.phone;
    case 'digits':
      return phoneOf(row).endsWith(query.digits);
    case 'several':
      return query.digits.some((digits) => phoneOf(row).endsWith(digits));
    case 'subscriber':
      return idOf(row.AssignedSubscriberId) === idOf(query.id);
    case 'account':
      return same(directory.accountOf(row), query.id);
    case 'orphan':
      return text(row.AssignedSubscriberId) === undefined;
    case 'name':
      return namesOf(row, directory).some((name) => namedLike(name, query.words));
  }
}

/** True for a number that only its caller name brings up, which need not be the name of its customer. */
export function isByCallerName({ words }: Query & { by: 'name' }, row: Fields, directory: Directory): boolean {
  return !namesOf({ ...row, Cnam: undefined }, directory).some((name) => namedLike(name, words));
}

/** The names by which people look for a number. */
function namesOf(row: Fields, directory: Directory): string[] {
  const holder = directory.holder(row.AssignedSubscriberId);
  const names = [row.Cnam, row.Customer, holder?.Name, holder?.Email, directory.accountNameOf(row)];
  return names.flatMap((name) => text(name) ?? []);
}

/** The numbers whose names are spelled like the term, where none has exactly its words. */
export function similarTo(words: readonly string[], rows: readonly Fields[], directory: Directory): Fields[] {
  const named = rows.map((row) => ({ row, names: namesOf(row, directory) }));
  const similar = new Set(
    similarTexts(
      words.join(' '),
      named.flatMap(({ names }) => names),
    ),
  );
  return named.filter(({ names }) => names.some((name) => similar.has(name))).map(({ row }) => row);
}
