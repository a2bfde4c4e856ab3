import { colourEnvironment } from '../../lib/config.ts';
import { hasColours, type Style, styleOf } from '../../lib/style.ts';
import { onTerminal } from '../../surfaces/cli/prose.ts';

/**
 * The result of one check. `ok`: it works, or it is not configured. `warn`: it works, with a loss or a risk that the
 * line names. `FAIL`: it does not work.
 */
export type Verdict = 'ok' | 'warn' | 'FAIL';

/** A verdict with the rest of its line. */
export type Finding = readonly [verdict: Verdict, detail: string];

/** Prints one line of `switchboard doctor`. */
export type Say = (verdict: Verdict, what: string, detail: string) => void;

/** Width of `ok  `, `warn` and `FAIL` before each line. */
const MARK = 4;
const COLOURS: Readonly<Record<Verdict, keyof Style>> = { ok: 'green', warn: 'yellow', FAIL: 'red' };

/** The lines of one run, on stdout. */
export class Report {
  /** True once a check has failed. */
  failed = false;
  readonly #style = styleOf(hasColours(process.stdout, colourEnvironment()));

  readonly say: Say = (verdict, what, detail) => {
    if (verdict === 'FAIL') this.failed = true;
    const line = onTerminal(`${verdict.padEnd(MARK)} ${what}: ${detail}`, process.stdout, MARK);
    process.stdout.write(`${this.#style[COLOURS[verdict]](line.slice(0, MARK))}${line.slice(MARK)}\n`);
  };
}
