import { crc32, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { qrLines, qrModules, qrPng, qrSvg } from '../../src/lib/qr.ts';

const CODE = 'LPA:1$smdp.example.com$K7Q2-9X4P-ABCD';

/** The pixels of a PNG of eight bits per pixel; true is dark. Checks the sum of every chunk. */
function pixels(png: Buffer): boolean[][] {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4));
    at += 12 + length;
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const data = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  return Array.from({ length: height }, (_row, y) =>
    Array.from({ length: width }, (_pixel, x) => data[y * (1 + width) + 1 + x] === 0),
  );
}

/** The modules that lines of half blocks draw. */
function drawn(lines: readonly string[]): boolean[][] {
  return lines.flatMap((line) => [
    [...line].map((character) => '█▀'.includes(character)),
    [...line].map((character) => '█▄'.includes(character)),
  ]);
}

describe('a QR code', () => {
  const modules = qrModules(CODE) ?? [];

  it('is the same in a PNG, at any scale', () => {
    for (const scale of [1, 3]) {
      const image = pixels(qrPng(CODE, scale) ?? Buffer.alloc(0));
      expect(image).toHaveLength(modules.length * scale);
      expect(modules.map((row, y) => row.map((_, x) => image[y * scale]?.[x * scale + scale - 1]))).toEqual(modules);
    }
  });

  it('is the same in text, drawn in dark or in light', () => {
    // The last line may have a lower half in which nothing is drawn.
    expect(drawn(qrLines(CODE, 'dark') ?? []).slice(0, modules.length)).toEqual(modules);
    const light = modules.map((row) => row.map((isDark) => !isDark));
    expect(drawn(qrLines(CODE, 'light') ?? []).slice(0, modules.length)).toEqual(light);
  });

  it('is not made of a text that no code holds', () => {
    for (const text of ['', 'x'.repeat(2_332)])
      expect([qrModules(text), qrLines(text, 'dark'), qrSvg(text), qrPng(text)]).toEqual(Array(4).fill(undefined));
    expect(qrModules('x'.repeat(2_331))).toBeDefined();
  });
});
