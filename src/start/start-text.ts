import { approvalOf, waysFor } from '../gate/approval.ts';
import { type Config, excessBudget } from '../lib/config.ts';
import { dataFile } from '../lib/data-dir.ts';
import { commandName } from '../lib/invocation.ts';
import { VERSION } from '../lib/version.ts';
import { isStoreUnavailable } from '../store/key-values.ts';
import { type Pairing, pairingLink } from '../surfaces/web/pairing.ts';
import { DEMO_ROUTE } from './demo-events.ts';
import type { Runtime } from './runtime.ts';
import type { Surface } from './surface.ts';

export interface Started {
  config: Config;
  runtime: Pick<Runtime, 'platformUrl' | 'demo'>;
  /** The address as others reach it. */
  url: string;
  /** The address that the server listens on. */
  address: string;
  surfaces: readonly Surface[];
  /** True if the sandbox delivers its events to this server. */
  hasDemoEvents: boolean;
}

/**
 * Returns the text that `switchboard start` writes to stderr once it listens. The first line is the address to open, if
 * there is one.
 */
export function startText({ config, runtime, url, address, surfaces, hasDemoEvents }: Started): string {
  const link = surfaces.find((surface) => surface.link !== undefined)?.link;
  const lines = surfaces.flatMap((surface) => surface.lines ?? []);
  const command = commandName();
  if (command !== 'switchboard') lines.push(`  Commands       switchboard stands for: ${command}`);
  return [
    ...(link === undefined ? [] : [`Open ${link}`]),
    `Switchboard ${VERSION} listens on ${address}`,
    ...(config.PUBLIC_URL === undefined ? [] : [`  Reached at     ${url}`]),
    ...(runtime.demo
      ? demoLines(runtime, runtime.demo.data, config.public ? undefined : url)
      : [`  Platform       ${config.PLATFORM_BASE_URL}`]),
    ...(runtime.demo ? [eventsLine(url, hasDemoEvents)] : []),
    `  Stored in      ${storedIn(config)}`,
    ...nobodyLine(config),
    ...budgetLine(config),
    ...lines,
    '',
  ].join('\n');
}

/** The folder or database of the ledger, events and tokens, without a password. */
export function storedIn(config: Config): string {
  if (config.DATABASE_URL !== undefined) {
    const { host, pathname } = new URL(config.DATABASE_URL);
    return `PostgreSQL ${host}${pathname} (DATABASE_URL)`;
  }
  return dataFile(config, '');
}

/** A warning if the settings name no approver for requests of Slack users and assistants. */
function nobodyLine(config: Config): string[] {
  const ways = waysFor('', undefined, approvalOf(config)).filter(({ way }) => way === 'slack' || way === 'page');
  if (ways.some(({ reason }) => reason === undefined)) return [];
  const reasons = ways.map(({ way, reason }) => `${way}: ${reason}`).join('; ');
  return [
    `  WARNING        nobody may approve what Slack users or assistants ask for (${reasons}).`,
    '                 Set SLACK_APPROVERS, or an approver in MCP_HTTP_TOKENS (name:approver:token).',
  ];
}

/** A warning if more requests are sent than the platform takes. */
function budgetLine(config: Config): string[] {
  const excess = excessBudget(config);
  return excess === undefined ? [] : [`  WARNING        ${excess}`];
}

function eventsLine(url: string, areDelivered: boolean): string {
  return areDelivered
    ? '  Events         orders and messages of the sandbox are delivered here'
    : `  Events         the sandbox delivers here after: switchboard webhooks sync --url ${url} --route ${DEMO_ROUTE}`;
}

/** @param url the address of the sandbox's state; undefined if it is not served */
function demoLines({ platformUrl }: Started['runtime'], data: string, url: string | undefined): string[] {
  const state = url === undefined ? NOT_SERVED : `state: ${url}/sandbox/state`;
  return [
    '  Demo mode: no PLATFORM_* settings. The platform is a sandbox, and nothing real is touched.',
    `  Sandbox        ${platformUrl} (${state}). ${data}`,
  ];
}

const NOT_SERVED = 'its state is not served, because others can reach this server';

/**
 * Returns lines of the start-up text that say how a person becomes an approver on the confirmation page. The link
 * carries a key, so it is only written to a terminal, where a person reads it. A log, or an assistant that started this
 * process, must not learn it.
 */
export async function approverLines(
  config: Pick<Config, 'local' | 'MCP_HTTP_TOKENS' | 'MCP_OAUTH_ISSUER'>,
  pairing: Pick<Pairing, 'makeKey'>,
  url: string,
  isTerminal: boolean,
): Promise<string[]> {
  if (!config.local) {
    const approvers = config.MCP_HTTP_TOKENS.filter(({ role }) => role === 'approver').map(({ name }) => name);
    const ways = [
      ...(approvers.length > 0 ? [`with the token of ${approvers.join(' or ')}`] : []),
      ...(config.MCP_OAUTH_ISSUER === undefined ? [] : [`at ${new URL(config.MCP_OAUTH_ISSUER).host}`]),
    ];
    return ways.length > 0
      ? [`  Confirmations  ${url}/confirm, signed in ${ways.join(' or ')}`]
      : ['  Confirmations  nobody can sign in on the page: MCP_HTTP_TOKENS names no approver'];
  }
  if (!isTerminal) return ['  Confirmations  to pair a browser with this computer, run: switchboard key'];
  let key: string;
  try {
    key = await pairing.makeKey();
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    return ['  Confirmations  the database is away; once it is back, run: switchboard key'];
  }
  return [
    '  Confirmations  this link makes a browser the approver of this computer; it works once, for ten minutes:',
    `                 ${pairingLink(url, key)}`,
  ];
}
