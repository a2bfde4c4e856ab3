import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSeal } from '../../src/ledger/seal.ts';
import { sealedTokens } from '../../src/start/runtime.ts';
import { describeEngines } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { drive, settle, watched } from './driving.ts';
import { call, clock, held, makeClient, SECRET, stores, tokenAnswer, up, useProcesses } from './support.ts';

const seal = createSeal(randomBytes(32));

describeEngines('access tokens of several processes', (engine) => {
  useProcesses(engine);

  async function process(owner: string) {
    const database = watched((await stores.open()).database('budget'));
    const account = { baseUrl: up.url, accountKey: 'DID-key', accountSecret: SECRET };
    return makeClient(clock, up.url, { tokens: sealedTokens({ database, seal, clock, owner, account }) });
  }

  const rows = () => stores.store.database('budget').all<{ sealed: Uint8Array | null }>('SELECT sealed FROM tokens');
  const isKept = () => until(async () => (await rows()).some(({ sealed }) => sealed !== null));

  it('one process fetches, the others use what it wrote, and each hides it', async () => {
    const [one, two] = [await process('one'), await process('two')];
    await one.send(call(clock));
    await isKept();
    await two.send(call(clock));
    expect(up.tokens).toHaveLength(1);
    expect(up.hits.map((hit) => hit.headers.authorization)).toEqual(['Bearer opaque-token-1', 'Bearer opaque-token-1']);
    expect([...(two.secrets?.() ?? [])]).toContain('opaque-token-1');
    for (const { sealed } of await rows()) expect(Buffer.from(sealed ?? []).toString()).not.toContain('opaque');
  });

  it('a process waits for the token that another one is fetching', async () => {
    const fetched = held(200, tokenAnswer(1, clock.now()));
    up.tokenScript = [fetched.step];
    const [one, two] = [await process('one'), await process('two')];
    const first = one.send(call(clock));
    await until(fetched.came);
    const second = two.send(call(clock));
    await settle();
    fetched.answer();
    await first;
    await isKept();
    await drive(clock, second, 100);
    expect(up.tokens).toHaveLength(1);
  });

  it('a fetch that fails lets another process fetch at once', async () => {
    up.tokenScript = [{ status: 400, body: { StatusCode: 400, Message: 'No' } }];
    const [one, two] = [await process('one'), await process('two')];
    await one.send(call(clock)).catch(() => undefined);
    expect(await drive(clock, two.send(call(clock)), 100)).toEqual({ ok: true });
    expect(up.tokens).toHaveLength(2);
  });

  it('a token that the platform refuses is fetched anew once, for all', async () => {
    const [one, two] = [await process('one'), await process('two')];
    await one.send(call(clock));
    await isKept();
    up.script = [{ status: 401, body: { StatusCode: 401, Message: 'No' } }];
    expect(await two.send(call(clock))).toEqual({ ok: true });
    expect(up.tokens).toHaveLength(2);
    await isKept();
    const three = await process('three');
    await three.send(call(clock));
    expect(up.tokens).toHaveLength(2);
    expect(up.hits.at(-1)?.headers.authorization).toBe('Bearer opaque-token-2');
  });

  it('a token of its own and that of another process, which were both refused, are followed by a new one', async () => {
    const [one, two] = [await process('one'), await process('two')];
    const refusal = { status: 401, body: { StatusCode: 401, Message: 'No' } };
    await one.send(call(clock));
    await isKept();
    await two.send(call(clock));
    up.script = [refusal];
    await one.send(call(clock));
    await isKept();
    up.script = [refusal, refusal];
    expect(await two.send(call(clock))).toEqual({ ok: true });
    expect(up.hits.at(-1)?.headers.authorization).toBe('Bearer opaque-token-3');
  });
});
