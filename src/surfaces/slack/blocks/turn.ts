import { outcomeNote } from '../../../assistant/claims.ts';
import type { Stopped, TurnEnd, TurnNotice } from '../../../assistant/turn-events.ts';
import type { Fields } from '../../../lib/json.ts';
import { IDS } from '../ids.ts';
import {
  actions,
  type Block,
  button,
  cut,
  escaped,
  label,
  MAX_BUTTON_VALUE,
  type Message,
  shortDate,
  small,
} from './text.ts';

const STOPPED: Readonly<Record<Stopped, string>> = {
  stopped: 'Stopped. Nothing more is done for this message.',
  retracted: 'Stopped because the message was deleted or changed.',
  shutdown: 'Switchboard is restarting, so this answer is not complete. Send the message again in a minute.',
  too_long: 'Stopped because the answer took too long or was too long.',
  forgotten: 'Stopped because the conversation was forgotten.',
  too_many_calls: 'Stopped because one message may make no more calls. Ask for a part of it.',
  taken_over: 'Stopped because another process answers in this thread.',
  cut: 'The answer ends here because it reached the model’s limit of length. Ask for the rest, or for a part of it.',
  withheld: 'The model’s endpoint withheld the rest of the answer. Ask in other words.',
  empty: 'The model gave no answer. Ask again, or in other words.',
};
const MAX_RECORDS = 10;
const MAX_BUTTONS = 5;
/** The buttons' value holds the turn, so it may be as long as Slack accepts. */
const FEEDBACK_BLOCK = 'feedback';

/** The calls of the turn by outcome, and the records that the answer rests on. */
export function endBlocks(end: TurnEnd): Block[] {
  const { done, unknown, records, stopped } = end;
  const effects = [
    ...done.map(({ title }) => `✅ Done: ${escaped(title)}`),
    ...unknown.map(({ title }) => `❓ Outcome unknown: ${escaped(title)}. The app’s Home has _Check now_.`),
    ...(stopped === undefined ? [] : [`⏹️ ${STOPPED[stopped]}`]),
  ];
  const [first] = records;
  const titles = [...new Set(records.map(({ title }) => title))].slice(0, MAX_RECORDS).map(escaped);
  const facts = [...(first ? [cut(`Read ${shortDate(first.at)}: ${titles.join('; ')}`, 2_000)] : [])];
  const { values = [] } = end.unproven ?? {};
  const note = outcomeNote(end);
  const doubts = [
    ...(note === undefined ? [] : [`⚠️ ${escaped(note)}`]),
    ...(values.length === 0 ? [] : [`⚠️ In no record of this conversation: ${values.map(escaped).join(', ')}`]),
  ];
  return [
    ...[...effects, ...doubts].map((text) => small(cut(text, 2_000))),
    ...(facts.length > 0 ? [small(facts.join(' · '))] : []),
  ];
}

/** A sentence for the writer that is no part of the answer. */
export function noticeLine({ about, text }: TurnNotice): Block {
  return small(`${about === 'secret' ? '🔒' : '✂️'} ${escaped(text)}`);
}

/** Buttons for the judgement of an answer. */
export function feedbackBlock(thread: string, turn: string): Block {
  const choice = (value: string, text: string) => ({ text: label(text), value: `${value}|${turn}|${thread}` });
  return {
    type: 'context_actions',
    block_id: FEEDBACK_BLOCK,
    elements: [
      {
        type: 'feedback_buttons',
        action_id: IDS.feedback,
        positive_button: choice('good', 'Helpful'),
        negative_button: choice('bad', 'Not helpful'),
      },
    ],
  };
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
  return { text: cut(escaped(said || summary), 1_000), blocks: [...card, ...markdown, ...blocks].slice(0, 50) };
}

/** Buttons that show what else was found. */
export function foundButtons(found: readonly { title: string; operation: string; input: Fields }[]): Block[] {
  const buttons = found.flatMap(({ title, operation, input }, i) => {
    const value = `${operation}|${JSON.stringify(input)}`;
    return value.length > MAX_BUTTON_VALUE ? [] : [button(`${IDS.run}_${i}`, title, value)];
  });
  return buttons.length === 0 ? [] : [actions('found', ...buttons.slice(0, MAX_BUTTONS))];
}

/** Slack's limit for the markdown of one message, with room for what defusing adds. */
const MAX_MESSAGE = 10_000;

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
  const end = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'));
  return end < 0 ? 0 : end + 1;
}

/** Parts that fit into one message each, cut at lines where possible. */
export function messageParts(text: string): string[] {
  const parts: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const line = rest.lastIndexOf('\n', MAX_MESSAGE);
    const end = rest.length <= MAX_MESSAGE ? rest.length : line > MAX_MESSAGE / 2 ? line : MAX_MESSAGE;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return parts;
}
