import type { LanguageModel, ToolSet } from 'ai';
import { type Clock, sleep } from '../lib/clock.ts';
import type { Failure } from '../lib/errors.ts';
import { Proxies, type ProxySettings, proxyErrorIn } from '../lib/proxies.ts';
import { defined, type Fields, isRecord } from '../lib/values.ts';
import { backoff } from '../work/jobs.ts';

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
    if (/html/i.test(first.headers.get('content-type') ?? '') && !BUSY.includes(first.status)) {
      await first.body?.cancel();
      throw new ModelError('web_page');
    }
    if (!BUSY.includes(first.status)) return first;
    const seconds = Number(first.headers.get('retry-after') ?? Number.NaN);
    const wait = seconds >= 0 ? seconds * 1000 : backoff(1);
    if (wait > LONGEST_WAIT_MS) return first;
    await first.body?.cancel();
    if (!(await sleep(clock, wait, [init?.signal ?? undefined]))) throw init?.signal?.reason;
    return fetch(input, init);
  };
}

const ADMINISTRATOR = 'An administrator can check the ASSISTANT_ settings with switchboard doctor.';
const LATER = 'Try again later.';
const TOO_LONG =
  'Write “new topic” to start with an empty one. An administrator can set ASSISTANT_CONTEXT to what the model takes.';

/** The code, the message and the next step of a failure. */
type Reason = readonly [code: Failure['code'], message: string, next?: string];

/** Failures that Switchboard finds itself. */
const FOUND = {
  /** The model sends nothing for too long. */
  silence: ['timeout', 'The model did not answer in time.'],
  /** Its address is not that of a model. */
  web_page: ['server_error', "The model's endpoint answered with a web page.", ADMINISTRATOR],
  /** An answer ends without its end mark. */
  cut: ['network', "The model's answer was cut off."],
} as const satisfies Record<string, Reason>;

export class ModelError extends Error {
  readonly why: keyof typeof FOUND;

  constructor(why: keyof typeof FOUND) {
    super(why);
    this.why = why;
  }
}

const TOO_MANY_TOKENS = /context_length_exceeded|prompt is too long|context (?:length|window|size)|too many tokens/i;

const OF_STATUS: Readonly<Record<number, Reason>> = {
  401: ['unauthorized', "The model's endpoint does not accept the key.", ADMINISTRATOR],
  403: ['unauthorized', "The model's endpoint does not accept the key.", ADMINISTRATOR],
  404: ['not_found', "The model's endpoint does not have this model.", ADMINISTRATOR],
  429: ['rate_limited', "The model's endpoint takes no more requests at the moment.", LATER],
};

/**
 * The failure of a model for the writer, in one sentence. The texts of the endpoint are left out, because they may repeat
 * the key or the conversation.
 */
export function modelFailure(error: unknown): Failure {
  const [code, message, next] = reasonOf(error, statusOf(error));
  return { code, message, outcome: 'not_done', ...defined({ next }) };
}

function reasonOf(error: unknown, status: number | undefined): Reason {
  // The library wraps an error that ends an answer.
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof ModelError) return FOUND[at.why];
  const { name = '' } = error instanceof Error ? error : {};
  // The request has more tokens than the model takes. Vendors say it in a code or a text.
  const refusal = status === 400 && isRecord(error) ? String(error.responseBody) : '';
  if (status === 413 || TOO_MANY_TOKENS.test(refusal))
    return ['bad_request', 'This conversation is too long for the model.', TOO_LONG];
  if (status !== undefined && status >= 500) return ['server_error', "The model's endpoint failed.", LATER];
  if (status !== undefined && status >= 400)
    return OF_STATUS[status] ?? ['bad_request', "The model's endpoint refused the request.", ADMINISTRATOR];
  if (name === 'AI_TypeValidationError' || name === 'AI_JSONParseError')
    return ['server_error', "The model's endpoint sent something that is not an answer."];
  return ['network', 'The model cannot be reached.', ADMINISTRATOR];
}

/** The HTTP status that an error of the library carries; undefined if no answer came. */
function statusOf(error: unknown): number | undefined {
  if (!isRecord(error)) return undefined;
  if (typeof error.statusCode === 'number') return error.statusCode === 200 ? undefined : error.statusCode;
  // An error inside a stream that began well.
  return error.type === 'overloaded_error' ? 529 : undefined;
}

/**
 * The result of a small request to a model with one tool.
 * - `calls`: it called the tool.
 * - `words`: it answered without calling the tool.
 * - `no_tools`: its endpoint refuses a request with a tool, and answers one without.
 * - `failed`: it does not answer at all.
 */
type Probe = { kind: 'calls' | 'words' } | { kind: 'no_tools'; status: number } | { kind: 'failed'; failure: Failure };

/** Name of the tool that a model is asked to call. It is never carried out. */
const TOOL = 'report_ready';

/** Asks the model to call a tool. */
export async function probeModel(settings: ModelSettings, clock: Clock): Promise<Probe> {
  try {
    const loaded = await loadModel(settings, clock);
    try {
      return { kind: (await ask(loaded, true)) ? 'calls' : 'words' };
    } catch (error) {
      // A refusal of the request may be about the tool. The same request without it tells.
      const status = statusOf(error);
      if (status === undefined || status < 400 || status >= 500 || [401, 403, 429].includes(status)) throw error;
      await ask(loaded, false);
      return { kind: 'no_tools', status };
    }
  } catch (error) {
    const { message } = proxyErrorIn(error) ?? {};
    if (message === undefined) return { kind: 'failed', failure: modelFailure(error) };
    return { kind: 'failed', failure: { code: 'network', message, outcome: 'not_done' } };
  }
}

/** Sends one request, and resolves to true if the model called the tool. */
async function ask({ ai, model }: LoadedModel, hasTool: boolean): Promise<boolean> {
  const schema = ai.jsonSchema<Fields>({ type: 'object', properties: {}, additionalProperties: false });
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
