import { describe, expect, it } from 'vitest';
import { reached, testFiles, tiers } from '../tiers.ts';

/** Rooms whose code is pure: it takes values and returns values. */
const PURE = ['cards', 'catalogue', 'language', 'lib', 'surfaces/slack/blocks'];
/** Files that boot a platform or the product. */
const WORLDS = ['src/demo/sandbox/index.ts', 'src/start/runtime.ts'];

describe('a tier of the tests', () => {
  const { quick, programs, postgres } = tiers();

  it('follows from what a test starts, directly or through the files of test/', () => {
    expect(quick).toEqual(expect.arrayContaining(['test/cards/card.test.ts', 'test/gate/approval.test.ts']));
    expect(programs).toEqual(
      expect.arrayContaining([
        'test/e2e/process.test.ts',
        'test/e2e/nginx.test.ts',
        'test/surfaces/web/confirm.look.test.ts',
        'test/ledger/ledger.kill.test.ts',
        'test/chaos/chaos.test.ts',
        'test/soak/soak.test.ts',
      ]),
    );
    expect(postgres).toEqual(
      expect.arrayContaining(['test/start/installation.open.test.ts', 'test/ledger/ledger.claim.test.ts']),
    );
  });

  it('has every test in exactly one of the two, and repeats on PostgreSQL only what is quick', () => {
    expect([...quick, ...programs].sort()).toEqual(testFiles());
    expect(postgres.filter((path) => !quick.includes(path))).toEqual([]);
  });

  it('is the quick one for the tests of pure rooms, which boot no world', () => {
    const pure = testFiles().filter((path) => PURE.some((room) => path.startsWith(`test/${room}/`)));
    const booting = pure.filter((path) => WORLDS.some((world) => reached(path).has(world)) || programs.includes(path));
    expect(booting).toEqual([]);
  });
});
