import { promises } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { invalidInput } from '../../lib/errors.ts';

/** The target of a result: a file, or `-` for stdout. */
export type ResultTarget = ResultFile | '-' | undefined;

/**
 * Opens the target that an option names, before anything is asked or sent. A path that cannot be written then costs
 * nothing.
 *
 * @param list the file that the result comes from, which it must not replace; `-` for stdin
 * @throws SwitchboardError `invalid_input`
 */
export async function openTarget(option: string, path: string | undefined, list = '-'): Promise<ResultTarget> {
  if (path === undefined || path === '-') return path;
  const [found, source] = await Promise.all([path, list].map((one) => promises.stat(one).catch(() => undefined)));
  if (list !== '-' && found?.isFile() && found.ino === source?.ino && found.dev === source.dev)
    throw invalidInput(option, `${option} ${path} is the file of the list. Name another one for the results.`);
  try {
    // The file keeps its content until there is a result.
    return new ResultFile(path, await promises.open(path, 'a', 0o600), found === undefined);
  } catch (error) {
    throw invalidInput(
      option,
      `${option} ${path} cannot be written: ${reasonOf(error)}. Nothing was asked and nothing was sent.`,
    );
  }
}

/** A file that is open for a result. */
class ResultFile {
  readonly path: string;
  readonly #handle: FileHandle;
  /** True as long as the file was made by this command and holds nothing. */
  #isSpare: boolean;

  constructor(path: string, handle: FileHandle, isNew: boolean) {
    this.path = path;
    this.#handle = handle;
    this.#isSpare = isNew;
  }

  /** Replaces what the file holds. Resolves to the reason if it could not be written. */
  async write(text: string): Promise<string | undefined> {
    try {
      const isFile = (await this.#handle.stat()).isFile();
      // Pipes and devices cannot be cut.
      if (isFile) await this.#handle.truncate(0);
      await this.#handle.writeFile(text);
      if (isFile && !(await this.#isInPlace())) return 'it was removed or replaced meanwhile';
      this.#isSpare = false;
      return undefined;
    } catch (error) {
      return reasonOf(error);
    }
  }

  /** Closes the file. One that this command made and did not fill is removed. */
  async close(): Promise<void> {
    await this.#handle.close();
    if (this.#isSpare) await promises.unlink(this.path).catch(() => undefined);
  }

  async #isInPlace(): Promise<boolean> {
    const [own, there] = await Promise.all([this.#handle.stat(), promises.stat(this.path).catch(() => undefined)]);
    return there !== undefined && there.ino === own.ino && there.dev === own.dev;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
