import { createHash } from 'node:crypto';
import * as z from 'zod';
import { batchedBy } from '../catalogue/change.ts';
import {
  type Change,
  type Charge,
  type Consent,
  defineWorkflow,
  isChange,
  type Level,
  type StartedWork,
  type Tool,
  type Workflow,
} from '../catalogue/operation.ts';
import { keysOf } from '../gate/change.ts';
import {
  BATCH_RUN,
  batchDigest,
  type FrozenBatch,
  type FrozenRow,
  inputOfRows,
  isAlready,
  ownFields,
  RUN_MS,
} from '../gate/confirmation.ts';
import { factsOf } from '../gate/question.ts';
import { canonical, changeOf } from '../ledger/action.ts';
import { defined, type Fields, lowerFirst, textsIn } from '../lib/values.ts';
import { moneyText } from '../platform/dialect/readings.ts';
import type { Worker } from '../work/worker.ts';
import { reasonOf } from './rows.ts';
import {
  type Batch,
  type BatchRow,
  type Counts,
  countsOf,
  customerOf,
  hasEnded,
  type Outcome,
  type Plan,
  type RowSources,
  rowsOf,
  type StoredRow,
  stateNow,
} from './states.ts';
import type { BatchStore } from './store.ts';

/* The question about a batch: the effects of all its rows, in words and as one change. */

/** Maximum number of groups in the text of a question. A separate list has all of them. */
const MOST_NAMED = 8;
/** Rows of a group that the text of a question names. */
const MOST_TARGETS = 3;
const MAX_LABEL = 30;

type Ready = Pick<StoredRow, 'n' | 'target' | 'said' | 'asked'>;

/** A row that was ready when the plan was made. */
type PlannedRow = StoredRow & FrozenRow;

/** Rows with the same text. */
interface Group {
  text: string;
  rows: Ready[];
}

/** The rows that were ready when the plan was made, including those that were sent or left out later. */
export function plannedOf(rows: readonly StoredRow[]): PlannedRow[] {
  return rows.filter((row): row is PlannedRow => row.asked !== undefined);
}

/** The effects of the rows that are ready, in words. Equal ones are counted, different ones are named with their rows. */
export function effectsOf(tool: Tool, shared: Fields, ready: readonly Ready[]) {
  const consequences = groupsOf(ready, (row) => row.asked?.consent?.consequence);
  const costs = groupsOf(ready, (row) => row.asked?.consent?.cost, true);
  const customers = groupsOf(ready, customerOf, true);
  const undos = groupsOf(ready, (row) => row.asked?.consent?.undo);
  const cautions = filledIn(groupsOf(ready, ({ asked }) => asked && factsOf(asked).warnings.join(' ')));
  const verbs = new Set(ready.map(({ asked }) => asked?.consent?.confirm.split(' ')[0]));
  return {
    consequence: textOf(consequences, LISTED),
    undo: textOf(undos, ''),
    /** Cautions about some rows or all. */
    cautions: named(cautions, ({ text, rows }) => (rows.length === ready.length ? text : withTargets(rows, text))),
    cost: costText(tool, shared, ready, costs),
    /** The word for the act ("Reactivate"); undefined if it is not the same for all rows. */
    verb: verbs.size === 1 ? [...verbs][0] : undefined,
    /** The customers with the number of their rows. Empty if none is known. */
    customers:
      customers.length === 1 || filledIn(customers).length === 0
        ? (customers[0]?.text ?? '')
        : named(customers, ({ text, rows }) => `${text || NO_CUSTOMER}: ${counted(rows)}`).join('; '),
    /** Everything that the texts above only count. */
    lists: [
      ...listOf('What happens', consequences, LISTED),
      ...listOf('Cost by row', costs, 'no cost'),
      ...listOf('Customers', customers, NO_CUSTOMER),
    ],
  };
}

const LISTED = 'Changed as listed.';
const NO_CUSTOMER = 'no customer known';

/** Rows with the same text, in the order of the rows. A group without a text is the last one. */
function groupsOf(ready: readonly Ready[], of: (row: Ready) => string | undefined, isExact = false): Group[] {
  const groups = new Map<string, Group>();
  for (const row of ready) {
    const said = of(row) ?? '';
    // The group names its rows.
    const text = said.startsWith(`${row.target}: `) ? said.slice(row.target.length + 2) : said;
    // Without the number or id of its record, which is different in each row. Nothing else of a row is taken out: a value
    // that its caller wrote could take the consequence with it.
    const alike = isExact || !TARGET.test(row.target) ? text : text.replaceAll(row.target, '…');
    const group = groups.get(alike);
    // The list of the rows has the ids that a text for several rows leaves out.
    groups.set(alike, { text: group ? alike : text, rows: [...(group?.rows ?? []), row] });
  }
  return [...groups.values()].sort((one, other) => Number(one.text === '') - Number(other.text === ''));
}

const TARGET = /^(\+\d{7,15}|[A-Z]{2,7}-[A-Za-z0-9-]{8,60})$/;

function filledIn(groups: readonly Group[]): Group[] {
  return groups.filter(({ text }) => text !== '');
}

/** The words for each group, and for the rows of those that are too many to name. */
function named(groups: readonly Group[], name: (group: Group) => string, where = 'as listed'): string[] {
  const others = groups.slice(MOST_NAMED).flatMap(({ rows }) => rows);
  return [...groups.slice(0, MOST_NAMED).map(name), ...(others.length > 0 ? [`${others.length} more ${where}`] : [])];
}

/** The text of all rows, or one line for each group. `none` stands for a group without a text. */
function textOf(groups: readonly Group[], none: string): string {
  const filled = filledIn(groups);
  const shown = none === '' || filled.length === 0 ? filled : groups;
  if (shown.length <= 1) return shown[0]?.text ?? '';
  const more = 'rows, each with its own text in the list.';
  return named(shown, ({ text, rows }) => withTargets(rows, text || none), more).join('\n');
}

/** The cost of these rows in all; undefined if nothing. */
function costText(tool: Tool, shared: Fields, ready: readonly Ready[], groups: readonly Group[]): string | undefined {
  const paid = filledIn(groups);
  if (paid.length === 0) return undefined;
  // NaN if a cost is more than an amount ("5 USD").
  const amounts = paid.map(({ text, rows }) => Number(/^(\d+(?:\.\d+)?) USD$/.exec(text)?.[1]) * rows.length);
  const sum = amounts.reduce((one, other) => one + other, 0);
  if (!Number.isNaN(sum)) return `${Number(sum.toFixed(2))} USD`;
  const whole = groups.length === 1 ? consentOfAll(tool, shared, ready)?.cost : undefined;
  return whole ?? named(paid, ({ text, rows }) => `${rows.length} × ${lowerFirst(text)}`).join('; ');
}

/** The cost of the rows that are done, and of those that may be. */
export function costsOf(tool: Tool, { shared }: Batch, rows: readonly BatchRow[]) {
  const costOf = (...wanted: Outcome[]) => {
    const those = rows.filter(({ outcome }) => wanted.includes(outcome));
    const costs = groupsOf(those, ({ asked }) => asked?.consent?.cost, true);
    return costText(tool, shared, those, costs);
  };
  return defined({ cost: costOf('done', 'partly'), maybeCost: costOf('unknown') });
}

/** The operation's own question about all rows, if they have the same values and one request can carry them. */
function consentOfAll(tool: Tool, shared: Fields, ready: readonly Ready[]): Consent | undefined {
  if (batchedBy(tool)?.list === undefined || !ready.some(({ asked }) => asked?.consent)) return undefined;
  const all = ready.map(({ said }) => said);
  if (new Set(all.map((said) => canonical(ownFields(tool, said)))).size > 1) return undefined;
  return tool.consent?.(inputOfRows(tool, shared, all), {});
}

function listOf(label: string, groups: readonly Group[], none: string): { label: string; value: string }[] {
  if (groups.length <= MOST_NAMED) return [];
  const lines = groups.map(({ text, rows }) => `${targetsOf(rows, rows.length)}: ${text || none}`);
  return [{ label: `${label} (${groups.length})`, value: lines.join('\n') }];
}

function withTargets(rows: readonly Ready[], text: string): string {
  return `${counted(rows)} (${targetsOf(rows, MOST_TARGETS)}): ${text}`;
}

function targetsOf(rows: readonly Ready[], most: number): string {
  const targets = rows.slice(0, most).map(({ n, target }) => target || `row ${n}`);
  return `${targets.join(', ')}${rows.length > most ? ` and ${rows.length - most} more` : ''}`;
}

/** "37 numbers", or "37 rows" if they are not phone numbers. */
function counted(rows: readonly Pick<StoredRow, 'target'>[]): string {
  const noun = rows.every(({ target }) => /^\+\d+$/.test(target)) ? 'number' : 'row';
  return `${rows.length} ${noun}${rows.length === 1 ? '' : 's'}`;
}

/** The platform's statement about one number, as it reads for all rows. */
export function statementOfAll(statement: string, ready: readonly Pick<StoredRow, 'target'>[]): string {
  if (ready.length === 1) return statement;
  return statement.replace(/\+?\d{7,15}(,\s*\+?\d{7,15})*/g, `these ${counted(ready)}`);
}

/** The rows of a batch as the yes covers them. */
export function frozenOf({ id, operation, shared, plan }: Batch, rows: readonly StoredRow[]): FrozenBatch {
  const frozen = plannedOf(rows).map(({ n, said, asked }) => ({ n, said, asked }));
  return { id, operation, shared, statement: plan?.statement, rows: frozen };
}

/**
 * The targets of a batch as one text, with those that have the values already; undefined if it adds something to them. A
 * list of the same requester for the same targets takes the place of the one that waits.
 */
export function targetsKey(tool: Tool, shared: Fields, rows: readonly StoredRow[]): string | undefined {
  if (tool.adds) return undefined;
  const keys = keysOf(tool).filter((name) => name !== 'AccountId' && name in shared);
  const named = Object.fromEntries(keys.map((name) => [name, shared[name]]));
  const meant = rows.filter((row) => row.asked !== undefined || isAlready(row));
  const targets = { operation: tool.id, keys: named, targets: meant.map(({ target }) => target).sort() };
  return createHash('sha256').update(canonical(targets)).digest('hex');
}

/** The input of the question: everything that the person sees. */
export function questionInput(tool: Tool, { id, operation, shared, plan }: Batch, rows: readonly StoredRow[]): Fields {
  const ready = plannedOf(rows);
  const left = rows.filter(({ asked }) => asked === undefined);
  const targets = targetsKey(tool, shared, rows);
  return {
    Batch: id,
    Operation: operation,
    ...(Object.keys(shared).length > 0 && { Fields: shared }),
    Rows: ready.map(({ said }) => said),
    ...(left.length > 0 && {
      LeftOut: left.map(({ line, target, failure }) => ({ Line: line, Row: target, Reason: reasonOf({ failure }) })),
    }),
    ...(targets !== undefined && { Targets: targets }),
    Digest: plan?.digest ?? '',
  };
}

/** The changes of the rows as one, with the highest level of them. */
export function sumOf(ready: readonly PlannedRow[]): Pick<Change, 'rows' | 'keeps' | 'names' | 'level'> {
  const each = ready.flatMap(({ asked, target }) => {
    const change = changeOf(asked);
    return change ? [{ change, target }] : [];
  });
  const own = <T extends { of: string }>(parts: readonly T[], target: string) =>
    parts.map((part) => ({ ...part, of: part.of || target }));
  return {
    rows: each.flatMap(({ change, target }) => own(change.rows, target)),
    keeps: each.flatMap(({ change, target }) => own(change.keeps, target)),
    names: Object.assign({}, ...each.map(({ change }) => change.names)) as Change['names'],
    level: each.every(({ change }) => change.level === 'own') ? 'own' : 'approver',
  };
}

/** The text of the question, with totals. */
export function consentOf(
  tool: Tool,
  shared: Fields,
  rows: readonly StoredRow[],
  { consequence, cost, undo, verb = 'Run' }: ReturnType<typeof effectsOf>,
): Consent {
  const ready = plannedOf(rows);
  const left = rows.length - ready.length;
  // A stranger who gets a message is no customer: the one who sends it is.
  const own = ready.filter(({ target, asked }) => !target.startsWith('+') || changeOf(asked)?.names[target]);
  const customers = new Set(own.map(customerOf).filter((name) => name !== undefined)).size;
  const about = customers > 0 ? ` of ${customers} ${customers === 1 ? 'customer' : 'customers'}` : '';
  const total = `${counted(ready)}${about}${left > 0 ? `, ${left} left out` : ''}.`;
  const texts = [total, consequence, cost === undefined ? '' : `In all: ${cost}.`].filter((text) => text !== '');
  // "Reactivate all 3 for 15 USD"; "Run 1 row".
  const act = ready.length === 1 ? `${verb} ${counted(ready)}` : `${verb} all ${ready.length}`;
  const label = cost === undefined ? act : `${act} for ${cost}`;
  return {
    title: consentOfAll(tool, shared, ready)?.title ?? `${tool.title}: ${counted(ready)}`,
    consequence: texts.join(consequence.includes('\n') ? '\n' : ' '),
    undo,
    confirm: label.length <= MAX_LABEL ? label : act,
    ...defined({ cost }),
  };
}

/** Says how long a planned batch takes, when it stops, and what is checked again. */
export function runText({ risk, minutes }: Pick<Plan, 'risk' | 'minutes'>): string {
  const first = 'the first refusal among the first five rows, later at three in a row or 5 % of all rows, and at ';
  const stops = `It stops at ${risk === 'spend' || risk === 'destroy' ? first : ''}an outcome that stays unknown.`;
  const time = `About ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  return `${time} ${stops} Each row is read again before it is sent, and is left out if its record has changed.`;
}

const row = z.record(z.string(), z.unknown());

/** The operation that a person confirms. It starts the batch and returns at once. `tools`: those that run as batches. */
export function batchQuestion(
  parts: RowSources & { store: Pick<BatchStore, 'get' | 'rows' | 'move'>; worker: Pick<Worker, 'look'> },
  tools: readonly Tool[],
): Workflow {
  const { store, worker, clock } = parts;
  const toolOf = (operation: string) => tools.find(({ id }) => id === operation);
  // A second start changes nothing.
  const start = async (id: string): Promise<Fields> => {
    await store.move(id, ['waiting'], 'running');
    worker.look();
    return { Batch: id, Status: 'Started' };
  };
  return defineWorkflow({
    id: BATCH_RUN,
    group: 'batches',
    title: 'Run a batch',
    description: 'Runs one operation over a list of rows.',
    risk: 'destroy',
    batch: { not: 'it is a batch' },
    keys: ['Batch', 'Operation', 'Fields', 'Rows', 'LeftOut', 'Targets', 'Digest'],
    input: () => ({
      Batch: z.string(),
      Operation: z.string(),
      Fields: row.optional(),
      Rows: z.array(row),
      LeftOut: z.array(z.strictObject({ Line: z.number(), Row: z.string(), Reason: z.string() })).optional(),
      Targets: z.string().optional(),
      Digest: z.string(),
    }),
    output: () => ({ Batch: z.string().meta({ own: true }), Status: z.string().meta({ own: true }) }),
    answer: { success: ['Started'], verb: 'started', noun: 'batch', begins: 'Started' },
    before: async (input) => {
      const batch = await store.get(input.Batch);
      const tool = batch && toolOf(batch.operation);
      const rows = await store.rows(input.Batch);
      const plan = batch?.state === 'waiting' || batch?.state === 'planned' ? batch.plan : undefined;
      const isThis =
        batch !== undefined &&
        tool !== undefined &&
        plan !== undefined &&
        batchDigest(frozenOf(batch, rows)) === input.Digest &&
        canonical(questionInput(tool, batch, rows)) === canonical(input);
      if (!isThis) return { problem: { field: 'Batch', message: 'it does not wait for a yes with these rows' } };
      const ready = plannedOf(rows);
      // A batch without a question may not begin later than a yes lasts.
      const isLate = clock.now() >= batch.createdAt + RUN_MS;
      const { rows: effects, keeps, names, level } = sumOf(ready);
      const { lists, customers } = effectsOf(tool, batch.shared, ready);
      return {
        known: {
          Consent: plan.consent,
          Risk: plan.risk,
          Level: level,
          Exclusive: isChange(tool) && !batchedBy(tool)?.reaches ? ready.map(({ target }) => target) : [],
          Lists: lists,
          Run: runText(plan),
        },
        keeps,
        names,
        warnings: plan.warnings ?? [],
        // Rows without a change, such as watches, are still calls to make.
        ...(effects.length > 0 && { effects }),
        ...(customers !== '' && { customer: customers }),
        ...(isChange(tool) ? (plan.asks || isLate) && { asks: true } : { asks: false }),
      };
    },
    levelFor: (known) => known.Level as Level | undefined,
    exclusive: { with: [], values: (_input, known) => (known.Exclusive as string[] | undefined) ?? [] },
    consent: (_input, known) => known.Consent as Consent,
    run: ({ Batch }) => start(Batch),
    // Starting is safe to repeat, so this also finishes the start of a process that died.
    reconcile: async ({ Batch }) => ({ outcome: 'done', result: await start(Batch), saw: 'the batch has started' }),
    started: async ({ Batch }, of) => {
      const batch = await store.get(Batch);
      const tool = batch && toolOf(batch.operation);
      if (batch === undefined || tool === undefined) return undefined;
      const rows = await rowsOf(parts, tool, Batch);
      const own = rows.filter(({ target }) => target === of);
      return own.length > 0 ? progressOf(batch, tool, own, true) : progressOf(batch, tool, rows);
    },
    examples: [{ Batch: 'bat_1', Operation: 'numbers_status', Rows: [{ Number: '+12015550101' }], Digest: '' }],
  });
}

/** The state of a batch, seen from some of its rows. */
function stateOfRows({ state }: Batch, { done, partly, failed, unknown, running, waiting }: Counts): string {
  if (!hasEnded(state) || running > 0) return state;
  if (done + partly > 0) return partly + failed + unknown > 0 ? 'partly' : 'done';
  if (unknown + failed > 0) return unknown > 0 ? 'unknown' : 'failed';
  return waiting > 0 ? 'not sent' : 'left out';
}

/**
 * The state of a batch as the result of its question, with what its rows have done so far.
 *
 * @param isPart true if `rows` are not all of them
 */
function progressOf(batch: Batch, tool: Tool, rows: readonly BatchRow[], isPart = false): StartedWork {
  const counts = countsOf(rows);
  const state = isPart ? stateOfRows(batch, counts) : stateNow(batch, rows);
  const [stands, ...others] = new Set(rows.flatMap((row) => (row.outcome === 'done' ? (row.stands ?? 'done') : [])));
  const later = rows.filter(({ scheduled }) => scheduled).length;
  // Partly done means that something is known as done.
  const ended = counts.done + counts.partly > 0 ? 'partly' : counts.unknown > 0 ? 'unknown' : 'failed';
  return {
    state: state === 'done' && stands && others.length === 0 ? stands : state,
    operation: batch.operation,
    change: sumOf(plannedOf(rows.filter(({ outcome }) => outcome === 'done'))),
    ...costsOf(tool, batch, rows),
    charges: rows.flatMap((row) => chargeOf(tool, row)),
    status: !hasEnded(batch.state) || counts.running > 0 ? 'running' : state === 'done' ? 'done' : ended,
    result: {
      Batch: batch.id,
      Status: state,
      Done: counts.done - later,
      ...(later > 0 && { Scheduled: later }),
      ...(counts.partly > 0 && { Partly: counts.partly }),
      Failed: counts.failed,
      Unknown: counts.unknown,
      BeingSent: counts.running,
      NotSent: counts.waiting,
      LeftOut: counts.left_out,
    },
  };
}

const PAID: readonly Outcome[] = ['done', 'partly', 'unknown'];

/** The charge of a row that is done or may be: that of the answer, or what was confirmed. */
function chargeOf(tool: Tool, { outcome, asked, effects, result }: BatchRow): Charge[] {
  const { cost, customer } = effects;
  if (cost === undefined || asked === undefined || !PAID.includes(outcome)) return [];
  const { shown } = asked;
  const { paidBy } = tool;
  const payers = textsIn(paidBy === undefined ? shown : { paidBy: shown[paidBy] }).map(({ value }) => value);
  // A request for several rows would answer with the cost of all.
  const billed = (batchedBy(tool)?.most ?? 1) === 1 ? moneyText(result?.Cost) : undefined;
  return [{ cost: billed ?? cost, payers, ...defined({ customer }), ...(outcome === 'unknown' && { maybe: true }) }];
}
