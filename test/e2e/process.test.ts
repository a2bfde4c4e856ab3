import { expect, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { startCli } from '../support/process.ts';
import { until } from '../support/world.ts';

it('switchboard start, from its first moment has whoever connects wait for the end of the start-up; /healthz answers at once', async () => {
  const folder = makeFolder();
  const port = await freePort();
  startCli(['start'], folder, { PORT: String(port) });
  const heard: string[] = [];
  const ask = async (path: string) => {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(25_000) });
      await answer.arrayBuffer();
      heard.push(`${path} ${answer.status}`);
      return answer.status;
    } catch (error) {
      const cause = (error as { cause?: { code?: string } }).cause?.code;
      heard.push(`${path} ${cause ?? (error as Error).name}`);
      return 0;
    }
  };
  await until(async () => (await ask('/healthz')) === 200);
  await Promise.all(['/playground', '/metrics'].map(ask));
  await ask('/sandbox/state');
  expect(heard.at(-1)).toBe('/sandbox/state 200');
  expect(new Set(heard.filter((one) => !/ (ECONNREFUSED|ECONNRESET|200)$/.test(one)))).toEqual(new Set());
});
