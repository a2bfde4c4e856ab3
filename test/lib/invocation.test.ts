import { expect, it } from 'vitest';
import { commandName } from '../../src/lib/invocation.ts';

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
