// The server side of RFC 6455, as much as Socket Mode needs: text frames, ping, pong, close.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const MAX_FRAME = 1_000_000;
const OP = { more: 0, text: 1, close: 8, ping: 9, pong: 10 } as const;

export interface ServerSocket {
  send(text: string): void;
  ping(): void;
  close(code?: number): void;
  /** Cuts the connection without a close frame. */
  destroy(): void;
  onText(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

function frame(opcode: number, payload: Buffer): Buffer {
  const size = payload.length;
  const header = size < 126 ? Buffer.alloc(2) : size < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  header[0] = 0x80 | opcode;
  if (size < 126) header[1] = size;
  else if (size < 65_536) {
    header[1] = 126;
    header.writeUInt16BE(size, 2);
  } else {
    header[1] = 127;
    header.writeBigUInt64BE(BigInt(size), 2);
  }
  return Buffer.concat([header, payload]);
}

interface Frame {
  opcode: number;
  final: boolean;
  payload: Buffer;
  length: number;
}

/** The first whole frame in `data`, undefined while bytes are missing. */
function read(data: Buffer): Frame | undefined {
  if (data.length < 2) return undefined;
  const first = data.readUInt8(0);
  const second = data.readUInt8(1);
  let size = second & 0x7f;
  let at = 2;
  if (size === 126) {
    if (data.length < 4) return undefined;
    size = data.readUInt16BE(2);
    at = 4;
  } else if (size === 127) {
    if (data.length < 10) return undefined;
    size = Number(data.readBigUInt64BE(2));
    at = 10;
  }
  if ((second & 0x80) === 0) throw new Error('a client must mask its frames');
  if (size > MAX_FRAME) throw new Error('frame too large');
  if (data.length < at + 4 + size) return undefined;
  const mask = data.subarray(at, at + 4);
  const payload = Buffer.from(data.subarray(at + 4, at + 4 + size));
  for (let i = 0; i < payload.length; i++) payload[i] = (payload[i] ?? 0) ^ (mask[i % 4] ?? 0);
  return { opcode: first & 0x0f, final: (first & 0x80) !== 0, payload, length: at + 4 + size };
}

/** Answers the upgrade; undefined (and a closed connection) where it is not a proper WebSocket handshake. */
export function acceptWebSocket(req: IncomingMessage, socket: Duplex, head: Buffer): ServerSocket | undefined {
  const key = req.headers['sec-websocket-key'];
  if (req.headers.upgrade?.toLowerCase() !== 'websocket' || !key || req.headers['sec-websocket-version'] !== '13') {
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    return undefined;
  }
  const accept = createHash('sha1')
    .update(key + GUID)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const texts: ((text: string) => void)[] = [];
  const closes: (() => void)[] = [];
  let pending = head;
  let parts: Buffer[] = [];
  let closing = false;
  const write = (opcode: number, payload: Buffer) => {
    if (socket.writable) socket.write(frame(opcode, payload));
  };

  const take = ({ opcode, final, payload }: Frame) => {
    if (opcode === OP.ping) return write(OP.pong, payload);
    if (opcode === OP.pong) return;
    if (opcode === OP.close) {
      if (!closing) write(OP.close, payload);
      closing = true;
      socket.end();
      return;
    }
    parts.push(payload);
    if (!final) return;
    const text = Buffer.concat(parts).toString('utf8');
    parts = [];
    for (const listener of texts) listener(text);
  };

  const drain = () => {
    try {
      for (let next = read(pending); next; next = read(pending)) {
        pending = pending.subarray(next.length);
        take(next);
      }
    } catch {
      socket.destroy();
    }
  };
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    drain();
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    for (const listener of closes) listener();
  });
  drain();

  return {
    send: (text) => write(OP.text, Buffer.from(text)),
    ping: () => write(OP.ping, Buffer.from('Ping from applink')),
    close: (code = 1000) => {
      if (closing) return;
      closing = true;
      const payload = Buffer.alloc(2);
      payload.writeUInt16BE(code);
      write(OP.close, payload);
    },
    destroy: () => socket.destroy(),
    onText: (listener) => texts.push(listener),
    onClose: (listener) => closes.push(listener),
  };
}
