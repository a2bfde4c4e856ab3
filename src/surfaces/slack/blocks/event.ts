import type { CardAction } from '../../../cards/card.ts';
import { LABELS } from '../../../cards/labels.ts';
import { answerParts, type OrderShown, orderCard } from '../../../cards/order.ts';
import type { EventCard } from '../../../events/handlers.ts';
import { formatPhone } from '../../../language/show.ts';
import { parseUrl } from '../../../lib/http.ts';
import { type Fields, scalarText } from '../../../lib/json.ts';
import { hasStopped, isRejected } from '../../../platform/dialect/orders.ts';
import { IDS } from '../ids.ts';
import { buttonsOf, draw } from './fitting.ts';
import { pairLines, personElement } from './render.ts';
import { usageText } from './result.ts';
import {
  actions,
  type Block,
  button,
  cut,
  type Element,
  escaped,
  header,
  lines,
  type Message,
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
const MAX_LINKS = 10;
const MAX_URL = 2000;

/** The message of an order, updated with each of its states. `correct` is offered after a rejection. */
export function orderMessage(order: OrderShown, starter: string | undefined, correct: FormButton | undefined): Message {
  const card = orderCard(order, starter, { correct });
  const headline = `${card.title}: ${card.state}`;
  const offered = buttonsOf(card.actions);
  const buttons = offered.length === 0 ? [] : [actions('sb_order', ...offered)];
  return { text: cut(escaped(headline), 3000), blocks: [header(headline), ...draw(card, { buttons }).blocks] };
}

/** A reply in the thread of an order, with what changed. */
export function orderReply({ status, message }: OrderShown, before: string, starter: string | undefined): Message {
  const change = status === before ? `Still ${status}.` : `Moved to ${status}.`;
  const mention = hasStopped(status) && starter ? [' ', personElement(starter, undefined)] : [];
  const { blocks } = draw({ title: '', parts: answerParts(isRejected(status), message) });
  return { text: cut(escaped(change), 3000), blocks: [say(change, ...mention), ...blocks] };
}

/** Id of the block with a received text. A form that answers the message quotes the text from this block. */
export const TEXT_BLOCK = 'sb_text';

/**
 * The first message of a conversation. `customer`: the name behind the number that it was sent to, once it is known.
 */
export function messageCard(message: MessageShown, reply: FormButton | undefined, customer?: string): Message {
  const title = `Message from ${formatPhone(message.from).national}`;
  return {
    text: cut(escaped(title), 3000),
    blocks: [
      header(title),
      pairLines([
        ['From', message.from],
        ...message.to.slice(0, 10).map((number) => ['To', number] as const),
        ...(customer === undefined ? [] : [['Line of', cut(customer, 300)] as const]),
      ]),
      ...contents(message),
      ...(reply ? [actions('sb_message', formButton('Reply', reply))] : []),
    ],
  };
}

/** A further message of a conversation, in its thread. */
export function messageReply(message: MessageShown, reply: FormButton | undefined): Message {
  const from = `From ${formatPhone(message.from).national}`;
  return {
    text: cut(escaped(from), 3000),
    blocks: [
      small(escaped(from)),
      ...contents(message),
      ...(reply ? [actions('sb_message', formButton('Reply', reply))] : []),
    ],
  };
}

/** Media is not downloaded; its address is shown in full. */
function contents({ text, media }: MessageShown): Block[] {
  const links = media
    .slice(0, MAX_LINKS)
    .map((url): Element[] => [
      parseUrl(url) && url.length <= MAX_URL ? { type: 'link', url } : rich.text(cut(url, MAX_URL)),
    ]);
  return [
    ...(text === '' ? [] : [{ ...say(cut(text, MAX_BODY)), block_id: TEXT_BLOCK }]),
    ...(links.length > 0 ? [lines([[rich.bold('Media')], ...links])] : []),
    ...(text === '' && links.length === 0 ? [say(rich.italic('No text.'))] : []),
  ];
}

/** A call in one line: its state, its two ends and what else is known. */
export function callLine(
  call: { from: string; to: string; facts: Readonly<Record<string, string>> },
  state: string,
  earlier: readonly string[],
): Message {
  const route = [call.from, call.to].filter((end) => end !== '').map((end) => formatPhone(end).national);
  const line = `${state}${route.length > 0 ? `: ${route.join(' → ')}` : ''}`;
  return {
    text: cut(`📞 ${escaped(line)}`, 3000),
    blocks: [
      say(
        '📞 ',
        cut(line, 1000),
        ...(earlier.length > 0 ? [rich.italic(`  (${earlier.join(', ')})`)] : []),
        ...Object.entries(call.facts).flatMap(([name, value]) => [' · ', ...fact(name, value)]),
      ),
    ],
  };
}

/** One fact about a call: a duration in words, an address as a link. */
function fact(name: string, value: string): Element[] {
  if (/^https?:\/\//.test(value) && parseUrl(value) && value.length <= MAX_URL)
    return [{ type: 'link', url: value, text: /recording/i.test(name) ? 'Recording' : name }];
  if (/seconds$/i.test(name) && /^\d{1,6}$/.test(value)) {
    const seconds = Number(value);
    return [rich.text(seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`)];
  }
  return [rich.text(`${name} ${cut(value, 200)}`)];
}

/** A reply in the thread of a conversation that reports if a message was delivered. `text`: the text of the message. */
export function deliveryReply(delivered: boolean, to: readonly string[], text: string): Message {
  const result = `${delivered ? '✅ Delivered to' : '❌ Not delivered to'} ${to.join(', ')}`;
  const quoted = text === '' ? [] : [quote(cut(text, 500))];
  return { text: cut(escaped(result), 3000), blocks: [say(cut(result, 1000)), ...quoted] };
}

/** An event of any other kind. */
export function otherCard({ title, lines, body = '' }: Omit<EventCard, 'key'>): Message {
  return {
    text: escaped(title),
    blocks: [
      header(title),
      ...(lines.length > 0 ? [pairLines(lines)] : []),
      ...(body === '' ? [] : [say(body.slice(0, MAX_BODY))]),
    ],
  };
}

function formButton(text: string, { operation, input }: FormButton): Element {
  return button(IDS.fill, text, `${operation}|${JSON.stringify(input)}`, { style: 'primary' });
}

/** The data watch's message about a number, with steps that help. */
export function watchCard(
  event: { phone: string; found: string; fields: Readonly<Fields> },
  { watchers, isWatched }: { watchers: readonly string[]; isWatched: boolean },
  steps: readonly CardAction[],
): Message {
  const { national, e164 } = formatPhone(event.phone);
  const title = `${national} ${event.found}`;
  const value = (name: string) => scalarText(event.fields[name]);
  const unit = value('ValueUnit');
  const limits = ['NotifyValue', 'ThrottleValue', 'LimitValue'].flatMap((name) =>
    value(name) === '' ? [] : [`${name.replace('Value', '').toLowerCase()} ${value(name)} ${unit}`.trimEnd()],
  );
  const bar = usageText(event.fields);
  const facts: (readonly [string, string])[] = [
    ['Number', e164],
    ...(bar === undefined
      ? ([
          ['Used', value('Used')],
          ['Remaining', value('Remaining')],
        ] as const)
      : ([['Used', bar]] as const)),
    ['Current behavior', value('CurrentBehavior')],
    ['Limits', limits.join(' · ')],
  ];
  return {
    text: cut(escaped(`⚠️ ${title}`), 3000),
    blocks: [
      header(`⚠️ ${title}`),
      pairLines(facts.filter(([, text]) => text !== '')),
      ...(watchers.length > 0
        ? [say('Watched by ', ...watchers.slice(0, 10).flatMap((user, i) => [...(i ? [', '] : []), rich.user(user)]))]
        : []),
      ...(isWatched ? [] : [small('It is no longer watched.')]),
      actions('sb_watch', ...buttonsOf([{ id: 'look', label: LABELS.look, value: event.phone }, ...steps])),
    ],
  };
}
