import codes from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };
import type { CardAction, Piece, Step, Text } from '../../../cards/card.ts';
import { placeOf, requesterOf } from '../../../cards/question.ts';
import { INNER_SPACE } from '../../../language/help.ts';
import { clean, formatPhone, stateMark } from '../../../language/show.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { identified } from '../../../lib/actor.ts';
import { defined, type Fields, plainText, recordOf, recordsIn, textOf } from '../../../lib/values.ts';
import { withDaysInWords } from '../../../platform/dialect/readings.ts';
import type { FlowState, Reworder } from '../types.ts';

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
/** Slack accepts 50 blocks in a message. */
export const MAX_BLOCKS = 50;
/** Slack accepts 3,000 characters in a text. */
const MAX_TEXT = 3_000;

/** A number as the platform writes it. */
export const PHONE = /^\+\d{7,15}$/;

export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

/** A text in pieces of at most `max` characters: whole lines or members of a list where they are shorter. */
export function pieces(text: string, max: number): string[] {
  const found: string[] = [];
  let rest = text;
  while (rest.length > max) {
    const end = Math.max(rest.lastIndexOf('\n', max - 1) + 1, rest.lastIndexOf(', ', max - 2) + 2);
    // A character beyond the basic plane is not cut in two.
    const split = /[\uD800-\uDBFF]/.test(rest.charAt(max - 1)) ? max - 1 : max;
    const at = end > max / 2 ? end : split;
    found.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...found, rest];
}

/** Plain text. Slack refuses an empty string, so that becomes a space. */
export function plain(text: string, max = MAX_TEXT): Element {
  return { type: 'plain_text', text: cut(clean(text), max) || ' ', emoji: false };
}

/** A choice of a menu. */
export function option(value: string, text: string): Element {
  return { text: plain(text, 75), value: cut(value, 150) };
}

/** Marks of mrkdwn, each with a character that looks like it. Slack has no escape for them. */
const LOOKALIKES: Readonly<Record<string, string>> = { '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ' };
const MARK = /(?<![\p{L}\p{N}])[*_~`]|[*_~`](?![\p{L}\p{N}])/gu;
const EMOJI_CODE = /(?<![\p{L}\p{N}]):(?=(?:[a-z][\w+'-]*|[+-]1|\d{3,4}):)/giu;

/** Escapes text for mrkdwn, so that nothing in it is a mention, a link, an emoji or markup. */
export function escaped(text: string): string {
  return clean(text)
    .replace(MARK, (mark) => LOOKALIKES[mark] ?? mark)
    .replace(EMOJI_CODE, '∶')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function styled(name?: 'bold' | 'italic' | 'code') {
  const style = name && { [name]: true };
  return (text: string): Element => ({ type: 'text', text: clean(text) || ' ', ...defined({ style }) });
}

/** Rich text elements. Each takes text without escaping. */
const rich = {
  text: styled(),
  bold: styled('bold'),
  italic: styled('italic'),
  code: styled('code'),
  user: (id: string): Element => ({ type: 'user', user_id: id }),
  group: (id: string): Element => ({ type: 'usergroup', usergroup_id: id }),
  channel: (id: string): Element => ({ type: 'channel', channel_id: id }),
  link: (url: string, text?: string): Element => ({ type: 'link', url, ...defined({ text }) }),
  date: (at: number): Element => ({
    type: 'date',
    timestamp: Math.floor(at / 1000),
    format: '{date_short_pretty}, {time}',
    fallback: utcOf(at),
  }),
};

/* Each by its own name, for the files that import this one as `ui`. */
export const { text, bold, italic, code, user, group, channel, link, date } = rich;

function utcOf(at: number): string {
  return `${new Date(at).toISOString().replace('T', ' ').slice(0, 16)} UTC`;
}

/** A date for `small`. */
export function shortDate(at: number): string {
  return `<!date^${Math.floor(at / 1000)}^{date_short_pretty}, {time}|${utcOf(at)}>`;
}

const MOMENT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/g;

/** A sentence that Switchboard wrote, with its times in the reader's zone and its days in words. */
export function sentence(text: string): Element[] {
  // Every second piece is a time.
  return text.split(MOMENT).flatMap((piece, i) => {
    if (piece === '') return [];
    const at = i % 2 === 1 ? Date.parse(piece) : Number.NaN;
    return [Number.isNaN(at) ? rich.text(withDaysInWords(piece)) : rich.date(at)];
  });
}

/** The same for places that take plain text alone: times as "2026-11-24 03:47:30 UTC". */
export function plainSentence(text: string): string {
  return withDaysInWords(text).replace(MOMENT, (moment) => `${moment.slice(0, 19).replace('T', ' ')} UTC`);
}

type Inline = Element | string;

function richText(type: string, elements: readonly Inline[]): Element {
  return { type, elements: elements.map((element) => (typeof element === 'string' ? rich.text(element) : element)) };
}

/** Elements as one line of rich text. */
export function line(...elements: Inline[]): Element {
  return richText('rich_text_section', elements);
}

/** A paragraph. */
export function say(...elements: Inline[]): Block {
  return { type: 'rich_text', elements: [line(...elements)] };
}

/** Several lines in one block. */
export function lines(rows: readonly (readonly Inline[])[]): Block {
  return say(...rows.flatMap((row, i) => (i === 0 ? [...row] : ['\n', ...row])));
}

export function quote(...elements: Inline[]): Block {
  return { type: 'rich_text', elements: [richText('rich_text_quote', elements)] };
}

export function header(text: string): Block {
  return { type: 'header', text: plain(text, 150) };
}

/** Small grey mrkdwn, whose addresses are no links. Text from outside must be passed through `escaped` first. */
export function small(...texts: string[]): Block {
  const elements = texts.map((text) => ({ type: 'mrkdwn', text: cut(text, MAX_TEXT), verbatim: true }));
  return { type: 'context', elements };
}

export const divider: Block = { type: 'divider' };

type ButtonOptions = Pick<CardAction, 'style' | 'confirm'>;

export function button(actionId: string, text: string, value: string, { style, confirm }: ButtonOptions = {}): Element {
  // The sentences that fit, so that none is cut off.
  const ends = [...(confirm?.text.slice(0, 301).matchAll(/[.!?](?=\s)/g) ?? [])].map(({ index }) => index + 1);
  const dialog = confirm && {
    title: plain(confirm.title, 100),
    text: plain(confirm.text.length <= 300 ? confirm.text : confirm.text.slice(0, ends.at(-1)), 300),
    confirm: plain(confirm.yes, 30),
    deny: plain('Go back', 30),
    ...(style === 'danger' && { style }),
  };
  return { type: 'button', action_id: actionId, text: plain(text, 75), value, ...defined({ style, confirm: dialog }) };
}

/** A button that opens or runs an operation with this input. None if the input is too long for a button. */
export function operationButton(id: string, text: string, operation: string, input: Fields, options?: ButtonOptions) {
  const value = `${operation}|${JSON.stringify(input)}`;
  return value.length > MAX_BUTTON_VALUE ? [] : [button(id, text, value, options)];
}

/** The row of these buttons and menus, if there are any. */
export function buttonRow(blockId: string, ...elements: Element[]): Block[] {
  return elements.length === 0 ? [] : [{ type: 'actions', block_id: blockId, elements }];
}

/** A message whose notification has `title`, a text from outside. It is cut to what Slack accepts. */
export function messageOf(title: string, blocks: readonly Block[]): Message {
  return { text: cut(escaped(withDaysInWords(title)), MAX_TEXT), blocks: blocks.slice(0, MAX_BLOCKS) };
}

/** The message with these blocks below it, which have room in any case. */
export function withBlocks({ text, blocks }: Message, ...below: readonly Block[]): Message {
  return { text, blocks: [...blocks.slice(0, MAX_BLOCKS - below.length), ...below] };
}

/** A message of one or two sentences. */
export function notice(mark: string, text: string, ...more: Block[]): Message {
  return messageOf(`${mark} ${text}`, [say(`${mark} `, text), ...more]);
}

/** Explains why a request was refused, in elements that may mention people. */
export function refusalMessage(elements: readonly Element[]): Message {
  return messageOf(`⛔ ${refusalText(elements)}`, [say('⛔ ', ...elements)]);
}

/** A refusal without the list of people at its end, for a place that cannot mention them. */
export function refusalText(elements: readonly Element[]): string {
  const mention = elements.findIndex(({ type }) => type !== 'text');
  const plain = mention < 0 ? elements : elements.slice(0, Math.max(1, mention - 1));
  const texts = plain.map(({ text }) => textOf(text));
  return texts.join('').trim();
}

/** Secrets that are shown once, for the person who confirmed. Slack copies each block of code with one click. */
export function onceMessage(once: Record<string, string>, labelOf: (name: string) => string): Message {
  return messageOf('Shown once, only to you.', [
    ...Object.entries(once).flatMap(([name, secret]) => [
      say('🔑 ', rich.bold(`${labelOf(name)}:`)),
      { type: 'rich_text', elements: [richText('rich_text_preformatted', [secret])] },
    ]),
    small('Shown once, only to you. Copy it now: Switchboard does not keep it.'),
  ]);
}

type FlowTexts = { title: string; submit?: string };

/** A modal of a flow. Without `submit` it has no button but the one that closes it. */
export function flowView(state: FlowState, { title, submit }: FlowTexts, blocks: readonly Block[]): Fields {
  return {
    type: 'modal',
    callback_id: state.flow,
    private_metadata: JSON.stringify(state),
    title: plain(title, 24),
    ...(submit !== undefined && { submit: plain(submit, 24) }),
    close: plain(submit === undefined ? 'Close' : 'Cancel', 24),
    blocks,
  };
}

/** A modal without inputs. */
export function noticeView(title: string, ...blocks: Block[]): Fields {
  return { type: 'modal', title: plain(title, 24), close: plain('Close', 24), blocks };
}

export const OUT_OF_DATE = noticeView('Out of date', say('This form is out of date. Nothing was sent. Open it again.'));

/* Draws the texts and values of cards in Slack's elements. It knows no operation. */

/** A text of a card in elements. */
export function elementsOf(text: Text, reworded: Reworder = plainText): Element[] {
  if (typeof text === 'string') return values(text);
  return text.flatMap((piece) => (piece === '' ? [] : pieceOf(piece, reworded)));
}

function pieceOf(piece: Piece, reworded: Reworder): Element[] {
  if (typeof piece === 'string') return sentence(reworded(piece));
  if ('strong' in piece) return [rich.bold(piece.strong)];
  if ('said' in piece) return [rich.italic(piece.said)];
  if ('value' in piece) return values(piece.value);
  if ('code' in piece) return [rich.code(piece.code)];
  if ('sent' in piece) return sentValue(piece.sent);
  if ('words' in piece) return sentence(reworded(piece.words));
  if ('bar' in piece) return [rich.text(`${barText(piece.bar)} ${piece.of}`)];
  if ('steps' in piece) return stepLine(piece.steps);
  return [personElement(piece.person, piece.name)];
}

/** A text of a card in mrkdwn. */
export function mrkdwnOf(text: Text, reworded: Reworder = plainText): string {
  return elementsOf(text, reworded)
    .map((element) => {
      if (element.type === 'user') return `<@${String(element.user_id)}>`;
      if (element.type === 'date') return shortDate(Number(element.timestamp) * 1000);
      const shown = escaped(String(element.text));
      return recordOf(element.style).code === true ? `\`${shown}\`` : shown;
    })
    .join('');
}

/** The Slack user of an identity or actor id; undefined for identities of other surfaces. */
export function slackUser(person: string): string | undefined {
  return /^slack:[^/]*\/([A-Z0-9]+)$/.exec(person)?.[1];
}

/**
 * A person: a mention for Slack users, otherwise the identity followed by the name. A display name alone does not identify
 * a person, because people choose it themselves. The user of this computer is called by name; the identity is that name.
 */
export function personElement(person: string, name: string | undefined): Element {
  const slack = slackUser(person);
  if (slack !== undefined) return rich.user(slack);
  const local = /^local:(.+)$/.exec(person)?.[1];
  return rich.text(local !== undefined && (name === undefined || name === local) ? local : identified(person, name));
}

/** The requester and the surface on which they asked, in mrkdwn. */
export function requesterText(action: Parameters<typeof requesterOf>[0] & Pick<Action, 'surface'>): string {
  return mrkdwnOf([requesterOf(action), placeOf(action)]);
}

const CELLS = 10;

/** A share of 1 as a bar in text, which reads the same in messages, tables and notifications. */
export function barText(share: number): string {
  // Show neither a full bar while something is left, nor an empty bar after something was used.
  const filled = Math.min(share < 1 ? CELLS - 1 : CELLS, Math.max(share > 0 ? 1 : 0, Math.round(share * CELLS)));
  return `${'▓'.repeat(filled)}${'░'.repeat(CELLS - filled)}`;
}

const STEP_MARKS: Readonly<Record<Step['state'], string>> = { done: '✅', current: '🔵', rejected: '❌', ahead: '⚪' };

/** The steps of a port-in with its position, in one line. */
function stepLine(steps: readonly Step[]): Element[] {
  return steps.flatMap(({ label, state }, i) => {
    const lead = `${i === 0 ? '' : '  ›  '}${STEP_MARKS[state]} `;
    if (state === 'done' || state === 'ahead') return [rich.text(`${lead}${label}`)];
    return [rich.text(lead), rich.bold(label), rich.text(state === 'rejected' ? ' (rejected)' : ' (current)')];
  });
}

/** Pairs of label and value, one line each, which also reads well on a phone. */
export function pairLines(pairs: readonly (readonly [string, string])[]): Block {
  return lines(
    pairs.map(([name, text]) => {
      // A line of a value must not read as another row.
      const shown = text.replaceAll('\n', '\n    ');
      // The filter of a list is not a state.
      return [rich.bold(name), '  ', ...(name === 'Filter' ? [shown] : values(shown))];
    }),
  );
}

/** An id, which people copy. */
export const ID = /^[A-Z]{2,7}-[A-Za-z0-9._-]{4,}$/;
/** A SIM's serial number. */
const SIM = /^\d{18,21}[\dFf]?$/;
const PHONES = /^\+\d{7,15}(, \+\d{7,15})+$/;
const MAX_VALUE = 2_000;

/** A number in both notations, numbers and ids as code; undefined for any other text. */
function codesOf(text: string): Element[] | undefined {
  if (PHONE.test(text)) {
    const { national, e164 } = formatPhone(text);
    return national === e164 ? [rich.code(e164)] : [rich.text(`${national}  `), rich.code(e164)];
  }
  if (PHONES.test(text))
    return text.split(', ').flatMap((one, i) => [...(i === 0 ? [] : [rich.text(', ')]), rich.code(one)]);
  return ID.test(text) ? [rich.code(text)] : undefined;
}

/** A value exactly as it is sent. */
function sentValue(text: string): Element[] {
  const [, phone, whose] = /^(\+\d{7,15}) (\(.+\))$/.exec(text) ?? [];
  if (phone !== undefined && whose !== undefined) return [...sentValue(phone), rich.text(` ${whose}`)];
  return codesOf(text) ?? [rich.text(text)];
}

/** One value as one element. */
export function value(text: string): Element {
  const [first, ...others] = values(text);
  return first !== undefined && others.length === 0 ? first : rich.text(text);
}

/** One value of a record: states with a mark, times in the reader's zone. */
export function values(raw: string): Element[] {
  const text = clean(raw);
  const codes = codesOf(text);
  if (codes) return codes;
  if (SIM.test(text)) return [rich.code(text)];
  const at = timeIn(text);
  if (at !== undefined) return [rich.date(at)];
  // "Acme Mobile (AID-…)".
  const [, name, id] = /^(.+ )\(([A-Z]{2,7}-[\w.-]{4,})\)$/.exec(text) ?? [];
  if (name !== undefined && id !== undefined) return [rich.text(name), rich.code(id)];
  const mark = stateMark(text);
  if (mark !== '') return [rich.text(`${mark} ${text}`)];
  return [rich.text(shortened(dayValue(text), MAX_VALUE))];
}

/** A value with its day in words, if it is a day or one of our states with a day. A text of others stays as it is. */
export function dayValue(text: string): string {
  return WHOLE_DAY.test(text) ? withDaysInWords(text) : text;
}

const WHOLE_DAY = /^(?:[a-z ]+ )?\d{4}-\d\d-\d\d(?: \([a-z0-9 ]+\))?$/;

/** The beginning of a value that is too long. */
export function shortened(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}… (${text.length - max} more characters)`;
}

/** A time with its zone, as epoch ms. A date without a time is not converted. */
export function timeIn(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/* Slack changes what people type before it sends it to an app. These functions change it back. */

/** Links and references: `<target>` or `<target|label>`. */
const MARKUP = /<((?:tel:|mailto:|https?:\/\/|[@#!])[^<>|]*)(?:\|([^<>]*))?>/gi;

/**
 * The text that a person typed in a message or a form: links and references as they were typed, emoji as characters,
 * `&amp;` as `&`.
 */
export function typedText(text: string): string {
  // Each space stays.
  return typedLine(text, '$&');
}

/** Like `typedText`, for a line that is split at spaces afterwards: those of a link's text do not split it. */
export function typedLine(text: string, space = INNER_SPACE): string {
  const line = text.replace(MARKUP, (_all, target: string, label?: string) =>
    typed(target, label).replace(/\s/g, space),
  );
  return unescaped(withEmoji(line));
}

/** A secret as it was typed. It may have the letters of an emoji's code. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/**
 * Returns the typed text of a link or a reference. Slack links what looks like an address or a number and keeps the
 * typed text as the label. If the label is something else, a person has made words a link to the address.
 */
function typed(target: string, label: string | undefined): string {
  const [mark = ''] = target;
  if (/^!date\^/.test(target)) return label ?? '';
  if ('@#!'.includes(mark)) return reference(mark, target.slice(1), label);
  const address = target.replace(/^(?:tel|mailto):/i, '');
  if (label === undefined || label === '') return address;
  if (!/^https?:/i.test(target) || bare(label) === bare(target)) return label;
  // The words alone would lose the address, and the address alone the words.
  return /^https?:\/\/|^www\./i.test(label) ? target : `${label} (${target})`;
}

/**
 * A person, a channel or a group as typed, with its mark. Where Slack sends no name it stays a reference, which no field
 * takes: its id says nothing to a customer.
 */
function reference(mark: string, id: string, label: string | undefined): string {
  const isWord = mark === '!' && /^[a-z]+$/.test(id);
  if (label === undefined || label === '') return isWord ? `@${id}` : `<${mark}${id}>`;
  if (mark === '#') return `#${label.replace(/^#/, '')}`;
  return `@${label.replace(/^@/, '')}`;
}

function bare(address: string): string {
  return unescaped(address)
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .toLowerCase();
}

/** The text of a block of rich text, or of a part of one, as Slack writes the text of a message. `typedText` reads it. */
export function textOfRich({ type, elements, text, url, name, user_id: user }: Fields): string {
  const isLines = type === 'rich_text' || type === 'rich_text_list';
  if (Array.isArray(elements))
    return recordsIn(elements)
      .map(textOfRich)
      .join(isLines ? '\n' : '');
  if (type === 'emoji') return `:${textOf(name)}:`;
  if (type === 'user') return `<@${textOf(user)}>`;
  const written = textOf(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return type === 'link' ? `<${[textOf(url), written].filter((part) => part !== '').join('|')}>` : written;
}

/* Slack sends an emoji as its code (`:wave:`), whether it was chosen, typed or pasted. */

/** A word with an address, in which nothing is a code (`https://host/:id:/`), or one code with the tone of the skin behind it. */
const CODE = /(?<!\S)\S*:\/\/\S*|:([a-z0-9_+'-]+):(?::skin-tone-([2-6]):)?/g;
/** Between other characters, so short a name is rather a part of a time, an address or a ratio: "10:100:1". */
const SHORT = /^(?:.{1,3}|\d+)$/;

/** The characters of each code. Filled when the first text with a code is read. */
let byCode: Map<string, string> | undefined;

/** A text with the characters of Slack's emoji in place of their codes. A workspace's own emoji have no character. */
function withEmoji(text: string): string {
  return text.replace(CODE, (code: string, name: string | undefined, tone: string | undefined, at: number) => {
    if (name === undefined) return code;
    byCode ??= charactersByCode();
    const found = byCode.get(name);
    const isInside = /[\p{L}\p{N}]$/u.test(text.slice(0, at)) || /^[\p{L}\p{N}]/u.test(text.slice(at + code.length));
    if (found === undefined || (isInside && SHORT.test(name))) return code;
    return tone === undefined ? found : withTone(found, Number(tone));
  });
}

/** The emoji with a tone on its first person or hand; with the tone beside it if it has none. */
function withTone(emoji: string, tone: number): string {
  // Slack counts from the lightest, which is 2; Unicode's modifiers begin at U+1F3FB.
  const modifier = String.fromCodePoint(0x1f3fb + tone - 2);
  const toned = emoji.replace(/^(\p{Emoji_Modifier_Base})\ufe0f?/u, `$1${modifier}`);
  return toned === emoji ? emoji + modifier : toned;
}

function charactersByCode(): Map<string, string> {
  return new Map(
    Object.entries(codes as Record<string, string | string[]>).flatMap(([points, names]) => {
      const emoji = String.fromCodePoint(...points.split('-').map((point) => Number.parseInt(point, 16)));
      // The data leaves out most selectors (U+FE0F) that show a character as a picture instead of a sign.
      const shown = emoji.replace(/(?!\p{Emoji_Presentation})\p{Emoji}(?![\ufe0f\p{Emoji_Modifier}])/gu, '$&\ufe0f');
      return [names].flat().map((name) => [name, shown] as const);
    }),
  );
}
