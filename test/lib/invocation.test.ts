import { expect, it } from 'vitest';
import { asInvoked, commandName } from '../../src/lib/invocation.ts';

it.each([
  ['/usr/local/bin/switchboard', '/home/ana', 'switchboard'],
  ['/opt/app/node_modules/switchboard/dist/cli.js', '/opt/app', 'switchboard'],
  ['/home/ana/switchboard/dist/cli.js', '/home/ana/switchboard', 'node dist/cli.js'],
  ['/home/ana/switchboard/dist/cli.js', '/tmp', 'node /home/ana/switchboard/dist/cli.js'],
  ['/home/ana/switchboard/dist/cli.js', '', 'node /home/ana/switchboard/dist/cli.js'],
  ['/home/ana/my clone/dist/cli.js', '/tmp', 'node "/home/ana/my clone/dist/cli.js"'],
])('%s started in %s is typed as %s', (started, folder, command) => {
  expect(commandName(started, folder)).toBe(command);
});

it('names commands as they are typed, and leaves the product its name', () => {
  const text = 'Switchboard runs; switchboard key prints a link, and switchboard is its name.';
  expect(asInvoked(text, 'node dist/cli.js')).toBe(
    'Switchboard runs; node dist/cli.js key prints a link, and switchboard is its name.',
  );
});
