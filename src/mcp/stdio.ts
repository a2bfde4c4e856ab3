import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { presets } from '../../tools/groups.ts';
import { createChanges } from '../changes.ts';
import type { Config } from '../config.ts';
import type { Runtime } from '../runtime.ts';
import { VERSION } from '../version.ts';
import type { ListedTool } from './listed.ts';
import { createMcpServer } from './server.ts';

/** The derived list, beside the bundle. */
export function readListed(): ListedTool[] {
  return JSON.parse(readFileSync(new URL('../listed.json', import.meta.url), 'utf8')) as ListedTool[];
}

/** `switchboard mcp`: the protocol on stdin and stdout, logs on stderr. Ends with its stdin. */
export async function runStdio(config: Config, listed: readonly ListedTool[]): Promise<void> {
  let opened: Promise<Opened> | undefined;
  const behind = () => {
    opened ??= open(config).then((made) => {
      made.runtime.changes.listen(changes.announce);
      return made;
    });
    return opened;
  };
  // Handed on from the runtime once it is open; listing must not wait for that.
  const changes = createChanges();
  const server = createMcpServer({
    changes,
    listed,
    presets,
    toolsets: config.MCP_TOOLSETS,
    readOnly: config.MCP_READ_ONLY,
    discover: config.MCP_DISCOVER,
    actor: {
      id: `mcp:stdio:${config.user}`,
      name: `an assistant of ${config.user}`,
      person: `local:${config.user}`,
      role: config.MCP_ROLE,
      surface: 'mcp',
      priority: 'assistant',
    },
    version: VERSION,
    behind: async () => (await behind()).runtime,
    canAsk: true,
    // The user started this process, and whoever starts it has every role (contract.md, Who may say yes).
    userRole: 'approver',
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });
  if (config.demo)
    process.stderr.write(
      'Demo mode: no PLATFORM_* settings, so everything runs on a sandbox. Nothing real is touched.\n',
    );
  const transport = new StdioServerTransport();
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  await server.connect(transport);
  await ended;
  await server.close();
  if (opened) await (await opened).close();
}

interface Opened {
  runtime: Runtime;
  close(): Promise<void>;
}

/** Ledger, client and door, and the confirmation page on a loopback port of its own. */
async function open(config: Config): Promise<Opened> {
  const [{ openRuntime }, { createConfirmPage }, { foreign }] = await Promise.all([
    import('../runtime.ts'),
    import('../web/confirm.ts'),
    import('../web/guard.ts'),
  ]);
  let runtime: Runtime | undefined;
  const page = createConfirmPage({
    door: async () => {
      if (!runtime) throw new Error('not open yet');
      return runtime.door;
    },
    user: config.user,
    tokens: config.MCP_HTTP_TOKENS,
  });
  const server = createServer((request, response) => {
    const id = /^\/confirm\/([\w-]+)$/.exec((request.url ?? '').split('?')[0] ?? '')?.[1];
    if (foreign(request, { hosts: [] }) !== undefined || id === undefined) {
      response.writeHead(404).end();
      return;
    }
    page.handle(request, response, id).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const own = await openRuntime(config, { pageUrl: (id) => `http://127.0.0.1:${port}/confirm/${id}` });
  runtime = own;
  return {
    runtime: own,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await own.close();
    },
  };
}
