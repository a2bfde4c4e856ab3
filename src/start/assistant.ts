import { tools } from '../../tools/index.ts';
import { Assistant, type AssistantOptions } from '../assistant/assistant.ts';
import type { ModelSettings } from '../assistant/model.ts';
import type { Config } from '../lib/config.ts';
import { loadReader } from '../nlu/reader.ts';
import type { Runtime } from './runtime.ts';
import { offeringOf } from './settings.ts';

/**
 * Opens the conversation, with the tools of the build. The model is loaded at the first turn or by `warmUp`.
 *
 * @param reader reads plain words without a model
 */
export function openAssistant(
  config: Config,
  runtime: Runtime,
  reader: AssistantOptions['reader'] = loadReader,
): Assistant {
  const { gate, batches, store, worker, seal, redactor, clock, log } = runtime;
  return new Assistant({
    ...{ gate, batches, tools, worker, seal, redactor, clock, log, reader },
    ...offeringOf(config),
    steps: config.ASSISTANT_STEPS,
    context: config.ASSISTANT_CONTEXT,
    model: modelOf(config),
    database: store.database('ledger'),
  });
}

/** The owner's model; undefined if none is set. */
export function modelOf(config: Config): ModelSettings | undefined {
  const { ASSISTANT_MODEL: model, ASSISTANT_URL: url, ASSISTANT_KEY: key, ASSISTANT_API: api } = config;
  return model === undefined ? undefined : { model, url, key, api, proxies: config };
}
