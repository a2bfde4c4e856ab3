import * as z from 'zod';
import {
  type Consent,
  defineWorkflow,
  type Level,
  type Risk,
  type StartedWork,
  type Tool,
  type Workflow,
} from '../catalogue/operation.ts';
import { BATCH_RUN, batchDigest, type FrozenBatch } from '../gate/batch.ts';
import { canonical, changeOf } from '../ledger/action.ts';
import type { ActionsView } from '../ledger/actions-view.ts';
import type { Fields } from '../lib/json.ts';
import type { Worker } from '../work/worker.ts';
import type { Batch, BatchRow, Plan } from './batch.ts';
import { consentOfAll, counted, customerOf, type Effects } from './effects.ts';
import { type Counts, countsOf, outcomesOf } from './outcomes.ts';
import type { BatchStore } from './store.ts';
import { reasonOf } from './tables.ts';

const NOTE = 'Each row is read again before it is sent, and is left out if its record has changed.';
const MAX_LABEL = 30;

/** The rows of a batch that wait for their turn, as the yes covers them. */
export function frozenOf(batch: Batch, plan: Plan, rows: readonly BatchRow[]): FrozenBatch {
  return {
    id: batch.id,
    operation: batch.operation,
    shared: batch.shared,
    statement: plan.statement,
    // Rows that were ready when the plan was made, including those that were sent or left out later.
    rows: rows.flatMap(({ n, said, asked }) => (asked === undefined ? [] : [{ n, said, asked }])),
  };
}

/** The input of the question: everything that the person sees. */
export function questionInput(batch: Batch, rows: readonly BatchRow[]): Fields {
  const left = rows.filter(({ asked }) => asked === undefined);
  return {
    Batch: batch.id,
    Operation: batch.operation,
    ...(Object.keys(batch.shared).length > 0 && { Fields: batch.shared }),
    Rows: rows.filter(({ asked }) => asked !== undefined).map(({ said }) => said),
    ...(left.length > 0 && {
      LeftOut: left.map(({ line, target, failure }) => ({
        Line: line,
        Row: target,
        Reason: reasonOf({ failure }),
      })),
    }),
    Digest: batch.digest ?? '',
  };
}

/** The changes of the rows that are ready, as one, and the highest level among them. */
export function changesOf(rows: readonly BatchRow[]): { level: Level; changes: Plan['changes'] } {
  const each = rows.flatMap(({ asked, target }) => {
    const change = asked && changeOf(asked);
    return change ? [{ change, target }] : [];
  });
  const named = <T extends { of: string }>(parts: readonly T[], target: string) =>
    parts.map((part) => ({ ...part, of: part.of === '' ? target : part.of }));
  return {
    level: each.every(({ change }) => change.level === 'own') ? 'own' : 'approver',
    changes: {
      rows: each.flatMap(({ change, target }) => named(change.rows, target)),
      keeps: each.flatMap(({ change, target }) => named(change.keeps, target)),
      names: Object.assign({}, ...each.map(({ change }) => change.names)) as Plan['changes']['names'],
      concerns: [...new Set(each.flatMap(({ change }) => change.concerns))],
    },
  };
}

/** Builds the text of the question, with totals. `effects` are those of the rows that are ready. */
export function consentOf(tool: Tool, shared: Fields, rows: readonly BatchRow[], effects: Effects): Consent {
  const ready = rows.filter(({ asked }) => asked !== undefined);
  const left = rows.length - ready.length;
  const { cost } = effects;
  const customers = new Set(ready.map(customerOf).filter((name) => name !== undefined)).size;
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
  if (risk !== 'spend' && risk !== 'destroy') return 'It pauses at an unknown outcome.';
  return 'It pauses at the first refusal among the first five rows, later at three in a row or 5 % of all rows, and at any unknown outcome.';
}

/** "Reactivate all 3 for 15 USD"; "Run 1 row". */
function labelOf(ready: readonly BatchRow[], cost: string | undefined, verb = 'Run'): string {
  const act = ready.length === 1 ? `${verb} ${counted(ready)}` : `${verb} all ${ready.length}`;
  const label = cost === undefined ? act : `${act} for ${cost}`;
  return label.length <= MAX_LABEL ? label : act;
}

/** Says how long a planned batch takes, when it pauses, and what is checked again. */
export function runText({ risk, minutes }: Pick<Plan, 'risk' | 'minutes'>): string {
  return `About ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. ${stopText(risk)} ${NOTE}`;
}

const row = z.record(z.string(), z.unknown());

export interface QuestionParts {
  store: BatchStore;
  /** The operations that run as batches. */
  tools: readonly Tool[];
  actions: Pick<ActionsView, 'ofBatch'>;
  worker: Pick<Worker, 'look'>;
}

/** The operation that a person confirms. It starts the batch and returns at once. */
export function batchQuestion({ store, tools, actions, worker }: QuestionParts): Workflow {
  const start = async (id: string, digest: string): Promise<Fields> => {
    await store.start(id, digest);
    worker.look();
    return { Batch: id, Status: 'Started' };
  };
  const started = async (id: string): Promise<StartedWork | undefined> => {
    const batch = await store.get(id);
    const tool = tools.find((one) => one.id === batch?.operation);
    if (batch === undefined || tool === undefined) return undefined;
    return progressOf(batch, countsOf(outcomesOf(tool, await store.rows(id), await actions.ofBatch(id))));
  };
  return defineWorkflow({
    id: BATCH_RUN,
    group: 'batches',
    title: 'Run a batch',
    description: 'Runs one operation over a list of rows.',
    risk: 'destroy',
    batch: { not: 'it is a batch' },
    keys: ['Batch', 'Operation', 'Fields', 'Rows', 'LeftOut', 'Digest'],
    input: () => ({
      Batch: z.string(),
      Operation: z.string(),
      Fields: row.optional(),
      Rows: z.array(row),
      LeftOut: z.array(z.strictObject({ Line: z.number(), Row: z.string(), Reason: z.string() })).optional(),
      Digest: z.string(),
    }),
    output: () => ({ Batch: z.string().meta({ own: true }), Status: z.string().meta({ own: true }) }),
    answer: { success: ['Started'], verb: 'started', noun: 'batch', begins: 'Started' },
    before: async (input) => {
      const batch = await store.get(input.Batch);
      const rows = await store.rows(input.Batch);
      const plan = batch?.plan;
      const isThis =
        batch !== undefined &&
        plan !== undefined &&
        batch.state === 'waiting' &&
        batchDigest(frozenOf(batch, plan, rows)) === input.Digest &&
        canonical(questionInput(batch, rows)) === canonical(input);
      if (!isThis) return { problem: { field: 'Batch', message: 'it does not wait for a yes with these rows' } };
      return {
        known: {
          Consent: plan.consent,
          Risk: plan.risk,
          Level: plan.level,
          Exclusive: plan.exclusive,
          Lists: plan.lists,
          Run: runText(plan),
        },
        effects: plan.changes.rows,
        keeps: plan.changes.keeps,
        names: plan.changes.names,
        ...(plan.customers !== '' && { customer: plan.customers }),
      };
    },
    levelFor: (known) => (known.Level === 'own' ? 'own' : 'approver'),
    exclusive: { with: [], values: (_input, known) => (known.Exclusive as string[] | undefined) ?? [] },
    consent: (_input, known) => known.Consent as Consent,
    run: ({ Batch, Digest }) => start(Batch, Digest),
    // Starting is safe to repeat, so this also finishes the start of a process that died.
    reconcile: async ({ Batch, Digest }) => ({
      outcome: 'done',
      result: await start(Batch, Digest),
      saw: 'the batch has started',
    }),
    started: ({ Batch }) => started(Batch),
    examples: [{ Batch: 'bat_1', Operation: 'numbers_status', Rows: [{ Number: '+12015550101' }], Digest: '' }],
  });
}

/** The state of a batch as the result of its question. */
function progressOf({ id, state }: Batch, counts: Counts): StartedWork {
  const isOpen = state === 'waiting' || state === 'running' || state === 'paused';
  const ended = state === 'done' || state === 'partly' || state === 'failed' ? state : stoppedAs(counts);
  return {
    status: isOpen ? 'running' : ended,
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

function stoppedAs({ done, unknown, running }: Counts): StartedWork['status'] {
  if (running > 0) return 'running';
  return done + unknown > 0 ? 'partly' : 'failed';
}
