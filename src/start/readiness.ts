import type { Clock } from '../lib/clock.ts';

const GOOD_MS = 5_000;
/** A failing check may have cost a token request, so it is repeated less often. */
const BAD_MS = 20_000;

/**
 * Remembers a check's answer for some seconds and makes one check for all who ask meanwhile, so that asking costs
 * nothing of the platform's budget.
 *
 * @param check answers the problems found; none means ready
 */
export function createReadiness(check: () => Promise<string[]>, clock: Clock): () => Promise<string[]> {
  let known: { problems: string[]; until: number } | undefined;
  let running: Promise<string[]> | undefined;
  const run = async () => {
    try {
      const problems = await check();
      known = { problems, until: clock.now() + (problems.length === 0 ? GOOD_MS : BAD_MS) };
      return problems;
    } finally {
      running = undefined;
    }
  };
  return () => {
    if (known && known.until > clock.now()) return Promise.resolve(known.problems);
    running ??= run();
    return running;
  };
}
