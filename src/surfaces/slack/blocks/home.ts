import type { Guide } from '../../../../tools/surfaces/flows.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Action } from '../../../gate/ledger/ledger.ts';
import { askedOf } from '../../../language/asked.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../people/said.ts';
import { actionList, decision, titleOf } from './card.ts';
import { requesterText } from './people.ts';
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
  shortDate,
  small,
} from './text.ts';

export interface HomeState {
  /** What this person may decide now. */
  waiting: readonly { action: Action; tool: Tool | undefined }[];
  /** What this person asked for, newest first. */
  mine: readonly { action: Action; tool: Tool | undefined }[];
  budget: { used: number; limit: number; waiting: number };
  role: string;
  commands: readonly { command: string; description: string }[];
  /** Orders this person started, as they stand, newest first. */
  orders: readonly { orderId: string; title: string; status: string; message: string; at: number; link?: string }[];
  watched: readonly {
    phone: string;
    used: string;
    remaining: string;
    behaviour: string;
    checkedAt: string | undefined;
  }[];
  guides: readonly Guide[];
  now: number;
  /** Words for this surface. */
  reworded: Reworder;
}

const MAX_WAITING = 15;
const MAX_WATCHED = 20;

function orderLine({ orderId, title, status, message, at, link }: HomeState['orders'][number]): Element[] {
  return [
    rich.text(`${orderMark(status)} ${title} `),
    rich.code(orderId),
    rich.text(` ${status}${message === '' ? '' : `: ${cut(message, 80)}`}, `),
    rich.date(at),
    ...(link ? [rich.text('  '), { type: 'link', url: link, text: 'thread' }] : []),
  ];
}

function orderMark(status: string): string {
  if (/^part/i.test(status)) return '⚠️';
  if (/complet/i.test(status)) return '✅';
  if (/reject|fail/i.test(status)) return '❌';
  return /cancel/i.test(status) ? '🚫' : '🔵';
}

function watchLine({ phone, used, remaining, behaviour, checkedAt }: HomeState['watched'][number]): Element[] {
  const told =
    used === ''
      ? 'not looked at yet'
      : `${used} used, ${remaining} left${behaviour === 'Active' ? '' : ` · ${behaviour}`}`;
  const at = checkedAt === undefined ? [] : [rich.text(', as of '), rich.date(Date.parse(checkedAt))];
  return [rich.code(phone), rich.text(`  ${told}`), ...at];
}

/** The App Home of one person: the durable twin of cards that scroll away. */
export function homeView(state: HomeState): Record<string, unknown> {
  const blocks: Block[] = [header('Waiting for your decision')];
  if (state.waiting.length === 0) blocks.push(say('Nothing waits for you.'));
  for (const { action, tool } of state.waiting.slice(0, MAX_WAITING)) {
    const asked = askedOf(tool, action);
    blocks.push(
      say(
        rich.bold(titleOf(action, tool)),
        ...(asked.customer === '' ? [] : [rich.text(` · ${cut(asked.customer, 200)}`)]),
        '\n',
        rich.text(action.consent ? state.reworded(`${action.consent.consequence} ${action.consent.undo}`) : ''),
      ),
    );
    if (asked.statement !== '') blocks.push(say(rich.italic(cut(asked.statement, 2_900))));
    if (asked.statementMissing !== '') blocks.push(small(asked.statementMissing));
    for (const warning of asked.warnings.slice(0, 1)) blocks.push(small(`⚠️ ${escaped(cut(warning, 500))}`));
    blocks.push(
      small(`Asked by ${requesterText(action)} · confirm by ${shortDate(action.expiresAt)}`),
      decision(action, { tool, reworded: state.reworded }, 'home'),
    );
  }
  if (state.waiting.length > MAX_WAITING)
    blocks.push(small(`… ${state.waiting.length - MAX_WAITING} more wait; they appear as these are decided.`));
  blocks.push(divider, header('What you did lately'));
  blocks.push(state.mine.length === 0 ? say('Nothing yet.') : actionList(state.mine));
  if (state.orders.length > 0) blocks.push(divider, header('Your orders'), lines(state.orders.map(orderLine)));
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
    say(`${used} of ${limit} in the last minute${waiting > 0 ? `, ${waiting} waiting for a place` : ''}.`),
    divider,
    header('What you can do here'),
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
      `Your role: ${escaped(state.role)} · add \`help\` to a command for what it does, \`form\` to fill in a form · as of ${shortDate(state.now)}`,
    ),
  );
  return { type: 'home', blocks: blocks.slice(0, 100) };
}
