import type { GuidedAnswer } from '../../../assistant/guided/answers/answer.ts';
import { takesNumbers } from '../../../assistant/guided/answers/fill.ts';
import { valueText } from '../../../cards/card.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { isChange, isGated, type Tool } from '../../../catalogue/operation.ts';
import { keysOf } from '../../../gate/change.ts';
import { choiceText, isUnit, onlyValue } from '../../../language/member-words.ts';
import { withPlaceWords } from '../../../language/places.ts';
import { formatPhone } from '../../../language/show.ts';
import { type Fields, isRecord } from '../../../lib/json.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import {
  actions,
  type Block,
  button,
  cut,
  type Element,
  escaped,
  MAX_BUTTON_VALUE,
  type Message,
  rich,
  say,
} from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import type { Origin } from '../types.ts';
import { formButton } from './run.ts';

/* Offers a change that plain words ask for, with its known values and the buttons that open its form or ask. */

/** Lists the customer and each value of the input that the words and the search gave. Secrets are left out. */
export function knownLines(
  tool: Tool,
  input: Fields,
  customer: string | undefined,
  labels: ReadonlyMap<string, string> = new Map(),
): (string | Element)[] {
  // The customer is shown with the number.
  const labelOf = (field: Field) => labels.get(String(input[field.name]));
  const keys = keysOf(tool);
  // The id of another record than the one that is changed is shown, also where its name is not known.
  const isInHeading = (field: Field) =>
    labelOf(field) === undefined ? keys.includes(field.name) : customer?.includes(labelOf(field) ?? '') !== false;
  const isNamed = (field: Field) =>
    customer !== undefined &&
    ((field.kind === 'id' && isInHeading(field)) ||
      (takesNumbers(field) && phonesIn(valueText(input[field.name])).every(isShown(customer))));
  const fields = fieldsOf(tool).filter(
    (field) => input[field.name] !== undefined && !field.secret && !isNamed(field) && !isUnit(field.name, input),
  );
  const rows = fields.flatMap((field) => [
    rich.bold(labelFor(field, input)),
    ` ${cut(withPlaceWords(labelOf(field) ?? shownText(field.name, input[field.name])), 300)}\n`,
  ]);
  return [...(customer === undefined ? [] : [`${customer}\n`]), ...rows];
}

/** "Current billing address: ZIP" where only one part of a record is given, which replaces no other part. */
function labelFor({ label, kind, name, fields = [] }: Field, input: Fields): string {
  const value = input[name];
  const only = kind === 'group' && fields.length > 1 && isRecord(value) ? onlyValue(value) : undefined;
  const part = fields.find((field) => field.name === only?.name);
  return part === undefined ? label : `${label}: ${part.label}`;
}

/**
 * The title of the question about a change, or of a call that nobody confirms. It is the operation's name where that
 * title would show an id, or where a field is missing that it names.
 */
function titleOf(tool: Tool, input: Fields): { title: string; says: readonly string[] } {
  const whole = tool.input.safeParse(input);
  const consent = whole.success ? tool.consent?.(whole.data, {}, '') : undefined;
  const told = tool.told?.(input, {}).title;
  const title = consent?.title ?? told ?? '';
  if (title === '' || ID_IN_TITLE.test(title)) return { title: tool.title, says: [] };
  const says = consent === undefined && told !== tool.title ? Object.keys(input).filter((name) => input[name] === true) : [];
  return { title: title.replace(/\+\d{7,15}/g, (number) => formatPhone(number).national), says };
}

const ID_IN_TITLE = /\b[A-Z]{2,7}-[\w-]{6,}/;

/** The title does not say who it is where no customer is known. */
function isId(name: string): boolean {
  return /id$/i.test(name);
}

function isShown(customer: string): (number: string) => boolean {
  return (number) => customer.includes(formatPhone(number).national);
}

/** A value as people write it. */
function shownText(name: string, value: unknown): string {
  return (choiceText(name, value) ?? valueText(value)).replace(/\+\d{7,15}/g, (number) => formatPhone(number).national);
}

/** A change that the words fit: its form, or its question where nothing is missing. */
export function offer(
  slack: SlackContext,
  tool: Tool,
  { kind, input }: GuidedAnswer,
  { origin, customer, labels }: { origin: Origin; customer: string | undefined; labels: ReadonlyMap<string, string> },
): Message {
  const { title, says: told } = titleOf(tool, input);
  // The question says in a sentence on which day; the offer has its title alone.
  const days = fieldsOf(tool).filter(({ kind }) => kind === 'date' || kind === 'us-date');
  const says = told.filter((name) => !days.some((field) => field.name === name));
  const unsaid = Object.fromEntries(
    Object.entries(input).filter(([name]) => !says.includes(name) || (customer === undefined && isId(name))),
  );
  const value = `${tool.id}|${JSON.stringify(input)}`;
  const fits = value.length <= MAX_BUTTON_VALUE;
  const isAsked = kind === 'question' && isGated(tool) && fits;
  // A call that concerns Switchboard alone needs no yes.
  const isOwn = !isChange(tool) && tool.risk !== 'read' && fits && tool.input.safeParse(input).success;
  const next =
    tool.risk === 'read'
      ? 'Which one do you mean? Write it with a number, its last digits or a name, or open the form.'
      : isOwn
        ? 'Nothing was done yet.'
        : isAsked
          ? 'Nothing was done yet. The first button asks for confirmation, on a card that says what it does and costs.'
          : 'Nothing was done yet. The form is filled in as far as your words say.';
  const buttons: Block = fits
    ? actions(
        'guided',
        ...(isOwn ? [button(`${IDS.run}_0`, title, value, { style: 'primary' })] : []),
        ...(isAsked ? [button(IDS.ask, 'Ask for confirmation', value, { style: 'primary' })] : []),
        button(`${IDS.fill}_0`, 'Open the form', value),
      )
    : formButton(slack, tool, input, origin);
  return {
    text: escaped(`${title}: ${next}`),
    blocks: [say(rich.bold(title), '\n', ...knownLines(tool, unsaid, customer, labels), next), buttons],
  };
}
