import type { GuidedAnswer } from '../../../assistant/guided/answers/answer.ts';
import { batchedBy } from '../../../catalogue/batch-rule.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { isChange, type Tool } from '../../../catalogue/operation.ts';
import { choiceLabel, type Hit } from '../../../language/records.ts';
import { formatPhone } from '../../../language/show.ts';
import { isReference, nounOf } from '../../../language/typed-values.ts';
import type { Actor } from '../../../lib/actor.ts';
import { type Fields, isRecord, textOf } from '../../../lib/json.ts';
import {
  actions,
  type Block,
  button,
  type Element,
  escaped,
  MAX_BUTTON_VALUE,
  type Message,
  rich,
  say,
} from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import { knownLines } from './guided-offer.ts';
import { leftOut, problemOf } from './guided-problem.ts';
import { resolvedInTime, unclearMessage } from './references.ts';

/* A change of several lines or customers, with a separate call for each, is offered as a batch. */

/** A batch that a button opens with its list and the values that its rows share. */
interface BatchAsked {
  operation: string;
  shared: Fields;
  list: readonly string[];
}

/** Most records that are named in the offer. */
const MAX_NAMED = 20;

/** The batch of a button; undefined for a button with a list alone. */
export function batchAsked(value: string): BatchAsked | undefined {
  if (!value.startsWith('{')) return undefined;
  const read: unknown = JSON.parse(value);
  if (!isRecord(read) || !isRecord(read.shared) || !Array.isArray(read.list)) return undefined;
  return { operation: textOf(read.operation), shared: read.shared, list: read.list.map(textOf) };
}

/** The meaning of a text of the request: one record, none, or several. */
interface Meant {
  text: string;
  hits: readonly Hit[];
  value: string | undefined;
}

interface Offered {
  tool: Tool;
  answer: GuidedAnswer;
  each: NonNullable<GuidedAnswer['each']>;
  /** The records that a search found for the texts. */
  found?: readonly Hit[];
}

/** The offer of a change of several records, with what all of them get. */
export async function eachOffered(slack: SlackContext, asked: Offered, actor: Actor): Promise<Message> {
  const { tool, answer } = asked;
  const resolution = await resolvedInTime(slack, { tool, input: answer.input, actor });
  if (resolution?.kind === 'unclear') return unclearMessage(tool, resolution, true);
  const labels = new Map(resolution?.taken.map(({ value, label }) => [value, label]));
  const input = resolution?.input ?? answer.input;
  const shown = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, labels.get(String(value)) ?? value]),
  );
  return offerEach(slack, { ...asked, answer: { ...answer, input } }, knownLines(tool, shown, undefined), actor);
}

/**
 * Offers a change of each of several records. Says which of them were not found, or are not clear.
 *
 * @param shared the lines of the values that all of them get
 */
async function offerEach(
  slack: SlackContext,
  { tool, answer, each, found: hitsFound = [] }: Offered,
  shared: readonly (string | Element)[],
  actor: Actor,
): Promise<Message> {
  const field = fieldsOf(tool).find(({ name }) => name === each.field);
  const meant = await Promise.all(
    each.texts.slice(0, Math.max(MAX_NAMED, hitsFound.length)).map(async (text): Promise<Meant> => {
      const own = hitsFound.filter(({ value }) => value === text);
      if (!field || own.length > 0 || !isReference(field, text)) return { text, hits: own, value: text };
      const found = await slack.records.search(field, text, actor).catch(() => undefined);
      slack.directory.note(found?.hits ?? []);
      const [only, ...others] = found?.hits ?? [];
      const isClear = only && others.length === 0 && found?.isWhole && found.areSimilar !== true;
      return { text, hits: found?.hits ?? [], value: isClear ? only.value : undefined };
    }),
  );
  const found = meant.filter(({ value }) => value !== undefined);
  const judged = await Promise.all(
    found.map(async (one) => ({
      one,
      problem: answer.isChecked
        ? await problemOf(slack, tool, { ...answer.input, [each.field]: one.value }, actor)
        : undefined,
    })),
  );
  const clear = judged.filter(({ problem }) => problem === undefined).map(({ one }) => one);
  const names = clear.map(({ text, hits }) => hits[0]?.label ?? text);
  const asked: BatchAsked = {
    operation: tool.id,
    shared: answer.input,
    list: clear.flatMap(({ value }) => value ?? []),
  };
  const [only, ...more] = asked.list;
  // A list has two rows at least.
  const single = only !== undefined && more.length === 0 ? withRow(tool, each.field, answer.input, only) : undefined;
  const value = single ? `${tool.id}|${JSON.stringify(single)}` : JSON.stringify(asked);
  const opens = single ? 'The form is filled in for this one' : `The list opens with these ${clear.length}`;
  const isAsked = isChange(tool) && !single;
  const next =
    tool.risk === 'read'
      ? `Nothing was looked up yet. ${opens}.`
      : `Nothing was done yet. ${opens}${isAsked ? ', and one confirmation is asked for all of them' : ''}.`;
  const opened = single
    ? button(`${IDS.fill}_0`, 'Open the form', value, { style: 'primary' })
    : button(`${IDS.batchNew}_0`, 'Open the list', value, { style: 'primary' });
  const missing = [
    ...meant.filter(({ value }) => value === undefined).map((one) => unclear(one, field)),
    ...judged.flatMap(({ problem }) => (problem === undefined ? [] : [leftOut(problem)])),
  ];
  const canOpen = clear.length > 0 && value.length <= MAX_BUTTON_VALUE;
  return {
    text: escaped(`${tool.title}: ${next}`),
    blocks: [
      ...missing,
      say(
        rich.bold(tool.title),
        '\n',
        ...names.flatMap((name) => [`${name}\n`]),
        ...shared,
        canOpen ? next : 'Nothing was done.',
      ),
      ...(canOpen ? [actions('guided', opened)] : []),
    ],
  };
}

/** The input of a call for one row. */
function withRow(tool: Tool, field: string, shared: Fields, value: string): Fields {
  const { list } = batchedBy(tool) ?? {};
  return { ...shared, ...(list === undefined ? { [field]: value } : { [list]: [{ [field]: value }] }) };
}

/** Says why a text is not in the list. */
function unclear({ text, hits }: Meant, field: Field | undefined): Block {
  if (hits.length === 0 && field && /^\+\d+$/.test(text))
    return say(`🤔 ${formatPhone(text).national} has no ${nounOf(field)}, and is not in the list.`);
  const some = hits.slice(0, 3).map(choiceLabel).join(', or ');
  return hits.length === 0
    ? say(`🤔 “${text}” was not found, and is not in the list.`)
    : say(
        `🤔 “${text}” does not name exactly one, and is not in the list. It may be ${some}. Write which one you mean.`,
      );
}
