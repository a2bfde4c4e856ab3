import { groups } from '../../../tools/groups.ts';
import { tools } from '../../../tools/index.ts';
import { approvalOf } from '../../gate/approval.ts';
import { terminalDecides } from '../../gate/decide.ts';
import type { Actor } from '../../lib/actor.ts';
import { loadConfig } from '../../lib/config.ts';
import { runCall } from '../../surfaces/cli/call.ts';
import { openRuntime } from '../runtime.ts';

/** The local user at a terminal. A user who can start the process with these settings has every role. */
export function localActor(user: string): Actor {
  return {
    id: `cli:${user}`,
    name: user,
    person: `local:${user}`,
    role: 'approver',
    surface: 'cli',
    priority: 'person',
  };
}

/** `switchboard call` on this process's streams and settings. */
export async function call(args: string[]): Promise<number> {
  const config = loadConfig();
  // In a pipe, stderr holds nothing but the error document, so the log is off unless LOG_LEVEL asks for it.
  const quiet = config.LOG_LEVEL === 'info' ? { ...config, LOG_LEVEL: 'fatal' as const } : config;
  return runCall(args, {
    tools,
    groups,
    ...(config.PLATFORM_ACCOUNT_ID === undefined ? {} : { defaultAccountId: config.PLATFORM_ACCOUNT_ID }),
    openDoor: async () => {
      const runtime = await openRuntime(quiet, { pageUrl: () => undefined });
      if (config.demo && process.stderr.isTTY)
        process.stderr.write(
          'Demo mode: no PLATFORM_* settings, so this runs on a sandbox. Nothing real is touched.\n',
        );
      return { gate: runtime.gate, close: runtime.close };
    },
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    columns: process.stdout.columns || 80,
    actor: localActor(config.user),
    confirms: terminalDecides(approvalOf(config)),
  });
}
