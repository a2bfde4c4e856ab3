import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { learnedIn } from '../../src/nlu/model-file.ts';
import { ROOT } from '../support/build.ts';
import { makeFolder } from '../support/folder.ts';

const COMMITTED = join(ROOT, 'tools/words.model');
const MOST_BYTES = 1_500_000;

it('is learned again from the rows, byte by byte', () => {
  const folder = makeFolder();
  const file = join(folder, 'words.model');
  execFileSync(process.execPath, [join(ROOT, 'src/build.mjs'), '--learn', file], { cwd: ROOT });
  expect(learnedIn(readFileSync(file)).equals(learnedIn(readFileSync(COMMITTED)))).toBe(true);
  expect(statSync(COMMITTED).size).toBeLessThanOrEqual(MOST_BYTES);
}, 600_000);
