import { promises } from 'node:fs';
import { invalidInput } from '../../lib/errors.ts';

/**
 * Refuses a file for a result that cannot be written, before anything is asked or sent. It keeps what it holds until
 * there is a result.
 *
 * @param option the option that names it
 * @param list the file that the result comes from, which it must not replace; `-` for stdin
 * @throws SwitchboardError `invalid_input`
 */
export async function requireWritable(option: string, path: string, list: string): Promise<void> {
  const [found, source] = await Promise.all([path, list].map((one) => promises.stat(one).catch(() => undefined)));
  if (list !== '-' && found?.isFile() && found.ino === source?.ino && found.dev === source.dev)
    throw invalidInput(option, `${option} ${path} is the file of the list. Name another one for the results.`);
  // Opening a pipe would end it.
  if (found && !found.isFile() && !found.isDirectory()) return;
  try {
    await (await promises.open(path, 'a', 0o600)).close();
    if (found === undefined) await promises.unlink(path);
  } catch (error) {
    throw invalidInput(
      option,
      `${option} ${path} cannot be written: ${(error as Error).message}. Nothing was asked and nothing was sent.`,
    );
  }
}
