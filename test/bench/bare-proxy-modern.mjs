// The SDK's second line with one tool that makes the same request to the platform, over stdio or (with a port) HTTP.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { openPlatform } from './bare-platform.mjs';

const numbersGet = await openPlatform(process.argv[2]);
const port = Number(process.argv[3] ?? 0);

function make() {
  const server = new McpServer({ name: 'bare', version: '1' });
  server.registerTool(
    'numbers_get',
    { description: 'One number', inputSchema: z.object({ PhoneNumber: z.string() }) },
    async ({ PhoneNumber }) => ({ content: [{ type: 'text', text: JSON.stringify(await numbersGet(PhoneNumber)) }] }),
  );
  return server;
}

if (port > 0) createServer(toNodeHandler(createMcpHandler(make))).listen(port, '127.0.0.1');
else serveStdio(make);
