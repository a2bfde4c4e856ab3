/** The MIME type of a view, and the capabilities of a client that shows views (MCP Apps). */
export const VIEW_TYPE = 'text/html;profile=mcp-app';
export const SHOWS_VIEWS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [VIEW_TYPE] } } };
