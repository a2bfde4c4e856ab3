import { groups } from '../../../tools/groups.ts';
import { type Batches, type BatchView, PLAN_WAIT_MS } from '../../batches/batches.ts';
import { type GivenList, reasonOf } from '../../batches/rows.ts';
import { type BatchRow, isException, outcomeText } from '../../batches/states.ts';
import { changedData } from '../../cards/batch.ts';
import { batchedBy } from '../../catalogue/change.ts';
import { asSent, membersAsSent, outsideIn } from '../../catalogue/input.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { isTransient } from '../../gate/batch-rows.ts';
import { exclusiveOf } from '../../gate/change.ts';
import { BATCH_RUN, type Confirmation } from '../../gate/confirmation.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Action } from '../../ledger/ledger.ts';
import type { Actor } from '../../lib/actor.ts';
import { asSwitchboardError, type Failure, invalidInput } from '../../lib/errors.ts';
import { defined, type Fields, isRecord, joined, recordOf } from '../../lib/values.ts';
import { isPlainValue } from '../../platform/dialect/phone.ts';
import { batchData, type RowsPage, rowData, rowsPage } from '../batch-words.ts';
import { type Done, faceOf, isQuoting, outcomeOf, partlyOutcome } from '../outcome.ts';
import type { Caller, Offer, ToolCall, ToolResult } from './offer.ts';
import {
  batchesCreate,
  batchesStop,
  batchTools,
  confirmationsWithdraw,
  confirmationTools,
  discoverTools,
  isConfirmationTool,
  MOST_IDS,
  REASON,
  reasonedInput,
  withNextSteps,
  withoutReason,
} from './own-tools.ts';
import {
  addChanged,
  addConfirmed,
  addNotOffered,
  addPartly,
  bounded,
  failureOf,
  forAssistant,
  markOutside,
  outsideInConfirmation,
  pendingConfirmation,
  stateTexts,
  success,
  tell,
  waitingTexts,
} from './results.ts';

/* The tool calls of an assistant, over MCP and in a conversation: from what it calls to the result. */

/** The call that is meant: that of the operation which `call` names, with its fields as they were sent. */
export function calledBy(name: string, given: Fields, offer: Offer): ToolCall {
  const input = toolInput(name, given);
  if (!offer.lists(name) || !discoverTools.some((tool) => tool.name === name)) return { name, input };
  // Some models name the fields as the protocol does.
  const { arguments: alias, ...own } = input;
  requireOwnFields(name, own);
  if (name !== 'call') return { name, input };
  const operation = textIn(input, 'operation');
  if (operation === 'call') throw invalidInput('operation', 'operation: must be an operation.');
  const { reason } = withoutReason(input);
  const takes = reason !== undefined && offer.takesReason(operation);
  const members = input.input ?? asSent({ type: 'object' }, alias ?? undefined);
  if (!isRecord(members)) {
    const isText = typeof members === 'string' ? 'is a text that is not the JSON of an object' : 'is no object';
    const wrong = members === undefined ? 'is missing' : isText;
    throw invalidInput('input', `input: ${wrong}; give the operation's fields as an object.`);
  }
  return { name: operation, input: toolInput(operation, { ...(takes && { [REASON]: reason }), ...members }) };
}

type Answer<More> = Promise<ToolResult | More>;

/** Carries out a call. Rejects if it is refused or fails. */
export async function runCall<More extends object = never>(call: ToolCall, caller: Caller<More>): Answer<More> {
  const { offer, actor, backend, perform } = caller;
  const { name, input } = call;
  if (isConfirmationTool(name) && offer.canWait) {
    const { gate } = await backend();
    requireOwnFields(name, input);
    if (name !== confirmationsWithdraw.name)
      return input.ids === undefined ? stateOf(idIn(input.id), gate, actor) : statesOf(input, gate, actor);
    const id = idIn(input.id);
    // Rejects for the question of another requester.
    await gate.follow(id, actor);
    await gate.withdraw(id, actor);
    return stateOf(id, gate, actor, 'Do not call it again unless the person wants it.');
  }
  if (offer.isBatchTool(name)) return batchCall(call, caller);
  if (name === 'search' && offer.lists(name)) return success(await offer.search(textIn(input, 'query', true)));
  if (name === 'describe' && offer.lists(name))
    return success(offer.describe(textIn(input, 'operation'), (await backend()).gate));
  offer.check(name);
  const { gate } = await backend();
  return perform({ id: name, ...reasonedInput(gate.tool(name), input) });
}

/**
 * The failure of a call, with the tools that find what the call lacks.
 *
 * @param given the call as it was made
 */
export async function failedCall(
  error: unknown,
  { name, input: given }: ToolCall,
  { offer, backend, onError }: Pick<Caller, 'offer' | 'backend'> & { onError?: ((error: unknown) => void) | undefined },
): Promise<{ operation: unknown; face: Failure }> {
  const face = failureOf(error, onError);
  const input = toolInput(name, given);
  const isNested = name === 'call' && offer.lists(name);
  const operation = isNested ? input.operation : name;
  // A backend that cannot be opened is what failed, so there is nothing to name.
  const opened = await backend().catch(() => undefined);
  if (!opened) return { operation, face };
  const { gate } = opened;
  const tool = gate.tool(String(operation));
  const fields = isNested ? recordOf(asSent({ type: 'object' }, input.input)) : input;
  const isLost = tool?.risk === 'read' && face.effect === undefined && isTransient(face);
  const known: Failure = isLost ? { ...face, effect: 'not_read' } : face;
  return { operation, face: withNextSteps(known, { tool, input: fields }, gate, offer) };
}

/* The results of tool calls for an assistant, the same over MCP and in a conversation. */

/** The result of a call that ran at once. */
export async function doneAnswer(id: string, done: Done, gate: Gate, offer: Offer): Promise<ToolResult> {
  const { value, json } = bounded(gate, id, done.value);
  const result = markOutside(outsideIn(gate.tool(id), value), success(value, json));
  if (done.partly) addPartly(result, partlyOutcome(done.partly, done.value));
  addConfirmed(result, done.actionId === undefined ? undefined : await gate.actions.get(done.actionId), gate.tool(id));
  // The change of a batch is its plan. The answer about the batch says what its rows have changed.
  if (id !== BATCH_RUN) addChanged(result, done.change, done.from);
  if (done.once && done.actionId) {
    const where =
      gate.pageUrl(done.actionId) ??
      `/confirm/${done.actionId}, opened in a browser that "switchboard key" paired or an approver signed in to`;
    tell(result, `A secret was generated for the person who confirmed; it is shown once at ${where}.`);
  }
  addNotOffered(result, offer);
  return result;
}

/** The result of a call that waits for a person. */
export async function pendingAnswer(confirmation: Confirmation, gate: Gate): Promise<ToolResult> {
  const found = success({ confirmation: pendingConfirmation(confirmation) });
  const outside = await outsideInConfirmation(gate, confirmation, 'confirmation.');
  const action = await gate.actions.get(confirmation.id);
  tell(found, ...waitingTexts(confirmation, gate.tool(action?.operation ?? ''), action));
  return markOutside(outside, found);
}

/** The tools that are no operations, by name. */
const BESIDE = new Map([...batchTools, ...discoverTools, ...confirmationTools].map((tool) => [tool.name, tool]));

/** The input of a tool that is no operation, as its client means it. That of an operation is read with the operation. */
function toolInput(name: string, given: Fields): Fields {
  const tool = BESIDE.get(name);
  return tool ? membersAsSent(tool.inputSchema, given) : given;
}

/* The results of the tools about calls that wait for a person, the same over MCP and in a conversation. */

function idIn(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw invalidInput('id', 'id: is missing; give it as a string.');
  if (value.startsWith('bat_'))
    throw invalidInput('id', 'id: is a batch; batches_get shows its state, and batches_stop stops it.');
  return value;
}

/** A call as an assistant reads it, with the members of it that hold text from outside, and its action if it is done. */
async function readCall(id: string, gate: Gate, actor: Actor, { under = '', next }: { under?: string; next?: string }) {
  const confirmation = await gate.follow(id, actor);
  const { status, headline, reason, decidedBy, decidedReason, requestedBy, requestedAt, result } = confirmation;
  const error = confirmation.error && { ...confirmation.error, ...defined({ next }) };
  const more = defined({ headline, reason, decidedBy, decidedReason, requestedBy, requestedAt, result, error });
  const shown = { id: confirmation.id, status, ...more };
  const action = status === 'done' || status === 'partly' ? await gate.actions.get(id) : undefined;
  const marks = await outsideInConfirmation(gate, shown, under);
  return { confirmation, shown: forAssistant(shown), marks, action };
}

/** @param next the next step after an error, if it is not the usual one */
async function stateOf(id: string, gate: Gate, actor: Actor, next?: string): Promise<ToolResult> {
  const { confirmation, shown, marks, action } = await readCall(id, gate, actor, defined({ next }));
  const after = action && (await linesNow([action], gate, actor));
  const found = success({ ...shown, ...defined({ now: after?.now }) });
  if (after && after.now === undefined) tell(found, 'Its lines could not be read again.');
  if (action?.state === 'partly') addPartly(found, outcomeOf(action, gate.tool(action.operation)));
  addConfirmed(found, action, gate.tool(action?.operation ?? ''));
  const until = confirmation.status === 'unknown' ? await gate.workedUntil(id) : undefined;
  tell(found, ...stateTexts(confirmation, until, Date.now()));
  return markOutside([...marks, ...(after?.outside ?? [])], found);
}

/** Most lines that are read again. */
const MOST_AFTER = 20;

/** The lines of changes as they are after them; without `now` if they cannot be read. Undefined if they are of no few lines. */
async function linesNow(actions: readonly Action[], gate: Gate, actor: Actor) {
  const { lookup } = groups.numbers ?? {};
  const named = actions.flatMap(({ operation, shown, known, result }) => {
    const tool = gate.tool(operation);
    return tool === undefined ? [] : [...exclusiveOf(tool, shown, known), result?.PhoneNumberAssigned];
  });
  const phones = named.filter((one): one is string => typeof one === 'string' && /^\+\d{7,15}$/.test(one));
  const PhoneNumbers = [...new Set(phones)];
  if (lookup === undefined || PhoneNumbers.length === 0 || PhoneNumbers.length > MOST_AFTER) return undefined;
  const done = await gate.perform(lookup, { PhoneNumbers }, actor).catch(() => undefined);
  if (done?.kind !== 'done') return { outside: [] };
  return { now: done.value, outside: outsideIn(gate.tool(lookup), done.value, 'now') };
}

/** The states of several calls. One that cannot be read has its error in its place. */
async function statesOf(input: Fields, gate: Gate, actor: Actor): Promise<ToolResult> {
  const { ids } = input;
  if (input.id !== undefined) throw invalidInput('ids', 'ids: give either id or ids.');
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > MOST_IDS)
    throw invalidInput('ids', `ids: give 1 to ${MOST_IDS} ids as an array.`);
  const reading = ids.map(idIn).map((id, i) =>
    readCall(id, gate, actor, { under: `confirmations[${i}].` }).catch((error: unknown) => {
      const shown: Fields = { id, error: faceOf(failureOf(error, undefined), 'assistant') };
      return { shown, marks: [], action: undefined };
    }),
  );
  const calls = await Promise.all(reading);
  const ended = calls.flatMap(({ action }) => action ?? []);
  const after = await linesNow(ended, gate, actor);
  const found = success({ confirmations: calls.map(({ shown }) => shown), ...defined({ now: after?.now }) });
  return markOutside([...calls.flatMap(({ marks }) => marks), ...(after?.outside ?? [])], found);
}

/** Carries out a call of a tool for batches. */
async function batchCall<More extends object>({ name, input }: ToolCall, caller: Caller<More>): Answer<More> {
  const { actor, asked, backend } = caller;
  requireOwnFields(name, input, caller.files !== undefined && name === batchesCreate.name ? ['File'] : []);
  const { gate, batches } = await backend();
  if (name === batchesCreate.name) return created(input, caller, batches);
  const id = textIn(input, 'id');
  if (name === batchesStop.name) return batchAnswer(await batches.stop(id, actor, 'client'));
  const view = await batches.view(id, actor);
  if (input.Page !== undefined)
    return pageAnswer(view, rowsPage(await batches.rows(id, actor), Number(input.Page)), gate.tool(view.operation));
  // The plan was not ready when the batch was made, so no call has asked yet.
  const isNew = asked !== undefined && view.actorId === actor.id && !asked.has(view.id);
  return isNew ? withQuestion(view, caller, batches) : batchAnswer(view, await exceptionsOf(batches, view, actor));
}

/**
 * Makes a batch of a list, or of what another batch has not done, and asks for its yes when its plan is ready. Refuses an
 * operation that this assistant may not call.
 */
async function created<More extends object>(given: Fields, caller: Caller<More>, batches: Batches): Answer<More> {
  const { offer, actor, files = [], notes, signal, repeated } = caller;
  if (repeated !== undefined) return withQuestion(await batches.view(repeated, actor), caller, batches);
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
  const answer = await withQuestion(view, caller, batches, isRepeat);
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
  { actor, asked, perform }: Caller<More>,
  batches: Batches,
  isRepeat = false,
): Answer<More> {
  const left = await exceptionsOf(batches, view, actor);
  if (view.state !== 'waiting') return batchAnswer(view, left);
  asked?.add(view.id);
  const repeats = isRepeat ? { isRepeat, requestedAt: new Date(view.createdAt).toISOString() } : undefined;
  const answer = await perform({ id: BATCH_RUN, ...(await batches.question(view.id, actor)), repeats });
  if (!isResult(answer) || answer.isError) return answer;
  return withBatch(answer, batchAnswer(await batches.view(view.id, actor), left));
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

function requireOwnFields(name: string, input: Fields, more: readonly string[] = []): void {
  requireFields(name, input, [...Object.keys(BESIDE.get(name)?.inputSchema.properties ?? {}), ...more]);
}

/** The text in a field of a call. Throws `invalid_input` if there is none. */
function textIn(input: Fields, field: string, mayBeEmpty = false): string {
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

/** Rows that were left out or not done, which an answer names without their page. */
const MOST_EXCEPTIONS = 5;

/** The result about a batch, with the first of its rows that were left out or not done. Texts of others are marked. */
function batchAnswer(view: BatchView, left: readonly BatchRow[] = []): ToolResult {
  const first = left.slice(0, MOST_EXCEPTIONS);
  const more = left.length - first.length;
  const exceptions = first.map((row) => {
    const [target, reason] = [row.target || undefined, reasonOf(row) || undefined];
    return defined({ row: row.n, target, status: outcomeText(row, view.state), reason });
  });
  const isQuoted = first.some(({ failure }) => failure !== undefined && isQuoting(failure));
  const isOwn = first.every(({ target }) => isPlainValue(target));
  const marks = [
    ...outsideInBatch(view, 'batch.'),
    ...(isOwn ? [] : ['batch.exceptions[].target']),
    ...(isQuoted ? ['batch.exceptions[].reason'] : []),
  ];
  const named = { ...(first.length > 0 && { exceptions }), ...(more > 0 && { moreExceptions: more }) };
  const answer = markOutside(marks, success({ batch: { ...batchData(view, 'assistant'), ...named } }));
  addChanged(answer, view.changed);
  return answer;
}

/** A page of the rows of a batch. Texts of others are marked. */
function pageAnswer(
  view: BatchView,
  { rows: shown, page, pages, differs }: RowsPage,
  tool: Tool | undefined,
): ToolResult {
  const brief = tool && batchedBy(tool)?.brief;
  const rows = shown.map((row) => ({ ...rowData(row, differs, { ...view, brief }), ...changedData(row) }));
  // The state and the ids of a row are Switchboard's own words, and so is a reason without quotations.
  const bare = rows.map(({ result: _result, status: _status, actionId: _actionId, reason, ...row }, at) => {
    const failure = shown[at]?.failure;
    return failure === undefined || isQuoting(failure) ? { ...row, ...defined({ reason }) } : row;
  });
  const ofResults = rows.flatMap(({ result }) => outsideIn(tool, result, 'rows[].result'));
  const marks = [...outsideInBatch(view, 'batch.'), ...outsideIn(undefined, { rows: bare }), ...ofResults];
  return markOutside([...new Set(marks)], success({ batch: batchData(view, 'assistant'), rows, page, pages }));
}

/** The answer to the question of a batch, with the result about the batch. */
function withBatch(waiting: ToolResult, own: ToolResult): ToolResult {
  const { confirmation } = waiting.structuredContent ?? {};
  const value: Fields = { ...own.structuredContent, ...defined({ confirmation }) };
  const content = [...success(value).content, ...waiting.content.slice(1), ...own.content.slice(1)];
  const outside = [waiting, own].flatMap(({ _meta }) => _meta?.['switchboard/outside'] ?? []);
  const marked = outside.length > 0 && { _meta: { ...waiting._meta, 'switchboard/outside': outside } };
  return { ...waiting, structuredContent: value, content, ...marked };
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
