import { describe, expect, it } from 'vitest';
import { labelledNumbers, pastedLists, serials, writtenNumbers } from '../../../support/inputs/numbers.ts';
import { slackTexts, unseenTexts } from '../../../support/inputs/texts.ts';
import { card, type Stage, shown, stage, U_AGENT, until, whisper, whispers } from '../support.ts';

/* Numbers and texts in Slack's commands, as Slack sends what people type and paste. */

/** Slack reads square brackets as a list, and words as a choice or a name. */
const inCommands = labelledNumbers.filter(({ what }) => /link of Slack|round brackets/.test(what));

const outbound = (s: Stage) => s.requests('/v1.0/message/outbound');
/** The text of the last message that the sandbox got. */
const sentText = (s: Stage) => JSON.stringify(s.sandbox.state());

describe('a number in a command', () => {
  it('is read in every way to write one, and sent as the number', async () => {
    const s = await stage({}, { requestsPerMinute: 1_000 });
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
    const s = await stage({}, { requestsPerMinute: 1_000 });
    const wrong: string[] = [];
    for (const { what, write } of [...writtenNumbers.slice(8), ...inCommands]) {
      const ack = await s.type(command, write('2015550102'));
      await s.settled();
      if (!shown(whispers(s.ws, U_AGENT).at(-1)).includes('Ben Reed')) wrong.push(`${what}: ${ack.body}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each(pastedLists)('in one paste with another is looked up as well: $what', async ({ write }) => {
    const s = await stage();
    await s.type('/number', write('+12015550101', '201-555-0102'));
    const answer = shown(await whisper(s.ws, U_AGENT, 'Ben Reed'));
    expect(answer).toContain('Ava Stone');
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
    await until(async () => (await outbound(s)).length > 0 || whispers(s.ws, U_AGENT).length > 0, 'an answer');
    await s.settled();
    expect(sentText(s) + whispers(s.ws, U_AGENT).map(shown).join()).toContain(JSON.stringify(typed).slice(1, -1));
  });

  it.each(unseenTexts)('loses $what, and the answer says so', async ({ given }) => {
    const s = await stage();
    await s.type('/message', `outbound From=+12015550101 To=+12015550102 Body="${given}"`);
    await whisper(s.ws, U_AGENT, 'Body: invisible characters were removed.');
  });
});
