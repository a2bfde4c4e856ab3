import type { Shown } from '../../../language/show.ts';
import type { Fields } from '../../../lib/json.ts';
import { ID } from './render.ts';

/* The whole answer about what happened in a time, behind its digest. */

/** True for the answer about what happened in a time, whose digest is shown first. */
export function isLog({ Since, Until }: Fields): boolean {
  return typeof Since === 'string' && typeof Until === 'string';
}

/** An action's id, or the id of an operation, which people do not read. */
const INNER_ID = /^act_[\w-]{10,}$|^[a-z]+(?:_[a-z]+)+$/;
/** An identity with the person's name. */
const PERSON = /^\S+:\S+ \((.+)\)$/su;

/** The log with people by name. The ids of its entries are in tables behind the others. */
export function logOf(shown: Shown): Shown {
  const split = shown.tables.map(({ title, columns, rows }) => {
    const isId = columns.map((_, i) => i > 0 && rows.every((row) => isIdText(row[i] ?? '')));
    const pick = (row: readonly string[], ids: boolean) => row.filter((_, i) => isId[i] === ids);
    const named = rows.map((row) => row.map((cell) => PERSON.exec(cell)?.[1] ?? cell));
    return {
      read: { title, columns: pick(columns, false), rows: named.map((row) => pick(row, false)) },
      details: {
        title: `Details: ${title}`,
        columns: [columns[0] ?? '', ...pick(columns, true)],
        rows: rows.map((row) => [row[0] ?? '', ...pick(row, true)]),
      },
    };
  });
  const details = split.map((one) => one.details).filter(({ columns }) => columns.length > 1);
  return { ...shown, tables: [...split.map(({ read }) => read), ...details] };
}

function isIdText(text: string): boolean {
  return text === '' || ID.test(text) || INNER_ID.test(text);
}
