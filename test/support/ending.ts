import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Runs this after the running test; outside of a test, after all tests of the file. The newest end runs first. */
export function atEnd(end: () => unknown): void {
  if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await end()));
  else ends.push(end);
}

/** Has a server listen on a free port until then. Returns the address. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
