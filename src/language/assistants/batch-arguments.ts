import { type Batches, type BatchView, PLAN_WAIT_MS } from '../../batches/batches.ts';
import { reasonOf } from '../../batches/csv.ts';
import type { GivenList } from '../../batches/rows.ts';
import { type BatchRow, isException } from '../../batches/states.ts';
import { changedData } from '../../cards/batch.ts';
import { batchedBy } from '../../catalogue/batch-rule.ts';
import { outsideIn } from '../../catalogue/input.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Actor } from '../../lib/actor.ts';
import { asSwitchboardError, invalidInput } from '../../lib/errors.ts';
import { defined, type Fields, isRecord } from '../../lib/json.ts';
import { joined } from '../../lib/words.ts';
import { isPlainValue } from '../../platform/dialect/plain-values.ts';
import { batchData, outcomeText, type RowsPage, rowData, rowsPage } from '../batch-words.ts';
import { isQuoting } from '../failure.ts';
import { batchesCreate, batchTools } from './batch-tools.ts';
import type { Offer, ToolResult } from './offer.ts';
import { withoutReason } from './reason.ts';
import { addChanged, markOutside, success } from './results.ts';

/* The calls of the tools for batches. Each function throws `invalid_input` that names the argument. */

/** The caller, and the operations that this assistant may call. */
interface Caller {
  batches: Batches;
  offer: Offer;
  actor: Actor;
}

/**
 * `batches_create`: makes a batch of a list, or of what another batch has not done. Resolves when its plan is ready, or
 * takes too long. Refuses an operation that this assistant may not call.
 */
export async function createBatch(
  { batches, offer, actor }: Caller,
  given: Fields,
  {
    file,
    notes,
    signal,
  }: {
    /** The list, if it is not in the input. */
    file?: GivenList | undefined;
    /** Stored with the question, for the surface that shows its card. */
    notes?: Fields | undefined;
    signal: AbortSignal;
  },
): Promise<{ view: BatchView; read: string[]; left: BatchRow[]; isRepeat: boolean }> {
  const { input, reason } = withoutReason(given);
  const earlier = restIn(input);
  if (earlier !== undefined) requireBatch((await batches.view(earlier, actor)).operation, offer);
  const made =
    earlier === undefined
      ? await batches.create({ ...requestIn(input, offer, file), notes, reason }, actor).catch(inFields)
      : await batches.rest(earlier, actor, { notes, reason });
  const isPlanning = ({ state }: BatchView) => state === 'planning';
  const view = await batches.while(isPlanning, made.view.id, actor, { ms: PLAN_WAIT_MS, signal });
  return { ...made, view, left: await exceptionsOf(batches, view, actor) };
}

/** The rows that were left out or not done. */
async function exceptionsOf(batches: Batches, { id, counts }: BatchView, actor: Actor): Promise<BatchRow[]> {
  if (counts.left_out + counts.failed + counts.unknown === 0) return [];
  return (await batches.rows(id, actor)).filter(isException);
}

/** Rows of a batch for an answer: one page of them, or those that were left out or not done. */
export interface ShownRows {
  page?: RowsPage;
  left?: readonly BatchRow[];
}

/** `batches_get`: the state of a batch, and a page of its rows if it is asked for. */
export async function getBatch({ batches, actor }: Caller, input: Fields): Promise<{ view: BatchView } & ShownRows> {
  const id = textIn(input, 'id');
  if (id.startsWith('act_')) throw invalidInput('id', 'id: is not a batch; confirmations_get shows its state.');
  const view = await batches.view(id, actor);
  if (input.Page === undefined) return { view, left: await exceptionsOf(batches, view, actor) };
  return { view, page: rowsPage(await batches.rows(id, actor), Number(input.Page)) };
}

/** `batches_stop`: ends a batch. */
export function stopBatch({ batches, actor }: Caller, input: Fields): Promise<BatchView> {
  return batches.stop(textIn(input, 'id'), actor, 'client');
}

/** Refuses an argument that the tool does not have. */
export function requireArguments(name: string, input: Fields): void {
  const fields = Object.keys(batchTools.find((one) => one.name === name)?.inputSchema.properties ?? {});
  const extra = Object.keys(input).find((key) => !fields.includes(key));
  if (extra !== undefined)
    throw invalidInput(extra, `${extra}: is not a field of ${name}; the fields are ${fields.join(', ')}.`);
}

/** The request of `batches_create` without `RestOf`. `file`: the list, if it is not in the input. */
function requestIn(
  input: Fields,
  offer: Offer,
  file?: GivenList,
): { operation: string; list: GivenList; shared: Fields } {
  const operation = textIn(input, 'Operation');
  requireBatch(operation, offer);
  const shared = input.Fields ?? {};
  if (!isRecord(shared)) throw invalidInput('Fields', `Fields: must be an object of fields${notJson(shared)}.`);
  return { operation, list: file ?? listIn(input), shared };
}

/** The batch whose open rows are asked for again; undefined for a new list. */
function restIn(input: Fields): string | undefined {
  if (input.RestOf === undefined) return undefined;
  const other = Object.keys(input).find((name) => name !== 'RestOf');
  if (other !== undefined) throw invalidInput(other, `${other}: is part of the batch itself. Give RestOf alone.`);
  return textIn(input, 'RestOf');
}

/** For a request that was refused: names a field of the operation as a member of `Fields`. */
function inFields(error: unknown): never {
  const { face } = asSwitchboardError(error);
  const { field } = face;
  if (face.code !== 'invalid_input' || field === undefined || field in (batchesCreate.inputSchema.properties ?? {}))
    throw error;
  throw invalidInput(`Fields.${field}`, joined(['Fields.', face.message], ''));
}

function requireBatch(operation: string, offer: Offer): void {
  if (!offer.canBatch(operation)) offer.check(operation);
}

function textIn(input: Fields, field: string): string {
  const value = input[field];
  if (typeof value === 'string' && value !== '') return value;
  throw invalidInput(field, `${field}: is missing; give it as a string.`);
}

function listIn({ Numbers, Rows }: Fields): GivenList {
  if (Array.isArray(Numbers) && Rows === undefined) return { numbers: Numbers };
  if (Array.isArray(Rows) && Numbers === undefined) return { records: Rows };
  const wrong = Rows === undefined && Numbers !== undefined ? 'Numbers' : 'Rows';
  const text = notJson(wrong === 'Rows' ? Rows : Numbers);
  throw invalidInput(wrong, `${wrong}: give either Numbers or Rows, as an array${text}.`);
}

/** The end of a problem: a text is read as JSON, and this one is not JSON of the right kind. */
function notJson(value: unknown): string {
  return typeof value === 'string' ? '; this text is not the JSON of one' : '';
}

/** The result about a batch, with rows of it. Texts of others are marked. */
export function batchAnswer(view: BatchView, gate: Gate, { page: shown, left = [] }: ShownRows = {}): ToolResult {
  const batch = batchData(view, 'assistant');
  if (shown === undefined) {
    const { data, outside } = exceptionData(left);
    const marks = [...outsideInBatch(view, 'batch.'), ...outside];
    const answer = markOutside(marks, success({ batch: { ...batch, ...data } }));
    addChanged(answer, view.changed);
    return answer;
  }
  const { page, pages, differs } = shown;
  const tool = gate.tool(view.operation);
  const brief = tool && batchedBy(tool)?.brief;
  const rows = shown.rows.map((row) => ({ ...rowData(row, differs, { ...view, brief }), ...changedData(view, row) }));
  // The state and the ids of a row are Switchboard's own words, and so is a reason without quotations.
  const bare = rows.map(({ result: _result, status: _status, actionId: _actionId, reason, ...row }, at) => {
    const failure = shown.rows[at]?.failure;
    return failure === undefined || isQuoting(failure) ? { ...row, ...defined({ reason }) } : row;
  });
  const ofResults = rows.flatMap(({ result }) => outsideIn(tool, result, 'rows[].result'));
  const marks = [...outsideInBatch(view, 'batch.'), ...outsideIn(undefined, { rows: bare }), ...ofResults];
  return markOutside([...new Set(marks)], success({ batch, rows, page, pages }));
}

/** Rows that were left out or not done, which an answer names without their page. */
const MOST_EXCEPTIONS = 5;

/** The first rows that were left out or not done, each with the reason, and the members of them with outside text. */
function exceptionData(left: readonly BatchRow[]): { data: Fields; outside: string[] } {
  const first = left.slice(0, MOST_EXCEPTIONS);
  if (first.length === 0) return { data: {}, outside: [] };
  const exceptions = first.map((row) =>
    defined({
      row: row.n,
      target: row.target || undefined,
      status: outcomeText(row),
      reason: reasonOf(row) || undefined,
    }),
  );
  const more = left.length - first.length;
  const isQuoted = first.some(({ failure }) => failure !== undefined && isQuoting(failure));
  const isOwn = first.every(({ target }) => isPlainValue(target));
  return {
    data: { exceptions, ...(more > 0 && { moreExceptions: more }) },
    outside: [...(isOwn ? [] : ['batch.exceptions[].target']), ...(isQuoted ? ['batch.exceptions[].reason'] : [])],
  };
}

/** The time at which a batch was asked for (ISO 8601). */
export function requestTime({ createdAt }: BatchView): string {
  return new Date(createdAt).toISOString();
}

/** Says that the same list was asked for before and has gone on since. The answer about one that waits says it itself. */
export function addBatchRepeat(result: ToolResult, view: BatchView): void {
  if (view.state === 'waiting') return;
  const text = `The same list was asked for at ${requestTime(view)} (${view.id}): it is ${view.state}, and was not made a second time.`;
  result.content.push({ type: 'text', text });
}

/** The result about a batch that waits for a person. `waiting`: the result of its question. `left`: its exceptions. */
export function waitingBatchAnswer(view: BatchView, waiting: ToolResult, left: readonly BatchRow[] = []): ToolResult {
  const { confirmation } = waiting.structuredContent ?? {};
  const { data, outside } = exceptionData(left);
  const value: Fields = {
    batch: { ...batchData(view, 'assistant'), ...data },
    ...(confirmation !== undefined && { confirmation }),
  };
  const content = [...success(value).content, ...waiting.content.slice(1)];
  const earlier = waiting._meta?.['switchboard/outside'];
  const own = [...outsideInBatch(view, 'batch.'), ...outside];
  const answer = markOutside(own, { ...waiting, structuredContent: value, content });
  const marks = [...(Array.isArray(earlier) ? earlier : []), ...own];
  return marks.length === 0 ? answer : { ...answer, _meta: { ...answer._meta, 'switchboard/outside': marks } };
}

/**
 * The members of a batch that may repeat text from outside: a cost names packages, and a failure quotes the platform.
 * `under`: the path of the batch itself.
 */
export function outsideInBatch({ cost, reason }: BatchView, under = ''): string[] {
  const failure = reason !== undefined && 'failure' in reason ? reason.failure : undefined;
  const isQuoted = failure !== undefined && isQuoting(failure);
  return [...outsideIn(undefined, defined({ cost })), ...(isQuoted ? ['summary'] : [])].map(
    (path) => `${under}${path}`,
  );
}
