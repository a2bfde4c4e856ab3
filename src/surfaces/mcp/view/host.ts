// The connection to the host: JSON-RPC in messages between windows (MCP Apps, protocol 2026-01-26).
import { isRecord, type Members } from './shapes.ts';

const VERSION = '2026-01-26';
const METHOD_NOT_FOUND = -32601;
/** Longest wait for an answer, in ms. A host may drop a message, and may ask its user before it answers. */
const WAIT_MS = 120_000;

/** The capabilities of the host, and the look that it wants. The members are not checked. */
export interface HostInfo {
  capabilities: Members;
  context: Members;
}

/** Called with the parameters of the host's messages. They may have any shape. */
export interface HostListeners {
  result(params: unknown): void;
  cancelled(): void;
  context(changed: Members): void;
  teardown(): void;
}

/** The answer to a request of the view. An error has a sentence, which may be empty. */
export type Answer = { result: Members } | { error: string };

export class Host {
  readonly #window: Window;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #last = 0;

  /** Listens from now on, so that no message of the host is missed. */
  constructor(hostWindow: Window, listeners: HostListeners) {
    this.#window = hostWindow;
    window.addEventListener('message', ({ source, data }) => {
      if (source === hostWindow && isRecord(data) && data.jsonrpc === '2.0') this.#receive(data, listeners);
    });
  }

  /** Introduces the view, after which the host sends the result. */
  async open(): Promise<HostInfo | undefined> {
    const answer = await this.request('ui/initialize', {
      appInfo: { name: 'switchboard-view', version: '1' },
      appCapabilities: { availableDisplayModes: ['inline'] },
      protocolVersion: VERSION,
    });
    if ('error' in answer) return undefined;
    const { hostCapabilities, hostContext } = answer.result;
    this.notify('ui/notifications/initialized', {});
    return {
      capabilities: isRecord(hostCapabilities) ? hostCapabilities : {},
      context: isRecord(hostContext) ? hostContext : {},
    };
  }

  request(method: string, params: Members): Promise<Answer> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle({ id }), WAIT_MS);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: Members): void {
    this.#send({ method, params });
  }

  #receive(message: Members, listeners: HostListeners): void {
    const { id, method, params } = message;
    if (typeof method !== 'string') {
      this.#settle(message);
      return;
    }
    if (method === 'ui/notifications/tool-result') listeners.result(params);
    else if (method === 'ui/notifications/tool-cancelled') listeners.cancelled();
    else if (method === 'ui/notifications/host-context-changed') listeners.context(isRecord(params) ? params : {});
    else if (method === 'ui/resource-teardown') listeners.teardown();
    if (typeof id !== 'number' && typeof id !== 'string') return;
    const isKnown = method === 'ui/resource-teardown' || method === 'ping';
    const error = { code: METHOD_NOT_FOUND, message: 'The view has no such method.' };
    this.#send(isKnown ? { id, result: {} } : { id, error });
  }

  #settle({ id, result, error }: Members): void {
    const resolve = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (typeof id !== 'number' || resolve === undefined) return;
    this.#waiting.delete(id);
    const text = isRecord(error) && typeof error.message === 'string' ? error.message : '';
    resolve(isRecord(result) ? { result } : { error: text });
  }

  #send(message: Members): void {
    // A view in a sandbox cannot know the origin of its host. Its messages hold nothing that the host does not know.
    this.#window.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }
}
