import type * as z from 'zod';
import { defined, type Fields } from '../lib/json.ts';
import type { Change, Level } from './change.ts';
import type { Checked } from './consent.ts';
import type { Charge, LocalHistory } from './history.ts';
import type { Call, Finding, Trace } from './reconcile.ts';
import type { Risk, Rules } from './risk.ts';
import { completed, type Schemas } from './schemas.ts';
import type { Before, Common, Confirmed, ErasedTool, Input, Shape, Strict } from './spec.ts';

/** The functions and data that a workflow can use. */
export interface WorkflowContext {
  call: Call;
  /** The facts known when a person was asked (see `consent`). */
  known: Fields;
  /** Shows the partial result to the waiting caller. The final result includes it. */
  tell: (sofar: Fields) => void;
  history: LocalHistory;
}

/** How a workflow finds the lines whose numbers end in some digits, for a list that names lines by these. */
export interface FindsEnds {
  /** The input of one search for all of them. */
  input: (ends: readonly string[]) => Fields;
  /** The numbers in its answer; undefined if not all lines were searched. */
  numbers: (answer: Fields) => readonly string[] | undefined;
}

/** The result of a preparing step, which runs again after the yes. */
interface PreparedStep extends Pick<Checked, 'warnings' | 'problem'> {
  known: Fields;
}

export type WorkflowSpec<S extends Shape, R extends Risk, I extends Input = Strict<S>> = Common<S, I> &
  Before<I> &
  Confirmed<I, R> & {
    id: string;
    group: string;
    risk: R;
    /** Calls that change nothing for the customer, made before a person is asked, after `before`. */
    prepare?: (input: z.output<I>, call: Call) => Promise<PreparedStep>;
    run: (input: z.output<I>, context: WorkflowContext) => Promise<Fields>;
    /** True if the answer is Switchboard's own records. Other reads go on without them while the database is away. */
    needsHistory?: true;
    ends?: FindsEnds;
    reconcile?: (input: z.output<I>, trace: Trace) => Promise<Finding>;
    /** The level of a call whose parts have different levels, such as a batch. */
    levelFor?: (known: Fields) => Level | undefined;
    /** The state of longer work that this one only starts. It is shown in place of the end of the start. */
    started?: (input: z.output<I>) => Promise<StartedWork | undefined>;
  };

/** Work that goes on after the action that started it is done. */
export interface StartedWork {
  status: 'running' | 'done' | 'partly' | 'failed' | 'unknown';
  result: Fields;
  /** Its state in its own words: "stopped". */
  state: string;
  /** The operation that it runs. */
  operation: string;
  /** The changes that it has made so far. */
  change: Pick<Change, 'rows' | 'names'>;
  /** The cost of what it has done so far, and of what it may have done. */
  cost?: string;
  maybeCost?: string;
  /** The same, one by one. */
  charges: readonly Charge[];
}

/** A workflow with its types erased. */
export interface Workflow extends ErasedTool {
  kind: 'workflow';
  prepare?: (input: Fields, call: Call) => Promise<PreparedStep>;
  run: (input: Fields, context: WorkflowContext) => Promise<Fields>;
  needsHistory?: true;
  ends?: FindsEnds;
  started?: (input: Fields) => Promise<StartedWork | undefined>;
  levelFor?: (known: Fields) => Level | undefined;
}

/** Several operations as one tool: pure functions over its context. */
export function defineWorkflow<S extends Shape, const R extends Risk>(spec: WorkflowSpec<S, R>): Workflow;
export function defineWorkflow(definition: unknown): Workflow {
  const { ordinary, raised, consent, input, output, ...spec } = definition as Erased;
  const resend = spec.risk === 'read';
  return completed({ ...spec, kind: 'workflow', resend }, { input, output }, defined({ ordinary, raised, consent }));
}

type Erased = Omit<Workflow, 'kind' | 'resend' | 'members' | 'raises' | 'raisedBy' | 'consent' | keyof Schemas> &
  Schemas &
  Rules;
