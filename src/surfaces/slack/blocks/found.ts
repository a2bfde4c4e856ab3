import type { Guide } from '../../../../tools/surfaces/guides/guide.ts';
import { type Card, LABELS, type Part, type Row } from '../../../cards/card.ts';
import { numbersFoundIn } from '../../../cards/list.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { choiceLabel, type Hit, type Hits } from '../../../language/records.ts';
import { formatPhone } from '../../../language/show.ts';
import { nounOf, type Reference } from '../../../language/typed-values.ts';
import { defined, type Fields } from '../../../lib/values.ts';
import { IDS, type Reworder } from '../types.ts';
import { buttonsOf, draw } from './fitting.ts';
import { lowerFirst } from './form-values.ts';
import type { StoredResult } from './result.ts';
import {
  type Block,
  button,
  buttonRow,
  cut,
  type Element,
  elementsOf,
  escaped,
  lines,
  MAX_BLOCKS,
  MAX_BUTTON_VALUE,
  type Message,
  messageOf,
  mrkdwnOf,
  notice,
  operationButton,
  option,
  PHONE,
  plain,
  quote,
  rich,
  say,
  small,
} from './text.ts';

/* Draws cards of several things, which are search results, events, findings and lists of records. */

/** Slack accepts 150 characters in an option of a menu. */
const MAX_VALUE = 150;
const ROW_CHARS = 300;

/**
 * A card of several things as a message.
 *
 * @param options.beside further buttons of its last row
 */
export function listMessage(
  card: Card,
  { reworded, beside = [] }: { reworded: Reworder; beside?: readonly Element[] },
): Message {
  const { title, about = '', parts, actions: offered } = card;
  const whole = offered.find(({ id }) => id === 'page')?.label;
  const blocks = [
    say(rich.bold(title), ...(about === '' ? [] : [' ', ...elementsOf(about, reworded)])),
    ...parts.flatMap((part) =>
      part.kind === 'rows' ? rowsBlocks(part, whole, reworded) : draw({ title, parts: [part] }, { reworded }).blocks,
    ),
  ];
  const row = buttonRow('list', [...buttonsOf(offered, { reworded }), ...beside]);
  return messageOf(title, [...blocks.slice(0, MAX_BLOCKS - row.length), ...row]);
}

/** @param whole the label of the button that opens the whole answer */
function rowsBlocks(
  { title, count, numbered, rows }: Part & { kind: 'rows' },
  whole = 'the whole answer',
  reworded: Reworder,
): Block[] {
  const left = (count ?? rows.length) - rows.length;
  const more = left > 0 ? [`… ${left} more: ${whole}`] : [];
  const isPlain = rows.every(({ actions: offered = [], said }) => offered.length === 0 && said === undefined);
  if (isPlain && title !== undefined && !numbered)
    return [
      lines([
        [rich.bold(title), ` ${count ?? rows.length}`],
        ...rows.map(({ says }) => elementsOf(says, reworded)),
        ...more.map((text) => [text]),
      ]),
    ];
  return [
    ...(title === undefined ? [] : [say(title)]),
    ...rows.flatMap((row, at) => listedRow(row, at, { reworded, lead: numbered ? `${at + 1}. ` : '' })),
    ...more.map((text) => small(escaped(text))),
  ];
}

/** A row of a list. A lookup, and what puts a finding right, is a button beside it; everything else is a menu. */
function listedRow(
  { says, beside, said, actions: offered = [] }: Row,
  at: number,
  { reworded, lead }: { reworded: Reworder; lead: string },
): Block[] {
  const text =
    typeof says === 'string'
      ? plain(lead + says, ROW_CHARS)
      : { type: 'mrkdwn', text: lead + cut(mrkdwnOf(says, reworded), 1_000) };
  const first = offered.filter(({ id }) => id === 'look' || lead !== '').slice(0, 1);
  const [pressed] = buttonsOf(first, { from: at });
  const fitting = offered.filter(({ value }) => value.length <= MAX_VALUE).slice(0, 5);
  const options = fitting.map(({ value, label }) => option(value, label));
  const menu = { type: 'overflow', action_id: `${IDS.rowStep}_${at}`, options };
  const accessory = pressed ?? (options.length > 0 ? menu : undefined);
  return [
    { type: 'section', text, ...defined({ accessory }) },
    ...(beside === undefined ? [] : [small(escaped(beside))]),
    ...(said === undefined ? [] : [quote(cut(said, 1_000))]),
  ];
}

/** The buttons of a search: to go on with it, and to do something with all of its numbers. */
export function searchButtons({ value, read }: Pick<StoredResult, 'value' | 'read'>): Element[] {
  if (read === undefined) return [];
  const numbers = numbersFoundIn(value);
  const list = numbers.join(',');
  const next = { ...read.input, Page: value.NextPage };
  const hasMore = typeof value.NextPage === 'number';
  const isList = numbers.length > 1 && list.length <= MAX_BUTTON_VALUE;
  return [
    ...(hasMore ? operationButton(`${IDS.run}_0`, 'Search on', read.toolId, next) : []),
    ...(isList ? [button(`${IDS.batchNew}_0`, `Do something with these ${numbers.length}`, list)] : []),
  ];
}

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
function rowsMessage(title: string, rows: readonly Block[], ...below: Block[]): Message {
  return messageOf(title, [say(rich.bold(title)), ...rows.slice(0, MAX_SHOWN), ...below]);
}

function rowOf(text: string, accessory: Element | undefined): Block {
  return { type: 'section', text: plain(text, 300), ...defined({ accessory }) };
}

/** Asks which record was meant. Each button goes on with one. */
export function choicesMessage({ tool, reference, found, inputWith }: Choice): Message {
  const { hits, isWhole } = found;
  const title = `Which ${nounOf(reference.field)} do you mean by “${cut(reference.text, 100)}”?`;
  const rows = hits.map((hit, i) =>
    rowOf(choiceLabel(hit), operationButton(`${IDS.run}_${i}`, 'Choose', tool.id, inputWith(hit.value))[0]),
  );
  const isMore = hits.length > MAX_SHOWN || !isWhole;
  const remark = isMore ? ' More may match: a longer name or more digits narrow the search.' : '';
  return rowsMessage(title, rows, small(escaped(`${tool.title}. Nothing was done yet.${remark}`)));
}

/** Asks which of several numbers in a text to look up. */
export function hitsFound(hits: readonly Hit[]): Message {
  const rows = hits.map((hit, i) => rowOf(choiceLabel(hit), button(`${IDS.look}_${i}`, LABELS.look, hit.value)));
  const more = hits.length - MAX_SHOWN;
  const title = `${hits.length} numbers fit that message. Which one?`;
  return rowsMessage(title, rows, ...(more > 0 ? [small(`… ${more} more`)] : []));
}

/** Asks which record a guide should begin with. */
export function guideChoices(
  guide: Pick<Guide, 'name' | 'title' | 'takesOthers'>,
  { text, field, found: { hits, isWhole } }: { text: string; field: Field; found: Hits },
): Message {
  const asked = `“${cut(text, 100)}”`;
  const noun = nounOf(field);
  const rows = hits
    .slice(0, MAX_SHOWN)
    .map((hit, i) => rowOf(choiceLabel(hit), button(`${IDS.guide}_${i}`, 'Choose', `${guide.name}|${hit.value}`)));
  const first = guide.takesOthers ? 'A number that is not yet in service is typed whole.' : 'Or choose in the form.';
  return rowsMessage(
    hits.length === 0 ? `No ${noun} matches ${asked}` : `Which ${noun} do you mean by ${asked}?`,
    rows,
    small(`${first}${isWhole ? '' : NOT_ALL} Nothing was done yet.`),
    { type: 'actions', elements: [button(`${IDS.guide}_${rows.length}`, guide.title, `${guide.name}|`)] },
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
  const check = `Check the spelling${reference.field.kind === 'phone' ? ', or type the whole number' : ''}`;
  const next = `${found.isWhole ? '' : NOT_ALL} ${line ? first : check}, or choose the ${noun} in the form.`;
  return messageOf(title, [say('🤔 ', rich.bold(`${title}.`), `${next} Nothing was done.`)]);
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
  const rows = guides.map((guide, i) => {
    const start = offer.mayStart(guide) ? button(`${IDS.guide}_${i}`, 'Start', `${guide.name}|`) : undefined;
    return rowOf(`${guide.title}: ${lowerFirst(guide.description)}`, start);
  });
  const commands = guides.map((guide) => `\`${offer.commandOf(guide)}\``).join(', ');
  const how = guides.some(offer.mayStart)
    ? `Or type it, with a number or a name after it: ${commands}`
    : 'They change something, which needs the role operator.';
  return rowsMessage(title, rows, small(how));
}
