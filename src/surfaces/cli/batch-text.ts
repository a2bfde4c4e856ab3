import type { BatchView } from '../../batches/batches.ts';
import { reasonOf } from '../../batches/csv.ts';
import type { BatchRow } from '../../batches/states.ts';
import { batchActions } from '../../cards/actions.ts';
import { batchCard, progressOf, rowsPart } from '../../cards/batch.ts';
import { changeLines, changeText, plainOf } from '../../cards/card.ts';
import type { ActionId } from '../../cards/labels.ts';
import { countsText } from '../../language/batch-words.ts';
import { clean } from '../../language/show.ts';
import { plainText } from '../../lib/words.ts';
import { NARROW } from './columns.ts';
import { EXIT } from './io.ts';
import { prose } from './prose.ts';
import { table } from './table.ts';

/* A batch as text for a terminal. Lines fit `width`, except commands to copy and words that are longer. */

const BAR = 24;
const SHORT_BAR = 8;
/** Rows that were not done and are named in a report. `batch show` has all of them. */
const NAMED = 20;
/** Different next steps in a report. */
const STEPS = 3;

/** The state of a batch, and below it its title and id. */
export function headText(view: BatchView, width: number): string {
  const { title, state } = batchCard(view, 'terminal');
  return [state, `${title} (${view.id})`, ...changedLines(view)].map((line) => prose(clean(line), width, 2)).join('\n');
}

/** The changes of the rows of a batch that needed no confirmation. */
function changedLines({ id, changed }: BatchView): string[] {
  if (changed === undefined) return [];
  const { changes, more } = changeLines(changed, NAMED);
  const rest = more > 0 ? [`… ${more} more: switchboard batch show ${id}`] : [];
  return ['Changed:', ...changes.map((line) => `${line.of}, ${line.what}: ${changeText(line)}`), ...rest];
}

/**
 * The rows that were not done, each with its reason, and what to do about them. Empty if there are none.
 *
 * @param isPlanShown the rows that the plan left out, and their reasons, are on the screen already
 */
export function notDoneText(
  { id }: Pick<BatchView, 'id'>,
  rows: readonly BatchRow[],
  { width, isPlanShown }: { width: number; isPlanShown: boolean },
): string {
  const ended = rows.filter(
    ({ outcome, at }) =>
      outcome === 'failed' || outcome === 'unknown' || (outcome === 'left_out' && (!isPlanShown || at !== undefined)),
  );
  if (ended.length === 0) return '';
  const named = ended.slice(0, NAMED).map((row) => prose(`  ${rowLine(row)}`, width, 2));
  const more = ended.length - NAMED;
  const rest = more > 0 ? [`  … ${more} more: switchboard batch show ${id}`] : [];
  const steps = stepsOf(ended);
  const unknown = ended.filter(({ outcome }) => outcome === 'unknown').length;
  const rowsAre = unknown === 0 ? 'Not done' : unknown === ended.length ? 'Outcome unknown' : 'Not done or unknown';
  return [`${rowsAre}:`, ...named, ...rest, ...steps.map((step) => prose(clean(step), width))].join('\n');
}

/** The next steps for the rows. A step that is not for all of them names its rows. */
function stepsOf(rows: readonly BatchRow[]): string[] {
  const targets = new Map<string, string[]>();
  for (const row of rows) {
    const step = plainText(row.failure?.next ?? '');
    if (step !== '') targets.set(step, [...(targets.get(step) ?? []), nameOf(row)]);
  }
  return [...targets].slice(0, STEPS).map(([step, [first = '', ...others]]) => {
    if (others.length + 1 === rows.length) return step;
    return `For ${first}${others.length === 0 ? '' : ` and ${others.length} more`}: ${step}`;
  });
}

/** The target of a row, and its line in the list if the row was left out of the plan. */
function nameOf({ target, line, outcome, at }: BatchRow): string {
  if (target === '') return `Line ${line}`;
  return outcome === 'left_out' && at === undefined ? `${target} (line ${line})` : target;
}

function rowLine({ outcome, ...row }: BatchRow): string {
  const reason = clean(reasonOf(row)) || 'no reason was given';
  const what = outcome === 'left_out' ? ', left out' : outcome === 'unknown' ? ', outcome unknown' : '';
  return `${nameOf({ outcome, ...row })}${what}: ${reason}`;
}

/** The commands that go on with a batch, one line each. */
export function nextCommands(view: BatchView, rows: readonly BatchRow[], { hasCsv }: { hasCsv: boolean }): string[] {
  const { id, state } = view;
  const command = (verb: string) => `switchboard batch ${verb} ${id}`;
  if (state === 'waiting') return [`An approver must confirm it. See how it goes: ${command('show')}`];
  const unknown = rows.flatMap(({ outcome, action }) =>
    outcome === 'unknown' && action !== undefined ? [action] : [],
  );
  const checks = unknown
    .slice(0, STEPS)
    .map((action) => `Check it with: switchboard call confirmations_get id=${action}`);
  const offered = batchActions(view).filter(({ id: act }) => act !== 'results' || !(state === 'running' || hasCsv));
  return [...checks, ...offered.flatMap(({ id: act }) => COMMANDS[act]?.(command) ?? [])];
}

/** The actions on a batch, as commands. */
const COMMANDS: Partial<Record<ActionId, (command: (verb: string) => string) => string>> = {
  stop: (command) => `Stop it with: ${command('stop')}`,
  rest: (command) => `Ask for the rest: ${command('rest')}`,
  results: (command) => `All rows as CSV: ${command('show')} --csv FILE`,
};

/** The rows as a table, or on a narrow terminal one below another. */
export function rowsText(view: Pick<BatchView, 'changed'>, rows: readonly BatchRow[], width: number): string {
  const { columns, rows: cells, brief } = rowsPart(view, rows);
  if (width < NARROW) return brief.map((text) => prose(clean(text), width, 3)).join('\n');
  return table(
    columns,
    cells.map((row) => row.map(clean)),
    width,
  );
}

/** The progress of a batch as a bar with its counts. */
export function barText(view: BatchView, width: number): string {
  const progress = progressOf(view);
  const bar = width < NARROW ? SHORT_BAR : BAR;
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
