import { type FileHandle, open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { TrailEnd } from '../../ledger/audit.ts';
import { ConfigError } from '../../lib/config.ts';

/** The place that entries are written to. */
export interface Output {
  /** Writes lines, below the heading in a new file. Resolves to false if the reader has closed the stream. */
  write(heading: string, lines: string): Promise<boolean>;
  close(): Promise<void>;
}

/** A stream. The heading comes once. */
export function streamOutput(stream: NodeJS.WritableStream): Output {
  let isNew = true;
  return {
    write: (heading, lines) => {
      const text = isNew ? heading + lines : lines;
      isNew = false;
      return send(text, stream);
    },
    close: async () => undefined,
  };
}

/** Writes a text. Resolves to false if the reader has closed the stream, as `head` does. */
export function send(text: string, stream: NodeJS.WritableStream): Promise<boolean> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error?: NodeJS.ErrnoException | null) => {
      if (!error) resolve(true);
      else if (error.code === 'EPIPE') resolve(false);
      else reject(error);
    });
  });
}

/**
 * A file that is appended to. If another program has renamed, deleted or emptied it, as log rotation does, the next
 * lines go to a new file of the same name.
 */
export function fileOutput(path: string): Output {
  let file: FileHandle | undefined;
  const current = async (): Promise<FileHandle> => {
    if (file !== undefined) {
      const [own, there] = await Promise.all([file.stat(), statOf(path)]);
      if (there?.ino === own.ino && there.dev === own.dev) return file;
      await file.close();
    }
    file = await openFile(path);
    return file;
  };
  return {
    write: async (heading, lines) => {
      const target = await current();
      const { size } = await target.stat();
      await target.appendFile(size === 0 ? heading + lines : lines);
      await target.datasync();
      return true;
    },
    close: async () => file?.close(),
  };
}

async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path, 'a+', 0o600);
  const found = await file.stat();
  if (!found.isFile()) {
    await file.close();
    throw new ConfigError(`--to ${path} is not a file. Leave --to out to write to standard output.`);
  }
  if (found.size === 0) return file;
  // A process that was killed may have left a part of a line.
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, found.size - 1);
  if (buffer.toString() !== '\n') await file.appendFile('\n');
  return file;
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** "10000:kM2…", as `--verify` prints it and `--position` keeps it. */
export function endText({ seq, hash }: TrailEnd): string {
  return `${seq}:${hash}`;
}

/** Reads what `endText` wrote; undefined for another text. */
export function readEndText(text: string): TrailEnd | undefined {
  const [, seq, hash = ''] = /^(\d{1,15}):([\w-]{43})$/.exec(text.trim()) ?? [];
  return seq === undefined ? undefined : { seq: Number(seq), hash };
}

/** The last entry that was written, as a file keeps it; undefined if there is no such file yet. */
export async function readPosition(path: string): Promise<TrailEnd | undefined> {
  if ((await statOf(path)) === undefined) return undefined;
  const end = readEndText(await readFile(path, 'utf8'));
  if (end === undefined) throw new ConfigError(`--position ${path} is not a file that this command wrote.`);
  return end;
}

export async function writePosition(path: string, end: TrailEnd): Promise<void> {
  await writeFile(`${path}.new`, `${endText(end)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
