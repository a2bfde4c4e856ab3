import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/build.ts';

/** This file shows what is forbidden. */
const OWN = 'test/laws/citations.test.ts';
const RULES = 'tools/PLATFORM.md';
const files = [
  'README.md',
  ...['src', 'tools', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  ),
].filter((path) => /\.(ts|mjs|md)$/.test(path) && path !== OWN && path !== RULES);
const headings = [...readFileSync(join(ROOT, RULES), 'utf8').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);

/** Comments of several lines as one, so that a citation may be broken over two. */
const joined = (text: string) => text.replace(/\n\s*(\*|\/\/)?\s*/g, ' ');

/** The citations of PLATFORM.md in a text that name no heading of it. */
function unknownHeadings(text: string): string[] {
  return [...joined(text).matchAll(/PLATFORM\.md, (.{0,40})/g)]
    .map(([, cited = '']) => cited)
    .filter(
      (cited) => !headings.some((heading) => cited.startsWith(`${heading}`) && !/^\w/.test(after(cited, heading))),
    );
}

const after = (cited: string, heading = '') => cited.slice(heading.length);

/** Names of documents that a reader of this repository does not have. */
const outsideDocuments = (text: string) =>
  joined(text).match(/\b(platform|gaps|contract|catalogue|design)\.md\b|interface-1\.0\.8|\((contract|design)[,:)]/g) ??
  [];

describe('citations', () => {
  it('name only headings of PLATFORM.md', () => {
    const wrong = files.flatMap((path) => unknownHeadings(read(path)).map((cited) => `${path}: ${cited}`));
    expect(wrong).toEqual([]);
  });

  it('name every heading of PLATFORM.md', () => {
    const cited = files.map((path) => joined(read(path))).join('\n');
    const unused = headings.filter((heading) => !new RegExp(`PLATFORM\\.md, ${heading}(?!\\w)`).test(cited));
    expect(unused).toEqual([]);
  });

  it('name no document outside the repository', () => {
    const wrong = files.flatMap((path) => outsideDocuments(read(path)).map((name) => `${path}: ${name}`));
    expect(wrong).toEqual([]);
  });

  it('are found when they are wrong', () => {
    expect(unknownHeadings('/** PLATFORM.md, Weather. */')).toEqual(['Weather. */']);
    expect(unknownHeadings('/** (PLATFORM.md,\n * Orders); PLATFORM.md, Number states. */')).toEqual([]);
    expect(unknownHeadings('PLATFORM.md, Ordersome')).toEqual(['Ordersome']);
    expect(outsideDocuments('(contract, Retries) and gaps.md')).toEqual(['(contract,', 'gaps.md']);
  });
});

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
