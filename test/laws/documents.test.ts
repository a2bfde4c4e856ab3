import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/build.ts';
import { documents } from '../support/documents.ts';
import { sources } from './import-rules.ts';

/** The root README is for a first visit. More belongs into the README of a folder. */
const MOST_WORDS = 2_800;

/** The text without fenced code blocks, in which nothing is a heading or a link. */
const prose = (text: string): string => text.replace(/^```.*\n[\s\S]*?^```/gm, '');

/** The anchors that GitHub makes from the headings of a text. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose(text).matchAll(/^#{1,6} +(.+)$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The targets of links and pictures that are not addresses of other sites. */
function targetsOf(text: string): string[] {
  const withoutCode = prose(text).replace(/`[^`\n]*`/g, '');
  const found = [
    ...withoutCode.matchAll(/\]\(([^)\s]+)[^)]*\)/g),
    ...withoutCode.matchAll(/\b(?:href|src|srcset)="([^"]+)"/g),
  ];
  return found.map(([, target = '']) => target).filter((target) => !/^[a-z]+:/i.test(target));
}

/** The links of a document that lead nowhere. */
function broken(path: string, text: string): string[] {
  return targetsOf(text).filter((target) => {
    const [file = '', anchor] = target.split('#');
    const to = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(ROOT, to))) return true;
    return anchor !== undefined && !anchorsOf(file === '' ? text : read(to)).has(anchor);
  });
}

/**
 * The paths of source files and folders in a document that name no file: from the root, from its folder, or by their end.
 * In the README of a folder of `src`, a name alone is that of a file of this folder.
 */
function gone(path: string, text: string, files: readonly string[]): string[] {
  const own = files.filter((file) => file.startsWith(`${dirname(path)}/`));
  const named = [
    ...prose(text).matchAll(/`([\w./-]+\.(?:ts|mjs))`/g),
    ...prose(text).matchAll(/`((?:src|tools|test)\/[\w./-]+)`/g),
  ].map(([, name = '']) => name);
  return [...new Set(named)].filter((name) => {
    const ends = [name, join(dirname(path), name)].map((end) => end.replaceAll('\\', '/').replace(/\/$/, ''));
    const among = path.startsWith('src/') && path !== 'src/README.md' && !name.includes('/') ? own : files;
    return !among.some((file) => ends.some((end) => `/${file}`.endsWith(`/${end}`) || file.startsWith(`${end}/`)));
  });
}

describe('the documentation', () => {
  it('has a root README that can be read in one go', () => {
    expect(read('README.md').split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(MOST_WORDS);
  });

  it('has no link to a file or a heading that does not exist', () => {
    const all = documents();
    expect(all).toContain('src/start/README.md');
    expect(all.flatMap((path) => broken(path, read(path)).map((target) => `${path}: ${target}`))).toEqual([]);
  });

  it('names no source file that does not exist', () => {
    const files = ['src', 'tools', 'test'].flatMap((folder) => filesIn(folder).map((file) => `${folder}/${file}`));
    const found = documents().flatMap((path) => gone(path, read(path), files).map((name) => `${path}: ${name}`));
    expect(found).toEqual([]);
    expect(gone('src/README.md', '`lib/a.ts` `b.ts` `src/c/`', ['src/lib/a.ts', 'src/d/b.ts'])).toEqual(['src/c/']);
    expect(gone('src/a/README.md', '`b.ts` `c.ts` `d/c.ts`', ['src/a/b.ts', 'src/d/c.ts'])).toEqual(['c.ts']);
  });

  it('has a way from the root README to every document', () => {
    const reached = new Set(['README.md']);
    for (const path of reached)
      for (const target of targetsOf(read(path))) {
        const [file = ''] = target.split('#');
        if (file.endsWith('.md')) reached.add(join(dirname(path), file));
      }
    expect(documents().filter((path) => !reached.has(path))).toEqual([]);
  });

  it('shows each broken link', () => {
    const text =
      '# One, two\n[a](#one-two) [b](#three) [c](nowhere.md) <img src="gone.png"> `[d](e)`\n```\n[f](g)\n```\n';
    expect(broken('README.md', text)).toEqual(['#three', 'nowhere.md', 'gone.png']);
    expect(broken('src/README.md', '[a](../tools/README.md#operations) [b](../README.md#nothing)')).toEqual([
      '../README.md#nothing',
    ]);
    expect([...anchorsOf('# A `b` & c\n## Two\n## Two\n```\n# no\n```\n')]).toEqual(['a-b--c', 'two', 'two-1']);
  });
});

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function filesIn(folder: string): string[] {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return paths.map((path) => path.replaceAll('\\', '/'));
}

/** Folders of tests of the whole, and of what all tests use. */
const BESIDE: ReadonlySet<string> = new Set(
  'attacks bench chaos conformance e2e fuzz laws pictures snapshots soak support'.split(' '),
);

/** The paths below `test/` of the tests outside the folders beside. */
const paths = filesIn('test').filter((path) => path.endsWith('.test.ts') && !BESIDE.has(path.split('/')[0] ?? ''));

/**
 * Returns true if a test, as in `lib/values.text.test.ts`, has the name of a file or a folder at the mirrored path.
 */
function mirrors(path: string): boolean {
  const [, room, name] = /^(.+)\/([\w-]+)(?:\.[\w-]+)?\.test\.ts$/.exec(path) ?? [];
  if (room === undefined || name === undefined) return false;
  const from = /^tools(\/|$)/.test(room) ? room : `src/${room}`;
  return ['.ts', '.tsx', ''].some((end) => existsSync(join(ROOT, from, `${name}${end}`)));
}

describe('a test', () => {
  it('lies at the mirrored path of what it tests, and carries its name', () => {
    expect(paths).toContain('lib/values.text.test.ts');
    expect(paths.filter((path) => !mirrors(path))).toEqual([]);
  });

  it.each([
    ['gate/approval.test.ts', true],
    ['tools/numbers/portin.test.ts', true],
    ['gate/asked.test.ts', false],
    ['gate/approval.asked.twice.test.ts', false],
  ])('%s: %s', (path, at) => expect(mirrors(path)).toBe(at));
});

/*
 * A function that is handed to a constructor, so that a lower room can call a higher one, is an import in disguise. The
 * types of all constructors' parameters are searched for functions: as members, as methods, and under a name of their own.
 */

/** Rooms whose classes call downwards only. */
const ROOMS = /^src\/(?:work|platform|ledger|gate)\//;

/** Members that may be functions: tests replace the clock, and every room writes to the log. */
const ALLOWED = ['clock', 'log'];

/** Functions among the members of a type, by name: `done: () => void`, `told(): void`, `changed: Alias`. */
function functionsIn(type: string, aliases: readonly string[]): string[] {
  const functions = ['\\(*\\([^()]*\\) =>', ...aliases.map((name) => `${name}\\b`)].join('|');
  const members = new RegExp(`(?:^|[{;\\n(,])\\s*(?:readonly )?(\\w+)(?:\\(|\\??: (?:${functions}))`, 'g');
  return [...type.matchAll(members)].map(([, name = '']) => name).filter((name) => !ALLOWED.includes(name));
}

/** Functions that the constructors of these texts take, as "parameters: member". */
function callbacksIn(texts: readonly string[]): string[] {
  const text = texts.join('\n').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const aliases = [...text.matchAll(/^(?:export )?type (\w+) =\s*\([^=]*\) =>/gm)].map(([, name = '']) => name);
  const options = new Map(
    [...text.matchAll(/interface (\w+(?:Options|Parts))(?: extends ([\w, ]+))? \{([\s\S]*?)\n\}/g)].map(
      ([, name = '', bases = '', members = '']) => [name, { bases: bases.split(', '), members }],
    ),
  );
  const inOptions = (name: string): string[] => {
    const found = options.get(name);
    return found ? [...functionsIn(found.members, aliases), ...found.bases.flatMap(inOptions)] : [];
  };
  return [...text.matchAll(/^ {2}constructor\(([\s\S]*?)\) \{/gm)].flatMap(([, parameters = '']) => {
    const named = parameters.match(/\w+(?:Options|Parts)\b/g) ?? [];
    return [...functionsIn(parameters, aliases), ...named.flatMap(inOptions)].map((name) => `${parameters}: ${name}`);
  });
}

describe('functions handed to constructors', () => {
  it('are none in the rooms that call downwards only, but the clock and the log', () => {
    expect(callbacksIn(sources.flatMap(({ file, text }) => (ROOMS.test(file) ? [text] : [])))).toEqual([]);
  });

  it('are found as members, methods, aliases and parameters', () => {
    const text = `
type Alias = (id: string) => void;
interface ThingOptions {
  changed: Alias;
  log: () => void;
  done?: (() => void) | undefined;
  told(): void;
}
class Thing {
  constructor(options: ThingOptions) {
  }
}
class Other {
  constructor(db: Database, { toolOf }: { toolOf: (id: string) => string }, run: () => void) {
  }
}`;
    const found = callbacksIn([text]).map((one) => one.split(': ').at(-1));
    expect(found).toEqual(['changed', 'done', 'told', 'toolOf', 'run']);
  });
});
