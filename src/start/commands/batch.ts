import { groups } from '../../../tools/groups.ts';
import { tools } from '../../../tools/index.ts';
import { approvalOf, terminalDecides } from '../../gate/approval.ts';
import { colourEnvironment } from '../../lib/config.ts';
import { hasColours } from '../../lib/style.ts';
import { runBatch } from '../../surfaces/cli/batch.ts';
import { openRuntime } from '../runtime.ts';
import { readSettings } from '../settings.ts';
import { localActor, servedAt } from './call.ts';

/** Runs `switchboard batch` with this process's streams and settings. Batches run in it while it is open. */
export async function batch(args: string[]): Promise<number> {
  const config = readSettings();
  const asksForSteps = ['debug', 'trace', 'silent'].includes(config.LOG_LEVEL);
  const quiet = asksForSteps ? config : { ...config, LOG_LEVEL: 'fatal' as const };
  const environment = colourEnvironment();
  return runBatch(args, {
    tools,
    groups,
    openDoor: async () => {
      const pages = await servedAt(config);
      const runtime = await openRuntime(quiet, { pages });
      return { gate: runtime.gate, batches: runtime.batches, close: runtime.close };
    },
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    columns: process.stdout.columns || 80,
    colours: { out: hasColours(process.stdout, environment), err: hasColours(process.stderr, environment) },
    redraws: environment.TERM !== 'dumb',
    actor: localActor(config.user),
    confirms: terminalDecides(approvalOf(config)),
  });
}
