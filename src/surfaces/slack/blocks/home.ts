import type { Guide } from '../../../../tools/surfaces/guides/guide.ts';
import { act } from '../../../cards/actions.ts';
import { actionText } from '../../../cards/outcome.ts';
import { askedOf } from '../../../cards/question.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Fields } from '../../../lib/json.ts';
import { carrierReason } from '../../../platform/dialect/carrier-reasons.ts';
import { type OrderOutlook, orderOutlook } from '../../../platform/dialect/orders.ts';
import { IDS } from '../ids.ts';
import type { Elsewhere, Reworder } from '../types.ts';
import { askedWhom } from './asked-whom.ts';
import { decision, titleOf } from './card.ts';
import { changeRow } from './fitting.ts';
import { elementsOf, requesterText } from './render.ts';
import {
  actions,
  type Block,
  button,
  cut,
  divider,
  type Element,
  escaped,
  header,
  lines,
  rich,
  say,
  sentence,
  shortDate,
  small,
} from './text.ts';

/** An order with its last known state. */
export interface HomeOrder {
  orderId: string;
  title: string;
  status: string;
  message: string;
  at: number;
  /** To its thread. */
  link?: string;
}

export interface HomeState {
  /** The identity of the person. */
  person: string;
  /** Actions this person can decide, the one that has waited longest first. */
  waiting: readonly { action: Action; tool: Tool | undefined }[];
  /** Actions this person requested that another person has to decide, newest first. */
  asked: readonly { action: Action; tool: Tool | undefined }[];
  /** Actions this person requested, newest first. */
  mine: readonly { action: Action; tool: Tool | undefined }[];
  budget: { used: number; limit: number; waiting: number };
  role: string;
  commands: readonly { command: string; description: string }[];
  /** Orders this person started, newest first. */
  orders: readonly HomeOrder[];
  watched: readonly {
    phone: string;
    used: string;
    remaining: string;
    behaviour: string;
    checkedAt: string | undefined;
  }[];
  guides: readonly Guide[];
  /** The place that confirms an action if Slack may not. */
  elsewhere: (id: string) => Elsewhere | undefined;
  now: number;
  reworded: Reworder;
}

/** Slack accepts 100 blocks. */
const MAX_BLOCKS = 100;
const MAX_WAITING = 15;
/** Requests of this person that are shown with whom they ask; the others are a title and a button. */
const MAX_ASKED = 3;
const MAX_SHORT = 30;
const MAX_WATCHED = 20;

function orderLine({ orderId, title, status, message, at, link }: HomeOrder): Element[] {
  return [
    rich.text(`${ORDER_MARKS[orderOutlook(status)]} ${title} `),
    rich.code(orderId),
    rich.text(` ${status}${message === '' ? '' : `: ${cut(carrierReason(message)?.words ?? message, 120)}`}, `),
    rich.date(at),
    ...(link ? [rich.text('  '), { type: 'link', url: link, text: 'thread' }] : []),
  ];
}

const ORDER_MARKS: Readonly<Record<OrderOutlook, string>> = {
  open: '🔵',
  partly: '⚠️',
  completed: '✅',
  failed: '❌',
  cancelled: '🚫',
};

function watchLine({ phone, used, remaining, behaviour, checkedAt }: HomeState['watched'][number]): Element[] {
  const usage =
    used === ''
      ? 'not checked yet'
      : `${used} used, ${remaining} left${behaviour === 'Active' ? '' : ` · ${behaviour}`}`;
  const at = checkedAt === undefined ? [] : [rich.text(', as of '), rich.date(Date.parse(checkedAt))];
  return [rich.code(phone), rich.text(`  ${usage}`), ...at];
}

/** Actions that this person can decide. */
function waitingBlocks(state: HomeState): Block[] {
  if (state.waiting.length === 0 && state.asked.length > 0) return [];
  const blocks: Block[] = [header('Waiting for your decision')];
  if (state.waiting.length === 0) blocks.push(say('Nothing is waiting for you.'));
  for (const { action, tool } of state.waiting.slice(0, MAX_WAITING)) {
    const asked = askedOf(tool, action);
    blocks.push(
      waitingTitle(
        action,
        tool,
        ...sentence(action.consent ? state.reworded(`${action.consent.consequence} ${action.consent.undo}`) : ''),
      ),
    );
    if (asked.statement !== '') blocks.push(say(rich.italic(cut(asked.statement, 2_900))));
    if (asked.statementMissing !== '') blocks.push(small(asked.statementMissing));
    for (const warning of asked.warnings.slice(0, 1)) blocks.push(small(`⚠️ ${escaped(cut(warning, 500))}`));
    blocks.push(
      small(
        `Asked by ${requesterText(action)} ${shortDate(action.createdAt)} · waits until ${shortDate(action.expiresAt)}`,
      ),
      // The Home shortens the question.
      ...decision(
        action,
        { tool, reworded: state.reworded, elsewhere: state.elsewhere(action.id) },
        false,
        action.person === state.person,
      ),
    );
  }
  const more = state.waiting.length - MAX_WAITING;
  if (more > 0) blocks.push(small(`… ${more} more ${more === 1 ? 'is' : 'are'} waiting, shown as you decide these.`));
  return blocks;
}

/**
 * Actions that this person requested and another person decides, with the approvers who were asked, the expiry time and
 * a button to withdraw the request.
 *
 * @param room blocks that the Home has left
 */
function askedBlocks({ asked }: HomeState, room: number): Block[] {
  if (asked.length === 0) return [];
  const blocks: Block[] = [header('Waiting for an approver')];
  for (const { action, tool } of asked.slice(0, MAX_ASKED)) {
    blocks.push(
      waitingTitle(action, tool),
      ...askedWhom(action),
      small(`Nothing has been sent · expires ${shortDate(action.expiresAt)}`),
      ...withdrawRow(action),
    );
  }
  const others = asked.slice(MAX_ASKED).map(({ action, tool }) => [waitingTitle(action, tool), ...withdrawRow(action)]);
  const fit = Math.max(0, Math.floor((room - blocks.length - 1) / 2));
  const short = others.slice(0, Math.min(MAX_SHORT, fit));
  blocks.push(...short.flat());
  const more = others.length - short.length;
  if (more > 0)
    blocks.push(small(`… ${more} more of yours ${more === 1 ? 'is' : 'are'} waiting, shown as the others end.`));
  return blocks;
}

function withdrawRow(action: Action): Block[] {
  return changeRow(action, [act('withdraw', action.id)], { isWhole: false, name: 'asked' });
}

/** The title of a waiting action, its customer, and a second line. */
function waitingTitle(action: Action, tool: Tool | undefined, ...below: Element[]): Block {
  const { customer } = askedOf(tool, action);
  return say(
    rich.bold(titleOf(action, tool)),
    ...(customer === '' ? [] : [rich.text(` · ${cut(customer, 200)}`)]),
    ...below.flatMap((element) => ['\n', element]),
  );
}

/** Orders with their states, one a line. */
export function orderList(orders: readonly HomeOrder[]): Block {
  return lines(orders.map(orderLine));
}

/** The App Home of one person. Waiting actions come first, then information that scrolls away in channels. */
export function homeView(state: HomeState): Fields {
  const decides = waitingBlocks(state);
  const below = belowBlocks(state);
  const asked = askedBlocks(state, MAX_BLOCKS - decides.length - below.length);
  return { type: 'home', blocks: [...decides, ...asked, ...below].slice(0, MAX_BLOCKS) };
}

/** What is below the requests that wait. */
function belowBlocks(state: HomeState): Block[] {
  const blocks: Block[] = [divider, header('Your recent actions')];
  blocks.push(
    state.mine.length === 0
      ? say('No actions yet.')
      : lines(state.mine.map(({ action, tool }) => elementsOf(actionText(action, tool)))),
  );
  if (state.orders.length > 0) blocks.push(divider, header('Your orders'), orderList(state.orders));
  if (state.watched.length > 0) {
    const rows = state.watched.slice(0, MAX_WATCHED).map(watchLine);
    const more = state.watched.length - rows.length;
    blocks.push(divider, header('Watched numbers'), lines(rows));
    if (more > 0) blocks.push(small(`… ${more} more`));
  }
  const { used, limit, waiting } = state.budget;
  blocks.push(
    divider,
    header('Platform requests'),
    say(`${used} of ${limit} in the last minute${waiting > 0 ? `, ${waiting} queued` : ''}.`),
    divider,
    header('Commands'),
    lines(state.commands.map(({ command, description }) => [rich.code(command), `  ${description}`])),
    ...(state.guides.length > 0
      ? [
          actions(
            'home:guides',
            ...state.guides.map(({ name, title }, i) => button(`${IDS.guide}_${i}`, title, `${name}|`)),
          ),
        ]
      : []),
    small(
      `Your role: ${escaped(state.role)} · add \`help\` to a command for its help, or \`form\` to open a form · as of ${shortDate(state.now)}`,
    ),
  );
  return blocks;
}
