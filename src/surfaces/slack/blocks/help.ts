import { type Task, tasks } from '../../../../tools/surfaces/tasks.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Help, HelpLine } from '../../../language/help.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../types.ts';
import {
  actions,
  type Block,
  button,
  cut,
  type Element,
  escaped,
  header,
  line,
  lines,
  type Message,
  rich,
  say,
  small,
} from './text.ts';

const LINES_PER_BLOCK = 12;

/** Help as a message, with blocks above its lines. Text for people to type is set as code, so that it can be copied. */
export function helpMessage(
  help: Help,
  reworded: Reworder,
  { first = [], more }: { first?: readonly Block[]; more?: string },
): Message {
  const blocks: Block[] = [header(help.title), say(reworded(help.text)), ...first];
  for (let i = 0; i < help.lines.length; i += LINES_PER_BLOCK) {
    const lines = help.lines.slice(i, i + LINES_PER_BLOCK);
    blocks.push({
      type: 'rich_text',
      elements: [{ type: 'rich_text_list', style: 'bullet', elements: lines.map((one) => item(one, reworded)) }],
    });
  }
  if (help.example) blocks.push(say(rich.bold('Example'), '  ', rich.code(help.example)));
  // It is text of ours, with marks that are meant.
  if (more) blocks.push(small(more));
  return { text: escaped(cut(`${help.title}: ${help.text}`, 3000)), blocks };
}

function item(help: HelpLine, reworded: Reworder): Element {
  const remark = [help.required === true ? 'required' : '', help.remark ?? ''].filter((word) => word !== '').join(', ');
  return line(
    rich.code(help.say),
    ` ${reworded(help.text)}${remark === '' ? '' : ` (${remark})`}`,
    ...(help.example ? [rich.text('  e.g. '), rich.code(help.example)] : []),
  );
}

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
