import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedTool } from '../language/assistants/listed.ts';
import { packageFolder } from '../lib/settings-file.ts';

let listed: ListedTool[] | undefined;

/** The list of MCP tools that the build derives and writes beside the bundle. It is read once. */
export function readListed(): ListedTool[] {
  listed ??= JSON.parse(readFileSync(join(packageFolder(), 'dist', 'listed.json'), 'utf8')) as ListedTool[];
  return listed;
}
