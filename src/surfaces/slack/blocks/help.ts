import { type Task, tasks } from '../../../../tools/surfaces/tasks.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Help } from '../../../language/help.ts';
import { IDS, type Reworder } from '../types.ts';
import {
  type Block,
  button,
  buttonRow,
  type Element,
  header,
  line,
  lines,
  type Message,
  messageOf,
  operationButton,
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
  const items = help.lines.map(({ say: typed, text, required, remark, example }) => {
    const remarks = [...(required ? ['required'] : []), ...(remark ? [remark] : [])].join(', ');
    return line(
      rich.code(typed),
      ` ${reworded(text)}${remarks === '' ? '' : ` (${remarks})`}`,
      ...(example ? ['  e.g. ', rich.code(example)] : []),
    );
  });
  const lists = Array.from({ length: Math.ceil(items.length / LINES_PER_BLOCK) }, (_, i) => {
    const elements = items.slice(i * LINES_PER_BLOCK, (i + 1) * LINES_PER_BLOCK);
    return { type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements }] };
  });
  return messageOf(`${help.title}: ${help.text}`, [
    header(help.title),
    say(reworded(help.text)),
    ...first,
    ...lists,
    ...(help.example ? [say(rich.bold('Example'), '  ', rich.code(help.example))] : []),
    // It is text of ours, with marks that are meant.
    ...(more ? [small(more)] : []),
  ]);
}

/** The tasks of a group with a line to type for each, and buttons. `commandOf`: a command as it is typed, with its slash. */
export function taskBlocks(group: string, commandOf: (name: string) => string, tools: readonly Tool[]): Block[] {
  const own = tasksOf(group, tools);
  if (own.length === 0) return [];
  const buttons = own.flatMap(({ opens, guide, label }, i): Element[] => {
    if (label === undefined) return [];
    if (guide !== undefined) return [button(`${IDS.guide}_${i}`, label, `${guide}|`)];
    return opens === undefined ? [] : operationButton(`${IDS.fill}_${i}`, label, opens, {});
  });
  return [
    lines(own.map((task) => [`${task.text}  `, rich.code(`${commandOf(task.command ?? group)} ${task.line}`)])),
    ...buttonRow(`tasks:${group}`, buttons),
  ];
}

/** The tasks whose operations are offered here. */
function tasksOf(group: string, tools: readonly Tool[]): readonly Task[] {
  return (tasks[group] ?? []).filter(({ opens }) => opens === undefined || tools.some(({ id }) => id === opens));
}

/** The example for the hint of a group's command; undefined if the group has no tasks. */
export function taskHint(group: string, tools: readonly Tool[]): string | undefined {
  const typed = tasksOf(group, tools).slice(0, 3);
  return typed.length === 0 ? undefined : typed.map(({ line }) => line).join(', ');
}
