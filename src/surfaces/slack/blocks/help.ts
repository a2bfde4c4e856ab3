import type { Help, HelpLine } from '../../../language/help.ts';
import type { Reworder } from '../types.ts';
import { type Block, cut, type Element, escaped, header, line, type Message, rich, say, small } from './text.ts';

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
  if (more) blocks.push(small(escaped(more)));
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
