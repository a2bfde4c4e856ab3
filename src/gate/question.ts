import { type Change, makesAnew } from '../catalogue/change.ts';
import { mayResend, type Raised, type Tool } from '../catalogue/operation.ts';
import { type Action, canonical, changeOf, type State } from '../ledger/action.ts';
import { standingOf } from '../ledger/lookups.ts';
import { asSwitchboardError, type Failure } from '../lib/errors.ts';
import { defined, ended, type Fields, joined, plainText, recordOf, type Words, words } from '../lib/values.ts';
import { numberKey } from '../platform/dialect/number-lists.ts';
import { quoted } from '../platform/dialect/phone.ts';
import { readVerdict } from '../platform/dialect/verdict.ts';
import { type Built, isSameChange, narrowed } from './change.ts';
import { isPaid, RENEWED } from './confirmation.ts';

/** Facts about a question, stored under `known.question` of its action. No secrets. */
export interface QuestionFacts {
  /** The customer concerned: name and account. */
  customer?: string;
  /** The customers of several lines, by phone number. */
  customers?: Readonly<Record<string, string>>;
  /** The reason why an approver is asked although the operation itself needs none. */
  raised?: Raised;
  /** Warnings: reads that failed, and fields that will be left out. */
  warnings: readonly string[];
  /** Paths of the secret fields that are sent; their values are never shown. */
  hidden: readonly string[];
  /** Ids of earlier identical calls whose outcome was unknown when this was asked. The question warns about them. */
  doubted: readonly string[];
  /**
   * Ids of all earlier identical calls that the question warns about: with an unknown outcome, or by another person.
   */
  warned: readonly string[];
  /** Ids of all earlier identical calls that were sent before this was asked. */
  sent: readonly string[];
  /** Owner, state and account of the records that were read, by record. */
  rests: Readonly<Record<string, Fields>>;
  /** Fields of the input that the caller left out and that were filled in. */
  filled: readonly string[];
  /** Members of the caller's input that the records had already, so that they are not sent. */
  left: Fields;
  /** The reads that failed. */
  unread: readonly string[];
  /** Those of them that only give a name. They count as failed when the change is built again after the yes. */
  unnamed: readonly string[];
}

/** The facts of an action's question; empty for an action without a question. */
export function factsOf(action: Pick<Action, 'known'>): QuestionFacts {
  return {
    warnings: [],
    hidden: [],
    doubted: [],
    warned: [],
    sent: [],
    rests: {},
    filled: [],
    left: {},
    unread: [],
    unnamed: [],
    ...recordOf(action.known.question),
  };
}

/** Failed reads that a question names. */
const MOST_UNREAD = 5;

/** The facts of a question that its check found. `more`: warnings that do not come from the records. */
export function factsFrom(checked: Built['checked'], more: readonly string[]) {
  const { customer, customers, rests = {}, warnings = [], unread, ahead } = checked;
  const texts = unread
    .filter(({ isName }) => !isName)
    .slice(0, MOST_UNREAD)
    .map(({ what, error }) => `${what} could not be read before asking: ${error.message}`);
  return {
    ...defined({ customer, customers }),
    rests,
    warnings: [...more, ...warnings, ...ahead, ...texts],
    unread: unread.map(({ read }) => read),
    unnamed: unread.flatMap(({ read, isName }) => (isName ? [read] : [])),
  };
}

/**
 * The caller's own input as a form shows it: without secrets and what was filled in, with what was left out and the
 * secrets that are removed.
 */
export function givenOf(input: Fields, action: Pick<Action, 'known'>): Fields {
  const { filled, left } = factsOf(action);
  const rows = changeOf(action)?.rows ?? [];
  const taken = rows.flatMap(({ member, hidden, removed }) => (hidden && removed && member ? [[member, null]] : []));
  const own = Object.entries(input).filter(([name]) => !filled.includes(name));
  return { ...left, ...Object.fromEntries([...taken, ...own]) };
}

/** The facts of an action, with those that a preparing step found again after the yes. */
export function knownOf({ known, notes }: Pick<Action, 'known' | 'notes'>): Fields {
  return { ...known, ...recordOf(notes[RENEWED]) };
}

/** The order a call is about: the one that its request stage created last, or the one in its input. */
export function orderOf(action: Pick<Action, 'shown' | 'known' | 'notes'>): unknown {
  return recordOf(action.notes[RENEWED]).OrderId ?? action.shown.OrderId ?? action.known.OrderId;
}

type Outcome = Pick<Action, 'state' | 'shown' | 'known'> & Partial<Pick<Action, 'result' | 'notes'>>;

/** The numbers that a partly done action did not do, with the reasons; empty for any other action. */
export function notDoneIn(
  tool: Pick<Tool, 'kind' | 'risk' | 'answer' | 'input'>,
  { state, shown: input, known, result: answer = {} }: Outcome,
): Map<string, Words> {
  if (state !== 'partly') return new Map();
  const { notDone } = readVerdict(tool, { answer, input, known });
  return new Map(notDone.map(({ what, why }) => [numberKey(plainText(what)), why]));
}

/**
 * Returns the change of an action without the numbers for which it was not done. Undefined for an action without a
 * change.
 */
export function changeDone(tool: Parameters<typeof notDoneIn>[0] | undefined, action: Outcome): Change | undefined {
  const change = changeOf(action);
  if (change === undefined || tool === undefined) return change;
  if (standingOf(action, tool).how === 'failed') return undefined;
  const left = notDoneIn(tool, action);
  return { ...change, rows: change.rows.filter(({ of }) => numberKey(of) === '' || !left.has(numberKey(of))) };
}

/*
 * Compares the records that a question was based on with the same records read later. A confirmation holds only for the
 * records as the person saw them.
 */

/** The facts and words of a question. */
export type Asked = Pick<Action, 'known' | 'consent'>;

/** A difference. `what` completes the sentence "… since this was asked". */
interface Difference {
  what: Words;
  /** The error of a read that worked when the question was asked. */
  unread?: Failure;
  /** A read that failed when the question was asked works now. */
  isReadNow?: boolean;
}

/** The first difference between a question and the same call built again; undefined if the question would be the same. */
export function differenceOf(tool: Tool, asked: Asked, now: Built): Difference | undefined {
  const { checked } = now;
  const facts = factsOf(asked);
  const lost = checked.unread.find(({ read }) => !facts.unread.includes(read));
  if (lost) return { what: 'could not be read again', unread: asSwitchboardError(lost.error).face };
  if (checked.problem) return { what: checked.problem.message };
  const before = changeOf(asked);
  const changed = Object.entries(facts.rests).flatMap(([record, values]): Words[] => {
    const next = checked.rests?.[record];
    if (next === undefined) return [`${record} could not be found again`];
    const names = Object.keys(values).filter((name) => !same(values[name], next[name]));
    // Owner and account are ids. People know a line by its customer.
    const [was, is] = [before?.names[record]?.name, now.change.names[record]?.name];
    if (names.length > 0 && was !== undefined && is !== undefined && was !== is)
      return [wasAndIs(words`the customer of ${record}`, was, is)];
    // Of a list, the entries that are in both say nothing.
    const own = (one: unknown, other: unknown) =>
      Array.isArray(one) && Array.isArray(other) ? one.filter((entry) => !other.includes(entry)).join(', ') : one;
    return names.map((name) =>
      wasAndIs(words`the ${name} of ${record}`, own(values[name], next[name]), own(next[name], values[name])),
    );
  });
  if (changed.length > 0) return { what: joined(changed, '; ') };
  if (before === undefined) return { what: 'the question does not say what changes' };
  // Facts of a preparing step are compared when that step has run again.
  const known = { ...(tool.kind === 'workflow' && tool.prepare && asked.known), ...checked.known };
  const change = narrowed(tool, now, known);
  // A warning that is gone takes nothing from what was confirmed.
  const fresh = checked.warnings?.find((text) => !facts.warnings.includes(text));
  const warns = fresh && words`it has a new warning: ${quoted(fresh.replace(/\.$/, ''))}`;
  const what = isSameChange(before, change)
    ? (consentDifference(tool, asked, { ...now, known }) ?? warns)
    : changeDifference(before, change);
  const isReadNow = facts.unread.some((one) => !checked.unread.some(({ read }) => read === one));
  return what === undefined ? undefined : { what, isReadNow };
}

/** The first difference between two changes that are not the same, in words. */
function changeDifference(asked: Change, now: Change): Words {
  const whose = (of: string) => {
    const named = now.names[of];
    return named === undefined || of.startsWith('+') ? worded(of) : words`the ${named.noun} ${quoted(named.name)}`;
  };
  type Statement = [what: Words, value: unknown];
  const statements = ({ rows, keeps, leads, names, concerns }: Change): Statement[] => [
    ...rows.map(({ of, what, before }): Statement => [words`the ${what} of ${whose(of)}`, before]),
    ...rows.map(({ of, what, after }): Statement => [words`the new ${what} of ${whose(of)}`, after]),
    ['the customer', concerns.join('; ')],
    ...keeps.map(({ of, what, value }): Statement => [words`the ${what} of ${whose(of)}`, value]),
    ...leads.map(({ what, to }): Statement => [what, to]),
    ...Object.entries(names).map(([id, one]): Statement => [words`the name of the ${one.noun} ${id}`, one.name]),
  ];
  const valuesIn = (change: Change) => new Map(statements(change).map(([what, value]) => [plainText(what), value]));
  const [before, after] = [valuesIn(asked), valuesIn(now)];
  for (const [what] of [...statements(asked), ...statements(now)]) {
    const key = plainText(what);
    const one = before.get(key);
    // A row that is not there any more has the value already that was asked for.
    const other = after.has(key) ? after.get(key) : before.get(key.replace(/^the /, 'the new '));
    if (!same(one, other)) return wasAndIs(what, one, other);
  }
  return 'what would be sent, or where it leads, has changed';
}

/**
 * How the question would read differently with the facts of now; undefined if it would not. Both are put into the words of
 * this program, so that a question which a version with other words has asked holds as long as its facts do.
 */
export function consentDifference(
  tool: Tool,
  asked: Asked,
  { input, known, raised }: Pick<Built, 'input' | 'raised'> & { known: Fields },
): Words | undefined {
  if (asked.consent === undefined || tool.consent === undefined) return undefined;
  const before = tool.consent(input, asked.known, factsOf(asked).raised?.reason ?? '');
  const next = tool.consent(input, known, raised?.reason ?? '');
  if (same(before, next)) return undefined;
  const name = (['cost', 'title', 'consequence', 'statement'] as const).find((one) => !same(before[one], next[one]));
  return name ? wasAndIs(`the ${name}`, before[name], next[name]) : 'the question would read differently now';
}

/** The failure of a call that was not sent because of this difference. `isAsked`: a person confirmed it. */
export function differenceError(
  { what, unread, isReadNow }: Difference,
  asked: Pick<Action, 'consent'>,
  isAsked = true,
): Failure {
  const charge = isPaid(asked) ? ({ charge: 'none' } as const) : {};
  const rest = { outcome: 'not_done', effect: 'nothing_sent', ...charge } as const;
  if (unread) {
    const { code, status, retryAfterSeconds } = unread;
    const message = words`What this rests on could not be read again before sending: ${unread.message}`;
    return { ...rest, code, message, next: 'Ask for it again.', ...defined({ status, retryAfterSeconds }) };
  }
  return {
    ...rest,
    code: 'not_confirmed',
    reason: 'changed',
    message: isReadNow
      ? 'It was confirmed, but not everything could be read when it was asked. It can be read now.'
      : ended(words`${isAsked ? 'It was confirmed, but the' : 'The'} record has changed since it was asked: ${what}`),
    next: 'Ask for it again to see it as it is now.',
  };
}

function same(one: unknown, other: unknown): boolean {
  return canonical(one ?? null) === canonical(other ?? null);
}

function wasAndIs(what: Words, before: unknown, now: unknown): Words {
  return words`${what} was ${worded(before)} and is ${worded(now)} now`;
}

function worded(value: unknown): Words {
  if (value === undefined || value === null || value === '') return 'not set';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return words`${quoted(typeof value === 'object' ? JSON.stringify(value) : value)}`;
}

/* Other calls like the one in a question. */

/** Earlier calls like one that is about to be asked or sent. */
export interface Earlier {
  /** The question of the same requester about the same call, which waits. */
  same?: Action | undefined;
  /** The requester's own earlier call if it was done. Its result is returned for the repeat. */
  done?: Action;
  /** Warns the person who confirms that an earlier call may have done the work already. */
  warning?: string;
  /** Ids of the earlier calls whose outcome is unknown, which the warning names. */
  doubted: readonly string[];
  /** Ids of all earlier calls that the warning names. */
  warned: readonly string[];
  /** Ids of all earlier calls that were sent. */
  sent: ReadonlySet<string>;
  /** Ids of the questions about exactly this call, of any requester. */
  waiting: ReadonlySet<string>;
}

/**
 * Why a question is not answered with a yes any more because of another one of the same call, which the person who
 * confirms was not told of: it runs, it was sent while or after this was asked, or has an unknown outcome. Undefined if none
 * stands against it. A question that rests on a record shows what was done, and is compared when the change is built again;
 * the record does not show yet what runs.
 */
export function sentMeanwhile(asked: Action, twins: readonly Action[], tool: Tool): Failure | undefined {
  if (mayResend(tool, asked.shown)) return undefined;
  const { doubted, warned, sent } = factsOf(asked);
  const change = changeOf(asked);
  const isRunning = ({ id, state }: Action) => ['confirmed', 'in_flight'].includes(state) && !warned.includes(id);
  const isSent = ({ id, state }: Action) => state !== 'unknown' && !sent.includes(id);
  const twin =
    twins.find(({ id, state }) => state === 'unknown' && !doubted.includes(id)) ??
    twins.find(isRunning) ??
    (change && makesAnew(change) ? twins.find(isSent) : undefined);
  return twin && outdated(`After this was asked, the same call of ${twin.actorName} was`, twin);
}

/** Why a question is void that warns of an earlier call of unknown outcome, once that call was found done. */
export function foundDone(earlier: Action): Failure {
  const text = 'The question said that the outcome of an earlier call is unknown. It is known now: that call was';
  return { ...outdated(text, earlier), next: 'Look at the record, and ask for this again if it is still wanted.' };
}

/** The beginning of the reason why a change is not sent beside one of its record whose outcome is unknown. */
export const UNKNOWN_BESIDE = 'Another change of the same record was';

/** Why a question is void because of an action that it does not tell of. `text`: the beginning of the sentence. */
export function outdated(text: string, twin: Action): Failure {
  const how: Partial<Record<State, string>> = {
    done: 'done',
    partly: 'partly done',
    unknown: 'sent, and its outcome is unknown',
  };
  return {
    code: 'not_confirmed',
    reason: 'changed',
    message: `${text} ${how[twin.state] ?? 'sent, and is running now'} (${twin.id}, sent at ${new Date(sentAt(twin)).toISOString()}).`,
    effect: 'nothing_more_sent',
    next:
      twin.state === 'unknown'
        ? 'It may have been done already: check, then ask again. The new question carries the warning.'
        : 'Ask for it again only if it is to be done a second time.',
    outcome: 'not_done',
  };
}

/** Epoch ms. A confirmed call is sent next. */
export function sentAt({ sentAt: at, decidedAt, createdAt }: Action): number {
  return at ?? decidedAt ?? createdAt;
}

/** The first of some targets, and the number of the others. */
export function someOf(values: readonly string[]): string {
  return values.slice(0, 3).join(', ') + (values.length > 3 ? ` and ${values.length - 3} more` : '');
}
