import { vi } from 'vitest';

/** The modules that this process has loaded, by path, as vitest keeps them. */
interface Loaded {
  evaluatedModules?: {
    idToModuleMap: Map<string, { promise?: unknown; exports?: unknown; evaluated: boolean; importers: Set<string> }>;
  };
}

/*
 * vitest setup file, run before each test file. One process runs many files. It evaluates the modules of `test/` for each
 * file, because they register hooks, and so that no file sees what another file left in them. The modules of `src/` and
 * `tools/` hold caches only and are evaluated once, so that the engine compiles them once.
 */
const { evaluatedModules } = (globalThis as { __vitest_worker__?: Loaded }).__vitest_worker__ ?? {};
if (evaluatedModules === undefined) vi.resetModules();
evaluatedModules?.idToModuleMap.forEach((module, path) => {
  if (!path.includes('/test/')) return;
  module.promise = undefined;
  module.exports = undefined;
  module.evaluated = false;
  module.importers.clear();
});
vi.unstubAllEnvs();
vi.useRealTimers();
