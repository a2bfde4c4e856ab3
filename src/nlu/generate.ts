import { createHash } from 'node:crypto';
import { tools } from '../../tools/index.ts';
import { writeModel } from './model-file.ts';
import type { Row } from './rows.ts';
import { teach } from './teach.ts';
import { slotsOf } from './values.ts';

/* Makes `tools/words.model`, at build time. */

/** The present of the rows: a Sunday. "Tomorrow" in a row is the day after it. */
const NOW = Date.parse('2026-11-22T09:30:00Z');
const NAMES = 'tools/given-names.txt';
const FORMS = 'tools/stances.json';
/** The libraries that find entities. */
const LIBRARIES = ['chrono-node', 'libphonenumber-js'];
/** Files of this folder that have no part in teaching. */
const READING = /^src\/nlu\/(?:reader|requests|thread|search|secrets|slots)\.ts$/;

/**
 * The model of the project's files.
 *
 * @param read the text of a file, by its path from the project's folder
 * @param paths all files of `tools` and `src/nlu`
 * @returns the digest of all that it is learned from, and a function that learns it, which takes a minute
 */
export function wordsModel(
  read: (path: string) => string,
  paths: readonly string[],
): { digest: string; learn: () => Uint8Array } {
  const tables = paths.filter((path) => /^tools\/[^/]+\/words\.json$/.test(path)).sort();
  const code = paths.filter((path) => /^src\/nlu\/[^/]+\.ts$/.test(path) && !READING.test(path)).sort();
  const versions = LIBRARIES.map(
    (name) => (JSON.parse(read(`node_modules/${name}/package.json`)) as { version: string }).version,
  );
  const operations = tools.map((tool) => [tool.id, tool.title, tool.risk, ...slotsOf(tool).values()]);
  const texts = [...tables, NAMES, FORMS, ...code].map(read);
  const sources = JSON.stringify([texts, versions, operations]);
  const digest = createHash('sha256').update(sources).digest('hex');
  const learn = () => {
    const rows = tables.flatMap((path) => JSON.parse(read(path)) as Row[]);
    const names = read(NAMES).split(/\s+/).filter(Boolean);
    const forms = JSON.parse(read(FORMS)) as Record<string, string[]>;
    return writeModel(teach({ rows, names, forms, tools, now: NOW, zone: 'UTC', seed: 7 }), digest);
  };
  return { digest, learn };
}
