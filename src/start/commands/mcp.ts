import { once } from 'node:events';
import { inTime, retried, STOP_MS, sleep, systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { VERSION } from '../../lib/version.ts';
import { StdioTransport } from '../../surfaces/mcp/messages.ts';
import { createChanges, type McpOptions } from '../../surfaces/mcp/protocol.ts';
import { defineServer, serveStdio } from '../../surfaces/mcp/server.ts';
import { offeringOf } from '../settings.ts';
import { parentEnded, stopSignal } from '../signals.ts';

/** Time after the client's first message in which it usually lists the tools, in ms. */
const PAGES_MS = 300;
/** Maximum time in which calls under way are answered after the client closed its end, in ms. */
const CLIENT_GONE_MS = 5_000;
/** Maximum time to close the ledger and the pages, in ms. */
const CLOSE_MS = 10_000;

/**
 * `switchboard mcp`: speaks the protocol on stdin and stdout, and logs to stderr. Ends with its client, and after a line
 * that is too long.
 *
 * @returns the exit code
 */
export async function runStdio(config: Config): Promise<number> {
  // If the database cannot be reached or the disk is full, the next call tries again.
  const pages = retried(async () => {
    // Loaded after the start, because listing tools must not wait for the ledger and the pages.
    const { openWithPages } = await import('../page-server.ts');
    return openWithPages(config);
  });
  const runtime = retried(async () => {
    const opened = await (await pages()).runtime();
    opened.changes.listen(changes.announce);
    void opened.store.refused.then(() => refused.abort());
    return opened;
  });
  // Changes are passed on from the runtime once it is open, because listing tools must not wait for that.
  const changes = createChanges();
  const stopping = new AbortController();
  // A newer program has raised the stored data.
  const refused = new AbortController();
  const options: McpOptions = {
    changes,
    ...offeringOf(config),
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
    onError: report,
    stopping: stopping.signal,
  };
  if (config.demo)
    process.stderr.write(
      'Demo mode: no PLATFORM_* settings, so everything runs on a sandbox. Nothing real is touched.\n',
    );
  const parent = parentEnded();
  const stop = Promise.race([stopSignal(), once(refused.signal, 'abort')]);
  const transport = new StdioTransport(process.stdin, process.stdout);
  const serving = serveStdio({ define: () => defineServer(options), transport, onError: report });
  // Why the connection ends: a signal, a client that has gone, or what its client sent.
  const client = transport.ended.catch((error: Error) => error);
  const ended = Promise.race([stop.then(() => 'stop' as const), parent, client]);
  // A client that sends nothing never connects. The process still ends at a signal or with its client.
  const connection = await Promise.race([serving, ended.then(() => undefined)]);
  // The pages are opened soon, so that `switchboard key` can pair a browser before the first question. The client's
  // first requests are answered before. If that fails, the next call reports the reason.
  if (connection && config.local)
    sleep(systemClock, PAGES_MS, [stopping.signal])
      .then((slept) => (slept ? pages() : undefined))
      .catch(options.onError);
  const reason = await ended;
  if (reason instanceof Error) report(reason.message);
  // A client that is still there gets the answers to what it has asked.
  stopping.abort();
  const answered = Promise.race([transport.drain(), parent]);
  await inTime(systemClock, reason === 'stop' ? STOP_MS : CLIENT_GONE_MS, answered, () => undefined);
  const closed = (async () => {
    await connection?.close();
    const opened = await pages.opened?.catch(() => undefined);
    await opened?.close();
  })();
  await inTime(systemClock, CLOSE_MS, closed, () => report('not everything was closed in time'));
  return reason instanceof Error || refused.signal.aborted ? 1 : 0;
}

function report(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
