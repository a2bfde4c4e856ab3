// This process asks for and confirms one gated call, and sends itself a signal at the given step.
// Bundled by ledger.kill.test.ts.
import { writeSync } from 'node:fs';
import { Sender } from '../../src/gate/sender.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { openRuntime } from '../../src/start/runtime.ts';

const [dieAt, operation = '', input = '{}', signal = 'SIGKILL'] = process.argv.slice(2);

/** Sends the signal if this is the step at which the process dies. */
function at<Done>(step: string, done: Done): Done {
  if (step === dieAt) {
    writeSync(1, `${step}\n`);
    process.kill(process.pid, signal);
  }
  return done;
}

const { create, confirm, claim } = Ledger.prototype;
const { send } = Sender.prototype;
Ledger.prototype.create = async function (...given) {
  const action = await create.apply(this, given);
  return at(action.state === 'pending' ? 'asked' : '', action);
};
Ledger.prototype.confirm = async function (...given) {
  return at('confirmed', await confirm.apply(this, given));
};
Ledger.prototype.claim = async function (...given) {
  return at('sent', await claim.apply(this, given));
};
Sender.prototype.send = async function (...given) {
  return at(given[0].risk === 'read' ? '' : 'answered', await send.apply(this, given));
};

const runtime = await openRuntime(loadConfig(), {});
const actor = { id: 'test', name: 'test', role: 'approver', surface: 'cli', priority: 'person' } as const;
await runtime.gate.perform(operation, JSON.parse(input), actor, { ask: async () => 'accept' });
await runtime.close();
