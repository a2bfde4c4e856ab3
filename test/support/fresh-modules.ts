import { vi } from 'vitest';

/*
 * vitest setup file, run before each test file. One process runs many files: packages are loaded once, and our own modules
 * anew for each file, so that no file sees what another one left in them.
 */
vi.resetModules();
vi.unstubAllEnvs();
vi.useRealTimers();
