import { select } from '../../catalogue/offered.ts';
import type { Gate } from '../../gate/gate.ts';
import { invalidInput, SwitchboardError } from '../../lib/errors.ts';
import { defined, type Fields } from '../../lib/json.ts';
import { confirmationsGet, discoverTools, type ListedTool } from './listed.ts';
import type { McpOptions } from './options.ts';

const MAX_FOUND = 12;

/** The operations that one client may call, by toolset, read-only mode and role. */
export class Offer {
  /** The tools as the client lists them. */
  readonly tools: readonly ListedTool['tool'][];
  /** Whether a call can wait for a person; if so, `confirmations_get` is offered. */
  readonly canWait: boolean;
  readonly #offered: readonly ListedTool[];
  readonly #byId: ReadonlyMap<string, ListedTool>;
  readonly #options: McpOptions;

  constructor(options: McpOptions) {
    const { toolsets, readOnly, actor, listed, presets, discover } = options;
    this.#options = options;
    this.#offered = select(listed, presets, { toolsets, readOnly, role: actor.role });
    this.#byId = new Map(this.#offered.map((entry) => [entry.id, entry]));
    this.canWait = this.#offered.some((entry) => entry.risk !== 'read');
    const tools = discover
      ? discoverTools.map((tool) => (this.canWait ? tool : withReadHints(tool)))
      : this.#offered.map((entry) => entry.tool);
    this.tools = this.canWait ? [...tools, confirmationsGet] : tools;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Refuses an operation that this client may not call. */
  check(id: string): void {
    if (this.has(id)) return;
    if (id !== confirmationsGet.name && !this.#options.listed.some((entry) => entry.id === id))
      throw invalidInput(undefined, `There is no operation ${id}. tools/list shows the available ones.`);
    throw new SwitchboardError({
      code: 'forbidden_by_role',
      message: `${id} is not offered: toolsets, read-only mode or the role ${this.#options.actor.role} exclude it. Nothing was sent.`,
      outcome: 'not_done',
    });
  }

  /** Finds operations by words. An empty query lists all. */
  search(query: string): Fields {
    const words = query
      .toLowerCase()
      .split(/[\s_,-]+/)
      .filter(Boolean);
    const found =
      words.length === 0
        ? this.#offered
        : this.#offered
            .map((entry) => ({ entry, score: scoreOf(entry, words) }))
            .filter(({ score }) => score > 0)
            .sort((a, b) => b.score - a.score)
            .slice(0, MAX_FOUND)
            .map(({ entry }) => entry);
    return {
      operations: found.map(({ id, tool, risk, raisedBy }) => defined({ id, title: tool.title, risk, raisedBy })),
      ...(found.length === 0 ? { hint: 'Nothing matches; an empty query lists every operation.' } : {}),
    };
  }

  /** The definition of one operation, for a client in discover mode. */
  describe(id: string, gate: Gate): Fields {
    const entry = this.#byId.get(id);
    if (!entry) throw invalidInput('operation', `operation: there is no operation ${id}; find it with search.`);
    const { title, description, inputSchema } = entry.tool;
    return { id, title, description, risk: entry.risk, inputSchema, example: gate.tool(id)?.examples[0] };
  }
}

function scoreOf(entry: ListedTool, words: readonly string[]): number {
  const name = `${entry.id} ${entry.tool.title}`.toLowerCase();
  const description = entry.tool.description.toLowerCase();
  return words.reduce((sum, word) => sum + (name.includes(word) ? 3 : 0) + (description.includes(word) ? 1 : 0), 0);
}

/** If only reads are offered, no tool changes anything. */
function withReadHints(tool: ListedTool['tool']): ListedTool['tool'] {
  return { ...tool, annotations: { ...tool.annotations, readOnlyHint: true, destructiveHint: false } };
}
