import type { LineFact } from '../../../language/line-facts.ts';
import type { Shown, ShownRecord } from '../../../language/shown.ts';
import type { Meant, Reading, Subject, Topic } from '../answers/topics.ts';
import { CALLED } from '../facts/names.ts';
import { withReference } from './references.ts';
import { namedSubject, ofSubject } from './subjects.ts';

/*
 * The records that the last answer showed come before the words of earlier messages: "it" after a list with one line is that
 * line, and after two lines the message asks which one (`which-one.ts`). A surface tells what it showed. Without that, the
 * words are all there is.
 */

/** Records of a list that words such as "both" and "them" mean by their numbers. */
const MOST_LISTED = 100;
const LAST_DIGITS = 4;
/** Kinds whose records a thread keeps as its lines and people. */
const PEOPLE: ReadonlySet<string> = new Set(['subscriber', 'account']);

/** The words for a line in a sentence: its last digits. */
export function lineWords({ name }: ShownRecord): string {
  return name.slice(-LAST_DIGITS);
}

/** The topic after an answer that showed these records. Without them, it is that of the words. */
export function withShown(topic: Topic, shown: Shown | undefined, facts: readonly LineFact[] = []): Topic {
  if (shown === undefined) return topic;
  const { listed: _, beside: _beside, ...before } = topic;
  const [only, ...others] = shown.records;
  if (shown.noun === 'line') return ofLines(before, shown, facts);
  if (PEOPLE.has(shown.noun)) {
    if (only === undefined || others.length > 0 || before.person !== undefined) return before;
    return { ...before, person: only.name };
  }
  const { subject, ...rest } = before;
  // An entry of an empty list is no record.
  if (only === undefined) return subject?.isList ? rest : before;
  if (others.length > 0) return { ...before, subject: namedSubject(shown.noun) };
  const isSame = subject?.noun === shown.noun && subject.isList !== true;
  // An address in an order is a new one, so a webhook is known by its place.
  const name = only.name.includes('://') ? undefined : only.name;
  return { ...before, subject: isSame ? subject : namedSubject(shown.noun, name) };
}

function ofLines(before: Topic, { records, beside = [] }: Shown, facts: readonly LineFact[]): Topic {
  const [only, ...others] = records;
  if (only === undefined) return before;
  const { line: _, person: said, lines: _lines, subject: _subject, ...rest } = before;
  const [holder, ...holders] = new Set(records.map((one) => one.holder));
  const isNamed = (person: string) =>
    [...records.flatMap((one) => [one.holder, one.account]), ...beside.map(({ name }) => name)].some((name) =>
      name?.toLowerCase().includes(person.toLowerCase().split(' ')[0] ?? ''),
    );
  // A word of the question that no record of the answer has as its name was no name.
  // Whether the line is this person's was the question.
  const isMeant = said !== undefined && (before.asksOwner === true || isNamed(said));
  const person = isMeant ? said : holders.length === 0 ? holder : undefined;
  const whom = person === undefined ? {} : { person };
  if (others.length > 0) return { ...rest, ...whom, ...(records.length <= MOST_LISTED && { listed: records }) };
  const asked = beside.find(({ noun }) => facts.some((fact) => FACT_OF[fact] === noun));
  return {
    ...rest,
    ...(said !== undefined && whom),
    // "Their" after "account globex" is the account, and "it" the line that was shown.
    ...(said !== undefined && person === said && before.line === undefined
      ? { listed: records }
      : { line: before.line ?? lineWords(only) }),
    ...(beside.length > 0 && { beside }),
    ...(asked && { subject: { ...namedSubject(asked.noun, asked.name), isBeside: true as const } }),
  };
}

/** The kinds of records that answer a question of a line. */
const FACT_OF: Partial<Record<LineFact, string>> = { texts: 'message route', calls: 'voice route', plan: 'package' };

/** "Bring it back" after a list without entries: it names nothing. Undefined for other messages. */
export function ofEmpty(text: string, now: number, reading: Reading): Meant | undefined {
  const said = withReference(text, { line: NO_LINE }, now, reading)?.word?.said;
  const own = reading.of(text);
  if (said === undefined || PERSON.test(said) || own.find !== undefined || own.kind === 'question') return undefined;
  return { text, kind: 'unclear', note: `“${said}” names nothing, because the list that was shown is empty` };
}

const NO_LINE = '0000';
const OF_LIST =
  /\b(?:which|who|what|any|how\s+many)\b(?:\s+(?:ones?|of\s+(?:them|those|these)|is|are|was|goes|comes|has))?/iu;

/** A question of a list that was shown, which was not understood: the list is shown once more. Undefined for others. */
export function ofUnreadList(text: string, last: string, reading: Reading): Meant | undefined {
  const { kind, operation, isUnread } = reading.of(text);
  if (kind !== 'help' || operation !== undefined || isUnread !== true || !OF_LIST.test(text)) return undefined;
  const note = `What “${text.trim()}” asks of the list was not understood. Here it is once more`;
  return { text: last, kind: 'again', before: last, note };
}

/** Words for people, which no line is meant by alone. */
export const PERSON = /^(?:him|her|(?:s?he)['’]?s?|they|them|his|their)$/i;

const WORD = String.raw`\b(?:that|this|the\s+same)\s+(?:NOUN)\b`;

/** "Who else is on that route" after a line was shown: the record that its card names. Undefined for other messages. */
export function ofBeside(text: string, topic: Topic, now: number, reading: Reading): Meant | undefined {
  const said = (noun: string) => {
    const words = [noun, noun.split(' ').at(-1) ?? noun, ...(CALLED[noun] ?? [])];
    return new RegExp(WORD.replace('NOUN', words.join('|')), 'iu').exec(text)?.[0];
  };
  const fitting = (topic.beside ?? []).filter(({ noun }) => said(noun) !== undefined);
  const asked = fitting.find(({ noun }) => noun === topic.subject?.noun);
  const [only, ...others] = asked ? [asked] : fitting;
  if (only === undefined) return undefined;
  if (others.length === 0) {
    const subject: Subject = { ...namedSubject(only.noun, only.name), isBeside: true };
    return ofSubject(text, subject, now, reading);
  }
  const names = fitting.map(({ name }) => name).join(' or ');
  return { text, kind: 'unclear', note: `“${said(only.noun)}” may be ${names}: write its name` };
}
