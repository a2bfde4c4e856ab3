import { statSync } from 'node:fs';
import { approvalOf, waysFor } from '../../gate/approval.ts';
import { type Config, excessBudget, unsafeListening } from '../../lib/config.ts';
import { isOwn } from '../../lib/data-dir.ts';
import { CHECK_MS } from '../../lib/durations.ts';
import { urlHost } from '../../lib/http.ts';
import { isRecord } from '../../lib/json.ts';
import { fetchDirect } from '../../lib/proxies.ts';
import type { Finding } from './report.ts';

/** Names settings that do not exist, and a settings file that other users can read or change. */
export function* checkSettings(config: Config): Iterable<Finding> {
  const { settingsFile, unknownSettings } = config;
  if (unknownSettings.length === 0) yield ['ok', `all valid, from ${settingsFile ?? 'the environment'}`];
  for (const { name, nearest, place } of unknownSettings)
    yield ['warn', `${name} is not a setting${nearest === undefined ? '' : `; did you mean ${nearest}?`} (${place})`];
  const excess = excessBudget(config);
  if (excess !== undefined) yield ['warn', excess];
  const found = statSync(settingsFile ?? '', { throwIfNoEntry: false });
  if (found === undefined || process.platform === 'win32') return undefined;
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
  const whatFor = (found.mode & 0o022) === 0 ? 'read' : 'changed';
  // Group members may read it, as a service's group does, but only its owner may change it.
  const isOpen = (found.mode & 0o026) !== 0;
  const problem = isOpen
    ? `can be ${whatFor} by other users (mode ${mode}); chmod 600 ${settingsFile}`
    : `belongs to another user (uid ${found.uid}), who can change the settings`;
  if (isOpen || (!isOwn(found) && found.uid !== 0)) yield ['warn', `${settingsFile} ${problem}`, 'settings file'];
  return undefined;
}

/** Reads the ways to confirm from the settings. */
export function* checkConfirmations(config: Config): Iterable<Finding> {
  const approval = approvalOf(config);
  const { twoPerson, oauth, slackApprovers = [], pageApprovers, via } = approval;
  const ways = waysFor('', undefined, approval).filter(({ way }) => way === 'slack' || way === 'page');
  const open = ways.filter(({ reason }) => reason === undefined);
  const reasons = ways.map(({ way, reason }) => `${way}: ${reason}`).join('; ');
  const wayOut = 'set SLACK_APPROVERS, or an approver in MCP_HTTP_TOKENS (name:approver:token)';
  // The user of a client or of a terminal answers only what they asked for themselves.
  const own = via.filter((way) => way === 'client' || way === 'terminal');
  const named = [...(via.includes('slack') ? slackApprovers : []), ...(via.includes('page') ? pageApprovers : [])];
  const [only = '*'] = named;
  if (open.length > 0 && twoPerson && !oauth && named.length === 1 && !/^[*S]/.test(only))
    yield [
      'warn',
      `only ${only} may confirm, and with CONFIRM_TWO_PERSON nobody can confirm what ${only} asks for; name another approver`,
    ];
  else if (open.length > 0) yield ['ok', `confirm by ${open.map(({ way }) => way).join(' and ')}`];
  else if (own.length > 0 && !twoPerson)
    yield ['warn', `only the user of a ${own.join(' or ')} may confirm (${reasons}); ${wayOut}`];
  else yield ['FAIL', `nobody may confirm what needs an approver (${reasons}); ${wayOut}`];
}

/** Checks whether `start` accepts these settings, and whether it is running. */
export async function* checkServer(config: Config): AsyncIterable<Finding> {
  const unsafe = unsafeListening(config);
  if (unsafe !== undefined) return yield ['FAIL', unsafe];
  if (config.PORT === 0) return yield ['ok', 'PORT is 0: start takes a free port'];
  const host = /^(0\.0\.0\.0|::)$/.test(config.HOST) ? '127.0.0.1' : config.HOST;
  const url = `http://${urlHost(host)}:${config.PORT}`;
  const answer = await fetchDirect(`${url}/healthz`, { signal: AbortSignal.timeout(CHECK_MS) }).catch(() => undefined);
  if (answer === undefined) return yield ['ok', `does not run on ${url}; switchboard start starts it`];
  // Another program may answer with something that is no JSON.
  const body: unknown = await answer.json().catch(() => undefined);
  const isOwnServer = answer.ok && isRecord(body) && 'ok' in body;
  if (isOwnServer) return yield ['ok', `runs on ${url}`];
  return yield ['FAIL', `something else answers on ${url}; set PORT to a free port`];
}
