import type { Config } from '../../lib/config.ts';
import { recordOf } from '../../lib/json.ts';
import type { Finding } from './report.ts';
import type { BotCall } from './slack-api.ts';

const LISTS = ['SLACK_VIEWERS', 'SLACK_OPERATORS', 'SLACK_APPROVERS'] as const;
/** Maximum number of users and user groups of one setting that are looked up, so that Slack does not limit the check. */
const MAX_LOOKUPS = 30;

/**
 * Looks up the users and user groups that the settings give a role. Fails if no one of SLACK_APPROVERS can confirm; other
 * entries that give no person a role are warnings.
 */
export async function* checkPeople(config: Config, call: BotCall): AsyncIterable<Finding> {
  for (const name of LISTS) {
    const ids = config[name].filter((id) => id !== '*').slice(0, MAX_LOOKUPS);
    const problems = await Promise.all(
      ids.map((id) => (id.startsWith('S') ? groupProblem(id, call) : userProblem(id, call))),
    );
    const wrong = ids.flatMap((id, at) => (problems[at] === undefined ? [] : [`${id} ${problems[at]}`]));
    const isNobody = wrong.length === config[name].length && name === 'SLACK_APPROVERS';
    if (wrong.length === 0) continue;
    if (isNobody) yield ['FAIL', `${name}: nobody can confirm in Slack: ${wrong.join('; ')}`, 'slack people'];
    else yield ['warn', `${name}: ${wrong.join('; ')}`, 'slack people'];
  }
}

/** The reason why a user may have no role; undefined if they may, or Slack does not say. */
export async function userProblem(user: string, call: BotCall): Promise<string | undefined> {
  const answer = await call('users.info', { user });
  if (answer.kind === 'refused' && /^user_not_(found|visible)$/.test(answer.error))
    return 'is no user of this workspace';
  if (answer.kind !== 'ok') return undefined;
  const found = recordOf(answer.body.user);
  if (found.deleted === true) return 'is deactivated';
  if (found.is_bot === true || found.is_workflow_bot === true) return 'is a bot';
  if (found.is_restricted === true || found.is_ultra_restricted === true) return 'is a guest';
  return found.is_stranger === true ? 'belongs to another organization' : undefined;
}

async function groupProblem(usergroup: string, call: BotCall): Promise<string | undefined> {
  const answer = await call('usergroups.users.list', { usergroup });
  if (answer.kind === 'refused' && /^(no_such_subteam|subteam_not_found|invalid_usergroup)$/.test(answer.error))
    return 'is no user group of this workspace';
  if (answer.kind !== 'ok') return undefined;
  const { users } = answer.body;
  return Array.isArray(users) && users.length === 0 ? 'is a user group without members' : undefined;
}
