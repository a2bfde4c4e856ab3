import { type Batches, type BatchView, PLAN_WAIT_MS } from '../../batches/batches.ts';
import type { GivenList } from '../../batches/rows.ts';
import { type BatchRow, isException } from '../../batches/states.ts';
import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import type { Actor } from '../../lib/actor.ts';
import { asSwitchboardError, invalidInput } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import { joined } from '../../lib/words.ts';
import { rowsPage } from '../batch-words.ts';
import { addBatchRepeat, batchAnswer, requestTime, waitingBatchAnswer } from './batch-answers.ts';
import { requestIn, requireArguments, requireBatch, restIn, textIn } from './batch-arguments.ts';
import { batchesCreate, batchesStop } from './batch-tools.ts';
import { withoutReason } from './listed.ts';
import type { Caller, GivenFile, ToolCall, ToolResult } from './offer.ts';
import { tell } from './results.ts';

/** A caller, with the batches that it has to have. */
type BatchCaller<More extends object> = Caller<More> & { batches: Batches };

/** Carries out a call of a tool for batches. */
export async function batchCall<More extends object>(
  { name, input }: ToolCall,
  caller: Caller<More>,
): Promise<ToolResult | More> {
  const { actor, asked, backend } = caller;
  requireArguments(name, input, caller.files !== undefined);
  const { gate, batches } = await backend();
  if (!batches) throw new Error('there are no batches here');
  if (name === batchesCreate.name) return created(input, { ...caller, batches });
  const id = textIn(input, 'id');
  if (id.startsWith('act_')) throw invalidInput('id', 'id: is not a batch; confirmations_get shows its state.');
  if (name === batchesStop.name) return batchAnswer(await batches.stop(id, actor, 'client'), gate);
  const view = await batches.view(id, actor);
  if (input.Page !== undefined)
    return batchAnswer(view, gate, { page: rowsPage(await batches.rows(id, actor), Number(input.Page)) });
  const left = await exceptionsOf(batches, view, actor);
  // The plan was not ready when the batch was made, so nobody was asked in a call yet.
  const isNew = asked !== undefined && view.actorId === actor.id && !asked.has(id);
  return isNew ? withQuestion(view, { left }, { ...caller, batches }) : batchAnswer(view, gate, { left });
}

/**
 * Makes a batch of a list, or of what another batch has not done, and asks for its yes when its plan is ready. Refuses an
 * operation that this assistant may not call.
 */
async function created<More extends object>(given: Fields, caller: BatchCaller<More>): Promise<ToolResult | More> {
  const { batches, offer, actor, files, notes, signal, repeated } = caller;
  if (repeated !== undefined) return withQuestion(await batches.view(repeated, actor), { left: [] }, caller);
  const { File, ...members } = given;
  const { input, reason } = withoutReason(members);
  const file = File === undefined ? undefined : listNamed(File, files ?? []);
  const earlier = restIn(input);
  if (earlier !== undefined) requireBatch((await batches.view(earlier, actor)).operation, offer);
  const made =
    earlier === undefined
      ? await batches.create({ ...requestIn(input, offer, file), notes, reason }, actor).catch(inFields)
      : await batches.rest(earlier, actor, { notes, reason });
  const isPlanning = ({ state }: BatchView) => state === 'planning';
  const view = await batches.while(isPlanning, made.view.id, actor, { ms: PLAN_WAIT_MS, signal });
  const { isRepeat, read } = made;
  caller.onBatch?.(view);
  const answer = await withQuestion(view, { left: await exceptionsOf(batches, view, actor), isRepeat }, caller);
  if (!isResult(answer)) return answer;
  if (!answer.isError && read.length > 0) tell(answer, read.join(' '));
  if (isRepeat) addBatchRepeat(answer, view);
  return answer;
}

/** The result for a batch. A person is asked first if it waits for a yes. */
async function withQuestion<More extends object>(
  view: BatchView,
  { left, isRepeat = false }: { left: readonly BatchRow[]; isRepeat?: boolean },
  { actor, asked, backend, batches, perform }: BatchCaller<More>,
): Promise<ToolResult | More> {
  if (view.state !== 'waiting') return batchAnswer(view, (await backend()).gate, { left });
  asked?.add(view.id);
  const repeats = isRepeat ? { isRepeat, requestedAt: requestTime(view) } : undefined;
  const answer = await perform({ id: BATCH_RUN, ...(await batches.question(view.id, actor)), repeats });
  if (!isResult(answer) || answer.isError) return answer;
  return waitingBatchAnswer(await batches.view(view.id, actor), answer, left);
}

function isResult(answer: object): answer is ToolResult {
  return 'content' in answer;
}

/** The rows that were left out or not done. */
async function exceptionsOf(batches: Batches, { id, counts }: BatchView, actor: Actor): Promise<BatchRow[]> {
  if (counts.left_out + counts.failed + counts.unknown === 0) return [];
  return (await batches.rows(id, actor)).filter(isException);
}

/** The list that came with the message. */
function listNamed(name: unknown, files: readonly GivenFile[]): GivenList {
  const found = files.find((one) => one.name === name);
  if (found) return { text: found.text };
  const names = files.map((one) => one.name).join(', ');
  throw invalidInput(
    'File',
    `File: there is none with this name. ${names === '' ? 'No list came with the message.' : `The message has ${names}.`}`,
  );
}

/** For a request that was refused: names a field of the operation as a member of `Fields`. */
function inFields(error: unknown): never {
  const { face } = asSwitchboardError(error);
  const { field } = face;
  if (face.code !== 'invalid_input' || field === undefined || field in (batchesCreate.inputSchema.properties ?? {}))
    throw error;
  throw invalidInput(`Fields.${field}`, joined(['Fields.', face.message], ''));
}
