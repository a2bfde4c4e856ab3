import { type CardAction, headlineOf, LABELS } from '../../../cards/card.ts';
import { type OrderReader, type OrderShown, orderCard } from '../../../cards/order.ts';
import type { EventCard } from '../../../events/service.ts';
import { formatPhone } from '../../../language/show.ts';
import { parseUrl } from '../../../lib/http.ts';
import { type Fields, scalarText } from '../../../lib/values.ts';
import { hasStopped } from '../../../platform/dialect/orders.ts';
import { IDS } from '../types.ts';
import { buttonsOf, draw } from './fitting.ts';
import { usageText } from './result.ts';
import {
  actions,
  type Block,
  buttonRow,
  cut,
  type Element,
  escaped,
  header,
  lines,
  type Message,
  messageOf,
  operationButton,
  pairLines,
  personElement,
  quote,
  rich,
  say,
  small,
} from './text.ts';

export interface MessageShown {
  from: string;
  to: readonly string[];
  text: string;
  media: readonly string[];
}

/** A button that opens an operation's form with values in it. */
export interface FormButton {
  operation: string;
  input: Fields;
}

const MAX_BODY = 10_000;
const MAX_SHOWN = 10;
const MAX_URL = 2000;

/** The message of an order, updated with each of its states. */
export function orderMessage(order: OrderShown, starter: string | undefined, reader: OrderReader): Message {
  const card = orderCard(order, starter, reader);
  const headline = headlineOf(card);
  const buttons = buttonRow('sb_order', buttonsOf(card.actions));
  return messageOf(headline, [header(headline), ...draw(card, { buttons }).blocks]);
}

/** A reply in the thread of an order that says what changed. The message above it has the reason. */
export function orderReply({ status }: OrderShown, before: string, starter: string | undefined): Message {
  const change = status === before ? `Still ${status}.` : `Moved to ${status}.`;
  const mention = hasStopped(status) && starter ? [' ', personElement(starter, undefined)] : [];
  return messageOf(change, [say(change, ...mention)]);
}

/** Id of the block with a received text. A form that answers the message quotes the text from this block. */
export const TEXT_BLOCK = 'sb_text';

/**
 * The first message of a conversation. `customer`: the name behind the number that it was sent to, once it is known.
 */
export function messageCard(message: MessageShown, reply: FormButton | undefined, customer?: string): Message {
  const title = `Message from ${formatPhone(message.from).national}`;
  return messageOf(title, [
    header(title),
    pairLines([
      ['From', message.from],
      ...message.to.slice(0, MAX_SHOWN).map((number) => ['To', number] as const),
      ...(customer === undefined ? [] : [['Line of', cut(customer, 300)] as const]),
    ]),
    ...contents(message, reply),
  ]);
}

/** A further message of a conversation, in its thread. */
export function messageReply(message: MessageShown, reply: FormButton | undefined): Message {
  const from = `From ${formatPhone(message.from).national}`;
  return messageOf(from, [small(escaped(from)), ...contents(message, reply)]);
}

/** Media is not downloaded; its address is shown in full. */
function contents({ text, media }: MessageShown, reply: FormButton | undefined): Block[] {
  const links = media.slice(0, MAX_SHOWN).map((url) => [isLink(url) ? rich.link(url) : rich.text(cut(url, MAX_URL))]);
  return [
    ...(text === '' ? [] : [{ ...say(cut(text, MAX_BODY)), block_id: TEXT_BLOCK }]),
    ...(links.length > 0 ? [lines([[rich.bold('Media')], ...links])] : []),
    ...(text === '' && links.length === 0 ? [say(rich.italic('No text.'))] : []),
    ...(reply
      ? buttonRow('sb_message', operationButton(IDS.fill, 'Reply', reply.operation, reply.input, { style: 'primary' }))
      : []),
  ];
}

function isLink(text: string): boolean {
  return text.length <= MAX_URL && parseUrl(text) !== undefined;
}

/** A call in one line: its state, its two ends and what else is known. */
export function callLine(
  call: { from: string; to: string; facts: Readonly<Record<string, string>> },
  state: string,
  earlier: readonly string[],
): Message {
  const route = [call.from, call.to].filter((end) => end !== '').map((end) => formatPhone(end).national);
  const line = `${state}${route.length > 0 ? `: ${route.join(' → ')}` : ''}`;
  return messageOf(`📞 ${line}`, [
    say(
      '📞 ',
      cut(line, 1000),
      ...(earlier.length > 0 ? [rich.italic(`  (${earlier.join(', ')})`)] : []),
      ...Object.entries(call.facts).flatMap(([name, value]) => [' · ', fact(name, value)]),
    ),
  ]);
}

/** One fact about a call: a duration in words, an address as a link. */
function fact(name: string, value: string): Element {
  if (/^https?:\/\//.test(value) && isLink(value))
    return rich.link(value, /recording/i.test(name) ? 'Recording' : name);
  if (!/seconds$/i.test(name) || !/^\d{1,6}$/.test(value)) return rich.text(`${name} ${cut(value, 200)}`);
  const seconds = Number(value);
  return rich.text(seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`);
}

/** A reply in the thread of a conversation that reports if a message was delivered. `text`: the text of the message. */
export function deliveryReply(delivered: boolean, to: readonly string[], text: string): Message {
  const result = `${delivered ? '✅ Delivered to' : '❌ Not delivered to'} ${to.join(', ')}`;
  return messageOf(result, [say(cut(result, 1000)), ...(text === '' ? [] : [quote(cut(text, 500))])]);
}

/** An event of any other kind. */
export function otherCard({ title, lines, body = '' }: Omit<EventCard, 'key'>): Message {
  return messageOf(title, [
    header(title),
    ...(lines.length > 0 ? [pairLines(lines)] : []),
    ...(body === '' ? [] : [say(cut(body, MAX_BODY))]),
  ]);
}

/** The data watch's message about a number, with steps that help. */
export function watchCard(
  event: { phone: string; found: string; fields: Readonly<Fields> },
  { watchers, isWatched }: { watchers: readonly string[]; isWatched: boolean },
  steps: readonly CardAction[],
): Message {
  const { national, e164 } = formatPhone(event.phone);
  const title = `⚠️ ${national} ${event.found}`;
  const value = (name: string) => scalarText(event.fields[name]);
  const limits = ['Notify', 'Throttle', 'Limit'].flatMap((name) => {
    const limit = value(`${name}Value`);
    return limit === '' ? [] : [`${name.toLowerCase()} ${limit} ${value('ValueUnit')}`.trimEnd()];
  });
  const bar = usageText(event.fields);
  const facts: (readonly [string, string])[] = [
    ['Number', e164],
    ['Used', bar ?? value('Used')],
    ['Remaining', bar === undefined ? value('Remaining') : ''],
    ['Current behavior', value('CurrentBehavior')],
    ['Limits', limits.join(' · ')],
  ];
  const people = watchers.slice(0, MAX_SHOWN).flatMap((user, i) => [...(i > 0 ? [', '] : []), rich.user(user)]);
  return messageOf(title, [
    header(title),
    pairLines(facts.filter(([, text]) => text !== '')),
    ...(people.length > 0 ? [say('Watched by ', ...people)] : []),
    ...(isWatched ? [] : [small('It is no longer watched.')]),
    actions('sb_watch', ...buttonsOf([{ id: 'look', label: LABELS.look, value: event.phone }, ...steps])),
  ]);
}
