import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../../src/lib/version.ts';
import { BATCH_HELP, callHelp, groupHelp, toolHelp } from '../../src/surfaces/cli/arguments.ts';
import { presets } from '../../tools/groups.ts';
import { tools } from '../../tools/index.ts';
import { CLI } from '../support/build.ts';
import { openWorld, type World } from '../support/world.ts';
import { committed, type Files } from './files.ts';

/*
 * Snapshots of the texts that users and clients read, so that a review shows every change. `npm run snapshots` rewrites
 * them.
 */

/** A terminal of the usual width. */
const WIDTH = 80;
const COMMANDS = [
  'start',
  'mcp',
  'sandbox',
  'key',
  'manifest',
  'webhooks',
  'settle',
  'events',
  'audit',
  'store',
  'doctor',
  'completion',
];

/** Operations whose help shows every kind of field. The others come from the same drawer. */
const SHOWN = ['numbers_get', 'numbers_update', 'numbers_cancel', 'message_outbound'];

/** The tools in the order and the words in which `tools/list` answers them. */
async function toolFiles(world: World): Promise<Files> {
  const { tools: listed } = await (await world.client()).listTools();
  expect(listed.length).toBeGreaterThanOrEqual(tools.length);
  return { 'tools.json': `${JSON.stringify(listed, null, 1)}\n` };
}

/** The tools of each toolset that is not all of them or a group, in the order a client lists them. */
async function toolsetFiles(): Promise<Files> {
  const files: Files = {};
  for (const toolset of ['core', ...Object.keys(presets)]) {
    const world = await openWorld({ MCP_TOOLSETS: toolset });
    const { tools: listed } = await (await world.client()).listTools();
    files[`${toolset}.txt`] = `${listed.map(({ name }) => name).join('\n')}\n`;
  }
  return files;
}

/** Returns the output of `--help`: for the program, for each command, and for a group and some operations of `call`. */
async function helpFiles(): Promise<Files> {
  const files: Files = {
    'switchboard.txt': await printed('--help'),
    'call.txt': callHelp(tools, WIDTH),
    'batch.txt': BATCH_HELP,
  };
  for (const command of COMMANDS) files[`${command}.txt`] = await printed(command, '--help');
  const numbers = tools.filter(({ group }) => group === 'numbers');
  files['call/numbers.txt'] = groupHelp('numbers', numbers, WIDTH);
  for (const tool of tools.filter(({ id }) => SHOWN.includes(id))) files[`call/${tool.id}.txt`] = toolHelp(tool, WIDTH);
  return files;
}

async function printed(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args]);
  return stdout.replace(VERSION, 'VERSION');
}

const world = await openWorld({ MCP_TOOLSETS: 'all' });

describe('snapshots: npm run snapshots rewrites them', () => {
  it('every tool as a client lists it', async () => {
    const files = await toolFiles(world);
    expect(files).toEqual(committed('tools', files));
  });

  it('every toolset', async () => {
    const files = await toolsetFiles();
    expect(files).toEqual(committed('toolsets', files));
  });

  it('every text of --help', async () => {
    const files = await helpFiles();
    expect(files).toEqual(committed('help', files));
    for (const name of ['switchboard', ...COMMANDS])
      for (const line of files[`${name}.txt`]?.split('\n') ?? []) expect(line.length, line).toBeLessThanOrEqual(WIDTH);
  });
});
