import { afterAll, expect, it } from 'vitest';
import { makeFolder } from '../../support/folder.ts';
import { onSandbox } from '../../support/on-sandbox.ts';
import { runCli } from '../../support/process.ts';
import { A1, openWorld, seeded } from '../../support/world.ts';

const world = await openWorld();
afterAll(() => world.close());

const CALL = ['call', 'numbers_reactivate', `PhoneNumber=${seeded(7)}`, `AccountId=${A1}`, '--yes'];

it.each([
  [{ CONFIRM_VIA: 'page' }, 3, 'not_confirmed', 'waits for an approver on the confirmation page'],
  [{ CONFIRM_TWO_PERSON: 'true' }, 2, 'forbidden_by_role', ''],
  [{ CONFIRM_VIA: 'terminal' }, 0, undefined, ''],
] as const)(
  '--yes confirms only where the settings let a terminal decide: %o',
  async (settings, status, code, text) => {
    const folder = makeFolder();
    const before = (await world.sent('/v1.0/numbers/reactivate')).length;
    const { code: exit, err } = await runCli(CALL, folder.path, {
      ...onSandbox(world.sandbox.url),
      LOG_LEVEL: 'info',
      ...settings,
    });
    folder.remove();
    const sent = (await world.sent('/v1.0/numbers/reactivate')).length - before;
    expect([exit, sent]).toEqual([status, status === 0 ? 1 : 0]);
    if (code !== undefined) {
      const { error } = JSON.parse(err);
      expect(error).toMatchObject({ code, outcome: 'not_done' });
      expect(error.message).toContain(text);
    }
  },
);
