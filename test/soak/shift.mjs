// Loaded into the product's process (node --import). Its clock runs ahead by the milliseconds that a file contains.
// With SOAK_TIME_PASSES its monotonic clock does too, as if that time had passed; otherwise the clock is only set
// ahead.
import { readFileSync } from 'node:fs';

const file = process.env.SOAK_SHIFT_FILE ?? '';
const real = Date.now.bind(Date);
const monotonic = process.hrtime.bigint.bind(process.hrtime);
let shift = 0;
let readAt = 0;

function shiftNow() {
  const at = real();
  if (at - readAt >= 5) {
    readAt = at;
    // Empty for a moment while it is written.
    shift = Number(readFileSync(file, 'utf8')) || shift;
  }
  return shift;
}

Date.now = () => real() + shiftNow();
if (process.env.SOAK_TIME_PASSES) process.hrtime.bigint = () => monotonic() + BigInt(shiftNow()) * 1_000_000n;
