import { beforeEach, describe, expect, it } from 'vitest';
import { openLateSandbox } from '../support/late-platform.ts';
import { callOf, initialize, openSession, rpc } from '../support/messages.ts';
import { onSandbox } from '../support/on-sandbox.ts';
import { type Running, startServer } from '../support/process.ts';
import { A1, seeded } from '../support/seed.ts';
import { type Json, postMcp, until } from '../support/world.ts';

let running: Running;
let url: string;
const platform = await openLateSandbox();
beforeEach(async () => {
  ({ running, url } = await startServer({ ...onSandbox(platform.url), CONFIRM_VIA: 'client,page' }));
  await until(async () => (await fetch(`${url}/readyz`)).status === 200);
});

const post = (message: object, headers?: Record<string, string>) => postMcp(url, message, headers);
describe('a signal to stop', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s turns /readyz to 503, and a call under way is answered before the end',
    async (signal) => {
      platform.next('/v1.0/numbers', 'held');
      const answering = post(callOf('numbers_get', { PhoneNumber: seeded(1) })).then((response) => response.json());
      await until(() => platform.waiting() === 0);
      running.child.kill(signal);
      const ready = await until(
        () => fetch(`${url}/readyz`),
        ({ status }) => status !== 200,
      );
      expect(ready.status).toBe(503);
      expect(await ready.json()).toMatchObject({ ready: false, problems: [expect.stringContaining('stopping')] });
      // A late caller is still served, and the answer asks it to open its next connection elsewhere.
      const late = await post(rpc('tools/list'));
      expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(405);
      // A second signal does not cut the answer.
      running.child.kill(signal);
      await platform.release();
      expect(((await answering) as Json).result.structuredContent).toMatchObject({ Number: seeded(1) });
      expect(await running.ended).toBe(0);
    },
  );

  it('answers a call that waits for its client’s user with the question that waits', async () => {
    const session = await openSession(url, initialize({ elicitation: {} }, '2025-11-25'));
    const asked = await post(callOf('numbers_reactivate', { PhoneNumber: seeded(7), AccountId: A1 }), session);
    running.child.kill('SIGTERM');
    expect(await asked.text()).toContain('\\"status\\":\\"pending\\"');
    expect(await running.ended).toBe(0);
  });
});
