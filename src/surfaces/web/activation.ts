import { type Fields, recordOf } from '../../lib/json.ts';
import { mapLeaves } from '../../lib/leaves.ts';
import { qrSvg } from '../../lib/qr.ts';
import { type Activation, activationsOf } from '../../platform/dialect/activation.ts';
import { escapeHtml } from './html.ts';

/** QR codes on one page. Further codes are only in the table of the result. */
const MOST = 20;

/** The activation codes of a result as pictures, and the result without those codes. */
export interface ActivationPart {
  /** Empty if the result has no code that can be scanned. */
  html: string;
  rest: Fields;
}

/**
 * The eSIM's QR code with its text, for a reader to whom the gate revealed it. Several codes are folded, so that a
 * camera sees one at a time. The pictures are part of the page: nothing is stored and nothing is loaded.
 */
export function activationPart(result: Fields): ActivationPart {
  const all = activationsOf(result);
  const found = all.slice(0, MOST);
  if (found.length === 0) return { html: '', rest: result };
  const pictures = found.map((one) => (found.length === 1 ? pictureHtml(one) : foldedHtml(one)));
  const html = `<h2>eSIM</h2><p>Scan it with the customer’s phone: Settings › Add eSIM. Anyone who has this code can install the SIM.</p>${pictures.join('')}`;
  return { html, rest: all.length > MOST ? result : withoutCodes(result, all) };
}

function pictureHtml({ code, phone }: Activation): string {
  const svg = qrSvg(code)?.replace(' xmlns="http://www.w3.org/2000/svg"', ' aria-hidden="true"');
  const name = phone === undefined ? 'QR code of the eSIM' : `QR code of the eSIM of ${phone}`;
  const picture = svg === undefined ? '' : `<div class="qr" role="img" aria-label="${escapeHtml(name)}">${svg}</div>`;
  const caption = phone === undefined ? '' : `${escapeHtml(phone)}<br>`;
  return `<figure>${picture}<figcaption>${caption}<code>${escapeHtml(code)}</code></figcaption></figure>`;
}

function foldedHtml(one: Activation): string {
  return `<details><summary>QR code of ${escapeHtml(one.phone ?? 'an eSIM')}</summary>${pictureHtml(one)}</details>`;
}

/** The result without what the pictures show. Codes that are entered by hand stay. */
function withoutCodes(value: Fields, shown: readonly Activation[]): Fields {
  const codes = new Set(shown.map(({ code }) => code));
  const isCode = (text: unknown) => typeof text === 'string' && codes.has(text);
  return recordOf(mapLeaves(value, { member: (part) => (isCode(part.value) ? undefined : part.name) }));
}
