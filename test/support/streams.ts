import { PassThrough } from 'node:stream';

/** The streams of a command that runs in this process, and what it has written so far. `isTTY`: they are a terminal. */
export function streams(isTTY = false) {
  const stream = () => Object.assign(new PassThrough(), { isTTY });
  const [stdin, stdout, stderr] = [stream(), stream(), stream()];
  const said = { out: '', err: '' };
  stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  return { stdin, stdout, stderr, said };
}
