import type { BatchView } from '../../batches/batches.ts';
import { PLAN_WAIT_MS } from '../../batches/batches.ts';
import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import { addBatchRepeat, batchAnswer, waitingBatchAnswer } from '../../language/assistants/batch-answers.ts';
import {
  againIn,
  controlIn,
  inFields,
  requestIn,
  requireArguments,
  requireBatch,
  textIn,
} from '../../language/assistants/batch-arguments.ts';
import { batchesCreate, batchesGet } from '../../language/assistants/batch-tools.ts';
import type { Offer } from '../../language/assistants/offer.ts';
import { invalidInput } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import { visible } from '../../lib/text.ts';
import { type Call, openState } from './call-state.ts';
import type { McpOptions } from './options.ts';
import type { InputNeeded, RequestContext, ToolResult } from './protocol.ts';

type Answer = ToolResult | InputNeeded;

/** Runs a gated call as any other tool call: asks the client's user if possible, otherwise the call waits. */
export type PerformGated = (id: string, input: Fields, call: Call, context: RequestContext) => Promise<Answer>;

/** The batch tools of one client. */
export class BatchCalls {
  readonly #options: McpOptions;
  readonly #offer: Offer;
  readonly #perform: PerformGated;
  /** Batches about which this client's user was asked. */
  readonly #asked = new Set<string>();

  constructor(options: McpOptions, offer: Offer, perform: PerformGated) {
    this.#options = options;
    this.#offer = offer;
    this.#perform = perform;
  }

  /** True for a tool of this class that this client may call. */
  has(name: string): boolean {
    return this.#offer.batchTools.some((tool) => tool.name === name);
  }

  call(call: Call, context: RequestContext): Promise<Answer> {
    requireArguments(call.name, call.input);
    if (call.name === batchesCreate.name) return this.#create(call, context);
    return call.name === batchesGet.name ? this.#get(call, context) : this.#control(call);
  }

  async #create(call: Call, context: RequestContext): Promise<Answer> {
    const { batches } = await this.#options.backend();
    const { actor } = this.#options;
    const { id, read, askedAt } = await this.#batchOf(call, context);
    const wait = { ms: PLAN_WAIT_MS, signal: context.signal };
    const view = await batches.whileIn(['planning'], id, actor, wait);
    const answer = await this.#withQuestion(view, call, context);
    if ('content' in answer && !answer.isError && read.length > 0)
      answer.content.push({ type: 'text', text: visible(read.join(' ')) });
    if ('content' in answer && askedAt !== undefined) addBatchRepeat(answer, view, askedAt);
    return answer;
  }

  /** The batch of a call: a new one, or the one that the client was asked about when it repeats the call. */
  async #batchOf(call: Call, { questions }: RequestContext): Promise<{ id: string; read: string[]; askedAt?: string }> {
    const { batches, gate, seal } = await this.#options.backend();
    const { actor } = this.#options;
    const sealed = questions?.kind === 'returned' ? questions.state : undefined;
    if (sealed !== undefined) {
      const asked = await gate.actions.get(openState(seal, sealed, actor, call).action);
      if (asked?.operation === BATCH_RUN) return { id: String(asked.shown.Batch), read: [] };
    }
    const earlier = againIn(call.input);
    if (earlier !== undefined) return { id: await this.#again(earlier), read: [] };
    const made = await batches.create(requestIn(call.input, this.#offer), actor).catch(inFields);
    const askedAt = made.isRepeat ? { askedAt: new Date(made.view.createdAt).toISOString() } : {};
    return { id: made.view.id, read: made.read, ...askedAt };
  }

  /** The id of a new batch for what another one has not done. */
  async #again(id: string): Promise<string> {
    const { batches } = await this.#options.backend();
    const { actor } = this.#options;
    requireBatch((await batches.view(id, actor)).operation, this.#offer);
    return (await batches.again(id, actor)).id;
  }

  /** The result for a batch; asks the client's user first if it waits for a yes. */
  async #withQuestion(view: BatchView, call: Call, context: RequestContext): Promise<Answer> {
    const { batches, gate } = await this.#options.backend();
    if (view.state !== 'waiting') return batchAnswer(view, gate);
    const { actor } = this.#options;
    this.#asked.add(view.id);
    const answer = await this.#perform(BATCH_RUN, await batches.question(view.id, actor), call, context);
    if (!('content' in answer) || answer.isError) return answer;
    return waitingBatchAnswer(await batches.view(view.id, actor), answer);
  }

  async #get(call: Call, context: RequestContext): Promise<Answer> {
    const { batches, gate } = await this.#options.backend();
    const { actor } = this.#options;
    const id = textIn(call.input, 'id');
    if (id.startsWith('act_')) throw invalidInput('id', 'id: is not a batch; confirmations_get shows its state.');
    const view = await batches.view(id, actor);
    const { Page } = call.input;
    if (Page !== undefined) return batchAnswer(view, gate, await batches.page(id, actor, Number(Page)));
    // The plan was not ready when the batch was created, so the client's user has not been asked yet.
    const isOwn = view.state === 'waiting' && view.actorId === actor.id && !this.#asked.has(id);
    return isOwn ? this.#withQuestion(view, call, context) : batchAnswer(view, gate);
  }

  async #control(call: Call): Promise<Answer> {
    const { batches, gate } = await this.#options.backend();
    const { actor } = this.#options;
    return batchAnswer(await batches.control(textIn(call.input, 'id'), controlIn(call.input), actor, 'client'), gate);
  }
}
