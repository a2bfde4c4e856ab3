import type { Way } from '../lib/actor.ts';
import type { Config } from '../lib/config.ts';
import type { Approval } from './decide.ts';

/** The settings that determine who may decide. */
type Settings = Pick<
  Config,
  | 'CONFIRM_VIA'
  | 'CONFIRM_TWO_PERSON'
  | 'SLACK_APPROVERS'
  | 'MCP_HTTP_TOKENS'
  | 'MCP_OAUTH_ROLES'
  | 'local'
  | 'demo'
  | 'slack'
>;

/**
 * Reads the rules of an installation from its settings.
 * In demo mode without Slack the playground stands in for Slack beside the other ways.
 */
export function approvalOf(config: Settings): Approval {
  const playground = config.demo && config.slack === undefined;
  const oauth = config.MCP_OAUTH_ROLES?.some(({ role }) => role === 'approver') ?? false;
  return {
    via: config.CONFIRM_VIA ?? defaultWays(config.slack !== undefined, playground),
    twoPerson: config.CONFIRM_TWO_PERSON,
    slackApprovers: config.slack ? config.SLACK_APPROVERS : playground ? ['*'] : undefined,
    pageApprovers: config.MCP_HTTP_TOKENS.filter(({ role }) => role === 'approver').map(({ name }) => `token:${name}`),
    oauth,
    pairing: config.local,
  };
}

/** The ways used if CONFIRM_VIA is not set. */
function defaultWays(slack: boolean, playground: boolean): readonly Way[] {
  if (slack) return ['slack', 'terminal'];
  return playground ? ['slack', 'page', 'client', 'terminal'] : ['page', 'client', 'terminal'];
}
