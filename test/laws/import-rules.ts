import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/build.ts';

/** One source file: its path from the root, and its text. */
export interface Source {
  file: string;
  text: string;
}

const files = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? files(`${folder}/${entry.name}`)
      : entry.name.endsWith('.ts')
        ? [`${folder}/${entry.name}`]
        : [],
  );

/** Every file of the product. */
export const sources: readonly Source[] = [...files('src'), ...files('tools')].map((file) => ({
  file,
  text: readFileSync(join(ROOT, file), 'utf8'),
}));

/** An import of one file: of another file (path from the root) or of a package (its name). */
export interface Import {
  file: string;
  target: string;
}

/** Every folder in `src/surfaces`, so that a new surface needs no new entry. */
const SURFACES: readonly string[] = readdirSync(join(ROOT, 'src/surfaces')).map((name) => `src/surfaces/${name}`);

/**
 * The folders from the ground up. A folder imports only itself and folders of a lower level. Folders on one level do not
 * import each other.
 */
export const LEVELS: readonly (readonly string[])[] = [
  ['src/lib'],
  // The meaning of the platform's values. The folder is in `platform/` but sends nothing, so definitions may use it.
  ['src/platform/dialect'],
  ['src/catalogue'],
  ['tools'],
  ['src/store'],
  ['src/work'],
  ['src/platform', 'src/ledger'],
  ['src/gate'],
  ['src/batches'],
  ['src/language'],
  ['src/nlu', 'src/cards'],
  // The words of results for assistants, which is one rendering of a card.
  ['src/language/assistants'],
  ['src/events', 'src/assistant'],
  SURFACES,
  ['src/demo/sandbox', 'src/demo/playground'],
  ['src/start'],
  ['src/cli.ts'],
];

/** The folders of the Slack surface, in the same order. All of them may import the files beside them. */
export const SLACK: readonly string[] = ['blocks', 'api', 'people', 'live', 'flows', 'listeners'];

const BELOW_CLIENT = ['src/lib', 'src/platform/dialect', 'src/catalogue', 'src/store', 'src/work'];
const BELOW_GATE = [...BELOW_CLIENT, 'src/platform', 'src/ledger'];

/**
 * Folders that know less than their level allows, with everything that they may import besides themselves and packages.
 */
export const ONLY: Readonly<Record<string, readonly string[]>> = {
  tools: ['src/lib', 'src/platform/dialect', 'src/catalogue'],
  'src/store': ['src/lib', 'src/catalogue'],
  'src/work': ['src/lib', 'src/store'],
  'src/platform': BELOW_CLIENT,
  'src/ledger': BELOW_CLIENT,
  // The gate and batches know what an operation is and no operation by name.
  'src/gate': BELOW_GATE,
  'src/batches': [...BELOW_GATE, 'src/gate'],
  'src/demo/sandbox': [],
  'src/demo/playground': ['src/lib'],
};

/** Returns the folder of `LEVELS` that a path belongs to; undefined for a file outside of all folders. */
export function folderOf(path: string): string | undefined {
  const folders = LEVELS.flat().filter((folder) => path === folder || path.startsWith(`${folder}/`));
  return folders.sort((one, other) => other.length - one.length)[0];
}

const IMPORT =
  /(?:^|\s)(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|^import\s+['"]([^'"]+)['"]/gm;

/** Every import of these files, type-only ones included. */
export function importsOf(sources: readonly Source[]): Import[] {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(IMPORT)].map((match) => {
      const target = match[1] ?? match[2] ?? match[3] ?? '';
      return { file, target: target.startsWith('.') ? join(dirname(file), target) : target };
    }),
  );
}

/** Imports that run against the order, as "file -> target: why". */
export function forbidden(imports: readonly Import[]): string[] {
  return imports.flatMap(({ file, target }) => {
    if (!target.startsWith('src/') && !target.startsWith('tools/')) return [];
    const from = folderOf(file);
    const to = folderOf(target);
    if (from === undefined) return [`${file} lies in no folder`];
    if (to === undefined) return [`${file} -> ${target}: the target lies in no folder`];
    if (from === to) return [];
    const allowed = ONLY[from];
    if (allowed) return allowed.includes(to) ? [] : [`${file} -> ${target}: ${from} may not import ${to}`];
    return levelOf(to) < levelOf(from) ? [] : [`${file} -> ${target}: ${to} is not below ${from}`];
  });
}

/** Imports between the folders of one room, listed from the ground up, that run against their order. */
export function forbiddenIn(room: string, folders: readonly string[], imports: readonly Import[]): string[] {
  const levelIn = (path: string) =>
    path.startsWith(`${room}/`) ? folders.indexOf(path.slice(room.length + 1).split('/')[0] ?? '') : -1;
  const against = imports.filter(({ file, target }) => levelIn(file) >= 0 && levelIn(target) > levelIn(file));
  return against.map(({ file, target }) => `${file} -> ${target}`);
}

function levelOf(folder: string): number {
  return LEVELS.findIndex((level) => level.includes(folder));
}

/** Groups of files that import one another in a circle. */
export function cycles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports) targets.set(file, [...(targets.get(file) ?? []), target]);
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file) ?? 0);
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!targets.has(target)) continue;
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file) ?? 0, low.get(target) ?? 0));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group.sort());
  };
  for (const file of targets.keys()) if (!index.has(file)) visit(file);
  return found;
}
