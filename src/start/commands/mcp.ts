import { presets } from '../../../tools/groups.ts';
import { createChanges } from '../../lib/changes.ts';
import type { Config } from '../../lib/config.ts';
import { retried } from '../../lib/retried.ts';
import { VERSION } from '../../lib/version.ts';
import type { ListedTool } from '../../surfaces/mcp/listed.ts';
import { defineServer, type McpOptions } from '../../surfaces/mcp/server.ts';
import { serveStdio } from '../../surfaces/mcp/stdio.ts';

/** `switchboard mcp`: the protocol on stdin and stdout, logs on stderr. Ends with its stdin. */
export async function runStdio(config: Config, listed: readonly ListedTool[]): Promise<void> {
  // The database may be away, or the disk full: then the next call tries again.
  const pages = retried(async () => {
    // Loaded after the start: listing tools must not wait for the ledger and the pages.
    const { openWithPages } = await import('../page-server.ts');
    return openWithPages(config);
  });
  const runtime = retried(async () => {
    const opened = await (await pages()).runtime();
    opened.changes.listen(changes.announce);
    return opened;
  });
  // Passed on from the runtime once it is open; listing must not wait for that.
  const changes = createChanges();
  const options: McpOptions = {
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
    demo: config.demo,
    backend: runtime,
    onPending: async (id) => {
      await (await pages()).showPage(id);
    },
    // The user who starts this process has every role; on the page only where their browser can be paired.
    userRole: 'approver',
    pageRole: config.local ? 'approver' : config.MCP_ROLE,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  };
  if (config.demo)
    process.stderr.write(
      'Demo mode: no PLATFORM_* settings, so everything runs on a sandbox. Nothing real is touched.\n',
    );
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  const connection = serveStdio({
    define: () => defineServer(options),
    stdin: process.stdin,
    stdout: process.stdout,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });
  // A client that sends nothing never connects; its process still ends when it is told to.
  const connected = await Promise.race([connection, ended]);
  // `switchboard key` pairs a browser with these pages, also before the first question. A call says what is wrong with them.
  if (connected && config.local) pages().catch(options.onError);
  await ended;
  await connected?.close();
  const opened = await pages.opened?.catch(() => undefined);
  await opened?.close();
}
