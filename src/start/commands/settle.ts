import { runSettle } from '../../surfaces/cli/call.ts';
import { terminalIo } from './call.ts';

/** Runs `switchboard settle` with this process's streams and settings. */
export function settle(args: string[]): Promise<number> {
  return runSettle(args, terminalIo().io);
}
