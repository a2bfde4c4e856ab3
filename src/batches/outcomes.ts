import type { Tool } from '../catalogue/operation.ts';
import type { Action } from '../ledger/ledger.ts';
import type { Failure } from '../lib/errors.ts';
import { defined, type Fields } from '../lib/json.ts';
import { plainText } from '../lib/words.ts';
import { numberKey } from '../platform/dialect/number-lists.ts';
import { readVerdict } from '../platform/dialect/verdict.ts';
import type { BatchRow } from './batch.ts';
import { customerOf } from './effects.ts';

/**
 * The outcome of a row. `planning`: not read yet. `waiting`: ready, not sent. `running`: sent, no answer yet.
 */
export type Outcome = 'planning' | 'waiting' | 'left_out' | 'running' | 'done' | 'failed' | 'unknown';

/** The effects of one row, as the question states them. */
interface RowEffects {
  customer?: string;
  cost?: string;
  consequence?: string;
}

export type EffectName = keyof RowEffects;

const EFFECTS: readonly EffectName[] = ['customer', 'cost', 'consequence'];

/** The effects in which the rows of a plan differ. */
export function differingIn(rows: readonly Pick<RowOutcome, 'effects' | 'outcome'>[]): EffectName[] {
  const planned = rows.filter(({ outcome, effects }) => outcome !== 'left_out' || Object.keys(effects).length > 0);
  return EFFECTS.filter((name) => new Set(planned.map(({ effects }) => effects[name])).size > 1);
}

/** The effects that at least one row has. */
export function effectsIn(rows: readonly Pick<RowOutcome, 'effects'>[]): EffectName[] {
  return EFFECTS.filter((name) => rows.some(({ effects }) => effects[name] !== undefined));
}

/** A row with its outcome, as readers see it. */
export interface RowOutcome {
  n: number;
  line: number;
  target: string;
  said: Fields;

  effects: RowEffects;
  outcome: Outcome;
  failure: Failure | undefined;
  action: string | undefined;
  result: Fields | undefined;
  /** Epoch ms of the end. */
  at: number | undefined;
}

const PLAIN = { new: 'planning', ready: 'waiting', left_out: 'left_out', done: 'done', failed: 'failed' } as const;

/** The outcomes of rows. The ledger's actions are the truth about those that were sent. */
export function outcomesOf(tool: Tool, rows: readonly BatchRow[], actions: readonly Action[]): RowOutcome[] {
  const byId = new Map(actions.map((action) => [action.id, action]));
  const refused = new Map<string, Map<string, string>>();
  return rows.map((row) => {
    const { n, line, target, said, asked, state, failure, action: id, result, at } = row;
    const effects = defined({
      customer: customerOf(row),
      cost: asked?.consent?.cost,
      consequence: asked?.consent?.consequence,
    });
    const base = { n, line, target, said, effects, failure, action: id, result, at };
    if (state !== 'sent') return { ...base, outcome: PLAIN[state] };
    const action = byId.get(id ?? '');
    if (action === undefined) return { ...base, outcome: 'unknown' };
    const found = { ...base, result: action.result, failure: action.error, at: action.finishedAt };
    if (action.state === 'partly' && !refused.has(action.id)) refused.set(action.id, notDoneIn(tool, action));
    return { ...found, ...ended(action, refused.get(action.id)?.get(numberKey(target))) };
  });
}

function ended({ state }: Action, why: string | undefined): Pick<RowOutcome, 'outcome'> & Partial<RowOutcome> {
  switch (state) {
    case 'done':
      return { outcome: 'done' };
    case 'partly':
      return why === undefined
        ? { outcome: 'done' }
        : { outcome: 'failed', failure: { code: 'refused', outcome: 'not_done', message: why } };
    case 'failed':
      return { outcome: 'failed' };
    case 'unknown':
      return { outcome: 'unknown' };
    default:
      return { outcome: 'running' };
  }
}

/** The numbers that a partly done action did not do, with the reasons. */
function notDoneIn(tool: Tool, { result = {}, shown, known }: Action): Map<string, string> {
  const { notDone } = readVerdict(tool, { answer: result, input: shown, known });
  return new Map(
    notDone.map(({ what, why }) => [numberKey(plainText(what)), plainText(why) || 'The platform refused it.']),
  );
}

/** Numbers of rows by outcome. */
export type Counts = Record<Outcome, number>;

export function countsOf(rows: readonly RowOutcome[]): Counts {
  const counts: Counts = { planning: 0, waiting: 0, left_out: 0, running: 0, done: 0, failed: 0, unknown: 0 };
  for (const { outcome } of rows) counts[outcome] += 1;
  return counts;
}
