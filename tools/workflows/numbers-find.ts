import * as z from 'zod';
import { type Call, defineWorkflow, type LocalHistory } from '../../src/catalogue/operation.ts';
import { defined, type Fields } from '../../src/lib/values.ts';
import { text } from '../shared/before.ts';
import {
  Directory,
  type Line,
  LineUses,
  lineRow,
  lineRowOf,
  numbersOnOrder,
  type PagedList,
  phoneOf,
  readData,
} from '../shared/directory.ts';
import { out, page, rowsUpTo } from '../shared/fields.ts';
import { datesOf } from '../shared/line.ts';
import {
  type Criteria,
  criteria,
  fits,
  fitsUsage,
  fitsUses,
  isByCallerName,
  matches,
  needsOf,
  otherValues,
  type Query,
  queryOf,
  similarTo,
  sorted,
  totalRow,
  totalSaid,
  totalsOf,
  totalsTitle,
  withoutLines,
} from '../shared/search.ts';

/** Largest number of numbers that are read one by one, for a search of one subscriber's numbers. */
const MOST_SINGLE = 7;
/** Largest number of rows in an answer. */
const MOST = 25;
/** Largest number of numbers in an answer with nothing else; a batch takes as many. */
const MOST_BARE = 500;
/** Largest number of totals in an answer. */
const MOST_TOTALS = 100;
/** Most lines that one sentence names. */
const MOST_NAMED = 5;
/** The longest search: the last digits of as many lines as a batch has rows. */
const MOST_QUERY = 4_000;
/** Added to the page number for each further answer with matches of the same part of the lists. */
const ANSWER = 10_000;

/** One search: what it looks for, and the records that it has read. */
interface Search {
  query: Query | undefined;
  wanted: Criteria;
  needs: ReturnType<typeof needsOf>;
  /** True if the records of all subscribers are compared. */
  byNames: boolean;
  directory: Directory;
  uses: LineUses;
  call: Call;
  history: LocalHistory;
}

/** Reads the records that a search term needs: one record if the id is known, otherwise this part of the lists. */
async function readFor({ query, directory, byNames }: Search): Promise<void> {
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
  await Promise.all([directory.numbers.readAll(), byNames ? directory.subscribers.readAll() : undefined]);
}

/** The lines that fit the term and the criteria, in the order asked for. */
async function linesFor(search: Search) {
  const { query, wanted, needs, directory, uses, call, history } = search;
  await readFor(search);
  const rows = [...directory.numbers.rows, ...(query?.by === 'number' ? [] : unlisted(directory))];
  // A line without a subscriber is found by the name of its account too.
  if (query?.by === 'name') await directory.readAccounts(rows);
  const listed = rows.filter((row) => query === undefined || matches(query, row, directory));
  const isOrdered = listed.length === 0 && (isOfDigits(query) || query?.by === 'name');
  const exact = isOrdered ? (await numbersOnOrder(history)).filter((row) => matches(query, row, directory)) : listed;
  const similar = query?.by === 'name' && exact.length === 0 ? similarTo(query.words, rows, directory) : [];
  const matching = [...exact, ...similar];
  if (needs.holders || isOfDigits(query)) await directory.readHolders(matching);
  if (wanted.CountBy === 'Account') await directory.readAccounts(matching);
  const fitted = matching.filter((row) => fits(row, wanted, directory));
  await Promise.all([needs.routes && uses.readRoutes(fitted), needs.plans && uses.readPlans()]);
  const using = fitted.map((row) => ({ row, isMeant: fitsUses(row, wanted, uses, directory) }));
  const lines = using.filter(({ isMeant }) => isMeant === true).map(({ row }): Line => ({ row }));
  if (needs.usage) await readData(lines, 'usage', call);
  return {
    lines: sorted(
      lines.filter((line) => fitsUsage(line, wanted)),
      wanted,
      directory,
    ),
    areSimilar: similar.length > 0,
    matching: matching.length,
    /** Lines whose plan is not known, so that they may fit too. */
    unread: using.filter(({ isMeant }) => isMeant === undefined).map(({ row }) => phoneOf(row)),
  };
}

/** True for a term that names numbers by their digits. */
function isOfDigits(query: Query | undefined): query is Query & { by: 'number' | 'digits' | 'several' } {
  return query?.by === 'number' || query?.by === 'digits' || query?.by === 'several';
}

/** Numbers that only the list of subscribers names, because the inventory pages that were read do not contain them. */
function unlisted(directory: Directory): Fields[] {
  const seen = new Set(directory.numbers.rows.map(phoneOf));
  return directory.subscribers.rows.flatMap(({ PhoneNumbers, SubscriberId }) =>
    (Array.isArray(PhoneNumbers) ? PhoneNumbers : [])
      .filter((phone): phone is string => typeof phone === 'string' && !seen.has(phone))
      .map((phone) => ({ Number: phone, AssignedSubscriberId: SubscriberId })),
  );
}

/** The lists that this search read only in part. */
function partsRead({ query, byNames, directory: { numbers, subscribers } }: Search) {
  // A number's record names its subscriber, and a subscriber's record names all its numbers, so no list is needed.
  if (query?.by === 'number' || query?.by === 'subscriber') return [];
  const lists: [string, PagedList][] = [
    ['numbers', numbers],
    ...(byNames ? [['subscribers', subscribers] as [string, PagedList]] : []),
  ];
  return lists.filter(([, list]) => list.hasMore || list.before > 0);
}

/** A text about the searched parts and how to search the rest. `parts` has at least one list. */
function unseenText(parts: ReturnType<typeof partsRead>, found: number, next: number | undefined): string {
  const read = parts
    .filter(([, list]) => list.rows.length > 0)
    .map(([name, { before, rows, total }]) => `${name} ${before + 1} to ${before + rows.length} of ${total}`);
  if (read.length === 0) return 'The lists end before this Page. Page=1 searches from the beginning.';
  const rest = next === undefined ? '' : `Page=${next} searches the next ones. `;
  return `${found === 0 ? 'No match: only' : 'Only'} ${read.join(' and ')} were searched. ${rest}A full number or a subscriber id is found at once.`;
}

export default defineWorkflow({
  id: 'numbers_find',
  group: 'numbers',
  title: 'Find numbers',
  description:
    'Numbers by last digits, name of subscriber, caller or account, id and criteria, in short rows. CountBy counts them (Customer: everybody, with e-mail and role). Unseen: what was not searched; Page searches on.',
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
    Rows: rowsUpTo(MOST),
    NumbersOnly: z.boolean().optional().describe('just the numbers, up to 500'),
    Page: page
      .max(1_000 * ANSWER)
      .optional()
      .describe("the answer's NextPage, to search on"),
  }),
  rules: ({ Page: _page, Rows: _rows, NumbersOnly: _bare, ...wanted }) => {
    if (Object.values(wanted).every((value) => value === undefined))
      return { field: 'Query', ofWhole: true, message: 'give last digits, a name or a criterion, for example 0104' };
    const { BoughtFrom = '', BoughtTo = BoughtFrom, UsedFrom = 0, UsedTo = UsedFrom } = wanted;
    return [
      ...(BoughtTo < BoughtFrom ? [{ field: 'BoughtTo', message: `${BoughtTo} is before BoughtFrom` }] : []),
      ...(UsedTo < UsedFrom ? [{ field: 'UsedTo', message: `${UsedTo} is less than UsedFrom` }] : []),
    ];
  },
  output: () => ({
    ...out.members('Found WithoutCriteria NextPage Similar'),
    Numbers: out.rows(lineRow),
    PhoneNumbers: out.texts,
    Totals: out.rows(totalRow),
    Unseen: out.own,
    Message: out.own,
    Hint: out.own,
    Choices: out.saids,
  }),
  /**
   * Two requests for a full number, otherwise at most eight for the lists, four for the data used by the matches, and
   * one for the limits of those shown; one more for names of accounts that no subscriber has, two for plans, and two
   * for routes (up to eight for routes of other accounts). Each page and record is read once.
   */
  run: async ({ Query, Page = 1, Rows = MOST, NumbersOnly, ...wanted }, { call, history }) => {
    const query = Query === undefined ? undefined : queryOf(Query);
    const needs = needsOf(wanted);
    const isByName = query === undefined ? needs.holders : query.by === 'account' || query.by === 'name';
    const part = Page % ANSWER || ANSWER;
    const directory = new Directory(call, part);
    const uses = new LineUses(call);
    const search = { query, wanted, needs, byNames: isByName, directory, uses, call, history };
    const { lines, areSimilar, matching, unread } = await linesFor(search);
    const parts = partsRead(search);
    const nextPart = parts.some(([, list]) => list.hasMore) ? part + 1 : undefined;
    const notSeen = [
      ...(parts.length === 0 ? [] : [unseenText(parts, lines.length, nextPart)]),
      ...(unread.length === 0 ? [] : [`${UNREAD}: ${namedText(unread)}.`]),
    ];
    const unseen = defined({ Unseen: notSeen.join(' ') || undefined });
    const isNone = lines.length === 0 && parts.length === 0;
    // The name is known where its numbers were found, and only the criteria leave none.
    const isKnown = isNone && matching > 0 && Query !== undefined;
    const fitsNot = `${matching} match “${Query}”, and none of them fits the criteria.`;
    const other = lines.length === 0 ? otherValues(wanted, directory.numbers.rows, uses) : undefined;
    const none = {
      ...(isNone && { Message: isKnown ? fitsNot : noMatchText(query, directory) }),
      ...(isKnown && { WithoutCriteria: matching }),
      ...(other && {
        Hint: `No line has this ${other.name}. Choices are those that there are.`,
        Choices: other.values,
      }),
    };
    if (wanted.CountBy !== undefined) {
      const { AccountId: _, CountBy, Data, Full, Sort, Descending, ...narrowing } = wanted;
      const isEverybody = query === undefined && Object.values(narrowing).every((value) => value === undefined);
      const totals = [
        ...totalsOf(lines, wanted.CountBy, directory, uses),
        ...(isEverybody && wanted.CountBy === 'Customer' ? withoutLines(lines, wanted, directory) : []),
      ];
      return {
        Totals: totals.slice(0, MOST_TOTALS),
        Found: lines.length,
        ...(totals.length > MOST_TOTALS
          ? { Message: `The first ${MOST_TOTALS} of ${totals.length} are shown.` }
          : none),
        ...unseen,
        ...defined({ NextPage: nextPart }),
      };
    }
    const most = NumbersOnly ? MOST_BARE : Rows;
    const skipped = Math.floor((Page - part) / ANSWER) * most;
    const shown = lines.slice(skipped, skipped + most);
    const next = lines.length > skipped + most ? Page + ANSWER : nextPart;
    // A page of another size would leave out matches.
    const size = NumbersOnly ? ' with NumbersOnly=true' : Rows === MOST ? '' : ` with Rows=${Rows}`;
    const [first, last] = [skipped + 1, skipped + shown.length];
    const which = first === 1 ? `The first ${last}` : `Matches ${first} to ${last}`;
    const further = ` Page=${next}${size} shows the next ones; more digits or words narrow the search.`;
    const left = `${which} of ${lines.length} are shown.${last < lines.length ? further : ''}`;
    return {
      ...(NumbersOnly
        ? { PhoneNumbers: shown.map(({ row }) => phoneOf(row)) }
        : { Numbers: await rowsOf(shown, search) }),
      Found: lines.length,
      ...(lines.length > most && { Message: last < first ? `There are only ${lines.length} matches.` : left }),
      ...none,
      ...(areSimilar && lines.length > 0 ? { Similar: true, Hint: SIMILAR } : callerNameHint(query, shown, directory)),
      ...unseen,
      ...defined({ NextPage: next }),
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
    row: (total, input) => ({ says: totalSaid(total, input) }),
    remarks: ({ Unseen, Message, Hint }) => [Unseen, Message, Hint].flatMap((one) => text(one) ?? []),
  },
  examples: [{ Query: '0104' }, { Query: 'Ben Reed' }, { Status: 'Active', AreaCode: '201', CountBy: 'Customer' }],
});

/** The rows of an answer, with what they show besides the numbers' own records. */
async function rowsOf(lines: readonly Line[], search: Search): Promise<Fields[]> {
  const { query, wanted, needs, directory, uses, call, history } = search;
  const records = lines.map(({ row }) => row);
  await directory.readHolders(records);
  await directory.readAccounts(records);
  for (const line of lines) line.dates = await datesOf(line.row, history);
  if (wanted.Data) await Promise.all([readData(lines, 'usage', call), readData(lines, 'limits', call)]);
  // Every row of these searches is in the account, even if no record names it.
  const account = wanted.AccountId ?? (query?.by === 'account' ? query.id : undefined);
  const options = { account, ...(needs.routes && { routes: uses }), ...(needs.plans && { plans: uses }) };
  return lines.map((line) => lineRowOf(line, directory, options));
}

const UNREAD =
  'The platform lists the subscriptions of one account, so the plan of these lines could not be read, and they may fit too';
const SIMILAR = 'No name has exactly these words. These are spelled alike: check that they are meant.';

/** Names the lines whose customer is called otherwise. */
function callerNameHint(query: Query | undefined, lines: readonly Line[], directory: Directory): Fields {
  if (query?.by !== 'name') return {};
  const phones = lines.filter(({ row }) => isByCallerName(query, row, directory)).map(({ row }) => phoneOf(row));
  if (phones.length === 0) return {};
  return { Hint: `Only the caller name is so, not the customer: ${namedText(phones)}.` };
}

/** The first numbers, and how many more there are. */
function namedText(phones: readonly string[]): string {
  const more = phones.length > MOST_NAMED ? ` and ${phones.length - MOST_NAMED} more` : '';
  return `${phones.slice(0, MOST_NAMED).join(', ')}${more}`;
}

/** A text for a search without matches: the subscribers that it means, who have no number. */
function noMatchText(query: Query | undefined, directory: Directory): string {
  if (isOfDigits(query))
    return 'No number matches. One that is being ported in, and was ordered elsewhere, is not listed yet: numbers_order_get shows its order.';
  const holders = directory.subscribers.rows.flatMap(({ SubscriberId }) => {
    const isMeant = query !== undefined && matches(query, { AssignedSubscriberId: SubscriberId }, directory);
    return isMeant ? (text(SubscriberId) ?? []) : [];
  });
  return holders.length === 0
    ? 'No number matches.'
    : `Subscribers without a number in service: ${namedText(holders)}. One that is being ported in is found by its number: numbers_lookup.`;
}
