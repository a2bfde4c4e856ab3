import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  enableNonRepudiationChecks,
  type IDToken,
  None,
} from 'openid-client';
import { hasRole, type Role } from '../../lib/actor.ts';
import { FETCH_MS } from '../../lib/durations.ts';
import type { Log } from '../../lib/log.ts';
import { type RoleRule, roleOfPerson, roleOfToken, scopesOf } from '../../lib/roles.ts';
import { type AuthorizationFlow, RETURN_PATH, SignInFailed, type SignInSecrets } from '../../surfaces/web/sign-in.ts';
import type { OAuthTokens } from './access-tokens.ts';
import { isSameForAllClients, nameOfClaims, personOfClaims } from './access-tokens.ts';
import { type Provider, type ProviderMetadata, ProviderUnavailable } from './provider.ts';

export interface FlowOptions {
  provider: Provider;
  tokens: OAuthTokens;
  /** Host of MCP_OAUTH_ISSUER. */
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  audience: string;
  rules: readonly RoleRule[];
  /** CONFIRM_TWO_PERSON. */
  twoPerson: boolean;
  /** The address of this server as browsers reach it. */
  url: string;
  /** Reaches the issuer. */
  fetch: typeof globalThis.fetch;
  log: Log;
}

/** The authorization code flow with PKCE, as `openid-client` speaks it. */
export class OpenIdFlow implements AuthorizationFlow {
  readonly issuer: string;
  readonly #options: FlowOptions;
  readonly #redirectUri: string;

  constructor(options: FlowOptions) {
    this.#options = options;
    this.issuer = options.issuer;
    this.#redirectUri = `${options.url}${RETURN_PATH}`;
  }

  async begin({ state, nonce, verifier }: SignInSecrets, again: boolean): Promise<URL> {
    const { rules } = this.#options;
    const metadata = await this.#metadata();
    return buildAuthorizationUrl(this.#configuration(metadata), {
      redirect_uri: this.#redirectUri,
      scope: ['openid', 'profile', 'email', ...scopesOf(rules)].join(' '),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...this.#resource(),
      ...(again && { prompt: 'login' }),
    });
  }

  async finish(
    query: string,
    secrets: SignInSecrets,
  ): Promise<{ person: string; name: string; role: Role | undefined }> {
    const metadata = await this.#metadata();
    const { claims, accessToken } = await this.#exchange(metadata, query, secrets);
    const person = personOfClaims(claims, metadata);
    if (person === undefined) throw new SignInFailed(403, 'The ID token has no valid subject.');
    if (this.#options.twoPerson && !isSameForAllClients(claims, metadata)) {
      const text = 'CONFIRM_TWO_PERSON needs an issuer that gives a person the same subject for every client';
      throw new SignInFailed(403, `${text}; confirm in Slack.`);
    }
    const role = await this.#roleOf(claims, person, accessToken);
    return { person, name: nameOfClaims(claims), role };
  }

  /** Returns the role from the ID token or the access token, because issuers put groups into either. */
  async #roleOf(claims: IDToken, person: string, accessToken: string): Promise<Role | undefined> {
    const { rules, tokens } = this.#options;
    const personal = roleOfPerson(claims, rules);
    if ((personal && hasRole({ role: personal }, 'approver')) || !tokens.looksLike(accessToken)) return personal;
    try {
      const access = await tokens.verify(accessToken);
      return (access.person === person ? roleOfToken(access.claims, rules) : undefined) ?? personal;
    } catch (error) {
      // The access token is for another API, so only the ID token counts.
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log('debug', { reason }, 'the access token of a sign-in gives no role');
      return personal;
    }
  }

  async #exchange(metadata: ProviderMetadata, query: string, { state, nonce, verifier }: SignInSecrets) {
    const current = new URL(`${this.#redirectUri}?${query}`);
    try {
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      };
      const answer = await authorizationCodeGrant(this.#configuration(metadata), current, checks, this.#resource());
      const claims = answer.claims();
      if (!claims) throw new SignInFailed(403, 'The issuer sent no ID token.');
      return { claims, accessToken: answer.access_token };
    } catch (error) {
      if (error instanceof SignInFailed) throw error;
      const { code, message } = error as { code?: unknown; message?: unknown };
      // The whole error is not logged, because its cause holds the answer of the token endpoint.
      this.#options.log('warn', { issuer: this.issuer, code, error: message }, 'a sign-in failed');
      throw failureOf(error);
    }
  }

  /** Returns the audience as RFC 8707 sends it. Issuers whose audiences are not URLs refuse the parameter. */
  #resource(): Record<string, string> {
    const { audience } = this.#options;
    return /^https?:/.test(audience) ? { resource: audience } : {};
  }

  async #metadata(): Promise<ProviderMetadata> {
    try {
      const metadata = await this.#options.provider.metadata();
      if (metadata.authorization_endpoint === undefined || metadata.token_endpoint === undefined)
        throw new SignInFailed(503, 'The OAuth issuer offers no sign-in for browsers.');
      return metadata;
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      throw new SignInFailed(503, 'The OAuth issuer cannot be reached; try again later.', { cause: error });
    }
  }

  #configuration(metadata: ProviderMetadata): Configuration {
    const { clientId, clientSecret, fetch } = this.#options;
    const configuration = new Configuration(metadata, clientId, undefined, authentication(metadata, clientSecret));
    configuration.timeout = FETCH_MS / 1000;
    configuration[customFetch] = (address, options) => fetch(address, options as RequestInit);
    enableNonRepudiationChecks(configuration);
    // An http issuer is on loopback, because start-up refuses any other, and `Provider` refuses such endpoints.
    if (metadata.issuer.startsWith('http:')) allowInsecureRequests(configuration);
    return configuration;
  }
}

function authentication(metadata: ProviderMetadata, secret: string | undefined): ClientAuth {
  if (secret === undefined) return None();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

function failureOf(error: unknown): SignInFailed {
  if (error instanceof AuthorizationResponseError)
    return new SignInFailed(403, `The OAuth issuer refused the sign-in (${error.error}).`, { cause: error });
  if (error instanceof TypeError || (error as { code?: unknown }).code === 'OAUTH_TIMEOUT')
    return new SignInFailed(503, 'The OAuth issuer cannot be reached; try again later.', { cause: error });
  return new SignInFailed(403, 'The answer of the OAuth issuer is not valid.', { cause: error });
}
