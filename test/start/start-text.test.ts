import { afterEach, beforeEach, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { type Running, startCli } from '../support/process.ts';

let folder: ReturnType<typeof makeFolder>;
let running: Running | undefined;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  await running?.stop('SIGKILL');
  folder.remove();
});

it('start warns of a request budget above the platform’s limit', async () => {
  running = startCli(['start'], folder.path, { PORT: '0', PLATFORM_REQUESTS_PER_MINUTE: '600' });
  await running.said(/WARNING +PLATFORM_REQUESTS_PER_MINUTE is 600, but the platform takes 120/);
});
