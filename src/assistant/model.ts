import type { LanguageModel } from 'ai';
import { type Clock, sleep } from '../lib/clock.ts';
import { Proxies, type ProxySettings } from '../lib/proxies.ts';
import { backoff } from '../work/failures.ts';

/** The owner's model, from the ASSISTANT_ settings. */
export interface ModelSettings {
  model: string;
  /** Undefined: Anthropic's own address. */
  url: string | undefined;
  key: string | undefined;
  api: 'openai-compatible' | 'anthropic';
  proxies?: ProxySettings;
}

/** The library and the model. It takes 22 MB, so it is loaded only if a model is set. */
export interface LoadedModel {
  ai: typeof import('ai');
  model: LanguageModel;
}

/** Maximum time in which a model sends nothing. A model on this computer may have to be loaded first. */
export const SILENCE_MS = 60_000;
/** Thrown when an answer ends without its end mark. */
export class CutAnswer extends Error {
  override readonly name = 'CutAnswer';
}

/** Statuses of an endpoint that is busy for a moment. A request to a model changes nothing, so it may be repeated. */
const BUSY = [429, 500, 502, 503, 529];
const LONGEST_WAIT_MS = 5_000;
const ANTHROPIC_URL = 'https://api.anthropic.com/v1';

/** Loads the library and the provider of the model. */
export async function loadModel(settings: ModelSettings, clock: Clock): Promise<LoadedModel> {
  const ai = await import('ai');
  // The library writes warnings to the console, where the protocol or the answer is.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const model = ai.wrapLanguageModel({
    model: await providerModel(settings, patientFetch(clock, new Proxies(settings.proxies).fetch)),
    // Some models write their thoughts into the answer.
    middleware: ai.extractReasoningMiddleware({ tagName: 'think' }),
  });
  return { ai, model };
}

/** URL and key are always given, because the providers otherwise read the environment. */
async function providerModel({ model, url, key, api }: ModelSettings, fetch: typeof globalThis.fetch) {
  if (api === 'anthropic') {
    // The vendor's OpenAI-compatible address has tools and streams, but it does not cache the tools and the instructions,
    // which are most of a request, and the vendor does not offer it for production.
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL: url ?? ANTHROPIC_URL, apiKey: key ?? 'none', fetch })(model);
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const settings = { name: 'assistant', baseURL: url ?? '', includeUsage: true, fetch };
  return createOpenAICompatible({ ...settings, ...(key !== undefined && { apiKey: key }) }).chatModel(model);
}

/** `fetch` that follows no redirect, and repeats a request once if the endpoint was busy. */
function patientFetch(clock: Clock, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const first = await fetch(input, init);
    if (!BUSY.includes(first.status)) return first;
    const wait = waitOf(first.headers.get('retry-after'));
    if (wait > LONGEST_WAIT_MS) return first;
    await first.body?.cancel();
    if (!(await sleep(clock, wait, [init?.signal ?? undefined]))) throw init?.signal?.reason;
    return fetch(input, init);
  };
}

/** The wait before the second attempt, in ms. */
function waitOf(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : backoff(1);
}
