const IMMEDIATE_MS = 5;
const PAUSE_MS = 2;

/**
 * Reads a value again and again until it is accepted, and returns it. Fails after `ms`, naming the last value or, given
 * a text, what was expected. Polls without a pause at first, because most tests wait for the event loop only; then every
 * few milliseconds, so that other processes and test files get the processor.
 */
export async function until<T>(
  read: () => T | Promise<T>,
  accepts: ((value: T) => boolean) | string = Boolean,
  ms = 20_000,
): Promise<T> {
  const isDone = typeof accepts === 'string' ? Boolean : accepts;
  const begun = performance.now();
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    const waited = performance.now() - begun;
    if (waited > ms) {
      const expected = typeof accepts === 'string' ? accepts : String(read);
      throw new Error(`not true within ${ms} ms: ${expected}; last: ${JSON.stringify(value)?.slice(0, 300)}`);
    }
    await new Promise((resolve) => (waited < IMMEDIATE_MS ? setImmediate(resolve) : setTimeout(resolve, PAUSE_MS)));
  }
}
