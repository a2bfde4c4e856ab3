import { BlockList, isIP } from 'node:net';
import { Agent, type buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { FETCH_MS } from './clock.ts';
import { decoded, isLoopback, parseUrl } from './values.ts';

/** The settings HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
export interface ProxySettings {
  HTTPS_PROXY?: string | undefined;
  HTTP_PROXY?: string | undefined;
  NO_PROXY?: readonly string[];
}

/** A proxy that requests to some address go through. */
export interface Proxy {
  setting: 'HTTPS_PROXY' | 'HTTP_PROXY';
  /** Without user name and password. */
  url: string;
}

/** No connection could be made through a proxy, so nothing was sent. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  /** The system's or undici's code; undefined if the proxy answered. */
  readonly code: string | undefined;
  /** The status that the proxy answered; undefined if it did not. */
  readonly status: number | undefined;

  constructor(proxy: Proxy, host: string, cause: unknown) {
    const { code, message = '' } = (cause ?? {}) as { code?: unknown; message?: string };
    const status = /^Proxy response \((\d{3})\)/.exec(message)?.[1];
    const own = typeof code === 'string' ? (code === CLOSED ? 'ECONNRESET' : code) : undefined;
    const reason = status === undefined ? (own ?? message) : `it answered ${status}`;
    const login = status === '407' ? ', with its user name and password (http://user:password@host:port)' : '';
    super(
      `No connection to ${host} could be made through the proxy ${proxy.url} (${proxy.setting}): ${reason}. Check ${proxy.setting}${login}, or add ${host} to NO_PROXY.`,
      { cause },
    );
    this.code = status === undefined ? own : undefined;
    this.status = status === undefined ? undefined : Number(status);
  }
}

/**
 * undici's code for a connection that the other side closed. A connector that fails with it is called again and again,
 * without an end of the request.
 */
const CLOSED = 'UND_ERR_SOCKET';

/** The failure of a proxy that caused an error; undefined for an error of another kind. */
export function proxyErrorIn(error: unknown): ProxyError | undefined {
  if (error instanceof ProxyError) return error;
  return error instanceof Error ? proxyErrorIn(error.cause) : undefined;
}

/** Options of the connections to one origin. */
type ConnectionOptions = Omit<Pool.Options, 'connect' | 'factory'> & { connectMs?: number };

/**
 * Connections to other servers, through the proxies of the settings where they apply. This computer's own addresses are
 * always reached directly.
 */
export class Proxies {
  readonly #settings: ProxySettings;
  readonly #isDirect: (url: URL) => boolean;
  #dispatcher: Dispatcher | undefined;

  constructor(settings: ProxySettings = {}) {
    this.#settings = settings;
    this.#isDirect = exceptions(settings.NO_PROXY ?? []);
  }

  /** The proxy for a URL; undefined if it is reached directly. */
  of(url: string | URL): Proxy | undefined {
    const target = new URL(url);
    // As in undici and Node, HTTP_PROXY serves https too if it is the only one.
    const isSecure = /^(https|wss):$/.test(target.protocol) && this.#settings.HTTPS_PROXY !== undefined;
    const setting = isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
    const proxy = this.#isDirect(target) ? undefined : parseUrl(this.#settings[setting] ?? '');
    return proxy && { setting, url: proxy.origin };
  }

  /** Connections to any origin, for what takes undici's dispatcher; undefined if no proxy is set. */
  get dispatcher(): Dispatcher | undefined {
    if (this.#settings.HTTPS_PROXY === undefined && this.#settings.HTTP_PROXY === undefined) return undefined;
    this.#dispatcher ??= new Agent({ factory: (origin) => this.connect(String(origin)) });
    return this.#dispatcher;
  }

  /** Connections to one origin. Close them after use. */
  connect(origin: string, { connectMs = FETCH_MS, ...options }: ConnectionOptions = {}): Dispatcher {
    const proxy = this.of(origin);
    if (proxy === undefined) return new Pool(origin, { ...options, connect: { timeout: connectMs } });
    const { username, password } = new URL(this.#settings[proxy.setting] ?? '');
    const login = [username, password].map(decoded).join(':');
    return new ProxyAgent({
      ...options,
      uri: proxy.url,
      ...(username !== '' && { token: `Basic ${Buffer.from(login).toString('base64')}` }),
      proxyTls: { timeout: connectMs },
      requestTls: { timeout: connectMs },
      clientFactory: (to, given) => new Pool(to, { ...given, headersTimeout: connectMs }),
      factory: (to, given: Pool.Options) => new Pool(to, { ...given, connect: explained(given.connect, proxy) }),
    });
  }

  /** `fetch` that follows no redirect. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    if (this.of(input instanceof Request ? input.url : input) === undefined) return fetchDirect(input, init);
    const through: object = { dispatcher: this.dispatcher };
    try {
      return await fetchDirect(input, { ...init, ...through });
    } catch (error) {
      const cause = proxyErrorIn(error);
      throw cause ? new TypeError(cause.message, { cause }) : error;
    }
  };
}

/** The connector of a `ProxyAgent`, whose failures name the proxy and its setting. */
function explained(connect: Pool.Options['connect'], proxy: Proxy): buildConnector.connector {
  if (typeof connect !== 'function') throw new TypeError('a proxy agent has a connector of its own');
  return (options, callback) =>
    connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) =>
      error === null
        ? callback(null, socket as NonNullable<typeof socket>)
        : callback(new ProxyError(proxy, options.hostname, error), null),
    );
}

/**
 * Tells whether a URL is of this computer or of a host of NO_PROXY: names with those below them, addresses, networks, each
 * also with a port.
 */
function exceptions(entries: readonly string[]): (url: URL) => boolean {
  const names: { name: string; port: string }[] = [];
  const addresses = new BlockList();
  for (const entry of entries.map((one) => one.toLowerCase())) {
    const [address = '', bits] = entry.split('/');
    const version = isIP(address);
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (version !== 0 && bits === undefined) addresses.addAddress(address, family);
    else if (version !== 0 && /^\d+$/.test(bits ?? '') && Number(bits) <= (version === 4 ? 32 : 128))
      addresses.addSubnet(address, Number(bits), family);
    else {
      const [, name = entry, port = ''] = /^(.+):(\d+)$/.exec(entry) ?? [];
      names.push({ name: name.replace(/^\*?\./, '').replace(/^\[|\]$/g, ''), port });
    }
  }
  return ({ protocol, hostname, port }) => {
    const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    if (entries.includes('*') || isLoopback(host)) return true;
    const version = isIP(host);
    if (version !== 0 && addresses.check(host, version === 4 ? 'ipv4' : 'ipv6')) return true;
    const own = port === '' ? (/^(https|wss):$/.test(protocol) ? '443' : '80') : port;
    return names.some(
      (one) => (one.port === '' || one.port === own) && (host === one.name || host.endsWith(`.${one.name}`)),
    );
  };
}

/**
 * `fetch` that does not follow redirects: such an answer is returned with its status of 3xx.
 *
 * With `redirect: 'error'`, `fetch` of Node 20 and 22 no longer ends the body when its signal is aborted, once garbage
 * has been collected (https://github.com/nodejs/undici/pull/4750).
 */
export const fetchDirect: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });
