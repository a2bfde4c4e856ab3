import { guides } from '../../../../tools/surfaces/tasks.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Hit } from '../../../language/records.ts';
import type { Actor } from '../../../lib/actor.ts';
import { defined, type Fields } from '../../../lib/values.ts';
import { sharedPath } from '../blocks/batch.ts';
import { aboutRecord, type FormState, type Frame, submitLabel } from '../blocks/form.ts';
import { pathOf, readForm, rowCount, rowFields, withoutSecrets } from '../blocks/form-values.ts';
import type { Element } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS, type Origin, type Press, type SentView, type ViewOf } from '../types.ts';
import { drawForm, findTool, showView } from './engine.ts';
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
export async function changeForm(
  slack: SlackContext,
  view: ViewOf<'form' | 'guide'>,
  { actionId, value, origin }: Press,
): Promise<void> {
  const { state } = view;
  const tool = findTool(slack, state.operation);
  if (!tool) return;
  const fields = fieldsOf(tool);
  const entered = withoutSecrets(fields, readForm(fields, view.values));
  const { openViews } = slack.memory;
  const values = { ...openViews.remember(view.id, entered), ...cleared(view.values, entered) };
  const counts: Record<string, number> = { ...state.rows };
  const rows = [MORE, LESS].includes(actionId) ? rowFields(fields).find(({ name }) => name === value) : undefined;
  if (rows) {
    const count = rowCount(rows, values[rows.name], counts) + (actionId === MORE ? 1 : -1);
    counts[rows.name] = Math.max(rows.required ? 1 : 0, count);
  }
  const start = actionId === IDS.pick ? await currentOf(slack, tool, entered, origin) : undefined;
  if (actionId === IDS.pick && !start) return;
  const started = start && startState(tool, start, entered);
  const labelOf = (id: string) => slack.directory.nameOf(id);
  const { CONFIRM_OWN: asksOwn } = slack.config;
  const next = drawForm(slack, {
    tool,
    values: { ...start, ...defined(values) },
    state: {
      ...state,
      rows: counts,
      ...started,
    },
    frame: {
      ...textsOf(tool, { ...state, ...started }, asksOwn),
      above: started
        ? aboutRecord(tool, { ...state, ...started }, { reworded: slack.reworded, labelOf, asksOwn })
        : // The introduction, or a message that the form answers.
          view.blocks.slice(
            0,
            Math.max(
              0,
              view.blocks.findIndex(({ type }) => type === 'input'),
            ),
          ),
      ...defined({ mark: started ? RECORD_MARK : markOf(view) }),
    },
  });
  await openViews.update(view.id, openViews.nextTurn(view.id), () => showView(slack, view.id, next));
}

/** Slack keeps the empty fields of the form before, so the fields with the values of a record get other names. */
const RECORD_MARK = 'record';

function markOf({ values }: SentView): string | undefined {
  return Object.keys(values)
    .map((block) => block.split('~')[1])
    .find((mark) => mark !== undefined);
}

/** The title and the button of a form, which a guide names for its own. */
function textsOf(tool: Tool, state: FormState, asksOwn: boolean): Pick<Frame, 'title' | 'submit'> {
  const guide = state.flow === 'guide' ? guides.find(({ name }) => name === state.guide) : undefined;
  const form = state.flow === 'guide' ? guide?.steps.find(({ name }) => name === state.step)?.form : undefined;
  if (guide && form) return { title: guide.title, submit: form.submit ?? 'Ask for approval' };
  return {
    title: tool.title,
    submit: submitLabel(tool, state, asksOwn),
  };
}

/** The values of the record that was chosen. */
async function currentOf(slack: SlackContext, tool: Tool, input: Fields, origin: Origin): Promise<Fields | undefined> {
  const member = await slack.roles.membership(origin);
  const start = 'refused' in member ? undefined : await readStart(slack, tool, input, member.actor);
  return start === 'missing' ? undefined : start;
}

/** Fields that the form shows and that are empty now. They override earlier values. */
function cleared(state: Fields, entered: Fields): Fields {
  const names = Object.keys(state).map((block) => pathOf(block).split('.')[0] ?? '');
  return Object.fromEntries(names.filter((name) => !(name in entered)).map((name) => [name, undefined]));
}

/** Offers options while a person types: records that were seen before, and those that a search finds. */
export async function suggest(
  slack: SlackContext,
  { state, values }: SentView,
  { blockId, typed, origin }: { blockId: string; typed: string; origin: Origin },
): Promise<Element[]> {
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
  const input = { ...carried, ...readForm(fieldsOf(tool), values) };
  return slack.directory.offer(field, typed, await hitsWithin(slack, { field, typed, input }, actor));
}

/** Searches the text typed. Undefined if the platform does not answer in time. */
async function hitsWithin(
  slack: SlackContext,
  { field, typed, input }: { field: Field; typed: string; input: Fields },
  actor: Actor,
): Promise<readonly Hit[] | undefined> {
  const options = { isTyping: true, input };
  const searching = slack.records.search(field, typed.trim(), actor, options).catch((error: unknown) => {
    slack.log('info', { error: String(error) }, 'failed to search while a person typed');
    return undefined;
  });
  return (await slack.web.inTime(searching))?.hits;
}

function fieldAt(fields: readonly Field[], path: readonly string[]): Field | undefined {
  const [name, ...rest] = path;
  const field = fields.find((candidate) => candidate.name === name);
  // A row's path has its number: "PackageItems.0.ProductId".
  const inside = field?.kind === 'rows' ? rest.slice(1) : rest;
  return inside.length === 0 || !field ? field : fieldAt(field.fields ?? [], inside);
}
