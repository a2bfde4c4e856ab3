import { TYPED_SECRET } from '../lib/placeholders.ts';
import {
  BREAKS,
  CONNECTORS,
  DEFINITE,
  FILLERS,
  GIVING,
  LABEL,
  OF,
  PLURAL,
  REFERENCES,
  STATES,
  UNITS,
} from './secret-words.ts';

/** Values that are secrets by their form. */
const SHAPED: readonly RegExp[] = [
  /\bxox[a-z]-[\w-]{8,}/g,
  /\bxapp-[\w-]{8,}/g,
  /\b(?:sk|pk|rk)[-_][\w-]{16,}/g,
  /\bgh[a-z]_\w{20,}/g,
  /\bglpat-[\w-]{16,}/g,
  /\bAKIA[0-9A-Z]{12,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\bLPA:1\$\S+/gi,
  /(?<=\b(?:bearer|basic)\s+)[\w.~+/=-]{12,}/gi,
  /(?<=:\/\/[^\s/@:]{0,100}:)[^\s/@]+(?=@)/g,
  // Ids of the platform have hyphens, and numbers have no letters.
  /\b(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{32,}\b/g,
  /\b(?=\w*\d)(?=\w*[a-f])[0-9a-f]{32,}\b/gi,
];

/** Words in a text, each with its place; text in quotation marks is one word, and so is a run of a script without spaces. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー`;
const QUOTED = [
  ...[
    '"[^"\\n]{1,200}"',
    '“[^”\\n]{1,200}[”“]',
    '„[^“”\\n]{1,200}[“”]',
    '«[^»\\n]{1,200}»',
    '‹[^›\\n]{1,200}›',
    '`[^`\\n]{1,200}`',
  ],
  ...[
    "(?<![\\p{L}\\p{N}])'[^'\\n]{1,200}'(?![\\p{L}\\p{N}])",
    '‘[^’\\n]{1,200}’',
    '「[^」\\n]{1,200}」',
    '『[^』\\n]{1,200}』',
  ],
].join('|');
const SEPARATOR = '[:=：＝→⇒|]+|[-=]+>|(?<=\\s)[-–—]+(?=\\s)';
const WORD = new RegExp(
  String.raw`(?<quoted>${QUOTED})|(?<separator>${SEPARATOR})|(?<line>\n)|[${UNSPACED}]+|(?:(?![${UNSPACED}]|[:=：＝→⇒|](?:\s|$)|[=：＝→⇒|])\S)+`,
  'gu',
);

interface Word {
  text: string;
  /** Without marks around it, in lower case. */
  plain: string;
  start: number;
  end: number;
  kind: 'word' | 'quoted' | 'separator' | 'line';
  /** True if a part of the sentence ends with it. */
  ends: boolean;
}

interface Span {
  start: number;
  end: number;
}

/** A name of a secret in the text. */
interface Label extends Span {
  isPlural: boolean;
  /** The start of the next name. */
  until: number;
}

/** The lead to the next word: a sign such as ":", a word such as "is", the name alone, or nothing. */
type Lead = 'sign' | 'word' | 'name' | undefined;

/** A word behind a name. `ahead`: the words before the name. */
interface Place {
  ahead: readonly Word[];
  behind: readonly Word[];
  at: number;
  led: Lead;
}

/** Most words between the name of a secret and the secret. */
const REACH = 24;
/** Most words of a secret. */
const LONGEST = 12;

/** Words with which a part of a sentence goes on with what the part before it named. */
const GOES_ON: ReadonlySet<string> = new Set([...GIVING, 'it', 'that', 'this', 'which', 'make', 'set', 'use']);

/** Verbs of a request for a secret that does not exist yet. */
const ASKING: ReadonlySet<string> = new Set(
  'need needs want wants create make generate give get request requests ask asks'.split(' '),
);
/** Verbs of a request about the PIN of a line. */
const REQUESTS: ReadonlySet<string> = new Set([
  ...ASKING,
  ...'set change reset renew remove delete show tell new'.split(' '),
]);
/** Verbs for the use of a PIN of a carrier. A line follows them. */
const LEAVES: ReadonlySet<string> = new Set('take leave port move transfer switch bring carry keep'.split(' '));
const PEOPLE: ReadonlySet<string> = new Set('customer client subscriber caller user he she they we i'.split(' '));

/** A text without the secrets that a person typed into it, and whether there were any. */
export function withoutTypedSecrets(text: string): { text: string; found: boolean } {
  const given = text.normalize('NFC');
  let kept = given;
  for (const pattern of SHAPED) kept = kept.replace(pattern, TYPED_SECRET);
  const words = wordsOf(kept);
  kept = without(
    kept,
    labelsOf(kept).flatMap((label) => [...before(words, label), ...after(words, label)]),
  );
  return { text: kept, found: kept !== given };
}

function labelsOf(text: string): Label[] {
  const found = [...text.matchAll(LABEL)];
  return found.map(({ 0: label, index }, at) => ({
    start: index,
    end: index + label.length,
    until: found[at + 1]?.index ?? text.length,
    isPlural: PLURAL.test(label),
  }));
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index, groups }) => ({
    text: word,
    plain: word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').toLowerCase(),
    start: index,
    end: index + word.length,
    kind: groups?.quoted ? 'quoted' : groups?.separator ? 'separator' : groups?.line ? 'line' : 'word',
    ends: /[.!?,;。！？，]$/.test(word),
  }));
}

/** The secrets behind a name: in the same part of the sentence, or on the line below it. */
function after(words: readonly Word[], { start, end, until, isPlural }: Label): Span[] {
  const ahead = words.filter((word) => word.end <= start);
  const behind = words.filter((word) => word.start >= end && word.start < until).slice(0, REACH);
  const found: Span[] = [];
  let led: Lead = 'name';
  // "Needs a PIN for 0103, customer is leaving": only a code may still follow a PIN that is asked for.
  const isAskedFor =
    isOfLine(behind) ||
    (ahead.slice(-3).some(({ plain }) => plain === 'a' || plain === 'an') &&
      ahead.slice(-6).some(({ plain }) => ASKING.has(plain)));
  let isOver = false;
  // "Needs the PIN to take 0102 with them" says what the PIN is for, and the line.
  const isPurpose =
    behind[0]?.plain === 'to' &&
    LEAVES.has(behind[1]?.plain ?? '') &&
    ahead.slice(-6).some(({ plain }) => ASKING.has(plain));
  for (let at = isPurpose ? 3 : 0; at < behind.length; at += 1) {
    const word = behind[at];
    if (word === undefined) break;
    const isLater = found.length > 0;
    const begins = behind[at - 1]?.ends === true && (isPlainWord(word) || PEOPLE.has(word.plain));
    isOver ||= isAskedFor && !isLater && begins && !GOES_ON.has(word.plain);
    // "They say it is swordfish" gives the secret too.
    if (GOES_ON.has(word.plain)) isOver = false;
    if (isOver) led = undefined;
    if (word.kind === 'line' && (led === undefined || isLater)) break;
    if (isLater && !isPlural && BREAKS.has(word.plain)) break;
    const last = isLater && isOfAddress(behind, at) ? undefined : lastOfSecret({ ahead, behind, at, led });
    if (last !== undefined) {
      const lastWord = behind[last] ?? word;
      found.push({ start: startOf(word), end: endOf(lastWord) });
      at = last;
      led = undefined;
      if (lastWord.ends && !isPlural && !lastWord.text.endsWith(',')) break;
      continue;
    }
    led = isOver ? undefined : leadAfter(word, led);
    if (word.kind === 'word' && /[.!?。！？]$/.test(word.text) && led !== 'name') break;
  }
  return found;
}

const STREET =
  /^(?:st|street|ave|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|way|ct|court|pl|place|sq|square|pkwy|hwy|ter|terrace|cir)$/;

/** True for the house number or the ZIP of an address that goes on behind a secret: "pin 0420, 1 Main St, Chicago IL 60601". */
function isOfAddress(words: readonly Word[], at: number): boolean {
  const [previous, word, ...next] = [words[at - 1], ...words.slice(at, at + 5)];
  if (/^\d{5}(?:-\d{4})?$/.test(word?.plain ?? '')) return /^[A-Z]{2},?$/.test(previous?.text ?? '');
  const end = next.findIndex(({ plain }) => STREET.test(plain));
  return (
    /^\d{1,5}$/.test(word?.text ?? '') &&
    previous?.ends === true &&
    end > 0 &&
    next.slice(0, end).every(({ text }) => /^(?:\p{Lu}|\d)/u.test(text))
  );
}

/** "Port-out PIN for 2015550101, she's going to Verizon": the name of the secret has its line behind it, and no value. */
function isOfLine([first, line]: readonly Word[]): boolean {
  const isLine = line !== undefined && (isNational(line) || isKnown(line) || /^\d{4}$/.test(line.plain));
  return isLine && (first?.plain === 'for' || first?.plain === 'on');
}

function leadAfter(word: Word, led: Lead): Lead {
  if (word.kind === 'line') return led;
  if (word.kind === 'separator') return 'sign';
  if (isConnector(word)) return led === 'sign' ? led : 'word';
  return FILLERS.has(word.plain) || word.plain === '' ? led : undefined;
}

/** The last word of the secret that begins with this word; undefined if none does. */
function lastOfSecret(place: Place): number | undefined {
  const { behind, at, led } = place;
  const word = behind[at];
  if (word === undefined || word.kind === 'line' || word.kind === 'separator' || isKnown(word)) return undefined;
  if (word.kind === 'quoted') return at;
  const isLed = led === 'sign' || led === 'word';
  // "Port-out PIN 2015550105" names a line. "The PIN is 2015550105" gives the secret.
  if (!isLed && isNational(word)) return undefined;
  if (isCode(word)) {
    if (isAmount(place) || (!isLed && isReference(place))) return undefined;
    return isLed ? lastOf(behind, at) : at;
  }
  if (isConnector(word)) return undefined;
  if (isLed && isValue(behind, at)) return lastOf(behind, at);
  return led === 'name' && isAlone(place) ? at : undefined;
}

/** True for the number in "8 characters". */
function isAmount({ behind, at }: Place): boolean {
  const [word, next] = [behind[at], behind[at + 1]];
  return next !== undefined && /^[\p{Nd}.,]+$/u.test(word?.plain ?? '') && UNITS.test(next.plain);
}

/** True for the last digits of a line, as in "the PIN of 0101". */
function isReference(place: Place): boolean {
  const { ahead, behind, at } = place;
  const previous = behind[at - 1];
  // "/numbers pin 0101" is a command with a line.
  if (previous === undefined)
    return behind.length === 1 && ahead.length === 1 && /^numbers?$/.test(ahead[0]?.plain ?? '') && isLast4(behind[at]);
  if (REFERENCES.has(previous.plain)) return true;
  if (!OF.has(previous.plain)) return false;
  return ahead.slice(-3).some(({ plain }) => DEFINITE.has(plain) || /[’']s$/.test(plain)) || isOnlyLine(place);
}

const isLast4 = (word: Word | undefined) => /^\d{4}$/.test(word?.plain ?? '');

/** True for the only last digits of a request about a PIN: "set port out pin of 0105". With another line, they are the PIN. */
function isOnlyLine({ ahead, behind, at }: Place): boolean {
  const word = behind[at];
  const before = ahead.slice(-4).map(({ plain }) => plain);
  if (word === undefined || !isLast4(word) || before.some((one) => one === 'a' || one === 'an' || GIVING.has(one)))
    return false;
  const isLine = (one: Word, i: number, all: readonly Word[]) =>
    (isLast4(one) || isKnown(one)) && !isConnector(all[i - 1] ?? one);
  const rest = behind.slice(at + 1);
  const isOther =
    ahead.some(isLine) || rest.some((one, i) => isLine(one, i, rest) && REFERENCES.has(rest[i - 1]?.plain ?? ''));
  return !isOther && before.some((one) => REQUESTS.has(one));
}

/** True for a word without digits that may be a secret. "wrong" is none, but may begin a pass phrase. */
function isValue(words: readonly Word[], at: number): boolean {
  const [word, ...next] = words.slice(at, at + 3);
  if (word === undefined || word.plain === '' || FILLERS.has(word.plain) || BREAKS.has(word.plain)) return false;
  const isState = STATES.has(word.plain) || /n[’']t$/.test(word.plain);
  return !isState || (!word.ends && next.length === 2 && next.every(isPlainWord));
}

/** True for a word that says nothing about a secret. */
function isPlainWord(word: Word): boolean {
  return word.kind === 'word' && ![FILLERS, BREAKS, CONNECTORS, STATES].some((words) => words.has(word.plain));
}

/** True for a word that is all that follows the name: "with password swordfish". */
function isAlone({ ahead, behind, at }: Place): boolean {
  const [word, next] = [behind[at], behind[at + 1]];
  if (word === undefined || at > 0 || !isPlainWord(word)) return false;
  if (!word.ends && next !== undefined && next.kind !== 'line') return false;
  const before = ahead.slice(ahead.findLastIndex(({ ends, kind }) => ends || kind === 'line') + 1);
  const giving = before.findLast(({ plain }) => !FILLERS.has(plain));
  return before.length === 0 || (giving !== undefined && GIVING.has(giving.plain));
}

/** The last word of a secret of several words. */
function lastOf(words: readonly Word[], first: number): number {
  let last = first;
  while (last - first < LONGEST) {
    const [word, next] = [words[last], words[last + 1]];
    if (word === undefined || word.ends || next?.kind !== 'word' || isKnown(next)) break;
    if (BREAKS.has(next.plain) || (isConnector(next) && !/^\p{L}$/u.test(next.plain))) break;
    last += 1;
  }
  return last;
}

/** The secret before a name: "4821 is the PIN", "use hunter2 as password". */
function before(words: readonly Word[], { start }: Label): Span[] {
  const ahead = words.filter((word) => word.end <= start);
  const linked = ahead.findLastIndex(({ plain, kind }) => kind === 'separator' || !FILLERS.has(plain));
  const [link, ...others] = ahead.slice(0, linked + 1).reverse();
  const [word, previous] = others.slice(others.findIndex((one) => !isConnector(one)));
  if (link === undefined || word === undefined || link.ends) return [];
  if (link.kind !== 'separator' && !isConnector(link)) return [];
  if (word.kind === 'quoted') return [word];
  if (word.kind !== 'word' || !isCode(word) || isKnown(word)) return [];
  return previous !== undefined && REFERENCES.has(previous.plain) ? [] : [{ start: startOf(word), end: endOf(word) }];
}

function isConnector(word: Word): boolean {
  return word.kind === 'word' && CONNECTORS.has(word.plain) && !isCode(word);
}

/** True for a word with a digit or a sign in it, or with capitals inside. */
function isCode(word: Word): boolean {
  const bare = word.text.replace(/^[("'*_~<[]+|[)"'*_~>\].,;:!?]+$/g, '');
  if (/\p{Nd}/u.test(bare)) return true;
  if (/[^\p{L}\p{M}\p{N}’'.-]/u.test(bare) && /\p{L}/u.test(bare) && !/^\p{L}+[/&]\p{L}+$/u.test(bare)) return true;
  return (
    /^\p{L}*\p{Ll}\p{Lu}\p{L}*$/u.test(bare) ||
    (/[!@#$%^&*]$/.test(word.text) && /\p{L}/u.test(bare) && !/!$/.test(word.text))
  );
}

/** Phone numbers, ids of the platform and dates. */
function isKnown({ text }: Word): boolean {
  const bare = text.replace(/^[("'*<[]+|[)"'*>\].,;:!?]+$/g, '');
  return (
    /^(?:tel:)?\+\d[\d().-]{6,}$/.test(bare) ||
    /^[A-Z]{2,8}-[0-9a-f]{8}-[0-9a-f-]+$/i.test(bare) ||
    /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{1,2}\/\d{1,2}\/\d{2})$/.test(bare) ||
    /^\d{1,2}:\d{2}(?:am|pm)?$/i.test(bare) ||
    bare === TYPED_SECRET.slice(1, -1)
  );
}

/** A whole number of ten digits, as people here write it. */
function isNational({ plain }: Word): boolean {
  return /^(?:1[-.]?)?[2-9]\d{2}[-.]?[2-9]\d{2}[-.]?\d{4}$/.test(plain);
}

/** A secret may end with any sign, but a full stop or a comma is most often the sentence's. */
function endOf({ text, end }: Word): number {
  return end - (/[.,;?)\]]*$/.exec(text)?.[0].length ?? 0);
}

function startOf({ text, start }: Word): number {
  return start + (/^[([]*/.exec(text)?.[0].length ?? 0);
}

function without(text: string, spans: readonly Span[]): string {
  let kept = '';
  let from = 0;
  for (const { start, end } of [...spans].sort((one, other) => one.start - other.start)) {
    if (start < from) {
      from = Math.max(from, end);
      continue;
    }
    kept += `${text.slice(from, start)}${TYPED_SECRET}`;
    from = end;
  }
  return kept + text.slice(from);
}
