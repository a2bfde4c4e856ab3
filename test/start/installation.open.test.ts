import { expect, it, onTestFinished, vi } from 'vitest';
import { describeEngines, makeStore } from '../support/stores.ts';
import { until } from '../support/until.ts';

const INSERT = 'INSERT INTO watches (phone, told, by, started_at) VALUES (?, ?, ?, ?)';

describeEngines('a store', (engine) => {
  it('reads back what was written, integers beyond 32 bits included', async () => {
    const { store } = await makeStore(engine);
    const ledger = store.database('ledger');
    expect(await ledger.run(INSERT, 'one', 1, 'host ? "x"', 1_900_000_000_123)).toBe(1);
    expect(await ledger.get('SELECT phone, told, by, started_at FROM watches WHERE phone = ?', 'one')).toEqual({
      phone: 'one',
      told: 1,
      by: 'host ? "x"',
      started_at: 1_900_000_000_123,
    });
    expect(await ledger.all('DELETE FROM watches RETURNING phone')).toEqual([{ phone: 'one' }]);
    expect(await ledger.get('SELECT count(*) AS n FROM watches')).toEqual({ n: 0 });
  });

  it('undoes a transaction that throws, and shows nothing of it meanwhile to other queries of the process', async () => {
    const { store } = await makeStore(engine);
    const ledger = store.database('ledger');
    await ledger.ready();
    const failing = ledger.transaction(async (queries) => {
      await queries.run(INSERT, 'one', 1, 'host', 1);
      expect(await queries.get('SELECT count(*) AS n FROM watches')).toEqual({ n: 1 });
      throw new Error('no');
    });
    const beside = ledger.get('SELECT count(*) AS n FROM watches');
    await expect(failing).rejects.toThrow('no');
    expect(await beside).toEqual({ n: 0 });
    expect(await ledger.get('SELECT count(*) AS n FROM watches')).toEqual({ n: 0 });
  });

  it('runs transactions that hold one name one after another, over processes', async () => {
    const one = await makeStore(engine);
    const stores = [one.store, await one.open(), await one.open()];
    await stores[0]?.database('ledger').run(INSERT, 'counter', 0, 'host', 0);
    const add = (n: number) =>
      stores[n % 3]?.database('ledger').transaction(async (queries) => {
        await queries.lock('counter');
        const row = await queries.get<{ told: number }>('SELECT told FROM watches');
        await queries.run('UPDATE watches SET told = ?', (row?.told ?? 0) + 1);
      });
    await Promise.all(Array.from({ length: 30 }, (_, n) => add(n)));
    expect(await one.store.database('ledger').get('SELECT told FROM watches')).toEqual({ told: 30 });
  });

  it('reports writes of another process: it looks each second, or more often', async () => {
    const looks = vi.spyOn(globalThis, 'setInterval');
    onTestFinished(() => looks.mockRestore());
    const one = await makeStore(engine);
    const other = await one.open();
    for (const store of [one.store, other]) await store.database('events').ready();
    looks.mockClear();
    let calls = 0;
    const stop = one.store.database('events').onOtherWrites(() => {
      calls += 1;
    });
    await other.database('events').run(INSERT, 'one', 1, 'host', 1);
    await until(() => calls > 0);
    expect(Math.max(...looks.mock.calls.map(([, ms]) => Number(ms)))).toBeLessThanOrEqual(1_000);
    stop();
  });
});
