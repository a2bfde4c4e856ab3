import type { Tool } from './operation.ts';

/** What the manifest needs of tools/groups.ts. */
export interface ManifestGroup {
  title: string;
  description: string;
  example: string;
  lookup?: string;
}

export interface ManifestOptions {
  tools: readonly Tool[];
  groups: Readonly<Record<string, ManifestGroup>>;
  /** SLACK_COMMAND_PREFIX. */
  prefix?: string;
  /** PUBLIC_URL: HTTP mode. Without it the app is made for Socket Mode. */
  url?: string;
}

/** The scopes in use, each with what it is for. */
export const SCOPES = {
  commands: 'slash commands and shortcuts',
  'chat:write': 'cards, results and updates',
  'im:write': 'a direct message where a channel cannot be written to',
  'users:read': 'names and time zones',
  'usergroups:read': 'roles given to user groups',
} as const;

/** The Slack app's manifest, derived from the catalogue: one command a group, and the short lookup. */
export function buildManifest({ tools, groups, prefix, url }: ManifestOptions): Record<string, unknown> {
  const named = (name: string) => `/${prefix ? `${prefix}-` : ''}${name}`;
  const events = url === undefined ? undefined : `${url.replace(/\/+$/, '')}/slack/events`;
  const at = events === undefined ? {} : { url: events };
  const used = new Set(tools.map((tool) => tool.group));
  const commands = Object.entries(groups)
    .filter(([name]) => used.has(name))
    .map(([name, group]) => ({
      command: named(name),
      description: group.description,
      usage_hint: group.example,
      should_escape: true,
      ...at,
    }));
  const lookups = Object.values(groups)
    .filter((group) => group.lookup !== undefined)
    .map(() => ({
      command: named('number'),
      description: 'Look one number up: state, subscriber, SIM, routes, data',
      usage_hint: '+12015550101',
      should_escape: true,
      ...at,
    }));
  return {
    display_information: {
      name: 'Switchboard',
      description: 'Numbers, SIMs, port-ins and messages from Slack',
      background_color: '#1f3a5f',
    },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: true },
      bot_user: { display_name: 'Switchboard', always_online: true },
      shortcuts: [
        {
          name: 'Look up a number',
          type: 'global',
          callback_id: 'lookup',
          description: 'State, subscriber, SIM, data of one number',
        },
        {
          name: 'Look up numbers here',
          type: 'message',
          callback_id: 'lookup_message',
          description: 'Look up the phone numbers in this message',
        },
      ],
      slash_commands: [...lookups, ...commands],
    },
    oauth_config: { scopes: { bot: Object.keys(SCOPES) } },
    settings: {
      event_subscriptions: {
        ...(events === undefined ? {} : { request_url: events }),
        bot_events: ['app_home_opened'],
      },
      interactivity: {
        is_enabled: true,
        ...(events === undefined ? {} : { request_url: events, message_menu_options_url: events }),
      },
      org_deploy_enabled: false,
      socket_mode_enabled: url === undefined,
      token_rotation_enabled: false,
    },
  };
}

/** As it stands in manifest.json. */
export function manifestText(options: ManifestOptions): string {
  return `${JSON.stringify(buildManifest(options), null, 2)}\n`;
}
