import type { Fields } from '../../lib/json.ts';

/* The contents of a tool result for an assistant, over MCP or in a conversation. */

interface TextContent {
  type: 'text';
  text: string;
}

interface MediaContent {
  type: 'image' | 'audio';
  /** Base64. */
  data: string;
  mimeType: string;
}

interface EmbeddedContent {
  type: 'resource';
  resource: { uri: string; mimeType: string; text: string };
}

export type Content = TextContent | MediaContent | EmbeddedContent;

/** The result of a tool call. A type, not an interface, so that it fits the SDKs' open object types. */
export type ToolResult = {
  content: Content[];
  structuredContent?: Fields;
  isError?: boolean;
  _meta?: Fields;
};

/** The contents of a resource. A type, not an interface, so that it fits the SDKs' open object types. */
export type ResourceContent = {
  uri: string;
  mimeType: string;
  text: string;
  _meta?: Fields;
};
