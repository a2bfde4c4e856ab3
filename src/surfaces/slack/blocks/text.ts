import { clean } from '../../../language/show.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { encodeState, type FlowState } from '../flow-state.ts';

/*
 * The smallest parts of Slack's messages. Text from outside goes into rich text or plain text, in which Slack does not
 * interpret markup: a subscriber named `<!channel>` remains a name.
 */

export type Block = Fields;
export type Element = Fields;

/** A message as it is posted. Notifications and screen readers use `text`. */
export interface Message {
  text: string;
  blocks: Block[];
}

/** Slack accepts 2,000 characters in a button. */
export const MAX_BUTTON_VALUE = 2_000;

/** A number as the platform writes it. */
export const PHONE = /^\+\d{7,15}$/;

/** Plain text. Slack refuses an empty string, so that becomes a space. */
export function plain(text: string, max = 3000): Element {
  return { type: 'plain_text', text: cut(clean(text), max) || ' ', emoji: false };
}

/** Plain text for titles, labels and buttons, which must be short. */
export function label(text: string, max = 75): Element {
  return plain(text, max);
}

/** Marks of mrkdwn, each with a character that looks like it. Slack has no escape for them. */
const LOOKALIKES: readonly (readonly [string, string])[] = [
  ['*', '∗'],
  ['_', 'ˍ'],
  ['~', '∼'],
  ['`', 'ˋ'],
];
const EMOJI_CODE = /(?<![\p{L}\p{N}]):(?=(?:[a-z][\w+'-]*|[+-]1|\d{3,4}):)/giu;

/** Escapes text for mrkdwn, so that nothing in it is a mention, a link, an emoji or markup. */
export function escaped(text: string): string {
  return unmarked(clean(text)).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The text without marks that come in pairs beside words, and without the codes of emoji. */
function unmarked(text: string): string {
  let shown = text;
  for (const [mark, like] of LOOKALIKES) {
    const beside = new RegExp(`(?<![\\p{L}\\p{N}])[${mark}]|[${mark}](?![\\p{L}\\p{N}])`, 'gu');
    if ((shown.match(beside) ?? []).length > 1) shown = shown.replace(beside, like);
  }
  return shown.replace(EMOJI_CODE, '∶');
}

export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

/** Rich text elements. Each takes text without escaping. */
export const rich = {
  text: (text: string): Element => ({ type: 'text', text: clean(text) || ' ' }),
  bold: (text: string): Element => ({ type: 'text', text: clean(text) || ' ', style: { bold: true } }),
  italic: (text: string): Element => ({ type: 'text', text: clean(text) || ' ', style: { italic: true } }),
  code: (text: string): Element => ({ type: 'text', text: clean(text) || ' ', style: { code: true } }),
  user: (id: string): Element => ({ type: 'user', user_id: id }),
  group: (id: string): Element => ({ type: 'usergroup', usergroup_id: id }),
  channel: (id: string): Element => ({ type: 'channel', channel_id: id }),
  date: (at: number, format = '{date_short_pretty}, {time}'): Element => ({
    type: 'date',
    timestamp: Math.floor(at / 1000),
    format,
    fallback: new Date(at).toISOString().replace('T', ' ').slice(0, 16).concat(' UTC'),
  }),
};

const MOMENT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/g;

/** A sentence that Switchboard wrote, with its times in the reader's zone. */
export function sentence(text: string): Element[] {
  return text
    .split(MOMENT)
    .filter((piece) => piece !== '')
    .map((piece) => (isMoment(piece) ? rich.date(Date.parse(piece)) : rich.text(piece)));
}

/** The same for places that take plain text alone: times as "2026-11-24 03:47:30 UTC". */
export function plainSentence(text: string): string {
  return text.replace(MOMENT, (moment) => `${moment.slice(0, 19).replace('T', ' ')} UTC`);
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Elements as one line of rich text. */
export function line(...elements: (Element | string)[]): Element {
  return {
    type: 'rich_text_section',
    elements: elements.map((element) => (typeof element === 'string' ? rich.text(element) : element)),
  };
}

/** Several lines in one block. */
export function lines(rows: readonly (readonly (Element | string)[])[], blockId?: string): Block {
  const elements = rows.flatMap((row, i) => (i === 0 ? [...row] : ['\n', ...row]));
  return { type: 'rich_text', ...defined({ block_id: blockId || undefined }), elements: [line(...elements)] };
}

/** A paragraph. */
export function say(...elements: (Element | string)[]): Block {
  return { type: 'rich_text', elements: [line(...elements)] };
}

export function quote(...elements: (Element | string)[]): Block {
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_quote',
        elements: elements.map((element) => (typeof element === 'string' ? rich.text(element) : element)),
      },
    ],
  };
}

export function preformatted(text: string): Block {
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [rich.text(text)] }] };
}

export function header(text: string): Block {
  return { type: 'header', text: label(text, 150) };
}

/** Small grey mrkdwn, whose addresses are no links. Text from outside must be passed through `escaped` first. */
export function small(...texts: string[]): Block {
  return {
    type: 'context',
    elements: texts.map((text) => ({ type: 'mrkdwn', text: cut(text, 3000), verbatim: true })),
  };
}

/** A highlighted sentence, for modals alone. It is plain text: nothing in it is a mention, a link or markup. */
export function alert(level: 'info' | 'warning' | 'error' | 'success', text: string): Block {
  return { type: 'alert', level, text: plain(text) };
}

export const divider: Block = { type: 'divider' };

export interface ButtonOptions {
  style?: 'primary' | 'danger';
  confirm?: { title: string; text: string; yes: string; no?: string };
}

export function button(actionId: string, text: string, value: string, options: ButtonOptions = {}): Element {
  const { style, confirm } = options;
  return {
    type: 'button',
    action_id: actionId,
    text: label(text),
    value,
    ...defined({ style }),
    ...(confirm
      ? {
          confirm: {
            title: plain(confirm.title, 100),
            text: plain(wholeSentences(confirm.text, 300), 300),
            confirm: plain(confirm.yes, 30),
            deny: plain(confirm.no ?? 'Go back', 30),
            ...(style === 'danger' ? { style: 'danger' } : {}),
          },
        }
      : {}),
  };
}

/** The sentences of a text that fit, so that none is cut off. */
function wholeSentences(text: string, max: number): string {
  if (text.length <= max) return text;
  const ends = [...text.slice(0, max + 1).matchAll(/[.!?](?=\s)/g)].map(({ index }) => index + 1);
  const last = ends.at(-1);
  return last === undefined ? text : text.slice(0, last);
}

export function actions(blockId: string, ...elements: Element[]): Block {
  return { type: 'actions', block_id: blockId, elements };
}

/** A date for `small`. */
export function shortDate(at: number): string {
  const fallback = new Date(at).toISOString().replace('T', ' ').slice(0, 16);
  return `<!date^${Math.floor(at / 1000)}^{date_short_pretty}, {time}|${fallback} UTC>`;
}

/** A message of one or two sentences. */
export function notice(mark: string, text: string, ...more: Block[]): Message {
  return { text: cut(`${mark} ${escaped(text)}`, 3000), blocks: [say(`${mark} `, text), ...more] };
}

/** Explains why a request was refused, in elements that may mention people. */
export function refusalMessage(elements: readonly Element[]): Message {
  return { text: `⛔ ${escaped(refusalText(elements))}`, blocks: [say('⛔ ', ...elements)] };
}

/** A refusal without the list of people at its end, for a place that cannot mention them. */
export function refusalText(elements: readonly Element[]): string {
  const mention = elements.findIndex(({ type }) => type !== 'text');
  const plain = mention < 0 ? elements : elements.slice(0, Math.max(1, mention - 1));
  return plain
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('')
    .trim();
}

/** Secrets that are shown once, for the person who confirmed. Slack copies each block of code with one click. */
export function onceMessage(once: Record<string, string>, labelOf: (name: string) => string): Message {
  return {
    text: 'Shown once, only to you.',
    blocks: [
      ...Object.entries(once).flatMap(([name, secret]) => [
        say('🔑 ', rich.bold(`${labelOf(name)}:`)),
        preformatted(secret),
      ]),
      small('Shown once, only to you. Copy it now: Switchboard does not keep it.'),
    ],
  };
}

/** A modal of a flow. Without `submit` it has no button but the one that closes it. */
export function flowView(
  state: FlowState,
  {
    title,
    submit,
    close,
    tellsClose,
  }: { title: string; submit?: string | undefined; close?: string; tellsClose?: true },
  blocks: readonly Block[],
): Element {
  return {
    type: 'modal',
    callback_id: state.flow,
    private_metadata: encodeState(state),
    ...(tellsClose ? { notify_on_close: true } : {}),
    title: label(title, 24),
    ...(submit === undefined ? {} : { submit: label(submit, 24) }),
    close: label(close ?? (submit === undefined ? 'Close' : 'Cancel'), 24),
    blocks,
  };
}

/** A modal without inputs. */
export function noticeView(title: string, ...blocks: Block[]): Element {
  return { type: 'modal', title: label(title, 24), close: label('Close', 24), blocks };
}

export const OUT_OF_DATE = noticeView('Out of date', say('This form is out of date. Nothing was sent. Open it again.'));
