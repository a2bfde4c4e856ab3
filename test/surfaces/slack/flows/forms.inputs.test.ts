import { describe, expect, it } from 'vitest';
import { labelledNumbers, pastedLists, writtenNumbers } from '../../../support/inputs/numbers.ts';
import { seenTexts, slackTexts, unseenTexts } from '../../../support/inputs/texts.ts';
import { C_SUPPORT, type Stage, sharedStage, shown, U_AGENT, until } from '../support.ts';

/* Numbers and texts in Slack's forms, as Slack sends what people type and paste. */

const stageOf = sharedStage({ CONFIRM_OWN: false });

/** Sends the form of a message with these values. Resolves to all that the channel shows then. */
async function sent(values: Record<string, string>, says: string | RegExp): Promise<Stage> {
  const s = stageOf();
  await s.type('/message', 'outbound From=+12015550101 To=+12015550102 form');
  await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
  expect(await s.ws.submit({ user: U_AGENT, values })).toMatchObject({ outcome: 'acked', body: '' });
  const channel = () => s.ws.messages(C_SUPPORT).map(shown).join('\n');
  await until(() => (typeof says === 'string' ? channel().includes(says) : says.test(channel())), String(says));
  return s;
}

/** Sends texts as the lines of one. Resolves to the lines of the text that waits or was sent. */
async function sentLines(lines: readonly string[], says: string): Promise<string[]> {
  const s = await sent({ Body: lines.join('\n') }, says);
  const [action] = await s.gate.actions.since(0, 1);
  return String(action?.shown.Body).split('\n');
}

describe('a text for a customer in a form', () => {
  it('is sent as it was typed, and keeps every character that is seen', async () => {
    const texts = [...slackTexts, ...seenTexts.map(({ text }) => ({ slack: text, typed: text }))];
    // The card sets it apart in typographic quotation marks, which the text itself cannot close.
    const last = texts.at(-1)?.typed.replace(/[“”]/g, '"') ?? '';
    const lines = await sentLines(
      texts.map(({ slack }) => slack),
      JSON.stringify(last).slice(1, -1),
    );
    expect(lines).toEqual(texts.map(({ typed }) => typed));
  });

  it('loses what is not seen, and the question says so', async () => {
    const lines = await sentLines(
      unseenTexts.map(({ given }) => given),
      'Body: invisible characters were removed.',
    );
    expect(lines).toEqual(unseenTexts.map(({ sent }) => sent));
  });
});

describe('a list of numbers in a form', () => {
  const numberOf = (at: number) => `201555${String(200 + at).padStart(4, '0')}`;

  it('is read in every way to write a number', async () => {
    const lines = [...writtenNumbers, ...labelledNumbers].map(({ write }, at) => write(numberOf(at)));
    const s = await sent({ To: lines.join('\n'), Body: 'Hello' }, 'Hello');
    const [action] = await s.gate.actions.since(0, 1);
    expect(action?.shown.To).toEqual(lines.map((_, at) => ({ Number: `+1${numberOf(at)}` })));
  });

  it.each(pastedLists)('is read from one paste: $what', async ({ write }) => {
    const s = await sent({ To: write(`+1${numberOf(1)}`, numberOf(2)), Body: 'Hello' }, 'Hello');
    const [action] = await s.gate.actions.since(0, 1);
    expect(action?.shown.To).toEqual([1, 2].map((at) => ({ Number: `+1${numberOf(at)}` })));
  });
});
