import type { Tool } from '../../src/catalogue/operation.ts';
import { isRecord } from '../../src/lib/values.ts';
import { createReworder } from '../../src/surfaces/slack/people/roles.ts';

/*
 * Slack's messages as text: everything a person sees and everything a press sends, without JSON. An unknown
 * kind of block or element is an error, so that nothing is left out silently.
 */

type Part = Readonly<Record<string, unknown>>;

/** What the messages about an action are drawn with, where Slack may confirm. */
export function drawer(tools: readonly Tool[]) {
  const tool = (id: string) => tools.find((one) => one.id === id);
  const gate = { tool, decidesBy: () => true, pageUrl: () => undefined, timeZone: 'UTC' };
  return { gate, reworded: createReworder(tools) };
}

/** The same with ids and with times that are written out. Times that Slack writes are `{time}`. */
export function rawText({ text, blocks }: { text: string; blocks: readonly Part[] }): string {
  return [`notification: ${text}`, '', ...blocks.map(blockText)].join('\n');
}

function blockText(block: Part): string {
  switch (block.type) {
    case 'header':
      return `# ${plain(block.text)}`;
    case 'divider':
      return '---';
    case 'context':
      return `~ ${parts(block.elements).map(plain).join(' ')}`;
    case 'rich_text':
      return parts(block.elements).map(richText).join('\n');
    case 'actions':
      return parts(block.elements).map(elementText).join('\n');
    case 'section':
      return [plain(block.text), ...parts([block.accessory].filter(Boolean)).map(elementText)].join('\n');
    case 'data_table':
      return [
        `table "${String(block.caption)}", ${String(block.page_size)} rows a page`,
        blockText({ ...block, type: 'table' }),
      ].join('\n');
    case 'table':
      return rows(block.rows)
        .map((row) => `| ${row.map(plain).join(' | ')} |`)
        .join('\n');
    case 'alert':
      return `[${String(block.level)}] ${plain(block.text)}`;
    default:
      throw new Error(`no text for a block of type ${String(block.type)}`);
  }
}

function richText(part: Part): string {
  const inline = () => parts(part.elements).map(inlineText).join('');
  switch (part.type) {
    case 'rich_text_section':
      return inline();
    case 'rich_text_quote':
      return `> ${inline().replaceAll('\n', '\n> ')}`;
    case 'rich_text_preformatted':
      return `\`\`\`\n${inline()}\n\`\`\``;
    case 'rich_text_list':
      return parts(part.elements)
        .map((item) => `- ${richText(item)}`)
        .join('\n');
    default:
      throw new Error(`no text for rich text of type ${String(part.type)}`);
  }
}

const MARKS: Readonly<Record<string, string>> = { bold: '*', italic: '_', code: '`' };

function inlineText(element: Part): string {
  switch (element.type) {
    case 'text': {
      const marks = Object.keys(isRecord(element.style) ? element.style : {}).map((name) => MARKS[name] ?? '');
      return `${marks.join('')}${String(element.text)}${marks.join('')}`;
    }
    case 'link':
      return element.text === undefined
        ? `<${String(element.url)}>`
        : `<${String(element.url)}|${String(element.text)}>`;
    case 'user':
      return `<@${String(element.user_id)}>`;
    case 'usergroup':
      return `<!group ${String(element.usergroup_id)}>`;
    case 'channel':
      return `<#${String(element.channel_id)}>`;
    case 'date':
      return '{time}';
    default:
      throw new Error(`no text for an inline element of type ${String(element.type)}`);
  }
}

function elementText(element: Part): string {
  const id = String(element.action_id);
  switch (element.type) {
    case 'button': {
      const style = element.style === undefined ? '' : ` ${String(element.style)}`;
      const asks = isRecord(element.confirm) ? `\n${dialogText(element.confirm)}` : '';
      return `[${plain(element.text)}]${style} ${id} = ${String(element.value)}${asks}`;
    }
    case 'static_select': {
      const groups = parts(element.option_groups).map(
        (group) => `\n  ${plain(group.label)}: ${options(group.options)}`,
      );
      return `[${plain(element.placeholder)}] ${id}${groups.join('')}`;
    }
    case 'overflow':
      return `[⋯] ${id}: ${options(element.options)}`;
    default:
      throw new Error(`no text for an element of type ${String(element.type)}`);
  }
}

function dialogText(dialog: Part): string {
  const style = dialog.style === undefined ? '' : ` ${String(dialog.style)}`;
  return `  asks "${plain(dialog.title)}": ${plain(dialog.text)} [${plain(dialog.confirm)}]${style} [${plain(dialog.deny)}]`;
}

function options(found: unknown): string {
  return parts(found)
    .map(({ text, value }) => (plain(text) === value ? plain(text) : `${plain(text)} = ${String(value)}`))
    .join(', ');
}

/** The text of a text object; empty for none. */
function plain(found: unknown): string {
  return isRecord(found) ? String(found.text ?? '') : '';
}

function parts(found: unknown): Part[] {
  return Array.isArray(found) ? found.filter(isRecord) : [];
}

function rows(found: unknown): Part[][] {
  return Array.isArray(found) ? found.map(parts) : [];
}
