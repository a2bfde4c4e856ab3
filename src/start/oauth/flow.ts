import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  type IDToken,
} from 'openid-client';
import { hasRole, type Role } from '../../lib/actor.ts';
import type { Config } from '../../lib/config.ts';
import type { Log } from '../../lib/log.ts';
import { type RoleRule, roleOfPerson, roleOfToken, scopesOf } from '../../lib/roles.ts';
import { type AuthorizationFlow, RETURN_PATH, SignInFailed, type SignInSecrets } from '../../surfaces/web/sign-in.ts';
import { isSameForAllClients, nameOfClaims, type OAuthTokens, personOfClaims } from './access-tokens.ts';
import { type Provider, ProviderUnavailable } from './provider.ts';

export interface FlowOptions {
  config: Pick<Config, 'MCP_OAUTH_ISSUER' | 'CONFIRM_TWO_PERSON'>;
  provider: Provider;
  tokens: OAuthTokens;
  /** MCP_OAUTH_AUDIENCE. */
  audience: string;
  /** MCP_OAUTH_ROLES. */
  rules: readonly RoleRule[];
  /** The address of this server as browsers reach it. */
  url: string;
  log: Log;
}

/** The authorization code flow with PKCE, as `openid-client` speaks it. */
export class OpenIdFlow implements AuthorizationFlow {
  readonly issuer: string;
  readonly #options: FlowOptions;
  readonly #redirectUri: string;
  /** The audience as RFC 8707 sends it. Issuers whose audiences are not URLs refuse the parameter. */
  readonly #resource: Record<string, string>;

  constructor(options: FlowOptions) {
    this.#options = options;
    this.issuer = new URL(options.config.MCP_OAUTH_ISSUER ?? '').host;
    this.#redirectUri = `${options.url}${RETURN_PATH}`;
    this.#resource = /^https?:/.test(options.audience) ? { resource: options.audience } : {};
  }

  async begin({ state, nonce, verifier }: SignInSecrets, again: boolean): Promise<URL> {
    return buildAuthorizationUrl(await this.#client(), {
      redirect_uri: this.#redirectUri,
      scope: ['openid', 'profile', 'email', ...scopesOf(this.#options.rules)].join(' '),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...this.#resource,
      ...(again && { prompt: 'login' }),
    });
  }

  async finish(query: string, secrets: SignInSecrets) {
    const client = await this.#client();
    const metadata = client.serverMetadata();
    const { claims, accessToken } = await this.#exchange(client, query, secrets);
    const person = personOfClaims(claims, metadata);
    if (person === undefined) throw new SignInFailed(403, 'The ID token has no valid subject.');
    if (this.#options.config.CONFIRM_TWO_PERSON && !isSameForAllClients(claims, metadata)) {
      const text = 'CONFIRM_TWO_PERSON needs an issuer that gives a person the same subject for every client';
      throw new SignInFailed(403, `${text}; confirm in Slack.`);
    }
    return { person, name: nameOfClaims(claims), role: await this.#roleOf(claims, person, accessToken) };
  }

  /** Returns the role from the ID token or the access token, because issuers put groups into either. */
  async #roleOf(claims: IDToken, person: string, accessToken: string): Promise<Role | undefined> {
    const { rules, tokens, log } = this.#options;
    const personal = roleOfPerson(claims, rules);
    if ((personal && hasRole({ role: personal }, 'approver')) || !tokens.looksLike(accessToken)) return personal;
    try {
      const access = await tokens.verify(accessToken);
      return (access.person === person ? roleOfToken(access.claims, rules) : undefined) ?? personal;
    } catch (error) {
      // The access token is for another API, so only the ID token counts.
      log('debug', { reason: String(error) }, 'the access token of a sign-in gives no role');
      return personal;
    }
  }

  async #exchange(client: Configuration, query: string, { state, nonce, verifier }: SignInSecrets) {
    const current = new URL(`${this.#redirectUri}?${query}`);
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    try {
      const answer = await authorizationCodeGrant(client, current, checks, this.#resource);
      const claims = answer.claims();
      if (claims) return { claims, accessToken: answer.access_token };
    } catch (error) {
      const { code, message } = error as { code?: unknown; message?: unknown };
      // The whole error is not logged, because its cause holds the answer of the token endpoint.
      this.#options.log('warn', { issuer: this.issuer, code, error: message }, 'a sign-in failed');
      if (error instanceof AuthorizationResponseError)
        throw new SignInFailed(403, `The OAuth issuer refused the sign-in (${error.error}).`, { cause: error });
      if (error instanceof TypeError || code === 'OAUTH_TIMEOUT') throw unreachable(error);
      throw new SignInFailed(403, 'The answer of the OAuth issuer is not valid.', { cause: error });
    }
    throw new SignInFailed(403, 'The issuer sent no ID token.');
  }

  async #client(): Promise<Configuration> {
    const client = await this.#options.provider.client().catch((error: unknown) => {
      throw error instanceof ProviderUnavailable ? unreachable(error) : error;
    });
    const { authorization_endpoint, token_endpoint } = client.serverMetadata();
    if (authorization_endpoint === undefined || token_endpoint === undefined)
      throw new SignInFailed(503, 'The OAuth issuer offers no sign-in for browsers.');
    return client;
  }
}

function unreachable(cause: unknown): SignInFailed {
  return new SignInFailed(503, 'The OAuth issuer cannot be reached; try again later.', { cause });
}
