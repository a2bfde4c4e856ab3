import type { Clock } from '../clock.ts';

/** A token for one full endpoint URL. */
export interface Token {
  value: string;
  /** As the platform wrote it. */
  tokenExpiry: string;
  /** Epoch ms after which it is no longer used. */
  until: number;
}

/** 60 s before the end, or half of a short life (gaps.md, Token lifetime). */
const MARGIN_MS = 60_000;

/**
 * Tokens by endpoint URL, reused until expiry, fetched once for any number of waiting calls
 * (platform.md, Authentication).
 */
export function createTokens(options: {
  clock: Clock;
  timeZone: string;
  fetch: (endpoint: string) => Promise<{ token: string; tokenExpiry: string }>;
}) {
  const cached = new Map<string, Token>();
  const fetching = new Map<string, Promise<Token>>();

  async function fetchToken(endpoint: string): Promise<Token> {
    const { token, tokenExpiry } = await options.fetch(endpoint);
    const now = options.clock.now();
    const ends = [expiryOf(tokenExpiry, options.timeZone), jwtExpiry(token)].filter((at) => at !== undefined);
    // Neither readable: the token is used for this wave of calls only.
    const end = ends.length === 0 ? now + 1000 : Math.min(...ends);
    const fresh = { value: token, tokenExpiry, until: end - Math.min(MARGIN_MS, Math.max(0, (end - now) / 2)) };
    cached.set(endpoint, fresh);
    return fresh;
  }

  return {
    /** `fresh`: fetched for this call or one that waited with it. */
    async get(endpoint: string): Promise<{ token: Token; fresh: boolean }> {
      const held = cached.get(endpoint);
      if (held && held.until > options.clock.now()) return { token: held, fresh: false };
      let work = fetching.get(endpoint);
      if (!work) {
        work = fetchToken(endpoint).finally(() => fetching.delete(endpoint));
        fetching.set(endpoint, work);
      }
      return { token: await work, fresh: true };
    },
    /** Forgets a token the platform refused, unless a newer one has taken its place. */
    drop(endpoint: string, token: Token): void {
      if (cached.get(endpoint) === token) cached.delete(endpoint);
    },
  };
}

/** `MM/DD/YYYY hh:mm:ss AM/PM` in a named zone, as epoch ms. */
export function expiryOf(text: string, timeZone: string): number | undefined {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2}):(\d{2}) ([AP])M$/i.exec(text.trim());
  if (!match) return undefined;
  const [month, day, year, hour12, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const hour = (hour12 % 12) + (match[7]?.toUpperCase() === 'P' ? 12 : 0);
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  // Twice, because the offset at the guess may lie on the other side of a clock change.
  const once = wall - offsetMs(wall, timeZone);
  return wall - offsetMs(once, timeZone);
}

/** How far a zone's wall clock is ahead of UTC at a moment. */
function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return (
    Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) -
    Math.floor(at / 1000) * 1000
  );
}

function jwtExpiry(token: string): number | undefined {
  const [, payload] = token.split('.');
  if (payload === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    // Not a JWT we can read: tokenExpiry alone counts.
    return undefined;
  }
}
