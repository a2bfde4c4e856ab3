import { type Batches, type BatchView, PLAN_WAIT_MS } from '../../batches/batches.ts';
import { reasonOf } from '../../batches/csv.ts';
import type { GivenList } from '../../batches/rows.ts';
import { type BatchRow, isException, outcomeText } from '../../batches/states.ts';
import { changedData } from '../../cards/batch.ts';
import { batchedBy } from '../../catalogue/change.ts';
import { outsideIn } from '../../catalogue/input.ts';
import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Actor } from '../../lib/actor.ts';
import { asSwitchboardError, invalidInput } from '../../lib/errors.ts';
import { defined, type Fields, isRecord, joined } from '../../lib/values.ts';
import { isPlainValue } from '../../platform/dialect/phone.ts';
import { batchData, type RowsPage, rowData, rowsPage } from '../batch-words.ts';
import { isQuoting } from '../outcome.ts';
import { withoutReason } from './listed.ts';
import type { Caller, ToolCall, ToolResult } from './offer.ts';
import { batchesCreate, batchesStop, batchTools } from './own-tools.ts';
import { addChanged, markOutside, success, tell } from './results.ts';

/** Carries out a call of a tool for batches. */
export async function batchCall<More extends object>(
  { name, input }: ToolCall,
  caller: Caller<More>,
): Promise<ToolResult | More> {
  const { actor, asked, backend } = caller;
  requireFields(name, input, [
    ...Object.keys(batchTools.find((one) => one.name === name)?.inputSchema.properties ?? {}),
    ...(caller.files !== undefined && name === batchesCreate.name ? ['File'] : []),
  ]);
  const { gate, batches } = await backend();
  if (name === batchesCreate.name) return created(input, caller, batches);
  const id = textIn(input, 'id');
  if (name === batchesStop.name) return batchAnswer(await batches.stop(id, actor, 'client'), gate);
  const view = await batches.view(id, actor);
  if (input.Page !== undefined)
    return batchAnswer(view, gate, { page: rowsPage(await batches.rows(id, actor), Number(input.Page)) });
  const left = await exceptionsOf(batches, view, actor);
  // The plan was not ready when the batch was made, so no call has asked yet.
  const isNew = asked !== undefined && view.actorId === actor.id && !asked.has(view.id);
  return isNew ? withQuestion(view, { left }, caller, batches) : batchAnswer(view, gate, { left });
}

/**
 * Makes a batch of a list, or of what another batch has not done, and asks for its yes when its plan is ready. Refuses an
 * operation that this assistant may not call.
 */
async function created<More extends object>(
  given: Fields,
  caller: Caller<More>,
  batches: Batches,
): Promise<ToolResult | More> {
  const { offer, actor, files = [], notes, signal, repeated } = caller;
  if (repeated !== undefined) return withQuestion(await batches.view(repeated, actor), { left: [] }, caller, batches);
  const { File, ...members } = given;
  const { input, reason } = withoutReason(members);
  const file = files.find((one) => one.name === File);
  if (File !== undefined && !file) {
    const names = files.map((one) => one.name).join(', ');
    const came = names === '' ? 'No list came with the message.' : `The message has ${names}.`;
    throw invalidInput('File', `File: there is none with this name. ${came}`);
  }
  const other = Object.keys(input).find((one) => one !== 'RestOf');
  if (input.RestOf !== undefined && other !== undefined)
    throw invalidInput(other, `${other}: is part of the batch itself. Give RestOf alone.`);
  if (input.RestOf === undefined && input.Operation === undefined)
    throw invalidInput('Operation', 'Operation: is missing. Give it with Numbers or Rows, or give RestOf alone.');
  const earlier = input.RestOf === undefined ? undefined : textIn(input, 'RestOf');
  const operation = earlier === undefined ? textIn(input, 'Operation') : (await batches.view(earlier, actor)).operation;
  if (offer.listed(operation)?.batch === undefined) offer.check(operation);
  let made: Awaited<ReturnType<Batches['create']>>;
  if (earlier !== undefined) made = await batches.rest(earlier, actor, { notes, reason });
  else {
    const shared = input.Fields ?? {};
    if (!isRecord(shared)) throw invalidInput('Fields', `Fields: must be an object of fields${notJson(shared)}.`);
    const list = file ? { text: file.text } : listIn(input);
    made = await batches.create({ operation, list, shared, notes, reason }, actor).catch(inFields);
  }
  const isPlanning = ({ state }: BatchView) => state === 'planning';
  const view = await batches.while(isPlanning, made.view.id, actor, { ms: PLAN_WAIT_MS, signal });
  const { isRepeat, read } = made;
  caller.onBatch?.(view);
  const left = await exceptionsOf(batches, view, actor);
  const answer = await withQuestion(view, { left, isRepeat }, caller, batches);
  if (!isResult(answer)) return answer;
  if (!answer.isError && read.length > 0) tell(answer, read.join(' '));
  // The answer about one that waits says it itself.
  if (isRepeat && view.state !== 'waiting')
    tell(
      answer,
      `The same list was asked for at ${new Date(view.createdAt).toISOString()} (${view.id}): it is ${view.state}, and was not made a second time.`,
    );
  return answer;
}

/** The result for a batch. A person is asked first if it waits for a yes. */
async function withQuestion<More extends object>(
  view: BatchView,
  { left, isRepeat = false }: { left: readonly BatchRow[]; isRepeat?: boolean },
  { actor, asked, backend, perform }: Caller<More>,
  batches: Batches,
): Promise<ToolResult | More> {
  if (view.state !== 'waiting') return batchAnswer(view, (await backend()).gate, { left });
  asked?.add(view.id);
  const repeats = isRepeat ? { isRepeat, requestedAt: new Date(view.createdAt).toISOString() } : undefined;
  const answer = await perform({ id: BATCH_RUN, ...(await batches.question(view.id, actor)), repeats });
  if (!isResult(answer) || answer.isError) return answer;
  return waitingBatchAnswer(await batches.view(view.id, actor), answer, left);
}

function isResult(answer: object): answer is ToolResult {
  return 'content' in answer;
}

/** The rows that were left out or not done. */
async function exceptionsOf(batches: Batches, { id, counts }: BatchView, actor: Actor): Promise<BatchRow[]> {
  if (counts.left_out + counts.partly + counts.failed + counts.unknown === 0) return [];
  return (await batches.rows(id, actor)).filter(isException);
}

/** For a request that was refused: names a field of the operation as a member of `Fields`. */
function inFields(error: unknown): never {
  const { face } = asSwitchboardError(error);
  const { field, fields = [] } = face;
  if (face.code !== 'invalid_input' || field === undefined || field in (batchesCreate.inputSchema.properties ?? {}))
    throw error;
  const each = fields.map((one) => `Fields.${one.field}: ${one.message}`).join(' ');
  throw invalidInput(`Fields.${field}`, each || joined(['Fields.', face.message], ''));
}

/* The arguments of the tools for batches. Each function throws `invalid_input` that names the argument. */

/** Refuses a field that a tool does not have. Throws `invalid_input`. */
export function requireFields(name: string, input: Fields, fields: readonly string[]): void {
  const extra = Object.keys(input).find((key) => !fields.includes(key));
  if (extra !== undefined)
    throw invalidInput(extra, `${extra}: is not a field of ${name}; the fields are ${fields.join(', ')}.`);
}

/** The text in a field of a call. Throws `invalid_input` if there is none. */
export function textIn(input: Fields, field: string, mayBeEmpty = false): string {
  const value = input[field];
  if (typeof value === 'string' && (mayBeEmpty || value !== '')) return value;
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

/* The results of the tools for batches. */

/** The result about a batch, with a page of its rows, or those that were left out or not done. Texts of others are marked. */
function batchAnswer(
  view: BatchView,
  gate: Gate,
  { page: shown, left = [] }: { page?: RowsPage; left?: readonly BatchRow[] } = {},
): ToolResult {
  const batch = batchData(view, 'assistant');
  if (shown === undefined) {
    const { data, outside } = exceptionData(view, left);
    const marks = [...outsideInBatch(view, 'batch.'), ...outside];
    const answer = markOutside(marks, success({ batch: { ...batch, ...data } }));
    addChanged(answer, view.changed);
    return answer;
  }
  const { page, pages, differs } = shown;
  const tool = gate.tool(view.operation);
  const brief = tool && batchedBy(tool)?.brief;
  const rows = shown.rows.map((row) => ({ ...rowData(row, differs, { ...view, brief }), ...changedData(row) }));
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
function exceptionData({ state }: BatchView, left: readonly BatchRow[]): { data: Fields; outside: string[] } {
  const first = left.slice(0, MOST_EXCEPTIONS);
  if (first.length === 0) return { data: {}, outside: [] };
  const exceptions = first.map((row) =>
    defined({
      row: row.n,
      target: row.target || undefined,
      status: outcomeText(row, state),
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

/** The result about a batch that waits for a person. `waiting`: the result of its question. `left`: its exceptions. */
function waitingBatchAnswer(view: BatchView, waiting: ToolResult, left: readonly BatchRow[] = []): ToolResult {
  const { confirmation } = waiting.structuredContent ?? {};
  const { data, outside } = exceptionData(view, left);
  const value: Fields = {
    batch: { ...batchData(view, 'assistant'), ...data },
    ...(confirmation !== undefined && { confirmation }),
  };
  const content = [...success(value).content, ...waiting.content.slice(1)];
  const earlier = waiting._meta?.['switchboard/outside'];
  const own = [...outsideInBatch(view, 'batch.'), ...outside];
  const answer = markOutside(own, { ...waiting, structuredContent: value, content });
  addChanged(answer, view.changed);
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
