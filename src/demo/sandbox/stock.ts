import { badField } from './errors.ts';
import type { State } from './records.ts';

/** Rows per page (PLATFORM.md, Limits). */
const PAGE_SIZE = 100;

export interface Area {
  NGP: string;
  AreaCode: string;
  ZipCode: string;
}

/**
 * The areas in which the sandbox has numbers. They are the area codes of the North American plan that can be in use,
 * without service codes (N11) and reserved codes (N9X). Other area codes have no inventory.
 */
const STOCK: readonly Area[] = Array.from({ length: 800 }, (_, index) => index + 200)
  .filter((code) => code % 100 !== 11 && Math.floor(code / 10) % 10 !== 9)
  .map((code) => ({ NGP: areaName(code), AreaCode: String(code), ZipCode: String(10_000 + ((code * 97) % 89_999)) }));

function areaName(code: number): string {
  const letter = (n: number) => String.fromCharCode(65 + (n % 26));
  return letter(code * 7) + letter(Math.floor(code / 3)) + letter(code * 11 + 5);
}

/** Returns the areas with inventory for the area code, or else for the zip code; all areas when neither is given. */
export function areasFor(areaCode: string | null, zipCode: string | null): readonly Area[] {
  const byCode = areaCode === null ? [] : STOCK.filter((area) => area.AreaCode === areaCode);
  if (byCode.length > 0) return byCode;
  const byZip = zipCode === null ? undefined : STOCK[Number(zipCode) % STOCK.length];
  if (byZip !== undefined && zipCode !== null) return [{ ...byZip, ZipCode: zipCode }];
  return areaCode === null ? STOCK : [];
}

/**
 * Returns the next number of an area, from +1<AreaCode>5552000 upward. Numbers that were ever given out are skipped.
 */
export function nextNumber(state: State, areaCode: string, reserved: readonly string[] = []): string {
  const used = new Set([
    ...reserved,
    ...state.numbers.map((row) => row.Number),
    ...state.orders.flatMap((order) => order.Numbers),
    // Numbers that scheduled swaps and replacements will assign.
    ...state.orders.flatMap((order) => order.StatusChange?.rows.map((row) => row.number) ?? []),
  ]);
  for (let line = 2000; line <= 9999; line += 1) {
    const number = `+1${areaCode}555${line}`;
    if (!used.has(number)) return number;
  }
  throw badField('AreaCode', 'has no numbers available');
}

/**
 * Converts the page and page size of a query to a range of rows. Pages start at 1. `names` has the query's names for
 * both.
 */
export function sharesOfPage(
  pageNumber: string | null,
  requested: string | null,
  names = { page: 'PageNumber', size: 'TotalNumbersRequested' },
) {
  const whole = (name: string, text: string | null, otherwise: number): number => {
    if (text === null) return otherwise;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw badField(name, 'must be a whole number from 1');
    return Number(text);
  };
  const number = whole(names.page, pageNumber, 1);
  const size = Math.min(whole(names.size, requested, PAGE_SIZE), PAGE_SIZE);
  return { number, from: (number - 1) * size, to: number * size };
}
