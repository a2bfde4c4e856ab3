import { isDeepStrictEqual } from 'node:util';
import type { ToolResult } from '../language/assistants/offer.ts';
import { type Fields, isRecord } from '../lib/json.ts';
import { jsonText } from '../lib/text.ts';

/** Characters of a line that tell whether it imitates the product. */
const HEAD = 40;
/** The product's own lines about effects. */
const OWN =
  /^[\s>*_#-]*(?:[✅☑✔❓🔐🔒❌⛔⏹⚠]\uFE0F?|:[a-z_]{1,40}:)?[\s*_]*(?:done|partly done|outcome unknown|withdrawn|declined|expired|confirmed by|approved by|waits for (?:an approver|a person|a yes)|nothing was (?:changed|done|sent))\s*[:.]/iu;
const SAYS = 'The model writes: ';

/** Writes a line of a model that looks like the product's own about an effect as the model's. */
export class ModelVoice {
  #line = '';
  #isKnown = false;

  /** The part of the text that can be shown now. */
  push(delta: string): string {
    let shown = '';
    for (const piece of delta.split(/(?<=\n)/)) {
      if (this.#isKnown) shown += piece;
      else {
        this.#line += piece;
        if (this.#line.length >= HEAD || this.#line.endsWith('\n')) shown += this.#decide();
      }
      if (piece.endsWith('\n')) this.#isKnown = false;
    }
    return shown;
  }

  /** The rest. */
  flush(): string {
    const rest = this.#decide();
    this.#isKnown = false;
    return rest;
  }

  #decide(): string {
    const line = this.#line;
    this.#line = '';
    this.#isKnown = true;
    return OWN.test(line) ? `${SAYS}${line}` : line;
  }
}

/**
 * Joins the texts of a result for the model, shortened to this many characters. Values that all rows of a list share
 * are stated once.
 */
export function fitted({ content, structuredContent }: ToolResult, most: number): string {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const [first = '', ...notes] = texts;
  if (structuredContent === undefined) return [first.slice(0, most), ...notes].join('\n');
  const { value, said } = sharedOnce(structuredContent, most);
  const json = jsonText(value);
  const left = most - said.join('\n').length;
  if (json.length <= left) return [json, ...said, ...notes].join('\n');
  const short = shorter(value, left);
  return [jsonText(short.value).slice(0, left), short.note, ...said, ...notes].join('\n');
}

/** A list with fewer rows would hardly become shorter. */
const LEAST_ROWS = 3;

/** The value without the members that all rows of a list share, and a sentence for each list with these members. */
function sharedOnce(value: Fields, most: number): { value: Fields; said: string[] } {
  const said: string[] = [];
  const lists = Object.entries(value).map(([name, list]): [string, unknown] => {
    if (!Array.isArray(list) || list.length < LEAST_ROWS || !list.every(isRecord)) return [name, list];
    const shared = Object.entries(list[0] ?? {}).filter(([key, member]) =>
      list.every((row) => Object.hasOwn(row, key) && isDeepStrictEqual(row[key], member)),
    );
    const rows = list.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([key]) => !shared.some(([one]) => one === key))),
    );
    const sentence = `Each of these ${list.length} in ${name} also has ${jsonText(Object.fromEntries(shared))}.`;
    // A row stays a row, and what is said once leaves room for the rows.
    if (shared.length === 0 || rows.some((row) => Object.keys(row).length === 0) || sentence.length > most / 2)
      return [name, list];
    said.push(sentence);
    return [name, rows];
  });
  return { value: Object.fromEntries(lists), said };
}

/** Cuts lists, the longest first, until the value fits. */
function shorter(value: Fields, most: number): { value: Fields; note: string } {
  const kept: Fields = structuredClone(value);
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
