import {
  batchedBy,
  type Change,
  type Effect,
  idsIn,
  leadsOf,
  type NamedId,
  type Target,
  targetFields,
} from '../catalogue/change.ts';
import { type Compared, compare, recordIn, valueNow, valuesNow } from '../catalogue/compare.ts';
import { fieldsOf, type RecordReference } from '../catalogue/input.ts';
import {
  type Call,
  type Checked,
  type Field,
  type Finding,
  isChange,
  isGated,
  type Look,
  type Raised,
  type RecordProblem,
  type Tool,
  type Trace,
} from '../catalogue/operation.ts';
import { canonical, canonicalCall } from '../ledger/action.ts';
import { laterDay } from '../ledger/lookups.ts';
import { asSwitchboardError, type Failure, invalidInput, SwitchboardError } from '../lib/errors.ts';
import { hideUrlSecrets, REDACTED, withoutUrlSecrets } from '../lib/hide.ts';
import {
  defined,
  ended,
  type Fields,
  isRecord,
  joined,
  pathOf,
  quotesIn,
  textOf,
  textsIn,
  type Words,
  words,
} from '../lib/values.ts';
import { OtherRecord } from '../platform/dialect/number-lists.ts';
import { quoted } from '../platform/dialect/phone.ts';
import { isNotDoneFor } from '../platform/dialect/verdict.ts';
import { GatePart, type JobContext } from './confirmation.ts';
import type { OperationSecrets } from './sender.ts';

const PHONE = /^\+\d{7,15}$/;
/** Maximum number of earlier calls of a line that are read. */
const MOST_DONE = 20;

const NOT_NAMED: Failure = { code: 'unavailable', outcome: 'not_done', message: 'The question was asked without it.' };

/** A read that failed, by operation and input. */
interface Unread {
  read: string;
  /** The same in words: "Number details of +12015550101". */
  what: string;
  error: SwitchboardError;
  /** Only a name is missing. */
  isName?: true;
}

/** A call as it would be sent, with the change that a person sees of it. */
export interface Built {
  /** Exactly what leaves, with its secrets: filled in from the records, without what the records have already. */
  input: Fields;
  change: Change;
  /** The check, with the reads that failed. `ahead`: the changes of its lines that are ordered for a later day, in words. */
  checked: Checked & { unread: readonly Unread[]; ahead: readonly string[] };
  raised: Raised | undefined;
  /** Members of the caller's input that every record has already. They are not sent. */
  left: Fields;
  /** True if the call would change nothing. */
  isNothing: boolean;
}

/**
 * Builds changes from definitions and records. The same function builds a change from the same input when a person is
 * asked and when the yes comes, so that two equal changes mean that nothing has changed meanwhile.
 */
export class Changes extends GatePart<{ secrets: OperationSecrets }> {
  /**
   * @param call.input with the configured account. `given`: the caller's own part of it
   * @param context.unnamed of the question, if it is built again: these names are not read
   */
  async build(
    { tool, input, given }: { tool: Tool; input: Fields; given: Fields },
    context: Pick<JobContext, 'actor' | 'signal'> & Pick<Look, 'isRow'> & { unnamed?: readonly string[] },
    call: Call,
  ): Promise<Built> {
    const { clock, secrets, history, references = [], redactor } = this.parts;
    const { read, unread } = this.#reader(context, call);
    const look: Look = {
      read,
      known: (await secrets.find(tool, given))?.known ?? {},
      now: new Date(clock.now()),
      ...(context.isRow && { isRow: true as const }),
      history: history.of(context.actor),
    };
    const checked = (await tool.before?.(given, look)) ?? {};
    // A body must have no member that its endpoint does not document.
    const fill = Object.fromEntries(Object.entries(checked.fill ?? {}).filter(([name]) => name in tool.input.shape));
    const filled: Fields = { ...input, ...fill };
    const found = checked.problem ? [] : await targetsOf(tool, filled, checked, read);
    const whole = withWholeGroups(tool, filled, found);
    const replaced = replacedBy(tool, whole, found, unread);
    // The lines or the record that a call concerns, if no record of them is read.
    const numbers = batchedBy(tool)?.reaches ? [] : numbersIn(tool, filled);
    const unnamed = (numbers.length > 0 ? numbers : [subjectOf(tool, filled)]).map((of) => ({ of, record: undefined }));
    // The rows mark a record that was not read. A record that the call makes does not exist yet.
    const isMade = tool.adds === true || keysOf(tool).every((name) => name === 'AccountId');
    const targets = (found.length > 0 ? found : unnamed).map(
      (target): Target =>
        target.record === undefined && (found.length > 0 || unread.some(({ isName }) => !isName)) && !isMade
          ? { ...target, isUnread: true }
          : target,
    );
    const lost = new Set(targets.flatMap(({ of, isUnread }) => (isUnread ? [of] : [])));
    const compared = compare(tool, replaced.input, targets, keysOf(tool));
    const known = { ...checked.known };
    const effects = checked.effects ?? effectsOf(tool, replaced.input, known);
    // Members that every record has already need not be sent again. A call with effects sends its input whole.
    const isWhole = tool.current?.replaces || (effects ?? []).length > 0;
    const unchanged = isWhole ? [] : compared.unchanged;
    const free = unchanged.filter((name) => tool.input.shape[name]?.safeParse(undefined).success === true);
    const left = Object.fromEntries(free.map((name) => [name, replaced.input[name]]));
    const sent = Object.fromEntries(Object.entries(replaced.input).filter(([name]) => !(name in left)));
    const raised = raisedBy(tool, { input: replaced.input, known, targets, compared });
    // Records are read whole, so that what is left out is filled in and compared as it is.
    const rows = withoutUrlSecrets([
      ...(effects ?? []).map(({ of = targets[0]?.of ?? '', ...effect }) => ({
        ...effect,
        of,
        ...(effect.before === undefined && lost.has(of) && { unread: true as const }),
      })),
      // An effect says more than the row of its field.
      ...compared.rows.filter(
        ({ member }) =>
          member === undefined || !effects?.some((one) => one.member === member || one.tells?.includes(member)),
      ),
    ]).filter(({ before, after, added, removed, unread: isUnread }) => {
      // A list without entries of a new record is sent and changes nothing.
      const isEmpty = Array.isArray(after) && after.length === 0;
      return !isEmpty || before !== undefined || added !== undefined || removed || isUnread;
    });
    const kept = compared.keeps.filter(({ member }) => tool.current?.replaces || member in sent);
    const keeps = withoutUrlSecrets([...kept, ...(checked.keeps ?? [])]);
    // An account is named where it is the record that changes, or one that stays. For each row of a batch, its name would
    // cost another request.
    const subject = subjectOf(tool, filled);
    const keys = keysOf(tool).filter((name) => name !== 'AccountId' || filled[name] === subject);
    const stays = compared.keeps.filter(({ member }) => member !== 'AccountId' || !context.isRow);
    const values = {
      ...Object.fromEntries(keys.map((name) => [name, filled[name]])),
      rows: rows.map(({ member = '', before, after }) => ({ [member]: [before, after] })),
      keeps: stays.map(({ member, value }) => ({ [member]: value })),
    };
    const holders = Object.entries(checked.customers ?? {});
    const lines = Object.fromEntries(holders.map(([phone, name]) => [phone, { noun: 'number', name, leads: [] }]));
    const names = await namesOf(values, references, read, { ...lines, ...checked.names });
    const customers = [...new Set(holders.map(([, name]) => name))];
    const all = [...targets.map(({ of }) => of), subject];
    const named = all.map((one) => (PHONE.test(one) ? one : (names[one]?.name ?? '')));
    const phones = [...new Set(named)].filter((one) => PHONE.test(one));
    const ahead = (await Promise.all(phones.map((one) => this.#ahead(one)))).flat();
    const refused = checked.problem ?? absentRecord(tool, given, unread) ?? replaced.problem;
    // The rows of a batch wait for the budget by themselves.
    const problem = limitedBy(refused, unread, context.isRow ? undefined : tool);
    return {
      input: sent,
      change: {
        operation: tool.id,
        level: (tool.kind === 'workflow' && tool.levelFor?.(known)) || (isGated(tool) || raised ? 'approver' : 'own'),
        sends: redactor.omit(sent),
        concerns: customers.length > 0 || checked.customer === undefined ? customers : [checked.customer],
        rows,
        keeps,
        leads: leadsOf(rows, names),
        names,
      },
      checked: { ...checked, ...defined({ problem }), unread, ahead },
      raised,
      left,
      isNothing: problem === undefined && rows.length === 0 && (effects !== undefined || compared.unchanged.length > 0),
    };
  }

  /** A reader that asks for each record once and remembers which reads failed. `call`: reads on behalf of the caller. */
  #reader({ signal, unnamed }: Parameters<Changes['build']>[1], call: Call): { read: Look['read']; unread: Unread[] } {
    const { tools } = this.parts;
    const unread: Unread[] = [];
    const answers = new Map<string, ReturnType<Look['read']>>();
    const send = async (key: string, operation: string, input: Fields, purpose?: 'name'): ReturnType<Look['read']> => {
      try {
        if (unnamed?.includes(key)) throw new SwitchboardError(NOT_NAMED);
        return { found: await call(operation, input) };
      } catch (error) {
        // A cancelled call is not a failure of the platform. Of another record's values nothing may be asked.
        if (!(error instanceof SwitchboardError) || signal?.aborted || error instanceof OtherRecord) throw error;
        const { message, code } = error.face;
        // Without a record there is no name, so nothing is missing.
        if (purpose === undefined || code !== 'not_found') {
          const [subject] = textsIn(input);
          const what = `${tools.get(operation).title}${subject === undefined ? '' : ` of ${subject.value}`}`;
          unread.push({ read: key, what, error: asSwitchboardError(error), ...(purpose && { isName: true }) });
        }
        return { found: undefined, message, code };
      }
    };
    const read: Look['read'] = (operation, input, purpose) => {
      if (tools.get(operation).risk !== 'read')
        throw new Error(`${operation} is not a read and may not run in a check`);
      const key = `${operation} ${canonical(input)}`;
      const answer = answers.get(key) ?? send(key, operation, input, purpose);
      answers.set(key, answer);
      // A check may end with the error of another read before it waits for this one.
      answer.catch(() => undefined);
      return answer;
    };
    return { read, unread };
  }

  /** The changes of a line that were, or may have been, ordered for a later day, in words. */
  async #ahead(phone: string): Promise<string[]> {
    const { ledger, tools, clock } = this.parts;
    return (await ledger.about(phone, MOST_DONE)).flatMap((action) => {
      const { shown: input, known, result: answer = {}, consent, operation, state } = action;
      const tool = tools.find(operation);
      const day = ['done', 'partly', 'unknown'].includes(state) ? laterDay(action, tool, clock.now()) : undefined;
      if (tool === undefined || day === undefined || isNotDoneFor(phone, tool, { answer, input, known })) return [];
      const isScheduled = state === 'unknown' ? 'may be scheduled (its outcome is unknown)' : 'is scheduled';
      // A row of a batch has no question of its own.
      const asked = consent ?? tool.consent?.(input, known) ?? tool;
      return [`A change of ${phone} ${isScheduled} for ${day}: ${asked.title}.`];
    });
  }
}

/**
 * True if two changes are the same for the person who says yes. A list of lines is the same in any order. The fields of
 * rows tell surfaces how to arrange them, which a newer version may do in another way; their values are in `sends`.
 */
export function isSameChange(one: Change, other: Change): boolean {
  const [first, second] = [one, other].map(({ sends, rows, ...change }) => {
    const shown = { ...change, rows: rows.map(({ member: _member, ...row }) => row) };
    const parts = Object.entries(shown).map(([name, part]) => [
      name,
      Array.isArray(part) ? part.map(canonical).sort() : part,
    ]);
    return canonical({ ...Object.fromEntries(parts), sends: canonicalCall(sends) });
  });
  return first === second;
}

/** The change of a call without the lines that its preparing step has refused. `known`: with the facts of that step. */
export function narrowed(tool: Tool, { input, change, checked }: Built, known: Fields): Change {
  const effects = tool.kind === 'workflow' && tool.prepare ? tool.effects?.(input, known) : undefined;
  const rows = change.rows.filter(({ of }) => effects?.some((one) => one.of === of));
  if (effects === undefined || rows.length === change.rows.length) return change;
  return { ...change, rows, concerns: [...new Set(rows.flatMap(({ of }) => checked.customers?.[of] ?? []))] };
}

/** The fields that name the records of a call. They are no change. */
export function keysOf(tool: Tool): string[] {
  const rule = batchedBy(tool);
  return [
    ...new Set([
      ...(tool.keys ?? []),
      ...(tool.kind === 'operation' && tool.takes ? [tool.takes.under] : []),
      ...(tool.removes === undefined ? [] : [tool.removes]),
      ...(rule === undefined ? [] : targetFields(rule)),
      ...(tool.members === undefined ? ['AccountId'] : []),
    ]),
  ];
}

/** The records that a call changes. */
async function targetsOf(tool: Tool, input: Fields, checked: Checked, read: Look['read']): Promise<Target[]> {
  const of = subjectOf(tool, input);
  const { current } = tool;
  if (isRecord(checked.known?.Record)) return [{ of, record: checked.known.Record }];
  const query = current?.input(input);
  if (current === undefined || query === undefined) return [];
  const { found } = await read(current.read, query);
  if (found === undefined) return [{ of, record: undefined }];
  if (current.records) {
    const records = current.records(found);
    return numbersIn(tool, input).map((of) => ({ of, record: records.get(of) }));
  }
  return [{ of, record: recordIn(tool, found, input) }];
}

/** The numbers of a call that takes several. */
function numbersIn(tool: Tool, input: Fields): string[] {
  const list = batchedBy(tool)?.list;
  const rows = list === undefined ? [] : input[list];
  return Array.isArray(rows) ? [...new Set(rows.map((row: unknown) => String(isRecord(row) ? row.Number : row)))] : [];
}

/** Kinds of fields that name a record. */
const NAMING: readonly Field['kind'][] = ['phone', 'id', 'iccid', 'rows', 'list'];

/** The value that names the record of a call: a phone number where there is one. Empty for a new record. */
function subjectOf(tool: Tool, input: Fields): string {
  const naming = new Set(fieldsOf(tool).flatMap(({ name, kind }) => (NAMING.includes(kind) ? [name] : [])));
  const texts = [...keysOf(tool), ...(tool.paidBy === undefined ? [] : [tool.paidBy])]
    .filter((name) => naming.has(name))
    .map((name) => input[name])
    .map((value) =>
      Array.isArray(value) && value.length === 1 ? (isRecord(value[0]) ? value[0].Number : value[0]) : value,
    )
    .filter((value): value is string => typeof value === 'string');
  return texts.find((value) => value.startsWith('+')) ?? texts[0] ?? '';
}

/** The input with what stays, and the problem if that cannot be kept. */
type Replaced = { input: Fields; problem?: RecordProblem };

/**
 * Completes the input for an endpoint that replaces the whole record: values that the caller left out come from the
 * records. The problem names values that cannot be kept.
 */
function replacedBy(tool: Tool, input: Fields, targets: readonly Target[], unread: readonly Unread[]): Replaced {
  const { current } = tool;
  if (!current?.replaces || targets.length === 0) return { input };
  const keys = keysOf(tool);
  const open = fieldsOf(tool).filter(
    ({ name, secret, attachment }) => !secret && !attachment && !keys.includes(name) && input[name] === undefined,
  );
  const [first] = open;
  const absent = unread.find(
    ({ read, error }) => read.startsWith(`${current.read} `) && error.face.code === 'not_found',
  );
  const [key] = keys;
  if (absent !== undefined && key !== undefined)
    return { input, problem: { field: key, message: absent.error.face.message, code: 'not_found' } };
  if (first !== undefined && targets.some(({ record }) => record === undefined)) {
    const message = 'is left out, and what is set now could not be read, so it could be lost';
    const next = 'Try again later, or give every field.';
    return { input, problem: { field: first.name, message, code: 'unavailable', next } };
  }
  const filled: Fields = { ...input };
  const values = targets.map(({ record = {} }) => keptIn(tool, record));
  for (const { name } of open) {
    const source = current.derivedFrom?.[name];
    if (source !== undefined && compare(tool, { [source]: input[source] }, targets, keys).changed.length > 0) continue;
    const leader = current.goesWith?.[name];
    if (leader !== undefined && input[leader] === null) {
      if (values.some((now) => now[name] !== undefined)) filled[name] = null;
      continue;
    }
    // A secret that is hidden in the record would be replaced by its mask.
    if (textsIn(values.map((now) => now[name])).some(({ value }) => value.includes(REDACTED))) {
      const message = 'is left out, and a secret in what is set now is hidden, so it could be lost: give it again';
      return { input, problem: { field: name, message } };
    }
    const found = new Set(values.map((now) => canonical(now[name] ?? null)));
    if (found.size > 1) {
      const each = targets.slice(0, 3).map(({ of }, at) => `${of}: ${values[at]?.[name] ?? 'none'}`);
      const message = `is left out and is not the same for all (${each.join(', ')}). Run it as a batch (batches_create), where each row keeps its own, or give a value for all`;
      return { input, problem: { field: name, message } };
    }
    if (values[0]?.[name] !== undefined) filled[name] = values[0][name];
  }
  // Removing what no record has is the call without it.
  const areRead = targets.every(({ record }) => record !== undefined);
  for (const { name, secret } of fieldsOf(tool)) {
    const isReadable = areRead && !secret && tool.unreadable?.includes(name) !== true;
    if (filled[name] === null && isReadable && values.every((now) => now[name] === undefined)) delete filled[name];
  }
  const record = targets[0]?.record ?? {};
  const problem = current.asksAgain?.(record, input) ?? current.whole?.(filled);
  return { input: filled, ...defined({ problem }) };
}

/** A group such as an address is sent whole: the members that the caller left out, from the record. */
function withWholeGroups(tool: Tool, input: Fields, targets: readonly Target[]): Fields {
  const [only, ...others] = targets;
  if (only?.record === undefined || others.length > 0) return input;
  const { record } = only;
  const groups = fieldsOf(tool).flatMap((field): [string, Fields][] => {
    const [given, now] = [input[field.name], valueNow(tool, field, record)];
    if (field.kind !== 'group' || !isRecord(given) || !isRecord(now)) return [];
    const left = (field.fields ?? []).filter(({ name }) => given[name] === undefined && now[name] !== undefined);
    return [[field.name, { ...Object.fromEntries(left.map(({ name }) => [name, now[name]])), ...given }]];
  });
  return { ...input, ...Object.fromEntries(groups) };
}

/**
 * The problem of an id or a phone number of the caller that the platform does not know. A 404 that does not name it may be
 * about the endpoint. A phone number of a list is only a warning: the platform does the others.
 */
function absentRecord(tool: Tool, given: Fields, unread: readonly Unread[]): RecordProblem | undefined {
  const ids = new Set(idsIn(given).map(({ id }) => id));
  const several = Object.values(given).flatMap((value) =>
    Array.isArray(value) && value.length > 1 ? textsIn(value) : [],
  );
  const alone = (text: string) => PHONE.test(text) && !several.some(({ value }) => value === text);
  for (const { error } of unread) {
    const { message, next } = error.face;
    const texts = error.face.code === 'not_found' ? quotesIn(message) : [];
    const isNamed = (value: string) => texts.some((text) => text.includes(value.replace(/^\+/, '')));
    const named = textsIn(given).find(({ value }) => (ids.has(value) || alone(value)) && isNamed(value));
    if (named === undefined) continue;
    const isPhone = PHONE.test(named.value);
    // As on the platform: 404 for the record acted on, 400 for a reference in a body.
    const isKey = keysOf(tool).includes(named.name) && (named.name !== 'AccountId' || tool.current !== undefined);
    const code = isPhone || isKey ? 'not_found' : 'bad_request';
    const says = isPhone ? words`${named.value} is not one of our numbers: ${message}` : message;
    return { field: pathOf(named), message: says, code, ...defined({ next }) };
  }
  return undefined;
}

/** The values of a record that are sent again: as the fields take them, otherwise as the platform wrote them. */
function keptIn(tool: Tool, record: Fields): Fields {
  const read = valuesNow(tool, record);
  const others = fieldsOf(tool).flatMap((field): [string, unknown][] => {
    const value = valueNow(tool, field, record);
    const isKept =
      !field.secret && read[field.name] === undefined && value !== undefined && value !== null && value !== '';
    return isKept ? [[field.name, value]] : [];
  });
  return { ...read, ...Object.fromEntries(others) };
}

/**
 * The tool, with a rule that reads an unknown outcome where its definition has none: the records are compared with what was
 * sent, as before the question, if the operation may be repeated and its records can be read.
 */
export function withReadBack(tool: Tool): Tool {
  if (tool.reconcile || !tool.current || !tool.resend) return tool;
  const reconcile = (input: Fields, trace: Trace) => readBack(tool, input, trace);
  // A spread would make the schemas.
  return Object.freeze(Object.assign(Object.create(null, Object.getOwnPropertyDescriptors(tool)), { reconcile }));
}

async function readBack(tool: Tool, input: Fields, { call, about }: Trace): Promise<Finding> {
  const { read = '', replaces, joined: whole } = tool.current ?? {};
  const keys = keysOf(tool);
  const numbers = numbersIn(tool, input);
  for (const of of numbers.length > 0 ? numbers : [subjectOf(tool, input)])
    if ((await about(of)).some(({ operation }) => operation === tool.id))
      return { outcome: 'unknown', saw: words`another call has changed ${quoted(of)} since` };
  const targets = await targetsOf(tool, input, {}, async (id, query) => ({ found: await call(id, query) }));
  if (targets.length === 0) return { outcome: 'unknown', saw: 'the call names no record that can be read' };
  const looked = targets.map((target): { of: string; found: Finding['outcome']; saw: Words } => {
    const { of, record = {} } = target;
    const shows = words`${read} shows for ${quoted(of)}`;
    const now = valuesNow(tool, record);
    const changed = compare(tool, input, [target], keys).rows.map(({ member = '' }) => member);
    const left = Object.keys(now).filter((name) => replaces && input[name] === undefined && !keys.includes(name));
    const names = [...new Set([...changed, ...left])];
    // A record that shows the parts of a joined value beside another whole proves nothing.
    const differing = names.filter((name) => name in now && !whole?.fields.includes(name));
    const values = differing.map((name) => words`${name} ${quoted(JSON.stringify(now[name]))}`);
    if (values.length > 0) return { of, found: 'not_done', saw: words`${shows} ${joined(values, ', ')}` };
    // A secret, or a value that the record does not show.
    if (names.length > 0) return { of, found: 'unknown', saw: words`${shows} no ${names.join(', ')} to compare` };
    return { of, found: 'done', saw: words`${shows} the values that were sent` };
  });
  const { list = '', row = '' } = batchedBy(tool) ?? {};
  const those = (wanted: Finding['outcome']) =>
    looked.filter(({ found }) => found === wanted).map(({ of }) => ({ [row]: of }));
  const [done, failed] = [those('done'), those('not_done')];
  const texts = looked.map(({ saw }) => saw);
  const saw = joined(texts, '; ');
  if (done.length + failed.length < looked.length) return { outcome: 'unknown', saw };
  if (failed.length === 0) return { outcome: 'done', result: input, saw };
  if (done.length === 0) return { outcome: 'not_done', saw };
  return { outcome: 'partly', result: { [list]: done, FailedChange: failed }, saw };
}

/** The raised risk of a call: that of each of its records, with every reason once. */
function raisedBy(
  tool: Tool,
  { input, known, targets, compared }: { input: Fields; known: Fields; targets: readonly Target[]; compared: Compared },
): Raised | undefined {
  const each = targets.flatMap(({ of, record }) => {
    const changed = compared.rows
      .filter((row) => row.of === of)
      .flatMap(({ member = '', members = [member] }) => members);
    const unkeyed = Object.keys(input).filter(
      (name) => !compared.unchanged.includes(name) && !compared.changed.includes(name),
    );
    return tool.raises?.(input, record ? { ...known, Record: record } : known, [...changed, ...unkeyed]) ?? [];
  });
  if (each.length === 0) return undefined;
  const reasons = [...new Set(each.map(({ reason }) => reason))].filter((reason) => reason !== '');
  return { risk: 'destroy', reason: reasons.join(' ') };
}

/** The effects that no field of the input names. */
function effectsOf(tool: Tool, input: Fields, known: Fields): readonly Effect[] | undefined {
  const { removes } = tool;
  if (removes === undefined) return tool.effects?.(input, known);
  const what = fieldsOf(tool).find(({ name }) => name === removes)?.label ?? removes;
  return [{ what, before: input[removes], removed: true }, ...(tool.effects?.(input, known) ?? [])];
}

/**
 * The values of a call that may exclude another one: the numbers that it changes or ends, and what its definition names.
 */
export function exclusiveOf(tool: Tool, input: Fields, known: Fields): string[] {
  const rule = batchedBy(tool);
  const named = rule === undefined ? (tool.endsNumber ? (tool.keys ?? []) : []) : targetFields(rule);
  const names = !isChange(tool) || rule?.reaches ? [] : named;
  const targets = names.flatMap((name) => input[name]).map((value) => (isRecord(value) ? value.Number : value));
  const numbers = targets.filter((value) => typeof value === 'string' && /^\+\d{7,15}$/.test(value));
  return [...new Set([...(tool.exclusive?.values(input, known) ?? []), ...(numbers as string[])])];
}

/** True if a call cancels, moves or releases its numbers, so that no other change of them may wait beside it. */
export function endsNumber(tool: Tool, input: Fields): boolean {
  return tool.endsNumber === true || (typeof tool.endsNumber === 'function' && tool.endsNumber(input));
}

/**
 * The problem of a record that was not read because the budget is used up, with the time after which it can be read. A
 * change is not asked without its names and its values before, if they can be read a minute later.
 */
function limitedBy(problem: RecordProblem | undefined, unread: readonly Unread[], tool?: Tool) {
  const limit = unread.find(({ error }) => error.face.code === 'rate_limited')?.error.face;
  if (limit === undefined || (problem !== undefined && problem.code !== 'unavailable')) return problem;
  if (problem === undefined && tool === undefined) return undefined;
  const [field = ''] = tool === undefined ? [] : [...keysOf(tool), ...Object.keys(tool.input.shape)];
  const unsaid = problem?.message ?? 'what this call changes could not be read';
  const message = words`${unsaid} (the rate limit is used up)`;
  const { next, retryAfterSeconds } = limit;
  return { field, ...problem, message, code: 'rate_limited' as const, ...defined({ next, retryAfterSeconds }) };
}

/** Throws the problem that a check or a step found, if there is one. */
export function requireNoProblem({ problem }: { problem?: RecordProblem | undefined }): void {
  if (problem === undefined) return;
  const { field, message, code, next, retryAfterSeconds } = problem;
  const text = ended(words`${field}: ${message}`);
  if (code === undefined) throw invalidInput(field, text);
  const more = defined({ next, retryAfterSeconds });
  throw new SwitchboardError({ code, message: text, outcome: 'not_done', field, ...more });
}

/**
 * Reads the names of the records whose ids are in these values, and where those records lead. An id without a name, or
 * whose record cannot be read, is left out.
 *
 * @param known names that a check found already
 */
async function namesOf(
  values: Fields,
  references: readonly RecordReference[],
  read: Look['read'],
  known: Readonly<Record<string, NamedId>> = {},
): Promise<Record<string, NamedId>> {
  const found = idsIn(values)
    .filter(({ id }) => known[id] === undefined)
    .flatMap(({ id, member }) => {
      const prefix = id.slice(0, id.indexOf('-')).toUpperCase();
      const fitting = references.filter(({ ids }) => ids.includes(prefix));
      // If kinds share a prefix, the member that holds the id decides.
      const own = fitting.find((one) => one.id.includes(member));
      const reference = own ?? (fitting.length === 1 ? fitting[0] : undefined);
      return reference?.read === undefined ? [] : [{ id, reference, by: reference.read }];
    });
  const named = await Promise.all(
    found.map(async ({ id, reference, by: [operation, field] }): Promise<[string, NamedId] | undefined> => {
      const { found: record } = await read(operation, { [field]: id });
      const name = reference.names.map((member) => textOf(record?.[member])).find((text) => text.trim() !== '');
      if (record === undefined || name === undefined) return undefined;
      const leads = (reference.leads?.(record) ?? []).map(({ what, to }) => ({ what, to: hideUrlSecrets(to) }));
      return [id, { noun: reference.noun, name: hideUrlSecrets(name), leads }];
    }),
  );
  return { ...known, ...Object.fromEntries(named.filter((entry) => entry !== undefined)) };
}
