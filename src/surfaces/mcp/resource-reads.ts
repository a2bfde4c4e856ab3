import { batchTemplate, confirmationTemplate, templates, texts } from '../../../tools/surfaces/assistants.ts';
import { outsideIn, parseInput } from '../../catalogue/input.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { outsideInBatch } from '../../language/assistants/calls.ts';
import type { Offer, ResourceContent } from '../../language/assistants/offer.ts';
import {
  bounded,
  failureOf,
  forAssistant,
  outsideInConfirmation,
  protocolMessage,
  resourceContents,
} from '../../language/assistants/results.ts';
import { batchData } from '../../language/batch-words.ts';
import type { Fields } from '../../lib/values.ts';
import { INVALID_PARAMS, type McpOptions, ProtocolError, RESOURCE_NOT_FOUND } from './protocol.ts';
import { plainAddress, prefixOf } from './resources.ts';

const RECORDS = [...templates, confirmationTemplate, batchTemplate];

/** Reads the resources of one client: fixed texts, records read through an operation, confirmations and batches. */
export function resourceReadsOf({ actor, backend, onError }: McpOptions, offer: Offer) {
  const isOffered = (template: (typeof RECORDS)[number]) => {
    if ('reads' in template) return offer.has(template.reads);
    return template === batchTemplate ? offer.batchTools.length > 0 : offer.canWait;
  };

  const refusing = async <T>(input: Fields | undefined, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const failure = failureOf(error, onError);
      const isMissing = input === undefined || failure.code === 'not_found';
      throw new ProtocolError(isMissing ? RESOURCE_NOT_FOUND : INVALID_PARAMS, protocolMessage(failure));
    }
  };

  /** The record that an address names. `input` reads it through an operation; a confirmation or a batch has none. */
  const locate = async (uri: string) => {
    const plain = plainAddress(uri);
    const template = RECORDS.find((one) => plain.startsWith(prefixOf(one)) && isOffered(one));
    if (!template) {
      const message = `There is no resource ${uri}; resources/list and resources/templates/list show the available ones.`;
      throw new ProtocolError(RESOURCE_NOT_FOUND, message);
    }
    const id = plain.slice(prefixOf(template).length);
    if (!('reads' in template)) return { template, id, input: undefined };
    const { gate } = await backend();
    const { reads, argument, given } = template;
    return refusing({}, async () => {
      const input = parseInput(gate.tool(reads) as Tool, { [argument]: id, ...given }, new Date());
      return { template, id: String(input[argument]), input };
    });
  };

  const readRecord = async (
    uri: string,
    { template, id, input }: Awaited<ReturnType<typeof locate>>,
    signal: AbortSignal,
  ): Promise<ResourceContent[]> => {
    const { gate, batches } = await backend();
    if ('reads' in template) {
      const done = await gate.perform(template.reads, input ?? {}, actor, { signal });
      const value = done.kind === 'done' ? bounded(gate, template.reads, done.value).value : {};
      return resourceContents(uri, value, outsideIn(gate.tool(template.reads), value));
    }
    if (template === batchTemplate) {
      const view = await batches.view(id, actor);
      return resourceContents(uri, batchData(view, 'assistant'), outsideInBatch(view));
    }
    const confirmation = await gate.follow(id, actor);
    return resourceContents(uri, forAssistant(confirmation), await outsideInConfirmation(gate, confirmation));
  };

  return {
    /** The contents of a resource. Throws `ProtocolError` if there is none, or it cannot be read. */
    read: async (uri: string, signal: AbortSignal): Promise<ResourceContent[]> => {
      const fixed = textAt(uri);
      if (fixed) return [{ uri, mimeType: 'text/markdown', text: fixed.text }];
      const located = await locate(uri);
      return refusing(located.input, () => readRecord(uri, located, signal));
    },
    /**
     * The address under which changes of a record are announced, from any spelling of its address. Throws `ProtocolError`
     * if it cannot be read. A record of the platform is not read for that.
     */
    recordOf: async (uri: string): Promise<string> => {
      if (textAt(uri)) {
        const message = `${uri} is not a resource that changes; resources/templates/list shows what can be subscribed to.`;
        throw new ProtocolError(INVALID_PARAMS, message);
      }
      const located = await locate(uri);
      const { template, id, input } = located;
      if (input === undefined) await refusing(input, () => readRecord(uri, located, new AbortController().signal));
      return `${prefixOf(template)}${id}`;
    },
  };
}

/** The fixed text at an address. */
function textAt(uri: string) {
  const plain = plainAddress(uri);
  return texts.find((resource) => resource.uri === plain);
}
