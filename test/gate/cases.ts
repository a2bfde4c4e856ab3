import { isGated, type Tool } from '../../src/catalogue/operation.ts';
import { tools } from '../../tools/index.ts';
import { type Row, type Run, rows } from '../e2e/table.rows.ts';

/** One call that a person must confirm, on a platform as it was seeded. */
export interface Case {
  name: string;
  tool: Tool;
  /** Requests to this path change something; none may leave before a person's yes. */
  path: string;
  /** Makes what the call needs, and answers its input. */
  input: (run: Run) => Promise<Record<string, unknown>>;
}

/** Every gated operation with an input that works, and every example whose input raises the risk of its operation. */
export function gatedCases(): Case[] {
  return tools.flatMap((tool) => {
    const row = rows[tool.id];
    if (isGated(tool)) return row ? [caseOf(tool, tool.id, row)] : [];
    return tool.examples.flatMap((example, i) =>
      isRaised(tool, example)
        ? [caseOf(tool, `${tool.id}, raised by example ${i + 1}`, { ...row, input: example })]
        : [],
    );
  });
}

function caseOf(tool: Tool, name: string, row: Pick<Row, 'input' | 'before'>): Case {
  return {
    name,
    tool,
    path: tool.kind === 'operation' ? tool.path : '/v1.0/numbers/cancel-order-submit',
    input: async (run) => ({ ...row.input, ...(await row.before?.(run)) }),
  };
}

/** Whether the operation says that this input weighs more than its plain call. */
function isRaised(tool: Tool, input: Record<string, unknown>): boolean {
  const raises: unknown = Reflect.get(tool, 'raises');
  return typeof raises === 'function' && Boolean(raises(input));
}
