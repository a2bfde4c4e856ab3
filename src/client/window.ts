import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Window } from '../platform/types.ts';

/** The budget's window in this process's memory; `store/window.ts` shares one between processes. */
export function createMemoryWindow(clock: Clock): Window {
  const lanes = new Map<string, Map<string, number>>();
  const live = (lane: string) => {
    let places = lanes.get(lane);
    if (!places) lanes.set(lane, (places = new Map()));
    const now = clock.now();
    for (const [id, freeAt] of places) if (freeAt <= now) places.delete(id);
    return places;
  };
  return {
    take: (lane, limit, holdMs) => {
      const places = live(lane);
      if (places.size >= limit) return { freeAt: Math.min(...places.values()) };
      const id = randomUUID();
      places.set(id, clock.now() + holdMs);
      return { id };
    },
    release: (id, at) => {
      for (const places of lanes.values()) if (places.has(id)) places.set(id, at);
    },
    held: (lane) => live(lane).size,
  };
}
