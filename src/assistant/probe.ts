import type { ToolSet } from 'ai';
import type { Clock } from '../lib/clock.ts';
import type { Failure } from '../lib/errors.ts';
import { proxyErrorIn } from '../lib/proxies.ts';
import { type LoadedModel, loadModel, type ModelSettings, SILENCE_MS } from './model.ts';
import { modelFailure, statusOf } from './model-failure.ts';

/**
 * The result of a small request to a model with one tool.
 * - `calls`: it called the tool.
 * - `words`: it answered without calling the tool.
 * - `no_tools`: its endpoint refuses a request with a tool, and answers one without.
 * - `failed`: it does not answer at all.
 */
export type Probe =
  | { kind: 'calls' | 'words' }
  | { kind: 'no_tools'; status: number }
  | { kind: 'failed'; failure: Failure };

/** Name of the tool that a model is asked to call. It is never carried out. */
const TOOL = 'report_ready';

/** Asks the model to call a tool. */
export async function probeModel(settings: ModelSettings, clock: Clock): Promise<Probe> {
  try {
    const loaded = await loadModel(settings, clock);
    return await probe(loaded);
  } catch (error) {
    const { message } = proxyErrorIn(error) ?? {};
    const failure: Failure =
      message === undefined ? modelFailure(error) : { code: 'network', message, outcome: 'not_done' };
    return { kind: 'failed', failure };
  }
}

async function probe(loaded: LoadedModel): Promise<Probe> {
  try {
    return { kind: (await ask(loaded, true)) ? 'calls' : 'words' };
  } catch (error) {
    // A refusal of the request may be about the tool. The same request without it tells.
    const status = statusOf(error);
    if (status === undefined || status < 400 || status >= 500 || [401, 403, 429].includes(status)) throw error;
    await ask(loaded, false);
    return { kind: 'no_tools', status };
  }
}

/** Sends one request, and resolves to true if the model called the tool. */
async function ask({ ai, model }: LoadedModel, hasTool: boolean): Promise<boolean> {
  const schema = ai.jsonSchema<Record<string, unknown>>({
    type: 'object',
    properties: {},
    additionalProperties: false,
  });
  const tools = { [TOOL]: ai.tool({ description: 'Reports that you are ready.', inputSchema: schema }) } as ToolSet;
  const result = ai.streamText({
    model,
    prompt: hasTool ? `Call the tool ${TOOL} now, without any other answer.` : 'Answer with the word: ready',
    maxRetries: 0,
    abortSignal: AbortSignal.timeout(SILENCE_MS),
    onError: () => undefined,
    ...(hasTool && { tools }),
  });
  let called = false;
  for await (const part of result.fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'tool-call') called ||= part.toolName === TOOL;
  }
  return called;
}
