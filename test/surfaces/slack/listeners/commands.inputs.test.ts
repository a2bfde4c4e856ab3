import { describe, expect, it } from 'vitest';
import {
  labelledNumbers,
  pastedLists,
  refusedNumbers,
  serials,
  writtenNumbers,
} from '../../../support/inputs/numbers.ts';
import { slackTexts, unseenTexts } from '../../../support/inputs/texts.ts';
import { C_SUPPORT, card, type Stage, shown, stage, U_AGENT, until, whispers } from '../support.ts';

/* Numbers and texts in Slack's commands, as Slack sends what people type and paste. */

/** Slack reads square brackets as a list, and words as a choice or a name. */
const inCommands = labelledNumbers.filter(({ what }) => /link of Slack|round brackets/.test(what));

/** A stage on which many calls wait for no limit. */
async function quick(): Promise<Stage> {
  const s = await stage({}, { requestsPerMinute: 10_000 });
  await s.control('settings', { requestsPerMinute: 10_000 });
  return s;
}

/** All that the channel shows, cards and answers. */
const channel = (s: Stage) => s.ws.messages(C_SUPPORT).map(shown).join('\n');

describe('a number in a command', () => {
  it('is read in every way to write one, and sent as the number', async () => {
    const s = await quick();
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
    const s = await quick();
    const wrong: string[] = [];
    for (const { what, write } of writtenNumbers.filter((_, at) => at % 3 === 2)) {
      const ack = await s.type(command, write('2015550102'));
      await s.settled();
      if (!shown(whispers(s.ws, U_AGENT).at(-1)).includes('Ben Reed')) wrong.push(`${what}: ${ack.body}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each(pastedLists)('in one paste with another is looked up as well: $what', async ({ write }) => {
    const s = await stage();
    await s.type('/number', write('+12015550101', '201-555-0102'));
    await until(() => /\+12015550102|555-0102/.test(channel(s)), 'the second number');
    expect(channel(s)).toMatch(/\+12015550101|555-0101/);
  });

  // Slack makes links itself, and their text is what was typed.
  const typed = refusedNumbers.filter(({ text }) => !text.startsWith('<'));
  it.each(typed)('is refused with the reason: $what', async ({ text, says }) => {
    const s = await stage();
    await s.type('/numbers', `get PhoneNumber="${text}"`);
    await until(() => says.test(channel(s)), String(says));
  });

  it.each(serials)('is no serial of a SIM: $what', async ({ text, sent, remark }) => {
    const s = await stage();
    await s.type('/numbers', `update +12015550101 ${text}`);
    const question = shown(await card(s.ws));
    expect(question).toContain(sent);
    if (remark) expect(question).toMatch(remark);
  });
});

describe('a text for a customer in a command', () => {
  it.each(slackTexts)('is sent as it was typed: $what', async ({ slack, typed }) => {
    const s = await stage();
    await s.type('/message', `outbound From=+12015550101 To=+12015550102 Body="${slack}"`);
    await until(() => channel(s).includes(JSON.stringify(typed).slice(1, -1)), typed);
  });

  it.each(unseenTexts)('loses $what, and the answer says so', async ({ given }) => {
    const s = await stage();
    await s.type('/message', `outbound From=+12015550101 To=+12015550102 Body="${given}"`);
    await until(() => channel(s).includes('Body: invisible characters were removed.'), 'the note');
  });
});
