import { drawnBy, view } from '../../../tools/surfaces/views.ts';
import type { ListedTool } from '../../language/assistants/listed.ts';
import { isRecord, recordOf } from '../../lib/json.ts';

/*
 * The extension MCP Apps (SEP-1865): a page that the host of a client shows beside the results of some tools. The page
 * is built from `view/`.
 */

const EXTENSION = 'io.modelcontextprotocol/ui';
const MIME_TYPE = 'text/html;profile=mcp-app';

/** True if a client with these capabilities shows views. */
export function showsViews(capabilities: unknown): boolean {
  const { mimeTypes } = recordOf(recordOf(recordOf(capabilities).extensions)[EXTENSION]);
  return Array.isArray(mimeTypes) && mimeTypes.includes(MIME_TYPE);
}

/** The tool as it is listed for a client that shows views. Only a tool that changes nothing has one. */
export function withView(tool: ListedTool['tool']): ListedTool['tool'] {
  const { name, annotations, _meta } = tool;
  if (drawnBy(name) === undefined || !annotations.readOnlyHint) return tool;
  return { ...tool, _meta: { ..._meta, ui: { resourceUri: view.uri } } };
}

/** The view in the list of resources. */
export const viewResource = { ...view, mimeType: MIME_TYPE };

/** True for a result that the view draws. */
export function isDrawn(tool: string, result: object): boolean {
  return drawnBy(tool) !== undefined && 'structuredContent' in result && isRecord(result.structuredContent);
}
