import { guides } from '../../../../tools/surfaces/flows.ts';
import { shortForms } from '../../../../tools/surfaces/forms.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { aboutRecord, type Frame, formView, submitLabel } from '../blocks/form.ts';
import { type RowCounts, rowCount, rowFields } from '../blocks/form-shape.ts';
import { pathOf, readForm, withoutSecrets } from '../blocks/form-values.ts';
import { type GuideMeta, guideMeta } from '../blocks/guide.ts';
import type { SlackContext } from '../context.ts';
import type { Origin, SentView } from '../types.ts';
import { readCurrent } from './current.ts';
import { startMeta, toolIn } from './forms.ts';

/** A change that a person made in an open form. */
export interface FormChange {
  view: SentView;
  /**
   * A choice that other fields depend on, a button under rows, the one that adds fields to a short form, or the record
   * whose values the form then shows.
   */
  kind: 'choice' | 'more' | 'less' | 'fields' | 'record';
  /** The field's name. */
  field: string;
  origin: Origin;
}

/**
 * Redraws an open form after a choice that makes fields needless or needed, after "Add another", and when a short form
 * shows its further fields. Slack keeps the entered text, because the names of the inputs stay. The values of a field
 * that disappears return with it, except secrets.
 */
export async function onFormChange(slack: SlackContext, change: FormChange): Promise<void> {
  const { view, kind, field } = change;
  const { tool, meta } = toolIn(slack, view);
  if (!tool) return;
  const fields = fieldsOf(tool);
  const entered = withoutSecrets(fields, readForm(fields, view.values));
  const { openForms } = slack.memory;
  const values = { ...openForms.remember(view.id, entered), ...cleared(view.values, entered) };
  const counts: Record<string, number> = { ...meta.r };
  const changed = rowFields(fields).find(({ name }) => name === pathOf(field));
  if (changed && (kind === 'more' || kind === 'less')) {
    const count = rowCount(changed, values[changed.name], counts);
    counts[changed.name] = Math.max(changed.required ? 1 : 0, kind === 'more' ? count + 1 : count - 1);
  }
  const { w: _, ...kept } = meta;
  const start = kind === 'record' ? await currentOf(slack, tool, entered, change.origin) : undefined;
  if (kind === 'record' && !start) return;
  const labelOf = (value: string) => slack.directory.nameOf(value);
  const guide = guideMeta(view.metadata);
  const next = formView({
    tool,
    values: { ...start, ...defined(values) },
    meta: {
      ...kept,
      ...guide,
      ...rowsMeta(counts),
      ...(kind === 'fields' ? { s: 'more' } : {}),
      ...(start ? startMeta(tool, start, entered) : {}),
    },
    reworded: slack.reworded,
    labelOf,
    frame: {
      ...((guide ? guideTexts(guide) : undefined) ?? {
        title: (meta.s && shortForms[tool.id]?.title) ?? tool.title,
        submit: submitLabel(tool),
      }),
      above: start
        ? aboutRecord(tool, startMeta(tool, start, entered).v ?? {}, { reworded: slack.reworded, labelOf })
        : aboveIn(view),
      ...defined({ mark: start ? RECORD_MARK : markOf(view) }),
    },
  });
  await openForms.update(view.id, async () => {
    try {
      await slack.web.updateView(view.id, next);
    } catch (error) {
      slack.log('warn', { operation: tool.id, error: String(error) }, 'failed to redraw a form');
    }
  });
}

/** Slack keeps the empty fields of the form before, so the fields with the values of a record get other names. */
const RECORD_MARK = 'record';

function markOf({ values }: SentView): string | undefined {
  return Object.keys(values)
    .map((block) => block.split('~')[1])
    .find((mark) => mark !== undefined);
}

/** The title and the button of a guide's form. */
function guideTexts({ g, p }: GuideMeta): Pick<Frame, 'title' | 'submit'> | undefined {
  const guide = guides.find(({ name }) => name === g);
  const form = guide?.steps.find(({ name }) => name === p)?.form;
  return guide && form && { title: guide.title, submit: form.submit };
}

/** The values of the record that was chosen. */
async function currentOf(slack: SlackContext, tool: Tool, input: Fields, origin: Origin): Promise<Fields | undefined> {
  const member = await slack.roles.membership(origin);
  return 'refused' in member ? undefined : readCurrent(slack, { tool, input, actor: member.actor });
}

/** The blocks above the first input: the introduction, or a message that the form answers. */
function aboveIn({ blocks }: SentView): readonly Fields[] {
  const first = blocks.findIndex(({ type }) => type === 'input');
  return first < 0 ? [] : blocks.slice(0, first);
}

/** Fields that the form shows and that are empty now. They override earlier values. */
function cleared(state: Fields, entered: Fields): Fields {
  const names = Object.keys(state).map((block) => pathOf(block).split('.')[0] ?? '');
  return Object.fromEntries(names.filter((name) => !(name in entered)).map((name) => [name, undefined]));
}

function rowsMeta(counts: RowCounts): { r?: RowCounts } {
  return Object.keys(counts).length === 0 ? {} : { r: counts };
}
