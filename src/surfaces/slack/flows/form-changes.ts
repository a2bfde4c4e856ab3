import { guides } from '../../../../tools/surfaces/tasks.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { defined, type Fields } from '../../../lib/values.ts';
import { sharedPath } from '../blocks/batch.ts';
import { type FormState, type Frame, submitLabel } from '../blocks/form.ts';
import { pathOf, readForm, rowCount, rowFields, withoutSecrets } from '../blocks/form-values.ts';
import type { Element } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS, type Origin, type Press, type SentView, type ViewOf } from '../types.ts';
import { aboutRecord, drawForm, findTool, inTime, showView } from './engine.ts';
import { startState } from './forms.ts';
import { readStart } from './run.ts';

/** The buttons under the rows of a form. */
const MORE = `${IDS.row}_more`;
const LESS = `${IDS.row}_less`;

/**
 * Redraws an open form after a choice that makes fields needless or needed, after the choice of the record whose values
 * it then shows, after "Add another", and when a short form shows its further fields. Slack keeps the entered text,
 * because the names of the inputs stay. The values of a field that disappears return with it, except secrets.
 */
export async function changeForm(slack: SlackContext, view: ViewOf<'form' | 'guide'>, press: Press): Promise<void> {
  const { actionId, value, origin } = press;
  const { state } = view;
  const tool = findTool(slack, state.operation);
  if (!tool) return;
  const fields = fieldsOf(tool);
  const entered = withoutSecrets(fields, readForm(fields, view.values));
  const { openViews } = slack.memory;
  // Fields that the form shows and that are empty now override earlier values.
  const names = Object.keys(view.values).map((block) => pathOf(block).split('.')[0] ?? '');
  const cleared = Object.fromEntries(names.filter((name) => !(name in entered)).map((name) => [name, undefined]));
  const values = { ...openViews.remember(view.id, entered), ...cleared };
  const counts: Record<string, number> = { ...state.rows };
  const rows = [MORE, LESS].includes(actionId) ? rowFields(fields).find(({ name }) => name === value) : undefined;
  if (rows) {
    const count = rowCount(rows, values[rows.name], counts) + (actionId === MORE ? 1 : -1);
    counts[rows.name] = Math.max(rows.required ? 1 : 0, count);
  }
  let start: Fields | undefined;
  if (actionId === IDS.pick) {
    // The values of the record that was chosen.
    const member = await slack.roles.membership(origin);
    const read = 'refused' in member ? undefined : await readStart(slack, tool, entered, member.actor);
    if (read === undefined || read === 'missing') return;
    start = read;
  }
  const shown = { ...state, rows: counts, ...(start && startState(tool, start, entered)) };
  const marks = Object.keys(view.values).flatMap((block) => block.split('~')[1] ?? []);
  const firstInput = view.blocks.findIndex(({ type }) => type === 'input');
  const next = drawForm(slack, {
    tool,
    values: { ...start, ...defined(values) },
    state: shown,
    frame: {
      ...textsOf(tool, shown, slack.config.CONFIRM_OWN),
      // The introduction, or a message that the form answers.
      above: start ? aboutRecord(slack, tool, shown) : view.blocks.slice(0, Math.max(0, firstInput)),
      ...defined({ mark: start ? RECORD_MARK : marks[0] }),
    },
  });
  await openViews.update(view.id, openViews.nextTurn(view.id), () => showView(slack, view.id, next));
}

/** Slack keeps the empty fields of the form before, so the fields with the values of a record get other names. */
const RECORD_MARK = 'record';

/** The title and the button of a form, which a guide names for its own. */
function textsOf(tool: Tool, state: FormState, asksOwn: boolean): Pick<Frame, 'title' | 'submit'> {
  const guide = state.flow === 'guide' ? guides.find(({ name }) => name === state.guide) : undefined;
  const form = state.flow === 'guide' ? guide?.steps.find(({ name }) => name === state.step)?.form : undefined;
  if (guide && form) return { title: guide.title, submit: form.submit ?? 'Ask for approval' };
  return { title: tool.title, submit: submitLabel(tool, state, asksOwn) };
}

/** What a person types in a field. */
interface Typing {
  blockId: string;
  typed: string;
  origin: Origin;
}

/** Offers options while a person types: records that were seen before, and those that a search finds. */
export async function suggest(slack: SlackContext, view: SentView, asked: Typing): Promise<Element[]> {
  const { state, values } = view;
  const { blockId, typed, origin } = asked;
  if (state === undefined || !('operation' in state)) return [];
  const isBatch = state.flow === 'batch';
  const tool = isBatch ? slack.tools.find(({ id }) => id === state.operation) : findTool(slack, state.operation);
  const path = pathOf(isBatch ? sharedPath(blockId) : blockId);
  const field = tool && fieldAt(fieldsOf(tool), path.split('.'));
  if (!field) return [];
  const actor = await slack.roles.timelyActor(origin);
  // Without a role, a person sees only a number or id that they typed. The refusal follows when they submit.
  if (!actor) return slack.directory.offerTyped(field, typed);
  const carried = 'carried' in state ? state.carried : undefined;
  const options = { isTyping: true, input: { ...carried, ...readForm(fieldsOf(tool), values) } };
  const found = await inTime(slack, field.name, slack.records.search(field, typed.trim(), actor, options));
  return slack.directory.offer(field, typed, found?.hits);
}

function fieldAt(fields: readonly Field[], path: readonly string[]): Field | undefined {
  const [name, ...rest] = path;
  const field = fields.find((candidate) => candidate.name === name);
  // A row's path has its number: "PackageItems.0.ProductId".
  const inside = field?.kind === 'rows' ? rest.slice(1) : rest;
  return inside.length === 0 || !field ? field : fieldAt(field.fields ?? [], inside);
}
