import type { BatchView } from '../batches/batches.ts';
import { reasonOf } from '../batches/rows.ts';
import { type BatchRow, changeDoneIn, differingIn, outcomeText } from '../batches/states.ts';
import { batchText } from '../language/batch-words.ts';
import { outcomeOf, type Reader } from '../language/outcome.ts';
import { memberLabel } from '../language/show.ts';
import type { Fields } from '../lib/values.ts';
import { type Card, changeLine, changeText, notePart, type Part, type Piece, smallPart, valueText } from './card.ts';
import { changedPart, decidersOf } from './outcome.ts';
import { askedOf, batchActions, FACT_LABELS, placeOf, questionParts, requesterOf } from './question.ts';

const MARKS: Readonly<Record<BatchView['state'], string>> = {
  planning: '⏳',
  waiting: '🔐',
  running: '⏳',
  planned: '📋',
  done: '✅',
  partly: '⚠️',
  failed: '❌',
  stopped: '⏹️',
  declined: '🚫',
  expired: '⌛',
};

/** Returns the card of a batch in any state, with its progress and people. `rowsPart` draws its rows. */
export function batchCard(view: BatchView, reader: Reader): Card {
  const { id, state, title, requester, decider, changed, asked } = view;
  // A batch that needs no yes has no decision.
  const deciders = decider ? decidersOf(decider) : [];
  const isDeclined = decider?.state === 'declined';
  const people = [
    { label: 'Asked by', value: [requesterOf(requester), placeOf(requester)] },
    ...(deciders.length > 0
      ? [{ label: isDeclined ? `${outcomeOf(decider, undefined).word} by` : 'Confirmed by', value: deciders }]
      : []),
    { label: 'Batch', value: [{ code: id }] },
  ];
  return {
    mark: MARKS[state],
    title,
    state: batchText(view, reader),
    parts: [
      ...notePart(state === 'running' ? [[progressOf(view)]] : []),
      ...(asked === undefined ? [] : questionParts(askedOf(undefined, asked))),
      ...changedParts(changed),
      ...smallPart(view.scheduled ? 'The end is shown here once the platform reports it.' : ''),
      { kind: 'facts', small: true, rows: people },
      { kind: 'actions' },
    ],
    actions: batchActions(view),
  };
}

/** The change of a done row: "Caller name: first: none → “Bob”", one member a line. */
function changeOf(row: BatchRow): string {
  const { rows = [], names = {} } = changeDoneIn(row) ?? {};
  const lines = rows.map((one) => changeLine(one, names));
  return lines.map((line) => `${line.what}: ${changeText(line)}`).join('\n');
}

/** The changes of a row, as programs read them: one text for each member. */
export function changedData(row: BatchRow): Fields {
  const changed = changeOf(row);
  return changed === '' ? {} : { changed: changed.split('\n') };
}

/** Changed members that a card names. The rows have all of them. */
const MOST_CHANGED = 10;

function changedParts(changed: BatchView['changed']): Part[] {
  if (changed === undefined) return [];
  const { rows, names } = changed;
  const more = rows.length - MOST_CHANGED;
  return [
    ...changedPart({ rows: rows.slice(0, MOST_CHANGED), names }, { title: 'What changed' }),
    ...smallPart(more > 0 ? `${more} more are in the rows.` : ''),
  ];
}

/** The rows that have ended, of those that are sent; while it is planned, the rows that were read. */
export function progressOf({ state, counts, total }: Pick<BatchView, 'state' | 'counts' | 'total'>): Piece & {
  bar: number;
} {
  const [ended, of] =
    state === 'planning'
      ? [total - counts.planning, total]
      : [counts.done + counts.partly + counts.failed + counts.unknown, Math.max(1, total - counts.left_out)];
  return { bar: ended / of, of: `${ended} of ${of}` };
}

/**
 * Returns the rows of a batch with their target, state and reason, and the values and effects that differ.
 *
 * @param differs the effects that are not the same for all rows of the batch, of which `rows` may be a page
 */
export function rowsPart(
  { state }: Pick<BatchView, 'state'>,
  rows: readonly BatchRow[],
  differs = differingIn(rows),
): Required<Part & { kind: 'table' }> {
  const names = new Set(rows.flatMap(({ said, target }) => Object.keys(said).filter((name) => said[name] !== target)));
  const column = (title: string, cell: (row: BatchRow) => string) => ({ title, cell });
  const columns = [
    column('Row', ({ n }) => String(n)),
    column('Target', ({ target }) => target),
    column('State', (row) => outcomeText(row, state)),
    column('Reason', reasonOf),
    ...[...names].map((name) => column(memberLabel(name), ({ said }) => valueText(said[name] ?? ''))),
    ...(rows.some((row) => changeOf(row) !== '') ? [column('Changed', changeOf)] : []),
    ...differs.map((name) => column(FACT_LABELS[name], ({ effects }) => effects[name] ?? '')),
  ];
  return {
    kind: 'table',
    title: 'Rows',
    columns: columns.map(({ title }) => title),
    rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
    brief: rows.map((row) => {
      const reason = reasonOf(row);
      const line = `${row.n}. ${row.target || '–'} ${outcomeText(row, state)}${reason === '' ? '' : `: ${reason}`}`;
      const changed = changeOf(row);
      const more = [
        ...(changed === '' ? [] : changed.split('\n')),
        ...differs.flatMap((name) => row.effects[name] ?? []),
      ];
      return [line, ...more].join('\n   ');
    }),
  };
}
