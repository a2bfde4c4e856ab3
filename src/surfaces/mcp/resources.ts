import {
  batchTemplate,
  confirmationTemplate,
  guideTemplate,
  templates,
  texts,
} from '../../../tools/surfaces/assistants.ts';
import type { Offer } from '../../language/assistants/offer.ts';
import { MAX_SUBSCRIBED, MAX_URI } from './limits.ts';
import { INVALID_PARAMS, ProtocolError, type Subscribable } from './protocol.ts';

/** The resources that every client can list. */
export function listResources() {
  return texts.map(({ text: _text, ...resource }) => ({ ...resource, mimeType: 'text/markdown' }));
}

/** The templates of resources that a client can read. */
export function listTemplates(offer: Offer) {
  const records = templates
    .filter(({ reads }) => offer.has(reads))
    .map(({ reads: _reads, argument: _argument, given: _given, ...template }) => template);
  const listed = [
    ...records,
    ...(offer.canWait ? [confirmationTemplate] : []),
    ...(offer.batchTools.length > 0 ? [batchTemplate] : []),
  ];
  const guide = { ...guideTemplate, mimeType: 'text/markdown' };
  return [...listed.map((template) => ({ ...template, mimeType: 'application/json' })), guide];
}

/** The part of a template before its first variable. */
export function prefixOf({ uriTemplate }: { uriTemplate: string }): string {
  return uriTemplate.split('{')[0] ?? '';
}

/** True if a resource can change, and so can be subscribed to. */
function canChange(uri: string): boolean {
  return [...templates, confirmationTemplate, batchTemplate].some((template) =>
    decodeUri(uri).startsWith(prefixOf(template)),
  );
}

/** A URI without its escapes. One that cannot be decoded is returned unchanged. */
export function decodeUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** Refuses a URI that cannot be subscribed to. */
export function checkSubscription(uri: string): void {
  if (uri.length > MAX_URI) throw new ProtocolError(INVALID_PARAMS, `uri: has more than ${MAX_URI} characters.`);
  if (!canChange(uri))
    throw new ProtocolError(
      INVALID_PARAMS,
      `${uri} is not a resource that changes; resources/templates/list shows what can be subscribed to.`,
    );
}

/**
 * The subscriptions of one client that names each resource (protocol up to 2025-11-25). When its stream opens again,
 * all of them are reported, because changes were lost while it was cut.
 */
export class Subscriptions {
  readonly #subscribable: Subscribable;
  /** Notifies the client that a resource has changed. */
  readonly #notify: (uri: string) => void;
  /** The client's URI by its decoded form, because clients that expand a template write + as %2B. */
  readonly #uris = new Map<string, string>();
  readonly close: () => void;

  constructor(subscribable: Subscribable, notify: (uri: string) => void) {
    this.#subscribable = subscribable;
    this.#notify = notify;
    subscribable.stream?.onOpen(() => [...this.#uris.values()].forEach(notify));
    this.close = subscribable.changes.listen((changed) => {
      const uri = this.#uris.get(decodeUri(changed));
      if (uri !== undefined) this.#notify(uri);
    });
  }

  /** Adds a subscription. Beyond the limit, the oldest one ends. Throws `ProtocolError`. */
  async add(uri: string): Promise<Record<string, never>> {
    this.#subscribable.check(uri);
    await this.#subscribable.follow();
    const [oldest] = this.#uris.keys();
    if (this.#uris.size >= MAX_SUBSCRIBED && oldest !== undefined) this.#uris.delete(oldest);
    this.#uris.set(decodeUri(uri), uri);
    return {};
  }

  delete(uri: string): Record<string, never> {
    this.#uris.delete(decodeUri(uri));
    return {};
  }
}

/** The forms in which clients write a URI: as it is announced, and with its last part escaped. */
export function writtenForms(uri: string): string[] {
  const plain = decodeUri(uri);
  const at = plain.lastIndexOf('/') + 1;
  const escaped = `${plain.slice(0, at)}${encodeURIComponent(plain.slice(at))}`;
  return [...new Set([uri, plain, escaped])];
}
