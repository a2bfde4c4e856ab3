import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../../support/folder.ts';
import { runCli } from '../../support/process.ts';

let folder: ReturnType<typeof makeFolder>;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

it.each([
  [['strat'], 'There is no command strat. Did you mean start?\nswitchboard --help lists all commands.'],
  [['evnts', 'list'], 'There is no command evnts. Did you mean events?\nswitchboard --help lists all commands.'],
  [['webhooks', 'snyc'], 'snyc is not a command of webhooks. The command is sync.\nUsage: switchboard webhooks sync '],
  [['webhooks', 'sync'], '--url (or PUBLIC_URL) is missing: how the platform reaches this server.\nUsage: '],
  [['webhooks', 'sync', '--url', 'ftp://x'], '--url ftp://x is not an address such as https://'],
  [['webhooks', 'sync', 'now'], 'now is one word too many.\nUsage: '],
])('says what is wrong with a command: %j', async (words, message) => {
  const { code, err, out } = await runCli(words, folder.path, {});
  expect([code, out]).toEqual([2, '']);
  const { error } = JSON.parse(err) as { error: { message: string } };
  expect(error.message.startsWith(message), err).toBe(true);
});
