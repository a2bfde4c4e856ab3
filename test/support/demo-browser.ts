import { type Browser, chromium } from 'playwright-core';
import { makeFolder, startCli } from './process.ts';

/** A real browser beside `switchboard start` in demo mode, on data of its own. */
export interface DemoBrowser {
  browser: Browser;
  /** The link that the first line of `start` names. */
  url: string;
  /** The folder of the process, for further commands on the same data. */
  folder: string;
  close(): Promise<void>;
}

export async function openDemoBrowser(executablePath: string): Promise<DemoBrowser> {
  const folder = makeFolder();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const running = startCli(['start'], folder.path, { PORT: '0', LOG_LEVEL: 'warn' });
  const [, url = ''] = await running.said(/^Open (\S+)/);
  await running.said(/Confirmations/);
  return {
    browser,
    url,
    folder: folder.path,
    close: async () => {
      await browser.close();
      await running.stop('SIGKILL');
      folder.remove();
    },
  };
}
