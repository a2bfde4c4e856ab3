import type { Batches, BatchView } from '../batches/batches.ts';
import type { GivenList } from '../batches/rows.ts';
import type { Decider } from '../gate/approval.ts';
import type { Gate, Performed } from '../gate/gate.ts';
import { pendingAnswer } from '../language/assistants/answers.ts';
import {
  batchAnswer,
  createBatch,
  getBatch,
  requestTime,
  requireArguments,
  type ShownRows,
  stopBatch,
  waitingBatchAnswer,
} from '../language/assistants/batch-arguments.ts';
import { batchesCreate, batchesGet } from '../language/assistants/batch-tools.ts';
import type { Offer, ToolResult } from '../language/assistants/offer.ts';
import type { Actor } from '../lib/actor.ts';
import { invalidInput } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import type { GivenFile } from './turn-forms.ts';

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
  /** Set if the call stopped a batch: "Stopped the batch batch_1". */
  done?: string;
}

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
    if (name === batchesGet.name) {
      const { view, ...rows } = await getBatch(this.#options, input);
      return this.#shown(view, rows);
    }
    const view = await stopBatch(this.#options, input);
    return { ...this.#shown(view), done: `Stopped the batch ${view.id}` };
  }

  #shown(view: BatchView, rows: ShownRows = {}): BatchAnswer {
    return { result: batchAnswer(view, this.#options.gate, rows) };
  }

  async #create(input: Fields, name: unknown): Promise<BatchAnswer> {
    const { batches, gate, actor } = this.#options;
    const file = name === undefined ? undefined : this.#listNamed(name);
    const { view, left, isRepeat } = await createBatch(this.#options, input, { ...this.#options, file });
    const pending = view.state === 'waiting' ? await this.#ask(view.id) : undefined;
    const now = await batches.view(view.id, actor);
    if (pending === undefined)
      return { ...this.#shown(now, { left }), ...(now.plan?.risk === 'read' && { runs: now.id }) };
    const repeats = isRepeat ? { isRepeat, requestedAt: requestTime(view) } : {};
    const waiting = await pendingAnswer({ ...pending.confirmation, ...repeats }, gate);
    return { result: waitingBatchAnswer(now, waiting, left), pending };
  }

  /** The list that came with the message. */
  #listNamed(name: unknown): GivenList {
    const { files } = this.#options;
    const found = files.find((one) => one.name === name);
    if (found) return { text: found.text };
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
