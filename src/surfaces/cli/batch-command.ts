import { promises } from 'node:fs';
import type { Batches, BatchView } from '../../batches/batches.ts';
import { readListFile } from '../../batches/rows.ts';
import { type BatchRow, differingIn, isException } from '../../batches/states.ts';
import { batchCard, changedData, progressOf, rowsPart } from '../../cards/batch.ts';
import { type ActionId, plainOf, questionText } from '../../cards/card.ts';
import { actLabel, batchActions, questionCard, withoutLists } from '../../cards/question.ts';
import { isChange } from '../../catalogue/operation.ts';
import { type Ask, isPaid, type Previewed } from '../../gate/confirmation.ts';
import { deciderOf } from '../../gate/decisions.ts';
import { batchData, countsText, rowData } from '../../language/batch-words.ts';
import { clean } from '../../language/show.ts';
import { asSwitchboardError, changed, invalidInput } from '../../lib/errors.ts';
import { joined, jsonText, plainText } from '../../lib/values.ts';
import { BATCH_HELP, BATCH_USAGE, readBatchOptions, usage } from './arguments.ts';
import { readInput, readOperation, requireNoSecrets } from './call.ts';
import { askUntil, type CallIo, type Door, EXIT, onEnd, type Terminal, withdrawn } from './io.ts';
import { columnsOf, createProgress, needsYes, reported } from './reporting.ts';
import { prose, wrappedList } from './table.ts';

/** What `switchboard batch` opens. */
export type BatchDoor = Door & { batches: Batches };

/** `switchboard batch`: one operation over a list. Resolves to the exit status. */
export function runBatch(args: readonly string[], io: CallIo<BatchDoor>): Promise<number> {
  return reported(io, async (terminal) => {
    const asked = readBatchOptions(args);
    const { verb, id, file, csv, yes, reason } = asked;
    const { actor, canAsk, err } = terminal;
    if (verb === 'help') {
      await terminal.out(BATCH_HELP);
      return EXIT.done;
    }
    // Everything that can be refused or cannot be written is found before anything is opened.
    const given = verb === 'create' ? await readGiven(asked, terminal) : undefined;
    if (csv !== undefined && csv !== '-') await requireWritable(csv, file);
    const { batches } = await terminal.openDoor();
    const run = runOf(batches, terminal, csv);
    try {
      if (verb === 'list') return await run.list();
      if (given) {
        const { isChange: isAsked, ...list } = given;
        const made = await batches.create({ ...list, reason, isHeld: true }, actor);
        for (const note of made.read) await err(`${clean(note)}\n`);
        return await run.planned(made.view.id, { yes, mayAsk: !isAsked || (canAsk && file !== '-') });
      }
      if (verb === 'rest') {
        const { view } = await batches.rest(id, actor, { reason, isHeld: true });
        return await run.planned(view.id, { yes, mayAsk: canAsk });
      }
      if (verb === 'stop') {
        await run.report(await batches.stop(id, actor, 'terminal'), false);
        return EXIT.done;
      }
      const view = await batches.view(id, actor);
      const unwritten = await run.writeCsv(view);
      if (csv === undefined || unwritten !== undefined) await run.report(view, true, unwritten);
      return unwritten === undefined ? EXIT.done : EXIT.refused;
    } finally {
      run.end();
    }
  });
}

/** The operation, the shared fields and the list. */
async function readGiven({ words, file }: ReturnType<typeof readBatchOptions>, io: CallIo<BatchDoor>) {
  const parsed = readOperation(words, io.tools, false);
  if (parsed.kind === 'problem') throw invalidInput(parsed.field, parsed.message);
  if (parsed.kind === 'help') throw usage(`Name an operation. Usage: ${BATCH_USAGE}`);
  requireNoSecrets(parsed.tool, [parsed.input]);
  const read = readListFile(await readInput(`--file ${file}`, file === '-' ? undefined : file, io));
  if ('problem' in read) throw usage(`--file ${file} ${read.problem}`);
  const { id: operation } = parsed.tool;
  return { operation, shared: parsed.input, list: { text: read.text }, isChange: isChange(parsed.tool) };
}

/**
 * Refuses a file for the results that cannot be written, before anything is asked or sent. It keeps what it holds until
 * there is a result.
 *
 * @param list the file that the results come from, which it must not replace; `-` for stdin, '' for none
 * @throws SwitchboardError `invalid_input`
 */
async function requireWritable(path: string, list: string): Promise<void> {
  const [found, source] = await Promise.all([path, list].map((one) => promises.stat(one).catch(() => undefined)));
  if (list !== '-' && found?.isFile() && found.ino === source?.ino && found.dev === source.dev)
    throw invalidInput('--csv', `--csv ${path} is the file of the list. Name another one for the results.`);
  // Opening a pipe would end it.
  if (found && !found.isFile() && !found.isDirectory()) return;
  try {
    await (await promises.open(path, 'a', 0o600)).close();
    if (found === undefined) await promises.unlink(path);
  } catch (error) {
    const why = (error as Error).message;
    throw invalidInput('--csv', `--csv ${path} cannot be written: ${why}. Nothing was asked and nothing was sent.`);
  }
}

/**
 * Asks the person at the terminal about a planned batch and follows its run, or follows the run of one that needs no
 * question. Resolves to the exit status.
 */
export async function runPlanned(id: string, batches: Batches, terminal: Terminal): Promise<number> {
  const run = runOf(batches, terminal, undefined);
  try {
    return await run.planned(id, { mayAsk: true, yes: false });
  } finally {
    run.end();
  }
}

const isPlanning = ({ state }: BatchView) => state === 'planning';

/**
 * A batch at the terminal. `end` must be called at its end.
 *
 * @param target the file to which the rows are written; `-` for stdout
 */
function runOf(batches: Batches, terminal: Terminal, target: string | undefined) {
  const { actor, out, err, human, width } = terminal;
  const progress = createProgress(terminal);
  /** True once the rows of the plan were shown. */
  let isPlanShown = false;
  /** Called at Ctrl-C, and with true if the process is to end. */
  let onInterrupt: (isEnd: boolean) => void = () => undefined;
  /** True once the process is to end, which leaves a running batch to another one. */
  let isEnding = false;
  const unlisten = (terminal.onInterrupt ?? onEnd)((signal = 'SIGINT') => {
    isEnding ||= signal !== 'SIGINT';
    onInterrupt(isEnding);
  });

  /**
   * Waits without a time limit, and shows the batch meanwhile. Ctrl-C stops the batch, and pressed again it stops waiting.
   * The end of the process leaves a running batch to another one, and stops one that is not planned yet.
   */
  const waitWhile = async (isOn: (view: BatchView) => boolean, id: string) => {
    const abort = new AbortController();
    onInterrupt = (isEnd) => {
      onInterrupt = () => abort.abort();
      if (isEnd && isOn !== isPlanning) abort.abort();
      else batches.stop(id, actor, 'terminal').catch(() => abort.abort());
    };
    if (isEnding) onInterrupt(true);
    const onView = (view: BatchView) => {
      // The progress of the batch as a bar with its counts.
      const part = progressOf(view);
      const size = Math.min(MOST_BAR, Math.floor(columnsOf(terminal) / 5));
      const full = Math.round(part.bar * size);
      const text = view.state === 'planning' ? 'reading the rows' : countsText(view);
      progress.busy(`${'█'.repeat(full)}${'░'.repeat(size - full)} ${plainOf([part])}, ${text}`);
    };
    const view = await batches.while(isOn, id, actor, { ms: Number.POSITIVE_INFINITY, signal: abort.signal, onView });
    onInterrupt = () => undefined;
    progress.stop();
    if (isOn === isPlanning && view.state === 'stopped') throw withdrawn();
    return view;
  };

  /** Asks on this terminal, or leaves the question to other people. */
  const askFor = async (id: string, yes: boolean) => {
    let isAsked = false;
    let declined = false;
    const abort = new AbortController();
    onInterrupt = () => abort.abort();
    const showQuestion = (action: Previewed) => {
      const { title, parts } = questionCard(undefined, action);
      // The table above has the rows.
      return err(`${clean(questionText({ title, parts: human ? withoutLists(parts) : parts }))}\n\n`);
    };
    const ask: Ask = async (action, late) => {
      const signal = AbortSignal.any([late, abort.signal]);
      isAsked = true;
      await showQuestion(action);
      if (yes) return 'accept';
      const isWaiting = ({ state }: BatchView) => state === 'waiting';
      const answer = await askUntil(`${clean(actLabel(action))}? [y/N] `, terminal, signal, (ended) =>
        batches.while(isWaiting, id, actor, { ms: Number.POSITIVE_INFINITY, signal: ended }),
      );
      declined = answer === 'decline' || answer === 'cancel';
      return answer;
    };
    try {
      const performed = await batches.ask(id, actor, { ask, decider: deciderOf(actor, 'terminal') });
      if (performed.kind === 'pending' && !isAsked) await showQuestion(performed.action);
    } catch (error) {
      if (!declined) throw error;
    } finally {
      onInterrupt = () => undefined;
    }
  };

  /** Writes every row with its outcome. Resolves to a sentence if the file could not be written. */
  const writeCsv = async ({ id, startedAt }: BatchView): Promise<string | undefined> => {
    if (target === undefined) return undefined;
    const csv = await batches.csv(id, actor, startedAt === undefined ? 'plan' : 'results');
    // Programs behind a pipe do not expect a byte order mark.
    if (target === '-') return void (await out(csv.replace(/^\uFEFF/, '')));
    try {
      return await promises.writeFile(target, csv, { mode: 0o600 }).then(() => undefined);
    } catch (error) {
      return `The results of batch ${id} are not in ${target} (${(error as Error).message}). To write them: switchboard batch show ${id} --csv FILE`;
    }
  };

  /**
   * The state of the batch first, then its rows or those that were not done, then the commands that go on with it. If
   * the results are on stdout, the report is a text on stderr.
   *
   * @param unwritten why the results are not in their file
   */
  const report = async (view: BatchView, withRows: boolean, unwritten?: string) => {
    const isBeside = target === '-';
    // A script needs no report of results that are whole.
    if (isBeside && !human && statusOf(view) === EXIT.done) return;
    const all = await batches.rows(view.id, actor);
    if (!isBeside && terminal.stdout.isTTY !== true) {
      const differs = differingIn(all);
      const rows = all.map((row) => ({ ...rowData(row, differs, view), ...changedData(row) }));
      const warning = unwritten === undefined ? {} : { Warning: unwritten };
      await out(`${jsonText({ ...batchData(view, 'terminal'), ...warning, rows }, 2)}\n`);
      return;
    }
    if (unwritten !== undefined) await err(`${clean(unwritten)}\n`);
    // The rows that the plan left out are on the screen already.
    const isNews = (row: BatchRow) => isException(row) && !(isPlanShown && row.at === undefined);
    const rows = rowsText(view, withRows || view.changed !== undefined ? all : all.filter(isNews), width);
    const { title, state } = batchCard(view, 'terminal');
    const head = [state, `${title} (${view.id})`].map((line) => prose(clean(line), width, 2)).join('\n');
    await (isBeside ? err : out)(`${head}\n${rows === '' ? '' : `\n${rows}\n`}`);
    const commands = nextCommands(view, all, target !== undefined);
    if (commands.length > 0 && (isBeside || human))
      await err(`${clean(`${rows === '' ? '' : '\n'}${commands.join('\n')}`)}\n`);
  };

  /** @param answer whether a person can be asked, and whether `--yes` answers */
  const followed = async (id: string, { mayAsk, yes }: { mayAsk: boolean; yes: boolean }) => {
    const plan = await waitWhile(isPlanning, id);
    const isUnasked = plan.state === 'planned' || plan.state === 'waiting';
    if (isUnasked && !mayAsk && !yes) {
      // The question is shown although it cannot be asked. A batch that was not asked about yet is stopped.
      const asked = await batches.preview(id, actor);
      if (plan.state === 'planned') await batches.stop(id, actor, 'terminal');
      await err(`${clean(questionText(questionCard(undefined, asked)))}\n\n`);
      throw needsYes(`${asked.consent?.title ?? 'A batch of changes'} must be confirmed by a person`, isPaid(asked));
    }
    if (plan.plan !== undefined && plan.plan.risk !== 'read' && human) {
      const rows = await batches.rows(id, actor);
      await err(`${rowsText(plan, rows, width)}\n\n`);
      isPlanShown = true;
    }
    if (isUnasked) await askFor(id, yes);
    let view = await batches.view(id, actor);
    if (view.state === 'waiting') {
      await report(view, false);
      return EXIT.notConfirmed;
    }
    if (view.state === 'running') view = await waitWhile(({ state }) => state === 'running', id);
    // Rows that were sent before Ctrl-C are answered first.
    if (view.state !== 'running' && view.counts.running > 0)
      view = await waitWhile(({ counts }) => counts.running > 0, id);
    const unwritten = await writeCsv(view);
    await report(view, unwritten !== undefined, unwritten);
    const status = statusOf(view);
    // All rows are done, but the file that was asked for is not.
    return status === EXIT.done && unwritten !== undefined ? EXIT.partly : status;
  };

  return {
    report,
    writeCsv,
    end: () => {
      progress.stop();
      unlisten();
    },
    /** Waits for the plan, shows it, asks, and follows the run. An error names the batch, which may have sent rows already. */
    planned: (id: string, answer: { mayAsk: boolean; yes: boolean }): Promise<number> =>
      followed(id, answer).catch((thrown: unknown) => {
        const error = asSwitchboardError(thrown);
        const { message, next } = error.face;
        if (plainText(joined([message, next])).includes(id)) throw error;
        throw changed(error, { next: joined([next, `The batch is ${id}; to see it: switchboard batch show ${id}`]) });
      }),
    list: async (): Promise<number> => {
      const views = await batches.list(actor);
      const data = views.map((view) => batchData(view, 'terminal'));
      if (terminal.stdout.isTTY !== true) await out(`${jsonText(data, 2)}\n`);
      else if (views.length === 0) await out('There are no batches.\n');
      else {
        const cells = views.map((view) => [view.id, clean(view.title), view.state, countsText(view)]);
        await out(`${wrappedList(['Id', 'Batch', 'State', 'Rows'], cells, width)}\n`);
      }
      return EXIT.done;
    },
  };
}

/* A batch as text for a terminal. Lines fit `width`, except commands to copy and words that are longer. */

const MOST_BAR = 24;
/** Rows of unknown outcome whose check is named. */
const CHECKS = 3;

/** The commands that go on with a batch, one line each. */
function nextCommands(view: BatchView, rows: readonly BatchRow[], hasCsv: boolean): string[] {
  const { id, state } = view;
  const command = (verb: string) => `switchboard batch ${verb} ${id}`;
  if (state === 'waiting') return [`It waits for a person who may confirm it. See how it goes: ${command('show')}`];
  const unknown = rows.flatMap(({ outcome, action = [] }) => (outcome === 'unknown' ? action : []));
  const checks = unknown.map((action) => `Check it with: switchboard call confirmations_get id=${action}`);
  const offered = batchActions(view).filter(({ id: act }) => act !== 'results' || !(state === 'running' || hasCsv));
  return [...checks.slice(0, CHECKS), ...offered.flatMap(({ id: act }) => COMMANDS[act]?.(command) ?? [])];
}

/** The actions on a batch, as commands. */
const COMMANDS: Partial<Record<ActionId, (command: (verb: string) => string) => string>> = {
  stop: (command) => `Stop it with: ${command('stop')}`,
  rest: (command) => `Ask for the rest: ${command('rest')}`,
  results: (command) => `All rows as CSV: ${command('show')} --csv FILE`,
};

/** The rows as a table, or on a narrow terminal one below another. Empty without rows. */
function rowsText(view: Pick<BatchView, 'state'>, rows: readonly BatchRow[], width: number): string {
  if (rows.length === 0) return '';
  const { columns, rows: texts } = rowsPart(view, rows);
  const cells = texts.map((row) => row.map(clean));
  return wrappedList(columns, cells, width);
}

/** The exit status of a batch, as of a call. */
function statusOf({ state, counts }: BatchView): number {
  // A script must learn that rows of its list were left out.
  if (state === 'done') return counts.left_out > 0 ? EXIT.partly : EXIT.done;
  if (state === 'running' || counts.unknown > 0 || counts.running > 0) return EXIT.unknown;
  if (state === 'partly' || counts.done + counts.partly > 0) return EXIT.partly;
  return state === 'failed' || counts.failed > 0 ? EXIT.refused : EXIT.notConfirmed;
}
