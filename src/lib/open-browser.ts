/**
 * Opens a file in the user's browser. Rejects if no browser could be started. `path` becomes an argument of a program,
 * which every user of the computer can read.
 */
export type Opener = (path: string) => Promise<void>;

/** Uses the `open` package, which knows how each system opens a browser. It is loaded when it is first needed. */
export const openBrowser: Opener = async (path) => {
  const { default: open } = await import('open');
  const child = await open(path);
  // Without a listener, a browser that fails later would end this process.
  child.on('error', () => undefined);
};

/** The pause between two pages: an assistant with many requests must not flood the screen. */
const APART_MS = 5_000;

/**
 * Opens the page of each confirmation once, at most one every few seconds. The others can be opened by their address.
 *
 * @param file writes the file that leads to the page, with a new one-time key; called only for a page that is opened
 * @returns true if the page was opened
 */
export function createPageOpener(options: {
  open: Opener;
  file: (id: string) => Promise<string>;
  now: () => number;
  onError: (error: unknown) => void;
}): (id: string) => Promise<boolean> {
  const opened = new Set<string>();
  let last = Number.NEGATIVE_INFINITY;
  return async (id) => {
    const now = options.now();
    if (opened.has(id) || now - last < APART_MS) return false;
    opened.add(id);
    last = now;
    try {
      await options.open(await options.file(id));
      return true;
    } catch (error) {
      options.onError(error);
      return false;
    }
  };
}
