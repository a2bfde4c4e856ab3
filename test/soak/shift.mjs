// Loaded into the product's process (node --import): its clock runs ahead by the milliseconds that stand in a file.
import { readFileSync } from 'node:fs';

const file = process.env.SOAK_SHIFT_FILE ?? '';
const real = Date.now.bind(Date);
let shift = 0;
let readAt = 0;

Date.now = () => {
  const at = real();
  if (at - readAt >= 5) {
    readAt = at;
    // Empty for a moment while it is written.
    shift = Number(readFileSync(file, 'utf8')) || shift;
  }
  return at + shift;
};
