/** Maximum size of an answer, in bytes. */
const MAX_ANSWER = 16 * 1024 * 1024;
const LINE_FEED = 10;

/** Thrown while an answer is read that is longer than anything that is expected. The connection is closed. */
export class OversizedAnswer extends Error {
  override readonly name = 'OversizedAnswer';
}

/**
 * `fetch` that does not follow redirects: such an answer is returned with its status of 3xx. Reading an answer of more
 * than 16 MiB throws `OversizedAnswer`.
 *
 * With `redirect: 'error'`, `fetch` of Node 20 and 22 no longer ends the body when its signal is aborted, once garbage
 * has been collected (https://github.com/nodejs/undici/pull/4750).
 */
export async function fetchDirect(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  let size = 0;
  return checked(await fetch(input, { ...init, redirect: 'manual' }), (part) => {
    size += part.length;
    return size <= MAX_ANSWER;
  });
}

/** The same answer. Reading a line of more than this many bytes throws `OversizedAnswer`, before the line is kept. */
export function withLines(answer: Response, most: number): Response {
  let size = 0;
  return checked(answer, (part) => {
    for (let from = 0; from < part.length; ) {
      const end = part.indexOf(LINE_FEED, from);
      size += (end < 0 ? part.length : end) - from;
      if (size > most) return false;
      if (end < 0) return true;
      size = 0;
      from = end + 1;
    }
    return true;
  });
}

/** The same answer, whose body ends with an error at the first part that is not accepted. */
function checked(answer: Response, accepts: (part: Uint8Array) => boolean): Response {
  if (answer.body === null) return answer;
  const check = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      if (accepts(part)) controller.enqueue(part);
      else controller.error(new OversizedAnswer('the answer is longer than can be read'));
    },
  });
  const { status, statusText, headers } = answer;
  return new Response(answer.body.pipeThrough(check), { status, statusText, headers });
}
