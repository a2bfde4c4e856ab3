import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = ReturnType<typeof JSON.parse>;

/** A request to the platform: its path without the query, and the members of its query or body. */
export interface Asked {
  path: string;
  sent: Record<string, Json>;
}

/** A platform that answers as the one behind it does, unless the test gives another answer. */
export async function rewriting() {
  const platform = {
    url: '',
    /** The address of the platform behind it. */
    behind: '',
    /** Requests that were answered, token requests left out. */
    asked: [] as Asked[],
    /** The answer in place of the one that came. */
    answer: (_asked: Asked, came: Json): Json => came,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const { method, headers, url = '/' } = request;
      const from = httpRequest(`${platform.behind}${url}`, { method, headers }, (came) => {
        const parts: Buffer[] = [];
        came.on('data', (part: Buffer) => parts.push(part));
        came.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const { pathname: path, searchParams } = new URL(url, 'http://localhost');
          const isToken = path.endsWith('/oauth2/tokens');
          const sent = body.length === 0 ? Object.fromEntries(searchParams) : JSON.parse(body.toString());
          if (!isToken) platform.asked.push({ path, sent });
          const isRead = came.statusCode === 200 && !isToken;
          const answer = isRead ? JSON.stringify(platform.answer({ path, sent }, JSON.parse(text))) : text;
          response.writeHead(came.statusCode ?? 500, { 'content-type': 'application/json' }).end(answer);
        });
      });
      from.on('error', (error) => response.destroy(error));
      from.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  platform.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return platform;
}
