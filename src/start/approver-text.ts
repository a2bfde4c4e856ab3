import type { Config } from '../lib/config.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import { type Pairing, pairingLink } from '../surfaces/web/pairing.ts';

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
