import { promises } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { Open, Part, Row, Text } from '../../cards/card.ts';
import { clean } from '../../language/show.ts';
import { invalidInput } from '../../lib/errors.ts';
import { isRecord } from '../../lib/json.ts';
import type { Style } from '../../lib/style.ts';
import { jsonText } from '../../lib/text.ts';
import { wrap } from './table.ts';

interface Layout {
  width: number;
  style: Style;
}

/**
 * Several things in words. Those whose order matters are numbered, and each has the command that puts it right.
 */
export function rowsText(
  { title, count, numbered, rows }: Part & { kind: 'rows' },
  textOf: (text: Text) => string,
  layout: Layout,
): string {
  if (numbered) return rows.map((row, at) => numberedText(row, at + 1, textOf, layout)).join('\n\n');
  const { style, width } = layout;
  const left = (count ?? rows.length) - rows.length;
  return [
    ...(title === undefined ? [] : [style.bold(`${title} ${count ?? rows.length}`)]),
    ...rows.flatMap(({ says }) => hanging(textOf(says), width - 2).map((line, at) => (at === 0 ? line : `  ${line}`))),
    ...(left > 0 ? [style.dim(`… ${left} more: --wide`)] : []),
  ].join('\n');
}

function numberedText(
  { says, beside, said, open }: Row,
  place: number,
  textOf: (text: Text) => string,
  { width, style }: Layout,
): string {
  const lead = `${place}. `;
  const margin = ' '.repeat(lead.length);
  const lines = hanging(textOf(says), width - lead.length).map((line, at) =>
    at === 0 ? `${style.yellow(lead)}${style.bold(line)}` : margin + style.bold(line),
  );
  if (beside !== undefined) lines.push(margin + clean(beside));
  if (said !== undefined) lines.push(`${margin}Carrier: ${clean(said)}`);
  return [...lines, ...fixLines(open, style).map((line) => margin + line)].join('\n');
}

/** A fix in words, and the command for it. */
export function fixLines(fix: Open | undefined, style: Style): string[] {
  if (fix === undefined) return [];
  return [...(fix.does === '' ? [] : [`Fix: ${clean(fix.does)}`]), style.cyan(fixCommand(fix))];
}

function hanging(text: string, width: number): string[] {
  return Number.isFinite(width) ? wrap(text, Math.max(20, width)) : [text];
}

/** The command to copy. Values that a person must choose are left as `Field=…`. */
export function fixCommand({ operation, input, needs }: Open): string {
  const given = Object.entries(input).flatMap(([name, value]) => written(name, value));
  const needed = needs.map((name) => `${name}=…`);
  return ['switchboard call', operation, ...[...given, ...needed].map(shellWord)].map(clean).join(' ');
}

/** A field as the terminal takes it, without JSON where it can be: `PhoneNumbers=+1…,+1…`, `Address.City=…`. */
function written(name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) {
    const pieces = value.map((row: unknown) => {
      const members = isRecord(row) ? Object.values(row) : [row];
      return members.length === 1 && typeof members[0] === 'string' ? members[0] : undefined;
    });
    if (pieces.every((piece) => piece !== undefined && !piece.includes(','))) return [`${name}=${pieces.join(',')}`];
  }
  if (isRecord(value)) return Object.entries(value).flatMap(([member, one]) => written(`${name}.${member}`, one));
  return [`${name}=${typeof value === 'string' ? value : jsonText(value)}`];
}

/** A word as a POSIX shell takes it. */
export function shellWord(text: string): string {
  return /^[\w+=.,:/@%…-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

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
