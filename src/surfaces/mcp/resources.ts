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

/**
 * The subscriptions of clients to records. Each client is notified with the address that it subscribed to.
 *
 * @param notify tells the clients that the record of this address has changed
 * @param most number of addresses; beyond it, the oldest subscription ends
 */
export function subscriptionsTo(changes: Changes, notify: (uri: string) => void, most = Number.POSITIVE_INFINITY) {
  /** The record of each address, and how often it was subscribed to. */
  const held = new Map<string, { record: string; times: number }>();
  return {
    close: changes.listen((changed) => {
      for (const [uri, { record }] of held) if (record === changed) notify(uri);
    }),
    /** Adds a subscription. Throws `ProtocolError` if the address cannot be read. */
    add: async (uri: string, subscribable: Subscribable): Promise<Record<string, never>> => {
      const record = await subscribable.recordOf(uri);
      await subscribable.follow();
      held.set(uri, { record, times: (held.get(uri)?.times ?? 0) + 1 });
      const [oldest = uri] = held.keys();
      if (held.size > most) held.delete(oldest);
      return {};
    },
    /** Ends one subscription with this address. */
    release: (uri: string): void => {
      const one = held.get(uri);
      if (one === undefined) return;
      one.times -= 1;
      if (one.times === 0) held.delete(uri);
    },
    /** Ends all subscriptions to the record of this address. */
    delete: async (uri: string, subscribable: Subscribable): Promise<Record<string, never>> => {
      const record = await subscribable.recordOf(uri).catch(() => held.get(uri)?.record);
      for (const [other, one] of held) if (one.record === record) held.delete(other);
      return {};
    },
    /** Reports every record, because changes were lost while the stream of the client was cut. */
    reportAll: (): void => {
      for (const uri of held.keys()) notify(uri);
    },
  };
}
