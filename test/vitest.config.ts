import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**'],
    globalSetup: ['test/support/temporary.ts', 'test/support/build.ts', 'test/support/database.ts'],
    // A process for each file would load the same packages again, which took a fifth of the run.
    isolate: false,
    setupFiles: ['test/support/fresh-modules.ts'],
    // More files than cores at a time, because many tests wait for processes that they started.
    maxWorkers: Math.max(3, availableParallelism()),
    // They guard against a hang only: on a busy machine a test may take many times as long as usual.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default'],
  },
});
