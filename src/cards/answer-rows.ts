import { lower, rowsOf, type Shown, type ShownOptions } from '../language/show.ts';
import type { Action } from '../ledger/ledger.ts';
import type { Fields } from '../lib/json.ts';
import { scheduledText } from '../platform/dialect/dates.ts';
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

/**
 * Returns the warning of an answer without the sentences that are shown above the rows.
 *
 * @param from the later day on which the change takes effect
 */
export function newWarning(warning: unknown, { consent }: Action, from: string | undefined): unknown {
  const told = [consent?.remains, from && scheduledText(from)].filter((one) => one !== undefined);
  return typeof warning === 'string'
    ? told.reduce((left, one) => left.replace(one, () => ''), warning).trim()
    : warning;
}
