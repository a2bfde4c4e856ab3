import { FEATURES_SET, FILTER_LISTS, GUARD_READS, TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import { recordKinds } from '../../../../tools/surfaces/records.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { isPlace, PLACE_WORDS, placeName } from '../../../language/places.ts';
import { kindOf } from '../../../language/typed-values.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { takesNumbers } from '../answers/fill.ts';
import { type Value, values } from '../answers/thread-values.ts';
import { isOffer, type Meant, type Reading, type Subject, type Topic } from '../answers/topics.ts';
import { CALLED } from '../facts/names.ts';

/*
 * The record that an answer is about where that is no line and no customer: a filter, a package, a route, a webhook. It is
 * read off the fields of the answer. "It" of the next message is that record, and the field of its kind gets it.
 */

/** Kinds whose records are the lines and customers of a thread, or are known by them. */
const OTHERS: ReadonlySet<string> = new Set(['subscriber', 'account', 'line', 'order', 'subscription']);
const GUARDIAN = 'guardian filtering';
const IS_NUMBER = /^[#…*+]*\d[\d\s().-]*$/;

/** The record that an answer is about. Undefined if it is about a line, a customer or nothing. */
export function subjectOf(guided: GuidedAnswer, text: string, toolOf: Reading['toolOf']): Subject | undefined {
  const { operation = '', input, find, narrow, kind } = guided;
  const tool = toolOf(operation);
  if (!tool || kind === 'help' || operation in FILTER_LISTS) return undefined;
  const query = textOf(input.Query ?? input.SubscriberId ?? find?.input.Query);
  const filter = TRAFFIC.find((one) => [one.list, one.create, one.update].includes(operation))?.noun;
  const guard = operation === FEATURES_SET || operation === GUARD_READS.features ? GUARDIAN : filter;
  if (guard !== undefined) return query === undefined ? undefined : ofOwner(guard, query);
  const part = /\b(?:price|costs?|much)\b/i.test(text) ? { part: 'price' } : {};
  const list = recordKinds.find((one) => one.list.operation === operation);
  if (list && !OTHERS.has(list.noun) && narrow?.name !== undefined)
    return { ...named(list.noun, narrow.name), ...part };
  if (narrow?.name !== undefined) return undefined;
  if (list && !OTHERS.has(list.noun) && kind === 'lookup' && Object.keys(input).length === 0)
    return namedSubject(list.noun);
  for (const field of fieldsOf(tool)) {
    const [noun, name] = [kindOf(field)?.noun, textOf(input[field.name])];
    if (noun === undefined || name === undefined || OTHERS.has(noun)) continue;
    const isFilter = TRAFFIC.some((one) => one.noun === noun);
    const isBeside = query !== undefined || fieldsOf(tool).some((one) => isTarget(one, noun) && one.required);
    return isFilter ? ofOwner(noun, name) : { ...named(noun, name), ...part, ...(isBeside && { isBeside }) };
  }
  const plan = textOf(input.Plan);
  if (plan !== undefined) return named('package', plan);
  const isPlan = input.Full === true && CALLED.package?.some((noun) => new RegExp(`\\b${noun}`, 'i').test(text));
  return isPlan && query !== undefined ? { ...ofOwner('package', query), isBeside: true } : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The record of a kind by its name. Without a name: the only one of the list that was shown. */
export function namedSubject(noun: string, name?: string): Subject {
  return name === undefined ? { ...named(noun, placeName()), isList: true } : named(noun, name);
}

function named(noun: string, name: string): Subject {
  if (IS_NUMBER.test(name)) return ofOwner(noun, name);
  const isWhole = new RegExp(`\\b${noun.split(' ').at(-1)}$`, 'i').test(name);
  return { noun, name, words: isWhole ? `the ${name}` : `the ${name} ${noun}` };
}

function ofOwner(noun: string, name: string): Subject {
  return { noun, name, words: noun === GUARDIAN ? `${noun} for ${name}` : `the ${noun} of ${name}` };
}

/** True for a field of a line or a customer. */
function isTarget(field: ReturnType<typeof fieldsOf>[number], noun: string): boolean {
  const other = kindOf(field)?.noun;
  return takesNumbers(field) || (other !== undefined && other !== noun && OTHERS.has(other) && other !== 'account');
}

const STOPS = String.raw`(?=\s*(?:$|[.!?,;]|\b(?:please|pls|then|now|too|again|instead|to|on|off|in|up|down|back|for|at|with|until|till|by|from|and|over|still|is|was|has|does)\b))`;
const WORDS = String.raw`\b(?:(?<owner>its)|(?:(?:on|in|of|to|for|with|from)\s+)?(?:the\s+same(?:\s+(?:one|NOUN))?|the\s+(?:one|NOUN)(?!\s+(?:of|for|on|that|which|called|named|from|with)\b)|(?:that|this)\s+(?:one|NOUN)(?!\s+(?:of|that|which|called|named|from|with)\b)|it(?!['’]?s\b)|(?:that|this)${STOPS}))(?!['’])\b`;
/** "The first one", of the list that was shown. */
const PLACED = String.raw`\b(?:the\s+)?(?<word>${PLACE_WORDS.slice(1, -1)})(?:\s+(?:one|NOUN))(?!\s+of\b)\b|\bthe\s+(?<last>${PLACE_WORDS.slice(1, -1)})\W*$`;
/** Kinds of values that say themselves which record is meant. */
const RECORDS: ReadonlySet<Value['kind']> = new Set(['digits', 'number', 'person', 'id']);

/** The message with its words for the record that the thread is about. Undefined for other messages. */
export function ofSubject(
  text: string,
  subject: Subject | undefined,
  now: number,
  reading: Reading,
): Meant | undefined {
  if (subject === undefined) return undefined;
  const nouns = [subject.noun, subject.noun.split(' ').at(-1) ?? '', ...(CALLED[subject.noun] ?? [])];
  const noun = `(?:${nouns.join('|')})`;
  const place = new RegExp(PLACED.replaceAll('NOUN', noun), 'iu').exec(text);
  const word = place?.groups?.word ?? place?.groups?.last;
  // The first of a list with one record is that record.
  if (word !== undefined && place && !subject.isList)
    return /^(?:first|1st|last)$/i.test(word) ? ofWords(text, subject, place, now, reading) : undefined;
  if (word !== undefined && place)
    return ofWords(text, { ...named(subject.noun, placeName(word)) }, place, now, reading);
  const found = new RegExp(WORDS.replaceAll('NOUN', noun), 'iu').exec(text);
  return found && !isQuoted(text, found.index) ? ofWords(text, subject, found, now, reading) : undefined;
}

/** The message with the words for a record in place of those that were found. */
function ofWords(
  text: string,
  subject: Subject,
  found: RegExpExecArray,
  now: number,
  reading: Reading,
): Meant | undefined {
  const said = found[0].replace(/^(?:on|in|of|to|for|with|from)\s+(?=\S)/i, '');
  const isOwner = found.groups?.owner !== undefined;
  const put = (words: string) =>
    isOwner
      ? text.replace(
          /\bits\s+(?<what>[\p{L}-]+(?:\s+(?:url|name|type|method))?)/iu,
          (_, what: string) => `the ${what} of ${words}`,
        )
      : text.replace(said, () => words);
  const part = subject.part === undefined || isOwner ? [] : [`the ${subject.part} of ${subject.words}`];
  const noun = subject.noun === GUARDIAN ? [] : [`the ${subject.noun}`];
  const word = { said, means: subject.words };
  const all = [...part, subject.words, `the ${subject.name}`, ...noun].map(put);
  const fits = all.filter((full) => isAbout(reading.of(full), full, subject, reading));
  const [best] = fits.sort((one, other) => lostIn(reading.of(one)) - lostIn(reading.of(other)));
  if (best !== undefined) return { text: best, kind: 'refers', word, subject };
  const isOther = values(text, now).some(({ kind }) => RECORDS.has(kind));
  if (subject.isBeside || isOther || hasTarget(reading.of(text), reading)) return undefined;
  return {
    text,
    kind: 'unclear',
    note: `“${said}” is read as ${subject.words}, and what “${text}” means for it was not understood`,
  };
}

/** True if an answer is about this record, or lacks only it. */
function isAbout(guided: GuidedAnswer, text: string, subject: Subject, reading: Reading): boolean {
  const tool = reading.toolOf(guided.operation ?? '');
  if (!tool || guided.kind === 'help' || guided.isInstead || guided.isUnclear) return false;
  // A place in a list is no name of a customer.
  if (isPlace(textOf(guided.input.Query ?? guided.find?.input.Query) ?? '')) return false;
  const route = textOf(guided.input.Route);
  if (route !== undefined && /\broute$/.test(subject.noun))
    return plainName({ ...subject, name: route }) === plainName(subject);
  const own = subjectOf(bound(guided, subject, tool), text, reading.toolOf);
  if (own?.noun !== subject.noun || plainName(own) !== plainName(subject)) return false;
  // An order about a line's package changes the line, and never the package itself.
  return subject.isBeside !== true || !isOffer(guided, reading) || own.isBeside === true;
}

/** "main" for "main message route". */
function plainName({ noun, name }: Subject): string {
  const words = noun.split(' ');
  return name
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => !words.includes(word))
    .join(' ');
}

/** True for an order that says itself what it is about, or that makes something. */
function hasTarget({ operation = '', input, find, kind }: GuidedAnswer, reading: Reading): boolean {
  if (find !== undefined || /_create$|_provision$/.test(operation)) return true;
  const tool = reading.toolOf(operation);
  return (
    kind === 'question' &&
    tool !== undefined &&
    fieldsOf(tool).some(({ name, required }) => required && input[name] !== undefined)
  );
}

function lostIn({ remarks = '', understood, input }: GuidedAnswer): number {
  const [, lost = ''] = /Not taken: (.*)/.exec(`${remarks} ${understood}`) ?? [];
  return lost.length - Object.keys(input).length;
}

function isQuoted(text: string, at: number): boolean {
  return [...text.matchAll(/["“„][^"“”„]*["”“]/g)].some(({ index, 0: one }) => at >= index && at < index + one.length);
}

/** The answer with the record in the open field of its kind. */
export function bound(guided: GuidedAnswer, { noun, name }: Subject, tool: Tool | undefined): GuidedAnswer {
  const field = tool && fieldsOf(tool).find((one) => one.required && kindOf(one)?.noun === noun);
  if (!tool || !field || guided.input[field.name] !== undefined) return guided;
  const input = { ...guided.input, [field.name]: name };
  const isWhole = fieldsOf(tool).every((one) => !one.required || one.name in input);
  const understood = guided.understood.replace(/; still needed: (?<all>[^;.]+)/, (_, labels: string) => {
    const left = labels.split(', ').filter((label) => label !== field.label);
    return left.length === 0 ? '' : `; still needed: ${left.join(', ')}`;
  });
  const isRead = guided.kind === 'form' && tool.risk === 'read' && isWhole;
  return { ...guided, input, understood, ...(isRead && { kind: 'lookup' as const }) };
}

/** The topic after a message, with the record that its answer is about. A message that names nothing keeps the one before. */
export function withSubject(topic: Topic, { text, kind, subject: same }: Meant, reading: Reading): Topic {
  if (kind === 'back' || kind === 'unclear') return topic;
  const subject = same ?? subjectOf(reading.of(text), text, reading.toolOf);
  return subject === undefined ? topic : { ...topic, subject };
}
