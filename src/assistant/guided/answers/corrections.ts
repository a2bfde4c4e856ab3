import { planNames } from '../../../../tools/surfaces/words.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { editDistance } from '../../../lib/nearest.ts';
import { carriedUnit } from '../facts/shares.ts';
import { areBeside, BESIDE, isOnly, sameText, type Value, values } from './thread-values.ts';

/* The last order with another value: "sorry, 0105", "make it 3", "no, the basic one", "and the same for 0104". */

const CUE =
  /\b(?:sorry|no|nope|nah|oops|whoops|ups|wait|actually|mean|meant|wrong|not|mistake|try|use|better|rather|correction|make|should|instead|typo|bad|said|other|argh|damn|let['’]?s|change\s+(?:it|that)|scratch|only|just|back\s+to)\b/i;
const TOO_LONG = 120;

/** The last order with the value that a message gives instead: "no, to 0104". Undefined for other messages. */
export function correction(said: string, last: string, now: number): string | undefined {
  const text = withoutDeed(withoutReporter(said), last, now);
  const spelled = withSpelling(text, last, now) ?? withOtherPart(text, last, now);
  const first = spelled ?? withList(text, last, now);
  if (first !== undefined) return first;
  const isOnly = isOnlyValue(text, last, now);
  if (!(isOnly || CUE.test(text)) || text.length > TOO_LONG) return undefined;
  // "Not on Friday" says what it is not, and nothing else.
  const [value, ...rests] = values(text, now);
  const before = value === undefined ? '' : text.slice(0, text.indexOf(value.text));
  if (rests.length === 0 && /(?<!\bwhy\s+)\bnot\s+(?:(?:on|for|to|until|till|from|at|in|the)\s+)*$/i.test(before))
    return undefined;
  const both = ALSO_FOR.exec(text);
  if (both) {
    const first = correction(text.slice(0, both.index), last, now);
    return first === undefined ? undefined : withAlso(first, text.slice(both.index + both[0].length), now);
  }
  // "Not 0103, 0105" and "0105, not 0103"
  const known = values(last, now);
  const isSame = (value: Value, one: string) =>
    sameText(value.text, one) || (value.kind === 'amount' && /^\d/.test(one) && parseFloat(value.text) === Number(one));
  const [refused] = [
    ...text.matchAll(/\bnot\s+(?:for\s+|to\s+|on\s+|the\s+)?([#…*]*[\p{L}\d+][\p{L}\d'’+-]*)/giu),
  ].filter(([, one = '']) => known.some((value) => isSame(value, one)));
  const rest = refused ? text.replace(refused[0], ' ') : text;
  const plan = withOtherPlan(rest, last);
  return plan ?? replaced(last, withUnit(rest, last, now), now, refused?.[1]);
}

/** "Ava says it's 0104": the person who says so is no other value. */
const REPORTS =
  /^(?<cue>\W*(?:(?:no+|nope|wait|sorry|oops|oh|actually|but|hm+)[\s,.!]+)*)(?:(?:the\s+|our\s+)?[\p{L}'’]+)\s+(?:(?:just|now|has|have)\s+)*(?:says?|said|tells?\s+(?:me|us)|told\s+(?:me|us)|writes?|wrote|means?|meant|thinks?|confirms?|confirmed)\s+(?:that\s+)?(?=(?:it|its|it['’]s|that|that['’]s|thats|the|not|[#…*]*\d)(?![\p{L}’']))/iu;
/** "Ava's 0101" is her line. */
const WHOSE_LINE = /(?<![\p{L}\d])\p{L}{2,}['’]s\s+(?:(?:line|number)\s+)?(?=[#…*]*\d{4}(?!\d))/giu;

function withoutReporter(said: string): string {
  return said.replace(REPORTS, '$<cue>no, ').replace(WHOSE_LINE, '');
}

const NEEDS_IT =
  /\s+(?:needs?|wants?|gets?|should\s+(?:get|have|be)|is|was|has\s+to\s+be)\s+(?:(?:to\s+be\s+)?(?:on\s+)?(?:the\s+|an?\s+|it\b|that\b)?(?<noun>\p{L}*)(?:\s+one)?)(?<end>(?:\s+(?:please|pls|instead|not\s+\p{L}+))*)[\s.!]*$/iu;

const SAME_DEED =
  /^\W*(?:no+|nope|nah|sorry|wait|oops|actually)[\s,]+(?<verb>\p{L}+)\s+(?<line>[#…*]*\d{4})(?:\s+(?:please|pls|instead))*[\s.!]*$/iu;

/** "Not Ava, Ben needs the hold" without the deed of the last order in it, and without another name than that of the order. */
function withoutDeed(text: string, last: string, now: number): string {
  const { noun = '', end = '' } = NEEDS_IT.exec(text)?.groups ?? {};
  const known = new Set<string>(wordsOf(last).flatMap(({ acts, things }) => [...acts, ...things]));
  const isSame =
    noun === '' || wordsOf(noun).some(({ acts, things }) => [...acts, ...things].some((one) => known.has(one)));
  const rest = isSame ? text.replace(NEEDS_IT, end) : text;
  // "No, cancel 0108" after "cancel 0109"
  const { verb = '', line = '' } = SAME_DEED.exec(rest)?.groups ?? {};
  if (line !== '' && !last.includes(line) && wordsOf(verb).some(({ acts }) => acts.some((one) => known.has(one))))
    return `no, ${line}`;
  const refused =
    /^\W*(?:(?:no|sorry|wait|oh)[\s,]+)*not\s+(?<one>[\p{L}'’]+(?:\s[\p{L}'’]+)?)\s*[,;]\s*(?:but\s+)?/iu.exec(rest);
  const name = refused?.groups?.one ?? '';
  const isKnown = last.toLowerCase().includes(name.toLowerCase());
  // The order has a number, whose holder may be the one that is not meant.
  if (!refused || isKnown || !values(name, now).some(({ kind }) => kind === 'person')) return rest;
  return `no, ${rest.slice(refused[0].length)}`;
}

/** True for a message that is nothing but another amount, day, text or plan: "10". */
function isOnlyValue(text: string, last: string, now: number): boolean {
  if (/[?]/.test(text)) return false;
  const plain = text.trim().replace(/[.!]+$/, '');
  const has = (kind: Value['kind']) => values(last, now).some((one) => one.kind === kind);
  if (/^\d{1,3}(?:\.\d+)?$/.test(plain)) return has('amount') && !has('area');
  const [value, ...others] = values(plain, now);
  if (value && others.length === 0) return ONLY.has(value.kind) && has(value.kind) && isOnly(value, plain);
  return new RegExp(`^(?:${planNames.join('|')})$`, 'i').test(plain);
}

const ONLY: ReadonlySet<Value['kind']> = new Set(['amount', 'day', 'quoted', 'address', 'serial', 'speed']);

/** "Make it 3" after "5 GB": the amount has the unit of the last one. */
function withUnit(text: string, last: string, now: number): string {
  const bare = [
    ...text.matchAll(
      /(?<![\w.+#…-])\d{1,4}(?:\.\d+)?(?![\w.]*\d|\s*(?:gb|mb|gigs?|megs?|[km]bps|[ap]m|:\d))(?![a-z])/gi,
    ),
  ];
  const [only, ...more] = bare;
  if (!only || more.length > 0 || /^0/.test(only[0])) return text;
  const ofKind = (wanted: Value['kind']) => values(last, now).filter(({ kind }) => kind === wanted);
  const [amounts, speeds] = [ofKind('amount'), ofKind('speed')];
  // The greater one of an amount and a speed is the speed.
  const isSpeed = speeds.length > 0 && (amounts.length === 0 || Number(only[0]) >= MIN_SPEED);
  const [place, ...others] = isSpeed ? speeds : amounts;
  const own = /(?<=\d\s*-?)[a-z]+$/i.exec(place?.text ?? '')?.[0];
  const unit = isSpeed || own === undefined ? own : (carriedUnit(Number(only[0]), place?.text ?? '') ?? own);
  const isOther = ({ kind, text: one }: Value) => kind !== 'area' && !one.includes(only[0]);
  if (unit === undefined || others.length > 0 || values(text, now).some(isOther)) return text;
  const end = only.index + only[0].length;
  return `${text.slice(0, end)}${unit}${text.slice(end)}`;
}

/** kbps */
const MIN_SPEED = 64;

const ALSO_FOR =
  /[\s,;]+(?:and|also|plus)\s+(?:(?:do|also)\s+)*(?:the\s+)?(?:same\s+(?:thing\s+)?)?(?:for|on)\s+(?=[#…*]*(?:\d|\p{Lu}))/iu;

/** The order for one more line: "set 0103 and 0101 to 10 GB". */
function withAlso(order: string, also: string, now: number): string | undefined {
  const lines = values(order, now).filter(({ kind }) => LINES.has(kind));
  const more = values(also, now);
  const place = lines.at(-1);
  if (!place || more.length !== 1 || !more.every(({ kind }) => LINES.has(kind))) return undefined;
  return order.replace(place.text, () => `${place.text} and ${more[0]?.text ?? ''}`);
}

/** "Both 0105 and 0101": the order for all lines of a list. */
function withList(text: string, last: string, now: number): string | undefined {
  const found = values(text, now);
  const [place, ...others] = values(last, now).filter(({ kind }) => LINES.has(kind));
  if (found.length < 2 || !found.every(({ kind }) => LINES.has(kind)) || !place || others.length > 0) return undefined;
  const isNamed = found.some((one) => sameText(one.text, place.text));
  if (!isNamed || /\bnot\b|n['’]t\b/i.test(text)) return undefined;
  const beside = found.reduce((rest, one) => rest.replace(one.text, ' '), text).toLowerCase();
  if (beside.split(/[^\p{L}\d'’]+/u).some((word) => word !== '' && !BESIDE.has(word))) return undefined;
  return last.replace(place.text, () => found.map((one) => one.text).join(' and '));
}

/** "Li, not Lee": the order with another part of a name. */
function withOtherPart(text: string, last: string, now: number): string | undefined {
  const [, before, refused = '', after] =
    /^\W*(?:(?:sorry|no|oops|its|it['’]s|actually)[\s,]+)*(?:(\p{L}+)[\s,]+not\s+(\p{L}+)|not\s+\p{L}+[\s,]+(?:but\s+)?(\p{L}+))\W*$/iu.exec(
      text,
    ) ?? [];
  const old = refused === '' ? /\bnot\s+(\p{L}+)/iu.exec(text)?.[1] : refused;
  const name = before ?? after;
  const isPart = values(last, now).some(
    ({ kind, text: one }) =>
      kind === 'person' && one.includes(' ') && one.split(' ').some((part) => sameText(part, old ?? '')),
  );
  if (!isPart || old === undefined || name === undefined) return undefined;
  return last.replace(new RegExp(`\\b${old}\\b`, 'i'), () => name);
}

const LINES: ReadonlySet<Value['kind']> = new Set(['number', 'digits']);

const PLAN_NOUN = '(?:plan|package|bundle|tariff)';
const PLAN_NAME = String.raw`\p{L}[\p{L}\d+-]*(?:\s+(?:plus|max|\d{1,3}\s?gb))?`;
/** The plan of an order: "on the family plan", "to Starter". */
const ITS_PLAN = new RegExp(
  String.raw`\b(?:the\s+|our\s+)?(?<name>(?!the\b|our\b|his\b|her\b|their\b|new\b|same\b|data\b|other\b)${PLAN_NAME})(?=\s+${PLAN_NOUN}\b)|\b(?:on|to|onto)\s+(?:the\s+)?(?<known>${planNames.join('|')})\b`,
  'iu',
);
const LEAD = String.raw`^\W*(?:(?:no+|nope|nah|sorry|wait|oops|oh|ok|okay|actually|rather|i|we|you|he|she|mean|meant|said|wants?|make|put|it|that|them|her|him|on|to|go|with|should|be|please|pls|argh|damn|not\s+that(?:\s+one)?|better|let['’]?s|do)[\s,.!]+)*`;
const TAIL = String.raw`(?:[\s,]+(?:please|pls|plz|instead|sorry|then|thanks|actually|rather|i\s+meant?|not\s+\p{L}+))*[\s.!]*$`;
const OTHER_PLAN = new RegExp(
  String.raw`${LEAD}(?:the\s+(?<one>(?!other\b|first\b|second\b|third\b|last\b|same\b|wrong\b|right\b|new\b|old\b)${PLAN_NAME})\s+(?:one|${PLAN_NOUN})|(?<noun>${PLAN_NAME})\s+${PLAN_NOUN}|(?:the\s+)?(?<known>${planNames.join('|')}|unlimited|max))${TAIL}`,
  'iu',
);

/** "No, the basic one" after "put Ava on the family plan". */
function withOtherPlan(text: string, last: string): string | undefined {
  const own = ITS_PLAN.exec(last)?.groups;
  const old = own?.name ?? own?.known;
  const { one, noun, known } = OTHER_PLAN.exec(text)?.groups ?? {};
  const name = one ?? noun ?? known;
  if (old === undefined || name === undefined) return undefined;
  const hasNoun = new RegExp(`\\s${PLAN_NOUN}\\b`, 'i').test(last.slice(last.indexOf(old) + old.length));
  const added = hasNoun ? '' : ' plan';
  return last.replace(old, () => `${name}${added}`);
}

/** Words that speak of letters. */
const OF_LETTERS =
  /^(?:it|its|it's|is|the|a|an|with|without|one|two|double|single|letters?|spelled|spelt|spelling|spell|written|name|his|her|their|last|first|sur|surname|lastname|actually|sorry|no|not|oops|wait|and|at|end|y|i|e|instead|of|ends?|in|on|typo|correct|correction|right|should|be|was|wrong|meant|mean|please|pls|but|like|just|right|fine|lol|haha|original|originally|before|after|all|customer|customer's|thats|that's|that|\p{L})$/iu;
const SPELLS =
  /\b(?:its|it['’]s|it\s+is|spell\w*|spelt|without|with|not|typo|should\s+be|name\s+is|written|sorry|meant?|correct(?:ion|ly)?|actually|no)\b/i;
const MAX_EDITS = 2;

/** "It's Whitfeld, without the i": the order with the name in this spelling. Undefined for other messages. */
function withSpelling(text: string, last: string, now: number): string | undefined {
  if (!SPELLS.test(text) || text.length > TOO_LONG) return undefined;
  const names = values(last, now)
    .filter(({ kind }) => kind === 'person')
    .flatMap(({ text: name }) => name.split(' '));
  const words = text.split(/[^\p{L}'’-]+/u).filter(Boolean);
  const others = words.filter((word) => !OF_LETTERS.test(word) && !names.some((name) => sameText(name, word)));
  const [other, ...more] = others;
  if (other === undefined || more.length > 0 || /\d{3}/.test(text)) return undefined;
  const near = names.filter((name) => isNear(name, other));
  const [name, ...rest] = near;
  if (name === undefined || rest.length > 0) return undefined;
  return last.replace(name, () =>
    /^\p{Lu}/u.test(name) ? `${other.charAt(0).toUpperCase()}${other.slice(1)}` : other,
  );
}

/** True for "Peterson with two s", which only spells a name of the last order. */
export function saysSpelling(text: string, last: string, now: number): boolean {
  if (!/\b(?:with|without|two|double|spelled|spelt|one)\b/i.test(text) || text.length > TOO_LONG || /\d/.test(text))
    return false;
  const names = values(last, now).flatMap(({ kind, text: name }) => (kind === 'person' ? name.split(' ') : []));
  const words = text.split(/[^\p{L}'’-]+/u).filter(Boolean);
  const isName = (word: string) => names.some((name) => sameText(name, word));
  return words.some(isName) && words.every((word) => isName(word) || OF_LETTERS.test(word));
}

/** True for two spellings of a name. */
function isNear(name: string, other: string): boolean {
  const [one, two] = [name.toLowerCase().replace(/['’]s$/, ''), other.toLowerCase()];
  const edits = editDistance(one, two, MAX_EDITS);
  return edits > 0 && edits <= Math.min(MAX_EDITS, Math.floor(one.length / 2)) && one.charAt(0) === two.charAt(0);
}

/** The text with other values of the same kinds, if the words have one value of each and nothing else that counts. */
export function replaced(last: string, words: string, now: number, refused?: string): string | undefined {
  const found = values(words, now);
  const listed = withLines(last, words, now);
  if (listed !== undefined) return listed;
  if (found.length === 0 || new Set(found.map(({ kind }) => kind)).size < found.length) return undefined;
  const beside = found
    .reduce((rest, { text }) => rest.replace(text, ' '), words)
    .toLowerCase()
    .replace(/['’]s\b/g, ' ');
  if (!areBeside(beside)) return undefined;
  let text = last;
  for (const value of found) {
    const next = withValue(text, value, now, refused);
    if (next === undefined) return undefined;
    text = next;
  }
  return text;
}

/** "Same for 0105 and 0106": the order for other lines. */
function withLines(last: string, words: string, now: number): string | undefined {
  if (
    !/^\W*[#…*]*\d{4}(?:(?:\s*,\s*|\s+)(?:and\s+|&\s+)?[#…*]*\d{4})+(?:\s+(?:too|also|please|pls|as\s+well))*\W*$/i.test(
      words,
    )
  )
    return undefined;
  const [place, ...others] = values(last, now).filter(({ kind }) => LINES.has(kind));
  const lines = words.match(/[#…*]*\d{4}/g) ?? [];
  return place && others.length === 0 ? last.replace(place.text, () => lines.join(' and ')) : undefined;
}

function withValue(last: string, value: Value, now: number, refused?: string): string | undefined {
  const old = values(last, now);
  const isPlace = ({ kind, text }: Value) => refused === undefined || kind === 'amount' || sameText(text, refused);
  const all = [value.kind, ...(INSTEAD[value.kind] ?? [])]
    .map((kind) => old.filter((one) => one.kind === kind && isPlace(one)))
    .find((some) => some.length > 0);
  // "Block 9005551234 on 2015550101", and then "also 9005551235": not the line whose list it is.
  const isOwner = ({ text }: Value) => /\b(?:on|for)\s+[#…*]*$/i.test(last.slice(0, last.indexOf(text)));
  const places = (all?.length ?? 0) > 1 ? all?.filter((one) => !isOwner(one)) : all;
  const [place, ...more] = places ?? [];
  if (!place || more.length > 0) return undefined;
  // The end of a hold is not another start.
  if (value.kind === 'day' && ENDS.test(value.text) && !ENDS.test(place.text)) return `${last}, ${value.text}`;
  // "Until Dec 3" becomes "until Dec 10".
  const [before = ''] = PREPOSITION.test(value.text) ? [] : (PREPOSITION.exec(place.text) ?? []);
  // "Block 3125550145 for Ava", and then "I meant 0154": the end of the caller's number.
  if (place.kind === 'number' && value.kind === 'digits' && LISTS.test(last))
    return last.replace(place.text, () => place.text.replace(/\d{4}$/, value.text.replace(/^[#…*]+/, '')));
  const by = place.kind === 'person' && value.kind !== 'person' ? value.text.replace(/^[#…*]+/, '') : value.text;
  return last.replace(place.text, () => `${before}${by}`);
}

/** "Block +1917… for Ava", and then "for 0102": the name after "for" is replaced, and not the other number. */
export function replacedFor(last: string, words: string, now: number): string | undefined {
  const [whose, ...others] = values(last, now).filter(({ text }) => FOR_WHOM.test(last.slice(0, last.indexOf(text))));
  const [value, ...more] = values(words, now);
  if (!whose || others.length > 0 || !value || more.length > 0 || !WHOM.has(value.kind) || !WHOM.has(whose.kind))
    return undefined;
  const own = replaced(`for ${whose.text}`, words, now);
  return own === undefined ? undefined : last.replace(`${whose.text}`, () => value.text);
}

const FOR_WHOM = /\bfor\s+[#…*]*$/i;
const WHOM: ReadonlySet<Value['kind']> = new Set(['number', 'digits', 'person']);

const LISTS = /\b(?:un)?block\w*|\b(?:dis)?allow\w*|\bwhitelist\w*|\bblacklist\w*/i;
const ENDS = /^(?:until|till|til)\b/i;
const PREPOSITION = /^(?:until|till|til|by|from|on|since|before|after)\s+/i;

/** Kinds that name the same thing in another way. */
const INSTEAD: Partial<Record<Value['kind'], readonly Value['kind'][]>> = {
  number: ['digits', 'person'],
  digits: ['number', 'person'],
  person: ['digits'],
};
