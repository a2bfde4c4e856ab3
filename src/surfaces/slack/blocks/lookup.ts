import { guides } from '../../../../tools/surfaces/flows.ts';
import type { Happening, Tool } from '../../../catalogue/operation.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { formatPhone, rowsOf, stateMark } from '../../../language/show.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Fields, isRecord, recordOf, textOf } from '../../../lib/json.ts';
import { answeredStatus, orderOf, orderOutlook } from '../../../platform/dialect/orders.ts';
import { IDS } from '../ids.ts';
import { actionLine } from './action-list.ts';
import { titleOf } from './card.ts';
import { stepLine } from './order-steps.ts';
import { requesterElement } from './people.ts';
import { pairLines, values } from './result.ts';
import { type Step, stepButton } from './steps.ts';
import {
  actions,
  type Block,
  button,
  cut,
  divider,
  type Element,
  escaped,
  header,
  label,
  lines,
  type Message,
  plain,
  rich,
  say,
  small,
} from './text.ts';
import { usageBar } from './usage.ts';

export interface LookupCard {
  phone: string;
  value: Fields;
  recent: readonly { action: Action; tool: Tool | undefined }[];
  /** The newest message received. */
  inbound?: Happening | undefined;
  /** The last reported state of an order. */
  reportOf?: (orderId: string) => { status: string } | undefined;
  /** Steps shown as buttons. */
  first: readonly Step[];
  /** All operations that take the number, as a menu. */
  next: readonly { group: string; tools: readonly Tool[] }[];
  /** Handle of the stored answer. */
  handle?: string;
  /** IANA zone of times that carry none. */
  timeZone?: string;
}

/** Values that the headline shows. */
const HEAD = /^(Status|Phone number|Number)$/;

const MAX_PAIRS = 10;
const MAX_STEPS = 6;
/** Fields in the order in which support staff ask for them. */
const PRIORITIES: readonly RegExp[] = [
  /sim|iccid|imei/i,
  /route/i,
  /cancel|expir|delete|swap/i,
  /account/i,
  /type|classification/i,
  /enabled/i,
];

function byPriority(pairs: readonly [string, string][]): [string, string][] {
  const priority = (name: string) => {
    const found = PRIORITIES.findIndex((pattern) => pattern.test(name));
    return found < 0 ? PRIORITIES.length : found;
  };
  return [...pairs].sort(([a], [b]) => priority(a) - priority(b));
}

/** A record in one line. Names, addresses and ids need no label. */
function inline(pairs: readonly [string, string][]): Element[] {
  const isId = (text: string) => /^[A-Z]{2,7}-\S+$/.test(text);
  const ordered = [...pairs.filter(([, text]) => !isId(text)), ...pairs.filter(([, text]) => isId(text))];
  return ordered.flatMap(([name, text], i) => {
    const bare = /name|mail/i.test(name) || isId(text);
    const dot = i === 0 ? [] : [rich.text(' · ')];
    if (isCount(name, text)) return [...dot, rich.text(`${text} ${name.toLowerCase()}`)];
    return [...dot, ...(bare ? [] : [rich.text(`${name.toLowerCase()} `)]), ...values(text)];
  });
}

/** Longer lists of a related record, such as all numbers of the subscriber, are shown as a count. */
const MAX_LISTED = 2;

/** "Phone numbers" and 7, which read "7 phone numbers". */
const isCount = (name: string, text: string) => /^\d+$/.test(text) && name.endsWith('numbers');

function counted(part: Fields): Fields {
  const told = (value: unknown) => (Array.isArray(value) && value.length > MAX_LISTED ? value.length : value);
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, told(value)]));
}

/** Everything important about one number, compact enough for a small screen. */
export function lookupCard(card: LookupCard): Message {
  const { national, e164 } = formatPhone(card.phone);
  const records = Object.entries(card.value).flatMap(([name, part]) => (isRecord(part) ? [{ name, part }] : []));
  const [main, ...related] = records;
  const status = textOf(main?.part.Status);
  // The lookup's summary says more than the state: "Active, but SMS is off; 19.75 of 20 MB used".
  const summary = textOf(card.value.Summary) || status;
  const mark = summary.includes(', but ') ? '⚠️' : stateMark(status);
  const blocks: Block[] = [
    header(`${mark} ${summary === '' ? '' : `${summary} · `}${national}`.trim()),
    say(rich.code(e164)),
  ];
  const shown = new Set([e164, status]);
  /** Shows each value once, because records repeat the ids of others. */
  const fresh = (pairs: readonly [string, string][]) =>
    pairs.filter(([, text]) => {
      const isFresh = !shown.has(text);
      for (const one of [text, /\(([A-Z]{2,7}-\S+)\)$/.exec(text)?.[1] ?? text]) shown.add(one);
      return isFresh;
    });
  const words = { brief: true, timeZone: card.timeZone };
  for (const { name, part } of related) {
    const bar = usageBar(part.Used, part.Remaining);
    const pairs = rowsOf(counted(part), words).pairs.filter(
      ([key]) => bar === undefined || !/^(Used|Remaining)$/.test(key),
    );
    const inner = fresh(pairs).slice(0, 8);
    if (inner.length > 0 || bar !== undefined)
      blocks.push(say(rich.bold(spaced(name)), '  ', ...usageThen(bar, inline(inner))));
  }
  const own = rowsOf(main?.part ?? {}, words).pairs.filter(([name]) => !HEAD.test(name));
  const left = fresh(byPriority(own));
  if (left.length > 0) blocks.push(pairLines(left.slice(0, MAX_PAIRS)));
  if (left.length > MAX_PAIRS)
    blocks.push(small(`… ${left.length - MAX_PAIRS} more values${card.handle ? ': JSON' : ''}`));
  for (const [name, part] of Object.entries(card.value)) {
    if (!Array.isArray(part) || part.length === 0) continue;
    const texts = part.map((entry) =>
      typeof entry === 'string'
        ? entry
        : rowsOf(entry, words)
            .pairs.map(([n, t]) => `${n} ${t}`)
            .join(', '),
    );
    blocks.push(say(rich.bold(spaced(name)), '  ', cut(texts.join('\n'), 1500)));
  }
  blocks.push(...openOrders(card), ...lastMessage(card));
  if (card.recent.length > 0)
    blocks.push(divider, say(rich.bold('Recent actions')), recentActions(card.recent.slice(0, 5)));
  blocks.push(...nextSteps(card));
  return { text: cut(escaped(`${national}${summary === '' ? '' : `: ${summary}`}`), 300), blocks: blocks.slice(0, 50) };
}

const SENT: ReadonlySet<string> = new Set(['in_flight', 'done', 'partly', 'unknown']);

/** Orders placed through Switchboard that are open by their last report, or by the answer to the order. */
function openOrders({ recent, reportOf }: LookupCard): Block[] {
  const seen = new Set<string>();
  const rows = recent.flatMap(({ action, tool }) => {
    const id = orderOf(action);
    // Newest first: the latest action of an order counts.
    if (!['done', 'partly'].includes(action.state) || id === undefined || seen.has(id)) return [];
    seen.add(id);
    const status = reportOf?.(id)?.status ?? answeredStatus(action);
    if (status === undefined || orderOutlook(status) !== 'open') return [];
    const steps = isPortIn(action) ? stepLine(status) : [];
    return [
      [rich.code(id), ` ${titleOf(action, tool)} · ${status} as of `, rich.date(action.updatedAt)],
      ...(steps.length > 0 ? [steps] : []),
    ];
  });
  return rows.length === 0 ? [] : [lines([[rich.bold('Open orders')], ...rows])];
}

/** True for an order that a port-in placed or corrected. */
function isPortIn({ operation }: Action): boolean {
  return guides.some(({ submit, correct }) => [submit.operation, correct.operation].includes(operation));
}

function usageThen(bar: string | undefined, others: Element[]): Element[] {
  if (bar === undefined) return others;
  return [rich.text(bar), ...(others.length > 0 ? [rich.text(' · '), ...others] : [])];
}

/** The newest message: received, or sent through Switchboard. */
function lastMessage({ recent, inbound }: LookupCard): Block[] {
  const sent = recent.find(
    ({ action: { shown, state } }) => SENT.has(state) && typeof shown.Body === 'string' && shown.To !== undefined,
  );
  const receivedAt = inbound ? Date.parse(inbound.at) : 0;
  if (inbound && receivedAt > (sent?.action.updatedAt ?? 0)) {
    const { From, Body } = inbound.values;
    const from = typeof From === 'string' ? formatPhone(From).national : '';
    return [
      say(
        rich.bold('Last message'),
        `  📩 received from ${from}, `,
        rich.date(receivedAt),
        ...(typeof Body === 'string' && Body !== '' ? ['\n', rich.italic(cut(Body, 200))] : []),
      ),
    ];
  }
  if (!sent) return [];
  const { action, tool } = sent;
  const { mark, word } = outcomeOf(action, tool);
  return [
    say(
      rich.bold('Last message'),
      `  ${mark} ${action.state === 'done' ? 'sent' : word.toLowerCase()}, `,
      rich.date(action.updatedAt),
      '\n',
      rich.italic(cut(String(action.shown.Body), 200)),
    ),
  ];
}

function recentActions(recent: LookupCard['recent']): Block {
  return lines(
    recent.map(({ action, tool }) => [
      ...actionLine(action, tool),
      rich.text(' · asked by '),
      requesterElement(action),
    ]),
  );
}

function nextSteps(card: LookupCard): Block[] {
  const elements: Element[] = card.first
    .slice(0, MAX_STEPS)
    .map((step, i) => stepButton(step, card.phone, i, accountOf(card.value)));
  const groups = card.next
    .map(({ group, tools }) => ({
      label: plain(group, 75),
      options: tools
        .slice(0, 100)
        .map((tool) => ({ text: plain(tool.title, 75), value: cut(`${tool.id}|${card.phone}`, 150) })),
    }))
    .filter(({ options }) => options.length > 0);
  if (groups.length > 0) {
    elements.push({
      type: 'static_select',
      action_id: IDS.nextMore,
      placeholder: label('More actions…', 150),
      option_groups: groups,
    });
  }
  if (card.handle) {
    elements.push(button(IDS.share, 'Share', `${card.handle}|0`), button(IDS.json, 'JSON', `${card.handle}|0`));
  }
  return elements.length === 0 ? [] : [actions(`next:${card.phone}`, ...elements)];
}

/** The account that a record names. */
function accountOf(value: Fields): string | undefined {
  for (const part of Object.values(value)) {
    const account = textOf(recordOf(part).AccountId);
    if (account !== '') return account;
  }
  return undefined;
}

function spaced(name: string): string {
  const text = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Asks which of several numbers in a message to look up. */
export function numbersFound(numbers: readonly string[]): Message {
  const shown = numbers.slice(0, 25);
  const blocks: Block[] = [
    say(`That message contains ${numbers.length} numbers. Which one?`),
    actions('found', ...shown.map((number, i) => button(`${IDS.look}_${i}`, formatPhone(number).national, number))),
  ];
  if (numbers.length > shown.length) blocks.push(small(`… ${numbers.length - shown.length} more`));
  return { text: `${numbers.length} numbers found`, blocks };
}
