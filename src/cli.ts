import type { ErrorFace } from './language/outcome.ts';
import { ConfigError, requireNames, UnusableData, useSettingsFile } from './lib/config.ts';
import { SwitchboardError } from './lib/errors.ts';
import { nearest } from './lib/nearest.ts';
import { jsonText } from './lib/values.ts';
import { VERSION } from './lib/version.ts';
import { readArguments, takeSettings, unknownFlag } from './surfaces/cli/flags.ts';

const USAGE = `switchboard ${VERSION}: a mobile communications platform in Slack, in
assistants over MCP, and here.

Usage: switchboard COMMAND [--settings FILE]

Commands:
  start          Slack app, MCP over HTTP, platform events, confirmation pages
  mcp            MCP server over stdio
  number         look numbers up: number 0104, number ava stone
  find           find numbers: find ava stone, find Status=Parked
  call           one operation; "call --help" lists them
  batch          one operation over a list, with one yes
  ask            one question in plain words
  key            the link that pairs your browser for confirmations
  webhooks sync  have the platform deliver its events here
  settle         read an unknown outcome now, or say how it ended
  events         events that could not be shown: list them, try again, give up
  audit          print the audit trail, check that it is whole
  doctor         check settings, credentials, tokens and the database
  manifest       print, write or check the Slack app's manifest
  sandbox        the platform sandbox alone
  store          move an installation from SQLite to PostgreSQL
  completion     print a script that completes commands in a shell
  version        print the version
  help           print this, or the help of a command: help number

switchboard COMMAND --help shows its options. --settings FILE names the settings
file, which is otherwise .env beside package.json. Without PLATFORM_* settings
everything runs on an embedded sandbox.
`;

/** Commands that run until they are stopped. */
const SERVERS = ['start', 'mcp', 'sandbox'];
let isServer = false;

/** Commands that check the names of the settings themselves: `doctor` reports them, the others read all settings first. */
const CHECK_NAMES = ['doctor', 'call', 'number', 'find', 'mcp', 'start'];

/** Text that each command prints for --help. `call` prints its help itself. */
const HELP: Readonly<Record<string, string>> = {
  start: `switchboard start [--settings FILE]
Runs the Slack app, MCP over HTTP, platform events and confirmation pages on
HOST:PORT. Other computers need a token in MCP_HTTP_TOKENS: make one with
"openssl rand -hex 32" and set MCP_HTTP_TOKENS=name:role:token.`,
  mcp: `switchboard mcp [--settings FILE]
Runs the MCP server over stdin and stdout.`,
  sandbox: `switchboard sandbox [--port 3901] [--data FILE] [--now ISO]
Runs the platform sandbox alone and prints its URL and credentials. --data keeps
its state in a file, --now sets its clock.`,
  number: `switchboard number NUMBER|DIGITS|NAME [--output json|table]
       [--fields A,B] [--wide] [--qr] [--settings FILE]
Looks one number up, with its customer, routes, data usage and orders: by the
number (+12015550104), its last digits (0104) or a name (ava stone). Several
full numbers get a short row each. Exit 1 if nothing was found.
It is short for "switchboard call number"; flags: switchboard call --help.`,
  help: `switchboard help [COMMAND]
Prints all commands, or the help of one.`,
  version: `switchboard version
Prints the version. --version does the same.`,
  ask: `switchboard ask [--continue] "…" [--json] [--settings FILE]
Answers one question in plain words: with the model that ASSISTANT_MODEL names,
otherwise from the catalogue. Steps go to stderr, the answer to stdout; --json
prints the whole turn. What needs a confirmation is asked on the terminal.
--continue goes on with the last conversation of this terminal, which is kept
sealed for 30 days or until the next question without it.
Exit status as of call.`,
  settle: `switchboard settle ID [--done | --not-done] [--output json|table]
       [--settings FILE]
Reads an action of unknown outcome now, and prints it. ID is the id that the
call returned (act_...). Where no reading shows the outcome, look on the
platform and say what you saw (--done, --not-done); the audit trail keeps it.
Exit status as of call; 0 also for what --done or --not-done settled.`,
  key: `switchboard key [--open] [--settings FILE]
Prints the link that makes the browser which opens it the approver of this
computer; --open opens it. It works once, for ten minutes.`,
  manifest: `switchboard manifest [--prefix P] [--url URL] [--write] [--check]
Prints the Slack manifest. --write puts it into manifest.json of the package,
--check compares that file.`,
  webhooks: `switchboard webhooks sync --url URL [--account AID-…]
       [--route MRID-… …] [--force] [--yes]
Registers Switchboard for the platform's events: reads what the platform
delivers, shows a plan of what is missing or different, asks, does only that.
--url (otherwise PUBLIC_URL) is where the platform reaches this server.
--force sets everything again, with new credentials.`,
  events: `switchboard events list
   or: switchboard events retry ID… | --all
   or: switchboard events drop ID… | --all [--yes]
Lists the events that could not be shown in Slack because of the event itself,
has them tried again, or discards them permanently. Events that wait because
Slack is down, or the app was removed from its channel, appear by themselves.
A running "switchboard start" picks up what is tried again within a second.
Exit status: 0 done, 2 wrong usage or an ID that is not listed, 3 not confirmed.`,
  audit: `switchboard audit [--since WHEN] [--until WHEN]
   or: switchboard audit --verify [--end "SEQ HASH"]
Prints who asked for what, what it changed from what to what, who confirmed it
and how it ended, as JSON lines, the oldest first. WHEN is a day (2026-11-21, in
UTC), a time (2026-11-21T14:00:00Z) or a time ago (8h, 2d); both ends are
included.
--verify checks that no entry was removed, altered, inserted or moved, and
prints the end of the trail. Kept elsewhere and given with --end, it also shows
that a whole older copy was put back. Exit 1 if something is wrong.`,
  store: `switchboard store copy --from FILE [--to postgres://…]
   or: switchboard store reopen --from FILE
   or: switchboard store rebind
copy moves an installation from its SQLite file (--from: its DATA_DIR) to the
empty PostgreSQL database of DATABASE_URL; --to names another one, without a
password. Stop every process first. Exit 1 if nothing was copied. The file
stays; reopen lets processes use it again, without what happened meanwhile.
rebind lets the next start use the data with another PLATFORM_BASE_URL or
PLATFORM_ACCOUNT_KEY, of the same account of the same platform.`,
  completion: `switchboard completion bash|zsh
Prints a script that completes commands, operations, fields and flags.
bash: source <(switchboard completion bash) in ~/.bashrc.
zsh:  source <(switchboard completion zsh) in ~/.zshrc, after compinit.`,
  doctor: `switchboard doctor [--settings FILE]
Checks settings, platform credentials, Slack, events, server, data folder and
database. Exit 1 if any fails.`,
};

/** The code that each command runs. It loads the code of this command only, so `mcp` loads no Slack code. */
const COMMANDS: Readonly<Record<string, (args: string[]) => Promise<number> | number>> = {
  mcp: async (args) => {
    readArguments(args, 'switchboard mcp', {});
    const { readSettings } = await import('./start/settings.ts');
    return (await import('./start/commands/mcp.ts')).runStdio(readSettings());
  },
  start: async (args) => {
    readArguments(args, 'switchboard start', {});
    const { readSettings } = await import('./start/settings.ts');
    return (await import('./start/serve.ts')).start(readSettings());
  },
  sandbox: async (args) => (await import('./start/commands/sandbox.ts')).runSandbox(args),
  call: async (args) => (await import('./start/commands/call.ts')).call(args),
  batch: async (args) => (await import('./start/commands/call.ts')).batch(args),
  ask: async (args) => (await import('./start/commands/call.ts')).ask(args),
  // Short for `call`.
  number: async (args) => (await import('./start/commands/call.ts')).call(['number', ...args]),
  find: async (args) => (await import('./start/commands/call.ts')).call(['numbers', 'find', ...args]),
  key: async (args) => (await import('./start/commands/key.ts')).runKey(args),
  manifest: async (args) => (await import('./start/commands/manifest.ts')).runManifest(args),
  webhooks: async (args) => (await import('./start/commands/webhooks.ts')).runWebhooks(args),
  settle: async (args) => (await import('./start/commands/call.ts')).settle(args),
  events: async (args) => (await import('./start/commands/events.ts')).runEvents(args),
  audit: async (args) => (await import('./start/commands/audit.ts')).runAudit(args),
  store: async (args) => (await import('./start/commands/store.ts')).runStore(args),
  completion: async (args) => (await import('./start/commands/completion.ts')).runCompletion(args, HELP),
  doctor: async (args) => {
    readArguments(args, 'switchboard doctor', {});
    return (await import('./start/commands/doctor.ts')).doctor();
  },
  version: (args) => {
    readArguments(args, 'switchboard version', {});
    process.stdout.write(`${VERSION}\n`);
    return 0;
  },
  help: (args) => {
    readArguments(args, 'switchboard help [COMMAND]', {});
    process.stdout.write(USAGE);
    return 0;
  },
};

/** Runs the command of a command line. Returns the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  // Files that this process writes are accessible to its user only, independent of the umask it was started with.
  process.umask(0o077);
  const { args: given, settings } = takeSettings(argv);
  const [command, ...args] = given;
  if (settings !== undefined) useSettingsFile(settings);
  isServer = SERVERS.includes(command ?? '');
  // `help number` is `number --help`.
  if (command === 'help' && args[0] !== undefined && !args[0].startsWith('-')) return main([...args, '--help']);
  const help = command !== undefined && Object.hasOwn(HELP, command) ? HELP[command] : undefined;
  // `number portin --help` is about an operation.
  const isOwn = command !== 'number' || args.every((arg) => arg.startsWith('-'));
  if (help !== undefined && isOwn && args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`Usage: ${help}\n`);
    return 0;
  }
  const isCommand = command !== undefined && !command.startsWith('-') && command !== 'help';
  if (isCommand && !CHECK_NAMES.includes(command)) requireNames();
  if (command === undefined || command === '--help' || command === '-h') {
    process.stdout.write(USAGE);
    return command === undefined ? 2 : 0;
  }
  const name = ['--version', '-v'].includes(command) ? 'version' : command;
  const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (run) return run(args);
  if (command.startsWith('-'))
    throw new ConfigError(unknownFlag(command.split('=')[0] ?? command, ['--help', '--version', '--settings']));
  const near = nearest(command, Object.keys(COMMANDS));
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new ConfigError(`There is no command ${command}.${hint}\nswitchboard --help lists all commands.`);
}

/** Prints why the command failed, and ends with its status: 2 for wrong usage or input, as of `call`. */
async function fail(error: unknown): Promise<never> {
  if (error instanceof SwitchboardError) {
    const { face, detail } = error;
    // Words are loaded only here, so that every start is faster.
    const { faceOf, failureText } = await import('./language/outcome.ts');
    const { exitCode } = await import('./surfaces/cli/io.ts');
    const text = failureText(face, 'terminal');
    return end(faceOf(face, 'terminal'), detail === undefined ? text : `${text} (${detail})`, exitCode(face));
  }
  const given = error instanceof Error ? error : { message: String(error) };
  const { code, syscall, message, stack } = given as NodeJS.ErrnoException;
  if (error instanceof ConfigError || code?.startsWith('ERR_PARSE_ARGS') === true)
    return end({ code: 'invalid_input', message, outcome: 'not_done' }, message, 2);
  // A person can act on these without a stack.
  const unwritten = `The output could not be written (${code}). A change that was made stands: switchboard audit shows it.`;
  const known = error instanceof UnusableData ? message : syscall === 'write' ? unwritten : undefined;
  const text = known ?? stack ?? message;
  const failure = known === undefined ? 'server_error' : 'unavailable';
  return end({ code: failure, message: text, outcome: 'not_done' }, text, 1);
}

/** Ends with an error: in a pipe one JSON document, unless the process is a server, whose stderr is read by people. */
function end(error: ErrorFace, text: string, status: number): never {
  const isDocument = !process.stderr.isTTY && !isServer;
  process.stderr.write(`${isDocument ? jsonText({ error }, 2) : text}\n`);
  process.exit(status);
}

/**
 * Called when the output cannot be written. A reader that closes its end of the pipe early, as `head` does, does not make
 * a command fail. Commands that run operations add a listener, and say so at their end.
 */
function outputFailed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && process.stdout.listenerCount('error') === 1) void fail(error);
}
process.stdout.on('error', outputFailed);

// The other timers are unreferenced. This one keeps the process alive until the command ends.
setInterval(() => undefined, 2 ** 30);
main(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
    const { stdout } = process;
    const exit = () => {
      // A file reports the failure of a write only after the command has ended.
      if (stdout.errored) outputFailed(stdout.errored);
      process.exit(code);
    };
    // Remaining handles, such as idle sockets of a pool, must not keep a finished command alive.
    if (stdout.writableLength === 0 || stdout.destroyed) exit();
    stdout.once('drain', exit).once('close', exit);
  })
  .catch(fail);
