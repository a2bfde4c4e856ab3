// A plain server that has each body on the disk before it answers: node bare-fsync.mjs FILE [together]
// Each body is flushed by itself; with `together`, all that arrived in one turn share a flush.
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';

const [path, mode] = process.argv.slice(2);
const file = openSync(path, 'a');
const answer = '{"received":true}';
const headers = { 'content-type': 'application/json', 'content-length': answer.length };
const waiting = [];

function flush() {
  const batch = waiting.splice(0);
  writeSync(file, Buffer.concat(batch.map(({ body }) => body)));
  fdatasyncSync(file);
  for (const { response } of batch) response.writeHead(200, headers).end(answer);
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (waiting.push({ body: Buffer.concat(chunks), response }) > 1) return;
    if (mode === 'together') setImmediate(flush);
    else flush();
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
