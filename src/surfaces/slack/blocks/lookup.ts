import { placesOrder } from '../../../../tools/surfaces/flows.ts';
import type { Happening, Tool, WaitingChange } from '../../../catalogue/operation.ts';
import { numberHeadline } from '../../../language/number-headline.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import type { UsedRecord } from '../../../language/records.ts';
import { formatPhone, rowsOf } from '../../../language/show.ts';
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
  /** The account, routes and package that the number uses, by name. */
  uses?: readonly UsedRecord[];
  recent: readonly { action: Action; tool: Tool | undefined }[];
  /** Changes of the number that wait for a person. */
  waiting?: readonly WaitingChange[];
  /** The newest message received. */
  inbound?: Happening | undefined;
  /** The last reported state of an order. */
  reportOf?: (orderId: string) => { status: string } | undefined;
  /** The button that puts the worst trouble right. */
  fix?: Element | undefined;
  /** Buttons of eSIM codes. */
  codes?: readonly Element[];
  /** Steps shown as buttons, the most wanted first. */
  first: readonly Step[];
  /** All operations that take the number, as a menu. */
  next: readonly { group: string; tools: readonly Tool[] }[];
  /** Handle of the stored answer. */
  handle?: string;
  /** IANA zone of times that carry none. */
  timeZone?: string;
}

const MAX_STEPS = 5;
/** Values of the number's own record that the card shows, in the order in which support staff ask for them. */
const OWN: readonly RegExp[] = [
  /^iccid$/i,
  /^swaps/i,
  /^next swap/i,
  /cancel|expir|delete/i,
  /^(number|product|message) type$/i,
];
const ID = /^[A-Z]{2,7}-\S+$/;
/** "Acme Mobile (AID-…)". */
const NAMED = /^(.+) \(([A-Z]{2,7}-[\w.-]{4,})\)$/;

function ownPairs(pairs: readonly [string, string][]): [string, string][] {
  const place = (name: string) => OWN.findIndex((pattern) => pattern.test(name));
  const shown = pairs.filter(([name, text]) => place(name) >= 0 && !ID.test(text));
  return shown.sort(([a], [b]) => place(a) - place(b));
}

/** A record in one line, without ids. Names and addresses need no label. */
function inline(pairs: readonly [string, string][]): Element[] {
  return pairs
    .filter(([, text]) => !ID.test(text))
    .flatMap(([name, text], i) => {
      const dot = i === 0 ? [] : [rich.text(' · ')];
      if (isCount(name, text)) return [...dot, rich.text(`${text} ${name.toLowerCase()}`)];
      const label = /name|mail/i.test(name) ? [] : [rich.text(`${name.toLowerCase()} `)];
      return [...dot, ...label, ...values(NAMED.exec(text)?.[1] ?? text)];
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

/** The card of one number: its condition and the button that mends it first, compact enough for a small screen. */
export function lookupCard(card: LookupCard): Message {
  const { e164, national } = formatPhone(card.phone);
  const { mark, text } = numberHeadline(card.value) ?? { mark: '', text: national };
  const blocks: Block[] = [
    header(`${mark} ${text}`.trim()),
    ...waitingBlocks(card.waiting ?? []),
    ...stepButtons(card),
    ...relatedBlocks(card, e164),
    ...openOrders(card),
    ...lastMessage(card),
  ];
  if (card.recent.length > 0)
    blocks.push(divider, say(rich.bold('Recent actions')), recentActions(card.recent.slice(0, 5)));
  blocks.push(...moreActions(card));
  return { text: cut(escaped(`${mark} ${text}`.trim()), 300), blocks: blocks.slice(0, 50) };
}

const MAX_WAITING = 3;
/** Numbers that a waiting change names besides the card's own. */
const MAX_OTHERS = 3;

/** The changes that wait, with who asked and when. The state of the line may change as soon as a person says yes. */
function waitingBlocks(waiting: readonly WaitingChange[]): Block[] {
  const rows = waiting.slice(0, MAX_WAITING).map(({ what, askedBy, at, others }) => {
    const more = others.length > MAX_OTHERS ? ` and ${others.length - MAX_OTHERS} more` : '';
    const also = others.length === 0 ? '' : `. It also covers ${others.slice(0, MAX_OTHERS).join(', ')}${more}`;
    return ['🔐 ', rich.bold(cut(what, 200)), ` waits, asked by ${askedBy} at `, rich.date(Date.parse(at)), also];
  });
  const left = waiting.length - rows.length;
  return [...(rows.length === 0 ? [] : [lines(rows)]), ...(left > 0 ? [small(`… ${left} more wait`)] : [])];
}

/** The number, its state, and the records around it by name. Ids are shown by "Details". */
function relatedBlocks({ value, uses = [], timeZone }: LookupCard, e164: string): Block[] {
  const records = Object.entries(value).flatMap(([name, part]) =>
    isRecord(part) && name !== 'Fix' ? [{ name, part }] : [],
  );
  const [main, ...related] = records;
  const status = textOf(main?.part.Status);
  const words = { brief: true, timeZone };
  const shown = new Set([e164, status]);
  /** Shows each value once, because records repeat those of others. */
  const fresh = (pairs: readonly [string, string][]) =>
    pairs.filter(([, text]) => {
      const isFresh = !shown.has(text);
      shown.add(text);
      return isFresh;
    });
  const blocks: Block[] = [say(rich.code(e164), ...(status === '' ? [] : [rich.text(' · '), ...values(status)]))];
  for (const { name, part } of related) {
    const bar = usageBar(part.Used, part.Remaining);
    const pairs = rowsOf(counted(part), words).pairs.filter(
      ([key]) => bar === undefined || !/^(Used|Remaining)$/.test(key),
    );
    const inner = inline(fresh(pairs).slice(0, 8));
    if (inner.length > 0 || bar !== undefined)
      blocks.push(say(rich.bold(spaced(name)), '  ', ...usageThen(bar, inner)));
  }
  const told = JSON.stringify(blocks);
  const named = uses.filter(({ name }) => !told.includes(JSON.stringify(name)));
  const pairs = [
    ...named.map(({ noun, name }): [string, string] => [spaced(noun), name]),
    ...fresh(ownPairs(rowsOf(main?.part ?? {}, words).pairs)),
  ];
  return [...blocks, ...(pairs.length === 0 ? [] : [pairLines(pairs)]), ...listBlocks(value, words)];
}

function listBlocks(value: Fields, words: Parameters<typeof rowsOf>[1]): Block[] {
  return Object.entries(value).flatMap(([name, part]) => {
    // The head of the card names what waits.
    if (!Array.isArray(part) || part.length === 0 || name === 'Waiting') return [];
    const texts = part.map((entry) =>
      typeof entry === 'string'
        ? entry
        : rowsOf(entry, words)
            .pairs.map(([n, t]) => `${n} ${t}`)
            .join(', '),
    );
    return [say(rich.bold(spaced(name)), '  ', cut(texts.join('\n'), 1500))];
  });
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
    const steps = placesOrder(action.operation) ? stepLine(status) : [];
    return [
      [rich.code(id), ` ${titleOf(action, tool)} · ${status} as of `, rich.date(action.updatedAt)],
      ...(steps.length > 0 ? [steps] : []),
    ];
  });
  return rows.length === 0 ? [] : [lines([[rich.bold('Open orders')], ...rows])];
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

/** At most five buttons, the one that mends the trouble first. */
function stepButtons({ fix, codes = [], first, phone, value }: LookupCard): Block[] {
  const account = accountOf(value);
  const steps = first.map((step, i) => stepButton(step, phone, i, account));
  // The codes of an eSIM follow the two most wanted steps.
  const elements = [...(fix ? [fix] : []), ...steps.slice(0, 2), ...codes, ...steps.slice(2)].slice(0, MAX_STEPS);
  return elements.length === 0 ? [] : [actions(`next:${phone}`, ...elements)];
}

/** The menu of all operations, and the buttons of the answer itself. */
function moreActions({ next, phone, handle }: LookupCard): Block[] {
  const elements: Element[] = [];
  const groups = next
    .map(({ group, tools }) => ({
      label: plain(group, 75),
      options: tools
        .slice(0, 100)
        .map((tool) => ({ text: plain(tool.title, 75), value: cut(`${tool.id}|${phone}`, 150) })),
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
  if (handle) elements.push(button(IDS.page, 'Details', `${handle}|0`), button(IDS.share, 'Share', `${handle}|0`));
  return elements.length === 0 ? [] : [actions(`more:${phone}`, ...elements)];
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
