/** Opens something once, at the first call. If that fails, the next call tries again. */
export function retried<T>(open: () => Promise<T>): { (): Promise<T>; readonly opened: Promise<T> | undefined } {
  let opened: Promise<T> | undefined;
  const get = () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return Object.defineProperty(get, 'opened', { get: () => opened }) as ReturnType<typeof retried<T>>;
}
