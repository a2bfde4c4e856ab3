import type { Changes } from '../../lib/changes.ts';
import { MAX_SUBSCRIBED, MAX_URI } from './limits.ts';
import type { ClientStream } from './options.ts';
import { INVALID_PARAMS, ProtocolError } from './protocol.ts';
import { canChange, decodeUri } from './resources.ts';

interface SubscriptionOptions {
  changes: Changes;
  /** Tells the client that a resource has changed. */
  notify: (uri: string) => void;
  stream: ClientStream | undefined;
}

/** The subscriptions of one client. Changes while its stream is cut are reported when the stream opens again. */
export class Subscriptions {
  readonly #options: SubscriptionOptions;
  /** The client's URI by its decoded form: clients that expand a template write + as %2B. */
  readonly #uris = new Map<string, string>();
  readonly #missed = new Set<string>();
  readonly #stop: () => void;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    options.stream?.onOpen(() => this.#notifyMissed());
    this.#stop = options.changes.listen((uri) => this.#changed(uri));
  }

  /** Refuses a URI that cannot be subscribed to. */
  check(uri: string): void {
    if (uri.length > MAX_URI) throw new ProtocolError(INVALID_PARAMS, `uri: has more than ${MAX_URI} characters.`);
    if (!canChange(uri))
      throw new ProtocolError(
        INVALID_PARAMS,
        `${uri} is not a resource that changes; resources/templates/list shows what can be subscribed to.`,
      );
  }

  /** Adds a subscription. Beyond the limit the oldest one ends. */
  add(uri: string): void {
    const [oldest] = this.#uris.keys();
    if (this.#uris.size >= MAX_SUBSCRIBED && oldest !== undefined) this.#uris.delete(oldest);
    this.#uris.set(decodeUri(uri), uri);
  }

  delete(uri: string): void {
    this.#uris.delete(decodeUri(uri));
  }

  close(): void {
    this.#stop();
  }

  #changed(changed: string): void {
    const uri = this.#uris.get(decodeUri(changed));
    if (uri === undefined) return;
    if (this.#options.stream?.isOpen() === false) this.#missed.add(uri);
    else this.#options.notify(uri);
  }

  #notifyMissed(): void {
    for (const uri of this.#missed) this.#options.notify(uri);
    this.#missed.clear();
  }
}
