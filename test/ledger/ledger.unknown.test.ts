import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/demo/sandbox/index.ts';
import type { Actor } from '../../src/lib/actor.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { asSwitchboardError } from '../../src/lib/errors.ts';
import { openRuntime, type Runtime } from '../../src/start/runtime.ts';
import { onSandbox } from '../support/on-sandbox.ts';

const actor: Actor = { id: 'mcp:test', name: 'test', role: 'approver', surface: 'mcp', priority: 'assistant' };
const SUBMIT = '/v1.0/numbers/cancel-order-submit';
let data: string;
let sandbox: Sandbox;
let runtime: Runtime;

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'switchboard-unknown-'));
  sandbox = await startSandbox({ port: 0 });
  const env = {
    ...onSandbox(sandbox.url),
    DATA_DIR: data,
    LOG_LEVEL: 'silent',
  };
  runtime = await openRuntime(loadConfig(env), {});
});
afterEach(async () => {
  await runtime.close();
  await sandbox.close();
  rmSync(data, { recursive: true, force: true });
});

it('finds out by reading what became of a cancellation whose answer was cut, and the caller can follow it', async () => {
  await fetch(`${sandbox.url}/sandbox/faults`, {
    method: 'POST',
    body: JSON.stringify({ path: SUBMIT, times: 1, dropAfterCommit: true }),
  });
  const input = { PhoneNumbers: [{ Number: '+12015550103' }] };
  const failed = await runtime.gate
    .perform('numbers_cancel', input, actor, { ask: async () => 'accept' })
    .catch(asSwitchboardError);
  if (!('face' in failed)) throw new Error('it did not fail');
  expect(failed.face.outcome).toBe('unknown');
  const { follow = '' } = failed.face;
  expect(await runtime.gate.follow(follow, actor)).toMatchObject({
    status: 'done',
    result: { Status: 'Complete' },
  });
  const log = (await (await fetch(`${sandbox.url}/sandbox/requests`)).json()) as { path: string }[];
  expect(log.filter(({ path }) => path === SUBMIT)).toHaveLength(1);
});
