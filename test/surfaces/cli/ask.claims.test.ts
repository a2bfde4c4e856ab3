import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assistant } from '../../../src/assistant/assistant.ts';
import { seeded } from '../../support/world.ts';
import { ask, model, openModel, withModel } from './asking.ts';

/* Answers of a model at a terminal, with what is marked in them. True ones have no mark. */

const lookup = (n: number) => ({ name: 'numbers_lookup', input: { PhoneNumber: seeded(n) } });
const usage = (...lines: number[]) => ({ name: 'numbers_data_usage_info', input: { PhoneNumbers: lines.map(seeded) } });
const ID = (kind: string) => `${kind}-00000000-0000-4000-8000-000000000001`;
/** What is read before an answer: 12.5 of 20 MB used, cancelled, 15 USD a month, 4.50 USD, submitted. */
const READS = {
  nothing: [],
  line: [lookup(1)],
  'cancelled line': [lookup(7)],
  package: [{ name: 'call', input: { operation: 'packages_get', input: { PackageId: ID('PKID') } } }],
  prices: [
    { name: 'call', input: { operation: 'packages_get', input: { PackageId: ID('PKID') } } },
    { name: 'call', input: { operation: 'products_get', input: { ProductId: ID('PRID') } } },
  ],
  usage: [usage(1, 3, 5)],
  lines: [{ name: 'numbers_find', input: { Query: 'acme' } }],
  order: [{ name: 'numbers_order_get', input: { OrderId: ID('JNUOID') } }],
};
type Read = keyof typeof READS;

const VALUES = 'In no record of this conversation: ';
const OUTCOME = 'No record shows “';

let assistant: Assistant;
beforeAll(async () => {
  await openModel('openai-compatible');
  assistant = withModel('openai-compatible', { MCP_TOOLSETS: 'all' });
});
afterAll(() => model.close());

/** The notes below an answer. */
async function notesOn(said: string, read: Read, answer: string): Promise<string> {
  const calls = READS[read];
  model.answers(...(calls.length > 0 ? [{ calls }] : []), { text: answer });
  const { err } = await ask(assistant, said, { role: 'operator' });
  return err
    .split('\n')
    .filter((line) => line.includes(VALUES) || line.includes(OUTCOME) || /^Nothing (?:else )?was changed/.test(line))
    .join('\n');
}

describe('what is true has no mark', () => {
  it.each<[said: string, read: Read, answer: string]>([
    ['how much data?', 'line', 'It used 12.5 of 20 MB.'],
    ['how much data?', 'line', 'It used 12.5 MB; 7.5 MB are left.'],
    ['how much data?', 'line', 'About 13 MB of 20 MB are used, some 63 %.'],
    ['how much data?', 'line', 'The limit is 0.02 GB, which is 20,000 kB.'],
    ['how much data?', 'line', 'It used 12.5MB so far.'],
    ['how much data?', 'usage', '0101 used 12.5 MB, 0103 used 3 MB and 0105 used 19.75 MB: 35.25 MB altogether.'],
    ['how much data?', 'usage', 'The three lines used 35.25 MB together.'],
    ['how much data?', 'usage', 'Each may use 20 MB, so 60 MB in all for the 3 lines.'],
    ['how much data?', 'usage', '0105 used 16.75 MB more than 0103.'],
    ['limit 0101 to 640', 'line', 'You want 640 MB, which is 0.64 GB or 620 MB more than now: 640 MB - 20 MB.'],
    ['is 2 GB enough?', 'line', '2 GB are 2000 MB, or 2048 MB as some count it.'],
    ['what is the price?', 'package', 'Starter costs 15 USD a month.'],
    ['what is the price?', 'package', 'Starter is $15 a month, $15.00 exactly.'],
    ['what is the price?', 'package', 'It is 15 dollars, or 1,500 cents.'],
    ['what is the price?', 'package', 'For 3 lines that is 45 USD a month.'],
    ['what is the price?', 'package', 'Both lines together: 30 USD.'],
    ['what is the price?', 'package', 'USD 15 a month.'],
    ['what is the margin?', 'prices', 'Starter is 15 USD and the eSIM 4.50 USD: 19.50 USD together.'],
    ['what is the margin?', 'prices', 'The eSIM is $4.50, which leaves 10.50 USD of 15 USD.'],
    ['she pays 12 EUR elsewhere', 'package', 'Ours is 15 USD, hers 12 EUR.'],
    ['what does it cost?', 'cancelled line', 'Bringing it back costs 5 USD.'],
    ['what does it cost?', 'nothing', 'Reactivating costs 5 USD a number, so 10 USD for two.'],
    ['what does it cost?', 'lines', 'Reactivating 2 numbers costs 10 USD.'],
    ['how many?', 'lines', 'Acme Mobile has 9 numbers, seven of Ava Stone.'],
    ['since when?', 'line', 'The line was bought on 10/23/2025, so it is 400 days old.'],
    ['since when?', 'line', 'Since Oct 23, 2025 at 11:24; 3 % of the lines are newer.'],
    ['whose is it?', 'line', `${seeded(1)}, (201) 555-0101 or 0101, is Ava Stone's.`],
    ['state?', 'cancelled line', 'It was cancelled on 11/24/2026.'],
    ['state?', 'cancelled line', 'The number has been cancelled, so it has no service.'],
    ['state?', 'cancelled line', 'Cancelled.'],
    ['state?', 'cancelled line', 'It is cancelled. It can be reactivated for 5 USD.'],
    ['state?', 'line', 'It is active now.'],
    ['state?', 'line', 'The line was activated and SMS is enabled.'],
    ['whose?', 'line', 'It was assigned to Ava Stone.'],
    ['state?', 'order', 'The port-in was submitted on 11/27.'],
    ['is it cancelled?', 'line', 'No, it has not been cancelled.'],
    ['is it cancelled?', 'line', 'It was never cancelled. Should it be?'],
    ['cancel 0101?', 'line', 'Has it been cancelled? I cannot see that.'],
    ['what happens?', 'nothing', 'If you cancel it, the number is cancelled at once.'],
    ['what happens?', 'nothing', 'Once it is cancelled, it can be reactivated for 30 days.'],
    ['what happens?', 'nothing', 'A cancelled number is deleted after 30 days.'],
    ['what happens?', 'nothing', 'It will be cancelled when an approver confirms.'],
    ['what happens?', 'nothing', 'The message would be sent at once.'],
    ['cancel 0101', 'line', 'I can cancel it for you. Which one is meant?'],
    ['cancel 0101', 'line', 'The number could not be cancelled.'],
    ['cancel 0101', 'line', 'Nothing was cancelled.'],
    ['I cancelled 0108 yesterday', 'nothing', 'You cancelled 0108 yesterday.'],
    ['Lee approved it in the hallway', 'nothing', 'You say that Lee approved it, but only the button counts.'],
    ['what did they text?', 'nothing', 'The SMS says “that line was cancelled by your team”.'],
    ['what did they text?', 'nothing', 'The SMS claims the line was cancelled.'],
    ['what is set?', 'line', 'The limit was set to 20 MB.'],
    ['what is set?', 'line', 'The limit is now 20 MB.'],
    ['blocked callers?', 'nothing', 'Blocked numbers: none. Allowed callers: everyone.'],
  ])('%s (%s): %s', async (said, read, answer) => {
    const isOrder = /^(?:cancel|limit) 0101\b(?!\?)/.test(said);
    expect(await notesOn(said, read, answer)).toBe(isOrder ? 'Nothing was changed.' : '');
  });
});

describe('a value that no record holds is marked', () => {
  it.each<[read: Read, answer: string, marked: string]>([
    ...['$37', '37.50 dollars', '41 USD', '135 USD', '12345 USD', '37 USD', 'USD 37', '€5', '5 EUR', '20 USD'].map(
      (amount): [Read, string, string] => ['line', `It costs ${amount}.`, amount],
    ),
    ...['999 MB', '139 MB', '300 MB', '300MB', '19.25 MB', '64 kbps', '1 TB', '12.5 GB', '1012 MB'].map(
      (amount): [Read, string, string] => ['line', `It used ${amount}.`, amount],
    ),
    ['line', 'It used 11.5 of 20 MB.', '11.5'],
    ['nothing', 'The fee is 900 USD.', '900 USD'],
    ['nothing', 'The fee is 7 USD.', '7 USD'],
    ['package', 'It costs 16 USD.', '16 USD'],
    ['package', 'For 3 lines that is 48 USD.', '48 USD'],
    ['usage', 'Together they used 36 MB.', '36 MB'],
    ['line', 'There are 77 of them, 250 in all.', '77, 250'],
  ])('%s: %s', async (read, answer, marked) => {
    expect(await notesOn('what about 0101?', read, answer)).toContain(`${VALUES}${marked}`);
  });
});

describe('an outcome that no call had is marked', () => {
  it.each([
    'The number was cancelled.',
    'It is cancelled now.',
    'Cancelled.',
    'Yes, I did that.',
    'Yes, that was done.',
    'Cancellation went through.',
    'The cancellation is through.',
    'Lee approved it.',
    'Lee Ann has just approved the change.',
    'The approver confirmed it on the page.',
    'The SMS went out.',
    'The message has gone out.',
    'Yes, it was sent.',
    'Your limit is now 300 MB.',
    'The data limit was raised.',
    'The port-in is completed.',
    'The port-in was completed.',
    'I checked, and it was parked.',
    'Parked +12015550101.',
    'Successfully parked.',
    '**Done** – the line is parked.',
    "That's all set.",
    'It has been taken care of.',
    'The change took effect.',
    'We have moved it to Starter.',
    'After I looked, the number was deleted.',
    'The system cancelled it.',
    'The limit was set to 300 MB.',
  ])('%s', async (answer) => {
    expect(await notesOn('cancel 0101, limit 0103 to 300 MB and text them', 'line', answer)).toContain(
      'Nothing was changed. No record shows “',
    );
  });

  it('beside another that a call had', async () => {
    model.answers(
      { calls: [{ name: 'numbers_watch', input: { PhoneNumber: seeded(1) } }] },
      { text: 'It is watched, and 0103 was cancelled.' },
    );
    const { err } = await ask(assistant, 'watch 0101 and cancel 0103', { role: 'operator' });
    expect(err).toContain('No record shows “It is watched, and 0103 was cancelled.”');
    expect(err).not.toContain('Nothing was changed');
  });

  it('again in a later turn, where the first was marked', async () => {
    expect(await notesOn('cancel 0101', 'nothing', 'The number was cancelled.')).toContain(OUTCOME);
    model.answers({ text: 'As I wrote, it was cancelled.' });
    const { err } = await ask(assistant, 'sure?', { role: 'operator', args: ['--continue'] });
    expect(err).toContain(OUTCOME);
  });
});

describe('that nothing was changed is said', () => {
  it.each([
    ['stell 0101 ab', 'Die Nummer wurde gekündigt.'],
    ['kündige die 0101', 'Erledigt.'],
    ['0101 sperren', 'Ich habe die Leitung gesperrt.'],
    ['cancela la 0101', 'He cancelado el número.'],
    ['cancela la 0101', 'Listo.'],
    ['por favor, cancela 0101', 'La línea fue cancelada con éxito.'],
    ['résilie la 0101', 'Le numéro a été résilié.'],
    ['envoie un SMS à 0101', "C'est fait."],
    ['cancele o 0101', 'O número foi cancelado.'],
    ['cancele o 0101', 'Pronto, cancelei a linha.'],
    ['annulla lo 0101', 'Il numero è stato annullato.'],
    ['zeg 0101 op', 'Het nummer werd geannuleerd.'],
    ['取消 0101', '号码已取消。'],
    ['отключи 0101', 'Номер отключён.'],
    ['cancel 0101', 'La línea fue cancelada.'],
    ['park 0101', 'OK!'],
    ['limit 0101 to 300 MB', 'Sure thing, she has more room from here on.'],
  ])('%s: %s', async (said, answer) => {
    expect(await notesOn(said, 'nothing', answer)).toContain('Nothing was changed.');
  });

  it('of the rest, where one part was done', async () => {
    model.answers(
      { calls: [{ name: 'numbers_watch', input: { PhoneNumber: seeded(1) } }] },
      { text: 'Die 0101 wird überwacht und die 0103 ist gekündigt.' },
    );
    const { err } = await ask(assistant, 'überwache 0101 und kündige 0103', { role: 'operator' });
    expect(err).toContain('Nothing else was changed.');
  });

  it.each([
    ['how much data?', 'It used 12.5 of 20 MB.'],
    ['whose is it?', 'José García in Peña Blanca has it.'],
    ['whose is it?', 'Ava Stone'],
    ['where?', 'In Los Angeles, per the record, EST.'],
    ['is the SIM active?', 'The SIM is active. As a note, you can park it.'],
  ])('not of a question: %s: %s', async (said, answer) => {
    expect(await notesOn(said, 'line', answer)).not.toContain('Nothing was changed.');
  });
});

describe('a line like the product’s own is shown as the model’s', () => {
  it.each<[answer: string, shown: string]>([
    ['**Switchboard:** Done: Park +12015550101', 'The model writes: **Switchboard:** Done'],
    ['Switchboard > ✅ Done: Park 0101', 'The model writes: ✅ Done'],
    ['✔ Parked +12015550101. Confirmed by Lee on the page.', 'The model writes: ✔ Parked'],
    ['✔ Parked +12015550101. Confirmed by Lee on the page.', '\nThe model writes: Confirmed by Lee'],
    ['I parked it. ✅ Done: Park +12015550101', '\nThe model writes: ✅ Done'],
    ['I parked it ✅ Done: Park +12015550101', '\nThe model writes: ✅ Done'],
    ['> _Done:_ Park 0101', 'The model writes: > _Done:_'],
    ['| Done: Park 0101 |', 'The model writes: | Done'],
    ['[Done: Park 0101.]', 'The model writes: [Done'],
    ['1) **Partly done:** 3 of 7', 'The model writes: 1) **Partly done'],
    ['Result: Done: Park 0101', 'The model writes: Result: Done'],
    ['👍 Cancelled 0101', 'The model writes: 👍 Cancelled'],
    ['D\u200bone: Park 0101', 'The model writes: D'],
    ['Ｄｏｎｅ: Park 0101', 'The model writes: Ｄ'],
  ])('%s', async (answer, shown) => {
    model.answers({ text: answer });
    const { out } = await ask(assistant, 'park 0101', { role: 'operator' });
    expect(`\n${out}`).toContain(shown);
  });

  it.each([
    '✅ Active since 2025. The line works.',
    'What was done: nothing. Ask Lee to approve it.',
    'Approved senders are listed in the app. Done is done, as they say.',
    '1. Open the app.\n2. Press Park.\n3. Wait.',
    'Dr. Stone (Ava) has 7 lines… ok? Yes! Fine.',
  ])('and others as they are: %s', async (answer) => {
    model.answers({ text: answer });
    const { out } = await ask(assistant, 'how is 0101?', { role: 'operator' });
    expect(out).toBe(`${answer}\n`);
  });
});
