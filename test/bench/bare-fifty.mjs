// The baseline of the comparison: a plain McpServer, unbundled, with fifty tools of six zod fields. With the argument
// "modern" it is the SDK's second line, which speaks the protocol of 2026-07-28. A process loads one of the two.
import { z } from 'zod';

/** @param inputOf makes of six zod fields what the server takes as an input schema */
function registerFifty(server, inputOf) {
  for (let i = 0; i < 50; i += 1) {
    server.registerTool(
      `tool_${i}`,
      {
        title: `Tool ${i}`,
        description: 'A tool that does something with six fields',
        inputSchema: inputOf({
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
}

if (process.argv[2] === 'modern') {
  const [{ McpServer }, { serveStdio }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  serveStdio(() => registerFifty(new McpServer({ name: 'bare', version: '1' }), (fields) => z.object(fields)));
} else {
  const [{ McpServer }, { StdioServerTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/mcp.js'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
  ]);
  const server = registerFifty(new McpServer({ name: 'bare', version: '1' }), (fields) => fields);
  await server.connect(new StdioServerTransport());
}
