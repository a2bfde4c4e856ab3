const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Interval between checks for the parent process, in ms. */
const PARENT_MS = 1_000;

/**
 * Resolves to the first signal to stop. Later ones are ignored, because a terminal and a shell both signal a command
 * that is closed, and calls under way must still be answered.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, resolve);
  });
}

/** Resolves when the process that started this one has ended. */
export function parentEnded(): Promise<void> {
  const { ppid } = process;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === ppid) return;
      clearInterval(timer);
      resolve();
    }, PARENT_MS).unref();
  });
}
