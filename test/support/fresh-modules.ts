import { vi } from 'vitest';

/*
 * vitest setup file, run before each test file. One process runs many files. It loads a package once, but evaluates the
 * project's modules for each file, so that no file sees what another file left in them.
 */
vi.resetModules();
vi.unstubAllEnvs();
vi.useRealTimers();
