import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { createMemoryWindow } from '../../src/platform/window.ts';
import type { Window } from '../../src/store/window.ts';
import { createSharedWindow } from '../../src/store/window.ts';

const folder = mkdtempSync(join(tmpdir(), 'switchboard-window-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function handClock(): Clock & { at: number } {
  const clock = { at: 1_000_000, now: () => clock.at, setTimeout: () => 0, clearTimeout: () => undefined };
  return clock;
}
const taken = (answer: ReturnType<Window['take']>): string => {
  if (!('id' in answer)) throw new Error(`no place; the next is free at ${answer.freeAt}`);
  return answer.id;
};

const kinds: [string, (clock: Clock) => Window][] = [
  ['in memory', createMemoryWindow],
  ['shared in a file', (clock) => createSharedWindow(join(folder, `${randomUUID()}.db`), clock)],
];

describe.each(kinds)('a window %s', (_name, make) => {
  it('gives no more places than the limit, and says when the next falls free', () => {
    const clock = handClock();
    const window = make(clock);
    for (let i = 0; i < 3; i += 1) taken(window.take('shared', 3, 90_000));
    expect(window.take('shared', 3, 90_000)).toEqual({ freeAt: clock.at + 90_000 });
    expect(window.held('shared')).toBe(3);
  });

  it('counts lanes apart', () => {
    const window = make(handClock());
    taken(window.take('provision', 1, 1000));
    taken(window.take('portin', 1, 1000));
    expect(window.take('provision', 1, 1000)).toHaveProperty('freeAt');
  });

  it('frees a place at the moment its release names, and not before', () => {
    const clock = handClock();
    const window = make(clock);
    const id = taken(window.take('shared', 1, 90_000));
    window.release(id, clock.at + 60_000);
    clock.at += 59_999;
    expect(window.take('shared', 1, 90_000)).toEqual({ freeAt: 1_060_000 });
    clock.at += 1;
    taken(window.take('shared', 1, 90_000));
  });

  it('frees what a lost release left, when its hold is over', () => {
    const clock = handClock();
    const window = make(clock);
    taken(window.take('shared', 1, 90_000));
    clock.at += 90_000;
    taken(window.take('shared', 1, 90_000));
    expect(window.held('shared')).toBe(1);
  });
});

it('keeps one limit over two processes on one file', () => {
  const clock = handClock();
  const path = join(folder, 'both.db');
  const [one, other] = [createSharedWindow(path, clock), createSharedWindow(path, clock)];
  const places = [one, other, one, other, one].map((window) => window.take('shared', 4, 90_000));
  expect(places.filter((place) => 'id' in place)).toHaveLength(4);
  expect(one.held('shared')).toBe(4);
  expect(other.held('shared')).toBe(4);
  one.close();
  other.close();
});
