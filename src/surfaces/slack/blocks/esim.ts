import { LABELS } from '../../../cards/labels.ts';
import { formatPhone } from '../../../language/show.ts';
import type { Fields } from '../../../lib/json.ts';
import { type Activation, activationsIn, activationsOf } from '../../../platform/dialect/activation.ts';
import { IDS } from '../ids.ts';
import {
  type Block,
  button,
  buttonRow,
  cut,
  type Element,
  flowView,
  type Message,
  messageOf,
  rich,
  say,
  small,
} from './text.ts';

/* The activation code of an eSIM, for the one person who reads the message or the window. */

/** Buttons of one message, and half of its codes. */
const MOST = 10;
const CAUTION = 'Anyone who has this code can install the SIM.';

/**
 * The eSIM activation codes in an answer, only for the people who asked or confirmed. `action`: the action's id.
 * `isUnsure`: the SIM may be a SIM card, for which the platform's answer has a code too.
 */
export function activationMessage(value: Fields, action: string, isUnsure = false): Message | undefined {
  const scanned = activationsOf(value);
  const byHand = Object.entries(activationsIn(value)).filter(([, code]) => scanned.every((one) => one.code !== code));
  const nameOf = (phone?: string) =>
    phone === undefined ? 'Activation code' : `Activation code of ${formatPhone(phone).national}`;
  const found = [...scanned.map(({ code, phone }) => [nameOf(phone), code] as const), ...byHand];
  if (found.length === 0) return undefined;
  const more = found.length - 2 * MOST;
  return messageOf('The eSIM’s activation code, shown only to you.', [
    ...(isUnsure ? [say('A SIM card needs no code. Use this one only if the new SIM is an eSIM.')] : []),
    say(`🔑 Shown only to you. ${CAUTION}`),
    ...found.slice(0, 2 * MOST).map(([name, code]) => say(rich.bold(name), '  ', rich.code(cut(code, 1000)))),
    ...(more > 0 ? [small(`… ${more} more`)] : []),
    ...buttonRow(`qr:${action}`, qrButtons(action, scanned)),
  ]);
}

/**
 * A button for each code. Its value names where the code is read again, and never the code.
 *
 * @param source an action's id, or the handle of a stored answer
 */
export function qrButtons(source: string, codes: readonly Pick<Activation, 'phone'>[]): Element[] {
  return codes.slice(0, MOST).map(({ phone }, i) => {
    if (codes.length === 1) return button(IDS.qr, LABELS.qr, `${source}|0`);
    const which = phone === undefined ? i + 1 : formatPhone(phone).national;
    return button(`${IDS.qr}_${i}`, `QR code of ${which}`, `${source}|${i}`);
  });
}

/** Slack reports when the window is closed, so that the picture can be deleted. */
function qrWindow(blocks: Block[]): Fields {
  return flowView({ flow: 'qr' }, { title: 'eSIM QR code', tellsClose: true }, blocks);
}

/** The window while the code is read and its picture uploaded. */
export const waitingQr: Fields = qrWindow([say('⏳ Preparing the QR code…')]);

/** The window after its picture was deleted. */
export const expiredQr: Fields = qrWindow([
  say('The QR code was removed after five minutes. Close this window and press the button again to see it.'),
]);

/** Explains why there is no code to show. */
export function noQr(why: string): Fields {
  return qrWindow([say('⚠️ ', why)]);
}

export interface ShownQr extends Activation {
  /** The picture's file in Slack; a sentence if it cannot be shown. */
  picture: { file: string } | { problem: string };
  /** Explains the origin of the code if it could not be read just now. */
  note: string | undefined;
}

/** The QR code, and the code itself for typing. */
export function qrView({ code, phone, picture, note }: ShownQr): Fields {
  const isShown = 'file' in picture;
  const alt = `QR code of the eSIM${phone === undefined ? '' : ` of ${phone}`}`;
  const removal = 'The picture is deleted from Slack when you close this window, after five minutes at the latest.';
  return qrWindow([
    ...(phone === undefined ? [] : [say(rich.bold(formatPhone(phone).national), '  ', rich.code(phone))]),
    isShown ? { type: 'image', slack_file: { id: picture.file }, alt_text: alt } : say('⚠️ ', picture.problem),
    say(isShown ? 'Scan with the customer’s phone: Settings › Add eSIM. Or enter the code there.' : BY_HAND),
    say(rich.bold('Activation code'), '  ', rich.code(cut(code, 2000))),
    small(CAUTION, ...(isShown ? [removal] : []), ...(note === undefined ? [] : [note])),
  ]);
}

const BY_HAND = 'Enter the code on the customer’s phone: Settings › Add eSIM › Enter details.';
