/*
 * Slack's documentation of Slackbot as an MCP client (docs.slack.dev/ai/slackbot-mcp-client and
 * …/returning-rich-responses, and the manifest schema 2.0.0), in one place because the feature is still being rolled
 * out.
 *
 * Documented:
 * - The manifest's `mcp_servers` with `auth_type: slack_identity_auth` needs the bot scope `mcp:connect` and an https
 *   URL.
 * - Slack signs every request with the app's signing secret, as it signs requests to `/slack/events`. A tool call names
 *   its person in `params._meta.slack`: `user_id`, `team_id`, `enterprise_id`.
 * - A tool that answers with Block Kit says so in `_meta.slack.supportsBlockKit`, and the blocks are in
 *   `_meta.slack.blocks` of the result: at most 50, of the types below, a table with at most 10,000 characters and all
 *   tables together 20,000. One block that breaks a rule drops all of them.
 * - An element works only if its `action_id` is `tool:` and a tool; it becomes a tool call. All others do nothing.
 * - A person allows each call once or always. Slackbot waits 60 seconds for an answer.
 *
 * These points are not documented. The code assumes the safe case for each:
 * - Requests other than tool calls may not name a person. Without one, a client may initialize and list tools, nothing
 *   more.
 * - `_meta.slack` may not name the conversation. A `channel_id` is used if there is one; otherwise a card goes to the
 *   approvers or into a direct message.
 * - `team_id` may be null in an organization. Then `enterprise_id` replaces it, and Slack's profile of the person
 *   decides, as for every request of an organization.
 * - A request that got no answer may be repeated with a new signature, as events are. A repeat with the same signature
 *   is refused, except to initialize and to list tools, which have no effect and can be the same bytes for two people.
 * - Slackbot may not keep a session. None is needed, because each request carries all the data it needs.
 */

import { recordOf } from '../../lib/json.ts';

/** The bot scope of an app that declares MCP servers. */
export const SLACKBOT_SCOPE = 'mcp:connect';
/** Slack authenticates to the server by its signature, and sends the person's ids. */
export const SLACKBOT_AUTH = 'slack_identity_auth';

/** Maximum number of blocks in one result. */
export const SLACKBOT_BLOCKS = 50;
/** The types of blocks that Slackbot shows and that Switchboard uses. */
export const SLACKBOT_TYPES: ReadonlySet<string> = new Set([
  'context',
  'divider',
  'header',
  'rich_text',
  'section',
  'table',
]);

/** The person that Slack names in a signed request. */
export interface SlackbotPerson {
  /** `U…` or `W…`. */
  userId: string;
  /** The workspace (`T…`) or, without one, the organization (`E…`). */
  teamId: string;
  /** The conversation, if Slack names it. */
  channel?: string;
}

/** The person in the parameters of a request; undefined if they name none. Counts only under Slack's signature. */
export function slackbotPerson(params: unknown): SlackbotPerson | undefined {
  const {
    user_id: user,
    team_id: team,
    enterprise_id: org,
    channel_id: channel,
  } = recordOf(recordOf(recordOf(params)._meta).slack);
  const home = isId(team, 'T') || isId(team, 'E') ? team : isId(org, 'E') && (team ?? null) === null ? org : undefined;
  if (home === undefined || !(isId(user, 'U') || isId(user, 'W'))) return undefined;
  const named = ['C', 'D', 'G'].some((letter) => isId(channel, letter));
  return { userId: user, teamId: home, ...(named ? { channel: String(channel) } : {}) };
}

function isId(value: unknown, letter: string): value is string {
  return typeof value === 'string' && value.startsWith(letter) && /^[A-Z0-9]{2,32}$/.test(value);
}
