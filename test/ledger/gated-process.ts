// This process asks for and confirms one gated call, and sends itself a signal at the given step.
// Bundled by ledger.kill.test.ts.
import { writeSync } from 'node:fs';
import { loadConfig } from '../../src/lib/config.ts';
import { openRuntime } from '../../src/start/runtime.ts';

const [dieAt, operation = '', input = '{}', signal = 'SIGKILL'] = process.argv.slice(2);
const runtime = await openRuntime(loadConfig(), {
  onStep: (step) => {
    if (step !== dieAt) return;
    writeSync(1, `${step}\n`);
    process.kill(process.pid, signal);
  },
});
const actor = { id: 'test', name: 'test', role: 'approver', surface: 'cli', priority: 'person' } as const;
await runtime.gate.perform(operation, JSON.parse(input), actor, { ask: async () => 'accept' });
await runtime.close();
