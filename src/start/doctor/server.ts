import { type Config, unsafeListening } from '../../lib/config.ts';
import { CHECK_MS } from '../../lib/durations.ts';
import { isRecord } from '../../lib/json.ts';
import { fetchDirect } from '../../lib/proxies.ts';
import type { Finding } from './report.ts';

/** Checks whether `start` accepts these settings, and whether it is running. */
export async function* checkServer(config: Config): AsyncIterable<Finding> {
  const unsafe = unsafeListening(config);
  if (unsafe !== undefined) return yield ['FAIL', unsafe];
  if (config.PORT === 0) return yield ['ok', 'PORT is 0: start takes a free port'];
  const host = config.HOST.includes(':') ? `[${config.HOST.replace(/[[\]]/g, '')}]` : config.HOST;
  const url = `http://${/^(0\.0\.0\.0|\[::\])$/.test(host) ? '127.0.0.1' : host}:${config.PORT}`;
  const answer = await fetchDirect(`${url}/healthz`, { signal: AbortSignal.timeout(CHECK_MS) }).catch(() => undefined);
  if (answer === undefined) return yield ['ok', `does not run on ${url}; switchboard start starts it`];
  // Another program may answer with something that is no JSON.
  const body: unknown = await answer.json().catch(() => undefined);
  const isOwn = answer.ok && isRecord(body) && 'ok' in body;
  return yield isOwn ? ['ok', `runs on ${url}`] : ['FAIL', `something else answers on ${url}; set PORT to a free port`];
}
