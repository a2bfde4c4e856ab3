import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/drills/*.ts'],
    exclude: ['test/drills/vitest.config.ts', 'test/drills/servers.ts'],
    globalSetup: ['test/support/temporary.ts', 'test/support/build-once.ts', 'test/support/database.ts'],
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
});
