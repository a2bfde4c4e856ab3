import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { append, hashOf, type NewEntry } from '../../../src/ledger/action.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { createSeal } from '../../../src/ledger/seal.ts';
import { runAudit } from '../../../src/start/commands/audit.ts';
import type { Database, Queries } from '../../../src/store/types.ts';
import { newAction } from '../../support/new-action.ts';
import { onSandbox } from '../../support/on-sandbox.ts';
import { describeEngines, makeStore, type TestStore } from '../../support/stores.ts';

const KEY = randomBytes(32);
const SEAL = createSeal(KEY);
const OTHER = createSeal(randomBytes(32));

const KNOWN = { change: { operation: 'numbers_update', rows: [], keeps: [], leads: [], names: {} } };
const fresh = (digits: number) => newAction({ state: 'in_flight', known: KNOWN, given: { digits } });

/** An entry about an action that the ledger has deleted. */
const old = (n: number): NewEntry => ({
  at: 1_700_000_000_000 + n,
  action: `act_${n}`,
  operation: 'numbers_update',
  what: 'sent',
  who: 'Lee',
  detail: `{"Number":"+1201555${n}"}`,
  requester: 'local:lee',
  decider: null,
  way: null,
  batch: null,
  reason: null,
  change_digest: null,
});

describeEngines('switchboard audit --verify', (engine) => {
  let data: TestStore;
  let db: Database;
  let ledger: Ledger;
  let other: Ledger;

  beforeEach(async () => {
    data = await makeStore(engine);
    db = data.store.database('ledger');
    const open = async (owner: string) => {
      const store = await data.open();
      return new Ledger({ db: store.database('ledger'), seal: SEAL, clock: store.clock, owner });
    };
    ledger = await open('one');
    other = await open('other');
    const settings = { ...onSandbox('http://127.0.0.1:9'), DATA_DIR: data.folder, DATABASE_URL: data.url ?? '' };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    vi.stubEnv('SEALING_KEY', KEY.toString('base64'));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await ledger.close();
    await other.close();
  });

  async function verify(...more: string[]): Promise<{ code: number; lines: string[]; end: string }> {
    const out = new PassThrough();
    const code = await runAudit(['--verify', ...more], out);
    const lines = String(out.read()).trim().split('\n');
    return { code, lines, end: /The end is (\d+ \S+)$/.exec(lines.at(-1) ?? '')?.[1] ?? '' };
  }

  /** Returns the findings of `--verify`, and expects exit code 1. */
  async function flaws(...more: string[]): Promise<string[]> {
    const { code, lines } = await verify(...more);
    expect(code).toBe(1);
    return lines.filter((line) => line.startsWith('FAIL')).map((line) => line.slice('FAIL  '.length));
  }

  /** A transaction of the ledger writes a few entries. */
  const TOGETHER = 100;

  async function fill(entries: number): Promise<void> {
    for (let n = 0; n < entries; n += TOGETHER)
      await db.transaction(async (queries) => {
        for (let at = n; at < Math.min(n + TOGETHER, entries); at += 1) await append(queries, SEAL, old(at));
      });
  }

  /**
   * Rewrites the entries from this one with new hashes, as an attacker does who knows how hashes are made. Returns the
   * last hash.
   */
  async function rewrite(queries: Queries, from: number): Promise<string> {
    type Row = Parameters<typeof hashOf>[0] & { hash: string };
    const rows = await queries.all<Row>('SELECT * FROM audit WHERE seq >= ? ORDER BY seq', from);
    const before = await queries.get<Row>('SELECT * FROM audit WHERE seq = ?', from - 1);
    let prev = before?.hash ?? '';
    for (const row of rows) {
      const hash = hashOf({ ...row, prev });
      await queries.run('UPDATE audit SET prev = ?, hash = ? WHERE seq = ?', prev, hash, row.seq);
      prev = hash;
    }
    return prev;
  }

  it('finds a chain whole that two processes wrote at the same time', async () => {
    const ids = await Promise.all(
      [ledger, other].flatMap((writer, which) =>
        Array.from({ length: 20 }, async (_, at) => {
          const action = await writer.create(fresh(1000 + which * 100 + at));
          await writer.settle(action.id, { from: ['in_flight'], state: 'done', result: {} });
          return action.id;
        }),
      ),
    );
    const { code, lines } = await verify();
    const whole = /^80 entries, all as they were written\. The end is 80 /;
    expect([code, lines[0]]).toEqual([0, expect.stringMatching(whole)]);
    const steps = await db.all<{ seq: number; action: string }>('SELECT seq, action FROM audit ORDER BY seq');
    expect(steps.map(({ seq }) => seq)).toEqual(Array.from({ length: 80 }, (_, at) => at + 1));
    expect(new Set(steps.map(({ action }) => action))).toEqual(new Set(ids));
  });

  it('names entries that were altered, removed, inserted or moved', async () => {
    await fill(30);
    const tampered = async (tamper: (queries: Queries) => Promise<unknown>): Promise<string[]> => {
      await db.run('CREATE TABLE kept AS SELECT * FROM audit');
      await db.transaction(tamper);
      const found = await flaws();
      await db.run('DELETE FROM audit');
      await db.run('INSERT INTO audit SELECT * FROM kept');
      await db.run('DROP TABLE kept');
      expect((await verify()).code).toBe(0);
      return found;
    };
    const place = (queries: Queries, from: number, to: number) =>
      queries.run('UPDATE audit SET seq = ? WHERE seq = ?', to, from);

    const run = (sql: string) => (queries: Queries) => queries.run(sql);
    const texts = ['who', 'detail', 'reason', 'requester', 'decider', 'way', 'batch', 'change_digest', 'prev', 'hash'];
    const replace = async (queries: Queries) => {
      await queries.run(`UPDATE audit SET who = 'x' WHERE seq = 20`);
      await queries.run('UPDATE audit SET hash = ? WHERE seq = 20', hashOf(await entryOf(queries, 20)));
    };
    const cases: [(queries: Queries) => Promise<unknown>, string[]][] = [
      ...texts.map((column): (typeof cases)[number] => [
        run(`UPDATE audit SET ${column} = 'x' WHERE seq = 12`),
        ['Entry 12 was altered or moved.'],
      ]),
      [run('UPDATE audit SET at = at + 1 WHERE seq = 1'), ['Entry 1 was altered or moved.']],
      [run('DELETE FROM audit WHERE seq IN (8, 9)'), ['Entries 8 to 9 were removed.']],
      [run('DELETE FROM audit WHERE seq > 28'), ['The trail was cut: its entries from 29 to 30 are missing.']],
      [run('DELETE FROM audit'), ['The trail was cut: its entries from 1 to 30 are missing.']],
      [
        async (queries) => {
          await place(queries, 5, 100);
          await place(queries, 9, 5);
          await place(queries, 100, 9);
        },
        ['Entry 5 was altered or moved.', 'Entry 9 was altered or moved.'],
      ],
      // An entry is replaced together with its hash, and then the rest of the chain too.
      [replace, ['Entry 21 does not follow the one before: one of them was altered or inserted with a new hash.']],
      [
        async (queries) => {
          await replace(queries);
          await rewrite(queries, 21);
        },
        ['Entry 30 is not the one that was written as the end.'],
      ],
    ];
    for (const [tamper, found] of cases) expect(await tampered(tamper)).toEqual(found);
  });

  async function entryOf(queries: Queries, seq: number): Promise<Parameters<typeof hashOf>[0]> {
    const row = await queries.get<Parameters<typeof hashOf>[0]>('SELECT * FROM audit WHERE seq = ?', seq);
    if (!row) throw new Error(`no entry ${seq}`);
    return row;
  }

  it('does not trust an end that was written without the key, also after further entries', async () => {
    await fill(10);
    const { end } = await verify();
    await db.transaction(async (queries) => {
      await queries.run(`UPDATE audit SET who = 'x' WHERE seq = 4`);
      await queries.run('UPDATE audit_end SET hash = ?', await rewrite(queries, 4));
    });
    expect(await flaws()).toEqual([expect.stringContaining('is not sealed with the key of this installation')]);
    await fill(2);
    const doubted =
      'The record of the end was not sealed when entry 11 was written: entries before it may have been rewritten.';
    expect(await flaws()).toEqual([doubted]);
    await fill(1);
    expect(await flaws('--end', end)).toEqual([
      doubted,
      'Entry 10 is not the one that was the end: it, or entries before it, were rewritten.',
    ]);
    await db.run('UPDATE audit_end SET doubt = NULL');
    expect(await flaws()).toEqual([expect.stringContaining('is not sealed with the key')]);
  });

  it('finds an end that was cut with the stored end, by the ledger and by an end that was kept elsewhere', async () => {
    const action = await ledger.create(fresh(1000));
    const before = await db.get<{ seq: number; hash: string; proof: string }>('SELECT * FROM audit_end');
    await ledger.settle(action.id, { from: ['in_flight'], state: 'done', result: {} });
    const { end, code } = await verify();
    expect([code, (await verify('--end', end)).code]).toEqual([0, 0]);
    await db.transaction(async (queries) => {
      await queries.run('DELETE FROM audit WHERE seq = 2');
      await queries.run(
        'UPDATE audit_end SET seq = ?, hash = ?, proof = ?',
        ...[before?.seq ?? 0, before?.hash ?? '', before?.proof ?? ''],
      );
    });
    const missing = `Action ${action.id} is done in the ledger, and the trail has no entry that says so.`;
    expect(await flaws()).toEqual([missing]);
    await db.run('DELETE FROM actions');
    expect((await verify()).code).toBe(0);
    expect(await flaws('--end', end)).toEqual(['The trail had an entry 2, which is missing.']);
  });

  it('names a change that was altered in the ledger, and stays whole when old actions are deleted', async () => {
    const action = await ledger.create(fresh(1000));
    await ledger.settle(action.id, { from: ['in_flight'], state: 'done', result: {} });
    await db.run(`UPDATE actions SET known = '{"change":{"rows":[]}}'`);
    expect(await flaws()).toEqual([`The change of ${action.id} (entry 1) was altered in the ledger.`]);
    expect(await ledger.deleteOld(-60_000)).toBe(1);
    expect((await verify()).lines).toEqual([expect.stringMatching(/^2 entries, all/)]);
  });

  it('stays whole while the key is rotated', async () => {
    await fill(3);
    const next = randomBytes(32);
    const keys = [next, KEY].map((key) => key.toString('base64'));
    vi.stubEnv('SEALING_KEY', keys.join(','));
    expect((await verify()).code).toBe(0);
    await db.transaction((queries) => append(queries, createSeal(next, KEY), old(3)));
    vi.stubEnv('SEALING_KEY', keys[0]);
    expect((await verify()).lines).toEqual([expect.stringMatching(/^4 entries, all/)]);
    await db.transaction((queries) => append(queries, OTHER, old(4)));
    expect(await flaws()).toEqual([
      expect.stringContaining('is not sealed with the key'),
      expect.stringContaining('when entry 5 was written'),
    ]);
  });
});
