import { runBatch } from '../../surfaces/cli/batch.ts';
import { terminalIo } from './call.ts';

/** Runs `switchboard batch` with this process's streams and settings. Batches run in it while it is open. */
export function batch(args: string[]): Promise<number> {
  const { io, openRuntimeHere } = terminalIo();
  return runBatch(args, { ...io, openDoor: () => openRuntimeHere() });
}
