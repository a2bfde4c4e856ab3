import { SwitchboardError } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import { jsonText } from '../../lib/text.ts';

/**
 * The largest JSON of a tool result, in bytes. A result contains it twice, as text and as structuredContent, and the SDK's stdio
 * client closes on a message of more than 10 MiB.
 */
const MAX_RESULT = 2 * 1024 * 1024;

const bytes = (value: unknown): number => Buffer.byteLength(jsonText(value));
/** True if a message can hold a result with this JSON. */
export const fits = (json: string): boolean => Buffer.byteLength(json) <= MAX_RESULT;
const mib = (size: number): string => `${(size / 1024 / 1024).toFixed(1)} MiB`;

/** The error of a read whose answer no message can hold. It says how to ask for less. */
export function tooLarge(json: string, fields: readonly string[]): SwitchboardError {
  const narrowing = fields.length === 0 ? 'Ask for one record at a time' : `Page or filter with ${fields.join(', ')}`;
  return new SwitchboardError({
    code: 'server_error',
    message: `The answer is ${mib(Buffer.byteLength(json))}, and a result can hold at most ${mib(MAX_RESULT)}.`,
    effect: 'nothing_changed',
    next: `${narrowing}, or read it with switchboard call on a terminal.`,
    outcome: 'not_done',
  });
}

/**
 * The answer of a change, shortened to the size of one message. The largest members are left out and named in
 * `Warning`. The ledger has the complete answer.
 */
export function shortened(value: Fields): Fields {
  const size = bytes(value);
  if (size <= MAX_RESULT) return value;
  const sizes = Object.entries(value).map(([name, member]) => ({ name, size: bytes(member) + name.length + 4 }));
  // The constant leaves space for the warning itself.
  let left = size + 2000;
  const out = new Set<string>();
  for (const { name, size: weight } of sizes.sort((one, other) => other.size - one.size)) {
    if (left <= MAX_RESULT) break;
    out.add(name);
    left -= weight;
  }
  const kept = Object.fromEntries(Object.entries(value).filter(([name]) => !out.has(name)));
  const names = [...out].slice(0, 10).map((name) => name.slice(0, 60));
  const note = `The answer is ${mib(size)} and is shortened here: ${names.join(', ')}${out.size > names.length ? ' and more' : ''} left out. The request was sent in full; this does not change its outcome.`;
  return { ...kept, Warning: [kept.Warning, note].filter((text) => typeof text === 'string').join(' ') };
}
