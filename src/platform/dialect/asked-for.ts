import { SwitchboardError } from '../../lib/errors.ts';
import { type Fields, recordsIn, scalarText } from '../../lib/json.ts';
import { numberKey, numbersIn } from './number-lists.ts';
import { readIccid, toE164 } from './phone.ts';

/*
 * A record counts only if it is the one that was asked for. An answer to a read is compared with its query here, before
 * anything is shown, filled in or asked about.
 */

/** Names that the platform uses for one member (PLATFORM.md, Number record; PLATFORM.md, Voice route). */
const ALIASES: Readonly<Record<string, string>> = {
  phonenumber: 'number',
  phonenumberassigned: 'number',
  phone: 'number',
  voicerouteid: 'callrouteid',
};

/** Numbers that an error names. */
const MOST_NAMED = 3;

/** The values by which a query names records, in the form in which they are compared, by member. */
type Names = ReadonlyMap<string, ReadonlySet<string>>;

/** Thrown for an answer that is about another record than the query. */
export class OtherRecord extends SwitchboardError {}

/**
 * Returns the answer of a read without the rows that name other records than the query does. A `Warning` says how many.
 * Members that the answer does not have, or whose value is null or empty, are not compared.
 *
 * @param query the input as it was sent
 * @throws OtherRecord `unavailable`, if the record is another one, or the answer is a list with other rows in place of
 * those asked for
 */
export function onlyAskedFor(query: Fields, answer: Fields): Fields {
  const asked = namesOf(query);
  if (asked.size === 0) return answer;
  if (!isAskedFor(asked, answer)) throw otherRecord(query);
  const isRecord = namedIn(answer).some(([key]) => asked.has(key));
  let left = 0;
  const lists = Object.entries(answer).map(([member, value]) => {
    const rows = recordsIn(value);
    const kept = rows.filter((row) => isAskedFor(asked, row));
    if (kept.length === rows.length) return [member, value];
    if (!isRecord && (kept.length === 0 || isOneAbsent(asked, kept))) throw otherRecord(query);
    left += rows.length - kept.length;
    return [member, kept];
  });
  if (left === 0) return answer;
  const rows = left === 1 ? '1 row of another record was' : `${left} rows of other records were`;
  return { ...Object.fromEntries(lists), Warning: `${rows} in the platform’s answer, and left out here.` };
}

/** The phone numbers, SIMs and ids of a query. */
function namesOf(query: Fields): Names {
  const names = new Map<string, Set<string>>();
  for (const [member, value] of Object.entries(query)) {
    const key = member === 'PhoneNumbers' ? 'number' : keyOf(member);
    if (key !== 'number' && !key.endsWith('id')) continue;
    const texts = Array.isArray(value) ? numbersIn(value).map(({ number }) => number) : [scalarText(value)];
    const forms = texts.filter((text) => text !== '').map((text) => formOf(key, text));
    if (forms.length > 0) names.set(key, new Set([...(names.get(key) ?? []), ...forms]));
  }
  return names;
}

/** False if the record names another number, SIM or id than one that was asked for. */
function isAskedFor(asked: Names, record: Fields): boolean {
  const named = namedIn(record);
  const fits = (key: string, text: string) => asked.get(key)?.has(formOf(key, text)) !== false;
  // A message is of the line at either of its ends.
  const ends = [record.From, record.To].flatMap(numbersIn).filter(({ number }) => number !== '');
  const isOfLine = ends.length === 0 || ends.some(({ number }) => fits('number', number));
  return isOfLine && named.every(([key, text]) => fits(key, text));
}

/** True if a query names several numbers and one of them has no row. */
function isOneAbsent(asked: Names, rows: readonly Fields[]): boolean {
  const found = new Set(rows.flatMap(namedIn).map(([key, text]) => formOf(key, text)));
  const numbers = [...(asked.get('number') ?? [])];
  return numbers.length > 1 && numbers.some((number) => !found.has(number));
}

/** The members of a record that have a value, each under the one name that is compared. */
function namedIn(record: Fields): [string, string][] {
  const named = Object.entries(record).map(([member, value]): [string, string] => [keyOf(member), scalarText(value)]);
  return named.filter(([, text]) => text !== '');
}

function keyOf(member: string): string {
  const name = member.toLowerCase();
  return ALIASES[name] ?? name;
}

/** Numbers as digits with the country code, SIMs without padding, ids without letter case and prefix, which varies. */
function formOf(key: string, text: string): string {
  if (key === 'number') return numberKey(toE164(text)) || text.toLowerCase();
  if (key === 'iccid') return readIccid(text).replace(/f$/i, '');
  return text
    .trim()
    .replace(/^[a-z]{2,7}-/i, '')
    .toLowerCase();
}

function otherRecord(query: Fields): OtherRecord {
  const named = Object.entries(query).filter(([member, value]) => namesOf({ [member]: value }).size > 0);
  const asked = named.map(([member, value]) => {
    const numbers = numbersIn(value).map(({ number }) => number);
    const more = numbers.length > MOST_NAMED ? ` and ${numbers.length - MOST_NAMED} more` : '';
    return `${member} ${Array.isArray(value) ? numbers.slice(0, MOST_NAMED).join(', ') + more : scalarText(value)}`;
  });
  return new OtherRecord({
    code: 'unavailable',
    outcome: 'not_done',
    message: `The platform answered with another record than the one that was asked for (${asked.join(', ')}).`,
    next: 'Try again later. If it goes on, ask the platform’s support.',
  });
}
