import { batchTemplate, confirmationTemplate, templates, texts } from '../../../tools/surfaces/assistants.ts';
import { outsideIn } from '../../catalogue/input.ts';
import { outsideInBatch } from '../../language/assistants/batch-arguments.ts';
import type { Offer } from '../../language/assistants/offer.ts';
import {
  bounded,
  failureOf,
  forAssistant,
  outsideInConfirmation,
  protocolMessage,
  resourceContents,
} from '../../language/assistants/results.ts';
import { batchData } from '../../language/batch-words.ts';
import type { McpOptions } from './options.ts';
import { INVALID_PARAMS, ProtocolError, RESOURCE_NOT_FOUND, type ResourceContent } from './protocol.ts';
import { decodeUri, prefixOf } from './resources.ts';

type Template = (typeof templates)[number];

/** Reads the resources of one client: fixed texts, records read through an operation, confirmations and batches. */
export class ResourceReads {
  readonly #options: McpOptions;
  readonly #offer: Offer;

  constructor(options: McpOptions, offer: Offer) {
    this.#options = options;
    this.#offer = offer;
  }

  /** The contents of a resource. Throws `ProtocolError` if there is none, or it cannot be read. */
  async read(uri: string, signal: AbortSignal): Promise<ResourceContent[]> {
    const fixed = texts.find((resource) => resource.uri === uri);
    if (fixed) return [{ uri, mimeType: 'text/markdown', text: fixed.text }];
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
      return resourceContents(uri, batchData(view, 'assistant'), outsideInBatch(view));
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
