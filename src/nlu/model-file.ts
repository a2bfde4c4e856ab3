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
  classifiers: Readonly<Record<keyof Taught['classifiers'], Classifier>>;
}

/** The line in front of the bytes of the classifiers. */
interface Head {
  names: readonly string[];
  common: readonly string[];
  classifiers: readonly { name: keyof Taught['classifiers']; labels: readonly string[]; length: number }[];
}

const NEWLINE = 10;

export function writeModel({ names, common, classifiers }: Taught, digest: string): Buffer {
  const all = Object.entries(classifiers);
  const list = all.map(([name, { labels, bytes }]) => ({ name, labels, length: bytes.length }));
  const head = JSON.stringify({ names, common, classifiers: list });
  const learned = Buffer.concat([Buffer.from(`${head}\n`), ...all.map(([, { bytes }]) => bytes)]);
  return Buffer.concat([Buffer.from(`${digest}\n`), brotliCompressSync(learned)]);
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
  const read = classifiers.map(({ name, labels, length }) => {
    at += length;
    return [name, new Classifier({ labels, bytes: learned.subarray(at - length, at) })] as const;
  });
  const vocabulary = { names: new Set(names), common: new Set(common) };
  return { vocabulary, classifiers: Object.fromEntries(read) as unknown as Model['classifiers'] };
}
