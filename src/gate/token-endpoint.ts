import type { Tool } from '../catalogue/operation.ts';
import { invalidInput } from '../lib/errors.ts';
import { withoutTrailing } from '../lib/text.ts';

/**
 * The path a token is asked for, from what `oauth2_tokens` was given: an operation id, a path, or a full URL on the
 * configured platform. Anything else is refused before a request leaves, with the field and the way out: a token
 * request carries the account's secret, and every endpoint asked for is remembered.
 */
export function endpointPath(wanted: string, tools: readonly Tool[], platformUrl: string | undefined): string {
  const operations = tools.filter((tool) => tool.kind === 'operation');
  const named = operations.find(({ id }) => id === wanted);
  if (named) return named.path;
  const path = wanted.startsWith('/') ? wanted : pathBelow(wanted, platformUrl);
  const known = operations.find((operation) => operation.path === path?.split(/[?#]/, 1)[0]);
  if (known) return known.path;
  const where = platformUrl === undefined ? '' : `, or ${origin(platformUrl)}/v1.0/…`;
  throw invalidInput(
    'ApiEndpoint',
    `ApiEndpoint: is no endpoint of the configured platform. Give an operation id such as numbers_get${where}.`,
  );
}

function pathBelow(wanted: string, platformUrl: string | undefined): string | undefined {
  if (platformUrl === undefined || !URL.canParse(wanted)) return undefined;
  const given = new URL(wanted);
  if (given.username !== '' || given.password !== '') return undefined;
  const base = origin(platformUrl);
  const whole = `${given.origin}${given.pathname}`;
  return whole.startsWith(`${base}/`) ? whole.slice(base.length) : undefined;
}

/** Host and prefix, without a slash at the end. */
function origin(platformUrl: string): string {
  const url = new URL(platformUrl);
  return `${url.origin}${withoutTrailing(url.pathname, '/')}`;
}
