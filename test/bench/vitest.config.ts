import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/bench/*.test.ts'],
    globalSetup: ['test/support/build-once.ts', 'test/support/database.ts'],
    reporters: ['default'],
  },
});
