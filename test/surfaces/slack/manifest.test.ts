import { describe, expect, it } from 'vitest';
import { buildManifest } from '../../../src/surfaces/slack/manifest.ts';
import { groups } from '../../../tools/groups.ts';
import { tools } from '../../../tools/index.ts';
import { record } from './support.ts';

type Command = { command: string; description: string; usage_hint: string; url?: string };
const commandsOf = (manifest: Record<string, unknown>) => record(manifest.features).slash_commands as Command[];

describe('the manifest', () => {
  it('has one command per group and the short lookup, within Slack’s limits', () => {
    const commands = commandsOf(buildManifest({ tools, groups }));
    expect(commands.map(({ command }) => command)).toEqual([
      '/number',
      ...Object.keys(groups).map((name) => `/${name}`),
      '/batch',
      '/guide',
    ]);
    expect(commands.length).toBeLessThanOrEqual(50);
    for (const { command, description, usage_hint } of commands) {
      expect(command).toMatch(/^\/[a-z0-9_-]{1,31}$/);
      expect(description.length).toBeLessThanOrEqual(2000);
      expect(usage_hint.length).toBeLessThanOrEqual(1000);
    }
  });

  it('is Socket Mode without a URL, HTTP with one', () => {
    const socket = record(buildManifest({ tools, groups }).settings);
    expect(socket.socket_mode_enabled).toBe(true);
    const manifest = buildManifest({ tools, groups, prefix: 'sb', url: 'https://sb.example.com/' });
    const settings = record(manifest.settings);
    const url = 'https://sb.example.com/slack/events';
    expect(settings.socket_mode_enabled).toBe(false);
    expect(settings.interactivity).toEqual({ is_enabled: true, request_url: url, message_menu_options_url: url });
    expect(record(settings.event_subscriptions).request_url).toBe(url);
    expect(commandsOf(manifest)[0]).toMatchObject({ command: '/sb-number', url });
    expect(JSON.stringify(buildManifest({ tools, groups }))).toBe(JSON.stringify(buildManifest({ tools, groups })));
  });

  it('declares /mcp for Slackbot where Slack can reach it', () => {
    const manifest = buildManifest({ tools, groups, url: 'https://sb.example.com/' });
    expect(manifest.mcp_servers).toEqual({
      switchboard: { url: 'https://sb.example.com/mcp', auth_type: 'slack_identity_auth' },
    });
    expect(record(record(manifest.oauth_config).scopes).bot).toContain('mcp:connect');
    const socket = buildManifest({ tools, groups });
    expect(socket.mcp_servers).toBeUndefined();
    expect(record(record(socket.oauth_config).scopes).bot).not.toContain('mcp:connect');
  });

  it('requests the scopes in use, within Slack’s length limits', () => {
    const manifest = buildManifest({ tools, groups });
    expect(record(record(manifest.oauth_config).scopes).bot).toEqual([
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
      'mpim:history',
      'usergroups:read',
      'users:read',
    ]);
    const { bot_events } = record(record(manifest.settings).event_subscriptions);
    expect(bot_events).toEqual(expect.arrayContaining(['agent_session_stopped', 'app_home_opened', 'message.im']));
    const view = record(record(manifest.features).agent_view);
    expect(String(view.agent_description).length).toBeLessThanOrEqual(300);
    expect((view.suggested_prompts as unknown[]).length).toBeLessThanOrEqual(4);
    // People can write to the app in its messages tab.
    expect(record(record(manifest.features).app_home).messages_tab_read_only_enabled).toBe(false);
    const words = record(manifest.display_information);
    expect(String(words.name).length).toBeLessThanOrEqual(35);
    expect(String(words.description).length).toBeLessThanOrEqual(140);
    for (const shortcut of record(manifest.features).shortcuts as { name: string; description: string }[]) {
      expect(shortcut.name.length).toBeLessThanOrEqual(24);
      expect(shortcut.description.length).toBeLessThanOrEqual(150);
    }
  });
});
