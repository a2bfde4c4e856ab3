import { eventOperations } from '../../../../tools/surfaces/events.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Narrow } from '../../../language/narrow.ts';
import type { Shown, ShownRecord } from '../../../language/shown.ts';
import type { Role } from '../../../lib/actor.ts';
import type { Fields } from '../../../lib/json.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { factsOf } from '../facts/retraction.ts';
import { isActor } from '../facts/stance.ts';
import type { GuidedAnswer } from './answer.ts';
import { colleagueIn } from './deciders.ts';
import { asksOwner } from './owners.ts';
import { type Value, values } from './thread-values.ts';

/* Topics of a thread give "it", "there" and "the second one" the meaning of an earlier message. */

/** The meaning of a message in its thread. */
export interface Meant {
  /** The message with the words that only the thread explains in full. */
  text: string;
  /**
   * - `alone`: it needs no earlier message.
   * - `refers`: a word such as "it" was replaced.
   * - `read`: it means an order of other words: "no? then cancel" after the status of a port-in.
   * - `corrects`: it is the last order with another value.
   * - `corrected`: it corrects itself: "cancel 0104, no wait, 0105".
   * - `again`: it asks for the last order again, for another line.
   * - `adds`: it goes on with the last order: "account number is 445566" after "port in …".
   * - `cost`: it asks what the last order costs.
   * - `about`: it asks whether the last order can be undone, or what it does.
   * - `missing`: it asks what the last order lacks.
   * - `back`: it takes the last order back.
   * - `unclear`: the thread does not say what it means.
   * - `which`: it is for one of several lines that were shown.
   */
  kind:
    | 'alone'
    | 'refers'
    | 'read'
    | 'corrects'
    | 'corrected'
    | 'again'
    | 'adds'
    | 'cost'
    | 'about'
    | 'missing'
    | 'back'
    | 'unclear'
    | 'which';
  /** The earlier message that it is about, in full. */
  before?: string;
  /** The word that was replaced, and what it means. */
  word?: { said: string; means: string };
  /** A sentence for the person about an unclear part or a first step. */
  note?: string;
  /** True for "cancel it", which takes an order back and might mean a line. */
  isCancel?: true;
  /** True for a question about the order before, which stays the last one. */
  isAside?: true;
  /** True for a message that was understood, and whose note says why nothing is done. */
  isRead?: true;
  /** The roles whose people it asks for. */
  holders?: readonly Role[];
  /** The order before, whose offer stays open. */
  open?: string;
  /** Earlier orders for the same, whose offers are open too. They are taken back with the last one. */
  also?: readonly string[];
  /** The order that undoes the one before, if that was carried out already. */
  undoing?: string;
  /** True if it means the sender of the messages that were shown before. */
  isOfSender?: true;
  /** True if its amounts have the unit of what was shown before. */
  hasShownUnit?: true;
  /** The order whose state it asks for. */
  stateOf?: string;
  /** The open offer that its first part takes back: "never mind, show me her plan". */
  gone?: string;
  /** The part that it wants to see of what was shown: "what failed". */
  part?: string;
  /** The lines that were shown of which it means one, and the message for each of them. */
  choices?: readonly { text: string; line: ShownRecord }[];
  /** The line that it picks out of the list before. */
  pick?: Narrow;
  /** The record that its words stand for, where that is no line and no customer. */
  subject?: Subject;
}

/** The answers to messages of a thread on their own. */
export interface Reading {
  of: (text: string) => GuidedAnswer;
  /** True if the operation changes something. */
  isChange: (id: string) => boolean;
  toolOf: (id: string) => Tool | undefined;
  /** The answer to a text as if it asked for this operation, with the values that its fields take and the words that are left. */
  valuesFor: (operation: string, text: string) => GuidedAnswer;
  /** Keeps the values that a part of an order was read for, so that `of` has them for each text with this part. */
  join: (fragment: string, part: Part) => void;
}

/** Values that a message of a thread gives to an offer. */
export interface Part {
  operation: string;
  input: Fields;
  /** Words of the message that no field takes. */
  left: readonly string[];
  /** The search for the customer that it names. */
  find?: NonNullable<GuidedAnswer['find']>;
  /** True if its numbers that get a notice go to those of the filter. */
  addsNotices?: true;
}

/** The record that an answer is about, where that is no line and no customer. */
export interface Subject {
  /** The noun of its kind, as the definitions have it: "message filter", "package". */
  noun: string;
  /** The name by which surfaces find it: its own, or the line or the customer whose record it is. */
  name: string;
  /** The words for it in a sentence: "the starter package", "the message filter of Ben". */
  words: string;
  /** The value of it that was asked for: "price". */
  part?: string;
  /** True if the answer is about a line or a customer as well, so that "it" may mean those. */
  isBeside?: true;
  /** True for the entries of a list that was shown: “it” is its only one, and “the first one” a place in it. */
  isList?: true;
}

/** The records that words such as "it" of the next message mean. */
export interface Topic {
  line?: string;
  person?: string;
  /** All lines of the message, if it names several. */
  lines?: readonly string[];
  /** A number on the lists of another line or person: "block +1917… for Ava". */
  caller?: string;
  /** The question about the line: its plan, its SIM, its data, its filters, or whether it is on hold. */
  part?: 'plan' | 'hold' | 'sim' | 'data' | 'filter';
  /** The colleague whom a question about a decision names. */
  colleague?: string;
  /** True if the message asks whether the line is the person's, who may be another one than its holder. */
  asksOwner?: true;
  /** The message that named them, in full. */
  message?: string;
  /** The record that the last answer is about, where that is no line and no customer. */
  subject?: Subject;
  /** The lines that the last answer showed, where its message named none of them. */
  listed?: Shown['records'];
  /** The records that the card of the line names beside it. */
  beside?: NonNullable<Shown['beside']>;
}

const PLAN = /\b(?:plan|package|bundle|tariff|subscription)\b/i;
const HOLD = /\bon\s+(?:hold|pause)\b|\b(?:parked|suspended|paused|frozen|hold)\b/i;
const SIM = /\b(?:e?sims?|iccid)\b/i;
const DATA = /\b(?:limits?|caps?|usage|data|allowance)\b/i;
const FILTERING = /\b(?:filter(?:s|ing)?|guardian|guard(?:ing)?)\b/i;
const LISTS = /\b(?:un)?block\w*|\b(?:dis)?allow\w*|\bwhitelist\w*|\bblacklist\w*/i;

/** "Unblock 0150 for Ben": the last digits of a caller. */
const LISTED = /\b(?:un)?(?:block|allow)\s+(?:(?:calls|texts)\s+from\s+)?(?<caller>[#…*]*\d{4})\s+for\b/i;

const SENDER = /\b(?:from|via|using)\s+(?:number\s+|line\s+)?(?<sender>\d{4}|\+?\(?\d[\d().\s-]{8,16}\d)(?!\d)/iu;

/** The topic after a message. */
export function topicOf({ text, kind }: Meant, before: Topic, now: number): Topic {
  const topic = topicIn(text, before, now);
  // "And 0105": both are meant by "them".
  const [one, two] = [before.lines ?? (before.line === undefined ? [] : [before.line]), topic.line];
  if (kind !== 'again' || two === undefined || one.length === 0 || one.includes(two)) return topic;
  return { ...topic, lines: [...one, two] };
}

function topicIn(text: string, before: Topic, now: number): Topic {
  const found = values(text, now);
  const sender = factsOf(text, now).message === undefined ? undefined : SENDER.exec(text)?.groups?.sender;
  // The sender of a message is none of those whom "her" and "it" may mean.
  const kinds = (kind: Value['kind']) => found.filter((one) => one.kind === kind && one.text !== sender);
  const [digits, numbers, ids] = [kinds('digits'), kinds('number'), kinds('id')];
  const lines = [digits, numbers, ids].find((some) => some.length > 0) ?? [];
  const [line, ...others] = lines;
  // "Did Lee approve it": a colleague is no record of the conversation.
  const isCustomer = ({ text: name }: Value) => colleagueIn(text) === undefined && !isActor(text, name);
  const [person, ...more] = kinds('person').filter(isCustomer);
  const part = FILTERING.test(text)
    ? 'filter'
    : PLAN.test(text)
      ? 'plan'
      : HOLD.test(text)
        ? 'hold'
        : SIM.test(text)
          ? 'sim'
          : DATA.test(text)
            ? 'data'
            : undefined;
  if (!line && !person) return part !== undefined && before.message !== undefined ? { ...before, part } : before;
  const ofPerson =
    person && digits.length === 1 && numbers.length === 0 ? LISTED.exec(text)?.groups?.caller : undefined;
  const owner = digits[0] ?? person;
  const one = LISTS.test(text) && owner && numbers.length === 1 ? numbers[0]?.text : undefined;
  const caller = one ?? ofPerson;
  const own = ofPerson === undefined && (caller === undefined || digits.length > 0) ? line : undefined;
  return {
    message: text,
    ...(part && { part }),
    ...(own && others.length === 0 && { line: own.text }),
    ...(others.length > 0 && { lines: lines.map((one) => one.text) }),
    ...(person && more.length === 0 && { person: person.text }),
    ...(line && person && asksOwner(text) && { asksOwner: true as const }),
    ...(caller !== undefined && { caller }),
  };
}

/** Speaks of a number that comes from another carrier. */
const PORTED = /\b(?:port(?:ed|ing|s)?|port-?in|transfer(?:red|s)?)\b(?!\s*-?out)/i;
const PORT = /^numbers_(?:order_get|portin(?:_\w+)?)$/;

/** True if the answer to a message is about an order to port a number in. */
export function isPort({ operation, input }: Pick<GuidedAnswer, 'operation' | 'input'>): boolean {
  return PORT.test(operation ?? '') || (operation === eventOperations.since && input.Only === 'orders');
}

/** True if the answer to a message offers a change. */
export function isOffer({ kind, operation }: GuidedAnswer, reading: Reading): boolean {
  return (kind === 'form' || kind === 'question') && operation !== undefined && reading.isChange(operation);
}

/** The lines, numbers and people that an answer is about. */
function recordsIn({ input, find }: GuidedAnswer): Set<string> {
  return new Set([
    ...Object.values(find?.input ?? {}).map(String),
    ...phonesIn(JSON.stringify(input)),
    ...[input.SubscriberId, input.AssignedSubscriberId, input.OrderId].flatMap((name) =>
      typeof name === 'string' ? [name] : [],
    ),
  ]);
}

/** True if two answers are about one line or person. */
export function isSameRecord(one: GuidedAnswer, other: GuidedAnswer): boolean {
  const known = recordsIn(one);
  return [...recordsIn(other)].some((name) => known.has(name));
}

/** True if two answers are about the same records, and no other ones. */
export function areSameRecords(one: GuidedAnswer, other: GuidedAnswer): boolean {
  const [first, second] = [recordsIn(one), recordsIn(other)];
  return first.size > 0 && first.size === second.size && [...first].every((name) => second.has(name));
}

/** The words for the port-in that a topic is about: "the port of +1…". Undefined for any other topic. */
export function portOf({ message, line }: Topic, reading: Reading): string | undefined {
  if (message === undefined || line === undefined) return undefined;
  const answer = reading.of(message);
  const isAsked = answer.operation === 'numbers_lookup' && PORTED.test(message);
  if (!isPort(answer) && !isAsked) return undefined;
  return /^[A-Z]{2,7}-/i.test(line) ? `the port order ${line}` : `the port of ${line}`;
}

/** Maps what was done to words that ask for its contrary. */
const CONTRARY: readonly (readonly [pattern: RegExp, contrary: (line: string, topic: Topic) => string | undefined])[] =
  [
    [/\b(?:unblock(?:ed)?)\b/i, (_, topic) => listed('block', topic)],
    [/\bblock(?:ed)?\b/i, (_, topic) => listed('unblock', topic)],
    [/\b(?:allow(?:ed)?|whitelist(?:ed)?)\b/i, (_, topic) => offAllowed(topic)],
    [/\b(?:off\s+hold|unparked|resumed|reactivated|activated)\b/i, () => undefined],
    [
      /\b(?:on\s+(?:hold|pause)|park(?:ed)?|suspend(?:ed)?|paused?|froze|freeze|frozen|hold)\b/i,
      (line) => `lift the hold on ${line}`,
    ],
    [
      /\b(?:cancel|cancell?ed|terminate|disconnect|deleted|disconnected|terminated|cancellation)\b/i,
      (line) => `reactivate ${line}`,
    ],
  ];

function listed(verb: string, { caller, line, person }: Topic): string | undefined {
  const whom = line ?? person;
  return caller === undefined || whom === undefined ? undefined : `${verb} ${caller} for ${whom}`;
}

function offAllowed({ caller, line, person }: Topic): string | undefined {
  const whom = line ?? person;
  return caller === undefined || whom === undefined ? undefined : `take ${caller} off the allow list of ${whom}`;
}

/** The order that undoes what a message asks about: "who parked 0103", and then "undo it". */
export function undoingOf(message: string, topic: Topic): string | undefined {
  const line = topic.line ?? topic.person;
  const found = CONTRARY.find(([pattern]) => pattern.test(message));
  return line === undefined ? undefined : found?.[1](line, topic);
}
