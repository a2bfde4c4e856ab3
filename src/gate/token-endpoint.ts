import type { Tool } from '../catalogue/operation.ts';
import { invalidInput } from '../lib/errors.ts';
import { withoutTrailing } from '../lib/text.ts';

/**
 * The path to request a token for, from the input of `oauth2_tokens`: an operation id, a path, or a full URL on the
 * configured platform. Throws `invalid_input` for anything else, because a token request carries the account's secret
 * and tokens are stored per endpoint.
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
    `ApiEndpoint: is not an endpoint of the configured platform. Give an operation id such as numbers_get${where}.`,
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
