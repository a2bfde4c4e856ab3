import { clean, formatPhone } from '../language/show.ts';
import { type Fields, recordOf, recordsIn, textOf } from '../lib/json.ts';
import { inQuotes } from '../lib/text.ts';
import { type Card, type Part, type Piece, type Row, smallPart } from './card.ts';
import { answerActions, nationalIn } from './list.ts';

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
  const remarks = [textOf(value.Message), textOf(value.NotRead), older].filter((remark) => remark !== '');
  const parts = [
    ...section('Orders', orderRows(recordsIn(value.Orders)), MOST.many),
    ...section('Alerts', recordsIn(value.Alerts).map(alertRow), MOST.many),
    ...section('Messages', recordsIn(value.Messages).reverse().map(messageRow), MOST.few),
    ...section('Delivery receipts', receiptRows(recordsIn(value.Receipts)), MOST.few),
    ...section('Calls', recordsIn(value.Calls).reverse().map(callRow), MOST.few),
    ...section('Changes', recordsIn(value.Actions).reverse().map(changeRow), MOST.many),
    ...section('Charges', recordsIn(recordOf(value.Charges).List).reverse().map(chargeRow), MOST.many),
    ...section('Other events', recordsIn(value.Other).map(otherRow), MOST.few),
  ];
  return {
    mark: '',
    title: isPast ? title.replace(/\s+since$/, '') : title,
    about: isPast ? ['from ', { value: since }, ' to ', { value: until }] : [{ value: since }],
    state: '',
    parts: [...parts, ...smallPart(clean(remarks.join(' ')))],
    actions: parts.length === 0 ? [] : answerActions(handle, 'All'),
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
  const latest = [...rows].reverse();
  return [...latest.filter(isRejected), ...latest.filter((row) => !isRejected(row))].map((row) => {
    const phones = phonesText(textsIn(row.PhoneNumbers));
    const [why, said] = [textOf(row.Why), textOf(row.ErrorMessage)];
    const reason: Piece[] = why !== '' ? [`: ${why}`] : said !== '' ? [': ', quoted(said)] : [];
    // Its id is in the whole answer.
    const order = phones === '' ? 'An order' : `Order for ${phones}`;
    return [`${isRejected(row) ? '✕' : '•'} ${order}: `, { sent: clean(textOf(row.Status)) }, ...reason, ...at(row)];
  });
}

function alertRow(row: Fields): Piece[] {
  return ['⚠️ ', phonesText([textOf(row.PhoneNumber)]), ` ${textOf(row.Found)}`, ...at(row)];
}

function messageRow(row: Fields): Piece[] {
  const media = textsIn(row.Media).length > 0 ? ' 📎' : '';
  return [betweenText(row), quoted(textOf(row.Body)), media, ...at(row)];
}

/** Receipts of messages that were sent elsewhere, counted by state. */
function receiptRows(rows: readonly Fields[]): Piece[][] {
  const states = new Map<string, number>();
  for (const row of rows) states.set(textOf(row.Status), (states.get(textOf(row.Status)) ?? 0) + 1);
  return [...states].map(([state, count]) => [`• ${count} `, { sent: clean(state) }]);
}

function callRow(row: Fields): Piece[] {
  return [betweenText(row), { sent: clean(textOf(row.Event)) }, ...at(row)];
}

function otherRow(row: Fields): Piece[] {
  return ['• ', { sent: clean(textOf(row.Event)) }, ...at(row)];
}

const STATES: Readonly<Record<string, { mark: string; word: string }>> = {
  done: { mark: '✅', word: '' },
  partly: { mark: '⚠️', word: 'partly done' },
  failed: { mark: '❌', word: 'failed, nothing was done' },
  unknown: { mark: '❓', word: 'outcome unknown' },
  declined: { mark: '🚫', word: 'declined' },
  withdrawn: { mark: '↩️', word: '' },
  replaced: { mark: '↩️', word: 'replaced by a newer request' },
  expired: { mark: '⌛', word: 'expired, nobody decided' },
  pending: { mark: '🔐', word: 'waits for a person' },
  stopped: { mark: '⏹️', word: 'stopped' },
};

/** Says how a person ended a question. */
const DECIDED: Readonly<Record<string, string>> = {
  declined: ', declined by ',
  withdrawn: ', withdrawn by ',
  replaced: ', replaced by ',
};

/** "✅ Set data limits of (201) 555-0105: Data limit: 20 MB → 300 MB · asked by Dana, confirmed by Kai". */
function changeRow(row: Fields): Piece[] {
  const state = textOf(row.State);
  const isScheduled = state.startsWith('scheduled ');
  const { mark, word } = STATES[state] ?? (isScheduled ? { mark: '✅', word: state } : { mark: '⏳', word: 'running' });
  const [what, customer, reason] = [textOf(row.What), textOf(row.Customer), textOf(row.DecidedReason)];
  // An account without a subscriber is named alone.
  const holder = customer.replace(/^no subscriber( yet)?( · |$)/, '');
  const changes = textsIn(row.Changes);
  const delivery = textOf(row.Delivery);
  return [
    `${mark} `,
    { strong: clean(nationalIn(what)) },
    ...(holder === '' || what.includes(holder) ? [] : [` for ${clean(holder)}`]),
    ...(changes.length === 0 ? [] : [': ', sent(nationalIn(changes.join('; ')), 2 * MOST_CHARACTERS)]),
    ...(word === '' ? [] : [` · ${word}`]),
    ...(delivery === '' ? [] : [` · ${clean(delivery)}`]),
    ' · asked by ',
    personPiece(textOf(row.AskedBy)),
    ...(textOf(row.DecidedBy) === '' ? [] : [DECIDED[state] ?? ', confirmed by ', personPiece(textOf(row.DecidedBy))]),
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

function sent(text: string, most: number): Piece {
  const shown = clean(text);
  return { sent: shown.length > most ? `${shown.slice(0, most)}…` : shown };
}

/** The sender and the receivers of a message or a call. */
function betweenText({ From, To }: Fields): string {
  const receivers = Array.isArray(To) ? To.map(String) : [textOf(To)];
  return `• ${phonesText([textOf(From)])} to ${phonesText(receivers)}: `;
}

function phonesText(phones: readonly string[]): string {
  const shown = phones.filter((phone) => phone !== '').map((phone) => formatPhone(phone).national);
  return shown.length > 3 ? `${shown.slice(0, 3).join(', ')} and ${shown.length - 3} more` : shown.join(', ');
}
