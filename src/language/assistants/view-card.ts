import { drawnBy } from '../../../tools/surfaces/views.ts';
import { type Asked, askedOf, CONSENT_LABEL, questionFacts } from '../../cards/question.ts';
import type { ViewCard, ViewPart, ViewState } from '../../cards/view.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { isUndecided } from '../../gate/approval.ts';
import { decidedByOf } from '../../gate/confirmation.ts';
import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import { type Gate, statusOf } from '../../gate/gate.ts';
import type { Action } from '../../ledger/ledger.ts';
import { type Actor, personOf } from '../../lib/actor.ts';
import { type Fields, isRecord, recordOf, textOf } from '../../lib/json.ts';
import { visible } from '../../lib/text.ts';
import { plainText } from '../../lib/words.ts';
import { outcomeOf, settledResult } from '../outcome.ts';
import { rowsOf } from '../show.ts';
import { factsPart, lookupCard, orderCard, recordParts, tablePart } from './view-records.ts';

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
  const asked = waits && maySee(action, actor) ? askedOf(undefined, action) : undefined;
  const ended = count('done') + count('failed') + count('unknown');
  const decideAt = waits ? gate.pageUrl(action.id) : undefined;
  return {
    title: `${gate.tool(operation)?.title ?? visible(operation)}: ${count('total')} rows`,
    state: { name: BATCH_STATES[status] ?? viewState(status), text: visible(textOf(batch.summary)) },
    parts: [
      ...(status === 'planning' || waits
        ? []
        : [{ kind: 'progress' as const, done: ended, of: count('total') - count('leftOut') }]),
      ...(asked ? questionParts(asked, { isOpen: true, times: [['Waits until', isoOf(action?.expiresAt ?? 0)]] }) : []),
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
    const title = action ? askedOf(gate.tool(action.operation), action).title : visible(textOf(id));
    return [title, status === undefined ? visible(textOf(recordOf(error).message)) : STATES[viewState(status)]];
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
  const tool = gate.tool(action.operation);
  const asked = askedOf(tool, action);
  const name = viewState(value.status);
  const card: ViewCard = {
    title: asked.title,
    state: { name, text: stateText(name, action, tool) },
    parts: [],
    record: { kind: 'confirmation', id: action.id },
    changes: name === 'pending' || name === 'running' || name === 'unknown',
  };
  // Another requester of the same call gets its state alone.
  if (value.requestedBy !== undefined || !maySee(action, actor)) return card;
  const isPending = name === 'pending';
  const result = isRecord(value.result) ? settledResult(value.result, tool) : undefined;
  const decideAt = isPending ? gate.pageUrl(action.id) : undefined;
  return {
    ...card,
    parts: [
      ...notDoneParts(action, tool),
      ...(result ? resultParts(result, action, gate) : []),
      ...questionParts(asked, { isOpen: isPending || name === 'running', times: timeRows(action) }),
    ],
    ...(decideAt !== undefined && { decideAt }),
    ...(isPending && action.operation !== BATCH_RUN && action.person === personOf(actor) && { withdraws: true }),
  };
}

/** True if this reader may see the whole question. Other requesters of the same call get its state alone. */
function maySee({ actorId, person }: Action, actor: Actor): boolean {
  return actorId === actor.id || person === personOf(actor) || actor.role === 'approver';
}

const STATES: Readonly<Record<ViewState, string>> = {
  pending: 'Waiting for a person. Nothing has been done yet.',
  running: 'Confirmed, running.',
  done: 'Done.',
  partly: 'Partly done.',
  failed: 'Failed.',
  unknown: 'Outcome unknown: it may have been done.',
  declined: 'Declined. Nothing was done.',
  expired: 'Expired. Nothing was done.',
  info: '',
};

function viewState(status: unknown): ViewState {
  return typeof status === 'string' && Object.hasOwn(STATES, status) ? (status as ViewState) : 'info';
}

/** The state and the next step. `name` is that of the work which an action has only started. */
function stateText(name: ViewState, action: Action, tool: Tool | undefined): string {
  if (name === 'pending' || name === 'running' || name !== statusOf(action.state)) return STATES[name];
  const { headline, effect, detail } = outcomeOf(action, tool);
  // A batch is confirmed when its question is done. Its rows are sent after that.
  const first = name === 'done' && action.operation === BATCH_RUN ? 'Confirmed' : headline;
  const why = visible(plainText(detail));
  // An error states its effect itself.
  return [`${visible(first)}.`, why.includes(effect) ? '' : effect, why].filter((text) => text !== '').join(' ');
}

type Pair = [label: string, value: string];

/** The parts of a question: first the changes, then the other values, which are folded. */
function questionParts(asked: Asked, { isOpen, times }: { isOpen: boolean; times: Pair[] }): ViewPart[] {
  // The consequence is for the decision. Afterwards it would be out of date.
  const names = isOpen ? ['customer', 'consequence', 'cost', 'undo', 'reason', 'approvals'] : ['customer', 'cost'];
  const facts = questionFacts(asked).filter(({ name }) => names.includes(name));
  const pairs = (rows: readonly { label: string; value: string }[]) =>
    rows.map(({ label, value }): Pair => [label, value]);
  const shown = asked.rows.filter(({ isDetail, isList }) => !isDetail && !isList);
  const folded = asked.rows.filter(({ isDetail, isList }) => isDetail || isList);
  return [
    factsPart([...pairs(shown), ...pairs(facts), ...times]),
    ...(isOpen ? asked.warnings.map((text) => ({ kind: 'note' as const, text })) : []),
    ...(isOpen && asked.statement !== ''
      ? [{ kind: 'quote' as const, title: CONSENT_LABEL, text: asked.statement }]
      : []),
    ...(folded.length > 0 ? [{ ...factsPart(pairs(folded)), folded: 'Everything else that is sent' }] : []),
  ];
}

function notDoneParts(action: Action, tool: Tool | undefined): ViewPart[] {
  if (action.state !== 'partly') return [];
  const rows = outcomeOf(action, tool).notDone.map(
    ({ what, why }): Pair => [visible(plainText(what)), visible(plainText(why))],
  );
  return rows.length === 0 ? [] : [{ ...factsPart(rows), title: 'Not done' }];
}

function resultParts(result: Fields, { shown: asked, known }: Action, { timeZone }: Gate): ViewPart[] {
  const { pairs, tables } = rowsOf(result, { asked, known, timeZone, brief: true });
  return [...(pairs.length > 0 ? [{ ...factsPart(pairs), title: 'Result' }] : []), ...tables.map(tablePart)];
}

function timeRows(action: Action): Pair[] {
  const { state, createdAt, expiresAt, decidedAt = 0 } = action;
  const asked: Pair = state === 'pending' ? ['Waits until', isoOf(expiresAt)] : ['Asked at', isoOf(createdAt)];
  const decidedBy = decidedByOf(action);
  if (decidedBy === undefined || isUndecided(action)) return [asked];
  const what = state === 'declined' ? 'Declined by' : 'Confirmed by';
  return [asked, [what, `${visible(decidedBy)}, ${isoOf(decidedAt)}`]];
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
