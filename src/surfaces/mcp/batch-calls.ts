import type { BatchView } from '../../batches/batches.ts';
import type { BatchRow } from '../../batches/states.ts';
import { REASON_OF_ASSISTANT } from '../../cards/requester.ts';
import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import type { Confirmation } from '../../gate/gate.ts';
import {
  addBatchRepeat,
  batchAnswer,
  createBatch,
  getBatch,
  requestTime,
  requireArguments,
  stopBatch,
  waitingBatchAnswer,
} from '../../language/assistants/batch-arguments.ts';
import { batchesCreate, batchesGet } from '../../language/assistants/batch-tools.ts';
import type { Offer } from '../../language/assistants/offer.ts';
import type { Fields } from '../../lib/json.ts';
import { visible } from '../../lib/text.ts';
import type { McpOptions } from './options.ts';
import type { InputNeeded, RequestContext, ToolResult } from './protocol.ts';
import { type Call, openState } from './questions.ts';

type Answer = ToolResult | InputNeeded;

/** Runs a gated call as any other tool call: asks the client's user if possible, otherwise the call waits. */
export type PerformGated = (asked: GatedCall, call: Call, context: RequestContext) => Promise<Answer>;

/** An operation to perform, and the caller's reason for it. */
export interface GatedCall {
  id: string;
  input: Fields;
  reason?: string | undefined;
  /** Set if the caller has asked for the same before. */
  repeats?: Pick<Confirmation, 'isRepeat' | 'requestedAt'> | undefined;
}

/** Stored with what Slackbot asks in the name of a person: the words about it are the assistant's. */
export const ASSISTANT_NOTES: Fields = { [REASON_OF_ASSISTANT]: true };

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
    return call.name === batchesGet.name ? this.#get(call, context) : this.#stop(call);
  }

  async #create(call: Call, context: RequestContext): Promise<Answer> {
    const asked = await this.#askedAbout(call, context);
    if (asked !== undefined) return this.#withQuestion(asked, call, context, { left: [] });
    const { view, read, left, isRepeat } = await createBatch(await this.#caller(), call.input, {
      signal: context.signal,
      ...(this.#options.slackbot && { notes: ASSISTANT_NOTES }),
    });
    const answer = await this.#withQuestion(view, call, context, { left, isRepeat });
    if ('content' in answer && !answer.isError && read.length > 0)
      answer.content.push({ type: 'text', text: visible(read.join(' ')) });
    if ('content' in answer && isRepeat) addBatchRepeat(answer, view);
    return answer;
  }

  /** The batch that the client's user was asked about, if the client repeats that call. */
  async #askedAbout(call: Call, { questions }: RequestContext): Promise<BatchView | undefined> {
    if (questions?.kind !== 'returned' || questions.state === undefined) return undefined;
    const { batches, gate, seal } = await this.#options.backend();
    const { actor } = this.#options;
    const asked = await gate.actions.get(openState(seal, questions.state, actor, call).action);
    return asked?.operation === BATCH_RUN ? batches.view(String(asked.shown.Batch), actor) : undefined;
  }

  async #caller() {
    const { batches } = await this.#options.backend();
    return { batches, offer: this.#offer, actor: this.#options.actor };
  }

  /** The result for a batch; asks the client's user first if it waits for a yes. */
  async #withQuestion(
    view: BatchView,
    call: Call,
    context: RequestContext,
    { left, isRepeat = false }: { left: readonly BatchRow[]; isRepeat?: boolean },
  ): Promise<Answer> {
    const { batches, gate } = await this.#options.backend();
    if (view.state !== 'waiting') return batchAnswer(view, gate, { left });
    const { actor } = this.#options;
    this.#asked.add(view.id);
    const repeats = isRepeat ? { isRepeat, requestedAt: requestTime(view) } : undefined;
    const asked = { id: BATCH_RUN, ...(await batches.question(view.id, actor)), repeats };
    const answer = await this.#perform(asked, call, context);
    if (!('content' in answer) || answer.isError) return answer;
    return waitingBatchAnswer(await batches.view(view.id, actor), answer, left);
  }

  async #get(call: Call, context: RequestContext): Promise<Answer> {
    const { gate } = await this.#options.backend();
    const { view, ...rows } = await getBatch(await this.#caller(), call.input);
    // The plan was not ready when the batch was created, so the client's user has not been asked yet.
    const isOwn = view.state === 'waiting' && view.actorId === this.#options.actor.id && !this.#asked.has(view.id);
    const { left } = rows;
    return isOwn && left ? this.#withQuestion(view, call, context, { left }) : batchAnswer(view, gate, rows);
  }

  async #stop(call: Call): Promise<Answer> {
    const { gate } = await this.#options.backend();
    return batchAnswer(await stopBatch(await this.#caller(), call.input), gate, {});
  }
}
