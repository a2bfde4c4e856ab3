import { type Fields, isRecord, tooDeep } from '../../lib/json.ts';
import { errorStatus, isSuccessWord, memberOf, namesErrors, saysNo } from './members.ts';

/* The body of an answer: its JSON, and the record inside the envelope (PLATFORM.md, Errors). */

/** The value of a body. An empty one is `{}`, and the plain word `success` stays a text. Throws for any other text. */
export function parseBody(text: string): unknown {
  if (isSuccessWord(text)) return text.trim();
  return text.trim() === '' ? {} : parseJson(text);
}

/** JSON.parse without `__proto__` members, which would be dangerous wherever the answer is copied. */
export function parseJson(text: string): unknown {
  if (tooDeep(text)) throw new SyntaxError('nested too deeply');
  if (!/__proto__|\\u00/i.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value));
}

/** Members of an envelope that carry no information if the call succeeded. */
const PLAIN: ReadonlySet<string> = new Set(['message', 'messages', 'statuscode', 'errors', 'error', 'timestamp']);
const FLAGS: ReadonlySet<string> = new Set(['successful', 'success']);

/**
 * Normalises a body: an array becomes `Results`, an envelope its content, null `{}`, and any other scalar `Result`. The
 * envelope of a change keeps its flag, because the content may not say whether the work was done.
 */
export function unwrapped(body: unknown, read: boolean): Fields {
  if (body === null || body === undefined) return {};
  if (Array.isArray(body)) return { Results: body };
  if (!isRecord(body)) return { Result: body };
  const keys = Object.keys(body).map((key) => key.toLowerCase());
  if (!keys.includes('data') || !keys.some((key) => key === 'successful' || key === 'success')) return body;
  const data = body.Data ?? body.data ?? memberOf(body, 'Data');
  const failed = saysNo(body) || errorStatus(body) !== undefined || namesErrors(body);
  const others = Object.entries(body).filter(([key]) => {
    const name = key.toLowerCase();
    if (name === 'data') return false;
    return failed || !(PLAIN.has(name) || (read && FLAGS.has(name)));
  });
  const told = others.filter(([key]) => !FLAGS.has(key.toLowerCase()));
  const scalar = data !== null && data !== undefined && typeof data !== 'object';
  if (scalar && told.length > 0) return body;
  // The content of an envelope cannot override the envelope's failure.
  return { ...Object.fromEntries(others), ...unwrapped(data, read), ...(saysNo(body) && { Successful: false }) };
}
