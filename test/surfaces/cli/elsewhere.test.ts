import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/demo/sandbox/index.ts';
import { onSandbox } from '../../support/on-sandbox.ts';
import { makeFolder, pair, type Running, runCli, startCli } from '../../support/process.ts';
import { A1, look, seeded } from '../../support/world.ts';

const CALL = ['call', 'numbers_reactivate', `PhoneNumber=${seeded(7)}`, `AccountId=${A1}`];
let folder: ReturnType<typeof makeFolder>;
let running: Running | undefined;
let sandbox: Sandbox;
beforeEach(async () => {
  folder = makeFolder();
  sandbox = await startSandbox();
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await sandbox.close();
  folder.remove();
});

it('a terminal call that is decided elsewhere names the page that a running start serves', async () => {
  const env = { ...onSandbox(sandbox.url), CONFIRM_VIA: 'page', PORT: '0', LOG_LEVEL: 'info' };
  running = startCli(['start'], folder.path, env);
  const [, url = ''] = await running.said(/listens on (\S+)/);
  const { code, err } = await runCli(CALL, folder.path, env);
  expect(code).toBe(3);
  const [address = ''] = new RegExp(`${url}/confirm/act_[\\w-]+`).exec(JSON.parse(err).error.message) ?? [];
  await pair(folder.path, env);
  expect((await look(address)).html).toContain('value="confirm">Reactivate for 5 USD');
});

it('the demo says on the page that nothing real is touched', async () => {
  const env = { CONFIRM_VIA: 'page', PORT: '0' };
  running = startCli(['start'], folder.path, env);
  await running.said(/listens on/);
  const { err } = await runCli(CALL, folder.path, { ...env, LOG_LEVEL: 'info' });
  const [address = ''] = /http:\S+\/confirm\/act_[\w-]+/.exec(JSON.parse(err).error.message) ?? [];
  await pair(folder.path, env);
  expect((await look(address)).html).toContain('Demo: nothing real is touched.');
  await running.said(/run: switchboard key/);
});
