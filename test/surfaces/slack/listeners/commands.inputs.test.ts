import { describe, expect, it } from 'vitest';
import {
  labelledNumbers,
  pastedLists,
  refusedNumbers,
  serials,
  writtenNumbers,
} from '../../../support/inputs/numbers.ts';
import { slackTexts, unseenTexts } from '../../../support/inputs/texts.ts';
import { C_SUPPORT, card, type Stage, sharedStage, shown, U_AGENT, until, whispers } from '../support.ts';

/* Numbers and texts in Slack's commands, as Slack sends what people type and paste. */

/** Slack reads square brackets as a list, and words as a choice or a name. */
const inCommands = labelledNumbers.filter(({ what }) => /link of Slack|round brackets/.test(what));

/** All that the channel shows, cards and answers. */
const channel = (s: Stage) => s.ws.messages(C_SUPPORT).map(shown).join('\n');

describe('a number in a command', () => {
  const stageOf = sharedStage();

  it('is read in every way to write one, and sent as the number', async () => {
    const s = stageOf();
    const wrong: string[] = [];
    for (const { what, write } of [...writtenNumbers, ...inCommands]) {
      const before = whispers(s.ws, U_AGENT).length;
      const ack = await s.type('/numbers', `get ${write('2015550102')}`);
      await s.settled();
      const [answer] = whispers(s.ws, U_AGENT).slice(before);
      if (!shown(answer).includes('(201) 555-0102')) wrong.push(`${what}: ${ack.body} ${shown(answer)}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each(['/number', '/numbers'])('alone after %s is looked up', async (command) => {
    const s = stageOf();
    const wrong: string[] = [];
    for (const { what, write } of writtenNumbers.filter((_, at) => at % 3 === 2)) {
      const ack = await s.type(command, write('2015550102'));
      await s.settled();
      if (!shown(whispers(s.ws, U_AGENT).at(-1)).includes('Ben Reed')) wrong.push(`${what}: ${ack.body}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each(pastedLists)('in one paste with another is looked up as well: $what', async ({ write }) => {
    const s = stageOf();
    await s.type('/number', write('+12015550101', '201-555-0102'));
    await until(() => /\+12015550102|555-0102/.test(channel(s)), 'the second number');
    expect(channel(s)).toMatch(/\+12015550101|555-0101/);
  });

  // Slack makes links itself and keeps the typed text as their label, so texts that are links already are left out.
  const typed = refusedNumbers.filter(({ text }) => !text.startsWith('<'));
  it.each(typed)('is refused with the reason: $what', async ({ text, says }) => {
    const s = stageOf();
    await s.type('/numbers', `get PhoneNumber="${text}"`);
    await until(() => says.test(channel(s)), String(says));
  });

  it.each(serials)('is no serial of a SIM: $what', async ({ text, sent, remark }) => {
    const s = stageOf();
    await s.type('/numbers', `update +12015550101 ${text}`);
    const question = shown(await card(s.ws));
    expect(question).toContain(sent);
    if (remark) expect(question).toMatch(remark);
  });
});

describe('a text for a customer in a command', () => {
  const stageOf = sharedStage();
  const BETWEEN = ' ~ ';

  /** Asks to send texts as the parts of one. Resolves to the parts of the text that waits. */
  async function asked(parts: readonly string[], says: string): Promise<string[]> {
    const s = stageOf();
    await s.type('/message', `outbound From=+12015550101 To=+12015550102 Body="${parts.join(BETWEEN)}"`);
    await until(() => channel(s).includes(says), says);
    const [action] = await s.gate.actions.list({ states: ['pending'] });
    return String(action?.shown.Body).split(BETWEEN);
  }

  it('is sent as it was typed', async () => {
    const parts = slackTexts.map(({ slack }) => slack);
    expect(await asked(parts, slackTexts.at(-1)?.typed ?? '')).toEqual(slackTexts.map(({ typed }) => typed));
  });

  it('loses what is not seen, and the answer says so', async () => {
    const parts = await asked(
      unseenTexts.map(({ given }) => given),
      'Body: invisible characters were removed.',
    );
    expect(parts).toEqual(unseenTexts.map(({ sent }) => sent));
  });
});
