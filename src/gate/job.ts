import type { Tool } from '../catalogue/operation.ts';
import type { Actor } from '../lib/actor.ts';
import type { Fields } from '../lib/json.ts';
import type { PerformOptions } from './confirmation.ts';

/** The caller, the deadline and the listeners of a call. The steps of a workflow share them. */
export interface JobContext extends PerformOptions {
  readonly actor: Actor;
  /** Epoch ms. */
  readonly deadline: number;
  /** True if a person confirmed the call, so that its steps may run gated operations. */
  readonly confirmed: boolean;
  /** Asked before each attempt to send; false withdraws the call. */
  readonly mayBegin?: () => Promise<boolean>;
  /** Asked right before the first byte is written; false withdraws the call. */
  readonly mayWrite?: () => boolean;
  /** The action of the workflow that sends this step. */
  readonly partOf?: string;
}

/** One call on its way through the gate. */
export interface Job extends JobContext {
  readonly tool: Tool;
  /** Parsed, with the fields that were filled in. */
  readonly input: Fields;
  /** The part of the input that the caller gave. */
  readonly said: Fields;
}
