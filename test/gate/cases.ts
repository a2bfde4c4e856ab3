import { isGated, type Tool } from '../../src/catalogue/operation.ts';
import { tools } from '../../tools/index.ts';
import { seeded } from '../../tools/shared/fields.ts';
import { example } from '../e2e/table.derived.ts';
import { type Row, type Run, rows } from '../e2e/table.rows.ts';

/** One call that a person must confirm, on a platform as it was seeded. */
export interface Case {
  name: string;
  tool: Tool;
  /** Requests to this path change something; none may leave before a person's yes. */
  path: string;
  /** Creates the records that the call needs, and returns its input. */
  input: (run: Run) => Promise<Record<string, unknown>>;
}

/** Inputs that raise the risk for any record, for operations whose examples do so only if reading fails. */
const RAISED: Record<string, Record<string, unknown>[]> = {
  subscriptions_update: [{ SubscriptionId: seeded('SUB'), TNID: 'NID-00000000-0000-4000-8000-000000000003' }],
  numbers_data_usage_set: [{ PhoneNumbers: [{ Number: '+12015550101' }], LimitValue: 0, ValueUnit: 'MB' }],
  webhook_update: [
    { WebhookId: seeded('WID'), WebhookUrl: 'https://example.com/new-hook', AuthenticationPassword: 'given-again' },
  ],
  subscribers_call_filter_blocked_numbers_remove: [{ SubscriberId: seeded('TSUID'), Numbers: ['+12015550198'] }],
  subscribers_call_filter_update: [{ FilterId: 'CFID-1', BlockedNumbers: [] }],
  subscribers_message_filter_update: [{ FilterId: 'MFID-1', FilterMode: 'TEENAGER' }],
};

/** Every gated operation with an input that works, and every example whose input raises the risk of its operation. */
export function gatedCases(): Case[] {
  return tools.flatMap((tool) => {
    const row = rows[tool.id];
    if (isGated(tool)) return row ? [caseOf(tool, tool.id, row)] : [];
    return (RAISED[tool.id] ?? tool.examples).flatMap((input, i) =>
      tool.raises?.(input, {}) ? [caseOf(tool, `${tool.id}, raised by input ${i + 1}`, { ...row, input })] : [],
    );
  });
}

function caseOf(tool: Tool, name: string, row: Pick<Row, 'input' | 'before'>): Case {
  return {
    name,
    tool,
    path: tool.kind === 'operation' ? tool.path : '/v1.0/numbers/cancel-order-submit',
    input: async (run) => ({ ...(row.input ?? example(tool.id)), ...(await row.before?.(run)) }),
  };
}
