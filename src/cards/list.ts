import { usedText } from '../../tools/shared/line.ts';
import type { RecordKind } from '../../tools/surfaces/records.ts';
import { fieldsOf } from '../catalogue/input.ts';
import type { Sentences, Tool } from '../catalogue/operation.ts';
import { keysOf } from '../gate/change.ts';
import { recordHit } from '../language/records.ts';
import { clean, formatPhone, nationalIn, stateMark } from '../language/show.ts';
import { type Fields, inQuotes, recordOf, recordsIn, textOf } from '../lib/values.ts';
import { dayText, NOT_DELIVERED, readFlag } from '../platform/dialect/readings.ts';
import { type Card, type CardAction, type Part, type Piece, type Row, smallPart, timeOf } from './card.ts';
import { answerActions, fixAction, openOf, sourceOf, usageOf } from './line.ts';
import { act } from './question.ts';

/* Cards of several things: the numbers that a search found, the findings of a diagnosis, and lists of records. */

const MAX_ROWS = 25;
const MAX_FINDINGS = 12;
/** A sentence may have a quoted text below it. */
const MAX_SENTENCES = 20;
const MAX_QUOTE = 500;
const MAX_QUERY = 100;
const PHONE = /^\+\d{7,15}$/;
const NEXT_SEARCH = 'Check the spelling, or search by the last four digits, a part of a name, or an id.';

function card(title: string, parts: readonly Part[], actions: readonly CardAction[] = []): Card {
  return { mark: '', title, state: '', parts, actions };
}

/* A search. */

/**
 * The result of a search, with one line for each number and an action that looks it up.
 *
 * @param query what was searched; empty if other criteria were given
 */
export function foundCard(value: Fields, query: string): Card {
  const rows = recordsIn(value.Numbers);
  const found = Math.max(rows.length, Number(value.Found) || 0);
  const count = found === 0 ? 'No number matches' : found === 1 ? '1 number matches' : `${found} numbers match`;
  // An id says nothing to people.
  const of = /^AID-/i.test(query) ? rows[0]?.Account : /^TSUID-/i.test(query) ? rows[0]?.Customer : query;
  const isKnown = found === 0 && Number(value.WithoutCriteria) > 0;
  const title = isKnown
    ? textOf(value.Message).replace(/\.$/, '')
    : `${count}${query === '' ? '' : ` “${cutTo(textOf(of) || query, MAX_QUERY)}”`}`;
  const more = rows.length - MAX_ROWS;
  const choices = Array.isArray(value.Choices) ? value.Choices.map(textOf) : [];
  return card(title, [
    { kind: 'rows', rows: rows.slice(0, MAX_ROWS).map(foundRow) },
    ...smallPart(
      more > 0 ? `… ${more} more: add digits or words.` : '',
      textOf(value.Unseen),
      // "No number matches." is the headline already.
      choices.length > 0 ? `There are: ${choices.join(', ')}.` : textOf(value.Hint),
      rows.length > 0 ? textOf(value.Message) : query === '' || isKnown ? '' : NEXT_SEARCH,
    ),
  ]);
}

function foundRow(row: Fields): Row {
  const phone = textOf(row.Number);
  const state = textOf(row.Status);
  const names = [textOf(row.Customer), textOf(row.CallerName)].filter((name, i, all) => all.indexOf(name) === i);
  const until = dayText(textOf(row.ReactivateUntil));
  const says = [
    `${stateMark(state)} ${formatPhone(phone).national}`.trim(),
    ...names,
    textOf(row.Account),
    state,
    textOf(row.Trouble),
    until === '' ? '' : `can be reactivated until ${until}`,
    usedText(row) ?? '',
    ...Object.entries({ MessageRoute: 'message route', VoiceRoute: 'voice route', Plan: 'plan' }).map(
      ([name, noun]) => {
        const text = textOf(row[name]);
        return text === 'none' ? `no ${noun}` : text && `${noun} ${text}`;
      },
    ),
  ];
  return {
    says: says.filter((part) => part !== '').join(' · '),
    ...(PHONE.test(phone) && { actions: [act('look', phone)] }),
  };
}

/* A diagnosis. */

/**
 * A diagnosis: its summary, then the findings, the worst first, each with the one step that fixes it. Undefined for any
 * other answer.
 *
 * @param toolOf an operation that the reader may ask for
 * @param handle the stored answer
 */
export function diagnosisCard(
  value: Fields,
  toolOf: (id: string) => Tool | undefined,
  handle?: string,
): Card | undefined {
  const { Summary, Findings, Number: number, First, NotChecked } = value;
  if (typeof Summary !== 'string' || !Array.isArray(Findings)) return undefined;
  const phone = textOf(number);
  const rows = Findings.slice(0, MAX_FINDINGS).map((one) => findingRow(recordOf(one), toolOf));
  const missed = textsIn(NotChecked).join(' ');
  const more = Findings.length - rows.length;
  return card(
    phone === '' ? Summary : `${formatPhone(phone).national}: ${Summary}`,
    [
      { kind: 'rows', numbered: true, rows },
      ...smallPart(more > 0 ? `… ${more} more.` : '', textOf(First)),
      ...smallPart(missed === '' ? '' : `Not checked: ${missed}`),
    ],
    phone === '' || !handle ? [] : [act('look', phone), act('share', sourceOf(handle))],
  );
}

function findingRow(finding: Fields, toolOf: (id: string) => Tool | undefined): Row {
  const { Finding, CarrierMessage, Fix } = finding;
  const open = openOf(Fix);
  const fix = open && fixAction(open, toolOf(open.operation));
  const beside = aboutText(finding);
  const said = textOf(CarrierMessage);
  return {
    says: [{ words: textOf(Finding) }],
    ...(beside !== '' && { beside }),
    ...(said !== '' && { said }),
    ...(fix && { actions: [fix] }),
    open,
  };
}

/** The route and the blocked numbers that a finding speaks of. */
function aboutText({ Route, Blocked }: Fields): string {
  const route = textOf(Route) === '' ? '' : `Route: ${textOf(Route)}`;
  const phones = textsIn(Blocked).map((phone) => formatPhone(phone).national);
  const blocked = phones.length === 0 ? '' : `Blocked: ${phones.join(', ')}`;
  return [route, blocked].filter((part) => part !== '').join(' · ');
}

/* Records as sentences. */

interface SentencesRead {
  input: Fields;
  /** Operations that the reader may run or ask for. */
  tools: readonly Tool[];
  /** The name of a record or of the customer of a line, as far as it is known. */
  nameOf: (id: string) => string | undefined;
  handle?: string | undefined;
}

/** An answer whose rows are sentences, as its definition says them. */
export function sentencesCard(value: Fields, sentences: Sentences, given: SentencesRead): Card {
  const { of, total, title, row, remarks } = sentences;
  const { input, tools, nameOf, handle } = given;
  const all = recordsIn(value[of]);
  const count = Math.max(all.length, Number(value[total ?? '']) || 0);
  const rows = all.slice(0, MAX_SENTENCES).map((one): Row => {
    const sentence = row(one, input, nameOf);
    const { quote: said, next = [] } = sentence;
    const { says, at: moment, usage } = sentence;
    const bar = usage && usageOf(usage);
    // Its time before it and its data used as a bar behind it.
    const time: Piece[] = moment === undefined ? [] : [timeOf(moment), ' '];
    const text: Piece[] = [...time, { sent: nationalIn(says) }, ...(bar === undefined ? [] : [' ', bar])];
    return {
      says: text.length === 1 ? nationalIn(says) : text,
      ...(said && { said: cutTo(said, MAX_QUOTE) }),
      actions: next.flatMap(({ tool, title: name, input: known }) => {
        const found = tools.find(({ id }) => id === tool);
        return found ? [step(found, name, known)] : [];
      }),
    };
  });
  return card(
    nationalIn(title(count, input, value)),
    [{ kind: 'rows', count, rows }, ...smallPart(...(remarks?.(value) ?? []).map(nationalIn))],
    answerActions(handle),
  );
}

interface RecordList {
  kind: RecordKind;
  rows: readonly Fields[];
  /** Operations on one record that the reader may ask for, those that remove it last. */
  offered: readonly Tool[];
  /** The name of another record by its id. */
  nameOf: (id: string) => string | undefined;
}

/** A list of records by their names, with what can be done with each. */
export function recordsCard(value: Fields, list: RecordList, handle?: string): Card {
  const { kind, rows } = list;
  const total = Math.max(rows.length, Number(value[kind.list.page?.total ?? '']) || 0);
  const noun = total === 1 ? kind.noun : `${kind.noun}s`;
  const title = total > rows.length ? `${rows.length} of ${total} ${noun}` : `${total === 0 ? 'No' : total} ${noun}`;
  const shown = rows.slice(0, MAX_ROWS).map((row) => recordRow(row, list));
  return card(title, [{ kind: 'rows', count: rows.length, rows: shown }], answerActions(handle));
}

/** True for the list of numbers, each of which has its card. */
export function isOfLines({ numbers, names }: RecordKind): boolean {
  return numbers !== undefined && names[0] === numbers;
}

function recordRow(row: Fields, { kind, offered, nameOf }: RecordList): Row {
  const { label: name } = recordHit(kind, row);
  const others = (kind.refers ?? []).flatMap((member) => nameOf(textOf(row[member])) ?? []);
  const [own = '', ...beside] = name.split(' · ');
  // A record without a name is known by the others that it belongs to.
  const known = others.length > 0 && kind.names.length === 0 ? [...others, ...beside] : [own, ...beside, ...others];
  const status = textOf(row.Status);
  // A mark for a record that is not in use.
  const inactive = readFlag(row.Active) === false ? '○ inactive: ' : '';
  return {
    says: `${status === '' ? inactive : `${stateMark(status)} `}${known.join(' · ')}`,
    actions: isOfLines(kind)
      ? [act('look', textOf(row[kind.numbers ?? '']))]
      : offered.flatMap((tool) => {
          const input = inputOf(tool, kind, row);
          return input === undefined ? [] : [step(tool, tool.title, input)];
        }),
  };
}

/** The input of an operation on the record of a row; undefined if it is no operation on such a record. */
export function inputOf(tool: Tool, kind: RecordKind, row: Fields): Fields | undefined {
  const names = fieldsOf(tool).filter(({ required }) => required);
  const keys = names.filter(({ name }) => keysOf(tool).includes(name) || (tool.risk === 'read' && names.length === 1));
  const own = keys.find(({ name }) => kind.id.includes(name));
  // An operation that adds or creates something only names the record that it belongs to.
  if (own === undefined || tool.adds === true || tool.id.endsWith('_create')) return undefined;
  const { value } = recordHit(kind, row);
  const given = keys.map(({ name }) => [name, name === own.name ? value : textOf(row[name])] as const);
  return given.every(([, id]) => id !== '') ? Object.fromEntries(given) : undefined;
}

/** An operation on a row. A read with a whole input runs; for anything else its form opens. */
function step(tool: Tool, label: string, input: Fields): CardAction {
  const runs = tool.risk === 'read' && tool.input.safeParse(input).success;
  return act(runs ? 'run' : 'fill', `${tool.id}|${JSON.stringify(input)}`, { label });
}

/*
 * A digest lists events in the order in which a person on duty wants them: orders (rejections first), alerts,
 * messages, calls, changes with their customers, and charges.
 */

/** Rows of a part that are shown. */
const MOST = { few: 5, many: 10 } as const;
const MOST_CHARACTERS = 200;
/** An answer ends at the moment at which it is read. */
const MOMENT_MS = 60_000;

/**
 * The digest of an answer about what happened; undefined for any other answer.
 *
 * @param read.asOf when it was read, in epoch ms
 * @param read.handle the stored answer
 */
export function digestCard(
  value: Fields,
  title: string,
  { asOf, handle }: { asOf?: number | undefined; handle?: string | undefined } = {},
): Card | undefined {
  const [since, until] = [textOf(value.Since), textOf(value.Until)];
  if (Number.isNaN(Date.parse(since)) || until === '') return undefined;
  const isPast = asOf !== undefined && Date.parse(until) < asOf - MOMENT_MS;
  const older = value.More === true ? 'Older entries are left out.' : '';
  const count = recordsIn(value.Receipts).length + recordsIn(value.Other).length;
  const others = count === 0 ? '' : `Other events and receipts: ${count}, in the whole answer.`;
  const latest = (list: unknown) => recordsIn(list).reverse();
  const parts = [
    ...section('Orders', orderRows(latest(value.Orders)), MOST.many),
    ...section('Alerts', recordsIn(value.Alerts).map(alertRow), MOST.many),
    ...section('Messages', latest(value.Messages).map(messageRow), MOST.few),
    ...section('Calls', latest(value.Calls).map(callRow), MOST.few),
    ...section('Changes', latest(value.Actions).map(changeRow), MOST.many),
    ...section('Charges', latest(recordOf(value.Charges).List).map(chargeRow), MOST.many),
  ];
  return {
    mark: '',
    title: isPast ? title.replace(/\s+since$/, '') : title,
    about: isPast ? ['from ', { value: since }, ' to ', { value: until }] : [{ value: since }],
    state: '',
    parts: [...parts, ...smallPart(clean(textOf(value.Message)), clean(textOf(value.NotRead)), others, older)],
    actions: parts.length + count === 0 ? [] : answerActions(handle, 'All'),
  };
}

function section(title: string, lines: readonly Piece[][], most: number): Part[] {
  const rows = lines.slice(0, most).map((says): Row => ({ says }));
  return rows.length === 0 ? [] : [{ kind: 'rows', title, count: lines.length, rows }];
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Rejected orders come first, then the latest. */
function orderRows(rows: readonly Fields[]): Piece[][] {
  const isRejected = (row: Fields) => /^(rejected|failed)$/i.test(textOf(row.Status));
  return [...rows.filter(isRejected), ...rows.filter((row) => !isRejected(row))].map((row) => {
    const phones = phonesText(textsIn(row.PhoneNumbers));
    const [why, said] = [textOf(row.Why), textOf(row.ErrorMessage)];
    const reason: Piece[] = why !== '' ? [`: ${why}`] : said !== '' ? [': ', quoted(said)] : [];
    // Its id is in the whole answer.
    const order = phones === '' ? 'An order' : `Order for ${phones}`;
    return [`${isRejected(row) ? '✕' : '•'} ${order}: `, { sent: clean(textOf(row.Status)) }, ...reason, ...at(row)];
  });
}

function alertRow(row: Fields): Piece[] {
  return [`⚠️ ${phonesText([textOf(row.PhoneNumber)])} ${textOf(row.Found)}`, ...at(row)];
}

function callRow(row: Fields): Piece[] {
  return [betweenText(row), { sent: clean(textOf(row.Event)) }, ...at(row)];
}

function messageRow(row: Fields): Piece[] {
  return [betweenText(row), quoted(textOf(row.Body)), textsIn(row.Media).length > 0 ? ' 📎' : '', ...at(row)];
}

/** The mark of a state, its words, and the word before the name of the person who decided. */
const STATES: Readonly<Record<string, readonly [mark: string, word: string, decided?: string]>> = {
  done: ['✅', ''],
  partly: ['⚠️', 'partly done'],
  failed: ['❌', 'failed, nothing was done'],
  unknown: ['❓', 'outcome unknown'],
  declined: ['🚫', 'declined', ', declined by '],
  withdrawn: ['↩️', '', ', withdrawn by '],
  replaced: ['↩️', 'replaced by a newer request', ', replaced by '],
  expired: ['⌛', 'expired, nobody decided'],
  pending: ['🔐', 'waits for a person'],
  stopped: ['⏹️', 'stopped'],
  'left out': ['🚫', 'left out'],
  'not sent': ['⏹️', 'not sent'],
};

/** "✅ Set data limits of (201) 555-0105: Data limit: 20 MB → 300 MB · asked by Dana, confirmed by Kai". */
function changeRow(row: Fields): Piece[] {
  const state = textOf(row.State);
  // The state of a done call may have several words; all other states are one word.
  const standing = [/^order (?!partly)/.test(state) ? '❌' : '✅', state] as const;
  const [mark, word, decided = ', confirmed by '] =
    STATES[state] ?? (state.includes(' ') ? standing : ['⏳', 'running']);
  const [what, customer, reason] = [textOf(row.What), textOf(row.Customer), textOf(row.DecidedReason)];
  // An account without a subscriber is named alone.
  const holder = customer.replace(/^no subscriber( yet)?( · |$)/, '');
  const changes = textsIn(row.Changes);
  const delivery = textOf(row.Delivery);
  return [
    `${NOT_DELIVERED.test(delivery) ? '⚠️' : mark} `,
    { strong: clean(nationalIn(what)) },
    ...(what.includes(holder.split(' · ')[0] ?? '') ? [] : [` for ${clean(holder)}`]),
    ...(changes.length === 0
      ? []
      : [': ', { sent: cutTo(clean(nationalIn(changes.join('; '))), 2 * MOST_CHARACTERS) }]),
    ...(word === '' ? [] : [` · ${word}`]),
    ...(delivery === '' ? [] : [` · ${clean(delivery)}`]),
    ' · asked by ',
    personPiece(textOf(row.AskedBy)),
    ...(textOf(row.DecidedBy) === '' ? [] : [decided, personPiece(textOf(row.DecidedBy))]),
    ...(reason === '' ? [] : [': ', quoted(reason)]),
    ...at(row),
  ];
}

/** A person of an entry: "slack:T1/U1 (Dana)". */
function personPiece(text: string): Piece {
  const [, person = text, name] = /^(\S+)(?: \((.*)\))?$/su.exec(clean(text)) ?? [];
  return { person, name };
}

function chargeRow(row: Fields): Piece[] {
  const maybe = textOf(row.MaybeCost);
  const cost = maybe === '' ? textOf(row.Cost) : `maybe ${maybe}`;
  return [`• ${cost} · `, { sent: clean(nationalIn(textOf(row.What))) }, ...at(row)];
}

function at(row: Fields): Piece[] {
  return [' · ', { value: textOf(row.At) }];
}

function quoted(text: string): Piece {
  return { sent: inQuotes(clean(text), MOST_CHARACTERS) };
}

function cutTo(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** The sender and the receivers of a message or a call. */
function betweenText({ From, To }: Fields): string {
  return `• ${phonesText([textOf(From)])} to ${phonesText(Array.isArray(To) ? To.map(String) : [textOf(To)])}: `;
}

function phonesText(phones: readonly string[]): string {
  const shown = phones.filter((phone) => phone !== '').map((phone) => formatPhone(phone).national);
  return shown.length > 3 ? `${shown.slice(0, 3).join(', ')} and ${shown.length - 3} more` : shown.join(', ');
}
