import { shortForms } from '../../../../tools/surfaces/forms.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Fields } from '../../../lib/json.ts';
import { formView, submitLabel } from '../blocks/form.ts';
import { type RowCounts, rowCount, rowFields } from '../blocks/form-shape.ts';
import { pathOf, readForm, withoutSecrets } from '../blocks/form-values.ts';
import type { SlackContext } from '../context.ts';
import type { SentView } from '../types.ts';
import { toolIn } from './forms.ts';

/** A change that a person made in an open form. */
export interface FormChange {
  view: SentView;
  /** A choice that other fields depend on, a button under rows, or the one that adds fields to a short form. */
  kind: 'choice' | 'more' | 'less' | 'fields';
  /** The field's name. */
  field: string;
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
  const next = formView({
    tool,
    values,
    meta: { ...kept, ...rowsMeta(counts), ...(kind === 'fields' ? { s: 'more' } : {}) },
    reworded: slack.reworded,
    labelOf: (value) => slack.directory.nameOf(value),
    frame: {
      title: (meta.s && shortForms[tool.id]?.title) ?? tool.title,
      submit: submitLabel(tool),
      above: aboveIn(view),
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
