import { crc32, deflateSync } from 'node:zlib';
import { encode, renderSVG, renderUnicodeCompact } from 'uqr';

/*
 * QR codes as rows of modules, lines of text, SVG and PNG. The eSIM's activation code is shown as one (GSMA SGP.22: the
 * code is the QR code's text).
 */

/** Light modules around the code that a reader needs (ISO/IEC 18004). */
const QUIET_ZONE = 4;
/** Error correction M: a reader gets along with a scratch or a reflection on a screen. */
const ECC = 'M';
/** Bytes that the largest code holds at that correction. */
const MAX_BYTES = 2_331;

/**
 * The modules of a QR code with its quiet zone, row by row; true is dark. Undefined for a text that no QR code holds:
 * an empty one, or one of more than 2,331 bytes.
 */
export function qrModules(text: string): boolean[][] | undefined {
  return drawn(text, (plain) => encode(plain, { ecc: ECC, border: QUIET_ZONE }).data);
}

/**
 * The code as lines of text for a terminal, two rows of modules in one line.
 *
 * @param ink what a character draws. `dark`: dark modules, for dark text on a light background. `light`: light modules,
 * for light text on a dark background.
 */
export function qrLines(text: string, ink: 'dark' | 'light'): string[] | undefined {
  const options = { ecc: ECC, border: QUIET_ZONE, invert: ink === 'dark' } as const;
  return drawn(text, (plain) => renderUnicodeCompact(plain, options).split('\n'));
}

/** The code as an SVG image, black on white. Undefined as for `qrModules`. */
export function qrSvg(text: string): string | undefined {
  return drawn(text, (plain) => renderSVG(plain, { ecc: ECC, border: QUIET_ZONE }));
}

/** Draws a text that fits. Half a surrogate pair, which no encoding holds, becomes a replacement character. */
function drawn<T>(text: string, draw: (plain: string) => T): T | undefined {
  return text !== '' && Buffer.byteLength(text) <= MAX_BYTES ? draw(Buffer.from(text).toString()) : undefined;
}

/**
 * The code as a PNG image, black on white. Undefined as for `qrModules`.
 *
 * @param scale pixels of a module's side
 */
export function qrPng(text: string, scale = 8): Buffer | undefined {
  const modules = qrModules(text);
  if (modules === undefined) return undefined;
  const size = modules.length * scale;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.writeUInt8(8, 8); // Bits per pixel; the other bytes are 0: greyscale, deflate, no filter, not interlaced.
  const lines = modules.flatMap((row) => {
    const pixels = row.flatMap((isDark) => Array<number>(scale).fill(isDark ? 0 : 255));
    return Array<Buffer>(scale).fill(Buffer.from([0, ...pixels]));
  });
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A chunk of a PNG file: length, type, data and check sum. */
function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
