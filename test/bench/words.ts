import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readModel, writeModel } from '../../src/nlu/model-file.ts';
import { Reader, type Thread, type Understood } from '../../src/nlu/reader.ts';
import { operationOf, type Row, TOPICS } from '../../src/nlu/rows.ts';
import { teach } from '../../src/nlu/teach.ts';
import { tools } from '../../tools/index.ts';

/*
 * Measures the reader of plain words. By default: it learns from three quarters of the tables and reads the last quarter,
 * four times. A file of expectations holds rows as `words.json` does; the committed model reads them.
 */

const NOW = Date.parse('2026-11-22T09:30:00Z');
const OPTIONS = { now: NOW, mayUse: () => true };
const FOLDS = 4;
const argument = (name: string) => process.argv[process.argv.indexOf(name) + 1];
const has = (name: string) => process.argv.includes(name);
const isTable = ({ from }: Row) => !/^(?:examples|wishes)/.test(from);
const percent = (part: number, of: number) => `${((100 * part) / (of || 1)).toFixed(1)} %`;

function rowsOf(): Row[] {
  const files = readdirSync('tools').map((group) => join('tools', group, 'words.json'));
  return files.filter(existsSync).flatMap((path) => JSON.parse(readFileSync(path, 'utf8')) as Row[]);
}

/** What was counted over some messages. */
class Tally {
  messages = 0;
  first = 0;
  amongThree = 0;
  /** Messages that name changes which must not be offered. */
  forbidding = 0;
  /** Of them, those that were offered one as the only change, and among several. */
  offeredAlone = 0;
  offeredAmong = 0;
  values = 0;
  valuesFilled = 0;

  add(row: Row, answer: Understood, isChange: (id: string) => boolean): boolean {
    const right = new Set([row.means].flat().flatMap((one) => (one === 'none' ? TOPICS : [operationOf(one)])));
    const isTopicMeant = TOPICS.some((topic) => right.has(topic));
    const main = answer.kind === 'told' ? undefined : (answer.operation ?? answer.offers[0]?.operation);
    const isFirst = (answer.kind === 'told' && isTopicMeant) || (main !== undefined && right.has(main));
    // The line that is named is shown, beside a choice, or because the search for it finds one line.
    const isShown = answer.kind === 'choose' || answer.operation === 'numbers_find';
    const shown = isShown && answer.find !== undefined ? ['numbers_find', 'numbers_lookup'] : [];
    const offered = [...answer.offers.map(({ operation }) => operation), ...shown];
    const isAmong = isFirst || offered.some((id) => right.has(id));
    const isNever = (id: string) => row.never?.some((one) => (one.startsWith('_') ? id.endsWith(one) : id === one));
    const isWrong = answer.offers.some(({ operation }) => isChange(operation) && isNever(operation));
    this.messages++;
    if (isFirst) this.first++;
    if (isAmong) this.amongThree++;
    if (row.never) this.forbidding++;
    if (isWrong && answer.kind === 'form') this.offeredAlone++;
    else if (isWrong) this.offeredAmong++;
    const offer = answer.offers.find(({ operation }) => right.has(operation));
    for (const [name, value] of offer ? Object.entries(row.fills ?? {}) : []) {
      const got = [offer?.input[name], offer?.find].map((one) => flat(one).replaceAll(', ', '+').toLowerCase());
      this.values++;
      if (got.includes(flat(value).replaceAll(', ', '+').toLowerCase())) this.valuesFilled++;
    }
    return isAmong && !isWrong;
  }

  print(name: string): void {
    console.log(
      `${name}: ${this.messages} messages, first ${percent(this.first, this.messages)}, among three ${percent(this.amongThree, this.messages)}, ` +
        `values ${percent(this.valuesFilled, this.values)}; of ${this.forbidding} that name what must not be offered, ` +
        `offered alone ${percent(this.offeredAlone, this.forbidding)}, among others ${percent(this.offeredAmong, this.forbidding)}`,
    );
  }
}

function flat(value: unknown): string {
  if (Array.isArray(value)) return value.map(flat).join('+');
  return typeof value === 'object' && value !== null ? Object.values(value).map(flat).join('+') : String(value);
}

/** The answer to a row, after the messages before it. */
function answerTo(reader: Reader, { says, after = [] }: Row): Understood {
  let thread: Thread | undefined;
  for (const earlier of after) thread = reader.answer(earlier, thread, OPTIONS).thread;
  return reader.answer(says, thread, OPTIONS).answer;
}

function measure(reader: Reader, rows: readonly Row[], to: { single: Tally; threads: Tally }, isShown: boolean): void {
  for (const row of rows) {
    const answer = answerTo(reader, row);
    const tally = row.after ? to.threads : to.single;
    const isRight = tally.add(row, answer, (id) => reader.isChange(id));
    if (!isRight && isShown)
      console.log(`- ${[...(row.after ?? []), row.says].join(' => ')}: ${JSON.stringify(answer)}`);
  }
}

function fourFold(): void {
  const rows = rowsOf();
  const names = readFileSync('tools/given-names.txt', 'utf8').split(/\s+/).filter(Boolean);
  const forms = JSON.parse(readFileSync('tools/stances.json', 'utf8')) as Record<string, string[]>;
  const tables = [...new Set(rows.filter(isTable).map(({ from }) => from))].sort();
  const foldOf = (row: Row) => (isTable(row) ? tables.indexOf(row.from) % FOLDS : undefined);
  const total = { single: new Tally(), threads: new Tally() };
  const wishes = { found: 0, amongThree: 0, all: 0 };
  for (let fold = 0; fold < (has('--folds') ? Number(argument('--folds')) : FOLDS); fold++) {
    const isLeftOut = (row: Row) => foldOf(row) === fold || (fold === 0 && row.from.startsWith('wishes'));
    const lesson = { rows: rows.filter((row) => !isLeftOut(row)), names, forms, tools, now: NOW, zone: 'UTC' };
    const model = readModel(writeModel(teach(lesson), ''));
    const reader = new Reader(tools, model);
    measure(
      reader,
      rows.filter((row) => foldOf(row) === fold),
      total,
      has('--show'),
    );
    if (fold === 0)
      search(
        reader,
        rows.filter(({ from }) => from.startsWith('wishes')),
        wishes,
      );
  }
  total.single.print('Single messages');
  total.threads.print('Messages of threads');
  console.log(
    `Searches of assistants: ${wishes.all}, first ${percent(wishes.found, wishes.all)}, among three ${percent(wishes.amongThree, wishes.all)}`,
  );
}

/** Wishes that assistants search for. The reader of the first fold has learned none of them. */
function search(reader: Reader, rows: readonly Row[], to: { found: number; amongThree: number; all: number }): void {
  for (const { says, means } of rows) {
    const found = reader.search(says, () => true);
    const right = [means].flat().map(operationOf);
    to.all++;
    if (right.includes(found[0] ?? '')) to.found++;
    if (found.slice(0, 3).some((id) => right.includes(id))) to.amongThree++;
  }
}

/** Rows of a file, read with the committed model. */
function ofFile(path: string): void {
  const model = readModel(readFileSync('tools/words.model'));
  const total = { single: new Tally(), threads: new Tally() };
  measure(new Reader(tools, model), JSON.parse(readFileSync(path, 'utf8')) as Row[], total, true);
  total.single.print('Single messages');
  total.threads.print('Messages of threads');
}

/** Processor time, beside that of a bare Node start in the same run. */
function time(): void {
  const load = fileURLToPath(new URL('load.mjs', import.meta.url));
  const least = (times: readonly number[]) => Math.min(...times);
  const rounds = Array.from({ length: 7 }, () => {
    const bare = spawnSync(process.execPath, [
      '-e',
      'const {user, system} = process.cpuUsage(); console.log((user + system) / 1000)',
    ]);
    const read = spawnSync(process.execPath, [load], { encoding: 'utf8' });
    return { bare: Number(bare.stdout), ...(JSON.parse(read.stdout) as { load: number; first: number; each: number }) };
  });
  const bare = least(rounds.map((round) => round.bare));
  for (const [name, limit] of [
    ['load', 1.5],
    ['first', 4],
    ['each', 1 / 20],
  ] as const) {
    const ms = least(rounds.map((round) => round[name]));
    console.log(
      `${name}: ${ms.toFixed(2)} ms, ratio to a bare Node start ${(ms / bare).toFixed(3)} (at most ${limit})`,
    );
  }
}

if (has('--file')) ofFile(argument('--file') ?? '');
else if (!has('--time')) fourFold();
if (!has('--file')) time();
