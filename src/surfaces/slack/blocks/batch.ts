import { programFields } from '../../../../tools/surfaces/forms.ts';
import type { BatchView } from '../../../batches/batches.ts';
import type { BatchRow } from '../../../batches/states.ts';
import { batchCard, rowsPart } from '../../../cards/batch.ts';
import { headlineOf, notePart, type Part } from '../../../cards/card.ts';
import { batchedBy, targetFields } from '../../../catalogue/change.ts';
import { fieldsOf } from '../../../catalogue/input.ts';
import { type Field, isChange, type Tool } from '../../../catalogue/operation.ts';
import { countsText, type RowsPage } from '../../../language/batch-words.ts';
import { type Fields, isRecord, plainText, scalarText, textOf } from '../../../lib/values.ts';
import { IDS, type Reworder, type StateOf } from '../types.ts';
import { buttonsOf, draw, drawWhole } from './fitting.ts';
import { inputBlock, inputOf, inputsOf, MAX_OPTIONS, MAX_TEXT, textArea, valueWords, withoutSecrets } from './form.ts';
import * as ui from './text.ts';

/* Batches in Slack: the form, the card of a run, the window with all rows, and the list. */

/** The blocks of the form that hold the list. */
export const LIST_BLOCK = 'batch_list';
export const FILE_BLOCK = 'batch_file';

/** Slack accepts 100 blocks in a view; the list, the file and the introduction come first. */
const MAX_SHARED = 90;

/** The fields that all rows of a batch share. They carry no secrets, because a batch is stored. */
export function sharedFields(tool: Tool): Field[] {
  const rule = batchedBy(tool);
  const own = rule === undefined ? [] : targetFields(rule);
  return (
    fieldsOf(tool)
      .filter(({ name, secret }) => !secret && !own.includes(name) && !programFields[tool.id]?.includes(name))
      // Without a list in the input, a column of the list can have the field too.
      .map((field) => ({ ...field, required: field.required && rule?.list !== undefined }))
  );
}

/** A window that asks which operation to run over a list. */
export function batchChoice(tools: readonly Tool[], state: StateOf<'batch'>): Fields {
  const options = [...tools]
    .sort((a, b) => a.title.localeCompare(b.title))
    .slice(0, MAX_OPTIONS)
    .map(({ id, title }) => ui.option(id, title));
  const menu = { type: 'static_select', action_id: IDS.batchChosen, placeholder: ui.plain('What to do', 150), options };
  const listed = state.list?.split('\n').length ?? 0;
  const counted = listed === 1 ? 'this number' : `these ${listed} numbers`;
  return ui.flowView(state, { title: 'New batch' }, [
    ui.say(listed > 0 ? `Choose what to do with ${counted}.` : 'Choose what to do. The next step asks for the list.'),
    ...ui.buttonRow('batch_choice', menu),
  ]);
}

/** The values that the form of a batch starts from. */
export interface BatchValues {
  list: string;
  shared?: Fields;
  /** The planned batch that the new list takes the place of. */
  edits?: string;
}

/** The form of a batch: lines or a CSV file, and the fields that all rows share. */
export function batchForm(tool: Tool, values: BatchValues, channel: string | undefined, reworded: Reworder): Fields {
  const { shared: all = {} } = values;
  const given = withoutSecrets(sharedFields(tool), all);
  const carried = fieldsOf(tool).filter(
    ({ name }) => all[name] === null || (name in all && programFields[tool.id]?.includes(name)),
  );
  const also = carried.map(({ name, label }) => `${label}: ${valueWords(name, all[name])}`);
  const shared = inputsOf(sharedFields(tool))
    .slice(0, MAX_SHARED)
    .map((input) => inputBlock(input, given[input.path], { tool, reworded }));
  const yes = !isChange(tool) ? '' : ' Nothing is sent before a person confirms the whole list.';
  const file = { type: 'file_input', action_id: IDS.value, filetypes: ['csv', 'txt'], max_files: 1 };
  const list = { ...textArea(values.list), max_length: MAX_TEXT };
  const long = values.list.length > MAX_TEXT ? '\n⚠️ Its list is too long for this form. Choose it as a file.' : '';
  const hint = `${rowHint(tool)} Or lines with commas whose first line names the columns.`;
  return ui.flowView(
    {
      ...{ flow: 'batch', operation: tool.id, channel, edits: values.edits },
      carried: Object.fromEntries(carried.map(({ name }) => [name, all[name]])),
    },
    { title: 'New batch', submit: 'Read the list' },
    [
      ui.say(ui.bold(plainText(reworded(tool.title))), `\n2 to 500 rows. Each row is read first.${yes}${long}`),
      inputOf(LIST_BLOCK, 'List', list, { hint, optional: true }),
      inputOf(FILE_BLOCK, 'Or a CSV file', file, { optional: true }),
      ...(shared.length === 0 ? [] : [ui.say(ui.bold('The same for all rows'))]),
      ...shared,
      ...(also.length === 0 ? [] : [ui.small(ui.escaped(`Also for all rows: ${also.join(', ')}`))]),
    ],
  );
}

/** The list of a batch as text: its targets, or comma-separated values if its rows have more. */
export function listText(tool: Tool, rows: readonly BatchRow[]): string {
  const key = batchedBy(tool)?.row ?? '';
  const names = [...new Set([key, ...rows.flatMap(({ said }) => Object.keys(said))])];
  // Read again, each value is the same. A file for spreadsheets may change some.
  const cellOf = (value: unknown) => {
    const text = value === null || isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : scalarText(value);
    return /[",;\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map(({ said, target }) =>
    names.map((name) => cellOf(name === key ? target : said[name])).join(','),
  );
  return [...(names.length === 1 ? [] : [names.join(',')]), ...lines].join('\n');
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

/** One line that tells the end of a batch, whose card has the rest. `asker` is mentioned. */
export function batchNews(view: BatchView, asker: string | undefined): ui.Message {
  const card = batchCard(view, 'slack');
  const [state = ''] = card.state.split(/[:.]/);
  const text = headlineOf({ ...card, state });
  return ui.messageOf(text, [ui.say(...(asker === undefined ? [] : [ui.user(asker), ' ']), ...ui.sentence(text))]);
}

/** The card of a batch, with the buttons that fit its state. */
export function batchMessage(view: BatchView): ui.Message {
  const card = batchCard(view, 'slack');
  const head = [ui.header(`${card.mark} ${card.title}`), ui.say(...ui.sentence(card.state))];
  const buttons = ui.buttonRow(`batch:${view.id}`, ...buttonsOf(card.actions));
  return ui.messageOf(headlineOf(card), draw(card, { head, buttons }).blocks);
}

/** The window with a page of the rows of a batch. */
export function rowsView(view: BatchView, { rows, page, pages, differs }: RowsPage, reworded: Reworder): Fields {
  const turn = [
    ...(page > 1 ? [ui.button(`${IDS.rows}_0`, 'Previous', `${view.id}|${page - 1}`)] : []),
    ...(page < pages ? [ui.button(`${IDS.rows}_1`, 'Next', `${view.id}|${page + 1}`)] : []),
  ];
  const { title, state } = batchCard(view, 'slack');
  const table = rowsPart(view, rows, differs);
  const brief = table.brief.map((line) => ui.cut(plainText(reworded(line)), 500));
  // The window has the title of the table.
  const parts: Part[] = [...notePart([state]), { ...table, title: '', brief }];
  const { blocks } = drawWhole({ title, parts }, reworded);
  const place = turn.length === 0 ? [] : [ui.small(`Page ${page} of ${pages}`)];
  return ui.noticeView('All rows', ...blocks, ...place, ...ui.buttonRow(`rows:${view.id}`, ...turn));
}

/** The answer to `/batch`: the newest batches, and a button for a new one. */
export function batchList(views: readonly BatchView[], command: string): ui.Message {
  return ui.messageOf('Your batches', [
    ui.say(ui.bold(views.length === 0 ? 'You have no batches.' : 'Your batches')),
    ...views.slice(0, 10).map((view, i) => ({
      type: 'section',
      text: ui.plain(`${batchCard(view, 'slack').mark} ${view.title} · ${countsText(view)}`, 300),
      accessory: ui.button(`${IDS.batchShow}_${i}`, 'Show', view.id),
    })),
    ui.small(`For example \`${command} numbers status\`, or choose what to do:`),
    ...ui.buttonRow('batch:new', ui.button(IDS.batchNew, 'New batch', '-')),
  ]);
}

/** The block of the window that leaves rows out of a batch that waits for its yes. */
export const LEAVE_BLOCK = 'batch_leave';
/** Slack accepts 100 options in a group. */
const GROUP = 100;

/** The window that asks which rows to leave out. */
export function leaveView(view: BatchView, rows: readonly BatchRow[], channel: string | undefined): Fields {
  const { id, title } = view;
  const options = rows
    .filter(({ outcome }) => outcome === 'waiting')
    .map(({ n, target }) => ui.option(String(n), `${n}  ${target}`));
  const groups = Array.from({ length: Math.ceil(options.length / GROUP) }, (_, at) => {
    const some = options.slice(at * GROUP, (at + 1) * GROUP);
    return { label: ui.plain(`Rows ${textOf(some[0]?.value)} to ${textOf(some.at(-1)?.value)}`, 75), options: some };
  });
  return ui.flowView({ flow: 'leave_out', batch: id, channel }, { title: 'Leave rows out', submit: 'Leave them out' }, [
    ui.say(ui.bold(title), '\nA new question about the other rows takes the place of this one.'),
    inputOf(LEAVE_BLOCK, 'Rows to leave out', {
      type: 'multi_static_select',
      action_id: IDS.value,
      placeholder: ui.plain('Choose rows', 150),
      option_groups: groups,
    }),
  ]);
}
