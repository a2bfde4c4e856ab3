import { type Clock, MINUTE_MS, sleep } from './clock.ts';
import { BoundedMap } from './lists.ts';
import type { Log } from './log.ts';

/** Wrong credentials that an address may present per minute before its requests are answered late. */
const FREE = 10;
/** The delay of an answer to an address beyond them. */
const DELAY_MS = 5_000;
/** Delayed answers per address at a time; further requests are refused. */
const MAX_WAITING = 10;
/** Maximum number of remembered addresses. Beyond it, the least recently seen one is dropped. */
const MAX_PEERS = 10_000;
/** Maximum number of remembered identities per address. */
const MAX_KNOWN = 100;

interface Peer {
  wrong: number;
  /** Epoch ms. The count starts again a minute later. */
  since: number;
  logged: boolean;
  waiting: number;
  /**
   * Identities that signed in from this address. They are not slowed down by wrong credentials of others behind the
   * same proxy.
   */
  known: Set<string>;
}

/**
 * Slows down guessing of credentials over `/mcp`, the confirmation pages, `/readyz` and `/metrics` together, by network
 * address. Create one per process. While an address keeps presenting wrong ones, its requests
 * are answered late whether right or wrong, so that guessing in parallel does not help. Identities that signed in from
 * the address before are not slowed down.
 */
export class Attempts {
  readonly #peers = new BoundedMap<string, Peer>(MAX_PEERS);
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Called for every credential that was presented. `address`: the address of the connection. `identity`: the identity
   * that the credential belongs to; undefined for a wrong one. Resolves with true when the request may be answered, and
   * with false if too many wait already (429).
   */
  async judge(address: string | undefined, identity: string | undefined): Promise<boolean> {
    const name = networkOf(address ?? '');
    const now = this.#clock.now();
    const peer = this.#peers.get(name) ?? { wrong: 0, since: now, logged: false, waiting: 0, known: new Set() };
    // Setting it again makes this address the newest of the map.
    this.#peers.set(name, peer);
    if (now - peer.since >= MINUTE_MS) Object.assign(peer, { wrong: 0, since: now, logged: false });
    const held = peer.wrong > FREE;
    if (identity === undefined) {
      peer.wrong += 1;
      if (peer.wrong > FREE && !peer.logged)
        this.#log(
          'warn',
          { peer: name, wrong: peer.wrong },
          'repeated wrong tokens from one address; its requests are answered late',
        );
      peer.logged = peer.wrong > FREE;
    } else if (!held || peer.known.has(identity)) {
      if (peer.known.size < MAX_KNOWN) peer.known.add(identity);
      return true;
    }
    if (peer.wrong <= FREE) return true;
    if (peer.waiting >= MAX_WAITING) return false;
    peer.waiting += 1;
    await sleep(this.#clock, DELAY_MS);
    peer.waiting -= 1;
    return true;
  }
}

/** The network of an address. A customer of an IPv6 network has 2^64 addresses, which count as one. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail = ''] = plain.split('::', 2);
  const front = head.split(':').filter((part) => part !== '');
  const back = tail.split(':').filter((part) => part !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}
