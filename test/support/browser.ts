import { type Browser, chromium } from 'playwright-core';
import { describeWith, program } from './programs.ts';

/** Starts a browser, which the caller closes. */
export type OpenBrowser = () => Promise<Browser>;

/** Tests in a real browser. They are left out where Chromium is not installed. */
export function describeInBrowser(title: string, tests: (openBrowser: OpenBrowser) => void): void {
  const installed = { chromium: program('chromium', 'chromium-browser', 'google-chrome') };
  describeWith(installed, title, ({ chromium: executablePath = '' }) =>
    tests(() => chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })),
  );
}
