import { presets } from '../../../tools/groups.ts';
import type { Batches } from '../../batches/batches.ts';
import type { BatchView } from '../../batches/states.ts';
import { select } from '../../catalogue/operation.ts';
import type { Confirmation } from '../../gate/confirmation.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Actor } from '../../lib/actor.ts';
import { invalidInput, SwitchboardError } from '../../lib/errors.ts';
import { nearest } from '../../lib/nearest.ts';
import { defined, type Fields } from '../../lib/values.ts';
import {
  batchesCreate,
  batchToolsFor,
  confirmationTools,
  discoverTools,
  isConfirmationTool,
  type ListedTool,
  REASON,
} from './own-tools.ts';

const MAX_FOUND = 6;
/** `search` names the operations among this many best matches of the whole catalogue that are not offered. */
const NEAR = 5;
/** Characters by which a name may differ from that of the operation that was meant. */
const MOST_SLIPS = 2;
/** The settings that decide what one assistant may call. */
export interface OfferOptions {
  listed: readonly ListedTool[];
  toolsets: readonly string[];
  readOnly: boolean;
  /** True for search, describe and call instead of one tool per operation. */
  discover: boolean;
  actor: Actor;
}

/** The operations that one client may call, by toolset, read-only mode and role. */
export class Offer {
  /** The tools as the client lists them. */
  readonly tools: readonly ListedTool['tool'][];
  /** True if a call can wait for a person. If so, the tools about such calls are offered. */
  readonly canWait: boolean;
  /** The tools for batches; none if no offered operation can run as a batch. */
  readonly batchTools: readonly ListedTool['tool'][];
  /** The tools beside the operations. */
  readonly #besides: readonly ListedTool['tool'][];
  readonly #offered: readonly ListedTool[];
  readonly #byId: ReadonlyMap<string, ListedTool>;
  readonly #options: OfferOptions;

  constructor(options: OfferOptions) {
    const { toolsets, readOnly, actor, listed, discover } = options;
    this.#options = options;
    this.#offered = select(listed, presets, { toolsets, readOnly, role: actor.role });
    this.#byId = new Map(this.#offered.map((entry) => [entry.id, entry]));
    this.canWait = this.#offered.some((entry) => entry.risk !== 'read');
    const tools = discover
      ? discoverTools.map((tool) => (this.canWait ? tool : withReadHints(tool)))
      : this.#offered.map((entry) => entry.tool);
    const operations = this.#offered.filter(({ batch }) => batch);
    const made = operations.length === 0 ? [] : batchToolsFor(operations, this.canWait);
    this.batchTools = this.canWait ? made : made.map(withReadHints);
    this.#besides = [...this.batchTools, ...(this.canWait ? confirmationTools : [])];
    this.tools = [...tools, ...this.#besides];
  }

  /** The number of offered operations, and of all. */
  get counts(): { offered: number; all: number } {
    return { offered: this.#offered.length, all: this.#options.listed.length };
  }

  /** The operation as it is listed; undefined if it is not offered. */
  listed(id: string): ListedTool | undefined {
    return this.#byId.get(id);
  }

  /** True for an operation or another tool that takes a reason. */
  takesReason(id: string): boolean {
    const tool = this.listed(id)?.tool ?? this.#toolBeside(id);
    return REASON in (tool?.inputSchema.properties ?? {});
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** True for a tool that the client lists. */
  lists(name: string): boolean {
    return this.tools.some((tool) => tool.name === name);
  }

  isBatchTool(name: string): boolean {
    return this.batchTools.some((tool) => tool.name === name);
  }

  /** Refuses an operation that this client may not call. */
  check(id: string, field?: string): void {
    if (this.has(id)) return;
    if (!this.#isKnown(id)) {
      const meant = nearest(id, [...this.#byId.keys(), ...this.#besides.map(({ name }) => name)], MOST_SLIPS);
      const search = this.#options.discover ? 'Find one with search.' : 'tools/list shows the available ones.';
      const hint = meant === undefined ? search : `Did you mean ${meant}?`;
      throw invalidInput(field, `There is no operation ${id}. ${hint}`);
    }
    throw new SwitchboardError({ code: 'forbidden_by_role', outcome: 'not_done', ...this.#exclusion(id) });
  }

  /** Why an operation is not offered, and what the person can do. */
  #exclusion(id: string): { message: string; next: string } {
    const { listed, toolsets, readOnly, actor } = this.#options;
    const inToolsets = select(listed, presets, { toolsets, readOnly: false, role: 'operator' });
    const isMissing = !inToolsets.some((entry) => (isConfirmationTool(id) ? entry.risk !== 'read' : entry.id === id));
    const why = isMissing
      ? `the toolsets of this connection do not have it (MCP_TOOLSETS=${toolsets.join(',')})`
      : `it is about changes, and this connection ${readOnly ? 'is read-only (MCP_READ_ONLY)' : `has the role ${actor.role}`}`;
    return {
      message: `${id} is not offered: ${why}.`,
      next: 'Tell the person, who can run it in Slack or at the terminal. Take no harsher operation instead.',
    };
  }

  /**
   * Finds operations, and tools beside them, by words, the best first. An empty query lists all operations. Operations
   * that match well but are not offered are named. If the best match is one of them, a hint says so and reads come first,
   * so that an assistant does not use a worse one.
   */
  async search(query: string): Promise<Fields> {
    if (query.trim() === '') return { operations: this.#offered.map(found) };
    // Loaded at the first search, because few clients search.
    const { loadReader } = await import('../../nlu/reader.ts');
    const reader = loadReader();
    // No setting of a connection without tools for batches would offer one.
    const exists = (id: string) => this.#found(id) !== undefined || this.#isKnown(id);
    const ids = reader.search(query, exists);
    const isLacking = reader.lacks(query);
    const [best] = ids;
    const isWithheld = best !== undefined && this.#found(best) === undefined;
    const operations = ids.map((id) => this.#found(id)).filter((one) => one !== undefined);
    if (isWithheld) operations.sort((one, other) => Number(other.risk === 'read') - Number(one.risk === 'read'));
    const withheld = isLacking ? [] : ids.slice(0, NEAR).filter((id) => this.#found(id) === undefined);
    const { message = '', next = '' } = isWithheld ? this.#exclusion(best) : {};
    const none = operations.length === 0 ? 'Nothing matches; an empty query lists every operation.' : undefined;
    const other = isWithheld ? `${message} ${next}` : none;
    const hint = isLacking ? 'No operation does this. Tell the person; take no other change instead.' : other;
    // Before the operations, because models act on the first that they read.
    const notOfferedHere = withheld.length === 0 ? undefined : withheld;
    return defined({ hint, notOfferedHere, operations: operations.slice(0, MAX_FOUND) });
  }

  #isKnown(id: string): boolean {
    return isConfirmationTool(id) || this.#options.listed.some((entry) => entry.id === id);
  }

  /** An operation or a tool beside them, as `search` names it; undefined if it is not offered. */
  #found(id: string): Fields | undefined {
    const entry = this.#byId.get(id);
    const beside = this.#toolBeside(id);
    return entry ? found(entry) : beside && { id, title: beside.title };
  }

  /** The definition of one operation, for a client in discover mode. */
  describe(id: string, gate: Gate): Fields {
    const entry = this.#byId.get(id);
    const beside = this.#toolBeside(id);
    if (beside) {
      const described = { id, title: beside.title, description: beside.description, inputSchema: beside.inputSchema };
      if (id !== batchesCreate.name) return described;
      const rows = this.#offered.flatMap(({ id: operation, batch }) => (batch ? [[operation, batch] as const] : []));
      // `row` is the field that every row has. An operation with a `list` takes up to `most` rows in one call without a batch.
      return { ...described, rows: Object.fromEntries(rows) };
    }
    this.check(id, 'operation');
    if (!entry) throw new Error(`${id} is no operation`);
    const { title, description, inputSchema } = entry.tool;
    const { risk, batch } = entry;
    return { id, title, description, risk, inputSchema, example: gate.tool(id)?.examples[0], ...defined({ batch }) };
  }

  #toolBeside(id: string): ListedTool['tool'] | undefined {
    return this.#besides.find(({ name }) => name === id);
  }
}

/** An operation as `search` names it. */
function found({ id, tool, risk, raisedBy }: ListedTool): Fields {
  return defined({ id, title: tool.title, risk, raisedBy });
}

/** Sets the hints of a tool when only reads are offered, because then no tool changes anything. */
function withReadHints(tool: ListedTool['tool']): ListedTool['tool'] {
  return { ...tool, annotations: { ...tool.annotations, readOnlyHint: true, destructiveHint: false } };
}

/* The contents of a tool result for an assistant, over MCP or in a conversation. */

export type Content =
  | { type: 'text'; text: string }
  /** `data` is Base64. */
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; text: string } };

/** The result of a tool call. A type, not an interface, so that it fits the SDKs' open object types. */
export type ToolResult = {
  content: Content[];
  structuredContent?: Fields;
  isError?: boolean;
  _meta?: Fields;
};

/** The contents of a resource. A type, not an interface, so that it fits the SDKs' open object types. */
export type ResourceContent = {
  uri: string;
  mimeType: string;
  text: string;
  _meta?: Fields;
};

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
  /** Opened at the first call that needs it. */
  backend: () => Promise<{ gate: Gate; batches: Batches }>;
  signal: AbortSignal;
  /** Performs an operation through the gate, or asks for the yes of a batch. */
  perform: (asked: GatedCall) => Promise<ToolResult | More>;
  /** Stored with the question of a batch, for the surface that shows its card. */
  notes?: Fields | undefined;
  /** The lists that came with the message. Undefined where no list can come. */
  files?: readonly GivenFile[];
  /** The batches that this caller was asked about. Undefined where the state of a batch asks no question. */
  asked?: Set<string>;
  /** Id of the batch that this call was made for before, if it is repeated with its user's answer. */
  repeated?: string | undefined;
  /** Called with the batch that a call has made. */
  onBatch?: (view: BatchView) => void;
}
