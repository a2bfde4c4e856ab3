import { type Approval, approvalOf, waysFor } from '../../gate/approval.ts';
import type { Config } from '../../lib/config.ts';
import type { Finding, Say } from './report.ts';

/** Reads the ways to confirm from the settings. Fails if there is none. */
export function checkConfirmations(config: Config, say: Say): void {
  const [verdict, detail] = whoMayConfirm(approvalOf(config));
  say(verdict, 'approvers', detail);
}

function whoMayConfirm(approval: Approval): Finding {
  const ways = waysFor('', undefined, approval);
  const open = ways.filter(({ way, reason }) => reason === undefined && (way === 'slack' || way === 'page'));
  const reasons = ways
    .filter(({ way }) => way === 'slack' || way === 'page')
    .map(({ way, reason }) => `${way}: ${reason}`)
    .join('; ');
  const wayOut = 'set SLACK_APPROVERS, or an approver in MCP_HTTP_TOKENS (name:approver:token)';
  if (open.length > 0) {
    const single = soleApprover(approval);
    if (single === undefined) return ['ok', `confirm by ${open.map(({ way }) => way).join(' and ')}`];
    return [
      'warn',
      `only ${single} may confirm, and with CONFIRM_TWO_PERSON nobody can confirm what ${single} asks for; name another approver`,
    ];
  }
  // The user of a client or of a terminal answers only what they asked for themselves.
  const own = approval.via.filter((way) => way === 'client' || way === 'terminal');
  return own.length > 0 && !approval.twoPerson
    ? ['warn', `only the user of a ${own.join(' or ')} may confirm (${reasons}); ${wayOut}`]
    : ['FAIL', `nobody may confirm what needs an approver (${reasons}); ${wayOut}`];
}

/** The only identity that may confirm, if CONFIRM_TWO_PERSON requires another one than the requester. */
function soleApprover(approval: Approval): string | undefined {
  if (!approval.twoPerson || approval.oauth) return undefined;
  const { slackApprovers = [], pageApprovers, via } = approval;
  const all = [...(via.includes('slack') ? slackApprovers : []), ...(via.includes('page') ? pageApprovers : [])];
  const [only] = all;
  return all.length === 1 && only !== undefined && only !== '*' && !only.startsWith('S') ? only : undefined;
}
