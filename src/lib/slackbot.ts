/*
 * What Slack documents about Slackbot as an MCP client (docs.slack.dev/ai/slackbot-mcp-client and
 * …/returning-rich-responses, and the manifest schema 2.0.0), in one place because the feature is still being rolled out.
 *
 * Documented:
 * - The manifest's `mcp_servers` with `auth_type: slack_identity_auth` needs the bot scope `mcp:connect` and an https URL.
 * - Slack signs every request with the app's signing secret, as it signs requests to `/slack/events`. A tool call names its
 *   person in `params._meta.slack`: `user_id`, `team_id`, `enterprise_id`.
 * - A tool that answers with Block Kit says so in `_meta.slack.supportsBlockKit`, and the blocks stand in
 *   `_meta.slack.blocks` of the result: at most 50, of the types below, a table with at most 10,000 characters and all
 *   tables together 20,000. One block that breaks a rule drops all of them.
 * - An element works only if its `action_id` is `tool:` and a tool; it becomes a tool call. All others do nothing.
 * - A person allows each call once or always. Slackbot waits 60 seconds for an answer.
 *
 * Not documented, and read so that nothing is lost if it is otherwise:
 * - Whether requests other than tool calls name a person. Without one, a client may initialize and list tools, nothing more.
 * - Whether `_meta.slack` names the conversation. A `channel_id` is used if there is one; otherwise a card goes to the
 *   approvers or into a direct message.
 * - Whether `team_id` can be null in an organization. Then `enterprise_id` stands for it, and Slack's profile of the person
 *   decides, as for every request of an organization.
 * - Whether a request that got no answer is repeated with a new signature, as events are. With the same one it is refused,
 *   except to initialize and to list tools, which have no effect and can be the same bytes for two people.
 * - Whether Slackbot keeps a session. None is needed: each request carries all that counts.
 */

import { recordOf } from './json.ts';

/** The bot scope of an app that declares MCP servers. */
export const SLACKBOT_SCOPE = 'mcp:connect';
/** How Slack authenticates to the server: by its signature, with the person's ids. */
export const SLACKBOT_AUTH = 'slack_identity_auth';

/** Most blocks in one result. */
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
