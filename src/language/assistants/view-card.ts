import { drawnBy } from '../../../tools/surfaces/views.ts';
import { actionCard } from '../../cards/outcome.ts';
import { questionTitle } from '../../cards/question.ts';
import type { ViewCard, ViewState } from '../../cards/view.ts';
import { BATCH_RUN } from '../../gate/batch.ts';
import { type Gate, statusOf } from '../../gate/gate.ts';
import type { Action } from '../../ledger/ledger.ts';
import { type Actor, personOf } from '../../lib/actor.ts';
import { type Fields, isRecord, recordOf, textOf } from '../../lib/json.ts';
import { visible } from '../../lib/text.ts';
import { outcomeOf } from '../outcome.ts';
import { lookupCard, orderCard, recordParts, tablePart, viewParts } from './view-records.ts';

/*
 * The card of a result, for the view in the window of an assistant. It is made of the result that the assistant gets,
 * and of the question about a change, which its requester may see whole.
 */

/** The person who calls, and the gate. */
interface Reader {
  gate: Gate;
  actor: Actor;
}

/**
 * The card of a tool's result; undefined if the view has none for it.
 *
 * @param value the structured content of a result without an error
 */
export async function viewCard(tool: string, value: Fields, reader: Reader): Promise<ViewCard | undefined> {
  switch (drawnBy(tool)) {
    case 'lookup':
      return lookupCard(value, reader.gate);
    case 'order':
      return orderCard(value, reader.gate);
    case 'batch':
      return batchCard(value, reader);
    case 'confirmation':
      return Array.isArray(value.confirmations)
        ? listCard(value.confirmations.map(recordOf), reader)
        : confirmationCard(value, reader);
    default:
      return undefined;
  }
}

/** States of a batch, of which `planning` is the first. The view draws those that are left out by their own name. */
const BATCH_STATES: Readonly<Record<string, ViewState>> = {
  planning: 'running',
  waiting: 'pending',
  paused: 'partly',
  stopped: 'declined',
};
const BATCH_CHANGES: ReadonlySet<string> = new Set(['planning', 'waiting', 'running', 'paused']);

async function batchCard({ batch: given, rows, page }: Fields, reader: Reader): Promise<ViewCard> {
  const { gate, actor } = reader;
  const batch = recordOf(given);
  const [id, status, operation] = [textOf(batch.id), textOf(batch.status), textOf(batch.operation)];
  const count = (name: string) => (typeof batch[name] === 'number' ? batch[name] : 0);
  const action = typeof batch.confirmationId === 'string' ? await gate.actions.get(batch.confirmationId) : undefined;
  const waits = status === 'waiting' && action?.state === 'pending';
  const asked = waits && maySee(action, actor) ? actionCard({ action, tool: undefined }).parts : [];
  const ended = count('done') + count('failed') + count('unknown');
  const decideAt = waits ? gate.pageUrl(action.id) : undefined;
  return {
    title: `${gate.tool(operation)?.title ?? visible(operation)}: ${count('total')} rows`,
    state: { name: BATCH_STATES[status] ?? viewState(status), text: visible(textOf(batch.summary)) },
    parts: [
      ...(status === 'planning' || waits
        ? []
        : [{ kind: 'progress' as const, done: ended, of: count('total') - count('leftOut') }]),
      ...viewParts(asked),
      ...(Array.isArray(rows) ? recordParts({ Rows: rows }, gate) : []),
    ],
    ...(id !== '' && {
      record: { kind: 'batch' as const, id, ...(typeof page === 'number' && { page }) },
      changes: BATCH_CHANGES.has(status),
    }),
    ...(decideAt !== undefined && { decideAt }),
    ...(waits && action.person === personOf(actor) && { withdraws: true }),
  };
}

/** The states of several calls. */
async function listCard(confirmations: readonly Fields[], { gate }: Reader): Promise<ViewCard> {
  const rows = confirmations.map(async ({ id, status, error }): Promise<string[]> => {
    const action = status === undefined ? undefined : await gate.actions.get(textOf(id));
    const title = action ? questionTitle(gate.tool(action.operation), action) : visible(textOf(id));
    return [
      title,
      action === undefined ? visible(textOf(recordOf(error).message)) : stateText(viewState(status), action, gate),
    ];
  });
  const listed = await Promise.all(rows);
  return {
    title: `${listed.length} requests`,
    parts: [tablePart({ title: '', columns: ['Request', 'State'], rows: listed })],
  };
}

async function confirmationCard(value: Fields, reader: Reader): Promise<ViewCard | undefined> {
  const { gate, actor } = reader;
  const action = await gate.actions.get(textOf(value.id));
  if (action === undefined) return undefined;
  const name = viewState(value.status);
  const result = isRecord(value.result) ? value.result : undefined;
  const { title, parts } = actionCard({ action, tool: gate.tool(action.operation), timeZone: gate.timeZone, result });
  const card: ViewCard = {
    title,
    state: { name, text: stateText(name, action, gate) },
    parts: [],
    record: { kind: 'confirmation', id: action.id },
    changes: name === 'pending' || name === 'running' || name === 'unknown',
  };
  // Another requester of the same call gets its state alone.
  if (value.requestedBy !== undefined || !maySee(action, actor)) return card;
  const isPending = name === 'pending';
  const decideAt = isPending ? gate.pageUrl(action.id) : undefined;
  return {
    ...card,
    parts: viewParts(parts),
    ...(decideAt !== undefined && { decideAt }),
    ...(isPending && action.operation !== BATCH_RUN && action.person === personOf(actor) && { withdraws: true }),
  };
}

/** True if this reader may see the whole question. Other requesters of the same call get its state alone. */
function maySee({ actorId, person }: Action, actor: Actor): boolean {
  return actorId === actor.id || person === personOf(actor) || actor.role === 'approver';
}

const STATES: ReadonlySet<string> = new Set<ViewState>([
  'pending',
  'running',
  'done',
  'partly',
  'failed',
  'unknown',
  'declined',
  'expired',
]);

function viewState(status: unknown): ViewState {
  return typeof status === 'string' && STATES.has(status) ? (status as ViewState) : 'info';
}

/** The state and what it means. `name` is that of the work which an action has only started. */
function stateText(name: ViewState, action: Action, gate: Gate): string {
  if (name === 'info') return '';
  if (name !== statusOf(action.state))
    return `${outcomeOf({ state: name === 'running' ? 'in_flight' : name }, undefined).headline}.`;
  const { state, effect = '' } = actionCard({ action, tool: gate.tool(action.operation) });
  return `${visible(state)}. ${effect}`.trim();
}
