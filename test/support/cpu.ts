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
