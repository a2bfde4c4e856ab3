import { IDS } from '../../../src/demo/playground/workspace.ts';

export const { U_AGENT, U_LEAD, U_VIEW, U_OTHER, C_SUPPORT, C_APPROVALS, C_EVENTS, S_OPERATORS, S_APPROVERS } = IDS;

/** An assistant that asks over MCP. */
export const ASSISTANT = {
  id: 'mcp:claude',
  name: 'claude',
  role: 'operator',
  surface: 'mcp',
  priority: 'assistant',
} as const;
