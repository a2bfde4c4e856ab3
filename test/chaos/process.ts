// One process of an installation, driven by lines of JSON on its standard input. Bundled by workers.ts.
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Actor } from '../../src/lib/actor.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { asSwitchboardError } from '../../src/lib/errors.ts';
import { openRuntime } from '../../src/start/runtime.ts';
import { isStoreUnavailable } from '../../src/store/key-values.ts';
import { takeOver } from '../support/later.ts';
import type { Command, Outcome } from './workers.ts';

const CONCURRENT = 16;
/** Questions that one requester has open at most. */
const MOST_OPEN = 50;
let asked = 0;

/** Enough requesters that none has too many questions open. */
function requester(): Actor {
  const id = `ann-${process.pid}-${Math.floor(asked++ / MOST_OPEN)}`;
  return { id, name: 'Ann', role: 'operator', surface: 'mcp', priority: 'assistant' };
}

const approver: Actor = { id: 'bob', name: 'Bob', role: 'approver', surface: 'page', priority: 'person' };
const owner: Actor = { id: 'ann', name: 'Ann', role: 'operator', surface: 'mcp', priority: 'assistant' };
const runtime = await openRuntime(loadConfig(), { pages: 'http://127.0.0.1' });
const { gate } = runtime;

/** A recipient for each text: another text for the same one would replace a question that waits. */
function recipientOf(body: string): string {
  const hash = createHash('sha256').update(body).digest().readUInt32BE();
  return `+1202${2_000_000 + (hash % 7_900_000)}`;
}

/** Asks for a new message, which then waits for a person. */
async function ask(body: string): Promise<string> {
  const input = { To: [{ Number: recipientOf(body) }], From: '+12015550101', Body: body };
  const performed = await gate.perform('message_outbound', input, requester());
  if (performed.kind !== 'pending') throw new Error(`not pending: ${body}`);
  return performed.action.id;
}

async function confirm(id: string): Promise<Outcome> {
  try {
    const done = await gate.confirm(id, approver, 'page');
    return { id, is: done.kind };
  } catch (error) {
    const { code, outcome } = asSwitchboardError(error).face;
    return { id, is: code, outcome };
  }
}

async function each<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const run = async () => {
    for (let at = next++; at < list.length; at = next++) results[at] = await work(list[at] as T);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, run));
  return results;
}

const attempt = async (body: string) => {
  try {
    return { id: await ask(body), is: 'pending' };
  } catch (error) {
    return { id: body, is: asSwitchboardError(error).face.code };
  }
};

async function run(command: Command): Promise<Outcome[]> {
  switch (command.do) {
    case 'ask':
      return each(command.bodies, attempt);
    case 'confirm':
      return each(command.ids, confirm);
    case 'ask and confirm':
      return each(command.bodies, async (body) => {
        const asked = await attempt(body);
        return asked.is === 'pending' ? confirm(asked.id) : asked;
      });
    case 'states':
      return each(command.ids, async (id) => ({ id, is: (await gate.actions.get(id))?.state ?? 'missing' }));
    case 'settle':
      // A suspended process holds its locks until the database ends its transactions. A worker would try again too.
      await takeOver(runtime).catch((error: unknown) => {
        if (!isStoreUnavailable(error)) throw error;
      });
      return [];
    case 'batch': {
      const list = { numbers: command.numbers };
      const { view } = await runtime.batches.create({ operation: 'numbers_reactivate', list, shared: {} }, owner);
      return [{ id: view.id, is: view.state }];
    }
    case 'batch yes': {
      const { confirmation = '' } = await runtime.batches.view(command.id, approver);
      return [await confirm(confirmation)];
    }
    case 'batch rows': {
      const found: Outcome[] = [{ id: command.id, is: (await runtime.batches.view(command.id, approver)).state }];
      const rows = await runtime.batches.rows(command.id, approver);
      found.push(...rows.map(({ target, outcome }) => ({ id: target, is: outcome })));
      return found;
    }
    case 'batch go on': {
      // The leases of a killed process end now instead of later, also those of a living one, which must notice it.
      await runtime.store.database('ledger').run("UPDATE jobs SET claimed_until = 0 WHERE kind LIKE 'batch.%'");
      const { state } = await runtime.batches.view(command.id, approver);
      runtime.worker.look();
      return [{ id: command.id, is: state }];
    }
    case 'close':
      await runtime.close();
      process.exit(0);
  }
}

/** Commands that read or give a nudge, and may be repeated. */
const REPEATED: readonly Command['do'][] = ['batch yes', 'batch rows', 'batch go on', 'states'];
const TRIES = 5;

/** While a killed process leaves the database locked, a command is refused as unavailable, so it is tried again. */
async function patiently(command: Command): Promise<Outcome[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(command);
    } catch (error) {
      const isOver = !REPEATED.includes(command.do) || attempt === TRIES;
      if (isOver || asSwitchboardError(error).face.code !== 'unavailable') throw error;
    }
  }
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { number, command } = JSON.parse(line) as { number: number; command: Command };
  patiently(command).then(
    (outcomes) => process.stdout.write(`${JSON.stringify({ number, outcomes })}\n`),
    (error: unknown) => process.stdout.write(`${JSON.stringify({ number, error: String(error) })}\n`),
  );
});
process.stdout.write(`${JSON.stringify({ number: 0, outcomes: [] })}\n`);
