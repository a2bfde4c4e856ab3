import { type Config, ConfigError } from '../../lib/config.ts';
import { urlHost } from '../../lib/values.ts';
import { readArguments } from '../../surfaces/cli/flags.ts';
import {
  createPairing,
  openBrowser,
  type PageServer,
  type Pairing,
  pairingLink,
  writePairingPage,
} from '../../surfaces/web/session.ts';
import { closing, openInstallation, openSeal } from '../installation.ts';
import { readSettings } from '../settings.ts';

const KEY_USAGE = 'switchboard key [--open]';

/**
 * `switchboard key`: prints the link that makes the browser which opens it the approver of this computer, or opens it.
 * The link works once, for ten minutes. Returns the exit code.
 */
export async function runKey(args: string[]): Promise<number> {
  const { values } = readArguments(args, KEY_USAGE, { open: { type: 'boolean', default: false } });
  const config = readSettings();
  if (!config.local) {
    throw new ConfigError(
      'A browser can be paired only where Switchboard serves this computer alone: HOST and PUBLIC_URL on loopback, and neither MCP_HTTP_TOKENS nor MCP_OAUTH_ISSUER. Sign in on the confirmation page as an approver.',
    );
  }
  const seal = await openSeal(config);
  return closing(await openInstallation(config, { seal }), async (store) => {
    const pairing = createPairing(store, seal);
    const base = await baseOf(config, pairing);
    const key = await pairing.makeKey();
    const open = () => openBrowser(writePairingPage(config.DATA_DIR, { address: `${base}/confirm`, key }));
    // Without the program that opens browsers, people open the link themselves.
    const isOpened = async () => (await open().catch(() => false)) !== false;
    if (values.open && config.display && (await isOpened())) {
      process.stderr.write(
        'A page that pairs your browser was opened. If the browser cannot read it, run: switchboard key\n',
      );
      return 0;
    }
    process.stderr.write(
      values.open
        ? 'No browser can be opened on this machine (no display, SSH, CI, or no xdg-open); open this link yourself:\n'
        : 'Paste this link into the browser in which you confirm. It works once, for ten minutes.\n',
    );
    process.stdout.write(`${pairingLink(base, key)}\n`);
    return 0;
  });
}

/**
 * Returns the address at which `start` or an assistant's `switchboard mcp` serves pages now, or else the one `start`
 * would use.
 */
async function baseOf(config: Config, pairing: Pairing): Promise<string> {
  for (const server of await pairing.servers(config.PUBLIC_URL)) if (isRunning(server)) return server.url;
  if (config.PUBLIC_URL === undefined && config.PORT === 0)
    throw new ConfigError(
      'Switchboard is not running, and PORT is 0, so its address is not known; run: switchboard start',
    );
  const base = config.PUBLIC_URL ?? `http://${urlHost(config.HOST)}:${config.PORT}`;
  process.stderr.write('Switchboard is not running yet; run switchboard start first, then open the link.\n');
  return base;
}

/** True if the process that wrote this note is running. */
export function isRunning({ pid }: PageServer): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // There is no such process, or another user's process has its id and does not serve our pages.
    return false;
  }
}
