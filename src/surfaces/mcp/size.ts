import { SwitchboardError } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import { jsonText } from '../../lib/text.ts';

/**
 * Of a tool result's JSON, in bytes. A result carries it twice, as text and as structuredContent, and the SDK's stdio
 * client closes on a message of more than 10 MiB.
 */
const MAX_RESULT = 2 * 1024 * 1024;

const bytes = (value: unknown): number => Buffer.byteLength(jsonText(value));
const mib = (size: number): string => `${(size / 1024 / 1024).toFixed(1)} MiB`;

/** What a read answered, where one message can hold it. Throws otherwise, with the way to ask for less. */
export function wholeRead(value: Fields, fields: readonly string[]): Fields {
  const size = bytes(value);
  if (size <= MAX_RESULT) return value;
  const narrowing = fields.length === 0 ? 'Ask for one record at a time' : `Page or filter with ${fields.join(', ')}`;
  throw new SwitchboardError({
    code: 'server_error',
    message: `The answer has ${mib(size)}, and a result holds at most ${mib(MAX_RESULT)}. Nothing was changed. ${narrowing}, or read it with switchboard call on a terminal.`,
    outcome: 'not_done',
  });
}

/**
 * What a change answered, as much of it as one message can hold: the largest members are left out and named in
 * `Warning`. The ledger has the answer whole.
 */
export function shortened(value: Fields): Fields {
  const size = bytes(value);
  if (size <= MAX_RESULT) return value;
  const sizes = Object.entries(value).map(([name, member]) => ({ name, size: bytes(member) + name.length + 4 }));
  // Room for the warning itself.
  let left = size + 2000;
  const out = new Set<string>();
  for (const { name, size: weight } of sizes.sort((one, other) => other.size - one.size)) {
    if (left <= MAX_RESULT) break;
    out.add(name);
    left -= weight;
  }
  const kept = Object.fromEntries(Object.entries(value).filter(([name]) => !out.has(name)));
  const names = [...out].slice(0, 10).map((name) => name.slice(0, 60));
  const note = `The answer has ${mib(size)} and is shortened here: ${names.join(', ')}${out.size > names.length ? ' and more' : ''} left out. What was asked for was sent; this does not change how it ended.`;
  return { ...kept, Warning: [kept.Warning, note].filter((text) => typeof text === 'string').join(' ') };
}
