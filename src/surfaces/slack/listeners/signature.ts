import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Clock, inTime } from '../../../lib/clock.ts';
import { BoundedMap } from '../../../lib/lists.ts';
import type { KeyValues } from '../../../store/key-values.ts';
import { isStoreUnavailable } from '../../../store/outage.ts';

const MAX_AGE_S = 300;
/** A request is remembered for longer than its signature is accepted. */
const SEEN_MS = 2 * MAX_AGE_S * 1000;
/** Slack expects an answer within three seconds, so a slow database is not waited for. */
const STORE_MS = 1_000;
/** Maximum number of requests that this process remembers by itself. */
const MAX_OWN = 10_000;

export interface SlackSignaturesOptions {
  /** SLACK_SIGNING_SECRET. */
  secret: string;
  clock: Clock;
  /** Requests that were handled, stored so that none is handled again after a restart. */
  seen: KeyValues;
}

/** Checks that Slack made a request, a short time ago, and that it was not handled before. */
export class SlackSignatures {
  readonly #options: SlackSignaturesOptions;
  /** Requests that were handled while the database was away, and until when they are remembered (epoch ms). */
  readonly #own = new BoundedMap<string, number>(MAX_OWN);

  constructor(options: SlackSignaturesOptions) {
    if (options.secret === '') throw new Error('SLACK_SIGNING_SECRET is empty: anybody could sign with it');
    this.#options = options;
  }

  /**
   * True if Slack signed this body within the last five minutes. Bolt's check is not used, because it also accepts other
   * spellings of the same two headers, with which a request that is sent again would count as new.
   */
  isGenuine(raw: Buffer, headers: IncomingHttpHeaders): boolean {
    const { clock, secret } = this.#options;
    const { timestamp, signature } = signedBy(headers);
    if (!/^\d{1,12}$/.test(timestamp)) return false;
    if (Math.abs(clock.now() / 1000 - Number(timestamp)) > MAX_AGE_S) return false;
    const wanted = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(raw).digest();
    const given = /^v0=([0-9a-f]{64})$/.exec(signature)?.[1];
    return given !== undefined && timingSafeEqual(wanted, Buffer.from(given, 'hex'));
  }

  /**
   * True the first time that a genuine request is received, over all processes and addresses. While the database is
   * away, lookups go on and nothing can be changed, so that it is enough that this process remembers its requests.
   *
   * @param event id of the event in it. Slack repeats an event, with a new signature, if it received no answer.
   */
  async isNew(headers: IncomingHttpHeaders, event?: string): Promise<boolean> {
    const { timestamp, signature } = signedBy(headers);
    const { seen, clock } = this.#options;
    const keys = [`${timestamp} ${signature}`, ...(event === undefined ? [] : [`event ${event}`])];
    const now = clock.now();
    if (keys.some((key) => (this.#own.get(key) ?? 0) > now)) return false;
    const remember = () => {
      for (const key of keys) this.#own.set(key, now + SEEN_MS);
      return true;
    };
    const adding = seen.addAll(keys, now + SEEN_MS).catch((error: unknown) => {
      if (!isStoreUnavailable(error)) throw error;
      return remember();
    });
    return inTime(clock, STORE_MS, adding, remember);
  }
}

function signedBy(headers: IncomingHttpHeaders): { timestamp: string; signature: string } {
  return { timestamp: one(headers['x-slack-request-timestamp']), signature: one(headers['x-slack-signature']) };
}

/** The first value of a header; '' without one. */
export function one(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}
