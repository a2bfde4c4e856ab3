import { type Dispatcher, Pool } from 'undici';
import type { Clock } from '../lib/clock.ts';
import { after } from './retry.ts';

/** Maximum size of an answer that is read: 8 MiB. */
const MAX_BODY = 8 * 1024 * 1024;
/** Timeout for establishing a connection. */
const CONNECT_MS = 10_000;

/** The platform answered. `end` says whether its body could be read to the end; `body` holds what was read. */
export interface Reply {
  kind: 'reply';
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  end: 'complete' | 'oversized' | 'cut' | 'timeout';
}

/** No answer came. `left`: the request may have reached the platform. */
export interface NoReply {
  kind: 'none';
  why: 'network' | 'timeout' | 'cancelled';
  left: boolean;
  /** The system's or undici's code, such as ECONNREFUSED. */
  code: string;
  detail: string;
}

export interface Attempt {
  method: 'GET' | 'POST';
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Connect to last byte, in ms. */
  timeoutMs: number;
  /** True to use a new connection, so that a stale idle one cannot make the outcome unknown. */
  fresh: boolean;
  signal?: AbortSignal | undefined;
  /** Called when the answer's headers came, with their status, or when the attempt failed. */
  onArrived: (status: number | undefined) => void;
  /** Asked before the attempt. If it resolves to false, nothing is written. */
  mayBegin?: (() => Promise<boolean>) | undefined;
  /** Called right before the first byte is written to a connection. If it returns false, nothing is written. */
  mayWrite?: (() => boolean) | undefined;
  /** Called when the first byte is written and again when the last one is. */
  onWritten?: (() => void) | undefined;
}

interface Mark {
  left: boolean;
  mayWrite?: (() => boolean) | undefined;
  onWritten?: (() => void) | undefined;
}

/** Marks a request, through its `opaque`, when it is about to be written to a connection that was made. */
class MarkingPool extends Pool {
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const mark = (options as { opaque?: Mark }).opaque;
    const connected = handler.onConnect?.bind(handler);
    if (mark !== undefined && connected !== undefined) {
      handler.onConnect = (...args: Parameters<typeof connected>) => {
        connected(...args);
        if (mark.mayWrite !== undefined && !mark.mayWrite()) {
          args[0](new Error('withdrawn before it was written'));
          return;
        }
        mark.left = true;
        mark.onWritten?.();
      };
      // undici calls this where a handler has it; its types leave it out.
      Object.assign(handler, { onRequestSent: () => mark.onWritten?.() });
    } else if (mark !== undefined) {
      // Other kinds of handlers cannot be marked, so assume that the request is sent.
      mark.left = true;
      mark.onWritten?.();
    }
    return super.dispatch(options, handler);
  }
}

/** HTTP to one origin. Redirects are not followed; nothing is retried here. Never rejects. */
export class Wire {
  private readonly clock: Clock;
  private readonly pooled: Pool;
  private readonly fresh: Pool;

  constructor(origin: string, timeoutMs: number, clock: Clock) {
    this.clock = clock;
    // undici's own timeouts are off: one timer covers an attempt from connect to the last byte.
    const common = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: Math.min(timeoutMs, CONNECT_MS) } };
    this.pooled = new MarkingPool(origin, { ...common, pipelining: 1 });
    this.fresh = new MarkingPool(origin, { ...common, pipelining: 0 });
  }

  async send(attempt: Attempt): Promise<Reply | NoReply> {
    const mark: Mark = { left: false, mayWrite: attempt.mayWrite, onWritten: attempt.onWritten };
    const abort = new AbortController();
    let why = 'network' as NoReply['why'];
    const stop = (reason: NoReply['why']) => {
      why = reason;
      abort.abort();
    };
    const onAbort = () => stop('cancelled');
    const cancelTimer = after(this.clock, attempt.timeoutMs, () => stop('timeout'));
    attempt.signal?.addEventListener('abort', onAbort, { once: true });
    if (attempt.signal?.aborted) onAbort();
    try {
      if ((await attempt.mayBegin?.()) === false) throw new Error('withdrawn before the attempt');
      const pool = attempt.fresh ? this.fresh : this.pooled;
      const { method, path, headers } = attempt;
      const body = attempt.body ?? null;
      const response = await pool.request({ method, path, headers, body, opaque: mark, signal: abort.signal });
      attempt.onArrived(response.statusCode);
      const read = await readBody(response.body);
      if (read.end === 'cut' && why === 'cancelled') return { kind: 'none', why, left: true, code: '', detail: why };
      const end = read.end === 'cut' && why === 'timeout' ? 'timeout' : read.end;
      return { kind: 'reply', status: response.statusCode, headers: response.headers, body: read.text, end };
    } catch (error) {
      attempt.onArrived(undefined);
      return { kind: 'none', why, left: mark.left, code: codeIn(error), detail: `${why}: ${String(error)}` };
    } finally {
      cancelTimer();
      attempt.signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Waits for the requests in flight. Each ends within its timeout. */
  async close(): Promise<void> {
    await Promise.all([this.pooled.close(), this.fresh.close()]);
  }
}

async function readBody(body: AsyncIterable<Buffer>): Promise<{ text: string; end: 'complete' | 'oversized' | 'cut' }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let end: 'complete' | 'oversized' | 'cut' = 'complete';
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > MAX_BODY) {
        end = 'oversized';
        // Leaving the loop destroys the stream and with it the connection.
        break;
      }
      chunks.push(chunk);
    }
  } catch {
    end = 'cut';
  }
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  return { text: new TextDecoder().decode(bytes), end };
}

/** The code of an error, or of the first of several addresses' errors. */
function codeIn(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeIn(error.errors[0]);
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
