import { decoded, plainForm } from '../../lib/values.ts';
import type { Changes, Subscribable } from './protocol.ts';

/** The part of a template before its first variable. */
export function prefixOf({ uriTemplate }: { uriTemplate: string }): string {
  return uriTemplate.split('{')[0] ?? '';
}

/** An address without the escapes and the invisible characters that clients put into it, and with plain digits. */
export function plainAddress(uri: string): string {
  return plainForm(decoded(uri));
}

/** The subscriptions of clients to records. Each client is notified with the address that it subscribed to. */
export class Subscriptions {
  /** The record of each address, and how often it was subscribed to. */
  readonly #held = new Map<string, { record: string; times: number }>();
  readonly #notify: (uri: string) => void;
  readonly #most: number;
  readonly close: () => void;

  /**
   * @param notify tells the clients that the record of this address has changed
   * @param most number of addresses; beyond it, the oldest subscription ends
   */
  constructor(changes: Changes, notify: (uri: string) => void, most = Number.POSITIVE_INFINITY) {
    this.#notify = notify;
    this.#most = most;
    this.close = changes.listen((changed) => {
      for (const [uri, { record }] of this.#held) if (record === changed) notify(uri);
    });
  }

  /** Adds a subscription. Throws `ProtocolError` if the address cannot be read. */
  async add(uri: string, subscribable: Subscribable): Promise<Record<string, never>> {
    const record = await subscribable.recordOf(uri);
    await subscribable.follow();
    this.#held.set(uri, { record, times: (this.#held.get(uri)?.times ?? 0) + 1 });
    const [oldest = uri] = this.#held.keys();
    if (this.#held.size > this.#most) this.#held.delete(oldest);
    return {};
  }

  /** Ends one subscription with this address. */
  release(uri: string): void {
    const held = this.#held.get(uri);
    if (held === undefined) return;
    held.times -= 1;
    if (held.times === 0) this.#held.delete(uri);
  }

  /** Ends all subscriptions to the record of this address. */
  async delete(uri: string, subscribable: Subscribable): Promise<Record<string, never>> {
    const record = await subscribable.recordOf(uri).catch(() => this.#held.get(uri)?.record);
    for (const [other, held] of this.#held) if (held.record === record) this.#held.delete(other);
    return {};
  }

  /** Reports every record, because changes were lost while the stream of the client was cut. */
  reportAll(): void {
    for (const uri of this.#held.keys()) this.#notify(uri);
  }
}
