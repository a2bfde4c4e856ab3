/** Opens an address in the user's browser. Rejects when no browser could be started. */
export type Opener = (url: string) => Promise<void>;

/** With the well-kept `open` package, which knows the ways of each system; loaded when it is first needed. */
export const openBrowser: Opener = async (url) => {
  const { default: open } = await import('open');
  const child = await open(url);
  // Without a listener a browser that fails later would end this process.
  child.on('error', () => undefined);
};

/** How long after one page the next may be opened: an assistant that asks for much must not flood the screen. */
const APART_MS = 5_000;

/**
 * Opens the page of each confirmation once, and not more often than every few seconds; the others can be opened by
 * their address.
 *
 * @param link makes the address, with a fresh one-time key, only for a page that is opened
 * @returns true where the page was opened
 */
export function createPageOpener(options: {
  open: Opener;
  link: (id: string) => string;
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
      await options.open(options.link(id));
      return true;
    } catch (error) {
      options.onError(error);
      return false;
    }
  };
}
