// What we are measured against: a plain McpServer, unbundled, with fifty tools of six zod fields.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'bare', version: '1' });
for (let i = 0; i < 50; i += 1) {
  server.registerTool(
    `tool_${i}`,
    {
      title: `Tool ${i}`,
      description: 'A tool that does something with six fields',
      inputSchema: {
        a: z.string().describe('first'),
        b: z.string().optional(),
        c: z.number().optional(),
        d: z.boolean().optional(),
        e: z.enum(['x', 'y']).optional(),
        f: z.array(z.string()).optional(),
      },
    },
    async () => ({ content: [{ type: 'text', text: 'ok' }] }),
  );
}
await server.connect(new StdioServerTransport());
