/**
 * `fetch` that does not follow redirects: such an answer is returned with its status of 3xx.
 *
 * With `redirect: 'error'`, `fetch` of Node 20 and 22 no longer ends the body when its signal is aborted, once garbage
 * has been collected (https://github.com/nodejs/undici/pull/4750).
 */
export function fetchDirect(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  return fetch(input, { ...init, redirect: 'manual' });
}
