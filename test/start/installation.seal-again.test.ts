import { beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/demo/sandbox/index.ts';
import { Registrations } from '../../src/events/sync.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { openRuntime, type Runtime } from '../../src/start/runtime.ts';
import { actorOf } from '../support/approval.ts';
import { waits } from '../support/asking.ts';
import { onSandbox, openSandbox } from '../support/on-sandbox.ts';
import { seeded } from '../support/seed.ts';
import { describeEngines, makeStore } from '../support/stores.ts';

/* SEALING_KEY is rotated: a second key is added, put first, and the old one is removed. */

const [OLD, NEW] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
const person = actorOf('cli:lee', { person: 'local:lee', surface: 'cli' });

describeEngines('the rotation of SEALING_KEY', (engine) => {
  let sandbox: Sandbox;
  let url: string;
  let folder: string;
  beforeAll(async () => {
    sandbox = await openSandbox();
    const data = await makeStore(engine);
    url = data.url ?? '';
    folder = data.folder;
  });

  async function withKeys<T>(keys: string, work: (runtime: Runtime) => Promise<T>): Promise<T> {
    const slack = { SLACK_BOT_TOKEN: 'xoxb-test', SLACK_SIGNING_SECRET: 'a-signing-secret', SLACK_APPROVERS: 'U1' };
    const data = { DATA_DIR: folder, DATABASE_URL: url, SEALING_KEY: keys, LOG_LEVEL: 'silent' };
    const runtime = await openRuntime(loadConfig({ ...onSandbox(sandbox.url), ...data, ...slack }), {});
    try {
      return await work(runtime);
    } finally {
      await runtime.close();
    }
  }
  const pendingId = ({ gate }: Runtime) =>
    waits(gate, 'numbers_reactivate', { PhoneNumber: seeded(7) }, { ...person, role: 'operator' });
  const registrations = ({ store, seal }: Runtime) => new Registrations(store, seal);

  it('keeps what waits, finds repeats, and needs the old key no more', async () => {
    const credentials = { username: 'platform', password: 'a-password-of-deliveries' };
    const asked = await withKeys(`${OLD}`, async (runtime) => {
      await registrations(runtime).add({ url: 'https://sb.example.com', platform: sandbox.url, credentials });
      return pendingId(runtime);
    });
    expect(asked).toMatch(/^act_/);
    await withKeys(`${OLD},${NEW}`, async (runtime) => expect(await pendingId(runtime)).toBe(asked));
    await withKeys(`${NEW},${OLD}`, async (runtime) => {
      expect(await pendingId(runtime)).toBe(asked);
      await runtime.gate.confirm(asked, { ...person, id: 'slack:T1/U1', person: 'slack:T1/U1', name: '@ana' }, 'slack');
      expect((await runtime.ledger.view().get(asked))?.state).toBe('done');
    });
    if (engine === 'postgres')
      await expect(withKeys(`${OLD}`, async (runtime) => runtime.store.check())).rejects.toThrow(/SEALING_KEY is not/);
    await withKeys(`${NEW}`, async (runtime) => {
      expect(await registrations(runtime).accepted()).toEqual([credentials]);
      expect((await runtime.ledger.view().get(asked))?.state).toBe('done');
    });
  });
});
