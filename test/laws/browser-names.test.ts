import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/build.ts';
import { testFiles } from '../tiers.ts';

/** Playwright takes a text as a part of the name, in any case: "Send" is also "Send a message". */
const loose = (code: string): string[] =>
  [...code.matchAll(/getByRole\([^{)]*\{([^}]*)\}/g)]
    .filter(([, options = '']) => /\bname(?!: \/)/.test(options) && !options.includes('exact: true'))
    .map(([found]) => found);

describe('a browser test', () => {
  it('names a button by its whole name, or by a pattern', () => {
    const found = testFiles().flatMap((path) =>
      loose(readFileSync(join(ROOT, path), 'utf8')).map((call) => `${path}: ${call}`),
    );
    expect(found.filter((call) => !call.startsWith('test/laws/'))).toEqual([]);
  });

  it.each([
    [`page.getByRole('button', { name: 'Send' })`, 1],
    [`page.getByRole('button', { name })`, 1],
    [`page.getByRole('button', { name: 'Send', exact: true })`, 0],
    [`page.getByRole('button', { name: /^Send/ })`, 0],
    [`page.getByRole('button')`, 0],
  ])('%s', (code, count) => expect(loose(code)).toHaveLength(count));
});
