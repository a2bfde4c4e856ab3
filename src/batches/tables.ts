import { type Fields, isRecord } from '../lib/json.ts';
import { plainText, type Words } from '../lib/words.ts';
import { writeCsv } from './csv.ts';
import { type BatchRow, type EffectName, effectsIn } from './states.ts';

/** Members of an answer that name its work at the platform. */
const IDS = ['OrderId', 'MessageId', 'TransactionLogId', 'SubscriptionId'];
const MAX_CELL = 2_000;

const EFFECT_COLUMNS: Readonly<Record<EffectName, string>> = {
  customer: 'Customer',
  cost: 'Cost',
  consequence: 'Consequence',
};

/** Writes the rows of a plan as CSV. */
export function planCsv(rows: readonly BatchRow[]): string {
  const fields = namesIn(rows.map(({ said }) => said));
  const effects = effectsIn(rows);
  return writeCsv(
    ['Row', 'Line', 'Target', ...fields, ...effects.map((name) => EFFECT_COLUMNS[name]), 'Plan', 'Reason'],
    rows.map(({ n, line, target, said, effects: own, outcome, failure }) => [
      String(n),
      String(line),
      target,
      ...fields.map((name) => textOf(said[name])),
      ...effects.map((name) => textOf(own[name])),
      outcome === 'left_out' ? 'left out' : outcome === 'planning' ? 'not read yet' : 'ready',
      outcome === 'left_out' ? reasonOf({ failure }) : '',
    ]),
  );
}

/** The rows of a run as CSV: outcome, reason, the platform's ids, and time (ISO 8601). */
export function resultsCsv(rows: readonly BatchRow[], isRead: boolean): string {
  const fields = isRead ? namesIn(rows.map(({ result }) => plainMembers(result))) : [];
  return writeCsv(
    ['Row', 'Line', 'Target', 'Outcome', 'Reason', 'PlatformIds', 'Action', 'Time', ...fields],
    rows.map((row) => [
      String(row.n),
      String(row.line),
      row.target,
      row.outcome === 'waiting' ? 'not done' : row.outcome.replace('_', ' '),
      reasonOf(row),
      IDS.map((name) => row.result?.[name])
        .filter((id) => typeof id === 'string')
        .join(' '),
      row.action ?? '',
      row.at === undefined ? '' : new Date(row.at).toISOString(),
      ...fields.map((name) => textOf(plainMembers(row.result)[name])),
    ]),
  );
}

/** The reason why a row was left out or not done, without the name of its field; empty if there is none. */
export function reasonOf({ failure }: Pick<BatchRow, 'failure'>): string {
  return failure === undefined ? '' : withoutField(failure.message);
}

/** The sentence of a message that begins with the name of a field. */
export function withoutField(message: Words): string {
  const text = plainText(message);
  const [field = '', path = ''] = /^([A-Z]\w*(?:\.\d+(?:\.\w+)?)?): /.exec(text) ?? [];
  const bare = text.slice(field.length);
  // Such a sentence says nothing without the field, its subject.
  if (/^(?:is|must|has) /.test(bare)) return `${path.split('.').at(-1)} ${bare}`;
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}

/** The members of an answer that fit into one cell each; those of a record in it by path ("Number.Status"). */
export function plainMembers(value: Fields = {}, under = ''): Fields {
  const cells: Fields = {};
  for (const [name, member] of Object.entries(value)) {
    if (['string', 'number', 'boolean'].includes(typeof member)) cells[under + name] = member;
    else if (isRecord(member) && under === '') Object.assign(cells, plainMembers(member, `${name}.`));
  }
  return cells;
}

function namesIn(records: readonly Fields[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, MAX_CELL);
}
