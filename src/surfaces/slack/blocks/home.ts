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

export interface Shown {
  action: Action;
  tool: Tool | undefined;
}

export interface HomeState {
  /** The identity of the person. */
  person: string;
  role: string;
  /** Actions this person can decide, the one that has waited longest first. */
  waiting: readonly Shown[];
  /** Actions this person requested that another person has to decide, newest first. */
  asked: readonly Shown[];
  /** For an approver: what was decided today, newest first. */
  decided: readonly Shown[] | undefined;
  /** Actions this person requested, newest first. */
  mine: readonly Shown[];
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
  reworded: Reworder;
}

/** Slack accepts 100 blocks. These lists leave room for the others. */
const MAX_WAITING = 15;
const MAX_ASKED = 8;
const MAX_LINES = 20;

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

/** Actions that this person can decide. Their whole question is behind "Show everything". */
function waitingBlocks({ waiting, asked, person, elsewhere, reworded }: HomeState): Block[] {
  if (waiting.length === 0) return asked.length > 0 ? [] : [header(WAITING), say('Nothing is waiting for you.')];
  const blocks = waiting
    .slice(0, MAX_WAITING)
    .flatMap(({ action, tool }) => [
      titleBlock(
        { action, tool },
        action.consent ? reworded(`${action.consent.consequence} ${action.consent.undo}`) : '',
      ),
      small(
        `Asked by ${requesterText(action)} ${shortDate(action.createdAt)} · waits until ${shortDate(action.expiresAt)}`,
      ),
      ...decision(action, { tool, reworded, elsewhere: elsewhere(action.id) }, false, action.person === person),
    ]);
  return [header(WAITING), ...blocks, ...moreOf(waiting, MAX_WAITING, ' waiting, shown as you decide these')];
}

const WAITING = 'Waiting for your decision';

/** Actions that this person requested and another person decides. */
function askedBlocks({ asked }: HomeState): Block[] {
  if (asked.length === 0) return [];
  const blocks = asked
    .slice(0, MAX_ASKED)
    .flatMap(({ action, tool }) => [
      titleBlock({ action, tool }, `Nothing has been sent · expires ${shortDate(action.expiresAt)}`),
      ...askedWhom(action),
      ...changeRow(action, [act('withdraw', action.id)], { isWhole: false, name: 'asked' }),
    ]);
  return [header('Waiting for an approver'), ...blocks, ...moreOf(asked, MAX_ASKED, ' waiting')];
}

function moreOf(all: readonly unknown[], shown: number, what = ''): Block[] {
  return all.length > shown ? [small(`… ${all.length - shown} more${what}.`)] : [];
}

/** The title of a waiting action, its customer, and a second line. */
function titleBlock({ action, tool }: Shown, below: string): Block {
  const { customer } = askedOf(tool, action);
  return say(
    rich.bold(titleOf(action, tool)),
    ...(customer === '' ? [] : [rich.text(` · ${cut(customer, 200)}`)]),
    ...sentence(below).flatMap((element) => ['\n', element]),
  );
}

/** The App Home of one person: what waits and was decided, then what scrolls away in channels. */
export function homeView(state: HomeState): Fields {
  const { decided, mine, orders, watched, guides, role } = state;
  return {
    type: 'home',
    blocks: [
      ...waitingBlocks(state),
      ...askedBlocks(state),
      ...(decided === undefined ? [] : listOf('Decided today', decided.map(actionLine), 'Nothing yet.')),
      ...listOf('Your recent actions', mine.map(actionLine), 'No actions yet.'),
      ...listOf('Your orders', orders.map(orderLine)),
      ...listOf('Watched numbers', watched.map(watchLine)),
      ...(guides.length > 0
        ? [
            actions(
              'home:guides',
              ...guides.map(({ name, title }, i) => button(`${IDS.guide}_${i}`, title, `${name}|`)),
            ),
          ]
        : []),
      small(`Your role: ${escaped(role)}`),
    ],
  };
}

/** A list with its header. Without `none`, an empty list is left out. */
function listOf(title: string, rows: readonly Element[][], none?: string): Block[] {
  if (rows.length === 0) return none === undefined ? [] : [divider, header(title), say(none)];
  return [divider, header(title), lines(rows.slice(0, MAX_LINES)), ...moreOf(rows, MAX_LINES)];
}

function actionLine({ action, tool }: Shown): Element[] {
  return elementsOf(actionText(action, tool));
}

/** Orders with their states, one a line. */
export function orderList(orders: readonly HomeOrder[]): Block {
  return lines(orders.map(orderLine));
}
