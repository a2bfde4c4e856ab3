import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { selfSigned } from './certificate.ts';
import { atEnd, listen } from './ending.ts';

/** The proxy's treatment of a host that it knows: it connects, answers a status, or closes. */
export type Way = 'connects' | 'closes' | number;

export interface ConnectProxy {
  /** http://127.0.0.1:port */
  url: string;
  /** The certificate that `origins` of the proxy present, for NODE_EXTRA_CA_CERTS. */
  certificate: string;
  /** `host:port` of each CONNECT, with the user and password that came with it. */
  asked: { target: string; credentials: string | undefined }[];
  /** Serves an http server of this computer under a host name, over TLS. Returns its address. */
  serve(host: string, url: string): Promise<string>;
  /** Changes how tunnels to a host are treated. */
  treat(host: string, way: Way): void;
}

/** A proxy on 127.0.0.1 that knows CONNECT only, with hosts that exist behind it alone. */
export async function connectProxy(openssl: string, { users }: { users?: string } = {}): Promise<ConnectProxy> {
  const { key, cert } = selfSigned(openssl, 'example.com', ['-addext', 'subjectAltName=DNS:*.example.com']);
  const tls = { key: readFileSync(key), cert: readFileSync(cert) };
  const ports = new Map<string, number>();
  const ways = new Map<string, Way>();
  const sockets = new Set<Socket>();
  const asked: ConnectProxy['asked'] = [];
  const kept = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const joined = (one: Socket, other: Socket) => {
    one.pipe(other).pipe(one);
    one.on('close', () => other.destroy());
    other.on('close', () => one.destroy());
  };
  const proxy = createServer((_request, response) => response.writeHead(405).end()).on(
    'connect',
    (request, socket: Socket) => {
      kept(socket);
      const target = request.url ?? '';
      const [, login = ''] = /^Basic (.+)$/.exec(request.headers['proxy-authorization'] ?? '') ?? [];
      const credentials = login === '' ? undefined : Buffer.from(login, 'base64').toString();
      asked.push({ target, credentials });
      const host = target.split(':')[0] ?? '';
      const way = users !== undefined && credentials !== users ? 407 : (ways.get(host) ?? 'connects');
      const port = ports.get(host);
      if (way === 'closes') return socket.destroy();
      if (way !== 'connects' || port === undefined)
        return socket.end(`HTTP/1.1 ${way === 'connects' ? 502 : way} No\r\n\r\n`);
      const upstream = kept(connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n')));
      return joined(socket, upstream);
    },
  );
  const url = await listen(proxy);
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
  });
  return {
    url,
    certificate: cert,
    asked,
    serve: async (host, url) => {
      const to = Number(new URL(url).port);
      const server = createTlsServer(tls, (socket) => joined(kept(socket), kept(connect(to, '127.0.0.1'))));
      server.on('tlsClientError', () => undefined);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      atEnd(() => server.close());
      ports.set(host, (server.address() as AddressInfo).port);
      return `https://${host}`;
    },
    treat: (host, way) => void ways.set(host, way),
  };
}
