/** Tells whoever listens that a resource has changed, by its URI. One in a process. */
export interface Changes {
  announce(uri: string): void;
  /** Returns what ends it. */
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
