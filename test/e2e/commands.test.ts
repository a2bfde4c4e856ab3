import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { runCli } from '../support/process.ts';

const folder = makeFolder();

const run = (line: string, settings: Record<string, string> = {}) => runCli(line.split(' '), folder, settings);

/** The error of a command in a pipe. It is all that stderr has. */
const errorIn = (err: string) => (JSON.parse(err) as { error: { code: string; message: string } }).error;

/** Commands, with a flag that they do not have and the one that was meant. */
const MISTYPED = [
  ['start --setings=x', '--settings'],
  ['sandbox --prot 1', '--port'],
  ['manifest --chek', '--check'],
  ['webhooks sync --rout x', '--route'],
  ['events drop 1 --yess', '--yes'],
  ['audit --snice 8h', '--since'],
  ['store copy --form x', '--from'],
  ['completion --hlep', '--help'],
  ['call numbers_get --outptu json', '--output'],
  ['number 0104 --filds A', '--fields'],
  ['batch show bat_1 --cvs x', '--csv'],
  ['ask --jsno hello', '--json'],
  ['--verison', '--version'],
] as const;

it.each(MISTYPED)('a flag that a command does not have is refused with the nearest one: %s', async (line, meant) => {
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(`Did you mean ${meant}?`);
});

it.each([
  ['evnts list', 'There is no command evnts. Did you mean events?\nswitchboard --help lists all commands.'],
  ['webhooks snyc', 'snyc is not a command of webhooks. The command is sync.\nUsage: switchboard webhooks sync '],
  ['webhooks sync', '--url (or PUBLIC_URL) is missing: how the platform reaches this server.\nUsage: '],
  ['webhooks sync --url ftp://x', 'url: give an https:// address without credentials'],
  ['webhooks sync now', 'now is one word too many.\nUsage: '],
  ['manifest --check --write', 'Give either --check or --write, not both.'],
  ['batch list extra', 'batch list takes no ID. switchboard batch show ID shows one.'],
  ['batch list --csv x.csv', 'batch list takes no --csv. switchboard batch list --help'],
  ['batch stop bat_1 --yes', 'batch stop takes no --yes. switchboard batch stop --help'],
  ['batch show bat_1 --file x', 'batch show takes no --file. switchboard batch show --help'],
  ['events retry --all --yes', 'events retry takes no --yes. switchboard events retry --help'],
  ['events list --all', 'events list takes no --all. switchboard events list --help'],
])('says what is wrong with a command: %s', async (line, message) => {
  const { code, err, out } = await run(line);
  expect([code, out]).toEqual([2, '']);
  expect(errorIn(err).message.startsWith(message), err).toBe(true);
});

describe('what fails in a pipe', () => {
  const BROKEN = { PLATFORM_BASE_URL: 'nonsense', PLATFORM_ACCOUNT_KEY: 'k', PLATFORM_ACCOUNT_SECRET: 's' };
  it.each(['number 0104', 'batch list', 'audit', 'key', 'ask hello'])(
    'is one document, settings included: %s',
    async (line) => {
      const { code, out, err } = await run(line, BROKEN);
      expect([code, out]).toEqual([2, '']);
      expect(errorIn(err)).toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('PLATFORM_BASE_URL'),
      });
    },
  );
});

it.each([
  ['refuses connections', 'http://127.0.0.1:9'],
  ['has a name that nobody knows', 'https://no-such-host.invalid'],
])('says within five seconds that a platform cannot be reached which %s', async (_what, url) => {
  const settings = {
    PLATFORM_BASE_URL: url,
    PLATFORM_ACCOUNT_KEY: 'k',
    PLATFORM_ACCOUNT_SECRET: 's',
    DATA_DIR: join(folder, new URL(url).hostname),
    LOG_LEVEL: 'info',
  };
  const begun = performance.now();
  const { code, err } = await run('number +12015550101', settings);
  expect([code, errorIn(err).code]).toEqual([1, 'network']);
  // The machine may be busy: the tries took 14 s before.
  expect(performance.now() - begun).toBeLessThan(10_000);
});
