import { plainForm } from '../../lib/text.ts';

/* The serial number of a SIM or eSIM profile (ICCID). */

const SERIAL = /^\d{18,21}[\dF]?$/i;

/** A serial without the spaces, dots and dashes between its groups. A trailing F stays: it is the platform's padding. */
export function readIccid(text: string): string {
  return plainForm(text).replace(/(?<=\d)[\s.-]+(?=[\dF])/gi, '');
}

/** True for a text of 18 to 22 digits. */
export function isIccid(text: string): boolean {
  return SERIAL.test(readIccid(text));
}

/** A remark about a serial that may be mistyped, after the name of its field; undefined if nothing speaks for that. */
export function iccidRemark(serial: string): string | undefined {
  const digits = serial.replace(/f$/i, '');
  if (!digits.startsWith('89')) return 'does not begin with 89, as serials of SIMs do. Compare it with the card.';
  // A serial of 18 digits leaves the check digit out.
  if (digits.length < 19 || luhnSum(digits) % 10 === 0) return undefined;
  return 'has a last digit that does not fit the others, so one may be mistyped. Compare it with the card.';
}

/** The sum by which the last digit checks the others (ISO/IEC 7812). */
function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, digit, at) => {
    const weighted = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return sum + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
}
