import type { Guide } from '../../../../tools/surfaces/guides/guide.ts';
import { act } from '../../../cards/actions.ts';
import { ORDER_MARKS } from '../../../cards/order.ts';
import { actionText, type ListedAction } from '../../../cards/outcome.ts';
import { askedOf } from '../../../cards/question.ts';
import { lower } from '../../../language/show.ts';
import type { Fields } from '../../../lib/values.ts';
import { carrierReason, orderOutlook } from '../../../platform/dialect/orders.ts';
import { type Elsewhere, IDS, type Reworder } from '../types.ts';
import { askedWhom, decision, titleOf } from './card.ts';
import { changeRow } from './fitting.ts';
import {
  type Block,
  button,
  buttonRow,
  cut,
  divider,
  type Element,
  elementsOf,
  escaped,
  header,
  lines,
  requesterText,
  rich,
  say,
  sentence,
  shortDate,
  small,
} from './text.ts';

/** The order, or the orders, of one change with the last known state. */
export interface HomeOrder {
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
  role: string;
  /** Actions this person can decide, the one that has waited longest first. */
  waiting: readonly ListedAction[];
  /** Actions this person requested that another person has to decide, newest first. */
  asked: readonly ListedAction[];
  /** For an approver: what was decided today, newest first. */
  decided: readonly ListedAction[] | undefined;
  /** Actions this person requested, newest first. */
  mine: readonly ListedAction[];
  /** Orders this person started, newest first. */
  orders: readonly HomeOrder[];
  guides: readonly Guide[];
  /** The place that confirms an action if Slack may not. */
  elsewhere: (id: string) => Elsewhere | undefined;
  reworded: Reworder;
}

/** Slack accepts 100 blocks. These lists leave room for the others. */
const MAX_WAITING = 15;
const MAX_ASKED = 8;
const MAX_LINES = 20;

/** The App Home of one person: what waits and was decided, then what scrolls away in channels. */
export function homeView(state: HomeState): Fields {
  const { waiting, asked, decided, mine, orders, guides, role } = state;
  const none = asked.length > 0 ? [] : [header(WAITING), say('Nothing is waiting for you.')];
  return {
    type: 'home',
    blocks: [
      ...(waiting.length === 0 ? none : section(WAITING, waiting, MAX_WAITING, (one) => waitingBlocks(one, state))),
      ...(asked.length === 0 ? [] : section('Waiting for an approver', asked, MAX_ASKED, askedBlocks)),
      ...(decided === undefined ? [] : listOf('Decided today', decided.map(actionLine), 'Nothing yet.')),
      ...listOf('Your recent actions', mine.map(actionLine), 'No actions yet.'),
      ...listOf('Your orders', orders.map(orderLine)),
      ...buttonRow(
        'home:guides',
        guides.map(({ name, title }, i) => button(`${IDS.guide}_${i}`, title, `${name}|`)),
      ),
      small(`Your role: ${escaped(role)}`),
    ],
  };
}

const WAITING = 'Waiting for your decision';

function section(
  title: string,
  all: readonly ListedAction[],
  most: number,
  blocksOf: (one: ListedAction) => Block[],
): Block[] {
  return [header(title), ...all.slice(0, most).flatMap(blocksOf), ...moreOf(all, most)];
}

/** A list with its header. Without `none`, an empty list is left out. */
function listOf(title: string, rows: readonly Element[][], none?: string): Block[] {
  if (rows.length === 0) return none === undefined ? [] : [divider, header(title), say(none)];
  return [divider, header(title), lines(rows.slice(0, MAX_LINES)), ...moreOf(rows, MAX_LINES)];
}

function moreOf(all: readonly unknown[], shown: number): Block[] {
  return all.length > shown ? [small(`… ${all.length - shown} more.`)] : [];
}

/** An action that this person can decide. Its whole question is behind "Show everything". */
function waitingBlocks({ action, tool }: ListedAction, { person, elsewhere, reworded }: HomeState): Block[] {
  const { consent, createdAt, expiresAt } = action;
  const asked = `Asked by ${requesterText(action)} ${shortDate(createdAt)} · waits until ${shortDate(expiresAt)}`;
  return [
    titleBlock({ action, tool }, consent ? reworded(`${consent.consequence} ${consent.undo}`) : ''),
    small(asked),
    ...decision(action, { tool, reworded, elsewhere: elsewhere(action.id) }, false, action.person === person),
  ];
}

/** An action that this person requested and another person decides. */
function askedBlocks({ action, tool }: ListedAction): Block[] {
  return [
    titleBlock({ action, tool }, `Nothing has been sent · expires ${new Date(action.expiresAt).toISOString()}`),
    ...askedWhom(action),
    ...changeRow(action, [act('withdraw', action.id)], { isWhole: false, name: 'asked' }),
  ];
}

/** The title of a waiting action, its customer, and a second line. */
function titleBlock({ action, tool }: ListedAction, below: string): Block {
  const { customer } = askedOf(tool, action);
  return say(
    rich.bold(titleOf(action, tool)),
    ...(customer === '' ? [] : [` · ${cut(customer, 200)}`]),
    ...(below === '' ? [] : ['\n', ...sentence(below)]),
  );
}

function actionLine(one: ListedAction): Element[] {
  return elementsOf(actionText(one));
}

function orderLine({ title, status, message, at, link }: HomeOrder): Element[] {
  const why = message === '' ? '' : `: ${cut(carrierReason(message)?.words ?? message, 120)}`;
  return [
    rich.text(`${ORDER_MARKS[orderOutlook(status)]} ${title}: ${lower(status)}${why}, `),
    rich.date(at),
    ...(link ? [rich.text('  '), rich.link(link, 'thread')] : []),
  ];
}
