// A process that asks for and confirms one gated call, and kills itself at a step it is told. Bundled by kill.test.ts.
import { loadConfig } from '../../src/config.ts';
import { openRuntime } from '../../src/runtime.ts';

const [dieAt, operation = '', input = '{}'] = process.argv.slice(2);
const runtime = await openRuntime(loadConfig(), {
  pageUrl: () => undefined,
  onStep: (step) => {
    if (step === dieAt) process.kill(process.pid, 'SIGKILL');
  },
});
const actor = { id: 'test', name: 'test', role: 'approver', surface: 'cli', priority: 'person' } as const;
await runtime.door.perform(operation, JSON.parse(input), actor, { ask: async () => 'accept' });
await runtime.close();
