import { type Group, groups } from '../../tools/groups.ts';

/** Folders of tools/ that hold no tools. */
const OTHER = new Set(['shared', 'surfaces']);
const WORKFLOWS = 'workflows';

/** A file of tools/ that defines one tool. */
interface ToolFile {
  /** Path from tools/, without `.ts`: `numbers/order-get`. */
  path: string;
  id: string;
  group: string;
  kind: 'operation' | 'workflow';
}

/**
 * Returns the text of tools/index.ts.
 * @param paths files from tools/, with forward slashes: `numbers/order-get.ts`.
 */
export function toolsIndex(paths: readonly string[]): string {
  const files = paths.flatMap(toolFile);
  const ordered = [...files].sort(byListing);
  const operations = ordered.filter(({ kind }) => kind === 'operation');
  const workflows = ordered.filter(({ kind }) => kind === 'workflow');
  return [
    '// Generated from the folders by `npm run generate`. The order comes from groups.ts.',
    "import type { Operation, Tool, Workflow } from '../src/catalogue/operation.ts';",
    ...files
      .toSorted((a, b) => compare(a.path, b.path))
      .map(({ id, path }) => `import ${variable(id)} from './${path}.ts';`),
    '',
    '/** One call of the platform each, by group. */',
    ...list('operations', 'Operation', operations),
    '',
    '/** Several operations as one tool. */',
    ...list('workflows', 'Workflow', workflows),
    '',
    'export const tools: readonly Tool[] = [...operations, ...workflows];',
    '',
  ].join('\n');
}

/**
 * Names a tool by its path: `numbers/order-get.ts` is `numbers_order_get`, `workflows/numbers-cancel.ts` is
 * `numbers_cancel`.
 */
function toolFile(path: string): ToolFile[] {
  const [, folder = '', file = ''] = /^([^/]+)\/([^/]+)\.ts$/.exec(path) ?? [];
  if (file === '' || OTHER.has(folder)) return [];
  const words = file.replaceAll('-', '_');
  const id = folder === WORKFLOWS ? words : `${folder}_${words}`;
  const group = id.split('_')[0] ?? '';
  if (!(group in groups)) throw new Error(`tools/${path} belongs to no group. Add "${group}" to tools/groups.ts.`);
  return [{ path: `${folder}/${file}`, id, group, kind: folder === WORKFLOWS ? 'workflow' : 'operation' }];
}

/**
 * Sorts tools by group in the order of groups.ts. In a group, the tools that it names come first, then the others by
 * id.
 */
function byListing(a: ToolFile, b: ToolFile): number {
  const names = Object.keys(groups);
  return names.indexOf(a.group) - names.indexOf(b.group) || place(a) - place(b) || compare(a.id, b.id);
}

function place({ id, group }: ToolFile): number {
  const named = (groups[group] as Group).order ?? [];
  const at = named.indexOf(id);
  return at < 0 ? named.length : at;
}

/** Compares independently of the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Formats a list as biome does: on one line if it fits. */
function list(name: string, type: string, files: readonly ToolFile[]): string[] {
  const names = files.map(({ id }) => variable(id));
  const line = `export const ${name}: readonly ${type}[] = [${names.join(', ')}];`;
  if (line.length <= 120) return [line];
  return [`export const ${name}: readonly ${type}[] = [`, ...names.map((each) => `  ${each},`), '];'];
}

function variable(id: string): string {
  return id.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
