#!/usr/bin/env node
// The program's first code, bundled by itself into dist/cli.js. It loads the chunks of the bundle, with the code that V8
// has compiled for the same command before. It imports nothing of the program, because all of that is in the chunks.
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** The chunk to start with. The build puts in its name, which changes with its content. */
declare const MAIN: string;

/** Folders of compiled code that were not written to for so long belong to builds that are no longer used. */
const UNUSED_MS = 30 * 24 * 3600_000;

/** The exit status of a command that does not exist, or was given wrong arguments. */
const WRONG_USAGE = 2;

/** Bytes of the checksum before the code in a file. */
const SUM = 4;

/**
 * The folder for compiled code: in the user's cache folder, by build and by version and flags of V8. V8 runs this code
 * as it is, so a folder that another user owns or can write to is not used.
 *
 * @returns undefined if there is no such folder, or if the environment turns compile caches off
 */
function openFolder(): string | undefined {
  const { NODE_DISABLE_COMPILE_CACHE, NODE_V8_COVERAGE, XDG_CACHE_HOME = '', LOCALAPPDATA } = process.env;
  if (NODE_DISABLE_COMPILE_CACHE || NODE_V8_COVERAGE) return undefined;
  try {
    const home = homedir();
    const caches = {
      win32: LOCALAPPDATA ?? join(home, 'AppData', 'Local'),
      darwin: join(home, 'Library', 'Caches'),
    }[process.platform as string];
    const own = join(caches ?? (isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(home, '.cache')), 'switchboard');
    const folder = join(own, `${MAIN.replace(/\.js$/, '')}-${cachedDataVersionTag().toString(16)}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return [own, folder].every(isPrivate) ? folder : undefined;
  } catch {
    // Without a home folder, or on a disk that cannot be written, everything is compiled.
    return undefined;
  }
}

function isPrivate(folder: string): boolean {
  const found = lstatSync(folder);
  const user = process.getuid?.();
  return found.isDirectory() && (user === undefined || (found.uid === user && (found.mode & 0o022) === 0));
}

/** The code that V8 has compiled for a chunk. V8 ends the process if it is damaged, so it has a checksum. */
function read(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    const code = bytes.subarray(SUM);
    return bytes.length > SUM && crc32(code) === bytes.readUInt32LE(0) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the compiled code of chunks, and removes what old builds have left. */
function write(folder: string, compiled: ReadonlyMap<string, Buffer>): void {
  try {
    for (const [name, code] of compiled) {
      const sum = Buffer.alloc(SUM);
      sum.writeUInt32LE(crc32(code));
      const made = join(folder, `${name}.${process.pid}`);
      // A process with the same id may have been killed before it renamed its file.
      rmSync(made, { force: true });
      writeFileSync(made, Buffer.concat([sum, code]), { mode: 0o600, flag: 'wx' });
      renameSync(made, join(folder, name));
    }
    const own = join(folder, '..');
    for (const other of readdirSync(own).map((entry) => join(own, entry)))
      if (Date.now() - statSync(other).mtimeMs > UNUSED_MS) rmSync(other, { recursive: true, force: true });
  } catch {
    // The next run compiles again.
  }
}

// V8 would optimize the HTTP parser of undici, which is WebAssembly, after a few answers of the platform. That takes longer
// than a look-up, and a process that ends waits for it. The compiled code that is kept depends on the flags of V8.
setFlagsFromString('--liftoff-only');

/** Runs the chunk with this name, and the chunks that it needs. */
function launch(main: string, command: string): void {
  const chunks = join(import.meta.dirname, 'chunks');
  const nodeRequire = createRequire(join(chunks, main));
  const modules = new Map<string, { exports: unknown }>();
  const folder = openFolder();
  const fresh = new Map<string, Script>();

  const load = (chunk: string): unknown => {
    const loaded = modules.get(chunk);
    if (loaded) return loaded.exports;
    const module = { exports: {} as unknown };
    modules.set(chunk, module);
    const filename = join(chunks, chunk);
    const cachedData = folder === undefined ? undefined : read(join(folder, `${command}-${chunk}`));
    const source = readFileSync(filename, 'utf8');
    const script = new Script(`(function (exports, require, module, __filename, __dirname) { ${source}\n})`, {
      filename,
      ...(cachedData && { cachedData }),
    });
    if (cachedData === undefined || script.cachedDataRejected) fresh.set(chunk, script);
    const run = script.runInThisContext() as (...given: unknown[]) => void;
    run(module.exports, requireChunk, module, filename, chunks);
    return module.exports;
  };
  const requireChunk = (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : nodeRequire(id));

  // At the end, the functions that ran have been compiled, so the next run does not parse them either.
  if (folder !== undefined)
    process.once('exit', (code) => {
      // A command that does not exist ends with wrong usage. Each mistyped one would leave a file.
      if (fresh.size === 0 || code === WRONG_USAGE) return;
      write(folder, new Map([...fresh].map(([chunk, script]) => [`${command}-${chunk}`, script.createCachedData()])));
    });
  load(main);
}

launch(MAIN, /^[a-z]+$/.exec(process.argv[2] ?? '')?.[0] ?? 'none');
