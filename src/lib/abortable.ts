import { Unavailable } from './errors.ts';

/**
 * The outcome of the work, or `Unavailable` as soon as the process shuts down: background reads must not delay the
 * shutdown.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const shutDown = () => reject(new Unavailable('the process is shutting down'));
    if (signal.aborted) shutDown();
    signal.addEventListener('abort', shutDown, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', shutDown));
  });
}
