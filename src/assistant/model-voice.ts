import { isDeepStrictEqual } from 'node:util';
import type { ToolResult } from '../language/assistants/offer.ts';
import { type Fields, isRecord } from '../lib/json.ts';
import { jsonText } from '../lib/text.ts';

/** Characters of a part of a line that tell whether it imitates the product. */
const HEAD = 64;
const SAYS = 'The model writes: ';
const SIGN = String.raw`(?:\p{Extended_Pictographic}\uFE0F?|[✓✔☑√]\uFE0F?|:[a-z_+0-9-]{1,40}:)`;
/** Before what is said: formatting, signs, a list's number, and the name of who says it. */
const MARKS = String.raw`(?::[a-z_+0-9-]{1,40}:|[^\p{L}])`;
const LEAD = String.raw`${MARKS}{0,12}(?:(?:switchboard|(?:the )?(?:system|app|bot|assistant|approver|gate|platform))[*_~\s]{0,4}[:>|–—-]${MARKS}{0,8})?`;
const ACTS =
  'cancel+ed|sent|set|changed|added|removed|blocked|unblocked|allowed|parked|reactivated|activated|updated|deleted|created|assigned|moved|ported|ordered|submitted|approved|confirmed|withdrawn|stopped|paused|resumed|done';
/** The product's own lines about effects. */
const OWN = new RegExp(
  [
    String.raw`^${LEAD}(?:done|partly done|outcome unknown|withdrawn|declined|expired|waits for (?:an approver|a person|a yes)|nothing was (?:changed|done|sent))[\s*_~]*[:.]`,
    String.raw`^${LEAD}(?:confirmed|approved|declined)[\s*_~]+by\b`,
    // "Result: Done: Park 0101"
    String.raw`^[^\p{L}]{0,12}[\p{L} ]{1,24}[^\p{L}\d\n]{0,4}[:>|–—][^\p{L}]{0,8}(?:partly )?done[\s*_~]*:`,
    // A sign and an act: "✔ Parked 0101"
    String.raw`^[^\p{L}]{0,8}${SIGN}[^\p{L}]{0,8}(?:${ACTS})\b`,
  ].join('|'),
  'iu',
);
/** Ends a part of a line: its end, the end of a sentence, or the place before a sign. */
const PART = new RegExp(
  String.raw`\n|(?<=[.!?][*_~)\]]{0,4})\s+(?=\S)|(?<=[\p{L}\p{N}][^\p{L}\p{N}]{0,8})(?=${SIGN})`,
  'u',
);

/** Writes a line of a model, or the rest of one, that looks like the product's own about an effect as the model's. */
export class ModelVoice {
  /** The text that is not shown yet. */
  #held = '';
  /** True where a part of a line begins. */
  #isHead = true;
  /** True where a line begins. */
  #isLineStart = true;

  /** The part of the text that can be shown now. */
  push(delta: string): string {
    this.#held += delta;
    return this.#shown(false);
  }

  /** The rest. */
  flush(): string {
    const rest = this.#shown(true);
    this.#isHead = true;
    this.#isLineStart = true;
    return rest;
  }

  #shown(isEnd: boolean): string {
    let shown = '';
    while (this.#held !== '') {
      const at = PART.exec(this.#held);
      const length = at ? at.index + at[0].length : this.#held.length;
      if (this.#isHead) {
        // A sign at the end may be the first half of what it says.
        if (!at && !isEnd && this.#held.length < HEAD) break;
        shown += this.#begun(this.#held.slice(0, at?.index ?? length));
      }
      // The last words may be the end of a sentence.
      const kept = at || isEnd ? length : Math.max(0, this.#held.search(/\S{0,40}\s*$/u));
      if (kept === 0) break;
      shown += this.#held.slice(0, kept);
      this.#isHead = at !== null;
      this.#isLineStart = at ? at[0].includes('\n') : false;
      this.#held = this.#held.slice(kept);
    }
    return shown;
  }

  /** What is written before a part of a line. */
  #begun(part: string): string {
    this.#isHead = false;
    if (!isOwn(part)) return '';
    return this.#isLineStart ? SAYS : `\n${SAYS}`;
  }
}

/** True for a line that imitates the product's own. Other forms of letters, and signs without width, change nothing. */
function isOwn(part: string): boolean {
  return OWN.test(part.normalize('NFKC').replace(/[\u200B-\u200F\u2060\uFEFF\u00AD]/g, ''));
}

const BEFORE = new RegExp(`^(?:${SAYS})?${LEAD}`, 'iu');

/** A sentence of an answer without the signs and the names before it. */
export function withoutVoice(sentence: string): string {
  return /^[+\d“]/.test(sentence) ? sentence : sentence.replace(BEFORE, '');
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
