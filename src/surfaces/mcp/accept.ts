import type { IncomingMessage } from 'node:http';

/** The types that an answer of `/mcp` can have. */
const TYPES = ['application/json', 'text/event-stream'];

/**
 * Writes the types that the header Accept allows as their names. The SDKs know neither wildcards nor capital letters,
 * and a request without the header accepts everything.
 */
export function writeAccepted(request: IncomingMessage): void {
  const { headers, rawHeaders } = request;
  const ranges = (headers.accept ?? '*/*').toLowerCase().split(',').map(rangeOf);
  const accepted = TYPES.filter((type) => ranges.some((range) => range.test(type))).join(', ');
  headers.accept = accepted;
  // The adapters to Fetch requests read the headers as they came.
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2)
    if (rawHeaders[at]?.toLowerCase() === 'accept') rawHeaders.splice(at, 2);
  rawHeaders.push('Accept', accepted);
}

/** The types that one member of the header fits: a type, or a wildcard. One of quality 0 fits nothing. */
function rangeOf(member: string): { test(type: string): boolean } {
  const [range = '', ...parameters] = member.split(';').map((part) => part.trim());
  const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  const prefix = range === '*/*' ? '' : range.endsWith('/*') ? range.slice(0, -1) : undefined;
  return { test: (type) => !isRefused && (prefix === undefined ? type === range : type.startsWith(prefix)) };
}
