import type { Json } from '../../support/world.ts';

/* Messages of clients that are not valid, or hardly: one row each, for both protocols and both transports. */

/** An answer: a result, or an error with a code. `says` is part of the error's text. */
interface Expected {
  id: string | number | null;
  /** The code of an error. Left out for a result. */
  code?: -32700 | -32600 | -32601 | -32602;
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
  { sentence: 'the id is null', line: list({ id: null }), answers: [{ id: null, code: -32600, says: 'id: must be' }] },
  {
    sentence: 'jsonrpc is left out',
    line: list({ id: 6, jsonrpc: undefined }),
    answers: [{ id: 6, code: -32600, says: 'jsonrpc: must be "2.0"' }],
  },
  {
    sentence: 'several requests are in one array',
    line: (params) => `[${list({ id: 12 })(params)},${list({ id: 13, params: null })(params)}]`,
    answers: [
      { id: 12, code: -32600, says: 'one message a line' },
      { id: 13, code: -32600 },
    ],
    overHttp: [{ id: 13, code: -32602, says: 'params: must be an object' }],
  },
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
  {
    sentence: 'it is a log line',
    line: plain('starting up …'),
    answers: [{ id: null, code: -32700, says: 'not JSON' }],
  },
  {
    sentence: 'it has too many levels',
    line: plain(`{"jsonrpc":"2.0","id":18,"method":"ping","params":{"a":${'['.repeat(200)}${']'.repeat(200)}}}`),
    answers: [{ id: null, code: -32600, says: 'levels' }],
  },
  {
    sentence: 'arguments is another text',
    line: call(221, { arguments: 'a=1' }),
    answers: [{ id: 221, code: -32602, says: 'arguments: must be an object' }],
  },
  {
    sentence: 'the name of the tool is left out',
    line: asked(24, 'tools/call', { arguments: {} }),
    answers: [{ id: 24, code: -32602, says: 'name: is missing' }],
  },
  {
    sentence: 'the method has the name of a member of every object',
    line: asked(26, 'constructor', {}),
    answers: [{ id: 26, code: -32601 }],
  },
  {
    sentence: 'a capability of the client is a boolean',
    line: plain(
      '{"jsonrpc":"2.0","id":34,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":true},"clientInfo":{"name":"raw","version":"1"}}}',
    ),
    answers: [{ id: 34, code: -32602, says: 'capabilities.elicitation: must be an object' }],
  },
];
