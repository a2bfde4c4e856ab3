import { defineConfig } from 'vitest/config';

/** `npm run fuzz`: the long run, apart from the tests. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: { include: ['test/fuzz/full.ts'], reporters: ['default'], maxWorkers: 1 },
});
