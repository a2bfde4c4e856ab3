import type { Batches, BatchView } from '../../batches/batches.ts';
import type { Confirmation, Gate } from '../../gate/gate.ts';
import type { Actor } from '../../lib/actor.ts';
import type { Fields } from '../../lib/json.ts';
import type { Offer, ToolResult } from './offer.ts';

/** A call of an operation or of a tool beside the operations. */
export interface ToolCall {
  name: string;
  input: Fields;
}

/** An operation to perform, and the caller's reason for it. */
export interface GatedCall {
  id: string;
  input: Fields;
  reason?: string | undefined;
  /** Set if the caller has asked for the same before. */
  repeats?: Pick<Confirmation, 'isRepeat' | 'requestedAt'> | undefined;
}

/** A list that came with a message. */
export interface GivenFile {
  name: string;
  /** Its text: CSV, or a value in each line. */
  text: string;
}

/** The caller of a tool. `More`: what it may be answered with besides a result. */
export interface Caller<More extends object = never> {
  offer: Offer;
  actor: Actor;
  /** Opened at the first call that needs it. `batches`: undefined where they are not offered. */
  backend: () => Promise<{ gate: Gate; batches: Batches | undefined }>;
  signal: AbortSignal;
  /** Performs an operation through the gate, or asks for the yes of a batch. */
  perform: (asked: GatedCall) => Promise<ToolResult | More>;
  /** Stored with the question of a batch, for the surface that shows its card. */
  notes?: Fields | undefined;
  /** The lists that came with the message. Undefined where no list can come. */
  files?: readonly GivenFile[];
  /** The batches about which this caller was asked. Undefined where the state of a batch asks nobody. */
  asked?: Set<string>;
  /** Id of the batch that this call was made for before, if it is repeated with its user's answer. */
  repeated?: string | undefined;
  /** Called with the batch that a call has made. */
  onBatch?: (view: BatchView) => void;
}
