import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { listen } from './ending.ts';

/** A call of a tool. */
export interface ScriptedCall {
  name: string;
  input?: Record<string, unknown>;
}

/** The answer to one request: text, calls, or a fault. */
export interface ScriptedAnswer {
  text?: string;
  calls?: readonly ScriptedCall[];
  /** Answers with this status instead. */
  status?: number;
  retryAfter?: string;
  /** The code and text of the error that is sent with `status`. */
  error?: { code?: string; message: string };
  /** Sends headers and nothing else. */
  hangs?: true;
  /** Cuts the connection after the text. */
  cut?: true;
  /** Answers once this has resolved. */
  after?: Promise<unknown>;
}

/** One request of the product, as the model's endpoint got it. */
interface ModelRequest {
  path: string;
  headers: IncomingMessage['headers'];
  /** The body as text, with everything that the model would read. */
  text: string;
  tools: string[];
}

/** An endpoint of a model that gives a test's answers, over real HTTP with streams. */
export interface ScriptedModel {
  url: string;
  requests: ModelRequest[];
  /** The next answers, in order. The last one is repeated. A function gets the request. */
  answers(...answers: (ScriptedAnswer | ((request: ModelRequest) => ScriptedAnswer))[]): void;
}

export type ModelApi = 'openai-compatible' | 'anthropic';

export async function scriptedModel(api: ModelApi, key?: string): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  let script: readonly (ScriptedAnswer | ((request: ModelRequest) => ScriptedAnswer))[] = [{ text: 'Hello.' }];
  const server = createServer((incoming, response) => {
    readRequest(incoming)
      .then(async (request) => {
        requests.push(request);
        const next = script.length > 1 ? script[0] : script.at(-1);
        if (script.length > 1) script = script.slice(1);
        const answer = isKey(request, key) ? (typeof next === 'function' ? next(request) : next) : { status: 401 };
        await answer?.after;
        respond(api, answer ?? {}, response);
      })
      .catch((error: unknown) => response.destroy(error as Error));
  });
  return {
    url: `${await listen(server)}/v1`,
    requests,
    answers: (...answers) => {
      script = answers;
    },
  };
}

function isKey({ headers }: ModelRequest, key: string | undefined): boolean {
  return key === undefined || headers.authorization === `Bearer ${key}` || headers['x-api-key'] === key;
}

async function readRequest(incoming: IncomingMessage): Promise<ModelRequest> {
  const text = await textOf(incoming);
  const { tools = [] } = JSON.parse(text) as { tools?: { name?: string; function?: { name: string } }[] };
  const names = tools.map((tool) => tool.function?.name ?? tool.name ?? '');
  return { path: incoming.url ?? '', headers: incoming.headers, text, tools: names };
}

function respond(api: ModelApi, answer: ScriptedAnswer, response: ServerResponse): void {
  if (answer.status !== undefined) {
    const retry = answer.retryAfter === undefined ? {} : { 'retry-after': answer.retryAfter };
    const body = { type: 'error', error: { type: 'api_error', message: 'the words of the endpoint', ...answer.error } };
    response.writeHead(answer.status, { 'content-type': 'application/json', ...retry }).end(JSON.stringify(body));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  if (answer.hangs) return;
  const events = api === 'anthropic' ? anthropicEvents(answer) : openAiEvents(answer);
  for (const event of events) response.write(event);
  if (answer.cut) setImmediate(() => response.destroy());
  else response.end();
}

/** Text in parts, as models send it. */
function partsOf(text: string): string[] {
  return text.match(/[\s\S]{1,40}/g) ?? [];
}

function openAiEvents({ text = '', calls = [], cut }: ScriptedAnswer): string[] {
  const event = (more: object) =>
    `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', ...more })}\n\n`;
  const chunk = (delta: object, finish: string | null = null) =>
    event({ choices: [{ index: 0, delta, finish_reason: finish }] });
  const made = [
    ...partsOf(text).map((content) => chunk({ role: 'assistant', content })),
    ...calls.map(({ name, input = {} }, index) =>
      chunk({
        tool_calls: [
          {
            index,
            id: `call_${index}_${Math.random()}`,
            type: 'function',
            function: { name, arguments: JSON.stringify(input) },
          },
        ],
      }),
    ),
  ];
  if (cut) return made;
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
  return [
    ...made,
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    event({ choices: [], usage }),
    'data: [DONE]\n\n',
  ];
}

function anthropicEvents({ text = '', calls = [], cut }: ScriptedAnswer): string[] {
  const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const message = {
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 1 },
  };
  const block = (index: number, content: object, deltas: readonly object[]) => [
    event('content_block_start', { index, content_block: content }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ];
  const made = [
    event('message_start', { message }),
    ...(text === ''
      ? []
      : block(
          0,
          { type: 'text', text: '' },
          partsOf(text).map((part) => ({ type: 'text_delta', text: part })),
        )),
    ...calls.flatMap(({ name, input = {} }, at) =>
      block(at + 1, { type: 'tool_use', id: `toolu_${at}_${Math.random()}`, name, input: {} }, [
        { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      ]),
    ),
  ];
  if (cut) return made;
  const stop = calls.length > 0 ? 'tool_use' : 'end_turn';
  return [
    ...made,
    event('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 20 } }),
    event('message_stop', {}),
  ];
}
