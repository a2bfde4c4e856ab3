import { systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { withoutTrailing } from '../../lib/text.ts';
import { RETURN_PATH } from '../../surfaces/web/sign-in.ts';
import type { Say } from '../doctor/report.ts';
import { loadOAuth } from './index.ts';

/** Checks that the OAuth issuer answers, has keys, and can sign people in. Prints what has to be registered there. */
export async function checkOAuth(config: Config, say: Say): Promise<void> {
  const url = withoutTrailing(config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`, '/');
  const oauth = await loadOAuth(config, { url, clock: systemClock, log: () => undefined });
  if (!oauth) return;
  const { MCP_OAUTH_ISSUER: issuer, MCP_OAUTH_AUDIENCE: audience = '', CONFIRM_TWO_PERSON: twoPerson } = config;
  try {
    const metadata = await oauth.provider.metadata();
    const count = await oauth.provider.countKeys();
    const { resource } = oauth;
    const differs =
      resource === audience
        ? ''
        : `; clients ask for tokens for ${resource}, and the issuer must put ${audience} into aud`;
    if (count === 0) say('FAIL', 'oauth', `${issuer} publishes no keys, so no token can be checked`);
    else say('ok', 'oauth', `${issuer} answers with ${count} ${count === 1 ? 'key' : 'keys'}${differs}`);
    const canSignIn = metadata.authorization_endpoint !== undefined && metadata.token_endpoint !== undefined;
    const client = config.MCP_OAUTH_CLIENT_ID ?? audience;
    say(
      canSignIn ? 'ok' : 'FAIL',
      'oauth sign-in',
      canSignIn
        ? `register the client ${client} with the redirect URI ${url}${RETURN_PATH}`
        : `${issuer} has no authorization or token endpoint, so nobody can sign in on the confirmation page`,
    );
    const types = metadata.subject_types_supported ?? [];
    if (twoPerson && types.length > 0 && !types.includes('public'))
      say(
        'warn',
        'oauth people',
        'the issuer uses a different subject per client, so under CONFIRM_TWO_PERSON only people with the claim oid can sign in on the page',
      );
  } catch (error) {
    say('FAIL', 'oauth', error instanceof Error ? error.message : String(error));
  }
}
