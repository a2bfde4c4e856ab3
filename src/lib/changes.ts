/** Announces to listeners that a resource has changed, by its URI. One for each process. */
export interface Changes {
  announce(uri: string): void;
  /** Returns a function that removes the listener. */
  listen(listener: (uri: string) => void): () => void;
}

export function createChanges(): Changes {
  const listeners = new Set<(uri: string) => void>();
  return {
    announce: (uri) => {
      for (const listener of listeners) listener(uri);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
