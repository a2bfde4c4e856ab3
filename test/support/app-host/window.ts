/** The behaviour of this host. */
export interface HostSetup {
  /** `refuse` answers with `isError`, `error` with an error; `none` does not offer to open links. */
  links?: 'open' | 'refuse' | 'error' | 'none';
  serverTools?: boolean;
  /** Members of the host's context; the theme follows the browser's colour scheme. */
  context?: Record<string, unknown>;
  /** Leaves `_meta` out of results, as some hosts do. */
  stripsMeta?: boolean;
  /** Shows the view in a frame of a page on another origin that passes messages on, as the official host does. */
  isProxied?: boolean;
}

/** Functions of the host's page that the tests call. */
export interface HostWindow {
  startHost(setup: HostSetup): void;
  host: {
    /** Calls, links, errors, and that the view is ready, in order. */
    log: string[];
    send(result: object): Promise<void>;
    context(changed: object): Promise<void>;
    teardown(): Promise<unknown>;
    /** Sends the view a message as it is. */
    raw(message: unknown): void;
  };
}
