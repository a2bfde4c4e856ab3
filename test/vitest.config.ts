import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { tiers } from './tiers.ts';

const { quick, programs, postgres } = tiers();
const alone = ['test/support/temporary.ts', 'test/support/build-once.ts'];
const withDatabase = [...alone, 'test/support/database.ts'];

/** `engines`: the engines of the tests that run on each. */
function project(name: string, include: string[], engines: string, globalSetup: string[]): TestProjectConfiguration {
  return { extends: true, test: { name, include, globalSetup, env: { TEST_ENGINES: engines } } };
}

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    projects: [
      project('quick', quick, 'sqlite', process.env.TEST_ENGINE === 'postgres' ? withDatabase : alone),
      project('programs', programs, 'sqlite,postgres', withDatabase),
      project('postgres', postgres, 'postgres', withDatabase),
    ],
    // A process for each file would load the same packages again, which took a fifth of the run.
    isolate: false,
    setupFiles: ['test/support/fresh-modules.ts'],
    // Otherwise each project and each run compiles all modules again. A module's text and this file are parts of the key.
    experimental: { fsModuleCache: true },
    // More files than cores at a time, because many tests wait for processes that they started.
    maxWorkers: Math.max(3, availableParallelism()),
    // They guard against a hang only: on a busy machine a test may take many times as long as usual.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default'],
  },
});
