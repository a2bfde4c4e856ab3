// A plain SDK server with one tool that makes the same request to the platform, over stdio or (with a port) HTTP.
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { Pool } from 'undici';
import { z } from 'zod';

const base = process.argv[2];
const port = Number(process.argv[3] ?? 0);
const pool = new Pool(base);
const answer = await pool.request({
  method: 'POST',
  path: '/v1.0/oauth2/tokens',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    AccountKey: 'DID-sandbox',
    AccountSecret: 'sandbox-secret',
    ApiEndpoint: `${base}/v1.0/numbers`,
  }),
});
const { token } = await answer.body.json();

function make() {
  const server = new McpServer({ name: 'bare', version: '1' });
  server.registerTool(
    'numbers_get',
    { description: 'One number', inputSchema: { PhoneNumber: z.string() } },
    async ({ PhoneNumber }) => {
      const reply = await pool.request({
        method: 'GET',
        path: `/v1.0/numbers?PhoneNumber=${encodeURIComponent(PhoneNumber)}`,
        headers: { authorization: `Bearer ${token}` },
      });
      const value = await reply.body.json();
      return { content: [{ type: 'text', text: JSON.stringify(value) }] };
    },
  );
  return server;
}

if (port > 0) {
  createServer(async (request, response) => {
    const server = make();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport);
    response.once('close', () => void server.close());
    await transport.handleRequest(request, response);
  }).listen(port, '127.0.0.1');
} else await make().connect(new StdioServerTransport());
