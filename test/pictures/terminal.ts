import { escapeHtml } from '../../src/surfaces/web/html.ts';

/** SGR codes with their CSS. */
const STYLES: Readonly<Record<string, string>> = {
  1: 'font-weight:bold',
  2: 'opacity:.65',
  4: 'text-decoration:underline',
  31: 'color:var(--red)',
  32: 'color:var(--green)',
  33: 'color:var(--yellow)',
  34: 'color:var(--blue)',
  36: 'color:var(--cyan)',
  90: 'opacity:.65',
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a colour.
const SGR = /\u001b\[([\d;]*)m/;

/**
 * Returns a page that shows a command and its output, in the reader's colour scheme. `output` has its colours as SGR
 * codes.
 */
export function terminalPage(command: string, output: string): string {
  let open = 0;
  const pieces = output.trimEnd().split(SGR);
  const body = pieces.map((piece, at) => {
    if (at % 2 === 0) return escapeHtml(piece);
    const styles = piece.split(';').flatMap((code) => STYLES[code] ?? []);
    if (styles.length > 0) {
      open += 1;
      return `<span style="${styles.join(';')}">`;
    }
    const closing = '</span>'.repeat(open);
    open = 0;
    return closing;
  });
  return `<!doctype html><meta charset="utf-8"><style>
    :root { color-scheme: light dark; --red: light-dark(#c01c28, #ff7b72); --green: light-dark(#1a7f37, #7ee787);
      --yellow: light-dark(#8a6100, #e3b341); --blue: light-dark(#0b57d0, #79c0ff); --cyan: light-dark(#0a7d8c, #76e3ea); }
    body { margin: 0; background: light-dark(#fff, #0d1117) }
    figure { margin: 0; padding: 20px 24px; display: inline-block; background: light-dark(#f6f8fa, #161b22);
      border: 1px solid light-dark(#d0d7de, #30363d); border-radius: 8px; color: light-dark(#1f2328, #e6edf3) }
    pre { margin: 0; font: 14px/1.45 "DejaVu Sans Mono", monospace }
  </style><figure><pre><b>$ ${escapeHtml(command)}</b>\n${body.join('')}${'</span>'.repeat(open)}</pre></figure>`;
}
