import type { BatchView, RowsPage } from '../../../batches/batches.ts';
import type { BatchRow } from '../../../batches/states.ts';
import { hasEnded } from '../../../batches/states.ts';
import { reasonOf } from '../../../batches/tables.ts';
import { decidersOf } from '../../../cards/outcome.ts';
import { batchedBy, targetFields } from '../../../catalogue/batch-rule.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { batchText, countsText, outcomeText } from '../../../language/batch-words.ts';
import { type Fields, recordOf, textOf } from '../../../lib/json.ts';
import { plainText } from '../../../lib/words.ts';
import type { StateOf } from '../flow-state.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../types.ts';
import { inputBlock, inputOf, MAX_OPTIONS, MAX_TEXT, textArea } from './form-fields.ts';
import { inputsOf } from './form-shape.ts';
import { mrkdwnOf, requesterText } from './render.ts';
import {
  actions,
  type Block,
  button,
  cut,
  type Element,
  escaped,
  flowView,
  header,
  label,
  type Message,
  plain,
  preformatted,
  rich,
  say,
  small,
} from './text.ts';

/* Batches in Slack: the form, the card of a run, the window with all rows, and the list. */

/** The blocks of the form that hold the list. */
export const LIST_BLOCK = 'batch_list';
export const FILE_BLOCK = 'batch_file';
const PREFIX = 'batch_';

/** Slack accepts 100 blocks in a view; the list, the file and the introduction come first. */
const MAX_SHARED = 90;
const MAX_PIECE = 2_800;
const MAX_LISTED = 10;
const BAR = 20;

/** The fields that all rows of a batch share. They carry no secrets, because a batch is stored. */
export function sharedFields(tool: Tool): Field[] {
  const rule = batchedBy(tool);
  const own = rule === undefined ? [] : targetFields(rule);
  return (
    fieldsOf(tool)
      .filter(({ name, secret }) => !secret && !own.includes(name))
      // Without a list in the input, a column of the list can have the field too.
      .map((field) => ({ ...field, required: field.required && rule?.list !== undefined }))
  );
}

/** A window that asks which operation to run over a list. */
export function batchChoice(tools: readonly Tool[], state: StateOf<'batch'>): Element {
  const options = tools
    .slice(0, MAX_OPTIONS)
    .map((tool) => ({ text: plain(tool.title, 75), value: tool.id }))
    .sort((a, b) => textOf(a.text.text).localeCompare(textOf(b.text.text)));
  const menu = { type: 'static_select', action_id: IDS.batchChosen, placeholder: plain('What to do', 150), options };
  return flowView(state, { title: 'New batch', close: 'Cancel' }, [
    say('Choose what to do. The next step asks for the list.'),
    actions('batch_choice', menu),
  ]);
}

/** The form of a batch: lines or a CSV file, and the fields that all rows share. */
export function batchForm(
  tool: Tool,
  values: { shared: Fields; list: string },
  { channel, reworded }: { channel: string | undefined; reworded: Reworder },
): Element {
  const inputs = inputsOf(sharedFields(tool)).slice(0, MAX_SHARED);
  const yes = tool.risk === 'read' ? '' : ' Nothing is sent before a person confirms the whole list.';
  const file = { type: 'file_input', action_id: IDS.value, filetypes: ['csv', 'txt'], max_files: 1 };
  const list = textArea(cut(values.list, MAX_TEXT));
  return flowView({ flow: 'batch', operation: tool.id, channel }, { title: 'New batch', submit: 'Read the list' }, [
    say(rich.bold(plainText(reworded(tool.title))), `\n1 to 500 rows. Each row is read first.${yes}`),
    inputOf(
      LIST_BLOCK,
      'List',
      { ...list, max_length: MAX_TEXT },
      {
        hint: `${rowHint(tool)} Or lines with commas whose first line names the columns.`,
        optional: true,
      },
    ),
    inputOf(FILE_BLOCK, 'Or a CSV file', file, { optional: true }),
    ...(inputs.length === 0 ? [] : [say(rich.bold('The same for all rows'))]),
    ...inputs.map((input) => {
      const value = values.shared[input.path];
      return { ...inputBlock(input, value, { tool, reworded }), block_id: sharedBlock(input.path) };
    }),
  ]);
}

/** The block of a shared field. */
export function sharedBlock(path: string): string {
  return `${PREFIX}${path}`;
}

/** The path of the field in a block of `sharedBlock`. */
export function sharedPath(block: string): string {
  return block.startsWith(PREFIX) ? block.slice(PREFIX.length) : block;
}

/** The state of the shared fields by their own names. */
export function sharedState(values: Fields): Fields {
  const shared = Object.entries(values).filter(([block]) => ![LIST_BLOCK, FILE_BLOCK].includes(block));
  return Object.fromEntries(shared.map(([block, value]) => [sharedPath(block), value]));
}

/** "One per line: Number, for example +12015550101. Columns: Number, SIM serial (ICCID)." */
function rowHint(tool: Tool): string {
  const rule = batchedBy(tool);
  const list = rule?.list === undefined ? undefined : fieldsOf(tool).find(({ name }) => name === rule.list);
  const row = (list?.fields ?? fieldsOf(tool)).find(({ name }) => name === rule?.row);
  const example = row?.example === undefined ? '' : `, for example ${row.example}`;
  const names = (list?.fields ?? []).filter(({ secret }) => !secret).map(({ label: name }) => name);
  const columns = names.length > 1 ? ` Columns: ${names.join(', ')}.` : '';
  return `One per line${row === undefined ? '' : `: ${row.label}`}${example}.${columns}`;
}

const MARKS: Readonly<Record<BatchView['state'], string>> = {
  planning: '⏳',
  waiting: '🔐',
  running: '⏳',
  paused: '⏸️',
  done: '✅',
  partly: '⚠️',
  failed: '❌',
  stopped: '⏹️',
  declined: '🚫',
  expired: '⌛',
};

/** The end or the pause of a batch as a message, with its results. `asker` is mentioned. */
export function batchNews(view: BatchView, asker: string | undefined): Message {
  const text = `${view.title}. ${batchText(view, 'slack')}`;
  return {
    text: escaped(text),
    blocks: [
      say(...(asker === undefined ? [] : [rich.user(asker), ' ']), text),
      actions(`news:${view.id}`, ...buttonsOf(view)),
    ],
  };
}

/** The card of a batch: its state in words, a bar, and the buttons that fit its state. */
export function batchCard(view: BatchView): Message {
  const { id, state, title } = view;
  const decider = view.decider && mrkdwnOf(decidersOf(view.decider));
  const who = [`Asked by ${requesterText(view.requester)}`, ...(decider ? [`confirmed by ${decider}`] : [])];
  return {
    text: cut(escaped(`${MARKS[state]} ${title}: ${batchText(view, 'slack')}`), 3000),
    blocks: [
      header(`${MARKS[state]} ${title}`),
      ...(['running', 'paused'].includes(state) ? [say(rich.code(barOf(view)))] : []),
      say(batchText(view, 'slack')),
      small(`${who.join(' · ')} · \`${id}\``),
      actions(`batch:${id}`, ...buttonsOf(view)),
    ],
  };
}

function barOf({ counts, total }: BatchView): string {
  const planned = Math.max(1, total - counts.left_out);
  const ended = counts.done + counts.failed + counts.unknown;
  const full = Math.round((ended / planned) * BAR);
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${ended} of ${planned}`;
}

function buttonsOf({ id, state, notDone }: BatchView): Element[] {
  const open = state === 'running' || state === 'paused';
  return [
    ...(state === 'running' ? [pauseButton(id)] : []),
    ...(state === 'paused' ? [button(IDS.batchResume, 'Resume', id)] : []),
    ...(open ? [stopButton(id)] : []),
    button(IDS.batchRows, 'All rows', `${id}|1`),
    button(IDS.batchResults, 'Results', id),
    ...(hasEnded(state) && notDone > 0
      ? [
          button(
            IDS.batchAgain,
            notDone === 1 ? 'Ask again for the one not done' : `Ask again for the ${notDone} not done`,
            id,
          ),
        ]
      : []),
  ];
}

/** The window with a page of the rows of a batch. */
export function rowsView(view: BatchView, { rows, page, pages, differs }: RowsPage, reworded: Reworder): Element {
  const turn = [
    ...(page > 1 ? [button(`${IDS.batchRows}_0`, 'Previous', `${view.id}|${page - 1}`)] : []),
    ...(page < pages ? [button(`${IDS.batchRows}_1`, 'Next', `${view.id}|${page + 1}`)] : []),
  ];
  const texts = rows.map((row) => {
    const reason = plainText(reworded(reasonOf(row)));
    const effects = differs.flatMap((name) => row.effects[name] ?? []).map((effect) => `\n   ${effect}`);
    const line = `${row.n}  ${row.target || '–'}  ${outcomeText(row)}${reason === '' ? '' : `: ${reason}`}`;
    return cut(`${line}${effects.join('')}`, 500);
  });
  return {
    type: 'modal',
    title: label('All rows', 24),
    close: label('Close', 24),
    blocks: [
      say(rich.bold(view.title), '\n', batchText(view, 'slack')),
      ...inPieces(texts).map(preformatted),
      ...(turn.length === 0 ? [] : [small(`Page ${page} of ${pages}`), actions(`rows:${view.id}`, ...turn)]),
    ],
  };
}

/** Lines in as few texts as Slack's limit of a block allows. */
function inPieces(texts: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const text of texts) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + text.length < MAX_PIECE) pieces[pieces.length - 1] = `${last}\n${text}`;
    else pieces.push(text);
  }
  return pieces;
}

/** The answer to `/batch`: the newest batches, and a button for a new one. */
export function batchList(views: readonly BatchView[], command: string): Message {
  const blocks: Block[] = [
    say(rich.bold(views.length === 0 ? 'You have no batches.' : 'Your batches')),
    ...views.slice(0, MAX_LISTED).map((view, i) => ({
      type: 'section',
      text: plain(`${MARKS[view.state]} ${view.title} · ${countsText(view)}`, 300),
      accessory: button(`${IDS.batchShow}_${i}`, 'Show', view.id),
    })),
    small(`For example \`${command} numbers status\`, or choose what to do:`),
    actions('batch:new', button(IDS.batchNew, 'New batch', '-')),
  ];
  return { text: 'Your batches', blocks };
}

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
export function leaveView({ id, title }: BatchView, rows: readonly BatchRow[], channel: string | undefined): Element {
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
