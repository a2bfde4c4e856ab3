import { beforeEach, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/demo/sandbox/index.ts';
import { makeFolder } from '../../support/folder.ts';
import { onSandbox, openSandbox } from '../../support/on-sandbox.ts';
import { look } from '../../support/page.ts';
import { pair, runCli, startCli, startServer } from '../../support/process.ts';
import { A1, seeded } from '../../support/seed.ts';

const CALL = ['call', 'numbers_reactivate', `PhoneNumber=${seeded(7)}`, `AccountId=${A1}`];
let folder: string;
let sandbox: Sandbox;
beforeEach(async () => {
  folder = makeFolder();
  sandbox = await openSandbox();
});

it('a terminal call that is decided elsewhere names the page that a running start serves', async () => {
  const env = { ...onSandbox(sandbox.url), CONFIRM_VIA: 'page', PORT: '0', LOG_LEVEL: 'info' };
  const { running, url } = await startServer(env, folder);
  await running.said(new RegExp(`Stored in: ${folder}`));
  const { code, err } = await runCli(CALL, folder, env);
  expect(code).toBe(3);
  const [address = ''] = new RegExp(`${url}/confirm/act_[\\w-]+`).exec(err) ?? [];
  await pair(folder, env);
  expect((await look(address)).html).toContain('value="confirm">Reactivate for 5 USD');
});

it('start warns where nobody may approve', async () => {
  const running = startCli(['start'], folder, { ...onSandbox(sandbox.url), CONFIRM_VIA: 'slack,terminal', PORT: '0' });
  await running.said(/nobody may approve .*slack: Slack is not configured .*page: not in CONFIRM_VIA/);
});
