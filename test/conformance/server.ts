import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { foreign } from '../../src/lib/http.ts';
import { HttpEras } from '../../src/surfaces/mcp/http.ts';
import { changes, defineEverything } from './everything.ts';

/*
 * Serves the conformance suite at /mcp of a free port and prints the address: Switchboard's adapters, with its check of Host
 * and Origin before them, over the suite's own tools. Ends with its stdin.
 */

const eras = new HttpEras(changes, (error) => process.stderr.write(`${String(error)}\n`));
const server = createServer((request, response) => {
  if (foreign(request, []) !== undefined) {
    response.writeHead(403).end();
    return;
  }
  eras
    .handle({ request, response }, { id: 'suite', hasToken: true }, ({ changes: given }) =>
      defineEverything(given ? { changes: given } : {}),
    )
    .catch((error: unknown) => response.destroy(error as Error));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`);
});
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
