import type { BatchView } from '../batches/batches.ts';
import { runText } from '../batches/question.ts';
import { plainMembers, reasonOf } from '../batches/rows.ts';
import {
  type BatchRow,
  differingIn,
  type EffectName,
  hasEnded,
  isOver,
  outcomeText,
  type StopReason,
} from '../batches/states.ts';
import { isUndecided, isWithdrawn } from '../gate/approval.ts';
import { decidedByOf } from '../gate/confirmation.ts';
import { identified } from '../lib/actor.ts';
import { invalidInput } from '../lib/errors.ts';
import { defined, type Fields, isRecord } from '../lib/values.ts';
import { failureText, type Reader } from './outcome.ts';

/* A batch in words, for every surface. */

/** "12 done, 1 failed, 2 being sent, 24 to go". */
export function countsText({ counts, state, standing }: Pick<BatchView, 'counts' | 'state' | 'standing'>): string {
  const told = standing.reduce((sum, [, count]) => sum + count, 0);
  const parts: [number, string][] = [
    [counts.done - told, 'done'],
    ...standing.map(([text, count]): [number, string] => [count, text.replace(/^done, (.*)$/, 'done ($1)')]),
    [counts.partly, 'partly done'],
    [counts.failed, 'failed'],
    [counts.unknown, 'with unknown outcome'],
    [counts.left_out, 'left out'],
    [counts.running, 'being sent'],
    [counts.waiting + counts.planning, isOver(state) ? 'not sent' : 'to go'],
  ];
  const named = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return named.length === 0 ? 'no rows' : named.join(', ');
}

/** The state of a batch in a sentence or two. */
export function batchText(view: BatchView, reader: Reader): string {
  const { state, counts, total, plan, decider } = view;
  const why = view.reason === undefined ? '' : ` ${reasonText(view.reason, reader)}`;
  const so = `${countsText(view)}.`;
  const ready = `${total - counts.left_out} of ${total} rows are ready, ${counts.left_out} left out.`;
  const isWithdrawal = decider && (isUndecided(decider) || isWithdrawn(decider));
  const isOnlyScheduled = counts.done > 0 && view.scheduled === counts.done;
  const texts: Record<BatchView['state'], string> = {
    planning: `Reading the rows: ${total - counts.planning} of ${total}. Nothing has been sent.`,
    planned: `${ready} Nobody has been asked yet. Nothing has been sent.`,
    waiting: `${ready} It waits for a yes. Nothing has been sent.`,
    declined: isWithdrawal
      ? 'The question was withdrawn before a person decided. Nothing was sent.'
      : 'A person declined it. Nothing was sent.',
    expired: 'Nobody decided in time, so it expired. Nothing was sent.',
    running: `Running: ${so}${plan ? ` About ${plan.minutes} min in all.` : ''}`,
    stopped: `Stopped: ${so}${why} Rows that were not sent stay as they are.`,
    done: isOnlyScheduled ? so : `Done: ${so}`,
    partly: `${counts.done + counts.partly > 0 ? 'Partly done' : 'Ended, outcome unknown'}: ${so}`,
    failed: `Failed: ${so}${why}`,
  };
  return texts[state];
}

/** Why a batch was stopped or failed. */
function reasonText(reason: StopReason, reader: Reader): string {
  switch (reason.why) {
    // In Slack, people are known by the name in an identity.
    case 'person':
      return `By ${reader === 'slack' ? (/\(([^()]+)\)$/.exec(reason.who)?.[1] ?? reason.who.replace(/^local:/, '')) : reason.who}.`;
    case 'replaced':
      return `Another batch is asked about in its place${reason.by === undefined ? '' : ` (${reason.by})`}.`;
    case 'refused':
      return `The platform refused row ${reason.row} (${reason.target}), one of the first five.`;
    case 'often':
      return `The platform refused too many rows (${reason.count}).`;
    case 'unknown': {
      const { row, target, action } = reason;
      // The terminal prints the command that checks it among the next steps.
      const check = reader === 'assistant' && action ? ` Check it with confirmations_get, id ${action}.` : '';
      return `The outcome of row ${row} (${target}) is unknown, and reading did not find it.${check}`;
    }
    case 'nothing_ready': {
      const { row, target, failure } = reason;
      const why = reasonOf({ failure });
      // The first sentence is enough: the next one may name a tool, which only some readers can call.
      const [first = why] = /^(?:“[^”]*”|[^“])+?[.!?](?= [A-Z])/.exec(why) ?? [];
      return `No row can be sent. Row ${row}${target === '' ? '' : ` (${target})`}: ${first}`;
    }
    case 'failure':
      return failureText(reason.failure, reader);
  }
}

/** A batch as programs read it. */
export function batchData(view: BatchView, reader: Reader): Fields {
  const { id, operation, state, counts, scheduled, total, plan, cost, confirmation, requester, decider } = view;
  const isAssistant = reader === 'assistant';
  return defined({
    id,
    operation,
    status: state,
    summary: batchText(view, reader),
    total,
    ready: counts.waiting,
    done: counts.done - scheduled,
    scheduled: scheduled || undefined,
    partly: counts.partly || undefined,
    failed: counts.failed,
    unknown: counts.unknown,
    leftOut: counts.left_out,
    running: counts.running,
    minutes: plan?.minutes,
    run: plan && plan.risk !== 'read' && (!isAssistant || state === 'waiting') ? runText(plan) : undefined,
    cost,
    // The digest is for programs that compare plans; an assistant has no use for it.
    digest: isAssistant ? undefined : plan?.digest,
    confirmationId: confirmation,
    requestedBy: identified(requester.person, requester.actorName),
    decidedBy: decider?.decidedPerson && decidedByOf(decider),
    rowsIn: isAssistant ? rowsText(view) : undefined,
  });
}

/** One page of the rows of a batch. */
export interface RowsPage {
  rows: readonly BatchRow[];
  page: number;
  pages: number;
  /** The effects in which the rows of the batch, on all pages, differ. */
  differs: EffectName[];
}

/** Rows of a page, by default. */
export const PAGE_ROWS = 100;

/** A page of rows, from 1. Throws `invalid_input` for one that does not exist. */
export function rowsPage(rows: readonly BatchRow[], page: number): RowsPage {
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
  if (!Number.isInteger(page) || page < 1 || page > pages)
    throw invalidInput('Page', `Page: must be from 1 to ${pages}.`);
  return { rows: rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS), page, pages, differs: differingIn(rows) };
}

/** The place of the rows: pages for an assistant, and a file with all columns for a person. */
function rowsText({ id, state, total, plan }: BatchView): string {
  const pages = Math.ceil(total / PAGE_ROWS);
  const rows = `batches_get with Page ${pages === 1 ? '1' : `from 1 to ${pages}`}`;
  const hasTable = plan?.risk === 'read' && hasEnded(state);
  return hasTable ? `${rows}; as a CSV file with all columns: switchboard batch show ${id} --csv FILE` : rows;
}

/** Longest result of a row in JSON. A longer one keeps only the members that fit into a cell of a table. */
const MAX_RESULT = 3_000;

/**
 * Formats a row for programs.
 *
 * @param differs the effects that are not the same for all rows
 * @param batch `brief`: the members of a result to keep, by path; all if left out
 */
export function rowData(
  row: BatchRow,
  differs: readonly EffectName[],
  { plan, state, brief }: Pick<BatchView, 'plan' | 'state'> & { brief?: readonly string[] | undefined },
): Fields {
  return defined({
    row: row.n,
    target: row.target,
    status: outcomeText(row, state),
    reason: reasonOf(row) || undefined,
    actionId: row.action,
    ...Object.fromEntries(differs.map((name) => [name, row.effects[name]])),
    result: plan?.risk === 'read' && row.result !== undefined ? compact(row.result, brief) : undefined,
  });
}

/** A result without empty members. */
function compact(result: Fields, brief: readonly string[] | undefined): Fields {
  const filled = brief === undefined ? filledOf(result) : membersAt(filledOf(result), brief);
  return JSON.stringify(filled).length <= MAX_RESULT ? filled : plainMembers(filled);
}

function filledOf(value: Fields): Fields {
  const filled = Object.entries(value).filter(([, member]) => member !== null && member !== undefined && member !== '');
  return Object.fromEntries(filled.map(([name, one]) => [name, isRecord(one) ? filledOf(one) : one]));
}

/** The members at these paths ("Number.Status"), in their records. Members that are missing are left out. */
function membersAt(value: Fields, paths: readonly string[]): Fields {
  const names = new Set(paths.map((path) => path.split('.')[0] ?? ''));
  const members = [...names].map((name) => {
    const under = paths.flatMap((path) => (path.startsWith(`${name}.`) ? path.slice(name.length + 1) : []));
    const member = value[name];
    return [name, under.length > 0 && isRecord(member) ? membersAt(member, under) : member] as const;
  });
  const isKept = (one: unknown) => one !== undefined && !(isRecord(one) && Object.keys(one).length === 0);
  return Object.fromEntries(members.filter(([, member]) => isKept(member)));
}
