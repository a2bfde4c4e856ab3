import { keywordsText } from '../../tools/shared/keywords.ts';
import { type Change, type ChangeRow, calledText } from '../catalogue/change.ts';
import { choiceText, memberLabel } from '../language/show.ts';
import { identified } from '../lib/actor.ts';
import { inQuotes, isRecord, lowerFirst, plainText, RIGHT_TO_LEFT, visible, type Words } from '../lib/values.ts';
import { setApart } from '../platform/dialect/phone.ts';
import type { StepState } from '../platform/dialect/verdict.ts';

/** The labels of a card's actions, by meaning. The labels of an operation's definition take the place of these. */
export const LABELS = {
  confirm: 'Approve',
  decline: 'Decline',
  withdraw: 'Withdraw',
  edit: 'Edit',
  /** Leads to the place where a person decides. */
  open: 'Open the question',
  again: 'Ask again',
  check: 'Check now',
  wasDone: 'It was done',
  wasNot: 'It was not done',
  once: 'Show the secret once',
  qr: 'Show QR code',
  everything: 'Show everything',
  /** Opens the form of an operation. */
  fill: 'Put it right',
  /** Runs an operation without a form. */
  run: 'Put it right',
  guide: 'Start',
  /** Opens the form of all filters of a number. */
  guard: 'Guard',
  look: 'Look up',
  moreSteps: 'More actions…',
  page: 'Details',
  share: 'Share',
  /** Asks for the yes of a planned batch. */
  batchAsk: 'Ask for approval',
  batchEdit: 'Edit',
  stop: 'Stop',
  rows: 'All rows',
  leave: 'Leave rows out',
  results: 'Results',
  rest: 'Ask for the rest',
  /** An order in its guide. */
  orderFix: 'Correct and re-submit',
  orderLook: 'Refresh',
} as const;

export type ActionId = keyof typeof LABELS;

/** Other words for some of them. */
export const ASSIGN = 'Give it to a subscriber';
export const APPLY = 'Apply';
export const CANCEL = 'Cancel';
export const PLAN = 'Plan as CSV';
export const DISCARD = 'Discard';

/*
 * A card is what people are shown about one thing: a question, an outcome, a line, a list, an event. It is data. The
 * functions of this folder choose its content and words; a renderer of each surface draws it and knows no operation.
 */

/** A part of a text. Times in ISO 8601 within a string are written for the reader. */
export type Piece =
  | string
  | { strong: string }
  /** A person's words, such as the text of a message. */
  | { said: string }
  /** A value of a record: a number, an id, a state, a time or a name. */
  | { value: string }
  /** Text to copy. */
  | { code: string }
  /** A value exactly as it is sent, or what a person wrote about it. A surface writes nothing of it in other words. */
  | { sent: string }
  /** A sentence of Switchboard with quotes from outside. */
  | { words: Words }
  /** A person by their identity. */
  | { person: string; name?: string | undefined }
  /** A share of 1 as a bar, and the same in words. */
  | { bar: number; of: string }
  /** The steps of an order. */
  | { steps: readonly Step[] };

/** A string in the rows of `facts` is a value of a record; elsewhere it is a sentence of Switchboard. */
export type Text = string | readonly Piece[];

export interface Step {
  label: string;
  state: StepState;
}

export interface Fact {
  label: string;
  value: Text;
  /** An id or another value that people read only if they want to. */
  detail?: true;
  /** A part of the list of a batch, which a page shows as a table. */
  list?: true;
}

export type Part =
  /**
   * Labelled values. `brief` has the same in one line, for a surface on which a card is short. `repeats` says that
   * another part has the values too. `folded` is the title under which values are found that are read only on demand.
   * `small` marks people and times, which are read last.
   */
  | {
      kind: 'facts';
      title?: string;
      brief?: Text;
      repeats?: true;
      folded?: string;
      small?: true;
      rows: readonly Fact[];
    }
  /** `brief`: the rows as lines of text. */
  | {
      kind: 'table';
      title: string;
      brief?: readonly string[];
      columns: readonly string[];
      rows: readonly (readonly string[])[];
    }
  /** Sentences. `warns`: they are about something that may be wrong. */
  | { kind: 'note'; title?: string; warns?: true; lines: readonly Text[] }
  /**
   * Several things of one kind. `count` includes those that are not shown. `numbered` says that their order matters
   * and that each is drawn apart with its actions.
   */
  | { kind: 'rows'; title?: string; count?: number; numbered?: true; rows: readonly Row[] }
  /** A person's text, word for word. The title names its author. */
  | { kind: 'quote'; title: Text; text: string }
  | { kind: 'small'; text: string }
  /** The place of the actions. */
  | { kind: 'actions' };

/** One of several things on a card, in a sentence. */
export interface Row {
  says: Text;
  /** Read after the sentence, in small text. */
  beside?: string;
  /** A person's text, word for word. */
  said?: string;
  actions?: readonly CardAction[];
  /** The step that puts right what is wrong. */
  open?: Open | undefined;
}

/** Something that a reader can do, by what it means. */
export interface Open {
  /** Its effect, in a sentence. */
  does: string;
  operation: string;
  input: Readonly<Record<string, unknown>>;
  /** Fields that a person has to choose. */
  needs: readonly string[];
}

/** Something that a reader can do with the thing of a card. A surface draws it as a button, a form or a command. */
export interface CardAction {
  id: ActionId;
  label: string;
  /** `danger`: it takes service, data or control away. */
  style?: 'primary' | 'danger';
  /** Asked of the person before it is done. */
  confirm?: { title: string; text: string; yes: string };
  /** Its target is an id, a number, an address, or `operation|input` with the input as JSON. */
  value: string;
  /** The reader chooses one of these values. */
  options?: readonly { group: string; choices: readonly { label: string; value: string }[] }[];
}

export interface Card {
  /** A sign for lists and headers; empty for none. */
  mark: string;
  title: string;
  /** Follows the title, such as a time. */
  about?: Text;
  /** Says what matters first, without a full stop. Empty if nothing is known. */
  state: string;
  /** Tells the customer the effect: "Nothing was done." Empty if the state says it. */
  effect?: string;
  parts: readonly Part[];
  /** Offered to its reader in this order. */
  actions: readonly CardAction[];
  /** The step that puts right what is wrong. */
  open?: Open | undefined;
}

/** "⚠️ Ava Stone · (201) 555-0105: data nearly used up, 19.75 of 20 MB". */
export function headlineOf({ mark, title, state }: Pick<Card, 'mark' | 'title' | 'state'>): string {
  // A word such as "SMS" keeps its capitals.
  const what = lowerFirst(state);
  return [mark, [title, what].filter((text) => text !== '').join(': ')].filter((text) => text !== '').join(' ');
}

/** A text without emphasis, for a surface that has plain text alone. */
export function plainOf(text: Text): string {
  if (typeof text === 'string') return text;
  return text
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      if ('strong' in piece) return piece.strong;
      if ('said' in piece) return piece.said;
      if ('value' in piece) return piece.value;
      if ('code' in piece) return piece.code;
      if ('sent' in piece) return piece.sent;
      if ('words' in piece) return plainText(piece.words);
      if ('bar' in piece) return piece.of;
      if ('steps' in piece) return piece.steps.map(({ label }) => label).join(' › ');
      return identified(piece.person, piece.name);
    })
    .join('');
}

/** A part with values, if there are any. */
export function factsPart(rows: readonly Fact[], more: Partial<Part & { kind: 'facts' }> = {}): Part[] {
  return rows.length === 0 ? [] : [{ ...more, kind: 'facts', rows }];
}

/** Sentences, if there are any. */
export function notePart(lines: readonly Text[], more: Partial<Part & { kind: 'note' }> = {}): Part[] {
  return lines.length === 0 ? [] : [{ ...more, kind: 'note', lines }];
}

/** Sentences in small text, if there are any. */
export function smallPart(...sentences: readonly string[]): Part[] {
  const text = sentences.filter((one) => one !== '').join(' ');
  return text === '' ? [] : [{ kind: 'small', text }];
}

/** A moment (epoch ms) as a piece. */
export function timeOf(at: number): Piece {
  return { value: new Date(at).toISOString() };
}

/**
 * A question as lines of text, for a terminal and for a client's dialog: title, facts, warnings, what changes, what is
 * sent, consent.
 */
export function questionText({ title, parts }: Pick<Card, 'title' | 'parts'>): string {
  return [title, '', ...parts.flatMap(linesOf)].join('\n');
}

/** A part of a question as lines of text. */
export function linesOf(part: Part): string[] {
  switch (part.kind) {
    case 'facts': {
      const rows = part.rows.map(({ label, value }) => pair(label, plainOf(value)));
      return part.title === undefined ? rows : ['', `${part.title}:`, ...rows.map((row) => `  ${row}`)];
    }
    case 'note':
      return part.lines.map((line) => (part.warns ? pair('Note', plainOf(line)) : plainOf(line)));
    case 'quote':
      // A mark that no line of the question has. Many spaces would push a part to the start of the next line.
      return ['', `${plainOf(part.title)}:`, part.text.replace(/[ \t]{2,}/g, ' ').replace(/^/gm, '> ')];
    case 'small':
      return ['', part.text];
    default:
      return [];
  }
}

/** Indents lines after the first, so that a value cannot imitate another row. */
function pair(label: string, value: string): string {
  return `${label}: ${value.split('\n').join('\n      ')}`;
}

/* Values of a change in words: ids by the names of their records, texts of people in quotation marks. */

/** The names of records and lines, by id and phone number. */
type Names = Change['names'];

const NO_FILES: ReadonlySet<string> = new Set();

/** Formats a value of an input for people. */
export function valueText(value: unknown): string {
  return textOf(value, NO_FILES);
}

/**
 * Formats a value for people: `[{Number}]` becomes a list of numbers, a file its size. `files`: names of file members.
 * `worded`: formats each text.
 */
export function textOf(value: unknown, files: ReadonlySet<string>, worded: (text: string) => string = visible): string {
  if (value === null) return 'none (clears the current value)';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    const rows = value.some((member) => isRecord(member) && Object.keys(member).length > 1);
    return value.map((member) => textOf(member, files, worded)).join(rows ? '\n' : ', ');
  }
  if (typeof value === 'string') return worded(value);
  if (!isRecord(value)) return visible(String(value));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const [only] = members;
  if (members.length === 1 && only && !files.has(only[0])) return textOf(only[1], files, worded);
  return members
    .map(([name, member]) =>
      files.has(name) && typeof member === 'string'
        ? `file of ${Buffer.from(member, 'base64').length} bytes`
        : `${memberLabel(name)}: ${textOf(member, files, worded)}`,
    )
    .join(', ');
}

/** Words of Switchboard in a row of a change. A person's value like one is quoted. */
const OWN_WORDS: ReadonlySet<string> = new Set(
  'none,no,yes,new,set,removed,not known,done,confirmed,failed,declined,unknown'.split(','),
);

/**
 * A value as a change shows it: ids by their names, and texts that could be sentences or words of Switchboard in quotation
 * marks. `member`: the field of the value; a text that looks like an id has a name only where the field takes ids.
 */
export function changeValue(
  value: unknown,
  names: Names,
  files: ReadonlySet<string> = NO_FILES,
  member?: string,
): string {
  const takesIds = typeof value !== 'string' || member === undefined || /ids?$/i.test(member);
  return textOf(value, files, (text) => {
    const named = takesIds || text.startsWith('+') ? names[text] : undefined;
    if (named !== undefined) return text.startsWith('+') ? partyText(text, names) : inQuotes(visible(named.name));
    const isOwn = member !== undefined && OWN_WORDS.has(text.trim().toLowerCase());
    return isOwn ? inQuotes(visible(text)) : setApart(visible(text));
  });
}

/** The value of a member of a change, with its unit and in the words that people use. */
export function memberText(
  { member, keywords }: Pick<ChangeRow, 'member' | 'keywords'>,
  value: unknown,
  names: Names,
  files: ReadonlySet<string> = NO_FILES,
): string {
  if (keywords) return keywordsText(value);
  return choiceText(member ?? '', value) ?? changeValue(value, names, files, member);
}

/** The line, record or person that a row concerns: "+12015550101 (Ava Stone · Acme Mobile)", "“Main SMS route”". */
export function partyText(of: string, names: Names): string {
  const named = names[of];
  if (of === '') return 'new';
  if (named === undefined) return visible(of);
  return of.startsWith('+') ? `${of} (${visible(named.name)})` : `${named.noun} ${calledText(named)}`;
}

/** One row of a change in words. */
export interface ChangeLine {
  of: string;
  what: string;
  before: string;
  after: string;
  /** The word for no record before, where the value refers to a record. */
  nothing?: 'nobody' | 'none';
}

const HIDDEN = '••• (not shown)';

/** A row of a change in words: the value before and after, or the entries of a list that are added and removed. */
export function changeLine(row: ChangeRow, names: Names, files: ReadonlySet<string> = NO_FILES): ChangeLine {
  const { of, what, before, after, added, taken, removed, hidden, unread } = row;
  const line = { of: partyText(of, names), what: visible(what) };
  const shown = (value: unknown) => memberText(row, value, names, files);
  const was = before === undefined ? (unread ? 'not known' : 'none') : shown(before);
  if (hidden) {
    const now = row.empty ? 'none' : unread ? 'not known' : HIDDEN;
    return { ...line, before: now, after: removed ? 'removed' : HIDDEN };
  }
  if (removed) return { ...line, before: was, after: 'removed' };
  if (added === undefined && taken === undefined) {
    const next = shown(after);
    const referred = typeof after === 'string' && row.empty ? names[after] : undefined;
    if (referred !== undefined && !String(after).startsWith('+'))
      return { ...line, before: was, after: next, nothing: referred.noun === 'subscriber' ? 'nobody' : 'none' };
    if (next !== was || typeof before !== 'string' || typeof after !== 'string')
      return { ...line, before: was, after: next };
    // It reads as the one before it: another record of the same name, or an address whose hidden parts differ.
    const isAddress = after.includes('://');
    const changed = names[after] !== undefined ? `another ${next}` : isAddress ? `${next} (its secret changes)` : next;
    return { ...line, before: was, after: changed };
  }
  const entries = [
    ...(added ?? []).map((entry) => `added ${shown(entry)}`),
    ...(taken ?? []).map((entry) => `removed ${shown(entry)}`),
  ];
  return { ...line, before: before === undefined ? '' : was, after: entries.join(', ') };
}

/** A row of a change for other programs, which get a value before also for entries of a list. */
export function changeData(row: ChangeRow, names: Names, files?: ReadonlySet<string>): Omit<ChangeLine, 'nothing'> {
  const { nothing, ...line } = changeLine(row, names, files);
  const entries = row.unread ? 'not known' : (row.taken ?? []).map(visible).join(', ') || 'none';
  return { ...line, before: line.before === '' ? entries : (nothing ?? line.before) };
}

/**
 * "90 MB → 300 MB"; an effect without a value before is its value after.
 *
 * @param beside a text before it on the same line
 */
export function changeText({ before, after, nothing }: ChangeLine, beside = ''): string {
  if (nothing !== undefined) return fromTo(nothing, after, beside);
  return before === '' || before === 'none' || before === after ? after : fromTo(before, after, beside);
}

/**
 * A value before and after. Between right-to-left texts an arrow would be read from the new value to the old one,
 * because such a line runs the other way; a word keeps the order.
 */
export function fromTo(before: string, after: string, beside = ''): string {
  return `${before} ${RIGHT_TO_LEFT.test(`${beside}${before}${after}`) ? 'becomes' : '→'} ${after}`;
}

/** The first rows of a change in words, and the number of the others. */
export function changeLines(change: Pick<Change, 'rows' | 'names'>, most: number) {
  const lines = change.rows.slice(0, most).map((row) => changeLine(row, change.names));
  return { changes: lines, more: Math.max(0, change.rows.length - most) };
}
