import { type Approval, approvalOf, waysFor } from '../../gate/approval.ts';
import type { Config } from '../../lib/config.ts';
import type { Finding } from './report.ts';

/** Reads the ways to confirm from the settings. */
export function* checkConfirmations(config: Config): Iterable<Finding> {
  const approval = approvalOf(config);
  const ways = waysFor('', undefined, approval).filter(({ way }) => way === 'slack' || way === 'page');
  const open = ways.filter(({ reason }) => reason === undefined);
  const reasons = ways.map(({ way, reason }) => `${way}: ${reason}`).join('; ');
  const wayOut = 'set SLACK_APPROVERS, or an approver in MCP_HTTP_TOKENS (name:approver:token)';
  // The user of a client or of a terminal answers only what they asked for themselves.
  const own = approval.via.filter((way) => way === 'client' || way === 'terminal');
  const only = soleApprover(approval);
  if (open.length > 0 && only === undefined) yield ['ok', `confirm by ${open.map(({ way }) => way).join(' and ')}`];
  else if (open.length > 0)
    yield [
      'warn',
      `only ${only} may confirm, and with CONFIRM_TWO_PERSON nobody can confirm what ${only} asks for; name another approver`,
    ];
  else if (own.length > 0 && !approval.twoPerson)
    yield ['warn', `only the user of a ${own.join(' or ')} may confirm (${reasons}); ${wayOut}`];
  else yield ['FAIL', `nobody may confirm what needs an approver (${reasons}); ${wayOut}`];
}

/** The only identity that may confirm, if CONFIRM_TWO_PERSON requires another one than the requester. */
function soleApprover({ twoPerson, oauth, slackApprovers = [], pageApprovers, via }: Approval): string | undefined {
  const all = [...(via.includes('slack') ? slackApprovers : []), ...(via.includes('page') ? pageApprovers : [])];
  const [only = '*'] = all;
  return twoPerson && !oauth && all.length === 1 && only !== '*' && !only.startsWith('S') ? only : undefined;
}
