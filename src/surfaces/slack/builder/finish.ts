import { Blocked, Unavailable } from '../../../lib/errors.ts';
import type { Fields } from '../../../lib/json.ts';
import { SlackRefusal } from '../api/refusal.ts';
import type { SlackContext } from '../context.ts';
import { BUSY } from '../types.ts';

/** The end of a step: outputs, or a sentence that Slack shows to people. */
export type End = { outputs: Fields } | { error: string };

/** Slack's refusals of every call, until a person gives the app a valid token or the scopes that it needs. */
const TOKEN: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'missing_scope',
  'org_login_required',
  'team_access_not_granted',
]);
/** Refusals that may concern this execution only, and that a person can lift. */
const ACCESS: ReadonlySet<string> = new Set(['not_allowed', 'no_permission', 'access_denied', 'ekm_access_denied']);

/** Slack's refusal of the outputs, for example when the workflow was built with an older manifest. */
const NOT_FITTING = 'parameter_validation_failed';
const UNREADABLE =
  'Slack did not take the answer of this step. See Switchboard for how it ended. Build the step into the workflow again.';

/**
 * Ends a step by the app's own token. Rejects with `Unavailable` if Slack takes no answer now, and with `Blocked` if it
 * takes none until a person has acted.
 */
export async function finish(slack: SlackContext, execution: string, end: End): Promise<void> {
  const { web, log } = slack;
  try {
    await web.endStep(execution, end);
  } catch (error) {
    if (!(error instanceof SlackRefusal)) throw error;
    if (error.reason === NOT_FITTING && 'outputs' in end) {
      log(
        'warn',
        { execution, reason: error.message },
        'Slack refused the outputs of a step, so it ends with an error',
      );
      return finish(slack, execution, { error: UNREADABLE });
    }
    const tells = `${error.message}. Workflows wait for the end of their steps`;
    if (TOKEN.has(error.reason)) throw new Blocked(`${tells}; switchboard doctor names what the app lacks`);
    if (error.ambiguous || BUSY.has(error.reason) || ACCESS.has(error.reason)) throw new Unavailable(tells);
    throw error;
  }
}
