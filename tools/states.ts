import type { Call } from '../src/operation.ts';

/** How many numbers are named one by one in what a reading saw. */
const NAMED = 10;

/** Reads the states of numbers, and says in words what was read. Rejects where one cannot be read. */
export async function readStates(numbers: readonly { Number: string }[], call: Call) {
  const states = await Promise.all(
    numbers.map(async (row) => String((await call('numbers_get', { PhoneNumber: row.Number })).Status)),
  );
  const named = numbers.slice(0, NAMED).map((row, at) => `${row.Number} is "${states[at]}"`);
  const rest = numbers.length > NAMED ? ` and ${numbers.length - NAMED} more` : '';
  return { states, saw: `numbers_get says that ${named.join(', ')}${rest}` };
}
