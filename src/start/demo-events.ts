import { tools } from '../../tools/index.ts';
import type { Sandbox } from '../demo/sandbox/index.ts';
import { Registrations } from '../events/registrations.ts';
import { runSync } from '../events/sync.ts';
import { type Fields, textOf } from '../lib/json.ts';
import type { Runtime } from './runtime.ts';

/** The sandbox's message route (its fixed data). */
export const DEMO_ROUTE = 'MRID-00000000-0000-4000-8000-000000000001';

/**
 * Registers this server for the events of the demo's sandbox, as `webhooks sync` does with a platform. Existing
 * registrations stay. No person is asked, because only the demo's set-up changes.
 *
 * @param url address at which the sandbox reaches this server
 */
export async function registerDemoEvents(runtime: Runtime, sandbox: Sandbox, url: string): Promise<void> {
  const registrations = new Registrations({
    database: runtime.store.database('events'),
    seal: runtime.seal,
    clock: runtime.store.clock,
  });
  const outcome = await runSync({
    url,
    messageRoutes: [DEMO_ROUTE],
    registrations,
    platform: runtime.platformUrl,
    show: () => undefined,
    ask: async () => true,
    read: async (operation, input) => sandbox.read(pathOf(operation), queryOf(input)),
    perform: async (operation, input) => sandbox.perform(pathOf(operation), input),
  });
  for (const { why, reason } of outcome.failed) runtime.log('warn', { why, reason }, 'the demo registered less');
}

function pathOf(id: string): string {
  const tool = tools.find((one) => one.id === id);
  if (tool?.kind !== 'operation') throw new Error(`${id} is not an operation`);
  return tool.path;
}

function queryOf(input: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, textOf(value)]));
}
