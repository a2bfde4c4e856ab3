// What we are measured against in the protocol of 2026-07-28: the SDK's second line with fifty tools of six zod fields.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '1' });
  for (let i = 0; i < 50; i += 1) {
    server.registerTool(
      `tool_${i}`,
      {
        title: `Tool ${i}`,
        description: 'A tool that does something with six fields',
        inputSchema: z.object({
          a: z.string().describe('first'),
          b: z.string().optional(),
          c: z.number().optional(),
          d: z.boolean().optional(),
          e: z.enum(['x', 'y']).optional(),
          f: z.array(z.string()).optional(),
        }),
      },
      async () => ({ content: [{ type: 'text', text: 'ok' }] }),
    );
  }
  return server;
});
