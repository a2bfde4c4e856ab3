import { connect } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import { CHECK_MS, FETCH_MS, RETRY_MS } from '../lib/durations.ts';
import { Proxies } from '../lib/proxies.ts';
import type { Runtime } from './runtime.ts';

/**
 * Remembers the outcome of a check for some seconds, and makes one check for all callers that wait meanwhile. Frequent
 * readiness checks therefore take almost nothing of the platform's budget.
 */
export function remembered(check: () => Promise<void>, clock: Clock): () => Promise<void> {
  let last: { outcome: Promise<void>; until: number } | undefined;
  let running: Promise<void> | undefined;
  const run = async (outcome: Promise<void>) => {
    // The callers get the rejection of `outcome` itself.
    await outcome.catch(() => undefined);
    last = { outcome, until: clock.now() + RETRY_MS };
    running = undefined;
  };
  return () => {
    if (last && last.until > clock.now()) return last.outcome;
    if (!running) {
      running = check();
      void run(running);
    }
    return running;
  };
}

/** Rejects with the reason when the platform cannot be reached or gives no token. */
export async function platformReady({ platformUrl, config, client, clock }: Runtime): Promise<void> {
  // A connection and a cached token are enough: readiness must not use up the budget.
  await reachable(new Proxies(config).of(platformUrl)?.url ?? platformUrl);
  await client.token('/v1.0/numbers/inventory', { priority: 'background', deadline: clock.now() + FETCH_MS });
}

/** Resolves when a connection to this address can be made. */
function reachable(url: string): Promise<void> {
  const { hostname, port, protocol } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      timeout: CHECK_MS,
    });
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('timeout', () => fail(new Error(`no connection to ${hostname} within ${CHECK_MS / 1000} s`)));
    socket.once('error', fail);
  });
}
