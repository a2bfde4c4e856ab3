import { type Sandbox, startSandbox } from '../../src/demo/sandbox/index.ts';
import { atEnd } from './ending.ts';

type Json = ReturnType<typeof JSON.parse>;

/** A sandbox that is closed at the end. */
export async function openSandbox(options?: Parameters<typeof startSandbox>[0]): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  atEnd(() => sandbox.close());
  return sandbox;
}

/** The settings of a process whose platform is the sandbox at this address. */
export const onSandbox = (url: string) => ({
  PLATFORM_BASE_URL: url,
  PLATFORM_ACCOUNT_KEY: 'DID-sandbox',
  PLATFORM_ACCOUNT_SECRET: 'sandbox-secret',
});

/**
 * Asks the control plane of the sandbox at this address: POST with a body, GET without. Resolves to the JSON answer;
 * rejects if it is an error.
 */
export async function controlSandbox(url: string, path: string, body?: unknown): Promise<Json> {
  const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(`${url}/sandbox/${path}`, post);
  if (!answer.ok) throw new Error(`/sandbox/${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Requests to one path of the sandbox that were let in: an expired token's 401 is followed by one re-send. */
export async function sentTo(url: string, path: string): Promise<{ method: string; path: string; status: number }[]> {
  const requests: { method: string; path: string; status: number }[] = await controlSandbox(url, 'requests');
  return requests.filter((request) => request.path === path && request.status !== 401);
}
