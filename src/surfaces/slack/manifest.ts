import { guides } from '../../../tools/surfaces/tasks.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { defined, type Fields, withoutTrailing } from '../../lib/values.ts';
import { commandList } from './listeners/commands.ts';
import { guideShortcut, IDS } from './types.ts';

interface ManifestOptions {
  tools: readonly Tool[];
  /** SLACK_COMMAND_PREFIX: `sb` makes /sb-numbers. */
  prefix?: string;
  /**
   * Public address of this server, for HTTP mode at `/slack/events` and for Slackbot at `/mcp`. Without it: Socket
   * Mode, and no Slackbot, which reaches servers by their address only.
   */
  url?: string;
}

/** Prompts until the app has set those that fit the person. */
const PROMPTS = [
  { title: 'What waits for me?', message: 'What is waiting for me?' },
  { title: 'What happened today?', message: 'What happened today?' },
  { title: 'What can you do?', message: 'What can you do?' },
];

/** Slack's limits (manifest.schema.2.0.0.json). */
const MAX_COMMAND = 32;

/** The events that the app subscribes to. */
export const BOT_EVENTS = [
  'agent_session_stopped',
  'app_context_changed',
  'app_home_opened',
  'app_mention',
  'message.im',
] as const;

const shortcut = (type: string, callback_id: string, name: string, description: string) => ({
  ...{ name, type, callback_id, description },
});

/** The Slack app's manifest, derived from the catalogue. The same input gives the same bytes. */
export function buildManifest({ tools, prefix, url }: ManifestOptions): Fields {
  const base = url === undefined ? undefined : withoutTrailing(url, '/');
  const request = base === undefined ? undefined : `${base}/slack/events`;
  const commands = commandList(tools, prefix);
  const long = commands.find(({ command }) => command.length > MAX_COMMAND);
  if (long) throw new Error(`${long.command} is longer than Slack's ${MAX_COMMAND} characters`);
  return {
    _metadata: { major_version: 2, minor_version: 1 },
    display_information: {
      name: 'Switchboard',
      description: 'Numbers, subscribers and messages of the mobile platform, with a person behind every risky step.',
      background_color: '#1f2d3d',
    },
    features: {
      agent_view: {
        agent_description:
          'Looks up numbers, says why a line does not work, reports what happened, and prepares changes that a person confirms with a button.',
        suggested_prompts: PROMPTS,
      },
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: 'Switchboard', always_online: true },
      shortcuts: [
        shortcut('message', IDS.messageShortcut, 'Look up numbers', 'Look up the numbers in this message'),
        shortcut('global', IDS.globalShortcut, 'Look up a number', 'Everything worth knowing about one number'),
        ...guides.map(({ name, title, description }) => shortcut('global', guideShortcut(name), title, description)),
      ],
      slash_commands: commands.map(({ command, description, hint }) =>
        defined({ command, url: request, description, usage_hint: hint, should_escape: false }),
      ),
    },
    oauth_config: {
      scopes: {
        // The histories are for finding this app's messages after Slack answered late. Files are the lists of
        // batches, their results, and an eSIM's QR code, which is deleted when its reader has closed it.
        bot: [
          'app_mentions:read',
          'assistant:write',
          'channels:history',
          'chat:write',
          'commands',
          'files:read',
          'files:write',
          'groups:history',
          'im:history',
          'im:write',
          // That of an app that declares MCP servers.
          ...(base === undefined ? [] : ['mcp:connect']),
          'mpim:history',
          'usergroups:read',
          'users:read',
        ],
      },
    },
    settings: {
      event_subscriptions: { ...defined({ request_url: request }), bot_events: [...BOT_EVENTS] },
      interactivity: defined({ is_enabled: true, request_url: request, message_menu_options_url: request }),
      org_deploy_enabled: false,
      socket_mode_enabled: request === undefined,
      token_rotation_enabled: false,
    },
    // Slack authenticates to the server by its signature, and sends the person's ids.
    ...(base !== undefined && {
      mcp_servers: { switchboard: { url: `${base}/mcp`, auth_type: 'slack_identity_auth' } },
    }),
  };
}
