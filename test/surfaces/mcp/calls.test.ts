import { expect, it } from 'vitest';
import { readListed } from '../../../src/start/listed.ts';
import { defineServer } from '../../../src/surfaces/mcp/server.ts';
import { presets } from '../../../tools/groups.ts';

it('an unknown tool is refused by name, although the database cannot be reached', async () => {
  const server = defineServer({
    ...{ listed: readListed(), presets, toolsets: ['core'], readOnly: false, discover: false, version: '0' },
    actor: { id: 'mcp:ana', name: 'ana', role: 'operator', surface: 'mcp', priority: 'assistant' },
    ...{ userRole: 'approver', pageRole: 'approver' },
    backend: () => Promise.reject(new Error('the database cannot be reached')),
  });
  const context = {
    signal: new AbortController().signal,
    client: { name: 'test', elicitation: undefined, views: false },
    notifyProgress: () => undefined,
    questions: undefined,
  };
  expect(await server.callTool('numbers_guess', {}, context)).toMatchObject({
    isError: true,
    _meta: { 'switchboard/error': { code: 'invalid_input', outcome: 'not_done' } },
  });
});
