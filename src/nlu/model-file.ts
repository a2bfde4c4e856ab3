import { createHash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { Classifier } from './classifier.ts';
import type { Taught } from './teach.ts';
import type { Vocabulary } from './tokens.ts';

/*
 * The file of what was learned, `tools/words.model`. Its first line is a digest of all that it was learned from; the rest
 * is compressed: a line that describes the classifiers, and their bytes.
 */

/** What the reader reads with. */
export interface Model {
  vocabulary: Vocabulary;
  classifiers: ReadonlyMap<string, Classifier>;
}

interface Head {
  names: readonly string[];
  common: readonly string[];
  classifiers: readonly { name: string; labels: readonly string[]; length: number }[];
}

const NEWLINE = 10;

/** The digest of what a model is learned from. */
export function digestOf(sources: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(createHash('sha256').update(source).digest());
  return hash.digest('hex');
}

/** The digest in the first line of a file; '' if it has none. */
export function digestIn(file: Uint8Array): string {
  const end = file.indexOf(NEWLINE);
  return end < 0 ? '' : Buffer.from(file.subarray(0, end)).toString();
}

export function writeModel(taught: Taught, digest: string): Buffer {
  const classifiers = Object.entries(taught.classifiers);
  const head: Head = {
    names: taught.names,
    common: taught.common,
    classifiers: classifiers.map(([name, { labels, bytes }]) => ({ name, labels, length: bytes.length })),
  };
  const parts = [Buffer.from(`${JSON.stringify(head)}\n`), ...classifiers.map(([, { bytes }]) => bytes)];
  return Buffer.concat([Buffer.from(`${digest}\n`), brotliCompressSync(Buffer.concat(parts))]);
}

/** The part of a file that was learned, without its compression, which may differ between versions of Node. */
export function learnedIn(file: Uint8Array): Buffer {
  return brotliDecompressSync(file.subarray(file.indexOf(NEWLINE) + 1));
}

export function readModel(file: Uint8Array): Model {
  const learned = learnedIn(file);
  const end = learned.indexOf(NEWLINE);
  const { names, common, classifiers } = JSON.parse(learned.subarray(0, end).toString()) as Head;
  let at = end + 1;
  const read = classifiers.map(({ name, labels, length }): [string, Classifier] => {
    const bytes = learned.subarray(at, at + length);
    at += length;
    return [name, new Classifier(labels, bytes)];
  });
  return { vocabulary: { names: new Set(names), common: new Set(common) }, classifiers: new Map(read) };
}
