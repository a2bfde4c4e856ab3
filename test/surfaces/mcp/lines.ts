import type { Json } from '../../support/world.ts';

/* Messages of clients that are not valid, or hardly: one row each, for both protocols and both transports. */

/** An answer: a result, or an error with a code. `says` is part of the error's text. */
interface Expected {
  id: string | number | null;
  /** The code of an error. Left out for a result. */
  code?: -32700 | -32600 | -32602;
  says?: string;
}

export interface Line {
  sentence: string;
  /** Returns the line. `params` has the members that the client's protocol needs in every request. */
  line: (params: Json) => string;
  answers: Expected[];
  /** The answers over HTTP if they differ. */
  overHttp?: Expected[];
}

const text = (message: Json) => JSON.stringify(message);
const list = (more: Json) => (params: Json) => text({ jsonrpc: '2.0', method: 'tools/list', params, ...more });
const asked = (id: number, method: string, given: Json) => (params: Json) =>
  text({ jsonrpc: '2.0', id, method, params: { ...params, ...given } });
const call = (id: number, given: Json) => asked(id, 'tools/call', { name: 'distributor_accounts_get', ...given });
const plain = (line: string) => () => line;

export const lines: Line[] = [
  {
    sentence: 'params is null',
    line: list({ id: 1, params: null }),
    answers: [{ id: 1, code: -32602, says: 'params: must be an object' }],
  },
  {
    sentence: 'params is a list',
    line: list({ id: 2, params: [] }),
    answers: [{ id: 2, code: -32602, says: 'params: must be an object' }],
  },
  {
    sentence: 'params is a text',
    line: list({ id: 3, params: '{}' }),
    answers: [{ id: 3, code: -32602, says: 'params: must be an object' }],
  },
  { sentence: 'the id is null', line: list({ id: null }), answers: [{ id: null, code: -32600, says: 'id: must be' }] },
  {
    sentence: 'the id is a fraction',
    line: list({ id: 1.5 }),
    answers: [{ id: 1.5, code: -32600, says: 'id: must be' }],
  },
  { sentence: 'the id is a boolean', line: list({ id: true }), answers: [{ id: null, code: -32600 }] },
  { sentence: 'the id is a list', line: list({ id: [4] }), answers: [{ id: null, code: -32600 }] },
  {
    sentence: 'the id is an integer that JSON numbers round',
    line: (params) => list({ id: 'big' })(params).replace('"big"', '9007199254740993'),
    answers: [{ id: null, code: -32600, says: 'id: must be' }],
  },
  { sentence: 'the id is a text', line: list({ id: 'five' }), answers: [{ id: 'five' }] },
  {
    sentence: 'jsonrpc is left out',
    line: list({ id: 6, jsonrpc: undefined }),
    answers: [{ id: 6, code: -32600, says: 'jsonrpc: must be "2.0"' }],
  },
  { sentence: 'jsonrpc is a number', line: list({ id: 7, jsonrpc: 2 }), answers: [{ id: 7, code: -32600 }] },
  {
    sentence: 'jsonrpc is of the first version',
    line: list({ id: 8, jsonrpc: '1.0' }),
    answers: [{ id: 8, code: -32600 }],
  },
  { sentence: 'a member is not of the protocol', line: list({ id: 9, traceparent: '00-1' }), answers: [{ id: 9 }] },
  {
    sentence: 'the method is a number',
    line: list({ id: 10, method: 5 }),
    answers: [{ id: 10, code: -32600, says: 'method: must be' }],
  },
  { sentence: 'there is no method', line: list({ id: 11, method: undefined }), answers: [{ id: 11, code: -32600 }] },
  {
    sentence: 'several requests are in one array',
    line: (params) => `[${list({ id: 12 })(params)},${list({ id: 13, params: null })(params)}]`,
    answers: [
      { id: 12, code: -32600, says: 'one message a line' },
      { id: 13, code: -32600 },
    ],
    overHttp: [{ id: 13, code: -32602, says: 'params: must be an object' }],
  },
  { sentence: 'the array is empty', line: plain('[]'), answers: [{ id: null, code: -32600 }] },
  {
    sentence: 'a byte order mark comes first',
    line: (params) => `\uFEFF${list({ id: 14 })(params)}`,
    answers: [{ id: 14 }],
  },
  {
    sentence: 'a NUL follows',
    line: (params) => `${list({ id: 15 })(params)}\0`,
    answers: [{ id: 15 }],
    overHttp: [{ id: null, code: -32700 }],
  },
  { sentence: 'a carriage return follows', line: (params) => `${list({ id: 16 })(params)}\r`, answers: [{ id: 16 }] },
  {
    sentence: 'it is a log line',
    line: plain('starting up …'),
    answers: [{ id: null, code: -32700, says: 'not JSON' }],
  },
  {
    sentence: 'it is cut off',
    line: (params) => list({ id: 17 })(params).slice(0, -1),
    answers: [{ id: null, code: -32700 }],
  },
  { sentence: 'it is a JSON text', line: plain('"tools/list"'), answers: [{ id: null, code: -32600 }] },
  { sentence: 'it is null', line: plain('null'), answers: [{ id: null, code: -32600 }] },
  {
    sentence: 'it has too many levels',
    line: plain(`{"jsonrpc":"2.0","id":18,"method":"ping","params":{"a":${'['.repeat(200)}${']'.repeat(200)}}}`),
    answers: [{ id: null, code: -32600, says: 'levels' }],
  },
  {
    sentence: 'it is a response whose result is null',
    line: plain('{"jsonrpc":"2.0","id":19,"result":null}'),
    answers: [{ id: null, code: -32600, says: 'response' }],
  },
  {
    sentence: 'arguments is null',
    line: call(20, { arguments: null }),
    answers: [{ id: 20 }],
  },
  { sentence: 'arguments is a list', line: call(21, { arguments: [] }), answers: [{ id: 21, code: -32602 }] },
  { sentence: 'arguments is the JSON of an object', line: call(22, { arguments: '{"a":1}' }), answers: [{ id: 22 }] },
  {
    sentence: 'arguments is another text',
    line: call(221, { arguments: 'a=1' }),
    answers: [{ id: 221, code: -32602, says: 'arguments: must be an object' }],
  },
  {
    sentence: 'arguments is the JSON of a list',
    line: call(222, { arguments: '[1]' }),
    answers: [{ id: 222, code: -32602, says: 'must be an object' }],
  },
  { sentence: 'arguments is a number', line: call(23, { arguments: 0 }), answers: [{ id: 23, code: -32602 }] },
  {
    sentence: 'the name of the tool is left out',
    line: asked(24, 'tools/call', { arguments: {} }),
    answers: [{ id: 24, code: -32602, says: 'name: is missing' }],
  },
  {
    sentence: 'cursor is null',
    line: asked(25, 'tools/list', { cursor: null }),
    answers: [{ id: 25 }],
  },
  {
    sentence: 'cursor is a number',
    line: asked(26, 'prompts/list', { cursor: 1 }),
    answers: [{ id: 26, code: -32602 }],
  },
  {
    sentence: 'the URI is null',
    line: asked(27, 'resources/read', { uri: null }),
    answers: [{ id: 27, code: -32602, says: 'uri: is missing.' }],
  },
  {
    sentence: 'the arguments of a prompt are null',
    line: asked(28, 'prompts/get', { name: 'what_happened', arguments: null }),
    answers: [{ id: 28 }],
  },
  {
    sentence: 'an argument of a prompt is a number',
    line: asked(29, 'prompts/get', { name: 'what_happened', arguments: { Since: 8 } }),
    answers: [{ id: 29, code: -32602, says: 'arguments.Since: must be a string' }],
  },
  {
    sentence: 'a completion has no argument',
    line: asked(30, 'completion/complete', { ref: { type: 'ref/prompt', name: 'what_happened' } }),
    answers: [{ id: 30, code: -32602, says: 'argument: is missing' }],
  },
  {
    sentence: '_meta is null',
    line: plain('{"jsonrpc":"2.0","id":31,"method":"tools/list","params":{"_meta":null}}'),
    answers: [{ id: 31, code: -32602, says: '_meta: must be an object' }],
  },
  {
    sentence: 'the progress token is null',
    line: (params) => asked(32, 'tools/list', { _meta: { ...params._meta, progressToken: null } })(params),
    answers: [{ id: 32 }],
  },
  {
    sentence: 'initialize has no capabilities',
    line: plain('{"jsonrpc":"2.0","id":33,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}'),
    answers: [{ id: 33, code: -32602, says: 'capabilities: is missing' }],
  },
  {
    sentence: 'a capability of the client is a boolean',
    line: plain(
      '{"jsonrpc":"2.0","id":34,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":true},"clientInfo":{"name":"raw","version":"1"}}}',
    ),
    answers: [{ id: 34, code: -32602, says: 'capabilities.elicitation: must be an object' }],
  },
];
