import type { Guide } from '../../../../tools/surfaces/guides/guide.ts';
import { LABELS } from '../../../cards/labels.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { choiceLabel, type Hit, type Hits } from '../../../language/records.ts';
import { formatPhone } from '../../../language/show.ts';
import { nounOf, type Reference } from '../../../language/typed-values.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { IDS } from '../ids.ts';
import { lowerFirst } from './form-shape.ts';
import {
  type Block,
  button,
  cut,
  type Element,
  escaped,
  MAX_BUTTON_VALUE,
  type Message,
  messageOf,
  notice,
  operationButton,
  PHONE,
  plain,
  rich,
  say,
  small,
} from './text.ts';

const MAX_SHOWN = 20;

/** An operation that waits until a person has said which record they mean. */
interface Choice {
  tool: Tool;
  reference: Reference;
  found: Hits;
  /** The input with this record. */
  inputWith: (value: string) => Fields;
}

/** A title, and a row for each thing to choose, with its button. */
function rowsMessage(
  title: string,
  rows: readonly { text: string; button: Element | undefined }[],
  ...below: Block[]
): Message {
  const sections = rows
    .slice(0, MAX_SHOWN)
    .map(({ text, button }) => ({ type: 'section', text: plain(text, 300), ...defined({ accessory: button }) }));
  return messageOf(title, [say(rich.bold(title)), ...sections, ...below]);
}

/** Asks which record was meant. Each button goes on with one. */
export function choicesMessage({ tool, reference, found, inputWith }: Choice): Message {
  const { hits, isWhole } = found;
  const title = `Which ${nounOf(reference.field)} do you mean by “${cut(reference.text, 100)}”?`;
  const rows = hits.map((hit, i) => {
    const [choose] = operationButton(`${IDS.run}_${i}`, 'Choose', tool.id, inputWith(hit.value));
    return { text: choiceLabel(hit), button: choose };
  });
  const isMore = hits.length > MAX_SHOWN || !isWhole;
  const remark = isMore ? ' More may match: a longer name or more digits narrow the search.' : '';
  return rowsMessage(title, rows, small(escaped(`${tool.title}. Nothing was done yet.${remark}`)));
}

/** Asks which of several numbers in a text to look up. */
export function hitsFound(hits: readonly Hit[]): Message {
  const rows = hits.map((hit, i) => ({
    text: choiceLabel(hit),
    button: button(`${IDS.look}_${i}`, LABELS.look, hit.value),
  }));
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
  const rows = hits.slice(0, MAX_SHOWN).map((hit, i) => ({
    text: choiceLabel(hit),
    button: button(`${IDS.guide}_${i}`, 'Choose', given({ [field.name]: hit.value }, hit.value)),
  }));
  const first = guide.takesOthers ? 'A number that is not yet in service is typed whole.' : 'Or choose in the form.';
  return rowsMessage(
    hits.length === 0 ? `No ${noun} matches ${asked}` : `Which ${noun} do you mean by ${asked}?`,
    rows,
    small(`${first}${isWhole ? '' : NOT_ALL} Nothing was done yet.`),
    { type: 'actions', elements: [button(`${IDS.guide}_${rows.length}`, guide.title, given({}, ''))] },
  );
}

/** A long list, or the records of many lines, is searched in part. */
const NOT_ALL = ' Not all that may be meant was searched: write more of the name, or the number of the line.';

/** Says that nothing matches a name, and what to do next. */
export function nothingFound({ reference, found }: Pick<Choice, 'reference' | 'found'>): Message {
  const noun = nounOf(reference.field);
  const shown = (text: string) => (PHONE.test(text) ? formatPhone(text).national : text);
  const typed = `“${cut(shown(reference.text), 100)}”`;
  const first = FIRST[noun];
  const line = first === undefined ? undefined : found.lacking;
  if (noun === 'order') return notice('🤔', `No order matches ${typed}. ${UNKNOWN_ORDER} Nothing was done.`);
  const title = line === undefined ? `No ${noun} matches ${typed}` : `${shown(line)} has no ${noun}`;
  const check =
    reference.field.kind === 'phone' ? 'Check the spelling, or type the whole number' : 'Check the spelling';
  const next = `${line ? first : check}, or choose the ${noun} in the form.`;
  return messageOf(title, [
    say('🤔 ', rich.bold(`${title}.`), `${found.isWhole ? '' : NOT_ALL} ${next} Nothing was done.`),
  ]);
}

/** The first step where a line has no such record. */
const FIRST: Readonly<Record<string, string>> = {
  subscriber: 'Write “give NUMBER to NAME” first',
  subscription: 'Write “subscribe NUMBER to PACKAGE” first',
};
const UNKNOWN_ORDER =
  'The platform lists no orders, so Switchboard knows those of the last 30 days that were placed here or reported to it. Send the order’s id, as the carrier desk or the platform has it, to see any other.';

/** Offers guides, each with its command, and with a button where the person may start it. `asked`: the words that no guide fits. */
export function guideList(
  guides: readonly Guide[],
  offer: { asked: string; commandOf: (guide: Guide) => string; mayStart: (guide: Guide) => boolean },
): Message {
  const text = offer.asked.trim();
  const isKnown = text === '' || /^help$/i.test(text);
  const title = isKnown ? 'What do you want to do?' : `No guide is called “${cut(text, 60)}”. These are the guides:`;
  const rows = guides.map((guide, i) => ({
    text: `${guide.title}: ${lowerFirst(guide.description)}`,
    button: offer.mayStart(guide) ? button(`${IDS.guide}_${i}`, 'Start', `${guide.name}|`) : undefined,
  }));
  const commands = guides.map((guide) => `\`${offer.commandOf(guide)}\``).join(', ');
  const how = guides.some(offer.mayStart)
    ? `Or type it, with a number or a name after it: ${commands}`
    : 'They change something, which needs the role operator.';
  return rowsMessage(title, rows, small(how));
}
