import { readFileSync } from 'node:fs';

/** Clock ticks per second in `/proc`. */
const TICKS = 100;

/**
 * The processor time that this process has used, in ms. Other processes do not lengthen it, so a limit on it holds on a
 * busy machine too.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The processor time that `work` takes, in ms. */
export function cpuTimeOf(work: () => unknown): number {
  const begun = cpuTime();
  work();
  return cpuTime() - begun;
}

/** The processor time that another process has used, in ms. */
export function cpuTimeOfProcess(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
}
