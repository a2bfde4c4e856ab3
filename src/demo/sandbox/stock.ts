import { badField } from './errors.ts';
import type { State } from './records.ts';

/** 100 rows a page (PLATFORM.md, Limits). */
const PAGE_SIZE = 100;

export interface Area {
  NGP: string;
  AreaCode: string;
  ZipCode: string;
}

/**
 * Where the sandbox has numbers: every area code of the North American plan that can be in use, so not the service
 * codes (N11) and not the reserved ones (N9X). An area code outside it has no inventory.
 */
const STOCK: readonly Area[] = Array.from({ length: 800 }, (_, index) => index + 200)
  .filter((code) => code % 100 !== 11 && Math.floor(code / 10) % 10 !== 9)
  .map((code) => ({ NGP: areaName(code), AreaCode: String(code), ZipCode: String(10_000 + ((code * 97) % 89_999)) }));

function areaName(code: number): string {
  const letter = (n: number) => String.fromCharCode(65 + (n % 26));
  return letter(code * 7) + letter(Math.floor(code / 3)) + letter(code * 11 + 5);
}

/** The areas with inventory: of the area code, or else of the zip code, or all when neither is given. */
export function areasFor(areaCode: string | null, zipCode: string | null): readonly Area[] {
  const byCode = areaCode === null ? [] : STOCK.filter((area) => area.AreaCode === areaCode);
  if (byCode.length > 0) return byCode;
  const byZip = zipCode === null ? undefined : STOCK[Number(zipCode) % STOCK.length];
  if (byZip !== undefined && zipCode !== null) return [{ ...byZip, ZipCode: zipCode }];
  return areaCode === null ? STOCK : [];
}

/** The next number of an area: +1<AreaCode>5552000 upward, past any that was ever given out. */
export function nextNumber(state: State, areaCode: string, reserved: readonly string[] = []): string {
  const used = new Set([
    ...reserved,
    ...state.numbers.map((row) => row.Number),
    ...state.orders.flatMap((order) => order.Numbers),
    // What a scheduled swap or replacement will bring.
    ...state.orders.flatMap((order) => order.StatusChange?.rows.map((row) => row.number) ?? []),
  ]);
  for (let line = 2000; line <= 9999; line += 1) {
    const number = `+1${areaCode}555${line}`;
    if (!used.has(number)) return number;
  }
  throw badField('AreaCode', 'has no numbers available');
}

/** A page as text asks for it; pages start at 1. `names`: what the query calls page and size. */
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
