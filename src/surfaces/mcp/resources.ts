import {
  batchTemplate,
  confirmationTemplate,
  guideTemplate,
  templates,
  texts,
} from '../../../tools/surfaces/assistants.ts';
import { outsideIn } from '../../catalogue/outside.ts';
import type { Offer } from '../../language/assistants/offer.ts';
import {
  bounded,
  failureOf,
  forAssistant,
  outsideInConfirmation,
  protocolMessage,
  resourceContents,
} from '../../language/assistants/results.ts';
import { batchData } from '../../language/batch.ts';
import { MAX_SUBSCRIBED, MAX_URI } from './limits.ts';
import type { McpOptions } from './options.ts';
import {
  INVALID_PARAMS,
  ProtocolError,
  RESOURCE_NOT_FOUND,
  type ResourceContent,
  type Subscribable,
} from './protocol.ts';
import { readView, viewResource } from './views.ts';

type Template = (typeof templates)[number];

/** The resources of one client: fixed texts, the view, records read through an operation, and confirmations. */
export class Resources {
  readonly #options: McpOptions;
  readonly #offer: Offer;

  constructor(options: McpOptions, offer: Offer) {
    this.#options = options;
    this.#offer = offer;
  }

  /** `withView`: true if the client shows views. */
  list(withView: boolean) {
    const fixed = texts.map(({ text: _text, ...resource }) => ({ ...resource, mimeType: 'text/markdown' }));
    return withView ? [...fixed, viewResource] : fixed;
  }

  listTemplates() {
    const records = templates
      .filter(({ reads }) => this.#offer.has(reads))
      .map(({ reads: _reads, argument: _argument, given: _given, ...template }) => template);
    const listed = [
      ...records,
      ...(this.#offer.canWait ? [confirmationTemplate] : []),
      ...(this.#offer.batchTools.length > 0 ? [batchTemplate] : []),
    ];
    const guide = { ...guideTemplate, mimeType: 'text/markdown' };
    return [...listed.map((template) => ({ ...template, mimeType: 'application/json' })), guide];
  }

  async read(uri: string, signal: AbortSignal): Promise<ResourceContent[]> {
    const fixed = texts.find((resource) => resource.uri === uri);
    if (fixed) return [{ uri, mimeType: 'text/markdown', text: fixed.text }];
    if (this.#options.apps && uri === viewResource.uri) return [readView()];
    const template = templates.find((one) => uri.startsWith(prefixOf(one)) && this.#offer.has(one.reads));
    if (template) return this.#readRecord(template, uri, signal);
    if (this.#offer.canWait && uri.startsWith(prefixOf(confirmationTemplate))) return this.#readConfirmation(uri);
    if (this.#offer.batchTools.length > 0 && uri.startsWith(prefixOf(batchTemplate))) return this.#readBatch(uri);
    throw new ProtocolError(
      RESOURCE_NOT_FOUND,
      `There is no resource ${uri}; resources/list and resources/templates/list show the available ones.`,
    );
  }

  async #readRecord(template: Template, uri: string, signal: AbortSignal): Promise<ResourceContent[]> {
    const { gate } = await this.#options.backend();
    try {
      const input = { [template.argument]: decodeUri(uri.slice(prefixOf(template).length)), ...template.given };
      const done = await gate.perform(template.reads, input, this.#options.actor, { signal });
      const value = done.kind === 'done' ? bounded(gate, template.reads, done.value).value : {};
      return resourceContents(uri, value, outsideIn(gate.tool(template.reads), value));
    } catch (error) {
      const failure = failureOf(error, this.#options.onError);
      const code = failure.code === 'not_found' ? RESOURCE_NOT_FOUND : INVALID_PARAMS;
      throw new ProtocolError(code, protocolMessage(failure));
    }
  }

  async #readBatch(uri: string): Promise<ResourceContent[]> {
    const { batches } = await this.#options.backend();
    try {
      const view = await batches.view(decodeUri(uri.slice(prefixOf(batchTemplate).length)), this.#options.actor);
      return resourceContents(uri, batchData(view, 'assistant'), []);
    } catch (error) {
      throw new ProtocolError(RESOURCE_NOT_FOUND, protocolMessage(failureOf(error, this.#options.onError)));
    }
  }

  async #readConfirmation(uri: string): Promise<ResourceContent[]> {
    const { gate } = await this.#options.backend();
    try {
      const id = decodeUri(uri.slice(prefixOf(confirmationTemplate).length));
      const confirmation = await gate.follow(id, this.#options.actor);
      return resourceContents(uri, forAssistant(confirmation), await outsideInConfirmation(gate, confirmation));
    } catch (error) {
      throw new ProtocolError(RESOURCE_NOT_FOUND, protocolMessage(failureOf(error, this.#options.onError)));
    }
  }
}

/** The part of a template before its first variable. */
function prefixOf({ uriTemplate }: { uriTemplate: string }): string {
  return uriTemplate.split('{')[0] ?? '';
}

/** True if a resource can change, and so can be subscribed to. */
function canChange(uri: string): boolean {
  return [...templates, confirmationTemplate, batchTemplate].some((template) =>
    decodeUri(uri).startsWith(prefixOf(template)),
  );
}

/** A URI without its escapes. One that cannot be decoded is returned unchanged. */
function decodeUri(uri: string): string {
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
 * The subscriptions of one client that names each resource (protocol up to 2025-11-25). Changes that occur while its
 * stream is cut are reported when the stream opens again.
 */
export class Subscriptions {
  readonly #subscribable: Subscribable;
  /** Notifies the client that a resource has changed. */
  readonly #notify: (uri: string) => void;
  /** The client's URI by its decoded form, because clients that expand a template write + as %2B. */
  readonly #uris = new Map<string, string>();
  readonly #missed = new Set<string>();
  readonly #stop: () => void;

  constructor(subscribable: Subscribable, notify: (uri: string) => void) {
    this.#subscribable = subscribable;
    this.#notify = notify;
    subscribable.stream?.onOpen(() => this.#notifyMissed());
    this.#stop = subscribable.changes.listen((uri) => this.#changed(uri));
  }

  /** Adds a subscription. Beyond the limit, the oldest one ends. Throws `ProtocolError`. */
  async add(uri: string): Promise<void> {
    this.#subscribable.check(uri);
    await this.#subscribable.follow();
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
    if (this.#subscribable.stream?.isOpen() === false) this.#missed.add(uri);
    else this.#notify(uri);
  }

  #notifyMissed(): void {
    for (const uri of this.#missed) this.#notify(uri);
    this.#missed.clear();
  }
}

/** The forms in which clients write a URI: as it is announced, and with its last part escaped. */
export function writtenForms(uri: string): string[] {
  const plain = decodeUri(uri);
  const at = plain.lastIndexOf('/') + 1;
  const escaped = `${plain.slice(0, at)}${encodeURIComponent(plain.slice(at))}`;
  return [...new Set([uri, plain, escaped])];
}
