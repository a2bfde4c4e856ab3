import { RULE_WORDS } from '../../../../tools/surfaces/filter-words.ts';
import { FILTER_LISTS, TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { keysOf } from '../../../gate/change.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { isOffer, type Meant, type Part, type Reading } from '../answers/topics.ts';
import { usernameIn, withOpenRules } from '../changes/said-credentials.ts';
import { isToldWhenStopped } from '../filters/filter-notices.ts';
import { type Setting, settingsOf } from '../filters/filter-settings.ts';

/*
 * A short message after an offer is tried against the open fields of this offer before it is read as a new one: "and sim
 * 8901…", "from 0103: 'call your mother'", "and slow down to 1 mbps at 4 gb". Its values are read as those of the
 * operation that is offered, and kept beside the words, so that the later messages of the thread find them.
 */

const MAX_LENGTH = 160;
/** Begins a message that goes on with the one before. */
const BESIDE = String.raw`(?:and|or|also|plus|oh|ok|okay|sorry|no|nope|wait|actually|please|pls|btw|with|make\s+(?:it|that)|rather|better|i\s+meant?|then)`;
const LEAD = new RegExp(String.raw`^\W*(?:${BESIDE}\b[\s,.!:]*)+`, 'iu');
const CUE =
  /\b(?:sorry|no|nope|wait|actually|rather|better|i\s+meant?|instead|make\s+(?:it|that)|wrong|change|not|correction)\b/iu;
/** "Mobile, not voip": the second value is refused. */
const REFUSED = /[,;]?\s*\b(?:and\s+|but\s+)?not\s+(?:(?:an?|the|as)\s+)?[\p{L}\d+-]+(?=\s*(?:$|[,.;!]|\bbut\b))/giu;
const DENIES = /\b(?:not|never|no\s+longer|dont|without|unless|except|if|when|until|till)\b|n['’]t\b/iu;
const QUESTION =
  /\?|^\W*(?:(?:and|so|ok|but)[\s,]+)*(?:what|whats|why|when|who|whos|whose|how|hows|is|are|was|were|did|does|do|has|have|should|would|could|can|may|which|where|any|show|find|list|look|check|tell)\b/iu;

const MAKES = /_(?:create|provision|portin)$/u;
/** "Make him account admin", "give her the manager role". */
const GIVES_THEM =
  /^(?:make|give|get|set|put)\s+(?:him|her|them|it)\s+(?:up\s+)?(?:as\s+|to\s+|on\s+)?(?:(?:an?|the)\s+)?/iu;
/** "No, that's wrong, just subscriber": the words before the value that is right. */
const WRONG =
  /^\W*(?:(?:no+|nope|nah|wait|sorry|oops|oh|actually|(?:that|this|it)(?:['’]?s|\s+(?:is|was))\s+(?:(?:not|all)\s+)?(?:wrong|right|correct|it)|not\s+(?:that|right)|wrong(?:\s+one)?)[\s,.!;:–-]+)+(?:(?:just|only|rather|make\s+(?:it|that|him|her)|it['’]?s|should\s+be|i\s+meant?)\s+)*/iu;

/** The open offer with the value behind words that take the one before back. Undefined for other messages. */
export function partAfterNo(said: string, offered: readonly string[], reading: Reading): Meant | undefined {
  const rest = said.replace(WRONG, '');
  if (rest === said || rest === '' || rest.length > MAX_LENGTH) return undefined;
  return partOfOffer(`no, ${rest}`, offered.slice(-1), reading);
}

/** The open offer with the values that a message gives to its fields. Undefined for other messages. */
export function partOfOffer(said: string, offered: readonly string[], reading: Reading): Meant | undefined {
  const plain = said.replace(REFUSED, ' ').trim();
  if (said.length > MAX_LENGTH || QUESTION.test(said) || (DENIES.test(plain) && !isToldWhenStopped(plain)))
    return undefined;
  const bare = plain.replace(LEAD, '');
  for (const open of [...offered].reverse()) {
    const offer = reading.of(open);
    const tool = reading.toolOf(offer.operation ?? '');
    if (!tool || offer.each || offer.also || !isOffer(offer, reading)) continue;
    // A record that is only being made has no name yet by which another order could find it.
    const text = MAKES.test(tool.id) ? bare.replace(GIVES_THEM, '') : bare;
    const part = partOf(text, tool, offer, CUE.test(said), reading);
    if (!part) continue;
    const full = `${open.replace(/[\s.!]+$/, '')}, ${text}`;
    reading.join(`, ${text}`, part);
    const isOther = Object.keys(part.input).some((name) => offer.input[name] !== undefined && !isAdded(name));
    return { text: full, kind: isOther ? 'corrects' : 'adds', before: open };
  }
  return undefined;
}

/** The values of a message that the fields of an offer take, if it is about nothing else. */
function partOf(
  text: string,
  tool: Tool,
  offer: GuidedAnswer,
  isCorrection: boolean,
  reading: Reading,
): Part | undefined {
  if (isWholeOrder(text, reading)) return undefined;
  const user = usernameIn(text, tool);
  const read = reading.valuesFor(tool.id, user.rest);
  // A message that refuses, doubts or asks is answered by a record, whose values are none of the offer's.
  const given = isOffer(read, reading) ? read.input : {};
  const setting = settingOf(text, tool);
  const usual = reading.valuesFor(tool.id, 'please').input;
  // The line of a filter is no number that a message adds.
  const keys = [...keysOf(tool).filter((name) => !isAdded(name)), ...(isFilter(tool) ? ['Phone'] : [])];
  const isOwn = ([name, value]: [string, unknown]) =>
    !keys.includes(name) && !isSame(value, usual[name]) && !isSame(value, offer.input[name]);
  const rules = rulesOf(text, tool, offer);
  const isRule = Object.keys(rules).length > 0;
  const bare = { ...choiceOf(text, tool, offer, isCorrection), ...rules, ...user.input };
  const values = { ...withoutReceivers(withList(given, tool, offer), setting), ...setting?.input, ...bare };
  const input = Object.fromEntries(Object.entries(values).filter(isOwn));
  const isTaken = Object.keys({ ...setting?.input, ...bare }).length > 0 || !hasLost(read);
  const isFree = (name: string) => offer.input[name] === undefined || isAdded(name) || isCorrection || name in bare;
  if (Object.keys(input).length === 0 || !isTaken || !Object.keys(input).every(isFree)) return undefined;
  // "+1… is her mum" says who a number belongs to.
  if (Object.keys(input).some((name) => isAdded(name) && name !== NOTICES) && STATES.test(text)) return undefined;
  if (read.find && !isSame(read.find.input, offer.find?.input)) return undefined;
  return {
    ...{ operation: tool.id, input, left: setting || isRule ? [] : (read.wordsLeft ?? []) },
    ...(setting?.addsNotices && { addsNotices: true as const }),
  };
}

const STATES = /\b(?:is|are|was|were|belongs?)\b/iu;

function isFilter({ id }: Tool): boolean {
  return TRAFFIC.some(({ create, update }) => create === id || update === id);
}

/** The numbers that get a notice are in no other field. */
function withoutReceivers(input: Fields, setting: Setting | undefined): Fields {
  const told = setting?.input.NotificationPhones;
  if (!Array.isArray(told)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => !told.includes(value)));
}

/** "And the school, +1…": a number goes to the only list of others' numbers that the offer has. */
function withList(input: Fields, tool: Tool, offer: GuidedAnswer): Fields {
  const [list, ...others] = Object.keys(offer.input).filter(isAdded);
  const phones = fieldsOf(tool).filter(({ name, kind }) => kind === 'phone' && typeof input[name] === 'string');
  if (list === undefined || others.length > 0 || phones.length !== 1) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => (name === phones[0]?.name ? [list, [value]] : [name, value])),
  );
}

/** A message that is nothing but a value of a list: "put", "json". One that the offer has is replaced by a correction only. */
function choiceOf(text: string, tool: Tool, { input }: GuidedAnswer, isCorrection: boolean): Fields {
  const word = text.replace(/[\s.!]+$/, '').toLowerCase();
  const found = fieldsOf(tool).flatMap(({ name, choices, known = [] }) =>
    (choices ?? known).filter((choice) => choice.toLowerCase() === word).map((choice) => [name, choice] as const),
  );
  const isFree = ([name, choice]: readonly [string, string]) =>
    input[name] === undefined || (isCorrection && input[name] !== choice);
  const open = found.filter((one) => isFree(one) && !/[2-9]$/.test(one[0]));
  return open.length === 1 ? Object.fromEntries(open) : {};
}

const RULES_BESIDE = /\b(?:and|or|also|plus|as\s+well|too|block|all|any|the|please|pls|from|of|by)\b|[\s,.!&+]+/giu;

/** "And unknown senders" after "block links": a message of nothing but rules has the value of those before. */
function rulesOf(text: string, { id }: Tool, { input }: GuidedAnswer): Fields {
  const traffic = TRAFFIC.find(({ create, update }) => create === id || update === id);
  const rules = Object.entries(traffic ? RULE_WORDS[traffic.name] : {});
  const values = new Set(rules.flatMap(([name]) => (typeof input[name] === 'boolean' ? [input[name]] : [])));
  const [value, ...others] = values;
  const said = rules.map(([name, words]) => [name, new RegExp(String.raw`\b(?:${words})\b`, 'giu')] as const);
  const rest = said.reduce((left, [, words]) => left.replace(words, ' '), text).replace(RULES_BESIDE, '');
  if (value === undefined || others.length > 0 || rest !== '') return {};
  return Object.fromEntries(said.flatMap(([name, words]) => (text.search(words) < 0 ? [] : [[name, value]])));
}

/** A level, a rule or a receiver of notices, for the offer of a filter. */
function settingOf(text: string, { id }: Tool): Setting | undefined {
  const traffic = TRAFFIC.find(({ create, update }) => create === id || update === id);
  const setting = traffic && settingsOf(text, phonesIn(text));
  return setting && setting.traffic === traffic.name ? setting : undefined;
}

/** True if the message is a whole order, with its own record. */
function isWholeOrder(text: string, reading: Reading): boolean {
  const own = reading.of(text);
  const isNamed =
    own.find !== undefined ||
    own.each !== undefined ||
    Object.keys(own.input).some((name) => keysOfOwn(own, reading).includes(name));
  const acts = wordsOf(text).flatMap((word) => word.acts);
  return isOffer(own, reading) && isNamed && acts.length > 0;
}

function keysOfOwn({ operation = '' }: GuidedAnswer, reading: Reading): readonly string[] {
  const tool = reading.toolOf(operation);
  return tool ? keysOf(tool) : [];
}

/** True if a value of the message is in no field. The answer names words that no field takes. */
function hasLost({ remarks = '', wordsLeft = [] }: GuidedAnswer): boolean {
  const [, lost = ''] = /Not taken: (?<lost>.*)$/su.exec(remarks) ?? [];
  const rest = wordsLeft.reduce((text, one) => text.replace(one, ''), lost);
  return /[\p{L}\d]/u.test(rest) || wordsLeft.length > 2;
}

const NOTICES = 'NotificationPhones';
const ADDED: ReadonlySet<string> = new Set([
  NOTICES,
  ...Object.values(FILTER_LISTS).map(({ entries }) => entries),
  ...TRAFFIC.flatMap(({ allowed, blocked }) => [allowed, blocked]),
]);

/** True for a list whose numbers go to those that it has. */
export function isAdded(name: string): boolean {
  return ADDED.has(name);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isGroup(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A group of values, such as an address, keeps the members that a message does not name. */
function withMembers(old: unknown, added: unknown): unknown {
  return isGroup(old) && isGroup(added) ? { ...old, ...added } : added;
}

/** The answer to an offer with the values that later messages gave. */
export function withPart(
  guided: GuidedAnswer,
  { operation, input, left, find, addsNotices }: Part,
  tool: Tool | undefined,
): GuidedAnswer {
  if (guided.operation !== operation || !tool) return guided;
  const merged: Fields = { ...guided.input };
  for (const [name, value] of Object.entries(input)) {
    const [old, added] = [merged[name], value];
    const isList = isAdded(name) && Array.isArray(old) && Array.isArray(added);
    merged[name] = isList ? [...new Set([...old, ...added])] : withMembers(old, added);
    // "Mailing is the same": both addresses are one.
    for (const [other, same] of Object.entries(guided.input))
      if (isGroup(value) && other !== name && !(other in input) && isSame(same, old)) merged[other] = merged[name];
  }
  const needed = fieldsOf(tool).filter(({ name }) => guided.input[name] === undefined && merged[name] !== undefined);
  const understood = guided.understood.replace(/; still needed: (?<all>[^;.]+)/u, (_, labels: string) => {
    const rest = labels.split(', ').filter((label) => !needed.some((field) => field.label === label));
    return rest.length === 0 ? '' : `; still needed: ${rest.join(', ')}`;
  });
  const told = left.length === 0 ? '' : `. Not taken: ${left.join(', ')}`;
  const whole: GuidedAnswer = {
    ...guided,
    ...defined({ find: find ?? guided.find, addsNotices: addsNotices ?? guided.addsNotices }),
    ...{ input: merged, understood: told === '' ? understood : `${understood.replace(/\.$/, '')}${told}.` },
    ...((told !== '' || guided.remarks) && { remarks: `${guided.remarks ?? ''}${told}` }),
  };
  return withOpenRules(whole, tool);
}
