import * as z from 'zod';
import { type Call, defineWorkflow, type LocalHistory } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/json.ts';
import { similarTexts } from '../../src/lib/nearest.ts';
import { plainForm } from '../../src/lib/text.ts';
import { text } from '../shared/before.ts';
import {
  type Criteria,
  criteria,
  fits,
  fitsUsage,
  fitsUses,
  meantCriterion,
  needsHolders,
  needsPlans,
  needsRoutes,
  needsUsage,
  sorted,
  totalRow,
  totalsOf,
  withoutLines,
} from '../shared/criteria.ts';
import { Directory, idOf, type PagedList, phoneOf, same } from '../shared/directory.ts';
import { areaCode, out } from '../shared/fields.ts';
import { cancelledUntil } from '../shared/line.ts';
import {
  type Line,
  LineUses,
  lineRow,
  lineRowOf,
  type RowOptions,
  readLimits,
  readUsage,
} from '../shared/line-uses.ts';

/** Largest number of numbers that are read one by one, for a search of one subscriber's numbers. */
const MOST_SINGLE = 7;
/** Largest number of rows in an answer. */
const MOST = 25;
/** Largest number of numbers in an answer with nothing else; a batch takes as many. */
const MOST_BARE = 500;
/** Largest number of totals in an answer. */
const MOST_TOTALS = 100;
const NO_MATCH = 'No number matches.';
const SIMILAR = 'No name has exactly these words. These are spelled alike: check that they are meant.';
/** The longest search: the last digits of as many lines as a batch has rows. */
const MOST_QUERY = 4_000;
/** As many digits as the serial of a SIM has. */
const ICCID_DIGITS = /^\d{18,22}$/;
/** Added to the page number for each further answer with matches of the same part of the lists. */
const ANSWER = 10_000;

/** The meaning of a search term. */
type Query =
  | { by: 'number'; phone: string }
  | { by: 'digits'; digits: string }
  | { by: 'several'; digits: readonly string[] }
  | { by: 'subscriber' | 'account'; id: string }
  | { by: 'orphan' }
  | { by: 'name'; words: readonly string[] };

/** Names for numbers without a subscriber. The totals by customer use them too. */
const ORPHAN = /^(?:orphans?|\(?no subscriber\)?|without (?:a )?subscriber)$/i;

function queryOf(given: string): Query {
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
  return { by: 'name', words: term.toLowerCase().split(/\s+/) };
}

/** The digits of a number that is written in any way, or of its end. */
function digitsOf(term: string): string {
  return term.replace(/[\s().+-]/g, '').replace(/^[.…*x]+/i, '');
}

/** True if every word begins a word of the text. "reed" finds "Ben Reed", but "ed" does not. */
function namedLike(value: unknown, words: readonly string[]): boolean {
  const name = (text(value) ?? '').toLowerCase();
  const own = [...name.split(/\s+/), ...name.split(/[^\p{L}\p{N}]+/u)];
  return words.every((word) => own.some((part) => part.startsWith(word)));
}

function matches(query: Query, row: Fields, directory: Directory): boolean {
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

/** The names by which people look for a number. */
function namesOf(row: Fields, directory: Directory): string[] {
  const holder = directory.holder(row.AssignedSubscriberId);
  const names = [row.Cnam, holder?.Name, holder?.Email, directory.accountNameOf(row)];
  return names.flatMap((name) => text(name) ?? []);
}

/** The numbers whose names are spelled like the term, where none has exactly its words. */
function similarTo(words: readonly string[], rows: readonly Fields[], directory: Directory): Fields[] {
  const named = rows.map((row) => ({ row, names: namesOf(row, directory) }));
  const similar = new Set(
    similarTexts(
      words.join(' '),
      named.flatMap(({ names }) => names),
    ),
  );
  return named.filter(({ names }) => names.some((name) => similar.has(name))).map(({ row }) => row);
}

/** Reads the records that a search term needs: one record if the id is known, otherwise this part of the lists. */
async function readFor(query: Query | undefined, wanted: Criteria, directory: Directory): Promise<void> {
  if (query?.by === 'number') {
    await directory.number(query.phone);
    return;
  }
  if (query?.by === 'subscriber') {
    const phones = (await directory.subscriber(query.id))?.PhoneNumbers;
    const list = Array.isArray(phones) ? phones.filter((phone) => typeof phone === 'string') : [];
    if (list.length > MOST_SINGLE) return directory.numbers.readAll();
    await Promise.all(list.map((phone) => directory.number(phone)));
    // The rows follow the order of the subscriber's record, not that of the answers.
    directory.numbers.rows.sort((a, b) => list.indexOf(phoneOf(a)) - list.indexOf(phoneOf(b)));
    return;
  }
  const readsHolders = needsNames(query, wanted) || (query === undefined && needsHolders(wanted));
  await Promise.all([directory.numbers.readAll(), readsHolders ? directory.subscribers.readAll() : undefined]);
}

/** True if the term can only be compared with the subscribers' records. */
function needsNames(query: Query | undefined, { AccountId }: Criteria): boolean {
  return query?.by === 'account' || query?.by === 'name' || (query === undefined && AccountId !== undefined);
}

/** The records that one search has read, and its reader. */
interface Reading {
  directory: Directory;
  uses: LineUses;
  call: Call;
  history: LocalHistory;
}

/** The lines that fit the term and the criteria, in the order asked for. */
async function linesFor(
  query: Query | undefined,
  wanted: Criteria,
  { directory, uses, call }: Reading,
): Promise<{ lines: Line[]; areSimilar: boolean; matching: number }> {
  await readFor(query, wanted, directory);
  const rows = [...directory.numbers.rows, ...unlisted(query, directory)];
  // A line without a subscriber is found by the name of its account too.
  if (query?.by === 'name') await directory.readAccounts(rows);
  const exact = rows.filter((row) => query === undefined || matches(query, row, directory));
  const similar = query?.by === 'name' && exact.length === 0 ? similarTo(query.words, rows, directory) : [];
  const matching = [...exact, ...similar];
  const needed = needsHolders(wanted) || ['digits', 'several', 'number'].includes(query?.by ?? '');
  if (needed) await directory.readHolders(matching);
  if (wanted.CountBy === 'Account') await directory.readAccounts(matching);
  const fitted = matching.filter((row) => fits(row, wanted, directory));
  await Promise.all([
    needsRoutes(wanted) ? uses.readRoutes(fitted) : undefined,
    needsPlans(wanted) ? uses.readPlans() : undefined,
  ]);
  const lines = fitted.filter((row) => fitsUses(row, wanted, uses, directory)).map((row): Line => ({ row }));
  if (needsUsage(wanted)) await readUsage(lines, call);
  const fitting = lines.filter((line) => fitsUsage(line, wanted));
  return { lines: sorted(fitting, wanted, directory), areSimilar: similar.length > 0, matching: matching.length };
}

/** Numbers that only the list of subscribers names, because the inventory pages that were read do not contain them. */
function unlisted(query: Query | undefined, directory: Directory): Fields[] {
  if (query?.by === 'number') return [];
  const seen = new Set(directory.numbers.rows.map(phoneOf));
  return directory.subscribers.rows.flatMap((holder) => {
    const phones = Array.isArray(holder.PhoneNumbers) ? holder.PhoneNumbers : [];
    return phones
      .filter((phone): phone is string => typeof phone === 'string' && !seen.has(phone))
      .map((phone) => ({ Number: phone, AssignedSubscriberId: holder.SubscriberId }));
  });
}

/** The lists that this search read only in part. */
function partsRead(query: Query | undefined, wanted: Criteria, { numbers, subscribers }: Directory): Part[] {
  // A number's record names its subscriber, and a subscriber's record names all its numbers, so no list is needed.
  if (query?.by === 'number' || query?.by === 'subscriber') return [];
  const areNamesNeeded = needsNames(query, wanted) || (query === undefined && needsHolders(wanted));
  return [
    { name: 'numbers', list: numbers },
    ...(areNamesNeeded ? [{ name: 'subscribers', list: subscribers }] : []),
  ].filter(({ list }) => list.hasMore || list.before > 0);
}

interface Part {
  name: string;
  list: PagedList;
}

/** A text about the searched parts and how to search the rest. `parts` has at least one list. */
function unseenText(parts: readonly Part[], found: number, next: number | undefined): string {
  const read = parts
    .filter(({ list }) => list.rows.length > 0)
    .map(({ name, list: { before, rows, total } }) => `${name} ${before + 1} to ${before + rows.length} of ${total}`);
  if (read.length === 0) return 'The lists end before this Page. Page=1 searches from the beginning.';
  const rest = next === undefined ? '' : `Page=${next} searches the next ones. `;
  return `${found === 0 ? 'No match: only' : 'Only'} ${read.join(' and ')} were searched. ${rest}A full number or a subscriber id is found at once.`;
}

export default defineWorkflow({
  id: 'numbers_find',
  group: 'numbers',
  title: 'Find numbers',
  description:
    'Numbers by last digits, name of subscriber, caller or account, id and criteria, in up to 25 short rows. CountBy counts them (Customer: everybody, with e-mail and role). Unseen: what was not searched; Page searches on.',
  risk: 'read',
  input: () => ({
    Query: z
      .string()
      .trim()
      .min(2, 'give at least two characters: last digits, a name, or a TSUID- or AID- id')
      .max(MOST_QUERY)
      .refine((term) => term.length <= 100 || /^[\d\s,;]+$/.test(term), 'at most 100 characters')
      .meta({ kind: 'words' })
      .optional()
      .describe('0104, Ben Reed, TSUID-…, AID-…'),
    ...criteria,
    Rows: z.int('must be a whole number').min(1, 'at least 1').max(MOST, `at most ${MOST}`).optional(),
    NumbersOnly: z.boolean().optional().describe('just the numbers, up to 500'),
    Page: z
      .int('must be a whole number')
      .min(1, 'pages start at 1')
      .max(1_000 * ANSWER)
      .optional()
      .describe("the answer's NextPage, to search on"),
  }),
  rules: ({ Page: _page, Rows: _rows, NumbersOnly: _bare, ...wanted }) =>
    Object.values(wanted).some((value) => value !== undefined)
      ? undefined
      : { field: 'Query', message: 'give last digits, a name or a criterion, for example 0104 or Ben Reed' },
  output: () => ({
    Numbers: out.rows(lineRow),
    PhoneNumbers: out.texts,
    Totals: out.rows(totalRow),
    Found: out.number,
    WithoutCriteria: out.number,
    Unseen: out.own,
    NextPage: out.number,
    Message: out.own,
    Hint: out.own,
    Similar: out.flag,
  }),
  /**
   * Two requests for a full number, otherwise at most eight for the lists, four for the data used by the matches, and
   * one for the limits of those shown; one more for names of accounts that no subscriber has, two for plans, and two
   * for routes (up to eight for routes of other accounts). Each page and record is read once.
   */
  run: async ({ Query, Page = 1, Rows = MOST, NumbersOnly, ...wanted }, { call, history }) => {
    const query = Query === undefined ? undefined : queryOf(Query);
    const part = Page % ANSWER || ANSWER;
    const directory = new Directory(call, part);
    const reading = { directory, uses: new LineUses(call), call, history };
    const { lines, areSimilar, matching } = await linesFor(query, wanted, reading);
    const parts = partsRead(query, wanted, directory);
    const nextPart = parts.some(({ list }) => list.hasMore) ? part + 1 : undefined;
    const unseen = parts.length === 0 ? {} : { Unseen: unseenText(parts, lines.length, nextPart) };
    const meant = lines.length === 0 ? meantCriterion(wanted, Query, directory.numbers.rows) : undefined;
    const hint = meant === undefined ? {} : { Hint: `Did you mean ${meant}?` };
    const similar = areSimilar && lines.length > 0 ? { Similar: true, Hint: SIMILAR } : {};
    const isNone = lines.length === 0 && parts.length === 0;
    const none = isNone ? { ...(noneFits(Query, wanted, matching) ?? noMatch(query, wanted)), ...hint } : hint;
    if (wanted.CountBy !== undefined) {
      const totals = [
        ...totalsOf(lines, wanted.CountBy, directory, reading.uses),
        ...(listsPeople(query, wanted) ? withoutLines(lines, wanted, directory) : []),
      ];
      return {
        Totals: totals.slice(0, MOST_TOTALS),
        Found: lines.length,
        ...(totals.length > MOST_TOTALS
          ? { Message: `The first ${MOST_TOTALS} of ${totals.length} are shown.` }
          : none),
        ...unseen,
        ...(nextPart === undefined ? {} : { NextPage: nextPart }),
      };
    }
    const most = NumbersOnly ? MOST_BARE : Rows;
    const skipped = Math.floor((Page - part) / ANSWER) * most;
    const shown = lines.slice(skipped, skipped + most);
    if (!NumbersOnly) await readShown(shown, wanted, reading);
    const next = lines.length > skipped + most ? Page + ANSWER : nextPart;
    // Every row of these searches is in the account, even if no record names it.
    const account = wanted.AccountId ?? (query?.by === 'account' ? query.id : undefined);
    return {
      ...(NumbersOnly
        ? { PhoneNumbers: shown.map(({ row }) => phoneOf(row)) }
        : {
            Numbers: shown.map((line) => lineRowOf(line, directory, { account, ...usesShown(wanted, reading.uses) })),
          }),
      Found: lines.length,
      ...(lines.length > most
        ? { Message: shownText(lines.length, { skipped, most, next, size: sizeText(Rows, NumbersOnly) }) }
        : {}),
      ...none,
      ...similar,
      ...unseen,
      ...(next === undefined ? {} : { NextPage: next }),
    };
  },
  ends: {
    input: (ends) => ({ Query: ends.join(', '), NumbersOnly: true }),
    numbers: ({ PhoneNumbers, Unseen, NextPage }) =>
      Array.isArray(PhoneNumbers) && Unseen === undefined && NextPage === undefined
        ? PhoneNumbers.filter((phone) => typeof phone === 'string')
        : undefined,
  },
  examples: [{ Query: '0104' }, { Query: 'Ben Reed' }, { Status: 'Active', AreaCode: '201', CountBy: 'Customer' }],
});

/** Reads what the rows of an answer show besides the numbers' own records. */
async function readShown(
  lines: readonly Line[],
  wanted: Criteria,
  { directory, call, history }: Reading,
): Promise<void> {
  const rows = lines.map(({ row }) => row);
  await directory.readHolders(rows);
  await directory.readAccounts(rows);
  for (const line of lines) line.until = await cancelledUntil(phoneOf(line.row), line.row, history);
  if (!wanted.Data) return;
  await Promise.all([readUsage(lines, call), readLimits(lines, call)]);
}

/** The routes and plans that the rows show. */
function usesShown(wanted: Criteria, uses: LineUses): Pick<RowOptions, 'routes' | 'plans'> {
  return { routes: needsRoutes(wanted) ? uses : undefined, plans: needsPlans(wanted) ? uses : undefined };
}

/** True for a count of all customers, which names those without a number too. */
function listsPeople(
  query: Query | undefined,
  { CountBy, AccountId: _account, Data: _data, ...rest }: Criteria,
): boolean {
  return query === undefined && CountBy === 'Customer' && Object.values(rest).every((value) => value === undefined);
}

/** A text about the matches in an answer and the next page. */
function shownText(
  found: number,
  { skipped, most, next, size }: { skipped: number; most: number; next: number | undefined; size: string },
): string {
  const last = Math.min(found, skipped + most);
  const which =
    skipped === 0
      ? `The first ${last === 1 ? `of ${found} is` : `${last} of ${found} are`} shown.`
      : last > skipped
        ? `Matches ${skipped + 1} to ${last} of ${found} are shown.`
        : `There are only ${found} matches.`;
  return last < found
    ? `${which} Page=${next}${size} shows the next ones; more digits or words narrow the search.`
    : which;
}

/** The input that decides how many matches an answer has. A page of another size would leave out matches. */
function sizeText(rows: number, isBare: boolean | undefined): string {
  if (isBare) return ' with NumbersOnly=true';
  return rows === MOST ? '' : ` with Rows=${rows}`;
}

/** A text for a search without matches, with the next step if the term may mean something else. */
/** The name is known where its numbers were found, and only the criteria leave none. */
function noneFits(words: string | undefined, { Status }: Criteria, matching: number): Fields | undefined {
  if (words === undefined || matching === 0) return undefined;
  const which = matching === 1 ? `1 number matches “${words}”` : `${matching} numbers match “${words}”`;
  const none = matching === 1 ? 'and it' : 'and none of them';
  const [not, has] = matching === 1 ? [' does not fit', ' does not have'] : [' fits', ' has'];
  const criterion = Status === undefined ? `${not} the criteria` : `${has} the state ${stateSaid(Status)}`;
  return { Message: `${which}, ${none}${criterion}.`, WithoutCriteria: matching };
}

/** "Parked" as people say it. */
function stateSaid(status: string): string {
  return /^parked$/i.test(status) ? 'Parked (on hold)' : status;
}

function noMatch(query: Query | undefined, wanted: Criteria): Fields {
  return { Message: noMatchText(query, wanted) };
}

function noMatchText(query: Query | undefined, { AreaCode }: Criteria): string {
  if (query?.by === 'digits' && AreaCode === undefined && areaCode.safeParse(query.digits).success)
    return `No number ends in ${query.digits}. AreaCode=${query.digits} finds the numbers of that area.`;
  if (query?.by === 'digits' && ICCID_DIGITS.test(query.digits))
    return 'No number ends in these digits. numbers_get with ICCID finds the number of a SIM.';
  return query?.by === 'number' || query?.by === 'digits'
    ? 'No number matches. A number that is being ported in is not listed yet: numbers_lookup finds it by the full number.'
    : NO_MATCH;
}
