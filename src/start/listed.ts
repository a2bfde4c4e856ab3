import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedTool } from '../language/assistants/listed.ts';
import { packageFolder } from '../lib/settings-file.ts';

/** Reads the list of MCP tools that the build derives and writes beside the bundle. */
export function readListed(): ListedTool[] {
  return JSON.parse(readFileSync(join(packageFolder(), 'dist', 'listed.json'), 'utf8')) as ListedTool[];
}
