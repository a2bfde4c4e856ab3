import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** Wrong credentials an address may present in a minute before its answers are held back. */
const FREE = 10;
const WINDOW_MS = 60_000;
/** Held back by half a second for each further one, up to this. */
const STEP_MS = 500;
const LONGEST_MS = 5_000;
/** Of one address: beyond it, whoever asks is told to come back later. */
const MAX_WAITING = 10;
/** Addresses remembered; beyond it the one heard of longest ago is forgotten. */
const MAX_PEERS = 10_000;
/** Identities remembered of one address. */
const MAX_KNOWN = 100;

interface Peer {
  wrong: number;
  /** Epoch ms; the count starts anew a minute later. */
  since: number;
  logged: boolean;
  waiting: number;
  /** Identities that signed in from here: they are not held back by somebody else's guesses behind the same proxy. */
  known: Set<string>;
}

export interface AttemptsOptions {
  clock: Clock;
  /** Told once a minute and address. */
  onMany?: (peer: string, wrong: number) => void;
}

/**
 * The one count of wrong credentials of a process, over `/mcp`, the confirmation page and what may be observed, so that
 * nobody gets more guesses by trying several doors. It warns in the log.
 */
export function createAttempts(clock: Clock, log: Log): Attempts {
  return new Attempts({
    clock,
    onMany: (peer, wrong) =>
      log('warn', { peer, wrong }, 'wrong tokens again and again from one address; its answers are held back'),
  });
}

/**
 * Slows down whoever guesses credentials, by network address. While an address presents wrong ones again and again,
 * right and wrong alike are answered late, so that guessing in parallel gains nothing; identities that signed in from
 * there before go on undisturbed.
 */
export class Attempts {
  private readonly peers = new Map<string, Peer>();
  private readonly clock: Clock;
  private readonly onMany: AttemptsOptions['onMany'];

  constructor(options: AttemptsOptions) {
    this.clock = options.clock;
    this.onMany = options.onMany;
  }

  /**
   * Called for every credential that was presented. `address`: of the connection. `identity`: whose it is, undefined
   * for a wrong one. Resolves with true when the answer may be given, with false when too many wait already (429).
   */
  async judge(address: string | undefined, identity: string | undefined): Promise<boolean> {
    const name = networkOf(address ?? '');
    const peer = this.peerOf(name);
    const held = peer.wrong > FREE;
    if (identity === undefined) this.count(name, peer);
    else if (!held || peer.known.has(identity)) {
      if (peer.known.size < MAX_KNOWN) peer.known.add(identity);
      return true;
    }
    const delay = delayFor(peer.wrong);
    if (delay === 0) return true;
    if (peer.waiting >= MAX_WAITING) return false;
    peer.waiting += 1;
    await new Promise<void>((resolve) => void this.clock.setTimeout(resolve, delay));
    peer.waiting -= 1;
    return true;
  }

  private peerOf(name: string): Peer {
    const now = this.clock.now();
    const found = this.peers.get(name);
    if (found) {
      // Set again: the map's order is who was heard of longest ago.
      this.peers.delete(name);
      this.peers.set(name, found);
      if (now - found.since >= WINDOW_MS) Object.assign(found, { wrong: 0, since: now, logged: false });
      return found;
    }
    const [oldest] = this.peers.keys();
    if (this.peers.size >= MAX_PEERS && oldest !== undefined) this.peers.delete(oldest);
    const made: Peer = { wrong: 0, since: now, logged: false, waiting: 0, known: new Set() };
    this.peers.set(name, made);
    return made;
  }

  private count(name: string, peer: Peer): void {
    peer.wrong += 1;
    if (peer.wrong <= FREE || peer.logged) return;
    peer.logged = true;
    this.onMany?.(name, peer.wrong);
  }
}

function delayFor(wrong: number): number {
  return Math.min(LONGEST_MS, Math.max(0, wrong - FREE) * STEP_MS);
}

/** One customer of an IPv6 network has 2^64 addresses: they count as one. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail = ''] = plain.split('::', 2);
  const front = head.split(':').filter((part) => part !== '');
  const back = tail.split(':').filter((part) => part !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}
