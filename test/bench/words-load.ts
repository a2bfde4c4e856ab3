import { readFileSync } from 'node:fs';
import { readModel } from '../../src/nlu/model-file.ts';
import { Reader } from '../../src/nlu/reader.ts';
import { tools } from '../../tools/index.ts';

/* One process that reads messages. Prints the processor time until the model is loaded, of the first message, and of each later one, in ms. */

const OPTIONS = { now: Date.parse('2026-11-22T09:30:00Z'), zone: 'America/Denver', mayUse: () => true };
const LATER = 200;
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const messages = [
  'park 0103 tomorrow',
  'cap 0105 at 5 gb, warn at 4',
  'who changed the webhook last',
  'port in 3125550111 from verizon for Ava Stone',
  "don't cancel 0104, she changed her mind",
];
const begun = cpu();
const model = readModel(readFileSync('tools/words.model'));
const reader = new Reader(tools, model);
const loaded = cpu();
reader.answer(messages[0] ?? '', undefined, OPTIONS);
const first = cpu();
for (let turn = 0; turn < LATER; turn++) reader.answer(messages[turn % messages.length] ?? '', undefined, OPTIONS);
console.log(JSON.stringify({ load: loaded - begun, first: first - loaded, each: (cpu() - first) / LATER }));
