import { styleText } from 'node:util';

/** Ways to emphasize text on a terminal. Without colours each returns the text as it is. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  /** Only for failures and for calls that take something away. */
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
  cyan(text: string): string;
  /** White on black, independent of the terminal's colours. */
  onBlack(text: string): string;
}

type Format = Parameters<typeof styleText>[0];

/** The styles of a stream with colours, or of one without. */
export function styleOf(colours: boolean): Style {
  // The caller has decided about colours, so Node must not decide by its own standard output.
  const paint = (format: Format) => (text: string) =>
    colours && text !== '' ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    yellow: paint('yellow'),
    green: paint('green'),
    cyan: paint('cyan'),
    onBlack: paint(['whiteBright', 'bgBlack']),
  };
}

/** The part of the environment that says whether a terminal shows colours. */
export type ColourEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * True if a stream gets colours: it is a terminal that shows them. `FORCE_COLOR` decides if it is set (`0` and `false`
 * turn colours off); otherwise `NO_COLOR` (no-color.org) and `TERM=dumb` turn them off.
 */
export function hasColours(stream: { isTTY?: boolean | undefined }, env: ColourEnvironment): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: off = '', TERM: term } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && off === '' && term !== 'dumb';
}
