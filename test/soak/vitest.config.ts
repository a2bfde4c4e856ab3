import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/soak/hour.ts', 'test/soak/demo.ts'],
    globalSetup: ['test/support/build-once.ts'],
    reporters: ['default'],
  },
});
