import { expect, it } from 'vitest';
import { qrModules } from '../../../src/lib/qr.ts';
import { faultsOf } from '../../support/axe.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { openDemoBrowser } from '../../support/demo-browser.ts';

describeInBrowser('the QR code of an eSIM in the playground', (openBrowser) => {
  it('is drawn in its window, beside its text, and gone from the address when the window is closed', async () => {
    const demo = await openDemoBrowser(openBrowser);
    try {
      const page = await demo.browser.newPage();
      await page.goto(demo.url);
      await page.locator('.welcome').waitFor();
      await page.locator('#input').fill('/numbers get +12015550101');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Show QR code', exact: true }).click();
      const picture = page.getByRole('img', { name: 'QR code of the eSIM of +12015550101', exact: true });
      await picture.waitFor();
      const code = (await page.locator('.modal code').last().textContent()) ?? '';
      expect(code).toMatch(/^https:..example\.invalid.esim.NID-/);
      expect(await faultsOf(page, 'QR code in Slack')).toEqual([]);
      const modules = qrModules(code) ?? [];
      const address = (await picture.getAttribute('src')) ?? '';
      const dark = await page.evaluate<boolean[][]>(`(async () => {
          const image = document.querySelector('.modal img');
          await image.decode();
          const size = ${modules.length};
          const scale = image.naturalWidth / size;
          const canvas = Object.assign(document.createElement('canvas'), { width: image.naturalWidth, height: image.naturalHeight });
          const drawing = canvas.getContext('2d');
          drawing.drawImage(image, 0, 0);
          const isDark = (x, y) => drawing.getImageData((x + 0.5) * scale, (y + 0.5) * scale, 1, 1).data[0] < 128;
          return Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => isDark(x, y)));
        })()`);
      expect(dark).toEqual(modules);
      await page.keyboard.press('Escape');
      await expect
        .poll(async () => (await page.request.get(new URL(address, demo.url).href)).status(), { timeout: 30_000 })
        .toBe(404);
    } finally {
      await demo.close();
    }
  });
});
