import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/build.ts';

/** Folders of tests of the whole, and of what all tests use. */
const BESIDE: ReadonlySet<string> = new Set([
  'attacks',
  'bench',
  'chaos',
  'conformance',
  'e2e',
  'fuzz',
  'laws',
  'pictures',
  'snapshots',
  'soak',
  'support',
]);

/** The paths below `test/` of the tests outside the folders beside. */
const paths = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.test.ts') && !BESIDE.has(path.split('/')[0] ?? ''));

/**
 * Returns true if a test, as in `gate/approval.asked.test.ts`, has the name of a file or a folder at the mirrored path.
 */
function mirrors(path: string): boolean {
  const [, room, name] = /^(.+)\/([\w-]+)(?:\.[\w-]+)?\.test\.ts$/.exec(path) ?? [];
  if (room === undefined || name === undefined) return false;
  const from = /^tools(\/|$)/.test(room) ? room : `src/${room}`;
  return ['.ts', '.tsx', ''].some((end) => existsSync(join(ROOT, from, `${name}${end}`)));
}

describe('a test', () => {
  it('lies at the mirrored path of what it tests, and carries its name', () => {
    expect(paths).toContain('gate/approval.asked.test.ts');
    expect(paths.filter((path) => !mirrors(path))).toEqual([]);
  });

  it.each([
    ['gate/approval.test.ts', true],
    ['tools/numbers/portin.test.ts', true],
    ['gate/asked.test.ts', false],
    ['gate/approval.asked.twice.test.ts', false],
  ])('%s: %s', (path, at) => expect(mirrors(path)).toBe(at));
});
