import type { Fields } from '../../src/lib/json.ts';
import numbersGet from '../numbers/get.ts';

/** The read whose answer has the current activation code of a number's eSIM (PLATFORM.md, Number record). */
export function activationRead(phone: string): { operation: string; input: Fields } {
  return { operation: numbersGet.id, input: { PhoneNumber: phone } };
}
