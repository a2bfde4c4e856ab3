import * as z from 'zod';
import { type Call, defineWorkflow, type LocalHistory } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/json.ts';
import { inQuotes } from '../../src/lib/text.ts';
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
  otherValues,
  sorted,
  totalRow,
  totalsOf,
  usesMeant,
  withoutLines,
} from '../shared/criteria.ts';
import { Directory, type PagedList, phoneOf } from '../shared/directory.ts';
import { areaCode, out } from '../shared/fields.ts';
import { cancelledUntil } from '../shared/line.ts';
import {
  type Line,
  LineUses,
  lineRow,
  lineRowOf,
  NONE,
  namesMeant,
  type RowOptions,
  readLimits,
  readUsage,
} from '../shared/line-uses.ts';
import { numbersOnOrder } from '../shared/orders.ts';
import { matches, type Query, queryOf, similarTo, usesAsked } from '../shared/search-term.ts';
import { searchOf, totalSaid, totalsTitle } from '../shared/total-sentences.ts';
import { namesHolder, usesOfLines } from '../shared/uses-of-line.ts';

/** Largest number of numbers that are read one by one, for a search of one subscriber's numbers. */
const MOST_SINGLE = 7;
/** Largest number of rows in an answer. */
const MOST = 25;
/** Largest number of numbers in an answer with nothing else; a batch takes as many. */
const MOST_BARE = 500;
/** Largest number of totals in an answer. */
const MOST_TOTALS = 100;
/** The state of a number that is not in service yet. Its lookup shows the order. */
const ON_ORDER = 'On order';
const ALL_ROUTED = 'These lines have the routes that their products need. A line without calls needs no voice route.';
const NO_MATCH = 'No number matches.';
const SIMILAR = 'No name has exactly these words. These are spelled alike: check that they are meant.';
/** The longest search: the last digits of as many lines as a batch has rows. */
const MOST_QUERY = 4_000;
/** As many digits as the serial of a SIM has. */
const ICCID_DIGITS = /^\d{18,22}$/;
/** Added to the page number for each further answer with matches of the same part of the lists. */
const ANSWER = 10_000;

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
function needsNames(query: Query | undefined, wanted: Criteria): boolean {
  const isScoped = wanted.AccountId !== undefined || namesHolder(wanted);
  return query?.by === 'account' || query?.by === 'name' || (query === undefined && isScoped);
}

/** The records that one search has read, and its reader. */
interface Reading {
  directory: Directory;
  uses: LineUses;
  call: Call;
  history: LocalHistory;
}

interface Found {
  lines: Line[];
  areSimilar: boolean;
  matching: number;
  /** Lines whose plan is not known, so that they may fit too. */
  unread: string[];
  /** The route or plan that the term names, where no line has it as a name. */
  used?: Pick<Criteria, 'Route' | 'Plan'>;
}

/** Fewer letters may begin the name of any route. */
const MIN_LETTERS = 4;

/** The route or plan that a term names. Its lists are read only if no name of a customer or a caller fits. */
async function usesNamed(
  term: string,
  { Route, Plan }: Criteria,
  uses: LineUses,
  rows: readonly Fields[],
): Promise<Found['used']> {
  if (term.length < MIN_LETTERS || Route !== undefined || Plan !== undefined) return undefined;
  await Promise.all([uses.readRoutes(rows), uses.readPlans()]);
  if (namesMeant(term, uses.routeNames()).length > 0) return { Route: term };
  return namesMeant(term, uses.planNames()).length > 0 ? { Plan: term } : undefined;
}

/** The lines that fit the term and the criteria, in the order asked for. */
async function linesFor(query: Query | undefined, wanted: Criteria, reading: Reading): Promise<Found> {
  const { directory, uses, call, history } = reading;
  await readFor(query, wanted, directory);
  const rows = [...directory.numbers.rows, ...unlisted(query, directory)];
  // A line without a subscriber is found by the name of its account too.
  if (query?.by === 'name') await directory.readAccounts(rows);
  const listed = rows.filter((row) => query === undefined || matches(query, row, directory));
  const exact = listed.length > 0 || !isOfDigits(query) ? listed : await onOrder(query, { directory, history });
  const similar = query?.by === 'name' && exact.length === 0 ? similarTo(query.words, rows, directory) : [];
  const matching = [...exact, ...similar];
  // Where the lists were read in part, a name of the rest may have the words.
  if (query?.by === 'name' && matching.length === 0 && partsRead(query, wanted, directory).length === 0) {
    const used = await usesNamed(query.words.join(' '), wanted, uses, rows);
    if (used) return { ...(await linesFor(undefined, { ...wanted, ...used }, reading)), used };
  }
  const needed = needsHolders(wanted) || isOfDigits(query);
  if (needed) await directory.readHolders(matching);
  if (wanted.CountBy === 'Account') await directory.readAccounts(matching);
  const fitted = matching.filter((row) => fits(row, wanted, directory));
  await Promise.all([
    needsRoutes(wanted) ? uses.readRoutes(fitted) : undefined,
    needsPlans(wanted) ? uses.readPlans() : undefined,
  ]);
  const meant = { ...usesMeant(wanted, uses), ...usesOfLines(wanted, rows, uses, directory) };
  const using = fitted.map((row) => ({ row, isMeant: fitsUses(row, meant, uses, directory) }));
  const unread = using.filter(({ isMeant }) => isMeant === undefined).map(({ row }) => phoneOf(row));
  const lines = using.filter(({ isMeant }) => isMeant === true).map(({ row }): Line => ({ row }));
  if (needsUsage(wanted)) await readUsage(lines, call);
  const fitting = lines.filter((line) => fitsUsage(line, wanted));
  return {
    lines: sorted(fitting, wanted, directory),
    areSimilar: similar.length > 0,
    matching: matching.length,
    unread,
  };
}

/** True for a term that names numbers by their digits. */
function isOfDigits(query: Query | undefined): query is Query & { by: 'number' | 'digits' | 'several' } {
  return query?.by === 'number' || query?.by === 'digits' || query?.by === 'several';
}

/** Numbers that are ordered and not in service yet, so that the inventory does not have them. */
async function onOrder(
  query: Query,
  { directory, history }: Pick<Reading, 'directory' | 'history'>,
): Promise<Fields[]> {
  const ordered = (await numbersOnOrder(history)).map((phone): Fields => ({ Number: phone, Status: ON_ORDER }));
  return ordered.filter((row) => matches(query, row, directory));
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
    Choices: out.saids,
    Similar: out.flag,
  }),
  /**
   * Two requests for a full number, otherwise at most eight for the lists, four for the data used by the matches, and
   * one for the limits of those shown; one more for names of accounts that no subscriber has, two for plans, and two
   * for routes (up to eight for routes of other accounts). Each page and record is read once.
   */
  run: async ({ Query, Page = 1, Rows = MOST, NumbersOnly, ...given }, { call, history }) => {
    const asked = Query === undefined ? undefined : usesAsked(Query);
    const wanted = { ...asked, ...given };
    const query = Query === undefined || asked ? undefined : queryOf(Query);
    const part = Page % ANSWER || ANSWER;
    const directory = new Directory(call, part);
    const reading = { directory, uses: new LineUses(call), call, history };
    const { lines, areSimilar, matching, unread, used } = await linesFor(query, wanted, reading);
    const parts = partsRead(query, wanted, directory);
    const nextPart = parts.some(({ list }) => list.hasMore) ? part + 1 : undefined;
    const notSeen = [
      ...(parts.length === 0 ? [] : [unseenText(parts, lines.length, nextPart)]),
      ...(unread.length === 0 ? [] : [unreadText(unread)]),
    ];
    const unseen = notSeen.length === 0 ? {} : { Unseen: notSeen.join(' ') };
    const meant = lines.length === 0 ? meantCriterion(wanted, Query, directory.numbers.rows) : undefined;
    const other = lines.length > 0 ? undefined : otherValues(wanted, directory.numbers.rows, reading.uses);
    const lacksNone = lines.length === 0 && wanted.Route?.toLowerCase() === NONE ? { Hint: ALL_ROUTED } : {};
    const hint = {
      ...lacksNone,
      ...(meant === undefined ? {} : { Hint: `Did you mean ${meant}?` }),
      ...choicesOf(other, meant),
    };
    const similar =
      (areSimilar || used) && lines.length > 0 ? { Similar: true, Hint: used ? readAs(used) : SIMILAR } : {};
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
  sentences: {
    of: 'Totals',
    title: (_count, input, { Found, Totals }) => totalsTitle(Number(Found), input, Totals),
    row: (total, input) => {
      const search = searchOf(total, input);
      return {
        says: totalSaid(total, input),
        next: search === undefined ? [] : [{ tool: 'numbers_find', title: 'Show these numbers', input: search }],
      };
    },
    remarks: ({ Unseen, Message, Hint }) => [Unseen, Message, Hint].flatMap((one) => text(one) ?? []),
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
  for (const line of lines) line.until = await cancelledUntil(line.row, history);
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

/** The values that there are where no line has the one of a criterion. */
function choicesOf(other: ReturnType<typeof otherValues>, meant: string | undefined): Fields {
  if (other === undefined || meant !== undefined) return {};
  return { Hint: `No line has this ${other.name}. Choices are those that there are.`, Choices: other.values };
}

/** A text about a term that was read as a criterion. */
function readAs(used: NonNullable<Found['used']>): string {
  const [[name, value] = []] = Object.entries(used);
  return `No customer or caller is called so. It was read as ${name}=${inQuotes(String(value))}: check that it is meant.`;
}

/** Most lines that one sentence names. */
const MOST_NAMED = 5;

/** A text about lines whose plan is not known, so that they may fit too. */
function unreadText(phones: readonly string[]): string {
  const named = phones.slice(0, MOST_NAMED).join(', ');
  const more = phones.length > MOST_NAMED ? ` and ${phones.length - MOST_NAMED} more` : '';
  const [plan, may] =
    phones.length === 1 ? ['The plan of 1 line', 'It'] : [`The plans of ${phones.length} lines`, 'They'];
  return `${plan} could not be read, because the platform lists the subscriptions of one account: ${named}${more}. ${may} may fit too.`;
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
    ? 'No number matches. One that is being ported in, and was ordered elsewhere, is not listed yet: numbers_order_get shows its order.'
    : NO_MATCH;
}
