import { type Batched, batchedBy, type ListedIn, makesAnew } from '../catalogue/change.ts';
import { type Call, isChange, mayAsk, mayResend, type Tool } from '../catalogue/operation.ts';
import { canonical, changeOf } from '../ledger/action.ts';
import type { Action } from '../ledger/ledger.ts';
import { AlreadyTaken } from '../ledger/rows.ts';
import type { Actor } from '../lib/actor.ts';
import { DAY_MS } from '../lib/clock.ts';
import { asSwitchboardError, type Failure, SwitchboardError } from '../lib/errors.ts';
import { defined, type Fields, groupedBy, listOf, recordsBy, recordsIn, scalarText, words } from '../lib/values.ts';
import { numberKey, numbersIn } from '../platform/dialect/number-lists.ts';
import { isFailedState } from '../platform/dialect/readings.ts';
import { forbidden } from './approval.ts';
import type { Asking } from './asking.ts';
import { type Built, type Changes, requireNoProblem } from './change.ts';
import {
  BATCH_RUN,
  batchDigest,
  callOf,
  type FrozenBatch,
  type FrozenRow,
  GatePart,
  givenIn,
  inputOfRows,
  isEnded,
  type Job,
  ownFields,
  type RowCheck,
  type RowFacts,
  type RowsSent,
  RUN_MS,
  statementWithoutNumbers,
  type ToolIndex,
  unsent,
} from './confirmation.ts';
import { type Dispatcher, READS_MS, rebuilding } from './dispatch.ts';
import {
  differenceError,
  differenceOf,
  factsFrom,
  factsOf,
  notDoneIn,
  outdated,
  type QuestionFacts,
  UNKNOWN_BESIDE,
} from './question.ts';

/** Rows that are read at the same time. */
const READS = 4;
/** Maximum time from the claim of a request to its answer. */
const SEND_MS = 90_000;

/** Reads the rows of a batch before the question, and opens a confirmed batch for sending. */
export class BatchRows extends GatePart<{ changes: Changes; asking: Asking; dispatcher: Dispatcher }> {
  /** An empty memory of answers for reading these rows of an operation. */
  sharedReads(tool: Tool, rows: readonly Pick<FrozenRow, 'said'>[]): SharedReads {
    const row = batchedBy(tool)?.row ?? '';
    const targets = rows.map(({ said }) => String(said[row]));
    return new SharedReads(this.parts.tools, targets);
  }

  /**
   * Reads one row before the question. Nothing is sent to a changing endpoint. `shared`: answers of reads that several
   * rows share.
   */
  async look(operation: string, raw: Fields, actor: Actor, shared: SharedReads): Promise<RowCheck> {
    const { tools, clock, dispatcher } = this.parts;
    const tool = tools.get(operation);
    if (!mayAsk(actor.role, tool)) throw forbidden(`${tool.title} needs the role operator.`);
    try {
      const input = tools.parse(tool, raw);
      const job = this.#job(tool, raw, input, { ...actor, priority: 'background' });
      const built = await this.#build(job, shared.calls(dispatcher.calls(job)));
      const { checked } = built;
      const lost = checked.unread.find(({ isName }) => !isName);
      if (lost) throw lost.error;
      requireNoProblem(checked);
      if (built.isNothing) {
        const message = `${tool.title}: nothing would change, it is already so.`;
        return { failure: { code: 'invalid_input', outcome: 'not_done', message, effect: 'nothing_changed' } };
      }
      const twins = await this.#twins({ ...job, input: built.input }, clock.now() - DAY_MS);
      const open = twins.find((twin) => !isEnded(twin));
      return open ? { failure: sentOpen(open) } : { asked: this.#factsOf(job, built, twins) };
    } catch (error) {
      return { failure: unsent(error) };
    }
  }

  /**
   * True if the call of a row was made outside of its batch since the batch was made, and was done or may have been. A call
   * that may be sent again counts as none: the record shows whether it is still needed.
   */
  async isDoneElsewhere(batch: Pick<Action, 'id' | 'operation' | 'createdAt'>, raw: Fields): Promise<boolean> {
    const { tools, ledger } = this.parts;
    const tool = tools.get(batch.operation);
    const sent = tools.parse(tool, raw);
    if (mayResend(tool, sent)) return false;
    const { list, row } = batchedBy(tool) ?? {};
    const call = callOf({ tool, input: sent, given: givenIn(raw, sent) });
    const target = numberKey(scalarText(raw[row ?? ''] ?? recordsIn(raw[list ?? ''])[0]?.[row ?? '']));
    return (await ledger.open.repeats(call, batch.createdAt)).some(
      ({ action }) => action.batch !== batch.id && action.state !== 'pending' && !notDoneIn(tool, action).has(target),
    );
  }

  /** The statement that the platform shows for this operation, from the preparing step for one row of a batch. */
  async statement(operation: string, raw: Fields, { id, actor }: Pick<FrozenBatch, 'id'> & { actor: Actor }) {
    const { tools, clock, dispatcher } = this.parts;
    const tool = tools.get(operation);
    const input = tools.parse(tool, raw);
    const deadline = clock.now() + SEND_MS;
    const context = { actor: { ...actor, priority: 'background' as const }, deadline, confirmed: false, partOf: id };
    const step = await dispatcher.prepared(tool, input, context);
    return step && tool.consent?.(input, step.known).statement;
  }

  /**
   * Opens a batch that a person confirmed, or one that needs no question: of own changes where the owner waived it, or of
   * calls that concern Switchboard alone. Rejects with
   * `forbidden_by_role` unless the action is about exactly this batch, sealed by this installation, and its time is not over.
   */
  async open(actionId: string, batch: FrozenBatch): Promise<ConfirmedBatch> {
    const { ledger, clock, approval, tools } = this.parts;
    const frozen = structuredClone(batch);
    const tool = tools.get(frozen.operation);
    const isAsked = approval.asksOwn && isChange(tool);
    const proven = (await ledger.sent(actionId, false)) ?? (isAsked ? undefined : await ledger.sent(actionId, true));
    const isThis =
      proven?.action.operation === BATCH_RUN &&
      proven.input.Batch === frozen.id &&
      proven.input.Digest === batchDigest(frozen);
    if (!proven || !isThis) throw forbidden('No person confirmed this batch with these rows.', 'nothing_sent');
    const until = (proven.action.decidedAt ?? proven.action.sentAt ?? 0) + RUN_MS;
    if (clock.now() >= until) throw forbidden('The yes for this batch lasted 12 hours and is over.', 'nothing_sent');
    const byNumber = new Map(frozen.rows.map((row) => [row.n, row]));
    return {
      until,
      send: async (numbers, sender) => {
        const rows = numbers.flatMap((n) => byNumber.get(n) ?? []);
        if (rows.length < numbers.length) throw new RangeError('a row was not confirmed');
        const actor: Actor = { ...sender, priority: 'batch' };
        return this.#send({ tool, frozen, yes: proven.action, until, actor }, rows);
      },
    };
  }

  /** Reads the rows again, leaves out those that have changed, and sends the others in one request. */
  async #send(confirmed: Confirmed, rows: readonly FrozenRow[]): Promise<RowsSent> {
    const { clock } = this.parts;
    const result: RowsSent = { leftOut: [], sent: false };
    if (clock.now() >= confirmed.until) return result;
    const same: FrozenRow[] = [];
    const reads = this.#readsOf(confirmed, rows);
    // The facts that were read must still be true when the request is sent.
    const readUntil = clock.now() + READS_MS;
    await eachOf(rows, READS, async (row) => {
      // Rows that were not read in this time stay ready and are read again for a later request.
      if (clock.now() >= readUntil) return;
      const changed = await this.#changed(confirmed, row, reads.call);
      if (changed === undefined) same.push(row);
      else if (!isTransient(changed)) result.leftOut.push({ n: row.n, failure: changed });
    });
    same.sort((one, other) => one.n - other.n);
    // One request carries rows that send the same values.
    for (const group of groupsOf(confirmed.tool, same)) {
      // A row that has changed is left out when the rows are read for the next request.
      const mayBegin = rebuilding(reads.isStale, async () => {
        const again = this.#readsOf(confirmed, group);
        await eachOf(group, READS, async (row) => {
          const now = await this.#rowNow(confirmed, row, again.call).catch(() => undefined);
          if (now === undefined || now.difference) throw new SwitchboardError(ROW_CHANGED);
        });
        return again.isStale;
      });
      await this.#dispatch(confirmed, group, result, mayBegin);
    }
    return result;
  }

  /** Reads for rows of one request. */
  #readsOf({ tool, actor }: Confirmed, rows: readonly FrozenRow[]): ReturnType<Dispatcher['reads']> {
    const { clock, dispatcher } = this.parts;
    const { call, isStale } = dispatcher.reads({ actor, deadline: clock.now() + READS_MS, confirmed: false });
    return { call: this.sharedReads(tool, rows).calls(call), isStale };
  }

  /** The reason why a row is not sent: its record changed or could not be read, or the same call was sent meanwhile. */
  async #changed(confirmed: Confirmed, row: FrozenRow, call: Call): Promise<Failure | undefined> {
    try {
      const { job, difference } = await this.#rowNow(confirmed, row, call);
      if (difference) return differenceError(difference, row.asked);
      const { yes } = confirmed;
      const twin = sentBeside([row], await this.#twins(job, yes.createdAt - DAY_MS, [yes.id]), confirmed);
      const [beside] = twin === undefined ? await this.parts.dispatcher.unknownBeside(job) : [];
      if (beside) return outdated(UNKNOWN_BESIDE, beside.action);
      if (twin === undefined || !isEnded(twin)) return twin && sentOpen(twin);
      const message = `After this was asked, the same call was sent for ${twin.actorName} (${twin.id}).`;
      return { code: 'not_confirmed', reason: 'changed', outcome: 'not_done', message, effect: 'nothing_sent' };
    } catch (error) {
      return unsent(error);
    }
  }

  /** A row as its record is now, with the difference from the one that was confirmed. */
  async #rowNow({ tool, frozen, actor }: Confirmed, { said, asked }: FrozenRow, call: Call) {
    const raw = inputOfRows(tool, frozen.shared, [said]);
    const job = this.#job(tool, raw, this.parts.tools.parse(tool, raw, asked.shown), actor);
    const { input, ...now } = await this.#build(job, call, factsOf(asked).unnamed);
    return { job: { ...job, input }, difference: differenceOf(tool, asked, { ...now, input }) };
  }

  async #dispatch(confirmed: Confirmed, rows: readonly FrozenRow[], result: RowsSent, mayBegin: MayBegin) {
    const { tools, clock, asking, dispatcher, ledger } = this.parts;
    const { tool, frozen, yes, until, actor } = confirmed;
    const [first] = rows;
    if (first === undefined) return;
    const { left } = factsOf(first.asked);
    const said = rows.map((row) => row.said);
    const whole = inputOfRows(tool, { ...frozen.shared, ...filledOf(tool, first) }, said);
    const raw = Object.fromEntries(Object.entries(whole).filter(([name]) => !(name in left)));
    const input = tools.parse(tool, raw, first.asked.shown);
    const deadline = Math.min(clock.now() + SEND_MS, until);
    const job: Job = { ...this.#job(tool, raw, input, actor), deadline, confirmed: true, partOf: yes.id };
    await asking.exclusively(job, async (held) => {
      try {
        await asking.requireFree(job, [yes.id]);
        // Reading the rows again took time. The claim below decides; this spares the preparing step.
        if (!(await ledger.batchRuns(frozen.id))) return;
        let known: Fields = rows.length === 1 ? first.asked.known : {};
        const step = await dispatcher.prepared(tool, input, held);
        if (step) {
          const statement = statementWithoutNumbers(tool.consent?.(input, step.known).statement);
          if (statement !== frozen.statement) {
            const message = words`The platform's statement is not the one that was confirmed.`;
            const rest = { outcome: 'not_done', effect: 'nothing_sent' } as const;
            throw new SwitchboardError({ code: 'not_confirmed', reason: 'changed', message, ...rest });
          }
          known = { ...known, ...step.known };
        }
        const { question: _question, ...facts } = known;
        const batch = { id: frozen.id, rows: rows.map(({ n }) => n), decided: yes };
        const beside = {
          since: yes.createdAt - DAY_MS,
          // Another call may have been made since the rows were read. They are read again then.
          refuses: (twins: readonly Action[]) =>
            !mayResend(tool, input) && sentBeside(rows, twins, confirmed) !== undefined,
        };
        let isWritten = false;
        const watched: Job = { ...held, onStage: () => (isWritten = true), mayBegin };
        await dispatcher.run(watched, { batch, beside, known: facts }).catch((error: unknown) => {
          // The ledger has the end of an action that was written.
          if (!isWritten) throw error;
        });
        result.sent = true;
      } catch (error) {
        // Another process sends these rows, or the batch was paused or stopped.
        if (error instanceof AlreadyTaken) return;
        const failure = unsent(error);
        if (!isTransient(failure)) result.leftOut.push(...rows.map(({ n }) => ({ n, failure })));
      }
    });
  }

  #job(tool: Tool, raw: Fields, input: Fields, actor: Actor): Job {
    const deadline = this.parts.clock.now() + READS_MS;
    return { tool, input, given: givenIn(raw, input), actor, deadline, confirmed: false };
  }

  async #build(job: Job, call: Call, unnamed: QuestionFacts['unnamed'] = []): Promise<Built> {
    const rule = batchedBy(job.tool);
    // A target that cannot be read leaves the row out.
    if (rule?.reads) await call(rule.reads.operation, { [rule.reads.by]: job.given[rule.row] });
    return this.parts.changes.build(job, { ...job, isRow: true, unnamed }, call);
  }

  #factsOf({ tool, given }: Job, { input, change, checked, raised, left }: Built, done: readonly Action[]): RowFacts {
    const known = checked.known ?? {};
    const names = [...new Set(done.map(({ actorName }) => actorName))].join(', ');
    const repeat = names === '' ? [] : [`The same call was sent for ${names} in the last 24 hours.`];
    const question = {
      ...factsFrom(checked, [...listOf(tool.caution?.(input)), ...repeat]),
      ...defined({ raised }),
      warned: done.map(({ id }) => id),
      filled: Object.keys(input).filter((name) => !(name in given)),
      left,
    };
    const consent = tool.consent?.(input, known, raised?.reason);
    const facts = { shown: change.sends, known: this.parts.redactor.omit({ ...known, question, change }), consent };
    return JSON.parse(JSON.stringify(facts)) as RowFacts;
  }

  /**
   * The same calls that have no known end, or were done since `since` (epoch ms). Throws if another call is open for the
   * same number. `except`: the question about its batch, whose end may not be written yet.
   */
  async #twins(job: Job, since: number, except: readonly string[] = []): Promise<Action[]> {
    const { asking, ledger } = this.parts;
    await asking.requireFree(job, except);
    if (mayResend(job.tool, job.input)) return [];
    // A row may have been sent, or asked for, in one call with others.
    const twins = (await ledger.open.repeats(callOf(job), since)).map(({ action }) => action);
    return twins.filter(({ state }) => state !== 'pending');
  }
}

type MayBegin = NonNullable<Job['mayBegin']>;

/** A batch with the yes that covers it. `actor`: as whom its rows are sent. */
interface Confirmed {
  tool: Tool;
  actor: Actor;
  frozen: FrozenBatch;
  /** The action that a person confirmed. */
  yes: Action;
  /** Epoch ms. */
  until: number;
}

/**
 * The same call that keeps rows from being sent: one without a known end, or one that their question did not name, if they
 * make something each time. Calls of their own batch do not count.
 */
function sentBeside(rows: readonly FrozenRow[], twins: readonly Action[], { yes }: Confirmed): Action | undefined {
  const others = twins.filter(({ partOf }) => partOf !== yes.id);
  const open = others.find((twin) => !isEnded(twin));
  const warned = rows.flatMap(({ asked }) => factsOf(asked).warned);
  const isAnew = rows.some(({ asked }) => {
    const change = changeOf(asked);
    return change !== undefined && makesAnew(change);
  });
  return open ?? (isAnew ? others.find(({ id }) => !warned.includes(id)) : undefined);
}

/** A batch that a person confirmed. It sends its own rows and nothing else. */
export interface ConfirmedBatch {
  /** Epoch ms: nothing is sent after this time. */
  until: number;
  /** Sends the rows with these numbers in one request. Rejects with `RangeError` for a row that was not confirmed. */
  send: (numbers: readonly number[], actor: Actor) => Promise<RowsSent>;
}

/** True for a failure that passes: the row waits and is tried again. */
export function isTransient({ code, outcome }: Pick<Failure, 'code' | 'outcome'>): boolean {
  return outcome === 'not_done' && ['rate_limited', 'unavailable', 'network', 'timeout', 'server_error'].includes(code);
}

/** The fields of a row that were filled in from its record. */
function filledOf(tool: Tool, { asked }: FrozenRow): Fields {
  const names = factsOf(asked).filled.filter((name) => name in tool.input.shape);
  return Object.fromEntries(names.map((name) => [name, asked.shown[name]]));
}

/** Rows that one request can carry: those with the same own, filled-in and left-out fields. Others go one by one. */
function groupsOf(tool: Tool, rows: readonly FrozenRow[]): FrozenRow[][] {
  const keyOf = (row: FrozenRow) =>
    canonical([ownFields(tool, row.said), filledOf(tool, row), factsOf(row.asked).left]);
  return [...groupedBy(rows, keyOf).values()];
}

const ROW_CHANGED: Failure = {
  code: 'unavailable',
  outcome: 'not_done',
  message: 'A row has changed, or could not be read again, while the platform kept the request waiting.',
  effect: 'nothing_done',
};

/** The failure of a row whose call was sent already and has no known end. */
function sentOpen({ actorName, id }: Action): Failure {
  const message = `The same call was sent for ${actorName} (${id}) and its outcome is not known yet.`;
  return { code: 'invalid_input', outcome: 'not_done', message, effect: 'nothing_sent' };
}

/** Does work for each one of a list, for at most `most` at the same time. */
export async function eachOf<T>(list: readonly T[], most: number, work: (one: T) => Promise<void>): Promise<void> {
  let next = 0;
  const run = async () => {
    for (let at = next++; at < list.length; at = next++) await work(list[at] as T);
  };
  await Promise.all(Array.from({ length: Math.min(most, list.length) }, run));
}

/** Fewer rows are read one by one. */
const LEAST_ROWS = 20;
/** Rows for each page of a list. With fewer, reading one by one is about as cheap. */
const ROWS_PER_PAGE = 2;
/** More pages would take too long at the platform's request limit. */
const MOST_PAGES = 30;

type Records = ReadonlyMap<string, Fields>;

/**
 * Answers of reads that the rows of a batch share: one customer is read once, an endpoint that takes a list is asked for
 * many rows at once, and many records are taken from the pages of a list. What such an answer does not have is read by
 * itself.
 */
export class SharedReads {
  readonly #tools: ToolIndex;
  readonly #targets: readonly string[];
  readonly #answers = new Map<string, Promise<Fields>>();
  readonly #lists = new Map<string, Promise<Records | undefined>>();

  /** @param targets the values that identify the rows that will be read */
  constructor(tools: ToolIndex, targets: readonly string[]) {
    this.#tools = tools;
    this.#targets = targets;
  }

  /** Calls that send a request only for what was not read yet. A failure is not kept. */
  calls(call: Call): Call {
    return (id, input) => {
      const key = `${id} ${canonical(input)}`;
      const answer = this.#answers.get(key) ?? this.#read(id, input, call);
      this.#answers.set(key, answer);
      answer.catch(() => this.#answers.delete(key));
      return answer;
    };
  }

  async #read(id: string, input: Fields, call: Call): Promise<Fields> {
    const tool = this.#tools.get(id);
    if (Object.keys(input).length > 1) return call(id, input);
    const rule = batchedBy(tool);
    if (rule?.list !== undefined)
      return (await this.#ofMany(id, input, { ...rule, list: rule.list }, call)) ?? call(id, input);
    const { listed } = tool;
    const value = listed && input[listed.by];
    if (listed === undefined || typeof value !== 'string' || this.#targets.length < LEAST_ROWS) return call(id, input);
    const reading = this.#lists.get(listed.operation);
    if (reading === undefined) {
      // The first record is read by itself too, because a list that shows it differently cannot be used.
      const sample = call(id, input);
      this.#lists.set(listed.operation, this.#list(listed, value, sample, call));
      return sample;
    }
    return (await reading)?.get(value) ?? call(id, input);
  }

  /** The answer about one row, from one request for many rows; undefined if that does not have it. */
  async #ofMany(id: string, input: Fields, { row, list, most = 1 }: Batched & { list: string }, call: Call) {
    const [entry, ...others] = recordsIn(input[list]);
    const target = String(entry?.[row]);
    const at = this.#targets.indexOf(target);
    if (at === -1 || others.length > 0) return undefined;
    const from = at - (at % most);
    const entries = this.#targets.slice(from, from + most).map((one) => ({ [row]: one }));
    if (entries.length === 1) return undefined;
    const answer = await this.calls(call)(id, { [list]: entries }).catch((error: unknown): Fields => {
      const { face } = asSwitchboardError(error);
      if (isTransient(face) && face.code !== 'server_error') throw error;
      // A number that the platform refuses fails the others of its request.
      return {};
    });
    const own = numbersIn(answer[list]).filter(({ number }) => numberKey(number) === numberKey(target));
    const record = own.length === 1 ? own[0]?.record : undefined;
    const isRead = record !== undefined && !isFailedState(scalarText(record.Status), {});
    return isRead ? { ...answer, [list]: [record] } : undefined;
  }

  async #list(listed: ListedIn, value: string, sample: Promise<Fields>, call: Call): Promise<Records | undefined> {
    try {
      const record = await sample;
      const records = await this.#pages(listed, call);
      const row = records.get(value);
      const isSame = row !== undefined && listed.same.every((name) => (row[name] ?? '') === (record[name] ?? ''));
      return isSame ? records : undefined;
    } catch {
      return undefined;
    }
  }

  /** All pages; only the first if there are too many. */
  async #pages({ operation, key, rows, total, size, page }: ListedIn, call: Call): Promise<Records> {
    const records: Fields[] = [];
    const most = Math.min(MOST_PAGES, this.#targets.length / ROWS_PER_PAGE);
    for (let n = 1; n <= most; n += 1) {
      const answer = await call(operation, page(n));
      const found = recordsIn(answer[rows]);
      records.push(...found);
      const isTooLong = Number(answer[total]) > most * size;
      if (found.length < size || isTooLong) break;
    }
    return recordsBy(key, records);
  }
}
