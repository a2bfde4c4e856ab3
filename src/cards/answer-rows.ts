import { lower, rowsOf, type Shown, type ShownOptions } from '../language/show.ts';
import type { Action } from '../ledger/ledger.ts';
import type { Fields } from '../lib/json.ts';
import { factsPart, type Part } from './card.ts';

/* The rows of an answer on the card of an outcome. */

/** A number or an id. */
export const SUBJECT = /^(\+\d{7,15}|[A-Z]{2,7}-\S+)$/;

/** The values and lists of an answer. */
export function recordParts(value: Fields, options: ShownOptions): Part[] {
  const { pairs, tables } = rowsOf(value, options);
  return [
    ...factsPart(
      pairs.map(([label, text]) => ({ label, value: text })),
      { title: 'Result' },
    ),
    ...tables.map((table): Part => ({ kind: 'table', ...table, brief: table.rows.map((row) => rowText(table, row)) })),
  ];
}

/** One row of a list. Numbers, ids, names and states need no label. */
function rowText({ columns }: Shown['tables'][number], row: readonly string[]): string {
  return row
    .flatMap((cell, i) => {
      const label = columns[i] ?? '';
      const isBare = /name|status|^number$/i.test(label) || SUBJECT.test(cell);
      return cell === '' ? [] : [isBare ? cell : `${lower(label)} ${cell}`];
    })
    .join(' · ');
}

/** Returns the warning of an answer without the sentence that is shown above the rows. */
export function newWarning(warning: unknown, { consent }: Action): unknown {
  const told = consent?.remains;
  return typeof warning === 'string' && told !== undefined ? warning.replace(told, () => '').trim() : warning;
}
