import type { Happening, Tool } from '../../../catalogue/operation.ts';
import type { Action } from '../../../gate/ledger/ledger.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { formatPhone, rowsOf, stateMark } from '../../../language/show.ts';
import { type Step, stepButton } from '../flows/lookup.ts';
import { IDS } from '../ids.ts';
import { actionLine, titleOf } from './card.ts';
import { requesterElement } from './people.ts';
import { pairLines, values } from './result.ts';
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

export interface LookupCard {
  phone: string;
  value: Record<string, unknown>;
  recent: readonly { action: Action; tool: Tool | undefined }[];
  /** The newest message that came in. */
  inbound?: Happening | undefined;
  /** What the platform last told of an order. */
  orderOf?: (orderId: string) => { status: string } | undefined;
  /** What can be done with the number: the first few as buttons, all in a menu. */
  next: readonly { group: string; tools: readonly Tool[] }[];
  first: readonly Step[];
  /** Handle of the kept answer. */
  held?: string;
}

/** Said in the headline, or said again further down. */
const HEAD = /^(Status|Phone number|Number)$/;

const MAX_PAIRS = 10;
const MAX_STEPS = 6;
/** What is asked about at night, first; what never is, last. */
const WEIGHTS: readonly RegExp[] = [
  /sim|iccid|imei/i,
  /route/i,
  /cancel|expir|delete|swap/i,
  /account/i,
  /type|classification/i,
  /enabled/i,
];

function byWeight(pairs: readonly [string, string][]): [string, string][] {
  const weight = (name: string) => {
    const found = WEIGHTS.findIndex((words) => words.test(name));
    return found < 0 ? WEIGHTS.length : found;
  };
  return [...pairs].sort(([a], [b]) => weight(a) - weight(b));
}

/** A record in one line; a name, an address or an id needs no label. */
function inline(pairs: readonly [string, string][]): Element[] {
  const isId = (text: string) => /^[A-Z]{2,7}-\S+$/.test(text);
  const ordered = [...pairs.filter(([, text]) => !isId(text)), ...pairs.filter(([, text]) => isId(text))];
  return ordered.flatMap(([name, text], i) => {
    const bare = /name|mail/i.test(name) || isId(text);
    return [
      ...(i === 0 ? [] : [rich.text(' · ')]),
      ...(bare ? [] : [rich.text(`${name.toLowerCase()} `)]),
      ...values(text),
    ];
  });
}

/** One number, everything worth knowing, compact enough for a phone at night. */
export function lookupCard(card: LookupCard): Message {
  const { national, e164 } = formatPhone(card.phone);
  const [main = {}, ...rest] = Object.entries(card.value).flatMap(([name, part]) =>
    part !== null && typeof part === 'object' && !Array.isArray(part) ? [{ [name]: part }] : [],
  );
  const first = Object.values(main)[0] as Record<string, unknown> | undefined;
  const status = typeof first?.Status === 'string' ? first.Status : '';
  const blocks: Block[] = [
    header(`${stateMark(status)} ${status === '' ? '' : `${status} · `}${national}`.trim()),
    say(rich.code(e164)),
  ];
  const told = new Set([e164, status]);
  /** Each value once: an id that stands with its record need not stand again. */
  const fresh = (pairs: readonly [string, string][]) => pairs.filter(([, text]) => !told.has(text) && told.add(text));
  for (const part of rest) {
    const [name = ''] = Object.keys(part);
    const inner = fresh(rowsOf(part[name]).pairs).slice(0, 8);
    if (inner.length > 0) blocks.push(say(rich.bold(spaced(name)), '  ', ...inline(inner)));
  }
  const own = rowsOf(first ?? {}).pairs.filter(([name]) => !HEAD.test(name));
  const left = fresh(byWeight(own));
  if (left.length > 0) blocks.push(pairLines(left.slice(0, MAX_PAIRS)));
  if (left.length > MAX_PAIRS) blocks.push(small(`… ${left.length - MAX_PAIRS} more values: JSON`));
  for (const [name, part] of Object.entries(card.value)) {
    if (!Array.isArray(part) || part.length === 0) continue;
    const texts = part.map((entry) =>
      typeof entry === 'string'
        ? entry
        : rowsOf(entry)
            .pairs.map(([n, t]) => `${n} ${t}`)
            .join(', '),
    );
    blocks.push(say(rich.bold(spaced(name)), '  ', cut(texts.join('\n'), 1500)));
  }
  blocks.push(...openOrders(card), ...lastMessage(card));
  if (card.recent.length > 0)
    blocks.push(divider, say(rich.bold('Done here lately')), recently(card.recent.slice(0, 5)));
  blocks.push(...nextSteps(card));
  return { text: cut(escaped(`${national}${status === '' ? '' : `: ${status}`}`), 300), blocks: blocks.slice(0, 50) };
}

const SENT: ReadonlySet<string> = new Set(['in_flight', 'done', 'partly', 'unknown']);
const ENDED = /complet|cancel|reject|fail|declin/i;

/** Orders placed here whose last known state, as the platform told or as it answered then, is not an end. */
function openOrders({ recent, orderOf }: LookupCard): Block[] {
  const seen = new Set<string>();
  const rows = recent.flatMap(({ action, tool }) => {
    const id = action.result?.OrderId ?? action.shown.OrderId;
    // Newest first: what an order's latest action says counts.
    if (!['done', 'partly'].includes(action.state) || typeof id !== 'string' || seen.has(id)) return [];
    seen.add(id);
    const status = orderOf?.(id)?.status ?? action.result?.OrderStatus ?? action.result?.Status;
    if (typeof status !== 'string' || ENDED.test(status)) return [];
    return [[rich.code(id), ` ${titleOf(action, tool)} · ${status} as of `, rich.date(action.updatedAt)]];
  });
  return rows.length === 0 ? [] : [lines([[rich.bold('Open orders')], ...rows])];
}

/** The newest message: one that came in, or one that was sent from here. */
function lastMessage({ recent, inbound }: LookupCard): Block[] {
  const found = recent.find(
    ({ action: { shown, state } }) => SENT.has(state) && typeof shown.Body === 'string' && shown.To !== undefined,
  );
  const cameAt = inbound ? Date.parse(inbound.at) : 0;
  if (inbound && cameAt > (found?.action.updatedAt ?? 0)) {
    const { From, Body } = inbound.values;
    const from = typeof From === 'string' ? formatPhone(From).national : '';
    return [
      say(
        rich.bold('Last message'),
        `  📩 received from ${from}, `,
        rich.date(cameAt),
        ...(typeof Body === 'string' && Body !== '' ? ['\n', rich.italic(cut(Body, 200))] : []),
      ),
    ];
  }
  if (!found) return [];
  const { action, tool } = found;
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

/** What was done, by whom and when. */
function recently(recent: LookupCard['recent']): Block {
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
      placeholder: label('Do something with it…', 150),
      option_groups: groups,
    });
  }
  if (card.held) {
    elements.push(button(IDS.share, 'Share', `${card.held}|0`), button(IDS.json, 'JSON', `${card.held}|0`));
  }
  return elements.length === 0 ? [] : [actions(`next:${card.phone}`, ...elements)];
}

/** The account a record names. */
function accountOf(value: Record<string, unknown>): string | undefined {
  for (const part of Object.values(value)) {
    const found = part !== null && typeof part === 'object' ? (part as Record<string, unknown>).AccountId : undefined;
    if (typeof found === 'string' && found !== '') return found;
  }
  return undefined;
}

function spaced(name: string): string {
  const text = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Several numbers of a message: which one? */
export function numbersFound(numbers: readonly string[]): Message {
  const shown = numbers.slice(0, 25);
  const blocks: Block[] = [
    say(`${numbers.length} numbers stand in that message. Which one?`),
    actions('found', ...shown.map((number, i) => button(`${IDS.look}_${i}`, formatPhone(number).national, number))),
  ];
  if (numbers.length > shown.length) blocks.push(small(`… ${numbers.length - shown.length} more`));
  return { text: `${numbers.length} numbers found`, blocks };
}
