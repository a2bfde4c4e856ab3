import type { BatchView } from '../../../batches/batches.ts';
import type { RowOutcome } from '../../../batches/outcomes.ts';
import { type Fields, recordOf } from '../../../lib/json.ts';
import { IDS } from '../ids.ts';
import { inputOf } from './form-fields.ts';
import { actions, type Block, button, type Element, plain, rich, say } from './text.ts';
import { flowView } from './view.ts';

/* The buttons of a batch on cards, and the window that leaves rows out of one that waits for its yes. */

/** The block of the window that holds the chosen rows. */
export const LEAVE_BLOCK = 'batch_leave';
/** Slack accepts 100 options in a group. */
const GROUP = 100;

/** The buttons below the question about a batch. */
export function questionButtons(batch: string): Block {
  return actions(
    `rows:${batch}`,
    button(IDS.batchRows, 'All rows', `${batch}|1`),
    button(IDS.batchLeave, 'Leave rows out', batch),
    button(IDS.batchResults, 'Plan as CSV', batch),
  );
}

/** The buttons of a batch that was just confirmed. The card of the run, which comes seconds later, has them too. */
export function startedButtons(batch: string): Block {
  return actions(
    `batch:${batch}`,
    pauseButton(batch),
    stopButton(batch),
    button(IDS.batchRows, 'All rows', `${batch}|1`),
  );
}

export function pauseButton(batch: string): Element {
  return button(IDS.batchPause, 'Pause', batch);
}

export function stopButton(batch: string): Element {
  const confirm = { title: 'Stop this batch?', text: 'Rows that were not sent stay as they are.', yes: 'Stop' };
  return button(IDS.batchStop, 'Stop', batch, { confirm });
}

/** The window that asks which rows to leave out. */
export function leaveView({ id, title }: BatchView, rows: readonly RowOutcome[], channel: string | undefined): Element {
  const ready = rows.filter(({ outcome }) => outcome === 'waiting');
  const options = ready.map(({ n, target }) => ({ text: plain(`${n}  ${target}`, 75), value: String(n) }));
  const groups = Array.from({ length: Math.ceil(options.length / GROUP) }, (_, at) => {
    const some = options.slice(at * GROUP, (at + 1) * GROUP);
    const ends = [some[0], some.at(-1)].map((option) => option?.value);
    return { label: plain(`Rows ${ends.join(' to ')}`, 75), options: some };
  });
  const frame = { title: 'Leave rows out', submit: 'Ask for the others' };
  return flowView({ flow: 'leave_out', batch: id, channel }, frame, [
    say(rich.bold(title), '\nThis question is withdrawn, and a new one asks about the other rows.'),
    inputOf(LEAVE_BLOCK, 'Rows to leave out', {
      type: 'multi_static_select',
      action_id: IDS.value,
      placeholder: plain('Choose rows', 150),
      ...(groups.length > 1 ? { option_groups: groups } : { options }),
    }),
  ]);
}

/** The numbers of the chosen rows. `values`: `state.values` of the window. */
export function rowsChosen(values: Fields): number[] {
  const { selected_options: chosen } = recordOf(recordOf(values[LEAVE_BLOCK])[IDS.value]);
  return (Array.isArray(chosen) ? chosen : []).map((option) => Number(recordOf(option).value));
}
