// A plain SDK server with one tool that makes the same request to the platform, over stdio or (with a port) HTTP.
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { openPlatform } from './bare-platform.mjs';

const numbersGet = await openPlatform(process.argv[2]);
const port = Number(process.argv[3] ?? 0);

function make() {
  const server = new McpServer({ name: 'bare', version: '1' });
  server.registerTool(
    'numbers_get',
    { description: 'One number', inputSchema: { PhoneNumber: z.string() } },
    async ({ PhoneNumber }) => ({ content: [{ type: 'text', text: JSON.stringify(await numbersGet(PhoneNumber)) }] }),
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
