import { type Browser, chromium } from 'playwright-core';
import { describeWith, program } from './programs.ts';

/** Starts a browser, which the caller closes. */
export type OpenBrowser = () => Promise<Browser>;

/** Tests in a real browser. They are left out where Chromium is not installed. */
export function describeInBrowser(title: string, tests: (openBrowser: OpenBrowser) => void): void {
  const installed = { chromium: program('chromium', 'chromium-browser', 'google-chrome') };
  describeWith(installed, title, ({ chromium: executablePath = '' }) => tests(() => patientBrowser(executablePath)));
}

/** A busy machine may take longer for a click than the 30 s that Playwright waits. The limit of a test is the guard. */
const PATIENCE_MS = 100_000;

async function patientBrowser(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}
