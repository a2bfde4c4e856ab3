import { createHash } from 'node:crypto';
import * as z from 'zod';
import { batchedBy } from '../catalogue/batch-rule.ts';
import {
  type Change,
  type Charge,
  type Consent,
  defineWorkflow,
  isChange,
  type Level,
  type Risk,
  type StartedWork,
  type Tool,
  type Workflow,
} from '../catalogue/operation.ts';
import { keysOf } from '../gate/change.ts';
import { BATCH_RUN, batchDigest, type FrozenBatch, type FrozenRow } from '../gate/frozen-batch.ts';
import { canonical, changeOf } from '../ledger/action.ts';
import type { ActionsView } from '../ledger/actions-view.ts';
import { defined, type Fields, textsIn } from '../lib/json.ts';
import { moneyText } from '../platform/dialect/money.ts';
import type { Worker } from '../work/worker.ts';
import { reasonOf } from './csv.ts';
import { consentOfAll, costOf, counted, type Effects, effectsOf } from './effects.ts';
import {
  type Batch,
  type BatchRow,
  countsOf,
  customerOf,
  hasEnded,
  type Plan,
  rowsOf,
  type StoredRow,
} from './states.ts';
import type { BatchStore } from './store.ts';

const NOTE = 'Each row is read again before it is sent, and is left out if its record has changed.';
const MAX_LABEL = 30;

/** A row that was ready when the plan was made. */
export type PlannedRow = StoredRow & FrozenRow;

/** The rows that were ready when the plan was made, including those that were sent or left out later. */
export function plannedOf(rows: readonly StoredRow[]): PlannedRow[] {
  return rows.filter((row): row is PlannedRow => row.asked !== undefined);
}

/** The rows of a batch as the yes covers them. */
export function frozenOf({ id, operation, shared }: Batch, plan: Plan, rows: readonly StoredRow[]): FrozenBatch {
  const frozen = plannedOf(rows).map(({ n, said, asked }) => ({ n, said, asked }));
  return { id, operation, shared, statement: plan.statement, rows: frozen };
}

/** The input of the question: everything that the person sees. */
export function questionInput(tool: Tool, batch: Batch, rows: readonly StoredRow[]): Fields {
  const { id, operation, shared, plan } = batch;
  const left = rows.filter(({ asked }) => asked === undefined);
  return {
    Batch: id,
    Operation: operation,
    ...(Object.keys(shared).length > 0 && { Fields: shared }),
    Rows: plannedOf(rows).map(({ said }) => said),
    ...(left.length > 0 && {
      LeftOut: left.map(({ line, target, failure }) => ({ Line: line, Row: target, Reason: reasonOf({ failure }) })),
    }),
    ...(!tool.adds && { Targets: targetsDigest(tool, batch, rows) }),
    Digest: plan?.digest ?? '',
  };
}

/**
 * SHA-256 over the records that the rows and their shared fields name, in any order. A question about the same targets of
 * the same requester takes the place of the one that waits.
 */
function targetsDigest(tool: Tool, { operation, shared }: Batch, rows: readonly StoredRow[]): string {
  const keys = keysOf(tool).filter((name) => name !== 'AccountId' && name in shared);
  const targets = plannedOf(rows)
    .map(({ target }) => target)
    .sort();
  const text = canonical({ operation, keys: Object.fromEntries(keys.map((name) => [name, shared[name]])), targets });
  return createHash('sha256').update(text).digest('hex');
}

/** The changes of the rows that are ready, with their targets. */
function changesOf(ready: readonly PlannedRow[]): { change: Change; target: string }[] {
  return ready.flatMap(({ asked, target }) => {
    const change = changeOf(asked);
    return change ? [{ change, target }] : [];
  });
}

/** The highest level of these rows. */
export function levelOfRows(ready: readonly PlannedRow[]): Level {
  return changesOf(ready).every(({ change }) => change.level === 'own') ? 'own' : 'approver';
}

/** The changes of the rows as one. */
export function sumOf(ready: readonly PlannedRow[]): Pick<Change, 'rows' | 'keeps' | 'names'> {
  const each = changesOf(ready);
  const named = <T extends { of: string }>(parts: readonly T[], target: string) =>
    parts.map((part) => ({ ...part, of: part.of === '' ? target : part.of }));
  return {
    rows: each.flatMap(({ change, target }) => named(change.rows, target)),
    keeps: each.flatMap(({ change, target }) => named(change.keeps, target)),
    names: Object.assign({}, ...each.map(({ change }) => change.names)) as Change['names'],
  };
}

/** Builds the text of the question, with totals. `effects` are those of the rows that are ready. */
export function consentOf(tool: Tool, shared: Fields, rows: readonly StoredRow[], effects: Effects): Consent {
  const ready = plannedOf(rows);
  const left = rows.length - ready.length;
  const { cost } = effects;
  // A stranger who gets a message is no customer: the one who sends it is.
  const own = ready.filter(({ target, asked }) => !target.startsWith('+') || changeOf(asked)?.names[target]);
  const customers = new Set(own.map(customerOf).filter((name) => name !== undefined)).size;
  const about = customers > 0 ? ` of ${customers} ${customers === 1 ? 'customer' : 'customers'}` : '';
  const total = `${counted(ready)}${about}${left > 0 ? `, ${left} left out` : ''}.`;
  const separator = effects.consequence.includes('\n') ? '\n' : ' ';
  const consequence = [total, effects.consequence, cost === undefined ? '' : `In all: ${cost}.`];
  return {
    title: consentOfAll(tool, shared, ready)?.title ?? `${tool.title}: ${counted(ready)}`,
    consequence: consequence.filter((text) => text !== '').join(separator),
    undo: effects.undo,
    confirm: labelOf(ready, cost, effects.verb),
    ...(cost !== undefined && { cost }),
  };
}

function stopText(risk: Risk): string {
  if (risk !== 'spend' && risk !== 'destroy') return 'It stops at an outcome that stays unknown.';
  return 'It stops at the first refusal among the first five rows, later at three in a row or 5 % of all rows, and at an outcome that stays unknown.';
}

/** "Reactivate all 3 for 15 USD"; "Run 1 row". */
function labelOf(ready: readonly PlannedRow[], cost: string | undefined, verb = 'Run'): string {
  const act = ready.length === 1 ? `${verb} ${counted(ready)}` : `${verb} all ${ready.length}`;
  const label = cost === undefined ? act : `${act} for ${cost}`;
  return label.length <= MAX_LABEL ? label : act;
}

/** Says how long a planned batch takes, when it stops, and what is checked again. */
export function runText({ risk, minutes }: Pick<Plan, 'risk' | 'minutes'>): string {
  return `About ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. ${stopText(risk)} ${NOTE}`;
}

const row = z.record(z.string(), z.unknown());

export interface QuestionParts {
  store: Pick<BatchStore, 'get' | 'rows' | 'move'>;
  /** The operations that run as batches. */
  tools: readonly Tool[];
  actions: Pick<ActionsView, 'ofBatch'>;
  worker: Pick<Worker, 'look'>;
}

/** The operation that a person confirms. It starts the batch and returns at once. */
export function batchQuestion({ store, tools, actions, worker }: QuestionParts): Workflow {
  const toolOf = (batch: Batch | undefined) => tools.find(({ id }) => id === batch?.operation);
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
      const tool = toolOf(batch);
      const rows = await store.rows(input.Batch);
      const plan = batch?.state === 'waiting' || batch?.state === 'planned' ? batch.plan : undefined;
      const isThis =
        batch !== undefined &&
        tool !== undefined &&
        plan !== undefined &&
        batchDigest(frozenOf(batch, plan, rows)) === input.Digest &&
        canonical(questionInput(tool, batch, rows)) === canonical(input);
      if (!isThis) return { problem: { field: 'Batch', message: 'it does not wait for a yes with these rows' } };
      const ready = plannedOf(rows);
      const sum = sumOf(ready);
      const { lists, customers } = effectsOf(tool, batch.shared, ready);
      return {
        known: {
          Consent: plan.consent,
          Risk: plan.risk,
          Level: levelOfRows(ready),
          Exclusive: tool.exclusive === undefined ? [] : ready.map(({ target }) => target),
          Lists: lists,
          Run: runText(plan),
        },
        // Rows without a change, such as watches, are still calls to make.
        ...(sum.rows.length > 0 && { effects: sum.rows }),
        keeps: sum.keeps,
        names: sum.names,
        ...(customers !== '' && { customer: customers }),
        ...(isChange(tool) ? plan.asks && { asks: plan.asks } : { asks: false }),
      };
    },
    levelFor: (known) => (known.Level === 'own' ? 'own' : 'approver'),
    exclusive: { with: [], values: (_input, known) => (known.Exclusive as string[] | undefined) ?? [] },
    consent: (_input, known) => known.Consent as Consent,
    run: ({ Batch }) => start(Batch),
    // Starting is safe to repeat, so this also finishes the start of a process that died.
    reconcile: async ({ Batch }) => ({ outcome: 'done', result: await start(Batch), saw: 'the batch has started' }),
    started: async ({ Batch }) => {
      const batch = await store.get(Batch);
      const tool = toolOf(batch);
      return batch && tool && progressOf(batch, tool, await rowsOf({ store, actions }, tool, Batch));
    },
    examples: [{ Batch: 'bat_1', Operation: 'numbers_status', Rows: [{ Number: '+12015550101' }], Digest: '' }],
  });
}

/** The state of a batch as the result of its question, with what its rows have done so far. */
function progressOf({ id, state, operation, shared }: Batch, tool: Tool, rows: readonly BatchRow[]): StartedWork {
  const counts = countsOf(rows);
  const done = rows.filter(({ outcome }) => outcome === 'done');
  const cost = costOf(tool, shared, done);
  const maybeCost = costOf(
    tool,
    shared,
    rows.filter(({ outcome }) => outcome === 'unknown'),
  );
  // Partly done means that something is known as done.
  const ended = counts.done > 0 ? 'partly' : counts.unknown > 0 ? 'unknown' : 'failed';
  return {
    state,
    operation,
    change: sumOf(plannedOf(done)),
    ...defined({ cost, maybeCost }),
    charges: rows.flatMap((row) => chargeOf(tool, row)),
    status: !hasEnded(state) || counts.running > 0 ? 'running' : state === 'done' ? 'done' : ended,
    result: {
      Batch: id,
      Status: state,
      Done: counts.done,
      Failed: counts.failed,
      Unknown: counts.unknown,
      BeingSent: counts.running,
      NotSent: counts.waiting,
      LeftOut: counts.left_out,
    },
  };
}

/** The charge of a row that is done or may be: that of the answer, or what was confirmed. */
function chargeOf(tool: Tool, { outcome, asked, effects, result }: BatchRow): Charge[] {
  const { cost, customer } = effects;
  if (cost === undefined || asked === undefined || (outcome !== 'done' && outcome !== 'unknown')) return [];
  const { shown } = asked;
  const { paidBy } = tool;
  const payers = textsIn(paidBy === undefined ? shown : { paidBy: shown[paidBy] }).map(({ value }) => value);
  // A request for several rows would answer with the cost of all.
  const billed = (batchedBy(tool)?.most ?? 1) === 1 ? moneyText(result?.Cost) : undefined;
  return [{ cost: billed ?? cost, payers, ...defined({ customer }), ...(outcome === 'unknown' && { maybe: true }) }];
}
