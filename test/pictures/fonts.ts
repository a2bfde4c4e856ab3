import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { ROOT } from '../support/build.ts';

const FACES = [
  ['Picture', 400, 'lato/files/lato-latin-400-normal.woff2'],
  ['Picture', 700, 'lato/files/lato-latin-700-normal.woff2'],
  ['Picture Mono', 400, 'dejavu-mono/files/dejavu-mono-latin-400-normal.woff2'],
  ['Picture Mono', 700, 'dejavu-mono/files/dejavu-mono-latin-700-normal.woff2'],
] as const;

/** The text fonts of the pictures, so that lines break at the same places on every computer. */
function styles(): string {
  const faces = FACES.map(([family, weight, file]) => {
    const font = readFileSync(join(ROOT, 'node_modules', '@fontsource', file)).toString('base64');
    return `@font-face { font-family: "${family}"; font-weight: ${weight}; src: url(data:font/woff2;base64,${font}) }`;
  });
  return [
    ...faces,
    '* { font-family: Picture, sans-serif !important }',
    'code, code *, pre, pre * { font-family: "Picture Mono", monospace !important }',
  ].join('\n');
}

/** Shows a page or a frame, and what it changes to, in the fonts of the pictures. Its content security policy must be off. */
export async function useFonts(page: Page | Frame): Promise<void> {
  await page.addStyleTag({ content: styles() });
  await page.evaluate('Promise.all([...document.fonts].map((font) => font.load()))');
}
