import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../../support/folder.ts';
import { type Running, startCli } from '../../support/process.ts';
import { seeded, until } from '../../support/world.ts';

let folder: ReturnType<typeof makeFolder>;
let running: Running;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  await running.stop();
  folder.remove();
});

// Only Linux has all addresses of 127.0.0.0/8.
it.skipIf(process.platform !== 'linux')('is served where HOST listens, and shows events there', async () => {
  running = startCli(['start'], folder.path, { HOST: '127.0.0.2', PORT: '0' });
  const [, page = ''] = await running.said(/Playground +(http:\S+)/);
  expect(page).toMatch(/^http:\/\/127\.0\.0\.2:\d+\/playground$/);
  expect((await fetch(page)).status).toBe(200);
  const { origin } = new URL(page);
  const body = JSON.stringify({ From: '+12015550199', To: seeded(1), Body: 'Where is my SIM?' });
  expect((await fetch(`${origin}/sandbox/inbound`, { method: 'POST', body })).status).toBe(200);
  const handled = 'switchboard_events_handled_total{kind="message"} 1';
  await until(async () => (await (await fetch(`${origin}/metrics`)).text()).includes(handled), handled);
});
