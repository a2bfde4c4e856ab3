import { batchTemplate, confirmationTemplate, templates, texts } from '../../../tools/surfaces/assistants.ts';
import { outsideIn } from '../../catalogue/input.ts';
import { outsideInBatch } from '../../language/assistants/batch-answers.ts';
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
    try {
      if (template) return await this.#readRecord(template, uri, signal);
      if (this.#offer.canWait && uri.startsWith(prefixOf(confirmationTemplate)))
        return await this.#readConfirmation(uri);
      if (this.#offer.batchTools.length > 0 && uri.startsWith(prefixOf(batchTemplate)))
        return await this.#readBatch(uri);
    } catch (error) {
      const failure = failureOf(error, this.#options.onError);
      const isMissing = !template || failure.code === 'not_found';
      throw new ProtocolError(isMissing ? RESOURCE_NOT_FOUND : INVALID_PARAMS, protocolMessage(failure));
    }
    throw new ProtocolError(
      RESOURCE_NOT_FOUND,
      `There is no resource ${uri}; resources/list and resources/templates/list show the available ones.`,
    );
  }

  async #readRecord(template: Template, uri: string, signal: AbortSignal): Promise<ResourceContent[]> {
    const { gate } = await this.#options.backend();
    const input = { [template.argument]: idIn(uri, template), ...template.given };
    const done = await gate.perform(template.reads, input, this.#options.actor, { signal });
    const value = done.kind === 'done' ? bounded(gate, template.reads, done.value).value : {};
    return resourceContents(uri, value, outsideIn(gate.tool(template.reads), value));
  }

  async #readBatch(uri: string): Promise<ResourceContent[]> {
    const { batches } = await this.#options.backend();
    const view = await batches.view(idIn(uri, batchTemplate), this.#options.actor);
    return resourceContents(uri, batchData(view, 'assistant'), outsideInBatch(view));
  }

  async #readConfirmation(uri: string): Promise<ResourceContent[]> {
    const { gate } = await this.#options.backend();
    const confirmation = await gate.follow(idIn(uri, confirmationTemplate), this.#options.actor);
    return resourceContents(uri, forAssistant(confirmation), await outsideInConfirmation(gate, confirmation));
  }
}

function idIn(uri: string, template: { uriTemplate: string }): string {
  return decodeUri(uri.slice(prefixOf(template).length));
}
