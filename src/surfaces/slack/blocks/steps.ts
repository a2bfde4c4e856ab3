import type { NextStep } from '../../../../tools/groups.ts';
import type { Guide } from '../../../../tools/surfaces/guides/guide.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf, soleMember } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { choiceLabel, type Hit, type Hits } from '../../../language/records.ts';
import { formatPhone } from '../../../language/show.ts';
import { nounOf, type Reference } from '../../../language/typed-values.ts';
import { defined, type Fields, recordOf, textOf } from '../../../lib/json.ts';
import { IDS } from '../ids.ts';
import { lowerFirst } from './form-shape.ts';
import {
  actions,
  type Block,
  button,
  cut,
  type Element,
  escaped,
  label,
  MAX_BUTTON_VALUE,
  type Message,
  notice,
  PHONE,
  plain,
  rich,
  say,
  small,
} from './text.ts';

/** A button under a number. */
export interface Step {
  tool: Tool;
  label: string;
  given: Readonly<Fields>;
  /** Runs when it is pressed, without a form. */
  atOnce: boolean;
  /** Opens the form of guardian filtering. */
  isGuard: boolean;
  /** Starts this guide with the number. */
  guide?: string;
}

/** Facts about a number that decide which steps fit it. */
export interface NumberFacts {
  /** Status as the platform spells it; empty if unknown. */
  state: string;
  watched?: boolean;
  /** The number's record. */
  record?: Fields;
}

/** The wanted steps that exist in the catalogue and fit this number. */
export function stepsFor(tools: readonly Tool[], wanted: readonly NextStep[], number: NumberFacts): Step[] {
  return wanted.flatMap((step) => {
    const tool = tools.find((candidate) => candidate.id === step.operation);
    if (!tool || !fitsNumber(step, number)) return [];
    const { label = tool.title, given = {}, atOnce = false, form, guide } = step;
    return [{ tool, label, given, atOnce, isGuard: form === 'guard', ...defined({ guide }) }];
  });
}

function fitsNumber({ states, watched, has }: NextStep, number: NumberFacts): boolean {
  if (watched !== undefined && number.watched !== undefined && watched !== number.watched) return false;
  if (has !== undefined && textOf(number.record?.[has]) === '') return false;
  return states === undefined || states.some((prefix) => number.state.startsWith(prefix));
}

/** The button of a step. `position` makes its action id unique within the message. */
export function stepButton(step: Step, phone: string, position: number, account?: string): Element {
  if (step.isGuard) return button(`${IDS.guard}_${position}`, step.label, phone);
  if (step.guide !== undefined) return button(`${IDS.guide}_${position}`, step.label, `${step.guide}|${phone}`);
  // A distributor with several accounts must name one; the account of the number is the right one.
  const owner = account !== undefined && 'AccountId' in step.tool.input.shape ? { AccountId: account } : {};
  const value = `${step.tool.id}|${JSON.stringify({ ...inputWith(step.tool, phone), ...owner, ...step.given })}`;
  const id = step.atOnce ? IDS.run : IDS.fill;
  return button(`${id}_${position}`, step.label, value);
}

/** The required field of an operation that a phone number fills. */
export function phoneField(tool: Tool): Field | undefined {
  return fieldsOf(tool).find((field) => field.required && holdsPhone(field));
}

/** The input of an operation with the number in its field. */
export function inputWith(tool: Tool, phone: string): Fields {
  const field = phoneField(tool) ?? fieldsOf(tool).find(holdsPhone);
  if (!field) return {};
  const member = soleMember(field)?.name;
  const value = field.kind === 'phone' ? phone : field.kind === 'list' ? [phone] : [{ [member ?? 'Number']: phone }];
  return { [field.name]: value };
}

function holdsPhone(field: Field): boolean {
  if (field.kind === 'phone') return true;
  if (field.kind === 'list') return field.items?.kind === 'phone';
  return field.kind === 'rows' && soleMember(field)?.kind === 'phone';
}

/** Buttons under a number. */
export interface StepRow {
  phone: string;
  /** The number's answer, whose account the steps are for. */
  value: Fields;
  /** The button that puts the worst trouble right. */
  fix: Element | undefined;
  /** Buttons of eSIM codes. */
  codes: readonly Element[];
  /** The most wanted first. */
  first: readonly Step[];
}

const MAX_STEPS = 5;

/** At most five buttons, the one that mends the trouble first. */
export function stepButtons({ fix, codes, first, phone, value }: StepRow): Block[] {
  const account = Object.values(value)
    .map((part) => textOf(recordOf(part).AccountId))
    .find((id) => id !== '');
  const steps = first.map((step, i) => stepButton(step, phone, i, account));
  // The codes of an eSIM follow the two most wanted steps.
  const elements = [...(fix ? [fix] : []), ...steps.slice(0, 2), ...codes, ...steps.slice(2)].slice(0, MAX_STEPS);
  return elements.length === 0 ? [] : [actions(`next:${phone}`, ...elements)];
}

/**
 * The menu of all operations that take a number, and the buttons of the answer itself.
 *
 * @param handle that of the stored answer; empty for a card without buttons
 */
export function moreActions(
  phone: string,
  next: readonly { group: string; tools: readonly Tool[] }[],
  handle: string | undefined,
): Block[] {
  const groups = next.map(({ group, tools }) => ({
    label: plain(group, 75),
    options: tools
      .slice(0, 100)
      .map((tool) => ({ text: plain(tool.title, 75), value: cut(`${tool.id}|${phone}`, 150) })),
  }));
  const menu = {
    type: 'static_select',
    action_id: IDS.nextMore,
    placeholder: label('More actions…', 150),
    option_groups: groups,
  };
  const elements = [
    ...(groups.length > 0 ? [menu] : []),
    ...(handle ? [button(IDS.page, 'Details', `${handle}|0`), button(IDS.share, 'Share', `${handle}|0`)] : []),
  ];
  return elements.length === 0 ? [] : [actions(`more:${phone}`, ...elements)];
}

const MAX_SHOWN = 20;

/** An operation that waits until a person has said which record they mean. */
interface Choice {
  tool: Tool;
  reference: Reference;
  found: Hits;
  /** The input with this record. */
  inputWith: (value: string) => Fields;
  /** True if a form asks for the rest. */
  opensForm: boolean;
}

/** A title, and a row for each thing to choose, with its button. */
function rowsMessage(
  title: string,
  rows: readonly { text: string; button: Element | undefined }[],
  ...below: Block[]
): Message {
  const sections = rows.map(
    ({ text, button: accessory }): Block => ({ type: 'section', text: plain(text, 300), ...defined({ accessory }) }),
  );
  return { text: escaped(title), blocks: [say(rich.bold(title)), ...sections, ...below] };
}

/** Asks which record was meant. Each button goes on with one. */
export function choicesMessage({ tool, reference, found, inputWith, opensForm }: Choice): Message {
  const { hits, isWhole } = found;
  const title = `Which ${nounOf(reference.field)} do you mean by “${cut(reference.text, 100)}”?`;
  const rows = hits.slice(0, MAX_SHOWN).map((hit, i) => {
    const carried = `${tool.id}|${JSON.stringify(inputWith(hit.value))}`;
    const pressed = button(`${opensForm ? IDS.fill : IDS.run}_${i}`, 'Choose', carried);
    return { text: choiceLabel(hit), button: carried.length > MAX_BUTTON_VALUE ? undefined : pressed };
  });
  const isMore = hits.length > MAX_SHOWN || !isWhole;
  const remark = isMore ? ' More may match: a longer name or more digits narrow the search.' : '';
  return rowsMessage(title, rows, small(`${escaped(tool.title)}. Nothing was done yet.${remark}`));
}

/** Asks which of several numbers in a text to look up. */
export function hitsFound(hits: readonly Hit[]): Message {
  const rows = hits
    .slice(0, MAX_SHOWN)
    .map((hit, i) => ({ text: choiceLabel(hit), button: button(`${IDS.look}_${i}`, 'Look up', hit.value) }));
  const more = hits.length - MAX_SHOWN;
  const title = `${hits.length} numbers fit that message. Which one?`;
  return rowsMessage(title, rows, ...(more > 0 ? [small(`… ${more} more`)] : []));
}

/** Asks which record a guide should begin with. */
export function guideChoices(
  guide: Pick<Guide, 'name' | 'title' | 'takesOthers'>,
  { text, field, found: { hits, isWhole }, known = {} }: { text: string; field: Field; found: Hits; known?: Fields },
): Message {
  const asked = `“${cut(text, 100)}”`;
  const noun = nounOf(field);
  const given = (more: Fields, alone: string) => {
    const value = `${guide.name}|${Object.keys(known).length === 0 ? alone : JSON.stringify({ ...known, ...more })}`;
    return value.length <= MAX_BUTTON_VALUE ? value : `${guide.name}|${alone}`;
  };
  const title = hits.length === 0 ? `No ${noun} matches ${asked}` : `Which ${noun} do you mean by ${asked}?`;
  const pressed = (hit: Hit, i: number) =>
    button(`${IDS.guide}_${i}`, 'Choose', given({ [field.name]: hit.value }, hit.value));
  const rows = hits.slice(0, MAX_SHOWN).map((hit, i) => ({ text: choiceLabel(hit), button: pressed(hit, i) }));
  const open = button(`${IDS.guide}_${rows.length}`, guide.title, given({}, ''));
  const first = guide.takesOthers ? 'A number that is not yet in service is typed whole.' : 'Or choose in the form.';
  const remark = isWhole ? '' : ' Only the first part of a long list was searched.';
  return rowsMessage(title, rows, small(`${first}${remark} Nothing was done yet.`), {
    type: 'actions',
    elements: [open],
  });
}

/** Says that nothing matches a name, and what to do next. */
export function nothingFound({ reference, found }: Pick<Choice, 'reference' | 'found'>): Message {
  const noun = nounOf(reference.field);
  const title = `No ${noun} matches “${cut(shownNumber(reference.text), 100)}”`;
  if (noun === ORDER) return notice('🤔', `${title}. ${UNKNOWN_ORDER} Nothing was done.`);
  const searched = found.isWhole ? '' : ' Only the first part of a long list was searched.';
  const next =
    reference.field.kind === 'phone'
      ? 'Check the spelling, or type the whole number.'
      : `Check the spelling, or choose the ${noun} in the form.`;
  return {
    text: escaped(title),
    blocks: [say('🤔 ', rich.bold(`${title}.`), `${searched} ${next} Nothing was done.`)],
  };
}

const ORDER = 'order';
const UNKNOWN_ORDER =
  'The platform lists no orders, so Switchboard knows those of the last 30 days that were placed here or reported to it. Send the order’s id, as the carrier desk or the platform has it, to see any other.';

/** A number as people write it; any other text as it is. */
function shownNumber(text: string): string {
  return PHONE.test(text) ? formatPhone(text).national : text;
}

/** Offers guides, each with its button and its command. `asked`: the words that no guide fits. */
export function guideList(guides: readonly Guide[], commandOf: (guide: Guide) => string, asked: string): Message {
  const text = asked.trim();
  const isKnown = text === '' || /^help$/i.test(text);
  const title = isKnown ? 'What do you want to do?' : `No guide is called “${cut(text, 60)}”. These are the guides:`;
  const rows = guides.map((guide, i) => ({
    text: `${guide.title}: ${lowerFirst(guide.description)}`,
    button: button(`${IDS.guide}_${i}`, 'Start', `${guide.name}|`),
  }));
  const commands = guides.map((guide) => `\`${commandOf(guide)}\``).join(', ');
  return rowsMessage(title, rows, small(`Or type it, with a number or a name after it: ${commands}`));
}
