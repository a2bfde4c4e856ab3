import { type Presets, select } from '../../catalogue/offered.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Actor } from '../../lib/actor.ts';
import { invalidInput, SwitchboardError } from '../../lib/errors.ts';
import { defined, type Fields } from '../../lib/json.ts';
import { batchesCreate, batchesGet, batchTools } from './batch-tools.ts';
import { confirmationsGet, discoverTools, type ListedTool } from './listed.ts';

const MAX_FOUND = 12;
/** `search` names the operations among this many best matches of the whole catalogue that are not offered. */
const NEAR = 5;
/** Words without meaning for a search. */
const EMPTY_WORDS = new Set(
  'the and for with from that this what why how does did can cannot not are was has have who which when its into our your his her their'.split(
    ' ',
  ),
);

/** The settings that decide what one assistant may call. */
export interface OfferOptions {
  listed: readonly ListedTool[];
  presets: Presets;
  toolsets: readonly string[];
  readOnly: boolean;
  /** True for search, describe and call instead of one tool per operation. */
  discover: boolean;
  actor: Actor;
  /** True if the tools for batches are offered too. */
  batches?: boolean;
}

/** The operations that one client may call, by toolset, read-only mode and role. */
export class Offer {
  /** The tools as the client lists them. */
  readonly tools: readonly ListedTool['tool'][];
  /** True if a call can wait for a person. If so, `confirmations_get` is offered. */
  readonly canWait: boolean;
  /** The tools for batches; none if no offered operation can run as a batch. */
  readonly batchTools: readonly ListedTool['tool'][];
  readonly #offered: readonly ListedTool[];
  readonly #byId: ReadonlyMap<string, ListedTool>;
  readonly #options: OfferOptions;

  constructor(options: OfferOptions) {
    const { toolsets, readOnly, actor, listed, presets, discover } = options;
    this.#options = options;
    this.#offered = select(listed, presets, { toolsets, readOnly, role: actor.role });
    this.#byId = new Map(this.#offered.map((entry) => [entry.id, entry]));
    this.canWait = this.#offered.some((entry) => entry.risk !== 'read');
    const tools = discover
      ? discoverTools.map((tool) => (this.canWait ? tool : withReadHints(tool)))
      : this.#offered.map((entry) => entry.tool);
    this.batchTools = options.batches === true && this.#offered.some(({ batch }) => batch) ? this.#batchTools() : [];
    this.tools = [...tools, ...this.batchTools, ...(this.canWait ? [confirmationsGet] : [])];
  }

  /** The tools for batches. A list of reads ends by itself, so it is not controlled where nothing else is offered. */
  #batchTools(): readonly ListedTool['tool'][] {
    return this.canWait ? batchTools : [batchesCreate, batchesGet].map(withReadHints);
  }

  /** The number of offered operations, and of all. */
  get counts(): { offered: number; all: number } {
    return { offered: this.#offered.length, all: this.#options.listed.length };
  }

  /** The operation as it is listed; undefined if it is not offered. */
  listed(id: string): ListedTool | undefined {
    return this.#byId.get(id);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** True if this client may run the operation as a batch. */
  canBatch(id: string): boolean {
    return this.#byId.get(id)?.batch === true;
  }

  /** Refuses an operation that this client may not call. */
  check(id: string): void {
    if (this.has(id)) return;
    if (id !== confirmationsGet.name && !this.#options.listed.some((entry) => entry.id === id))
      throw invalidInput(
        undefined,
        `There is no operation ${id}. ${this.#options.discover ? 'Find one with search' : 'tools/list shows the available ones'}.`,
      );
    throw new SwitchboardError({
      code: 'forbidden_by_role',
      message: `${id} is not offered: toolsets, read-only mode or the role ${this.#options.actor.role} exclude it.`,
      outcome: 'not_done',
    });
  }

  /**
   * Finds operations by words, the best first. An empty query lists all. Operations that match well but are not offered
   * are named, so that an assistant says so and does not use a worse one.
   */
  search(query: string): Fields {
    const words = wordsOf(query);
    const offered = words.length === 0 ? [...this.#offered] : ranked(this.#offered, words).slice(0, MAX_FOUND);
    const withheld = words.length === 0 ? [] : this.#withheld(words);
    return {
      operations: offered.map(({ id, tool, risk, raisedBy }) => defined({ id, title: tool.title, risk, raisedBy })),
      ...(offered.length === 0 ? { hint: 'Nothing matches; an empty query lists every operation.' } : {}),
      ...(withheld.length === 0 ? {} : { notOfferedHere: withheld }),
    };
  }

  #withheld(words: readonly string[]): string[] {
    return ranked(this.#options.listed, words)
      .slice(0, NEAR)
      .filter((entry) => !this.has(entry.id))
      .map(({ id }) => id);
  }

  /** The definition of one operation, for a client in discover mode. */
  describe(id: string, gate: Gate): Fields {
    const entry = this.#byId.get(id);
    if (!entry) throw invalidInput('operation', `operation: there is no operation ${id}; find it with search.`);
    const { title, description, inputSchema } = entry.tool;
    return { id, title, description, risk: entry.risk, inputSchema, example: gate.tool(id)?.examples[0] };
  }
}

function wordsOf(query: string): string[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}+]+/u)
    .filter(Boolean);
  const telling = words.filter((word) => word.length > 2 && !EMPTY_WORDS.has(word));
  return telling.length === 0 ? words : telling;
}

/**
 * The entries that have any of the words, the best first. A word that few entries have counts for more, and so does an
 * entry that has more of the words.
 */
function ranked(entries: readonly ListedTool[], words: readonly string[]): ListedTool[] {
  const texts = entries.map((entry) => ({ entry, ...textsOf(entry) }));
  const weights = words.map((word) => {
    const having = texts.filter((one) => one.name.includes(word) || one.description.includes(word)).length;
    return Math.log(1 + entries.length / Math.max(1, having));
  });
  const score = (one: (typeof texts)[number]) => {
    const points = words.map((word, i) => pointsOf(one, word) * (weights[i] ?? 0));
    const covered = points.filter((each) => each > 0).length;
    return (points.reduce((sum, each) => sum + each, 0) * covered) / words.length;
  };
  return texts
    .map((one) => ({ entry: one.entry, score: score(one) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

function pointsOf(texts: ReturnType<typeof textsOf>, word: string): number {
  const { name, description, input } = texts;
  return (name.includes(word) ? 3 : 0) + (description.includes(word) ? 1 : 0) + (input.includes(word) ? 1 : 0);
}

function textsOf({ id, tool }: ListedTool) {
  return {
    name: `${id} ${tool.title}`.toLowerCase(),
    description: tool.description.toLowerCase(),
    input: JSON.stringify(tool.inputSchema.properties ?? {}).toLowerCase(),
  };
}

/** Sets the hints of a tool when only reads are offered, because then no tool changes anything. */
function withReadHints(tool: ListedTool['tool']): ListedTool['tool'] {
  return { ...tool, annotations: { ...tool.annotations, readOnlyHint: true, destructiveHint: false } };
}
