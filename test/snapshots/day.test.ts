import { describe, expect, it } from 'vitest';
import { type Stage, stage, U_LEAD } from '../surfaces/slack/support.ts';
import { Diary } from './diary.ts';
import { committed, type Files } from './files.ts';

/*
 * A support agent's day, once in plain words and once in commands, without an id or JSON. `npm run snapshots` rewrites
 * the files. Ana is the agent, Lee approves.
 */

async function open(): Promise<{ s: Stage; ana: Diary }> {
  const s = await stage({}, { events: true, requestsPerMinute: 10_000 });
  await s.control('settings', { requestsPerMinute: 10_000 });
  return { s, ana: new Diary(s) };
}

async function inWords(): Promise<string> {
  const { s, ana } = await open();
  await ana.says('hi');
  await s.control('inbound', { From: '+13125550142', To: '+12015550101', Body: 'No signal since last night' });
  await ana.says('what happened overnight?');
  await ana.says('eva ston');
  await ana.says('why does 0101 have no signal?');
  await ana.says('text 0101 from 0104: we are looking into it');
  await ana.presses('Open the form');
  await ana.sends();
  await ana.presses('Send message', U_LEAD);
  await ana.says('cancel the line 0104');
  await ana.says('never mind');
  await ana.says('cap 0103 at 5 gb');
  await ana.presses('Open the form');
  await ana.sends();
  await ana.presses('Apply');
  await ana.says("please don't cancel 0106");
  await ana.says("what's waiting for me?");
  await ana.says("thanks, that's all");
  return ana.text();
}

async function inCommands(): Promise<string> {
  const { ana } = await open();
  await ana.types('/events overnight');
  await ana.types('/number eva ston');
  await ana.types('/number 0101');
  await ana.types('/numbers why 0101');
  await ana.types('/numbers data usage info 0105');
  await ana.types('/message outbound +12015550101 From=+12015550104 Body="We are looking into it"');
  await ana.presses('Send message', U_LEAD);
  await ana.types('/message search 0101');
  await ana.types('/numbers hold 0103 from 2099-12-01');
  await ana.presses('Open the form');
  await ana.closes();
  await ana.types('/numbers cancel 0104');
  await ana.presses('Cancel', U_LEAD);
  await ana.types('/numbers reactivate 0104');
  await ana.presses('Withdraw');
  await ana.types('/numbers portin guide 312-555-0177');
  await ana.closes();
  await ana.types('/numbers order get 3125550111');
  await ana.types('/guide swap 0105');
  await ana.closes();
  await ana.types('/packages list');
  await ana.types('/packages update starter');
  await ana.closes();
  await ana.types('/subscribers guard 0102');
  await ana.closes();
  await ana.types('/webhook list');
  await ana.types('/numbers watch 0106');
  await ana.types('/events since 12h');
  return ana.text();
}

/** Returns the lines that an agent should not meet: a refusal, a dead end, or an id before the details of a card. */
function clumsyLines(text: string): string[] {
  return text
    .split('\n')
    .filter(
      (line) =>
        /There is no operation|fits no field|: not done\*/.test(line) ||
        /^ {2}\| (?:# |\[).*\b[A-Z]{2,7}-\w{6,}/.test(line),
    );
}

describe('a support agent’s day', () => {
  it('in plain words, and in commands', async () => {
    const files: Files = { 'words.txt': await inWords(), 'commands.txt': await inCommands() };
    for (const [name, text] of Object.entries(files)) expect(clumsyLines(text), name).toEqual([]);
    expect(files).toEqual(committed('day', files));
  });
});
