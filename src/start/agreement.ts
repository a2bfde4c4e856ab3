import type { Seal } from '../ledger/seal.ts';
import { MINUTE_MS } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { recordOf } from '../lib/json.ts';
import type { Log } from '../lib/log.ts';
import { listSettings } from '../lib/settings.ts';
import { runningProcesses } from '../store/copy.ts';
import { levelOf } from '../store/key-values.ts';
import type { Store } from '../store/types.ts';

/** The settings that decide the same questions in every process of an installation. */
const SHARED = listSettings()
  .map(({ name }) => name)
  .filter((name) => name === 'PLATFORM_TIME_ZONE' || name.startsWith('CONFIRM_'));

/** A digest of each shared setting. The job that names a running process holds them, for the others to compare. */
export function settingDigests(config: Config, seal: Seal): Record<string, string> {
  return Object.fromEntries(SHARED.map((name) => [name, seal.digest(textOf(config, name))]));
}

/** A shared setting and a running process that has another value of it: one sentence for each. */
export async function differences(config: Config, seal: Seal, store: Store): Promise<string[]> {
  const processes = await runningProcesses(store);
  return processes.flatMap(({ pid, host, settings }) => {
    const others = recordOf(settings);
    return SHARED.filter((name) => {
      const other = others[name];
      return typeof other === 'string' && !seal.digests(textOf(config, name)).includes(other);
    }).map((name) => `${name} differs from that of process ${pid} on ${host}, which uses the same data`);
  });
}

function textOf(config: Config, name: (typeof SHARED)[number]): string {
  return JSON.stringify([name, config[name] ?? null]);
}

/** Logs once each shared setting that another running process has with another value, until the timer is cleared. */
export function watchAgreement(options: { config: Config; seal: Seal; store: Store; log: Log }): NodeJS.Timeout {
  const { config, seal, store, log } = options;
  let logged: string[] = [];
  const look = async () => {
    const found = await differences(config, seal, store);
    for (const line of found) if (!logged.includes(line)) log('warn', {}, line);
    logged = found;
  };
  const lookSafely = () =>
    void look().catch((error: unknown) =>
      log(levelOf(error, 'warn'), { error: String(error) }, 'the settings of other processes could not be read'),
    );
  lookSafely();
  return setInterval(lookSafely, MINUTE_MS).unref();
}
