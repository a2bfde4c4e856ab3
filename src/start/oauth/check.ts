import { systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { withoutTrailing } from '../../lib/text.ts';
import { RETURN_PATH } from '../../surfaces/web/sign-in.ts';
import type { Finding } from '../doctor/report.ts';
import { loadOAuth } from './index.ts';

/** Checks that the OAuth issuer answers, has keys, and can sign people in. Says what has to be registered there. */
export async function* checkOAuth(config: Config): AsyncIterable<Finding> {
  const url = withoutTrailing(config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`, '/');
  const oauth = await loadOAuth(config, { url, clock: systemClock, log: () => undefined });
  if (!oauth) return undefined;
  const { MCP_OAUTH_ISSUER: issuer, MCP_OAUTH_AUDIENCE: audience = '' } = config;
  const metadata = (await oauth.provider.client()).serverMetadata();
  const count = await oauth.provider.countKeys();
  const differs = `; clients ask for tokens for ${oauth.resource}, and the issuer must put ${audience} into aud`;
  if (count === 0) yield ['FAIL', `${issuer} publishes no keys, so no token can be checked`];
  else
    yield [
      'ok',
      `${issuer} answers with ${count} ${count === 1 ? 'key' : 'keys'}${oauth.resource === audience ? '' : differs}`,
    ];
  const client = config.MCP_OAUTH_CLIENT_ID ?? audience;
  const signIn = 'oauth sign-in';
  if (metadata.authorization_endpoint !== undefined && metadata.token_endpoint !== undefined)
    yield ['ok', `register the client ${client} with the redirect URI ${url}${RETURN_PATH}`, signIn];
  else yield ['FAIL', `${issuer} has no authorization or token endpoint, so nobody can sign in on the page`, signIn];
  const types = metadata.subject_types_supported ?? ['public'];
  if (config.CONFIRM_TWO_PERSON && !types.includes('public'))
    yield [
      'warn',
      'the issuer uses a different subject per client, so under CONFIRM_TWO_PERSON only people with the claim oid can sign in on the page',
      'oauth people',
    ];
  return undefined;
}
