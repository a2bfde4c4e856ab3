import { randomBytes } from 'node:crypto';
import type { Content, ToolResult } from '../../src/language/assistants/offer.ts';
import type { ListedTool } from '../../src/language/assistants/own-tools.ts';
import { createSeal } from '../../src/ledger/seal.ts';
import { type Fields, recordOf, textOf } from '../../src/lib/values.ts';
import { openState, sealState } from '../../src/surfaces/mcp/calls.ts';
import {
  createChanges,
  INVALID_PARAMS,
  type InputNeeded,
  ProtocolError,
  type Question,
  RESOURCE_NOT_FOUND,
  type RequestContext,
  type ServerDefinition,
} from '../../src/surfaces/mcp/protocol.ts';

/*
 * The tools, resources and prompts that the conformance suite asks for by name, defined as Switchboard defines its own, so
 * that its adapters serve them.
 */

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const seal = createSeal(randomBytes(32));
const caller = { id: 'suite', name: 'the suite', role: 'viewer', surface: 'mcp', priority: 'assistant' } as const;
export const changes = createChanges();

const text = (words: string): Content => ({ type: 'text', text: words });
const image: Content = { type: 'image', data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, words: string): Content => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
});
const result = (...content: Content[]): ToolResult => ({ content });

type Run = (input: Fields, context: RequestContext, name: string) => Promise<ToolResult | InputNeeded>;

/** Asks by the result of the call, and runs when it is repeated with an accepted answer. */
const afterYes =
  (done: string): Run =>
  async (input, { questions, signal }, name) => {
    const question: Question = { mode: 'form', message: 'Please confirm' };
    if (questions?.kind === 'live') {
      const answer = await questions.ask(question, { signal, timeout: 10_000 });
      return result(text(`${done}: ${answer}`));
    }
    if (questions?.state !== undefined) {
      openState(seal, questions.state, caller, { name, input });
      if (questions.answer === 'accept') return result(text(done));
    }
    return { question, state: sealState(seal, { action: name, rounds: 1 }, caller, { name, input }) };
  };

/** Asks twice before it runs, each time with another state. */
const afterTwo: Run = async (input, { questions }, name) => {
  const call = { name, input };
  const sealed = questions?.kind === 'returned' ? questions.state : undefined;
  const rounds = sealed === undefined ? 0 : openState(seal, sealed, caller, call).rounds;
  if (rounds === 2) return result(text('Both answers came.'));
  const question: Question = { mode: 'form', message: `Please confirm step ${rounds + 1}` };
  return { question, state: sealState(seal, { action: name, rounds: rounds + 1 }, caller, call) };
};

/** Asks only a client that can ask its user. */
const ifAble: Run = async (input, context, name) =>
  context.client.elicitation === undefined
    ? result(text('This client is asked nothing.'))
    : afterYes('asked')(input, context, name);

const plain =
  (...content: Content[]): Run =>
  async () =>
    result(...content);

const TOOLS: Readonly<Record<string, Run>> = {
  test_simple_text: plain(text('This is a simple text response for testing.')),
  test_image_content: plain(image),
  test_audio_content: plain({ type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  test_embedded_resource: plain(
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ),
  test_multiple_content_types: plain(
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ),
  test_error_handling: async () => ({
    ...result(text('This tool intentionally returns an error for testing')),
    isError: true,
  }),
  test_tool_with_progress: async (_input, { notifyProgress }) => {
    for (const step of [0, 50, 100]) notifyProgress(step, `Completed step ${step} of 100`);
    return result(text('done'));
  },
  test_streaming_elicitation: plain(text('no request of the server is on this stream')),
  test_logging_tool: plain(text('nothing was logged to the client')),
  test_elicitation: afterYes('User response'),
  test_input_required_result_request_state: afterYes('state-ok'),
  test_input_required_result_tampered_state: afterYes('integrity-ok'),
  test_input_required_result_elicitation: afterYes('answered'),
  test_input_required_result_multi_round: afterTwo,
  test_input_required_result_capabilities: ifAble,
  test_missing_capability: afterYes('answered'),
  test_trigger_tool_change: plain(text('the tools change only with the settings')),
  json_schema_2020_12_tool: plain(text('called')),
};

/** The keywords that must reach a client as they were written. */
const KEYWORDS: ListedTool['tool']['inputSchema'] = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const listed = (name: string): ListedTool['tool'] => ({
  name,
  title: name,
  description: `The suite's ${name}`,
  inputSchema: name === 'json_schema_2020_12_tool' ? KEYWORDS : { type: 'object', properties: {} },
  outputSchema: { type: 'object' },
  annotations: {
    title: name,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
});

const PROMPTS: Readonly<Record<string, (given: Readonly<Record<string, string>>) => Content[]>> = {
  test_simple_prompt: () => [text('This is a simple prompt for testing.')],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  test_prompt_with_embedded_resource: ({ resourceUri = 'test://embedded-resource' }) => [
    embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
    text('Please process the embedded resource above.'),
  ],
  test_prompt_with_image: () => [image, text('Please analyze the image above.')],
};
const ARGUMENTS: Readonly<Record<string, string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
};

async function watched(uri: string): Promise<string> {
  if (!uri.startsWith('test://')) throw new ProtocolError(INVALID_PARAMS, `${uri} does not change`);
  return uri;
}

async function read(uri: string) {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined)
    return [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ];
  if (uri === 'test://static-binary') return [{ uri, mimeType: 'image/png', blob: PNG }];
  if (uri === 'test://static-text' || uri === 'test://watched-resource')
    return [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }];
  throw new ProtocolError(RESOURCE_NOT_FOUND, `There is no resource ${uri}.`);
}

/** The server of one request, session or connection. */
export function defineEverything(more: { changes?: typeof changes }): ServerDefinition {
  return {
    info: { name: 'everything', title: 'Everything', version: '1' },
    instructions: 'For the conformance suite.',
    handlers: {
      'tools/list': () => ({ tools: Object.keys(TOOLS).map(listed) }),
      'tools/call': (given, context) => {
        const name = textOf(given.name);
        const run = TOOLS[name];
        if (!run) throw new ProtocolError(INVALID_PARAMS, `There is no tool ${name}.`);
        return run(recordOf(given.arguments), context, name);
      },
      'resources/list': () => ({
        resources: ['static-text', 'static-binary', 'watched-resource'].map((name) => ({
          uri: `test://${name}`,
          name,
          description: `The suite's ${name}`,
          mimeType: name === 'static-binary' ? 'image/png' : 'text/plain',
        })),
      }),
      'resources/templates/list': () => ({
        resourceTemplates: [
          { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
        ],
      }),
      'resources/read': async ({ uri }) => ({ contents: await read(textOf(uri)) }),
      'prompts/list': () => ({
        prompts: Object.keys(PROMPTS).map((name) => ({
          name,
          description: `The suite's ${name}`,
          arguments: (ARGUMENTS[name] ?? []).map((argument) => ({
            name: argument,
            description: argument,
            required: true,
          })),
        })),
      }),
      'prompts/get': ({ name, arguments: given }) => {
        const prompt = PROMPTS[textOf(name)];
        if (!prompt) throw new ProtocolError(INVALID_PARAMS, `There is no prompt ${name}.`);
        const contents = prompt(recordOf(given) as Record<string, string>);
        return { messages: contents.map((content) => ({ role: 'user', content })) };
      },
      'completion/complete': ({ argument }) => {
        const { value } = recordOf(argument);
        return { completion: { values: [`${value}paris`, `${value}park`], total: 2, hasMore: false } };
      },
    },
    subscribable: more.changes && {
      changes: more.changes,
      recordOf: watched,
      follow: async () => undefined,
      stream: undefined,
    },
  };
}
