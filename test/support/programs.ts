import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from 'vitest';

/** The path of a program, under the first of its names that is installed. */
export function program(...names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin', '/usr/bin'];
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // The program is not in this folder.
      }
    }
  }
  return undefined;
}

/** Programs that must be there: all in CI, or those named in TEST_REQUIRE=nginx,chromium. */
export function isRequired(name: string): boolean {
  const ci = (process.env.CI ?? '') !== '' && process.env.CI !== 'false';
  return ci || (process.env.TEST_REQUIRE ?? '').split(',').includes(name);
}

/**
 * Describes tests that need programs of this machine. If one is missing, the tests are left out with a line that says
 * so, or fail if the program is required.
 */
export function describeWith(
  programs: Readonly<Record<string, string | undefined>>,
  title: string,
  tests: (paths: Readonly<Record<string, string>>) => void,
): void {
  const missing = Object.keys(programs).filter((name) => programs[name] === undefined);
  if (missing.length === 0) {
    describe(title, () => tests(programs as Readonly<Record<string, string>>));
    return;
  }
  const why = `${title}: ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not installed`;
  if (missing.some(isRequired)) {
    it(title, () => {
      throw new Error(`${why}, and required here (CI or TEST_REQUIRE)`);
    });
    return;
  }
  process.stderr.write(`\nLEFT OUT: ${why}. Install it to run these tests.\n`);
  describe.skip(`${title} (left out: ${missing.join(', ')} missing)`, () => it('is left out', () => undefined));
}
