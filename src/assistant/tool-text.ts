import type { ToolResult } from '../language/assistants/content.ts';
import { isRecord } from '../lib/json.ts';
import { jsonText } from '../lib/text.ts';

/** The texts of a result as one text for the model, shortened to this many characters. */
export function fitted({ content, structuredContent }: ToolResult, most: number): string {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const [first = '', ...notes] = texts;
  if (first.length <= most || structuredContent === undefined) return [first.slice(0, most), ...notes].join('\n');
  const { value, note } = shorter(structuredContent, most);
  return [jsonText(value).slice(0, most), note, ...notes].join('\n');
}

/** Cuts lists, the longest first, until the value fits. */
function shorter(value: Record<string, unknown>, most: number): { value: Record<string, unknown>; note: string } {
  const kept: Record<string, unknown> = structuredClone(value);
  const cut: string[] = [];
  for (let size = jsonText(kept).length; size > most; size = jsonText(kept).length) {
    const lists = Object.entries(kept).filter(
      (entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length > 1,
    );
    const [name, longest] = lists.sort((a, b) => jsonText(b[1]).length - jsonText(a[1]).length)[0] ?? [];
    if (name === undefined || longest === undefined) break;
    const whole = value[name];
    const length = Math.max(1, Math.floor((longest.length * most) / size / 1.1));
    kept[name] = longest.slice(0, Math.min(length, longest.length - 1));
    const text = `${name}: the first ${(kept[name] as unknown[]).length} of ${Array.isArray(whole) ? whole.length : '?'}`;
    cut.splice(0, cut.length, ...cut.filter((one) => !one.startsWith(`${name}:`)), text);
  }
  const note = `[Shortened: ${cut.join('; ') || 'the text is cut'}. Narrow the call to see the rest, and say that the list is not complete.]`;
  return { value: isRecord(kept) ? kept : {}, note };
}
