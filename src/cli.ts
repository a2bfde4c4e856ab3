#!/usr/bin/env node
import { ConfigError, loadConfig } from './config.ts';
import { VERSION } from './version.ts';

const USAGE = `switchboard ${VERSION}: a mobile communications platform in Slack, in assistants over MCP, and here.

  switchboard start                       Slack app, MCP over HTTP, platform events, confirmation pages
  switchboard mcp                         MCP server over stdio
  switchboard sandbox [--port 3901] [--data FILE] [--now ISO]
                                          the platform sandbox alone
  switchboard call OPERATION [Field=value …] [--json JSON] [--yes]
                                          one operation; "call --help" lists them
  switchboard manifest [--check] [--prefix P] [--url URL]
                                          write or check the Slack app's manifest.json
  switchboard webhooks sync --url URL     have the platform deliver its events here
  switchboard events list|retry|drop [ID…|--all]
                                          events that could not be shown: list them, try again, give up
  switchboard doctor                      check settings, credentials and tokens

Without PLATFORM_* settings everything runs on an embedded sandbox.
`;

/** Each command's code is loaded when it is asked for: \`mcp\` loads nothing of Slack. Returns the exit code. */
async function main([command, ...args]: string[]): Promise<number> {
  switch (command) {
    case 'mcp': {
      const { readListed, runStdio } = await import('./mcp/stdio.ts');
      await runStdio(loadConfig(), readListed());
      return 0;
    }
    case 'start':
      return (await import('./main.ts')).start(loadConfig());
    case 'sandbox':
      return (await import('./cli/sandbox.ts')).runSandbox(args);
    case 'call':
      return (await import('./cli/run-call.ts')).call(args);
    case 'manifest':
      return (await import('./cli/manifest.ts')).runManifest(args);
    case 'webhooks':
      return (await import('./cli/webhooks.ts')).runWebhooks(args);
    case 'events':
      return (await import('./cli/events.ts')).runEvents(args);
    case 'doctor':
      if (args.length > 0) throw new ConfigError(`doctor takes no arguments, not ${args.join(' ')}`);
      return (await import('./cli/doctor.ts')).doctor();
    case '--version':
    case '-v':
      process.stdout.write(`${VERSION}\n`);
      return 0;
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      process.stdout.write(USAGE);
      return command === undefined ? 2 : 0;
    default:
      process.stderr.write(`There is no command ${command}.\n\n${USAGE}`);
      return 2;
  }
}

// Waits of ours do not keep a process alive; a command that is not through does.
setInterval(() => undefined, 2 ** 30);
main(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
    // What is left (idle sockets of a pool) must not keep a finished command alive.
    if (process.stdout.writableLength === 0) process.exit(code);
    process.stdout.once('drain', () => process.exit(code));
  })
  .catch((error: unknown) => {
    const usage = error instanceof ConfigError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
    process.stderr.write(
      `${usage ? (error as Error).message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exit(usage ? 2 : 1);
  });
