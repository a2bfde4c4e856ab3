import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { atEnd, listen } from './ending.ts';
import { freePort } from './free-port.ts';

/** The groups of each person at the test's issuer. `groups` is the claim that MCP_OAUTH_ROLES reads. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  ana: ['support', 'leads'],
  ben: ['support', 'leads'],
  olga: ['support'],
  vera: ['everyone'],
};

export const ROLES = 'groups=everyone:viewer,groups=support:operator,groups=leads:approver';
export const CLIENT = 'switchboard-page';
export const AUDIENCE = 'https://switchboard.example.com/mcp';

/** Members of a token that a test changes. `undefined` leaves one out. */
interface TokenOptions {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Seconds since the epoch; left out: now. */
  at?: number;
}

interface IssuerOptions {
  /** The addresses of the confirmation page to which the issuer may redirect the browser. */
  redirectUris?: readonly string[];
  /** Every client gets another subject for one person; `oid`: with the person in that claim, as Microsoft Entra does. */
  pairwise?: 'bare' | 'oid';
}

const SCOPE = 'switchboard';

/** An OpenID provider (`oidc-provider`) on 127.0.0.1, with a key that can be changed and a door that can be shut. */
export class Issuer {
  readonly #port: number;
  readonly #options: IssuerOptions;
  #server: Server | undefined;
  #keys: JWK[] = [];
  /** Paths of the requests it got, the newest last. */
  readonly requests: string[] = [];

  private constructor(port: number, options: IssuerOptions) {
    this.#port = port;
    this.#options = options;
  }

  static async start(options: IssuerOptions = {}): Promise<Issuer> {
    const issuer = new Issuer(await freePort(), options);
    await issuer.rotate();
    atEnd(() => issuer.stop());
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Signs with a new key from now on, and forgets the old one. */
  async rotate(): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    this.#keys = [{ ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'RS256', use: 'sig' }];
    await this.stop();
    await this.open();
  }

  /** Answers again, with the key it had. */
  async open(): Promise<void> {
    const provider = new Provider(this.url, this.#configuration());
    const answer = provider.callback();
    const server = createServer((request, response) => {
      this.requests.push((request.url ?? '').split('?')[0] ?? '');
      void answer(request, response);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  /** The public key as JSON, which an attacker can read. */
  get publicKey(): JWK {
    const { kty, n, e } = this.#keys[0] ?? {};
    return { kty, n, e } as JWK;
  }

  get kid(): string {
    return String(this.#keys[0]?.kid);
  }

  /** A token as the provider would sign it for this person; `options` makes it wrong. */
  async token(person: string, { claims = {}, header = {}, at = Math.floor(Date.now() / 1000) }: TokenOptions = {}) {
    const [key] = this.#keys;
    const payload: JWTPayload = {
      iss: this.url,
      aud: AUDIENCE,
      sub: person,
      email: `${person}@example.com`,
      groups: GROUPS[person] ?? [],
      scope: SCOPE,
      iat: at,
      exp: at + 600,
      ...claims,
    };
    const own = { alg: 'RS256', typ: 'at+jwt', kid: this.kid, ...header };
    return new SignJWT(payload).setProtectedHeader(own).sign(await importJWK(key ?? {}, 'RS256'));
  }

  #configuration(): Configuration {
    const { redirectUris = [], pairwise } = this.#options;
    const client = { response_types: ['code' as const], grant_types: ['authorization_code'] };
    return {
      jwks: { keys: this.#keys },
      clients: [
        {
          ...client,
          client_id: CLIENT,
          application_type: 'native',
          token_endpoint_auth_method: 'none',
          redirect_uris: [...redirectUris],
        },
        {
          client_id: 'program',
          client_secret: 'secret-of-program',
          redirect_uris: [],
          response_types: [],
          grant_types: ['client_credentials'],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      pkce: { required: () => true },
      cookies: { keys: ['a key of the test'] },
      ...(pairwise && {
        subjectTypes: ['pairwise' as const],
        pairwiseIdentifier: (_context: unknown, id: string, { clientId }: { clientId: string }) =>
          `${id}-of-${clientId}`,
      }),
      claims: {
        openid: ['sub', 'groups', ...(pairwise === 'oid' ? ['oid'] : [])],
        profile: ['name'],
        email: ['email', 'email_verified'],
      },
      conformIdTokenClaims: false,
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => ({
          sub: id,
          oid: `oid-of-${id}`,
          email: `${id}@example.com`,
          email_verified: true,
          groups: GROUPS[id] ?? [],
        }),
      }),
      extraTokenClaims: (_context, token) => ({
        groups: 'accountId' in token ? (GROUPS[String(token.accountId)] ?? []) : ['support'],
      }),
      features: {
        devInteractions: { enabled: true },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context, resource) => ({
            scope: SCOPE,
            audience: resource,
            accessTokenFormat: 'jwt',
            accessTokenTTL: 600,
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
    };
  }
}

/**
 * Serves the metadata of an issuer, with these members changed, and its one key. Resolves to the address on this computer.
 * `address`: the one by which the issuer is known; left out, the same.
 */
export async function publishIssuer(key: object, metadata: object = {}, address?: string): Promise<string> {
  let issuer = address;
  const server = createServer((request, response) => {
    const [jwks_uri, authorization_endpoint, token_endpoint] = [`${issuer}/keys`, `${issuer}/auth`, `${issuer}/token`];
    const own = { issuer, jwks_uri, authorization_endpoint, token_endpoint, ...metadata };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.url === '/keys' ? { keys: [key] } : own));
  });
  const url = await listen(server);
  issuer ??= url;
  return url;
}
