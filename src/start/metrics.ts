import type { Runtime } from './runtime.ts';

/** `/metrics` in Prometheus' text form. */
export function metrics(runtime: Runtime, mcpSessions: number): string {
  const { used, limit, waiting } = runtime.gate.budget();
  const lines = [
    gauge('switchboard_budget_used', 'Requests counted in the last minute', used),
    gauge('switchboard_budget_limit', 'Requests a minute', limit),
    gauge('switchboard_budget_waiting', 'Calls waiting for the budget', waiting),
    gauge('switchboard_mcp_sessions', 'Open MCP sessions', mcpSessions),
    '# HELP switchboard_actions Actions in the ledger by state',
    '# TYPE switchboard_actions gauge',
    ...runtime.gate.actions.counts().map(({ state, n }) => `switchboard_actions{state="${state}"} ${n}`),
    gauge('process_resident_memory_bytes', 'Resident memory', process.memoryUsage.rss()),
  ];
  return `${lines.join('\n')}\n`;
}

function gauge(name: string, help: string, value: number): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}`;
}
