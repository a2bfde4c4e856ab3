import { Unavailable } from './errors.ts';

/** The work's end, or at once `Unavailable` when the process leaves: a reading in the background keeps nobody waiting. */
export function orLeave<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const leave = () => reject(new Unavailable('the process is shutting down'));
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
