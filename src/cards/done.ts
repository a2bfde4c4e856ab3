import type { Change, ChangeRow } from '../catalogue/change.ts';
import type { Tool } from '../catalogue/operation.ts';
import { BATCH_RUN } from '../gate/frozen-batch.ts';
import { notDoneIn } from '../gate/question.ts';
import { rowsOf } from '../language/show.ts';
import { changeOf } from '../ledger/action.ts';
import type { Action } from '../ledger/ledger.ts';
import { isRecord } from '../lib/json.ts';
import { visible } from '../lib/text.ts';
import { dayText, readDate } from '../platform/dialect/dates.ts';
import { numberKey } from '../platform/dialect/number-lists.ts';
import { type ChangeLine, changeLine, changeText, type Fact, factsPart, type Part, type Piece } from './card.ts';
import { byCustomer } from './change-rows.ts';
import { type Asked, askedOf } from './question.ts';

/* Describes a done change with its present holder, its cost, its undoing, and the changed values. */

/** A done action with its operation. */
interface Done {
  action: Action;
  tool: Tool | undefined;
}

/** Returns the facts of a question after it was done, with its present holder, cost and undoing. */
export function askedDone(shown: Done, asked: Asked): Asked {
  const { action, tool } = shown;
  // The answer has the last day on which it can be undone.
  const undo = undoOf(action, tool).length > 0 || action.operation === BATCH_RUN ? '' : asked.undo;
  return { ...asked, customer: holderNow(action, asked.customer), cost: costDone(shown), undo };
}

/** The customer, or the subscriber whom a line was given to. */
function holderNow(action: Action, customer: string): string {
  const { rows = [], names = {} } = changeOf(action) ?? {};
  const [next, ...others] = rows.flatMap(({ member = '', after }) => {
    const named = /^Assigned/.test(member) && typeof after === 'string' ? names[after] : undefined;
    return named?.noun === 'subscriber' ? [visible(named.name)] : [];
  });
  const stays = next === undefined || others.length > 0 || customer.startsWith(next) || action.state !== 'done';
  return stays ? customer : next;
}

/**
 * Returns the amount of the answer if it has one. A partly done action costs as much as the same call without the part
 * that was not done.
 */
export function costDone({ action, tool }: Done): string {
  const asked = askedOf(tool, action).cost;
  const [billed] = asked === '' ? [] : rowsOf(action.result).pairs.filter(([label]) => label === 'Cost');
  if (billed !== undefined) return billed[1];
  const left = tool ? notDoneIn(tool, action) : new Map<string, unknown>();
  if (asked === '' || left.size === 0 || tool?.consent === undefined) return asked;
  const isLeft = (entry: unknown) => left.has(numberKey(String(isRecord(entry) ? entry.Number : entry)));
  const input = Object.fromEntries(
    Object.entries(action.shown).map(([name, value]) => [
      name,
      Array.isArray(value) && value.some(isLeft) ? value.filter((entry) => !isLeft(entry)) : value,
    ]),
  );
  return visible(tool.consent(input, action.known).cost ?? '');
}

/** Until when what was done can be undone, and for how much. Empty if the answer does not say. */
export function undoOf({ result = {} }: Action, tool: Tool | undefined): Piece[] {
  const undo = tool?.answer?.undo;
  const until = undo && result[undo.until];
  return undo && typeof until === 'string' && readDate(until, 'UTC') !== undefined ? [undo.says(dayText(until))] : [];
}

/**
 * Lists changes, one member a row: "Caller first name: none → Bob". A row of several lines names them.
 *
 * @param done.isPart true if other lines were asked for too, for which nothing was done
 * @param done.from the later day on which it takes effect
 */
export function changedPart(
  change: Pick<Change, 'rows' | 'names'> | undefined,
  {
    isPart = false,
    from,
    title = from === undefined ? 'What changed' : `From ${from}`,
  }: { isPart?: boolean; from?: string | undefined; title?: string } = {},
): Part[] {
  if (change === undefined) return [];
  const targets = new Set(change.rows.map(({ of }) => of));
  // The rows of a message have its sender and its receivers as values.
  const isNamed = change.rows.some(({ of, after }) => of === '' || of === after);
  const several = targets.size > 1 || (isPart && !isNamed);
  const lines = change.rows.map((row) => ({ ...doneLine(changeLine(row, change.names), row), target: row.of }));
  const rows = (several ? [...new Set(lines.map(({ what }) => what))] : lines).map((one): Fact => {
    if (typeof one !== 'string') return { label: one.what, value: [{ sent: changeText(one) }] };
    const same = lines.filter(({ what }) => what === one);
    return { label: one, value: [{ sent: byCustomer(same, change.names) }] };
  });
  return factsPart(rows, { title });
}

/** Returns a row without an unread or hidden value before, which is no news afterwards. */
function doneLine(line: ChangeLine, { before, unread, hidden, removed }: ChangeRow): ChangeLine {
  if (hidden && !removed) return { ...line, before: '', after: 'set (not shown)' };
  return unread && before === undefined ? { ...line, before: '' } : line;
}
