import type { Readable, Writable } from 'node:stream';
import {
  awaitsAnswer,
  errorAnswer,
  jsonIn,
  type Message,
  messageIn,
  type Refused,
  type RequestId,
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

const MIB = 1024 * 1024;
/** Maximum length of a line, in bytes. */
const MAX_LINE = 10 * MIB;

const LINE_FEED = 0x0a;
/** Some clients end a message as C ends a string. JSON has no such character. */
const NUL = 0;

/** A line that is too long to be read. The connection cannot go on, because the rest of the line is no message. */
export class LineTooLong extends Error {
  constructor() {
    super(`A line on stdin has more than ${MAX_LINE / MIB} MiB. Send less at once, for example a batch in parts.`);
  }
}

/**
 * The connection to a client over stdio, one JSON message a line, for the SDKs of both protocols. Lines that are no
 * valid message are answered here.
 */
export class StdioTransport {
  onmessage: ((message: Message) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  /** The beginning of a line whose end has not arrived. */
  #rest: Buffer[] = [];
  #restLength = 0;
  /** Messages that arrived before `start`. */
  #early: Message[] = [];
  #isStarted = false;
  #isClosed = false;
  readonly #underWay = new Set<RequestId>();
  readonly #first: Promise<Message | undefined>;
  #firstCame: (message: Message | undefined) => void = () => undefined;
  #allAnswered: () => void = () => undefined;
  readonly #ended: Promise<void>;
  #end: () => void = () => undefined;
  #fail: (error: Error) => void = () => undefined;

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#first = new Promise((resolve) => {
      this.#firstCame = resolve;
    });
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
    // The failure is for the caller of `ended`, who may ask for it later.
    this.#ended.catch(() => undefined);
    stdin.on('data', this.#read);
    stdin.on('error', this.#inputEnded);
    stdin.once('end', this.#inputEnded);
    stdin.once('close', this.#inputEnded);
    stdout.once('close', this.#end);
  }

  /** The first valid message, which is also passed on; undefined if the input ends before. */
  first(): Promise<Message | undefined> {
    return this.#first;
  }

  /** Resolves when the client has closed its end. Rejects with `LineTooLong`. */
  ended(): Promise<void> {
    return this.#ended;
  }

  /** Passes on messages from now on. Called by the SDK. */
  async start(): Promise<void> {
    this.#isStarted = true;
    for (const message of this.#early.splice(0)) this.onmessage?.(message);
    if (!this.#isClosed) this.#stdin.resume();
  }

  /** Called by the SDK. */
  send(message: object): Promise<void> {
    const { id, method } = message as Message;
    if (method === undefined && id !== undefined) this.#settle(id);
    return this.#write(message);
  }

  /** Reads no more, and resolves when every request that was read is answered. */
  async drain(): Promise<void> {
    this.#stopReading();
    if (this.#underWay.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#allAnswered = resolve;
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopReading();
    this.#allAnswered();
    this.onclose?.();
  }

  readonly #read = (chunk: Buffer): void => {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (chunk[at] !== LINE_FEED && chunk[at] !== NUL) continue;
      if (!this.#keep(chunk.subarray(from, at))) return;
      this.#readLine();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  };

  /** Keeps a part of a line. False if the line is too long; the connection has ended then. */
  #keep(part: Buffer): boolean {
    this.#restLength += part.length;
    if (this.#restLength <= MAX_LINE) {
      this.#rest.push(part);
      return true;
    }
    const error = new LineTooLong();
    this.#refuse([{ id: null, code: INVALID_REQUEST, message: error.message }]);
    this.#stopReading();
    this.#firstCame(undefined);
    this.#fail(error);
    return false;
  }

  #readLine(): void {
    const text = Buffer.concat(this.#rest).toString('utf8').trim();
    this.#rest = [];
    this.#restLength = 0;
    if (text === '') return;
    const read = lineIn(text);
    if ('message' in read) this.#receive(read.message);
    else this.#refuse(read.refused);
  }

  #receive(message: Message): void {
    if (awaitsAnswer(message) && message.id !== undefined) this.#underWay.add(message.id);
    // A request that its client cancelled is not answered.
    if (message.method === 'notifications/cancelled') this.#settle(message.params?.requestId as RequestId);
    if (this.#isStarted) {
      this.onmessage?.(message);
      return;
    }
    this.#early.push(message);
    // The client waits until the adapter of its protocol is loaded.
    this.#stdin.pause();
    this.#firstCame(message);
  }

  #settle(id: RequestId): void {
    this.#underWay.delete(id);
    if (this.#underWay.size === 0) this.#allAnswered();
  }

  #refuse(all: readonly Refused[]): void {
    for (const refused of all) void this.#write(errorAnswer(refused));
    if (!this.#stdout.writableNeedDrain) return;
    // A client that reads no answers must not make them pile up.
    this.#stdin.pause();
    this.#stdout.once('drain', () => {
      if (this.#isStarted && !this.#isClosed) this.#stdin.resume();
    });
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stdout.write(`${JSON.stringify(message)}\n`)) resolve();
      else this.#stdout.once('drain', resolve);
    });
  }

  readonly #inputEnded = (): void => {
    // The last line may lack its end.
    if (this.#restLength > 0) this.#readLine();
    this.#firstCame(undefined);
    this.#end();
  };

  #stopReading(): void {
    this.#stdin.off('data', this.#read);
    this.#stdin.pause();
    this.#rest = [];
    this.#restLength = 0;
  }
}

function lineIn(text: string): { message: Message } | { refused: Refused[] } {
  const json = jsonIn(text);
  if ('refused' in json) return { refused: [json.refused] };
  if (Array.isArray(json.value)) return { refused: refusedArray(json.value) };
  const read = messageIn(json.value);
  return 'message' in read ? read : { refused: [read.refused] };
}

/** Refuses each request of an array. Only one version of the protocol has arrays, and no SDK reads them over stdio. */
function refusedArray(messages: readonly unknown[]): Refused[] {
  const message = 'An array is no message; send one message a line. Nothing was done.';
  const ids = messages.flatMap((one) => {
    const read = messageIn(one);
    if ('refused' in read) return read.refused.id === null ? [] : [read.refused.id];
    return read.message.id === undefined || read.message.method === undefined ? [] : [read.message.id];
  });
  return (ids.length === 0 ? [null] : ids).map((id) => ({ id, code: INVALID_REQUEST, message }));
}
