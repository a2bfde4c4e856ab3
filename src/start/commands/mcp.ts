import { presets } from '../../../tools/groups.ts';
import type { ListedTool } from '../../language/assistants/listed.ts';
import { createChanges } from '../../lib/changes.ts';
import type { Config } from '../../lib/config.ts';
import { retried } from '../../lib/retried.ts';
import { VERSION } from '../../lib/version.ts';
import { defineServer, type McpOptions } from '../../surfaces/mcp/server.ts';
import { serveStdio } from '../../surfaces/mcp/stdio.ts';

/** `switchboard mcp`: speaks the protocol on stdin and stdout, and logs to stderr. Ends with its stdin or stdout. */
export async function runStdio(config: Config, listed: readonly ListedTool[]): Promise<void> {
  // If the database cannot be reached or the disk is full, the next call tries again.
  const pages = retried(async () => {
    // Loaded after the start, because listing tools must not wait for the ledger and the pages.
    const { openWithPages } = await import('../page-server.ts');
    return openWithPages(config);
  });
  const runtime = retried(async () => {
    const opened = await (await pages()).runtime();
    opened.changes.listen(changes.announce);
    return opened;
  });
  // Changes are passed on from the runtime once it is open, because listing tools must not wait for that.
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
    // The user who starts this process has every role. On the page, they have it only if their browser can be paired.
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
    // Nothing can be answered to a client that has closed its end.
    process.stdout.once('close', resolve);
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  const connection = serveStdio({
    define: () => defineServer(options),
    stdin: process.stdin,
    stdout: process.stdout,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });
  // A client that sends nothing never connects. The process still ends at a signal or with its stdin.
  const connected = await Promise.race([connection, ended]);
  // The pages are opened now, so that `switchboard key` can pair a browser before the first question. If that fails,
  // the next call reports the reason.
  if (connected && config.local) pages().catch(options.onError);
  await ended;
  await connected?.close();
  const opened = await pages.opened?.catch(() => undefined);
  await opened?.close();
}
