import { readFileSync } from 'node:fs';
import type { ListedTool } from '../surfaces/mcp/listed.ts';

/** The list of MCP tools that the build derives and writes beside the bundle. */
export function readListed(): ListedTool[] {
  return JSON.parse(readFileSync(new URL('../listed.json', import.meta.url), 'utf8')) as ListedTool[];
}
