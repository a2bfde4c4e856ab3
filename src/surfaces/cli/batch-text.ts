import type { BatchView } from '../../batches/batches.ts';
import type { BatchRow } from '../../batches/states.ts';
import { batchActions } from '../../cards/actions.ts';
import { batchCard, progressOf, rowsPart } from '../../cards/batch.ts';
import { type ActionId, plainOf } from '../../cards/card.ts';
import { countsText } from '../../language/batch-words.ts';
import { clean } from '../../language/show.ts';
import { EXIT } from './io.ts';
import { prose, wrappedList } from './table.ts';

/* A batch as text for a terminal. Lines fit `width`, except commands to copy and words that are longer. */

const MOST_BAR = 24;
/** Rows of unknown outcome whose check is named. */
const CHECKS = 3;

/** The state of a batch, and below it its title and id. */
export function headText(view: BatchView, width: number): string {
  const { title, state } = batchCard(view, 'terminal');
  return [state, `${title} (${view.id})`].map((line) => prose(clean(line), width, 2)).join('\n');
}

/** The commands that go on with a batch, one line each. */
export function nextCommands(view: BatchView, rows: readonly BatchRow[], { hasCsv }: { hasCsv: boolean }): string[] {
  const { id, state } = view;
  const command = (verb: string) => `switchboard batch ${verb} ${id}`;
  if (state === 'waiting') return [`An approver must confirm it. See how it goes: ${command('show')}`];
  const unknown = rows.flatMap(({ outcome, action = [] }) => (outcome === 'unknown' ? action : []));
  const checks = unknown.map((action) => `Check it with: switchboard call confirmations_get id=${action}`);
  const offered = batchActions(view).filter(({ id: act }) => act !== 'results' || !(state === 'running' || hasCsv));
  return [...checks.slice(0, CHECKS), ...offered.flatMap(({ id: act }) => COMMANDS[act]?.(command) ?? [])];
}

/** The actions on a batch, as commands. */
const COMMANDS: Partial<Record<ActionId, (command: (verb: string) => string) => string>> = {
  stop: (command) => `Stop it with: ${command('stop')}`,
  rest: (command) => `Ask for the rest: ${command('rest')}`,
  results: (command) => `All rows as CSV: ${command('show')} --csv FILE`,
};

/** The rows as a table, or on a narrow terminal one below another. Empty without rows. */
export function rowsText(view: Pick<BatchView, 'changed'>, rows: readonly BatchRow[], width: number): string {
  if (rows.length === 0) return '';
  const { columns, rows: cells } = rowsPart(view, rows);
  return wrappedList(
    columns,
    cells.map((row) => row.map(clean)),
    width,
  );
}

/** The progress of a batch as a bar with its counts. */
export function barText(view: BatchView, width: number): string {
  const progress = progressOf(view);
  const bar = Math.min(MOST_BAR, Math.floor(width / 5));
  const full = Math.round(progress.bar * bar);
  const text = view.state === 'planning' ? 'reading the rows' : countsText(view);
  return `${'█'.repeat(full)}${'░'.repeat(bar - full)} ${plainOf([progress])}, ${text}`;
}

/** The exit status of a batch, as of a call. */
export function statusOf({ state, counts }: BatchView): number {
  // A script must learn that rows of its list were left out.
  if (state === 'done') return counts.left_out > 0 ? EXIT.partly : EXIT.done;
  if (state === 'running' || counts.unknown > 0 || counts.running > 0) return EXIT.unknown;
  if (state === 'partly' || counts.done > 0) return EXIT.partly;
  return state === 'failed' || counts.failed > 0 ? EXIT.refused : EXIT.notConfirmed;
}
