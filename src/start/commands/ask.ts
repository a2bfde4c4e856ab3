import { REACH_MS } from '../../lib/durations.ts';
import { runAsk } from '../../surfaces/cli/ask.ts';
import { openAssistant } from '../assistant.ts';
import { terminalIo } from './call.ts';

/** Runs `switchboard ask` with this process's streams and settings. */
export async function ask(args: string[]): Promise<number> {
  const { io, config, openRuntimeHere } = terminalIo();
  return runAsk(args, {
    ...io,
    openConversation: async () => {
      const runtime = await openRuntimeHere({ reachMs: REACH_MS });
      const assistant = openAssistant(config, runtime);
      const close = async () => {
        await assistant.close();
        await runtime.close();
      };
      const { gate, batches } = runtime;
      return { gate, batches, assistant, close };
    },
  });
}
