import type { Page } from 'playwright-core';

/** Both pictures are shrunk to this many columns and rows, so that the drawing of single letters does not count. */
const CELLS = 48;

/**
 * Returns the difference of two PNG pictures: 0 for the same, 1 for black beside white. Runs in the page, which has a
 * decoder.
 */
export function difference(page: Page, one: Buffer, other: Buffer): Promise<number> {
  const sources = JSON.stringify([one, other].map((png) => `data:image/png;base64,${png.toString('base64')}`));
  return page.evaluate<number>(`(async () => {
    const cells = [];
    for (const source of ${sources}) {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = ${CELLS};
      const context = canvas.getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, ${CELLS}, ${CELLS});
      cells.push(context.getImageData(0, 0, ${CELLS}, ${CELLS}).data);
    }
    let sum = 0;
    for (let at = 0; at < cells[0].length; at += 1) sum += Math.abs(cells[0][at] - cells[1][at]);
    return sum / cells[0].length / 255;
  })()`);
}

/** Returns true if this browser has a font with coloured emoji. Without one, pictures show empty boxes. */
export function drawsEmoji(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const context = document.createElement('canvas').getContext('2d');
    context.font = '32px sans-serif';
    context.fillText('\u2705', 0, 40);
    const { data } = context.getImageData(0, 0, 64, 64);
    return data.some((value, at) => at % 4 === 1 && value > data[at - 1] + 40);
  })()`);
}
