import { STOPPED_TEXT, type TurnEnd, type TurnNotice } from '../../../assistant/turn-events.ts';
import type { Fields } from '../../../lib/values.ts';
import { IDS } from '../types.ts';
import {
  type Block,
  buttonRow,
  cut,
  escaped,
  MAX_BLOCKS,
  type Message,
  operationButton,
  shortDate,
  small,
} from './text.ts';

const MAX_RECORDS = 10;
const MAX_BUTTONS = 5;

/** The calls of the turn by outcome, and the records that the answer rests on. */
export function endBlocks({ done, unknown, records, stopped, doubted }: TurnEnd): Block[] {
  const [first] = records;
  const titles = [...new Set(records.map(({ title }) => title))].slice(0, MAX_RECORDS).map(escaped);
  const texts = [
    ...done.map(({ title }) => `✅ Done: ${escaped(title)}`),
    ...unknown.map(({ title }) => `❓ Outcome unknown: ${escaped(title)}. The app’s Home has _Check now_.`),
    ...(stopped === undefined ? [] : [`⏹️ ${STOPPED_TEXT[stopped]}`]),
    ...(doubted.length === 0 ? [] : [`⚠️ In no record of this conversation: ${doubted.map(escaped).join(', ')}`]),
    ...(first ? [`Read ${shortDate(first.at)}: ${titles.join('; ')}`] : []),
  ];
  return texts.map((text) => small(cut(text, 2_000)));
}

const NOTICES: Readonly<Record<TurnNotice['about'], string>> = { secret: '🔒', length: '✂️', topic: '🧹' };

/** A sentence of the assistant itself. */
export function noticeLine({ about, text }: TurnNotice): Block {
  return small(`${NOTICES[about]} ${escaped(text)}`);
}

/**
 * An answer as one message. `text` is Markdown that was defused. Without it, the notification shows `summary`, plain
 * text. `card` has the findings and is shown above the text.
 */
export function answerMessage(
  text: string,
  blocks: readonly Block[],
  { card = [], summary = 'No answer.' }: { card?: readonly Block[]; summary?: string | undefined } = {},
): Message {
  const said = text.trim();
  const markdown = said === '' ? [] : [{ type: 'markdown', text: said }];
  return { text: cut(escaped(said || summary), 1_000), blocks: [...card, ...markdown, ...blocks].slice(0, MAX_BLOCKS) };
}

/** Buttons that show what else was found. */
export function foundButtons(found: readonly { title: string; operation: string; input: Fields }[]): Block[] {
  const buttons = found.flatMap(({ title, operation, input }, i) =>
    operationButton(`${IDS.run}_${i}`, title, operation, input),
  );
  return buttonRow('found', buttons.slice(0, MAX_BUTTONS));
}

/**
 * Text of a model without anything that acts by itself: mentions notify people, and Slack opens links for a preview,
 * which would carry text to the owner of the address.
 */
export function defused(text: string): string {
  return text
    .replace(/<(?=[!@#])/g, '‹')
    .replace(/!\[/g, '[')
    .replace(/`?(\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s<>|"'`)\]]+)`?/gi, '`$1`')
    .replace(/\]\((?=mailto:|tel:|slack:|\/\/)/gi, '] (')
    .replace(/(^|[\s(<|])(www\.[^\s<>|"'`)\]]+)/gi, '$1`$2`');
}

/** The length of the part that ends with a whole word, so that an address is never defused in halves. */
export function wholeWords(text: string): number {
  return Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1;
}
