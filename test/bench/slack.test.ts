import { expect, it } from 'vitest';
import { shown, stage, until } from '../surfaces/slack/support.ts';

/** Fifty commands at once while the platform hangs ten seconds. Prints what people wait for. */
it('acknowledges at once and delivers everything', async () => {
  const s = await stage({}, { timeoutMs: 30_000 });
  await s.control('faults', { path: '/v1.0/numbers', times: 50, hangMs: 10_000 });
  const start = Date.now();
  const acks = await Promise.all(Array.from({ length: 50 }, () => s.type('/numbers', 'get +12015550101')));
  const times = acks.map(({ ackMs }) => ackMs).sort((a, b) => a - b);
  const answers = () => s.whispers().filter((message) => shown(message).includes('Active')).length;
  while (answers() < 50 && Date.now() - start < 60_000) await new Promise((resolve) => setTimeout(resolve, 50));
  await until(() => answers() === 50, 'fifty answers');
  console.log(
    `50 commands: ack median ${times[25]} ms, worst ${times.at(-1)} ms; all 50 answers after ${Date.now() - start} ms; ` +
      `response_url uses ${s.ws.calls('response_url').length}`,
  );
  expect(times.at(-1)).toBeLessThan(500);
});
