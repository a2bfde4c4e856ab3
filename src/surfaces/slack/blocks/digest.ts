import { LABELS } from '../../../cards/labels.ts';
import { formatPhone } from '../../../language/show.ts';
import { type Fields, recordOf, textOf } from '../../../lib/json.ts';
import { inQuotes } from '../../../lib/text.ts';
import { IDS } from '../ids.ts';
import type { StoredResult } from './result.ts';
import {
  actions,
  type Block,
  button,
  cut,
  type Element,
  escaped,
  lines,
  type Message,
  rich,
  say,
  small,
} from './text.ts';

/*
 * What happened since a time, in the order in which a person on duty wants it: orders (rejections first), alerts,
 * messages, calls, what was changed for whom, and charges. The whole log is behind a button.
 */

const MOST_ORDERS = 10;
const MOST_MESSAGES = 5;
const MOST_CHANGES = 10;
const MOST_CHARGES = 10;
const MOST_CHARACTERS = 200;

const rowsIn = (value: Fields, name: string): Fields[] => {
  const rows = value[name];
  return Array.isArray(rows) ? rows.map(recordOf) : [];
};
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

type Line = (Element | string)[];

/** The digest of an answer about what happened; undefined for any other answer. */
export function digestMessage(result: StoredResult): Message | undefined {
  const { value } = result;
  const since =
    typeof value.Since === 'string' && typeof value.Until === 'string' ? Date.parse(value.Since) : Number.NaN;
  if (Number.isNaN(since)) return undefined;
  const charges = recordOf(value.Charges);
  const parts = [
    ...section('Orders', orderLines(rowsIn(value, 'Orders')), MOST_ORDERS),
    ...section('Alerts', rowsIn(value, 'Alerts').map(alertLine), MOST_ORDERS),
    ...section('Messages', rowsIn(value, 'Messages').reverse().map(messageLine), MOST_MESSAGES),
    ...section('Delivery receipts', receiptLines(rowsIn(value, 'Receipts')), MOST_MESSAGES),
    ...section('Calls', rowsIn(value, 'Calls').reverse().map(callLine), MOST_MESSAGES),
    ...section('Changes', rowsIn(value, 'Actions').reverse().map(changeLine), MOST_CHANGES),
    ...section('Charges', chargeLines(charges), MOST_CHARGES),
    ...section('Other events', rowsIn(value, 'Other').map(otherLine), MOST_MESSAGES),
  ];
  const remarks = [
    textOf(value.Message),
    textOf(value.NotRead),
    value.More === true ? 'Older entries are left out.' : '',
  ];
  const told = remarks.filter((remark) => remark !== '');
  const blocks: Block[] = [
    say(...heading(result, since)),
    ...parts,
    ...(told.length === 0 ? [] : [small(escaped(told.join(' ')))]),
  ];
  if (result.id !== undefined && parts.length > 0)
    blocks.push(
      actions(
        `digest:${result.id}`,
        button(IDS.page, 'All', `${result.id}|0`),
        button(IDS.share, LABELS.share, `${result.id}|0`),
      ),
    );
  return { text: escaped(result.title), blocks: blocks.slice(0, 50) };
}

/** "What happened since …", or from one time to another where it ends before now. */
function heading({ title, value, asOf }: StoredResult, since: number): Line {
  const until = Date.parse(textOf(value.Until));
  if (asOf === undefined || !(until < asOf - MOMENT_MS)) return [rich.bold(title), ' ', rich.date(since)];
  return [rich.bold(title.replace(/\s+since$/, '')), ' from ', rich.date(since), ' to ', rich.date(until)];
}

/** An answer ends at the moment at which it is read. */
const MOMENT_MS = 60_000;

function section(title: string, rows: readonly Line[], most: number): Block[] {
  if (rows.length === 0) return [];
  const left = rows.length - most;
  const more: Line[] = left > 0 ? [[`… ${left} more: All`]] : [];
  return [lines([[rich.bold(title), ` ${rows.length}`], ...rows.slice(0, most), ...more])];
}

/** Rejected orders come first, then the latest. */
function orderLines(rows: readonly Fields[]): Line[] {
  const isRejected = (row: Fields) => /^(rejected|failed)$/i.test(textOf(row.Status));
  const latest = [...rows].reverse();
  return [...latest.filter(isRejected), ...latest.filter((row) => !isRejected(row))].map((row) => {
    const phones = phonesText(texts(row.PhoneNumbers));
    const [why, said] = [textOf(row.Why), textOf(row.ErrorMessage)];
    const reason = why !== '' ? `: ${why}` : said !== '' ? `: ${inQuotes(cut(said, MOST_CHARACTERS))}` : '';
    // Its id is behind "All".
    const order = phones === '' ? 'An order' : `Order for ${phones}`;
    return [`${isRejected(row) ? '✕' : '•'} ${order}: ${textOf(row.Status)}${reason} · `, at(row)];
  });
}

function alertLine(row: Fields): Line {
  return ['⚠️ ', phonesText([textOf(row.PhoneNumber)]), ` ${textOf(row.Found)} · `, at(row)];
}

function messageLine(row: Fields): Line {
  const media = texts(row.Media).length > 0 ? ' 📎' : '';
  const text = inQuotes(cut(textOf(row.Body), MOST_CHARACTERS));
  return [`• ${phonesText([textOf(row.From)])} to ${phonesText(listOf(row.To))}: ${text}${media} · `, at(row)];
}

/** Receipts of messages that were sent elsewhere, counted by state. */
function receiptLines(rows: readonly Fields[]): Line[] {
  const states = new Map<string, number>();
  for (const row of rows) states.set(textOf(row.Status), (states.get(textOf(row.Status)) ?? 0) + 1);
  return [...states].map(([state, count]) => [`• ${count} ${state}`]);
}

function callLine(row: Fields): Line {
  return [`• ${phonesText([textOf(row.From)])} to ${phonesText(listOf(row.To))}: ${textOf(row.Event)} · `, at(row)];
}

function otherLine(row: Fields): Line {
  return [`• ${textOf(row.Event)} · `, at(row)];
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
};

/** What the person did who ended a question. */
const DECIDED: Readonly<Record<string, string>> = {
  declined: ', declined by ',
  withdrawn: ', withdrawn by ',
  replaced: ', replaced by ',
};

/** "✅ Set data limits of +12015550105: Data limit: 20 MB → 300 MB · asked by Dana, confirmed by Kai". */
function changeLine(row: Fields): Line {
  const { mark, word } = STATES[textOf(row.State)] ?? { mark: '⏳', word: 'running' };
  const { State: _state, Customer, AskedBy, DecidedBy, DecidedReason } = row;
  const customer = textOf(Customer);
  const changes = texts(row.Changes);
  const reason = textOf(DecidedReason);
  const decided = DECIDED[textOf(row.State)] ?? ', confirmed by ';
  return [
    `${mark} `,
    rich.bold(national(textOf(row.What))),
    ...(customer === '' || textOf(row.What).includes(customer) ? [] : [` for ${customer}`]),
    ...(changes.length === 0 ? [] : [`: ${cut(national(changes.join('; ')), 2 * MOST_CHARACTERS)}`]),
    ...(word === '' ? [] : [` · ${word}`]),
    ...(textOf(row.Delivery) === '' ? [] : [` · ${textOf(row.Delivery)}`]),
    ' · asked by ',
    person(textOf(AskedBy)),
    ...(textOf(DecidedBy) === '' ? [] : [decided, person(textOf(DecidedBy))]),
    ...(reason === '' ? [] : [`: ${inQuotes(cut(reason, MOST_CHARACTERS))}`]),
    ' · ',
    at(row),
  ];
}

function chargeLines(charges: Fields): Line[] {
  return rowsIn(charges, 'List')
    .reverse()
    .map((row) => {
      const maybe = textOf(row.MaybeCost);
      const cost = maybe === '' ? textOf(row.Cost) : `maybe ${maybe}`;
      return [`• ${cost} · ${national(textOf(row.What))} · `, at(row)];
    });
}

/** Phone numbers in a text of ours as people write them. */
function national(text: string): string {
  return text.replaceAll(/\+\d{8,15}/g, (phone) => formatPhone(phone).national);
}

/** A person of an entry: a mention for Slack users. */
function person(text: string): Element {
  const user = /^slack:[^/\s]*\/([A-Z0-9]+)/.exec(text)?.[1];
  return user === undefined ? rich.text(text.replace(/^local:/, '')) : rich.user(user);
}

function at(row: Fields): Element {
  return rich.date(Date.parse(textOf(row.At)));
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [textOf(value)];
}

function phonesText(phones: readonly string[]): string {
  const shown = phones.filter((phone) => phone !== '').map((phone) => formatPhone(phone).national);
  return shown.length > 3 ? `${shown.slice(0, 3).join(', ')} and ${shown.length - 3} more` : shown.join(', ');
}
