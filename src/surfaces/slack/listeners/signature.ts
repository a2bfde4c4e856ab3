import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../../lib/clock.ts';
import type { KeyValues } from '../../../store/key-values.ts';

const MAX_AGE_S = 300;
/** A request is remembered for longer than its signature is accepted. */
const SEEN_MS = 2 * MAX_AGE_S * 1000;

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

  constructor(options: SlackSignaturesOptions) {
    if (options.secret === '') throw new Error('SLACK_SIGNING_SECRET is empty: anybody could sign with it');
    this.#options = options;
  }

  /** True if Slack signed this body within the last five minutes. */
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
   * True the first time that a genuine request is received, over all processes and addresses.
   *
   * @param event id of the event in it. Slack repeats an event, with a new signature, if it received no answer.
   */
  isNew(headers: IncomingHttpHeaders, event?: string): Promise<boolean> {
    const { timestamp, signature } = signedBy(headers);
    const { seen, clock } = this.#options;
    const keys = [`${timestamp} ${signature}`, ...(event === undefined ? [] : [`event ${event}`])];
    return seen.addAll(keys, clock.now() + SEEN_MS);
  }
}

function signedBy(headers: IncomingHttpHeaders): { timestamp: string; signature: string } {
  return { timestamp: one(headers['x-slack-request-timestamp']), signature: one(headers['x-slack-signature']) };
}

/** The first value of a header; '' without one. */
export function one(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}
