import type { Clock } from '../lib/clock.ts';
import type { Failure } from '../lib/errors.ts';
import { proxyErrorIn } from '../lib/proxies.ts';
import { loadModel, type ModelSettings, SILENCE_MS } from './model.ts';
import { modelFailure } from './model-failure.ts';

/** Asks the model for one word. Resolves to the reason if it does not answer; undefined if it does. */
export async function probeModel(settings: ModelSettings, clock: Clock): Promise<Failure | undefined> {
  try {
    const { ai, model } = await loadModel(settings, clock);
    const result = ai.streamText({
      model,
      prompt: 'Answer with the word: ready',
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(SILENCE_MS),
      onError: () => undefined,
    });
    for await (const part of result.fullStream) if (part.type === 'error') throw part.error;
    return undefined;
  } catch (error) {
    const { message } = proxyErrorIn(error) ?? {};
    return message === undefined ? modelFailure(error) : { code: 'network', message, outcome: 'not_done' };
  }
}
