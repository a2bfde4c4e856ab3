import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROOT } from './build.ts';

/** A package as package-lock.json describes it. */
interface Locked {
  version: string;
  /** The address of its tarball. */
  resolved?: string;
  integrity?: string;
}

/**
 * A registry on this machine that knows the packages of package-lock.json, so that an installation resolves offline.
 * Tarballs have the addresses of the lock file: npm takes them from its cache, where `npm ci` has put them, and
 * otherwise from the public registry.
 */
export async function startRegistry(): Promise<{ url: string; close: () => Promise<void> }> {
  const known = packuments();
  const server = createServer((request, response) => {
    const found = known.get(decodeURIComponent((request.url ?? '').slice(1)));
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { error: 'not found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns a registry's description of each package, by name. */
function packuments(): Map<string, object> {
  const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const versions = new Map<string, Record<string, object>>();
  for (const [place, { resolved, integrity, ...described }] of Object.entries(lock.packages)) {
    const name = place.split('node_modules/').at(-1) ?? '';
    if (name === '') continue;
    const all = versions.get(name) ?? {};
    const tarball = resolved ?? tarballOf(name, described.version);
    all[described.version] = { ...described, name, dist: { tarball, integrity } };
    versions.set(name, all);
  }
  return new Map(
    [...versions].map(([name, all]) => [
      name,
      { name, versions: all, 'dist-tags': { latest: Object.keys(all).at(-1) } },
    ]),
  );
}

/** A lock file may leave out the address of a tarball of the public registry. */
function tarballOf(name: string, version: string): string {
  return `https://registry.npmjs.org/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
}
