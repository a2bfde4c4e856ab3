import type { Batches, BatchView, RowsPage } from '../batches/batches.ts';
import { PLAN_WAIT_MS } from '../batches/batches.ts';
import type { Decider } from '../gate/approval.ts';
import type { Gate, Performed } from '../gate/gate.ts';
import { pendingAnswer } from '../language/assistants/answers.ts';
import { batchAnswer, waitingBatchAnswer } from '../language/assistants/batch-answers.ts';
import {
  againIn,
  controlIn,
  inFields,
  requestIn,
  requireArguments,
  requireBatch,
  textIn,
} from '../language/assistants/batch-arguments.ts';
import { batchesCreate, batchesGet } from '../language/assistants/batch-tools.ts';
import type { ToolResult } from '../language/assistants/content.ts';
import type { Offer } from '../language/assistants/offer.ts';
import type { Actor } from '../lib/actor.ts';
import { invalidInput } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import type { GivenFile } from './turn-files.ts';

export interface TurnBatchesOptions {
  batches: Batches;
  gate: Gate;
  offer: Offer;
  actor: Actor;
  /** The person who would decide, and the way. Needed if CONFIRM_VIA allows only the terminal. */
  decider: Decider | undefined;
  /** Stored with the question of a batch. */
  notes: Fields | undefined;
  signal: AbortSignal;
  /** Lists that came with the message. */
  files: readonly GivenFile[];
}

/** The answer of a call: the batch for the model, and its question if a person has to decide. */
export interface BatchAnswer {
  result: ToolResult;
  pending?: Extract<Performed, { kind: 'pending' }>;
  /** The id of a batch of reads, which runs without a question. */
  runs?: string;
  /** Set if the call controlled a batch: "Paused the batch batch_1". */
  done?: string;
}

const DONE = { pause: 'Paused the batch', resume: 'Resumed the batch', stop: 'Stopped the batch' } as const;

/** The tools for batches in a turn of the conversation. */
export class TurnBatches {
  readonly #options: TurnBatchesOptions;

  constructor(options: TurnBatchesOptions) {
    this.#options = options;
  }

  /** True for a tool of this class that the writer may call. */
  has(name: string): boolean {
    return this.#options.offer.batchTools.some((tool) => tool.name === name);
  }

  async call(name: string, given: Fields): Promise<BatchAnswer> {
    const { File, ...input } = given;
    requireArguments(name, name === batchesCreate.name ? input : given);
    if (name === batchesCreate.name) return this.#create(input, File);
    const { batches, actor } = this.#options;
    const id = textIn(input, 'id');
    if (name !== batchesGet.name) {
      const control = controlIn(input);
      const controlled = await batches.control(id, control, actor, 'client');
      return { ...this.#shown(controlled), done: `${DONE[control]} ${id}` };
    }
    const view = await batches.view(id, actor);
    return this.#shown(view, input.Page === undefined ? undefined : await batches.page(id, actor, Number(input.Page)));
  }

  #shown(view: BatchView, page?: RowsPage): BatchAnswer {
    return { result: batchAnswer(view, this.#options.gate, page) };
  }

  async #create(input: Fields, file: unknown): Promise<BatchAnswer> {
    const { batches, gate, actor, signal } = this.#options;
    const id = await this.#batchOf(input, file);
    const view = await batches.whileIn(['planning'], id, actor, { ms: PLAN_WAIT_MS, signal });
    const pending = view.state === 'waiting' ? await this.#ask(id) : undefined;
    if (pending === undefined) {
      const now = await batches.view(id, actor);
      return { ...this.#shown(now), ...(now.plan?.risk === 'read' && { runs: id }) };
    }
    const waiting = await pendingAnswer(pending.confirmation, gate);
    return { result: waitingBatchAnswer(await batches.view(id, actor), waiting), pending };
  }

  /** The id of a new batch, for a list or for what another batch has not done. */
  async #batchOf(input: Fields, file: unknown): Promise<string> {
    const { batches, offer, actor, notes } = this.#options;
    const earlier = againIn(input);
    if (earlier === undefined) {
      const list = file === undefined ? undefined : { text: this.#textOf(file) };
      return (await batches.create({ ...requestIn(input, offer, list), notes }, actor).catch(inFields)).view.id;
    }
    requireBatch((await batches.view(earlier, actor)).operation, offer);
    return (await batches.again(earlier, actor, notes)).id;
  }

  /** The text of a list that came with the message. */
  #textOf(name: unknown): string {
    const { files } = this.#options;
    const found = files.find((one) => one.name === name);
    if (found) return found.text;
    const names = files.map((one) => one.name).join(', ');
    throw invalidInput(
      'File',
      `File: there is none with this name. ${names === '' ? 'No list came with the message.' : `The message has ${names}.`}`,
    );
  }

  /** The plan has asked by itself, so this is the question that waits. */
  async #ask(id: string): Promise<BatchAnswer['pending']> {
    const { batches, actor, decider, notes, signal } = this.#options;
    const performed = await batches.ask(id, actor, {
      signal,
      ...(notes && { notes }),
      // The gate keeps the question open. The surface asks after the turn, and the model never learns the answer.
      ...(decider && { decider, ask: async () => 'unavailable' as const }),
    });
    return performed.kind === 'pending' ? performed : undefined;
  }
}
