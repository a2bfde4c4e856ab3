import { type Task, tasks } from '../../../../tools/surfaces/tasks.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { IDS } from '../ids.ts';
import { actions, type Block, button, type Element, lines, rich } from './text.ts';

/** The tasks of a group with a line to type for each, and buttons. `commandOf`: a command as it is typed, with its slash. */
export function taskBlocks(group: string, commandOf: (name: string) => string, tools: readonly Tool[]): Block[] {
  const command = commandOf(group);
  const own = tasksOf(group, tools);
  if (own.length === 0) return [];
  const buttons = own.flatMap((task, i) => taskButton(task, i));
  return [
    lines(
      own.map((task): Element[] => [
        rich.text(`${task.text}  `),
        rich.code(`${task.command === undefined ? command : commandOf(task.command)} ${task.line}`),
      ]),
    ),
    ...(buttons.length === 0 ? [] : [actions(`tasks:${group}`, ...buttons)]),
  ];
}

/** The tasks whose operations are offered here. */
function tasksOf(group: string, tools: readonly Tool[]): readonly Task[] {
  return (tasks[group] ?? []).filter(({ opens }) => opens === undefined || tools.some(({ id }) => id === opens));
}

/** The example for the hint of a group's command; undefined if the group has no tasks. */
export function taskHint(group: string, tools: readonly Tool[]): string | undefined {
  const own = tasksOf(group, tools);
  return own.length === 0
    ? undefined
    : own
        .slice(0, 3)
        .map(({ line }) => line)
        .join(', ');
}

function taskButton({ opens, guide, label }: Task, position: number): Element[] {
  if (label === undefined) return [];
  if (guide !== undefined) return [button(`${IDS.guide}_${position}`, label, `${guide}|`)];
  return opens === undefined ? [] : [button(`${IDS.fill}_${position}`, label, `${opens}|{}`)];
}
