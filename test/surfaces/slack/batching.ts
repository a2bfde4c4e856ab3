import { expect } from 'vitest';
import { begunDay } from '../../support/clock.ts';
import { U_AGENT } from './ids.ts';
import { type Stage, shown, until } from './support.ts';

/* Batches in Slack: the form, the question and the card of the run. */

export const STATUS = 'numbers/status';
/** What the window that leaves rows out is sent with. */
export const leaving = (...rows: string[]) => ({
  batch_leave: {
    type: 'multi_static_select',
    selected_options: rows.map((value) => ({ text: { type: 'plain_text', text: 'x' }, value })),
  },
});
/** A phone number of the seed by its last digits. */
export const phone = (end: number) => `+1201555${String(100 + end).padStart(4, '0')}`;
export const PARK = {
  StatusChange: 'park',
  EffectiveDate: begunDay().replace(/(..)\/(..)\/(....)/, '$3-$1-$2'),
};

/** Opens the form of a status change for many numbers. */
export async function open(s: Stage, user = U_AGENT): Promise<void> {
  await s.form('/batch', 'numbers status', user);
}

/** Sends the open form with a CSV file of this content. */
export function sendFile(s: Stage, content: string, values: Record<string, string> = PARK) {
  const file = s.ws.state.files.add({ name: 'lines.csv', data: Buffer.from(content), user: U_AGENT });
  const batch_file = { type: 'file_input', files: [s.ws.state.files.payload(file)] };
  return s.ws.submit({ user: U_AGENT, values: { ...values, batch_file } });
}

export const click = (s: Stage, user: string, messageTs: string, actionId: string) =>
  s.ws.click({ user, messageTs, actionId });

/** The message with the plan, which only its writer sees. */
export const plan = (s: Stage, user = U_AGENT) => s.whisper('sb_batchAsk', user);

/** The question's card once its writer has read the plan and asked. */
export async function asked(s: Stage, content: string) {
  await open(s);
  expect(await sendFile(s, content)).toMatchObject({ outcome: 'acked', body: '' });
  await s.press(await plan(s), 'sb_batchAsk', U_AGENT);
  const found = await s.card();
  await s.settled();
  return found;
}

/** Skips time, by default that between two edits of a card, while nothing is under way and this is not true. */
export async function skipUntil(s: Stage, fits: () => boolean, expected: string, skipMs = 11_000): Promise<void> {
  await until(async () => {
    await s.quiet();
    if (!fits()) s.clock.skip(skipMs);
    return fits();
  }, expected);
}

/** The card of the run, once it says this. */
export async function says(s: Stage, ts: string, text: RegExp, skipMs?: number): Promise<string> {
  await skipUntil(s, () => text.test(shown(s.ws.message(ts))), String(text), skipMs);
  return shown(s.ws.message(ts));
}
