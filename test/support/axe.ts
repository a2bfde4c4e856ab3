import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** The success criteria of WCAG 2.0 to 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** A desktop in light colours and a telephone in dark ones: each scheme and each layout once. */
const LOOKS = [
  { colorScheme: 'light', width: 1280, height: 800 },
  { colorScheme: 'dark', width: 390, height: 844 },
] as const;
/** The other two, for pictures. */
const MORE = [
  { colorScheme: 'light', width: 390, height: 844 },
  { colorScheme: 'dark', width: 1280, height: 800 },
] as const;

/** Visible controls and dialogs that reach beyond the right edge of the window, outside of areas that scroll. */
const CUT = `[...document.querySelectorAll('button, input, select, textarea, [role$=dialog]')]
  .filter((one) => one.checkVisibility() && !one.closest('.scroll, .table'))
  .filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1)
  .map((one) => one.outerHTML.slice(0, 120))`;

/**
 * Looks at a page as it is now, in light and dark colours, on a desktop and on a telephone. With SHOTS=folder it also
 * takes a picture of each.
 *
 * @returns what is wrong, one line each: violations of WCAG A and AA, sideways scrolling, and what is cut off; empty if nothing is
 */
export async function faultsOf(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { colorScheme, width, height } of process.env.SHOTS ? [...LOOKS, ...MORE] : LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    const where = `${name} (${colorScheme}, ${width} px)`;
    if (process.env.SHOTS) await picture(page, process.env.SHOTS, `${name}-${colorScheme}-${width}`);
    faults.push(...(await violations(page)).map((fault) => `${where}: ${fault}`));
    const cut = await page.evaluate<string[]>(CUT);
    faults.push(...cut.map((element) => `${where}: reaches beyond the window: ${element}`));
    const scrolls = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    if (scrolls > 0) faults.push(`${where}: scrolls sideways by ${scrolls} px`);
  }
  return faults;
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(`window.axe || (() => { ${axe.source} })()`);
  const options = JSON.stringify({ runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'] });
  const result = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  return result.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}

async function picture(page: Page, folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name.replace(/\W+/g, '-')}.png`), fullPage: true });
}
