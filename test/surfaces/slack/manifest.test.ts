import { expect, it } from 'vitest';
import { buildManifest } from '../../../src/surfaces/slack/manifest.ts';
import { tools } from '../../../tools/index.ts';
import { record } from './support.ts';

it('the manifest requests the events in use, within Slack’s length limits', () => {
  const manifest = buildManifest({ tools });
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
  expect((record(manifest.features).slash_commands as unknown[]).length).toBeLessThanOrEqual(50);
  for (const shortcut of record(manifest.features).shortcuts as { name: string; description: string }[]) {
    expect(shortcut.name.length).toBeLessThanOrEqual(24);
    expect(shortcut.description.length).toBeLessThanOrEqual(150);
  }
});
