import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { EventsHttp, type EventsOptions } from '../../src/events/http.ts';
import { type Inbox, openInbox } from '../../src/events/inbox.ts';
import { type PlatformEvent, parseDelivery } from '../../src/events/parse.ts';
import { Worker, type WorkerOptions } from '../../src/events/worker.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';

export const START = Date.parse('2026-03-02T12:00:00.000Z');
export const ORDER_1 = 'JNUOID-00000000-0000-4000-8000-000000000001';

/** A clock turned by hand; timers run in order as it passes them. */
export class FakeClock implements Clock {
  private at = START;
  private timers: { at: number; run: () => void }[] = [];
  now(): number {
    return this.at;
  }
  setTimeout(run: () => void, ms: number): unknown {
    const timer = { at: this.at + ms, run };
    this.timers.push(timer);
    return timer;
  }
  clearTimeout(handle: unknown): void {
    this.timers = this.timers.filter((timer) => timer !== handle);
  }
  get waiting(): number {
    return this.timers.length;
  }
  /** Passes so much time, letting what each timer sets off come to rest before the next. */
  async pass(ms: number, rest: () => Promise<void>): Promise<void> {
    const end = this.at + ms;
    await rest();
    for (;;) {
      const next = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.clearTimeout(next);
      this.at = Math.max(this.at, next.at);
      next.run();
      await rest();
    }
    this.at = end;
    await rest();
  }
}

export function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'sb-events-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export function tempInbox(clock: Clock = systemClock, path = join(scratch(), 'events.db')): Inbox & { path: string } {
  const inbox = openInbox({ path, clock });
  onTestFinished(() => inbox.close());
  return Object.assign(inbox, { path });
}

export function worker(options: Partial<WorkerOptions> & Pick<WorkerOptions, 'inbox'>) {
  const made = new Worker({
    clock: systemClock,
    log: () => undefined,
    readOrder: async () => ({ status: 'Submitted', message: '' }),
    ...options,
  });
  onTestFinished(() => made.stop());
  return made;
}

/** A loopback server with nothing but `/events/…`. */
export async function serve(options: Partial<EventsOptions> & Pick<EventsOptions, 'inbox'>) {
  const events = new EventsHttp({ config: {}, clock: systemClock, log: () => undefined, ...options });
  const server = createServer((request, response) => {
    void events.handle(request, response, (request.url ?? '/').split('?')[0] ?? '/').then((ours) => {
      if (!ours) response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}` };
}

export function event(fields: Record<string, unknown>, named?: string): PlatformEvent {
  const parsed = parseDelivery({
    endpoint: 'platform',
    body: Buffer.from(JSON.stringify(fields)),
    contentType: 'application/json',
    named,
  });
  if (!('event' in parsed)) throw new Error(parsed.message);
  return parsed.event;
}

export const order = (Status: string, OrderId = ORDER_1, ErrorMessage = '') => event({ OrderId, Status, ErrorMessage });
export const sms = (n: number, From = '+15550001111') =>
  event({ MessageId: `TMID-${n}`, Direction: 'INBOUND', From, To: '+12015550101', Body: `text ${n}` });

export async function until(what: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await what())) {
    if (Date.now() > end) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
