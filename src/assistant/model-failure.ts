import type { ToolSet } from 'ai';
import type { Clock } from '../lib/clock.ts';
import type { Failure } from '../lib/errors.ts';
import { defined } from '../lib/json.ts';
import { OversizedAnswer, proxyErrorIn } from '../lib/proxies.ts';
import { CutAnswer, type LoadedModel, loadModel, type ModelSettings, SILENCE_MS } from './model.ts';

/** Thrown when the model sends nothing for too long. */
export class Silence extends Error {
  override readonly name = 'Silence';
}

const ADMINISTRATOR = 'An administrator can check the ASSISTANT_ settings with switchboard doctor.';
const LATER = 'Try again later.';
const TOO_LONG =
  'Write “new topic” to start with an empty one. An administrator can set ASSISTANT_CONTEXT to what the model takes.';

/** The failure of an HTTP status: code, message and next step. */
const OF_STATUS: Readonly<Record<number, readonly [Failure['code'], string, string]>> = {
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
  const [code, message, next] = reasonOf(error);
  return { code, message, outcome: 'not_done', ...defined({ next }) };
}

function reasonOf(error: unknown): readonly [code: Failure['code'], message: string, next?: string] {
  const { name = '' } = error instanceof Error ? error : {};
  const status = statusOf(error);
  if (error instanceof Silence) return ['timeout', 'The model did not answer in time.'];
  if (isOversized(error)) return ['server_error', "The model's endpoint sent more than can be read.", ADMINISTRATOR];
  if (error instanceof CutAnswer) return ['network', "The model's answer was cut off."];
  if (isTooLong(error, status)) return ['bad_request', 'This conversation is too long for the model.', TOO_LONG];
  if (status !== undefined && status >= 500) return ['server_error', "The model's endpoint failed.", LATER];
  if (status !== undefined && status >= 400)
    return OF_STATUS[status] ?? ['bad_request', "The model's endpoint refused the request.", ADMINISTRATOR];
  if (name === 'AI_TypeValidationError' || name === 'AI_JSONParseError')
    return ['server_error', "The model's endpoint sent something that is not an answer."];
  return ['network', 'The model cannot be reached.', ADMINISTRATOR];
}

/** The library wraps an error that ends an answer. */
function isOversized(error: unknown): boolean {
  return error instanceof Error && (error instanceof OversizedAnswer || isOversized(error.cause));
}

/** The HTTP status that an error of the library carries; undefined if no answer came. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('statusCode' in error && typeof error.statusCode === 'number')
    return error.statusCode === 200 ? undefined : error.statusCode;
  // An error inside a stream that began well.
  if ('type' in error && error.type === 'overloaded_error') return 529;
  return undefined;
}

/** True if the endpoint says that the request has more tokens than the model takes. Vendors say it in a code or a text. */
function isTooLong(error: unknown, status: number | undefined): boolean {
  if (status === 413) return true;
  if (status !== 400 || typeof error !== 'object' || error === null || !('responseBody' in error)) return false;
  return /context_length_exceeded|prompt is too long|context (?:length|window|size)|too many tokens/i.test(
    String(error.responseBody),
  );
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
