// Renders standard Markdown as HTML: the `markdown` block, and streamed text. Everything is escaped first.
import { emoji, escapeHtml, type Reader, renderMrkdwn } from './mrkdwn.ts';

/** The marks of inline styles, in the order in which they are replaced. */
const STYLES: readonly [RegExp, string][] = [
  [/\*\*(?=\S)(.+?\S?)\*\*/g, '<b>$1</b>'],
  [/(?<!\w)__(?=\S)(.+?\S?)__(?!\w)/g, '<b>$1</b>'],
  [/(?<![\w*])\*(?=\S)([^*\n]+?)\*(?!\w)/g, '<i>$1</i>'],
  [/(?<!\w)_(?=\S)([^_\n]+?)_(?!\w)/g, '<i>$1</i>'],
  [/~~(?=\S)(.+?\S?)~~/g, '<s>$1</s>'],
];
const FENCE = /^```/;
const HEADING = /^#{1,6} +(.+?)#*$/;
const RULE = /^(-{3,}|\*{3,}|_{3,})$/;
const BULLET = /^\s*[-*+] +(.*)$/;
const NUMBER = /^\s*\d+[.)] +(.*)$/;
const QUOTE = /^> ?(.*)$/;
const ROW = /^\|.*\|$/;
const DIVIDER = /^\|[\s:|-]+\|$/;
/** Any line that is not part of a paragraph. */
const STARTS = [FENCE, HEADING, RULE, BULLET, NUMBER, QUOTE, ROW];

/** Renders Markdown. Slack's references, such as `<@U1>`, are kept. */
export function renderMarkdown(text: string, reader: Reader): string {
  const lines = text.split('\n');
  const out: string[] = [];
  while (lines.length > 0) out.push(nextBlock(lines, reader));
  return out.join('');
}

/** Takes the lines of one block from the front, and renders it. */
function nextBlock(lines: string[], reader: Reader): string {
  const [first = ''] = lines;
  const inline = (line: string) => renderInline(line, reader);
  if (FENCE.test(first)) return code(lines);
  const heading = HEADING.exec(first)?.[1];
  if (heading !== undefined || RULE.test(first) || first.trim() === '') {
    lines.shift();
    if (heading !== undefined) return `<h4>${inline(heading)}</h4>`;
    return first.trim() === '' ? '' : '<hr>';
  }
  if (BULLET.test(first)) return `<ul>${items(lines, BULLET, inline)}</ul>`;
  if (NUMBER.test(first)) return `<ol>${items(lines, NUMBER, inline)}</ol>`;
  if (QUOTE.test(first)) return `<blockquote>${takeWhile(lines, QUOTE).map(inline).join('<br>')}</blockquote>`;
  if (ROW.test(first)) return table(takeWhile(lines, ROW, 0), inline);
  const paragraph = [lines.shift() ?? ''];
  while (lines[0]?.trim() && !STARTS.some((start) => start.test(lines[0] ?? ''))) paragraph.push(lines.shift() ?? '');
  return `<p>${paragraph.map(inline).join('<br>')}</p>`;
}

function code(lines: string[]): string {
  lines.shift();
  const end = lines.findIndex((line) => FENCE.test(line));
  const inside = lines.splice(0, end < 0 ? lines.length : end + 1);
  return `<pre>${escapeHtml(inside.slice(0, end < 0 ? undefined : -1).join('\n'))}</pre>`;
}

/** Takes lines from the front as long as they match. Returns one group of each. */
function takeWhile(lines: string[], pattern: RegExp, group = 1): string[] {
  const taken: string[] = [];
  for (let match = pattern.exec(lines[0] ?? ''); match && lines.length > 0; match = pattern.exec(lines[0] ?? '')) {
    taken.push(match[group] ?? '');
    lines.shift();
  }
  return taken;
}

function items(lines: string[], pattern: RegExp, inline: (line: string) => string): string {
  return takeWhile(lines, pattern)
    .map((item) => `<li>${inline(item)}</li>`)
    .join('');
}

function table(rows: string[], inline: (line: string) => string): string {
  const hasHead = DIVIDER.test(rows[1] ?? '');
  const shown = rows
    .filter((row) => !DIVIDER.test(row))
    .map((row, i) => {
      const tag = hasHead && i === 0 ? 'th' : 'td';
      const cells = row.slice(1, -1).split('|');
      return `<tr>${cells.map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`).join('')}</tr>`;
    });
  return `<div class="table"><table>${shown.join('')}</table></div>`;
}

/** Renders one line: code, links and references are set aside, the rest is escaped and styled. */
function renderInline(line: string, reader: Reader): string {
  const kept: string[] = [];
  const keep = (html: string) => `\uE000${kept.push(html) - 1}\uE001`;
  const marked = line
    .replace(/[\uE000\uE001]/g, '')
    .replace(/`([^`]+)`/g, (_, text: string) => keep(`<code>${escapeHtml(text)}</code>`))
    .replace(/\[([^\]]+)\]\(([^()\s]+)\)/g, (_, label: string, url: string) =>
      keep(renderMrkdwn(`<${url.replaceAll('&', '&amp;')}|${label.replace(/[<>|]/g, '')}>`, reader)),
    )
    .replace(/<([@#!][^<>\s]+|https?:[^<>\s]+)>/g, (whole) => keep(renderMrkdwn(whole, reader)));
  const escaped = emoji(escapeHtml(marked));
  const styled = STYLES.reduce((html, [mark, tag]) => html.replace(mark, tag), escaped);
  return styled.replace(/\uE000(\d+)\uE001/g, (_, i: string) => kept[Number(i)] ?? '');
}
