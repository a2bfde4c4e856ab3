import type { Action } from '../../ledger/ledger.ts';
import type { Tool } from '../../operation.ts';
import type { Said } from '../said.ts';
import { actionList, decision, titleOf } from './card.ts';
import { type Block, divider, escaped, header, lines, rich, say, shortDate, small } from './text.ts';

export interface HomeState {
  /** What this person may decide now. */
  waiting: readonly { action: Action; tool: Tool | undefined; asker?: string }[];
  /** What this person asked for, newest first. */
  mine: readonly { action: Action; tool: Tool | undefined }[];
  budget: { used: number; limit: number; waiting: number };
  role: string;
  commands: readonly { command: string; description: string }[];
  now: number;
  /** Words for this surface. */
  said: Said;
}

const MAX_WAITING = 15;

/** The App Home of one person: the durable twin of cards that scroll away. */
export function homeView(state: HomeState): Record<string, unknown> {
  const blocks: Block[] = [header('Waiting for your decision')];
  if (state.waiting.length === 0) blocks.push(say('Nothing waits for you.'));
  for (const { action, tool, asker } of state.waiting.slice(0, MAX_WAITING)) {
    const by = asker ? `<@${asker}>` : escaped(`${action.actorName} over ${action.surface}`);
    blocks.push(
      say(
        rich.bold(titleOf(action, tool)),
        '\n',
        rich.text(action.consent ? state.said(`${action.consent.consequence} ${action.consent.undo}`) : ''),
      ),
    );
    if (action.consent?.statement) blocks.push(say(rich.italic(action.consent.statement)));
    blocks.push(
      small(`Asked by ${by} · confirm by ${shortDate(action.expiresAt)}`),
      decision(action, { tool, said: state.said }, 'home'),
    );
  }
  if (state.waiting.length > MAX_WAITING)
    blocks.push(small(`… ${state.waiting.length - MAX_WAITING} more wait; they appear as these are decided.`));
  blocks.push(divider, header('What you did lately'));
  blocks.push(state.mine.length === 0 ? say('Nothing yet.') : actionList(state.mine));
  const { used, limit, waiting } = state.budget;
  blocks.push(
    divider,
    header('Platform requests'),
    say(`${used} of ${limit} in the last minute${waiting > 0 ? `, ${waiting} waiting for a place` : ''}.`),
    divider,
    header('What you can do here'),
    lines(state.commands.map(({ command, description }) => [rich.code(command), `  ${description}`])),
    small(
      `Your role: ${escaped(state.role)} · add \`help\` to a command for what it does, \`form\` to fill in a form · as of ${shortDate(state.now)}`,
    ),
  );
  return { type: 'home', blocks: blocks.slice(0, 100) };
}
