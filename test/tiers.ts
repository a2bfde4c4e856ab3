import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './support/build.ts';

/** Packages that start programs: processes of this program, servers of others, browsers. */
const STARTS: ReadonlySet<string> = new Set([
  'node:child_process',
  'playwright-core',
  '@modelcontextprotocol/client/stdio',
  '@modelcontextprotocol/sdk/client/stdio.js',
]);
/** Files of these folders are tests with a separate configuration. */
const APART = ['bench', 'drills'];
/** The functions by which a test runs on PostgreSQL. */
const ON_POSTGRES = /\bdescribe(Engines|WithPostgres)\(/;

/** Returns the imports of a file at run time, without those of types. */
function importsOf(path: string): string[] {
  const imports = readFileSync(join(ROOT, path), 'utf8').matchAll(
    /^(?:import|export)\s(?:([^'";]*?)\sfrom\s)?'([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...imports].flatMap(([, names = '', from = '', later = '']) => (isOfTypes(names) ? [] : [from || later]));
}

/** `type X`, or `{ type X, type Y }`. */
function isOfTypes(names: string): boolean {
  if (/^type\s/.test(names)) return true;
  const [, inBraces] = /^\{([^}]*)\}$/s.exec(names.trim()) ?? [];
  const each = inBraces?.split(',').map((name) => name.trim());
  return each?.every((name) => name === '' || name.startsWith('type ')) ?? false;
}

/** Every package, and every file of this project, that a test loads through the files of `test/`. */
export function reached(path: string, seen = new Set<string>()): ReadonlySet<string> {
  for (const from of importsOf(path)) {
    const file = from.startsWith('.') ? relative(ROOT, join(ROOT, dirname(path), from)) : from;
    if (seen.has(file)) continue;
    seen.add(file);
    if (file.startsWith('test/') && file.endsWith('.ts') && existsSync(join(ROOT, file))) reached(file, seen);
  }
  return seen;
}

/** The tests, from the project's folder. */
export function testFiles(): string[] {
  return readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts') && !APART.some((folder) => path.startsWith(`test/${folder}/`)))
    .sort();
}

export interface Tiers {
  /** All happens in one process. */
  quick: string[];
  /** Processes, servers of others and browsers are started, or parsers are given long texts. */
  programs: string[];
  /** The tests of `quick` that run on PostgreSQL too. */
  postgres: string[];
}

/** The tier of each test follows from what it imports, so no name or list has to be kept. */
export function tiers(): Tiers {
  const found: Tiers = { quick: [], programs: [], postgres: [] };
  for (const path of testFiles()) {
    const all = reached(path);
    if (path.startsWith('test/fuzz/') || [...STARTS].some((name) => all.has(name))) {
      found.programs.push(path);
      continue;
    }
    found.quick.push(path);
    if (ON_POSTGRES.test(readFileSync(join(ROOT, path), 'utf8'))) found.postgres.push(path);
  }
  return found;
}
