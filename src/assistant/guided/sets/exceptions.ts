import { wordsOf } from '../../../language/sentence.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { LINE } from '../facts/line-pattern.ts';
import { PRODUCTS } from '../reads/bare-lists.ts';

/* Lines that a sentence leaves out: "except ava's line and the iot one", "without 0103", "besides ben". */

const NOUN = String.raw`(?:\s+(?:lines?|numbers?|ones?|sims?|esims?|phones?))?`;
const ITEM = String.raw`(?:the\s+)?(?:[#…*]*\d{4}\b|\+?\(?\d[\d().\s-]{8,16}\d|\p{L}[\p{L}'’-]+(?:\s+(?!(?:and|or|nor|but|on|to|at|from|for|with|until|till|please|pls|though|tho|lines?|numbers?|ones?|sims?|esims?|phones?|out|alone)\b)\p{L}[\p{L}'’-]+)?)${NOUN}`;
/** The value that a line gets which is left out: "but 0105 gets 5000". */
const OWN = String.raw`(?<own>\s+(?:(?:which|who)\s+)?(?:gets|stays|keeps)\s+[^,;.!?]+)?`;
const EXCEPT = new RegExp(
  String.raw`[,;]?\s*(?:\b(?:but\s+)?(?:not(?:\s+(?:counting|including))?|except(?:ing)?(?:\s+for)?|excluding|besides|without|minus|other\s+than|apart\s+from|aside\s+from|save\s+for|leav(?:e|ing)\s+out|skip(?:ping)?)|(?<=\b(?:all|every\p{L}*|any\p{L}*|lines?|numbers?|ones|of\s+(?:them|these|those))\s+)but)\s+(?:for\s+|on\s+)?(?<list>${ITEM}(?:\s*(?:,|&|\band\b|\bn?or\b)\s*${ITEM})*)(?:\s+(?:though|tho|please|pls|out|alone)\b)*${OWN}`,
  'giu',
);
/** "…, ben's stays on", "…, 0103 gets 10" */
const STAYS = new RegExp(
  String.raw`[,;]\s+(?:but\s+)?(?<list>${ITEM})(?<own>\s+(?:stays?|remains?|keeps?|gets)\s+[^,;.!?]+)`,
  'giu',
);
const ENDS = new RegExp(`${NOUN}$`, 'iu');

interface Exceptions {
  /** The sentence without the words of its exceptions. */
  rest: string;
  except: string[];
  /** Their own values, in the words of the sentence: "0105 gets 5000". */
  owns: string[];
}

/** The lines that a sentence leaves out, by their digits, holders or products, and the sentence without these words. */
export function exceptionsIn(said: string): Exceptions {
  const [except, owns]: [string[], string[]] = [[], []];
  const leaveOut = (all: string, list: string, own: unknown) => {
    const parts = list.split(/\s*(?:,|&|\band\b|\bn?or\b)\s*/iu).map((item) => item.replace(/^the\s+/i, ''));
    // "Anyone except ben over their limit": the sentence goes on behind the name.
    const [, first = '', behind = ''] = /^(\S+)(\s+\S.*)?$/su.exec(parts.at(-1) ?? '') ?? [];
    const isWhole = isNamed(nameOf(parts.at(-1) ?? ''));
    const items = [...parts.slice(0, -1), isWhole ? (parts.at(-1) ?? '') : first].map(nameOf);
    if (!items.every(isNamed)) return all;
    except.push(...items);
    if (typeof own === 'string') owns.push(`${list}${own}`.trim());
    return isWhole ? ' ' : ` ${behind} `;
  };
  const rest = said
    .replace(EXCEPT, leaveOut)
    .replace(STAYS, (all, list: string, own: string) =>
      leaveOut(all, list, /^\s*gets\b/iu.test(own) ? own : undefined),
    );
  return { rest, except, owns };
}

function nameOf(item: string): string {
  return item.replace(ENDS, '').replace(/['’]s?$/, '');
}

function isNamed(item: string): boolean {
  if (/^\W*\d/.test(item) || Object.hasOwn(PRODUCTS, item.toLowerCase())) return true;
  return item.length > 1 && wordsOf(item).length > 0 && wordsOf(item).every(({ isUnknown }) => isUnknown);
}

/** The sentence with its part before the text of a message changed. The text goes out as it was typed. */
export function beforeText(said: string, message: string, change: (part: string) => string): string {
  const at = said.lastIndexOf(message);
  return at < 0 ? said : `${change(said.slice(0, at))}${said.slice(at)}`;
}

const ONLY_OTHER = new RegExp(
  String.raw`^(?<start>\W*(?:(?:please|pls|plz|ok|okay|so|no|wait|hey|hi|and)[\s,]+)*)(?:do\s*n['’]?t|do\s+not|never)\s+(?<verb>cancel|park|suspend|hold|pause|reactivate|activate|unpark|resume|disconnect|terminate|watch)\s+(?<one>${LINE})[\s,;.–-]+(?:but\s+)?(?:only|just|rather)\s+(?<other>${LINE})(?<end>[\s.!]*|\s+(?:please|pls|plz|now|today)[\s.!]*)$`,
  'iu',
);

/** "Don't cancel 0104, only 0110": the order for the other line. */
export function withOtherLine(text: string): string {
  return text.replace(ONLY_OTHER, '$<start>$<verb> $<other>, not $<one>$<end>');
}

const SHORT_ITEM = String.raw`(?:[#…*]*\d{4}|\p{L}[\p{L}-]+(?:['’]s)?(?:\s+(?:line|number|one))?)`;
/** "Everyone but 0103 at Acme", "all but 0105 of Acme's lines" */
const BEFORE_OWNER = new RegExp(
  String.raw`\b(?<all>all|every(?:one|body|thing)|(?:all|every)\s+(?:the\s+)?(?:lines?|numbers?|sims?|customers?))\s+(?<but>but|except(?:\s+for)?|excluding|without|other\s+than|apart\s+from|besides|save\s+for)\s+(?<list>${SHORT_ITEM}(?:\s*(?:,|&|\band\b)\s*${SHORT_ITEM})*)\s+(?<of>of|at|on|from|under|in|with)\s+(?:the\s+)?(?<name>\p{L}[\p{L}\d&-]*(?:\s+(?:mobile|family|group|wireless|telecom|inc|llc|ltd))?)(?:['’]s?)?(?:\s+(?:lines|numbers|sims|customers|account))?(?![\p{L}\d])`,
  'iu',
);

/**
 * The sentence with an exception behind its set: "everyone at Acme except 0103". In "every globex line bar ben's", “bar”
 * blocks nothing.
 */
export function withPlainExcept(text: string): string {
  const plain = text.replace(/(?<=\b(?:all|every\p{L}*|any\p{L}*|lines?|numbers?)\s+)bar(?=\s+\p{L})/giu, 'except');
  const { list = '', name = '' } = BEFORE_OWNER.exec(plain)?.groups ?? {};
  const items = list.split(/\s*(?:,|&|\band\b)\s*/iu).map(nameOf);
  if (!isNamed(name) || !items.every(isNamed)) return plain;
  return plain.replace(BEFORE_OWNER, () => `all ${name} lines except ${list}`);
}

/** The list without the entries that the sentence leaves out. */
export function withoutRows(guided: GuidedAnswer, except: readonly string[]): GuidedAnswer {
  if (except.length === 0) return guided;
  const told = leftOutText(except);
  return {
    ...guided,
    understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${guided.remarks ?? ''}${told}`,
    narrow: { without: except, kinds: [], said: `without ${quoted(except)}` },
  };
}

export function leftOutText(except: readonly string[]): string {
  return except.length === 0 ? '' : `; left out, as you say: ${quoted(except)}`;
}

function quoted(items: readonly string[]): string {
  return items.map((item) => `“${item}”`).join(', ');
}
