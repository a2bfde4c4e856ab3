import type { Readable, Writable } from 'node:stream';
import { MAX_LINE } from './limits.ts';
import {
  awaitsAnswer,
  errorAnswer,
  jsonIn,
  type Message,
  messageIn,
  type Refused,
  type RequestId,
  refusedId,
} from './messages.ts';
import { INVALID_REQUEST, type ServerDefinition } from './protocol.ts';

export interface StdioOptions {
  /** Makes the server of the connection. */
  define: () => ServerDefinition;
  transport: StdioTransport;
  onError: (error: unknown) => void;
}

export interface StdioConnection {
  close(): Promise<void>;
}

/** A line that is too long to be read. The connection cannot go on, because the rest of the line is no message. */
export class LineTooLong extends Error {
  constructor() {
    super(
      `A line on stdin has more than ${MAX_LINE / 1024 ** 2} MiB. Send less at once, for example a batch in parts.`,
    );
  }
}

/**
 * The connection to a client over stdio, one JSON message a line, for the SDKs of both protocols. Lines that are no
 * valid message are answered here, because the SDKs' own transports drop them.
 */
export class StdioTransport {
  onmessage: ((message: Message) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #underWay = new Set<RequestId>();
  readonly #first: Promise<Message | undefined>;
  readonly #started: Promise<void>;
  readonly #ended: Promise<unknown>;
  #firstCame: (message: Message | undefined) => void = () => undefined;
  #start: () => void = () => undefined;
  #allAnswered: () => void = () => undefined;
  #isClosed = false;

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#first = new Promise((resolve) => {
      this.#firstCame = resolve;
    });
    this.#started = new Promise((resolve) => {
      this.#start = resolve;
    });
    this.#ended = Promise.race([this.#readAll(), new Promise((resolve) => stdout.once('close', resolve))]);
    // The failure is for the caller of `ended`, who may ask for it later.
    this.#ended.catch(() => undefined);
  }

  /** The first valid message, which is also passed on; undefined if the input ends before. */
  first(): Promise<Message | undefined> {
    return this.#first;
  }

  /** Resolves when the client has closed its end. Rejects with `LineTooLong`. */
  async ended(): Promise<void> {
    await this.#ended;
  }

  /** Passes on messages from now on. Called by the SDK. */
  async start(): Promise<void> {
    this.#start();
  }

  /** Called by the SDK. */
  send(message: object): Promise<void> {
    const { id, method } = message as Message;
    if (method === undefined && id !== undefined) this.#settle(id);
    return this.#write(message);
  }

  /** Reads no more, and resolves when every request that was read is answered. */
  async drain(): Promise<void> {
    this.#stdin.destroy();
    if (this.#underWay.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#allAnswered = resolve;
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stdin.destroy();
    this.#allAnswered();
    this.onclose?.();
  }

  async #readAll(): Promise<void> {
    try {
      for await (const line of linesOf(this.#stdin)) await this.#read(line);
    } catch (error) {
      // An input that fails has ended.
      if (!(error instanceof LineTooLong)) return;
      void this.#write(errorAnswer({ id: null, code: INVALID_REQUEST, message: error.message }));
      throw error;
    } finally {
      this.#firstCame(undefined);
    }
  }

  async #read(line: string): Promise<void> {
    const read = lineIn(line);
    // A client that reads no answers is not read either.
    for (const refused of 'refused' in read ? read.refused : []) await this.#write(errorAnswer(refused));
    if ('refused' in read) return;
    const { message } = read;
    if (awaitsAnswer(message) && message.id !== undefined) this.#underWay.add(message.id);
    // A request that its client cancelled is not answered.
    if (message.method === 'notifications/cancelled') this.#settle(message.params?.requestId as RequestId);
    this.#firstCame(message);
    // The client waits until the adapter of its protocol is loaded.
    await this.#started;
    this.onmessage?.(message);
  }

  #settle(id: RequestId): void {
    this.#underWay.delete(id);
    if (this.#underWay.size === 0) this.#allAnswered();
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stdout.write(`${JSON.stringify(message)}\n`)) resolve();
      else this.#stdout.once('drain', resolve);
    });
  }
}

/** The lines of an input that are not empty. The last one may lack its end. Throws `LineTooLong`. */
async function* linesOf(stdin: Readable): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer) => {
    length += part.length;
    if (length > MAX_LINE) throw new LineTooLong();
    parts.push(part);
  };
  const whole = () => {
    // Some clients end a message as C ends a string. JSON has no such character.
    const text = Buffer.concat(parts).toString('utf8').replaceAll('\0', '').trim();
    parts = [];
    length = 0;
    return text;
  };
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      keep(chunk.subarray(from, end));
      from = end + 1;
      const line = whole();
      if (line !== '') yield line;
    }
    keep(chunk.subarray(from));
  }
  const last = whole();
  if (last !== '') yield last;
}

function lineIn(text: string): { message: Message } | { refused: Refused[] } {
  const json = jsonIn(text);
  if ('refused' in json) return { refused: [json.refused] };
  const read = Array.isArray(json.value) ? undefined : messageIn(json.value);
  if (read) return 'message' in read ? read : { refused: [read.refused] };
  // Each request of an array is refused. Only one version of the protocol has arrays, and no SDK reads them over stdio.
  const ids = [json.value]
    .flat()
    .map(refusedId)
    .filter((id) => id !== null);
  const message = 'An array is no message; send one message a line. Nothing was done.';
  return { refused: (ids.length === 0 ? [null] : ids).map((id) => ({ id, code: INVALID_REQUEST, message })) };
}
