import { carrierReason } from '../../../../tools/shared/carrier-reasons.ts';
import { hasStopped, orderSteps } from '../../../../tools/shared/orders.ts';
import { formatPhone } from '../../../language/show.ts';
import { type Step, stepButton } from '../flows/lookup.ts';
import { IDS } from '../ids.ts';
import { pairLines } from './result.ts';
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

/** How an order stands, as its card shows it. */
export interface OrderShown {
  orderId: string;
  status: string;
  message: string;
  numbers?: readonly string[];
}

export interface MessageShown {
  from: string;
  to: readonly string[];
  text: string;
  media: readonly string[];
}

/** A button that opens an operation's form with values in it. */
export interface FormButton {
  toolId: string;
  input: Record<string, unknown>;
}

const MAX_BODY = 10_000;
const MAX_LINKS = 10;
const MAX_URL = 2000;

export function orderCard(order: OrderShown, asker: string | undefined, correct: FormButton | undefined): Message {
  const { orderId, status, message, numbers = [] } = order;
  const rejected = status === 'Rejected';
  const steps = stepsOf(status);
  const [first, ...more] = numbers.map((number) => formatPhone(number));
  const blocks: Block[] = [
    header(`Order ${status}${first ? `: ${first.national}` : ''}`),
    lines([
      ...(first
        ? [
            [
              rich.bold('Number'),
              `  ${first.national}  `,
              rich.code(first.e164),
              more.length > 0 ? ` and ${more.length} more` : '',
            ],
          ]
        : []),
      [rich.bold('Order'), '  ', rich.code(orderId)],
      ...(asker ? [[rich.bold('Started by'), '  ', rich.user(asker)]] : []),
    ]),
    ...(steps.length > 0 ? [lines(steps)] : []),
  ];
  const reason = rejected ? carrierReason(message) : undefined;
  if (reason) blocks.push(say(rich.bold('Why'), '  ', reason.words));
  if (message !== '') {
    blocks.push(say(rejected ? 'The carrier rejected it and says:' : 'The platform says:'), quote(cut(message, 2000)));
  } else if (rejected) blocks.push(say('The carrier rejected it and gave no reason.'));
  if (rejected && correct) {
    blocks.push(say('Correct what the carrier objects to; the order is then submitted again.'));
    blocks.push(actions('sb_order', formButton('Correct and re-submit', correct)));
  }
  return { text: cut(escaped(`Order ${status}: ${orderId}`), 3000), blocks };
}

/** The steps of a port-in, with where it is. Nothing for a state that is none of them. */
export function stepsOf(status: string): (Element | string)[][] {
  // A rejection is the carrier's answer; a cancellation tells nothing of how far the order had come.
  const rejected = status === 'Rejected';
  const at = orderSteps.findIndex(([name]) => name === (rejected ? 'Pending Carrier Approval' : status));
  if (at < 0) return [];
  return orderSteps.map(([, words], i) => {
    if (i < at || status === 'Completed') return [`✅ ${words}`];
    if (i > at) return [`⚪ ${words}`];
    return [rejected ? '❌ ' : '🔵 ', rich.bold(words), rejected ? ' (rejected)' : ' (now)'];
  });
}

export function orderReply(order: OrderShown, before: string, asker: string | undefined): Message {
  const { status, message } = order;
  const words = status === before ? `Still ${status}.` : `Moved to ${status}.`;
  const reason = status === 'Rejected' ? carrierReason(message) : undefined;
  const ended = hasStopped(status);
  return {
    text: cut(escaped(words), 3000),
    blocks: [
      say(words, ...(ended && asker ? [' ', rich.user(asker)] : [])),
      ...(reason ? [say(reason.words)] : []),
      ...(message === '' ? [] : [quote(cut(message, 2000))]),
    ],
  };
}

export function messageCard(message: MessageShown, reply: FormButton | undefined): Message {
  const title = `Message from ${formatPhone(message.from).national}`;
  return {
    text: cut(escaped(title), 3000),
    blocks: [
      header(title),
      pairLines([['From', message.from], ...message.to.slice(0, 10).map((number) => ['To', number] as const)]),
      ...contents(message),
      ...(reply ? [actions('sb_message', formButton('Reply', reply))] : []),
    ],
  };
}

export function messageReply(message: MessageShown): Message {
  const from = `From ${formatPhone(message.from).national}`;
  return { text: cut(escaped(from), 3000), blocks: [small(escaped(from)), ...contents(message)] };
}

/** Media stays where it is: its address, in full, for whoever wants to open it. */
function contents({ text, media }: MessageShown): Block[] {
  const links = media
    .slice(0, MAX_LINKS)
    .map((url): Element[] => [
      URL.canParse(url) && url.length <= MAX_URL ? { type: 'link', url } : rich.text(cut(url, MAX_URL)),
    ]);
  return [
    ...(text === '' ? [] : [say(cut(text, MAX_BODY))]),
    ...(links.length > 0 ? [lines([[rich.bold('Media')], ...links])] : []),
    ...(text === '' && links.length === 0 ? [say(rich.italic('Without text.'))] : []),
  ];
}

export function callLine(
  call: { from: string; to: string; facts: Readonly<Record<string, string>> },
  state: string,
  earlier: readonly string[],
): Message {
  const route = [call.from, call.to].filter((end) => end !== '').map((end) => formatPhone(end).national);
  const words = `${state}${route.length > 0 ? `: ${route.join(' → ')}` : ''}`;
  return {
    text: cut(`📞 ${escaped(words)}`, 3000),
    blocks: [
      say(
        '📞 ',
        cut(words, 1000),
        ...(earlier.length > 0 ? [rich.italic(`  (${earlier.join(', ')})`)] : []),
        ...Object.entries(call.facts).flatMap(([name, value]) => [' · ', ...fact(name, value)]),
      ),
    ],
  };
}

/** One more thing about a call: a length in words, an address as a link. */
function fact(name: string, value: string): Element[] {
  if (/^https?:\/\//.test(value) && URL.canParse(value) && value.length <= MAX_URL)
    return [{ type: 'link', url: value, text: /recording/i.test(name) ? 'Recording' : name }];
  if (/seconds$/i.test(name) && /^\d{1,6}$/.test(value)) {
    const seconds = Number(value);
    return [rich.text(seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`)];
  }
  return [rich.text(`${name} ${cut(value, 200)}`)];
}

export function deliveryReply(delivered: boolean, to: readonly string[], text: string): Message {
  const words = `${delivered ? '✅ Delivered to' : '❌ Failed: not delivered to'} ${to.join(', ')}`;
  const reworded = text === '' ? [] : [quote(cut(text, 500))];
  return { text: cut(escaped(words), 3000), blocks: [say(cut(words, 1000)), ...reworded] };
}

function formButton(text: string, { toolId, input }: FormButton): Element {
  return button(IDS.fill, text, `${toolId}|${JSON.stringify(input)}`, { style: 'primary' });
}

/** What the data watch found at a number, with what can be done about it. */
export function watchCard(
  event: { phone: string; found: string; fields: Readonly<Record<string, unknown>> },
  people: readonly string[],
  helps: readonly Step[],
): Message {
  const { national, e164 } = formatPhone(event.phone);
  const title = `${national} ${event.found}`;
  const value = (name: string) => (event.fields[name] === undefined ? '' : String(event.fields[name] ?? ''));
  const unit = value('ValueUnit');
  const limits = ['NotifyValue', 'ThrottleValue', 'LimitValue'].flatMap((name) =>
    value(name) === '' ? [] : [`${name.replace('Value', '').toLowerCase()} ${value(name)} ${unit}`.trimEnd()],
  );
  const facts: (readonly [string, string])[] = [
    ['Number', e164],
    ['Used', value('Used')],
    ['Remaining', value('Remaining')],
    ['Now', value('CurrentBehavior')],
    ['Limits', limits.join(' · ')],
  ];
  return {
    text: cut(escaped(`⚠️ ${title}`), 3000),
    blocks: [
      header(`⚠️ ${title}`),
      pairLines(facts.filter(([, text]) => text !== '')),
      ...(people.length > 0
        ? [say('Watched by ', ...people.slice(0, 10).flatMap((user, i) => [...(i ? [', '] : []), rich.user(user)]))]
        : []),
      actions(
        'sb_watch',
        button(`${IDS.look}_0`, 'Look up', event.phone),
        ...helps.map((step, i) => stepButton(step, event.phone, i)),
      ),
    ],
  };
}
