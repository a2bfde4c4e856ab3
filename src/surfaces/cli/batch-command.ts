import { readFile, writeFile } from 'node:fs/promises';
import type { Batches, BatchView } from '../../batches/batches.ts';
import { readListFile } from '../../batches/csv.ts';
import { type BatchRow, differingIn, isException } from '../../batches/states.ts';
import { actLabel, batchActions } from '../../cards/actions.ts';
import { batchCard, changedData, progressOf, rowsPart } from '../../cards/batch.ts';
import type { ActionId } from '../../cards/card.ts';
import { plainOf, questionText } from '../../cards/card.ts';
import { questionCard, withoutLists } from '../../cards/question.ts';
import { isChange } from '../../catalogue/operation.ts';
import { isPaid } from '../../gate/confirmation.ts';
import { deciderOf } from '../../gate/decisions.ts';
import type { Ask, Gate } from '../../gate/gate.ts';
import { batchData, countsText, rowData } from '../../language/batch-words.ts';
import { clean } from '../../language/show.ts';
import { asSwitchboardError, changed, invalidInput } from '../../lib/errors.ts';
import { joined, jsonText, plainText } from '../../lib/values.ts';
import { usage } from './arguments.ts';
import { BATCH_HELP, BATCH_USAGE, type BatchRequest, readBatchOptions } from './batch-options.ts';
import { askUntil, type CallIo, EXIT, onEnd, readBytes, type Write, withdrawn } from './io.ts';
import { readOperation, requireNoSecrets } from './performing.ts';
import { columnsOf, needsYes, Progress, reported, widthOf } from './reporting.ts';
import { requireWritable } from './result-file.ts';
import { prose, wrappedList } from './table.ts';

/** The environment of `switchboard batch`. */
export interface BatchIo extends Omit<CallIo, 'openDoor'> {
  openDoor(): Promise<{ gate: Gate; batches: Batches; close(): Promise<void> }>;
}

/** Rows of the plan that are shown on a terminal. All of them are in the CSV. */
const LISTED = 500;

/** `switchboard batch`: one operation over a list. Resolves to the exit status. */
export function runBatch(args: readonly string[], io: BatchIo): Promise<number> {
  return reported(io, async (out, err) => {
    const asked = readBatchOptions(args);
    if (asked.verb === 'help') {
      await out(BATCH_HELP);
      return EXIT.done;
    }
    // Everything that can be refused or cannot be written is found before anything is opened.
    const given = asked.verb === 'create' ? await readGiven(asked, io) : undefined;
    const list = asked.verb === 'create' ? asked.file : '-';
    const csv = asked.verb === 'list' ? undefined : asked.csv;
    if (csv !== undefined && csv !== '-') await requireWritable('--csv', csv, list);
    const door = await io.openDoor();
    const run = new BatchCommand(door.batches, io, { out, err, csv });
    try {
      if (asked.verb === 'create') return given ? await run.create(given, asked) : EXIT.usage;
      return await run.other(asked);
    } finally {
      run.end();
      await door.close().catch(() => undefined);
    }
  });
}

type Create = Extract<BatchRequest, { verb: 'create' }>;

/** The operation, the shared fields and the list. */
async function readGiven({ words, file }: Create, io: BatchIo) {
  const parsed = readOperation(words, io.tools, false);
  if (parsed.kind === 'problem') throw invalidInput(parsed.field, parsed.message);
  if (parsed.kind === 'help') throw usage(`Name an operation. Usage: ${BATCH_USAGE}`);
  requireNoSecrets(parsed.tool, [parsed.input]);
  const bytes =
    file === '-'
      ? await readBytes(io.stdin)
      : await readFile(file).catch((error: Error) => {
          throw usage(`--file ${file} cannot be read: ${error.message}`);
        });
  const read = readListFile(bytes);
  if ('problem' in read) throw usage(`--file ${file} ${read.problem}`);
  return {
    operation: parsed.tool.id,
    shared: parsed.input,
    list: { text: read.text },
    isChange: isChange(parsed.tool),
  };
}

/**
 * Asks the person at the terminal about a planned batch and follows its run, or follows the run of one that needs no
 * question. Resolves to the exit status.
 */
export async function runPlanned(
  id: string,
  batches: Batches,
  { io, out, err }: { io: Omit<CallIo, 'openDoor'>; out: Write; err: Write },
): Promise<number> {
  const run = new BatchCommand(batches, io, { out, err, csv: undefined });
  try {
    return await run.planned(id, { mayAsk: true, yes: false });
  } finally {
    run.end();
  }
}

/** Whether a person can be asked, or `--yes` answers. */
interface Answering {
  mayAsk: boolean;
  yes: boolean;
}

const isPlanning = ({ state }: BatchView) => state === 'planning';

class BatchCommand {
  readonly #batches: Batches;
  readonly #io: Omit<CallIo, 'openDoor'>;
  readonly #out: Write;
  readonly #err: Write;
  /** The file to which the rows are written; `-` for stdout. */
  readonly #csv: string | undefined;
  readonly #progress: Progress;
  readonly #isHuman: boolean;
  /** True once the rows of the plan were shown. */
  #isPlanShown = false;
  /** Called at Ctrl-C, and with true if the process is to end. */
  #onInterrupt: (isEnd: boolean) => void = () => undefined;
  /** True once the process is to end, which leaves a running batch to another one. */
  #isEnding = false;
  readonly #unlisten: () => void;

  constructor(
    batches: Batches,
    io: Omit<CallIo, 'openDoor'>,
    { out, err, csv }: { out: Write; err: Write; csv: string | undefined },
  ) {
    this.#batches = batches;
    this.#io = io;
    this.#out = out;
    this.#err = err;
    this.#csv = csv;
    this.#isHuman = io.stderr.isTTY === true;
    this.#progress = new Progress(io, err);
    this.#unlisten = (io.onInterrupt ?? onEnd)((signal = 'SIGINT') => {
      this.#isEnding ||= signal !== 'SIGINT';
      this.#onInterrupt(this.#isEnding);
    });
  }

  end(): void {
    this.#progress.stop();
    this.#unlisten();
  }

  async create(
    { operation, shared, list, isChange: isAsked }: Awaited<ReturnType<typeof readGiven>>,
    { file, yes, reason }: Create,
  ): Promise<number> {
    const made = await this.#batches.create({ operation, list, shared, reason, isHeld: true }, this.#io.actor);
    for (const note of made.read) await this.#err(`${clean(note)}\n`);
    return this.planned(made.view.id, { yes, mayAsk: !isAsked || (this.#canAsk() && file !== '-') });
  }

  async other(asked: Exclude<BatchRequest, { verb: 'create' | 'help' }>): Promise<number> {
    const { actor } = this.#io;
    if (asked.verb === 'list') return this.#list();
    const { verb, id, yes, reason } = asked;
    if (verb === 'rest') {
      const { view } = await this.#batches.rest(id, actor, { reason, isHeld: true });
      return this.planned(view.id, { yes, mayAsk: this.#canAsk() });
    }
    if (verb === 'stop') {
      await this.#report(await this.#batches.stop(id, actor, 'terminal'), false);
      return EXIT.done;
    }
    const view = await this.#batches.view(id, actor);
    const unwritten = await this.#writeCsv(view);
    if (this.#csv === undefined || unwritten !== undefined) await this.#report(view, true, unwritten);
    return unwritten === undefined ? EXIT.done : EXIT.refused;
  }

  #canAsk(): boolean {
    return this.#io.stdin.isTTY === true && this.#isHuman;
  }

  /** Waits for the plan, shows it, asks, and follows the run. An error names the batch, which may have sent rows already. */
  async planned(id: string, answering: Answering): Promise<number> {
    try {
      return await this.#planned(id, answering);
    } catch (thrown) {
      const error = asSwitchboardError(thrown);
      const { message, next } = error.face;
      if (plainText(joined([message, next])).includes(id)) throw error;
      throw changed(error, { next: joined([next, `The batch is ${id}; to see it: switchboard batch show ${id}`]) });
    }
  }

  async #planned(id: string, { mayAsk, yes }: Answering): Promise<number> {
    const { actor } = this.#io;
    const planned = await this.#while(isPlanning, id);
    const isUnasked = planned.state === 'planned' || planned.state === 'waiting';
    if (isUnasked && !mayAsk && !yes) return this.#refuse(planned);
    if (planned.plan !== undefined && planned.plan.risk !== 'read' && this.#isHuman) {
      const rows = await this.#batches.rows(id, actor);
      await this.#err(`${rowsText(planned, rows.slice(0, LISTED), widthOf(this.#io))}\n\n`);
      this.#isPlanShown = true;
    }
    if (isUnasked) await this.#askFor(id, yes);
    const asked = await this.#batches.view(id, actor);
    if (asked.state !== 'waiting') return this.#followed(asked);
    await this.#report(asked, false);
    return EXIT.notConfirmed;
  }

  /** Shows the question that nobody can be asked, and throws. A batch about which nobody was asked yet is stopped. */
  async #refuse({ id, state }: BatchView): Promise<never> {
    const { actor } = this.#io;
    const asked = await this.#batches.preview(id, actor);
    if (state === 'planned') await this.#batches.stop(id, actor, 'terminal');
    await this.#err(`${clean(questionText(questionCard(undefined, asked)))}\n\n`);
    throw needsYes(`${asked.consent?.title ?? 'A batch of changes'} must be confirmed by a person`, isPaid(asked));
  }

  /** Asks on this terminal, or leaves the question to other people. */
  async #askFor(id: string, yes: boolean): Promise<void> {
    const { actor } = this.#io;
    let declined = false;
    const abort = new AbortController();
    this.#onInterrupt = () => abort.abort();
    const ask: Ask = async (action, withdrawn) => {
      const signal = AbortSignal.any([withdrawn, abort.signal]);
      const { title, parts } = questionCard(undefined, action);
      // The table above has the rows.
      const shown = this.#isHuman ? withoutLists(parts) : parts;
      await this.#err(`${clean(questionText({ title, parts: shown }))}\n\n`);
      if (yes) return 'accept';
      const isWaiting = ({ state }: BatchView) => state === 'waiting';
      const answer = await askUntil(`${clean(actLabel(action))}? [y/N] `, this.#io, signal, (ended) =>
        this.#batches.while(isWaiting, id, actor, { ms: Number.POSITIVE_INFINITY, signal: ended }),
      );
      declined = answer === 'decline' || answer === 'cancel';
      return answer;
    };
    try {
      await this.#batches.ask(id, actor, { ask, decider: deciderOf(actor, 'terminal') });
    } catch (error) {
      if (!declined) throw error;
    } finally {
      this.#onInterrupt = () => undefined;
    }
  }

  /** Waits until the batch has ended, and reports it. Ctrl-C stops it. Rows that were sent are answered first. */
  async #followed(first: BatchView): Promise<number> {
    const left = first.state === 'running' ? await this.#while(({ state }) => state === 'running', first.id) : first;
    const view =
      left.state === 'running' || left.counts.running === 0
        ? left
        : await this.#while(({ counts }) => counts.running > 0, left.id);
    const unwritten = await this.#writeCsv(view);
    await this.#report(view, unwritten !== undefined, unwritten);
    const status = statusOf(view);
    // All rows are done, but the file that was asked for is not.
    return status === EXIT.done && unwritten !== undefined ? EXIT.partly : status;
  }

  /**
   * Waits without a time limit, and shows the batch meanwhile. Ctrl-C stops the batch, and pressed again it stops waiting.
   * The end of the process leaves a running batch to another one, and stops one that is not planned yet.
   */
  async #while(isOn: (view: BatchView) => boolean, id: string): Promise<BatchView> {
    const { actor } = this.#io;
    const abort = new AbortController();
    this.#onInterrupt = (isEnd) => {
      this.#onInterrupt = () => abort.abort();
      if (isEnd && isOn !== isPlanning) abort.abort();
      else this.#batches.stop(id, actor, 'terminal').catch(() => abort.abort());
    };
    if (this.#isEnding) this.#onInterrupt(true);
    const onView = (view: BatchView) => this.#progress.busy(barText(view, columnsOf(this.#io)));
    const waiting = { ms: Number.POSITIVE_INFINITY, signal: abort.signal, onView };
    const view = await this.#batches.while(isOn, id, actor, waiting);
    this.#onInterrupt = () => undefined;
    this.#progress.stop();
    if (isOn === isPlanning && view.state === 'stopped') throw withdrawn();
    return view;
  }

  /**
   * The state of the batch first, then its rows or those that were not done, then the commands that go on with it. If
   * the results are on stdout, the report is a text on stderr.
   *
   * @param unwritten why the results are not in their file
   */
  async #report(view: BatchView, withRows: boolean, unwritten?: string): Promise<void> {
    const isBeside = this.#csv === '-';
    // A script needs no report of results that are whole.
    if (isBeside && !this.#isHuman && statusOf(view) === EXIT.done) return;
    const all = await this.#batches.rows(view.id, this.#io.actor);
    if (isBeside || this.#io.stdout.isTTY === true) {
      const write = isBeside ? this.#err : this.#out;
      if (unwritten !== undefined) await this.#err(`${clean(unwritten)}\n`);
      const width = widthOf(this.#io);
      // The rows that the plan left out are on the screen already.
      const isNews = (row: BatchRow) => isException(row) && !(this.#isPlanShown && row.at === undefined);
      const rows = rowsText(view, withRows || view.changed !== undefined ? all : all.filter(isNews), width);
      const { title, state } = batchCard(view, 'terminal');
      const head = [state, `${title} (${view.id})`].map((line) => prose(clean(line), width, 2)).join('\n');
      await write(`${head}\n${rows === '' ? '' : `\n${rows}\n`}`);
      const commands = nextCommands(view, all, { hasCsv: this.#csv !== undefined });
      if (commands.length > 0 && (isBeside || this.#isHuman))
        await this.#err(`${clean(`${rows === '' ? '' : '\n'}${commands.join('\n')}`)}\n`);
      return;
    }
    const differs = differingIn(all);
    const rows = all.map((row) => ({ ...rowData(row, differs, view), ...changedData(view, row) }));
    const warning = unwritten === undefined ? {} : { Warning: unwritten };
    await this.#out(`${jsonText({ ...batchData(view, 'terminal'), ...warning, rows }, 2)}\n`);
  }

  async #list(): Promise<number> {
    const views = await this.#batches.list(this.#io.actor);
    const data = views.map((view) => batchData(view, 'terminal'));
    if (this.#io.stdout.isTTY !== true) await this.#out(`${jsonText(data, 2)}\n`);
    else if (views.length === 0) await this.#out('There are no batches.\n');
    else {
      const cells = views.map((view) => [view.id, clean(view.title), view.state, countsText(view)]);
      await this.#out(`${wrappedList(['Id', 'Batch', 'State', 'Rows'], cells, widthOf(this.#io))}\n`);
    }
    return EXIT.done;
  }

  /** Writes every row with its outcome. Resolves to a sentence if the file could not be written. */
  async #writeCsv({ id, startedAt }: BatchView): Promise<string | undefined> {
    const target = this.#csv;
    if (target === undefined) return undefined;
    const csv = await this.#batches.csv(id, this.#io.actor, startedAt === undefined ? 'plan' : 'results');
    // Programs behind a pipe do not expect a byte order mark.
    if (target === '-') return void (await this.#out(csv.replace(/^\uFEFF/, '')));
    try {
      await writeFile(target, csv, { mode: 0o600 });
      return undefined;
    } catch (error) {
      return `The results of batch ${id} are not in ${target} (${(error as Error).message}). To write them: switchboard batch show ${id} --csv FILE`;
    }
  }
}

/* A batch as text for a terminal. Lines fit `width`, except commands to copy and words that are longer. */

const MOST_BAR = 24;
/** Rows of unknown outcome whose check is named. */
const CHECKS = 3;

/** The commands that go on with a batch, one line each. */
function nextCommands(view: BatchView, rows: readonly BatchRow[], { hasCsv }: { hasCsv: boolean }): string[] {
  const { id, state } = view;
  const command = (verb: string) => `switchboard batch ${verb} ${id}`;
  if (state === 'waiting') return [`An approver must confirm it. See how it goes: ${command('show')}`];
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
function rowsText(view: Pick<BatchView, 'changed'>, rows: readonly BatchRow[], width: number): string {
  if (rows.length === 0) return '';
  const { columns, rows: cells } = rowsPart(view, rows);
  return wrappedList(
    columns,
    cells.map((row) => row.map(clean)),
    width,
  );
}

/** The progress of a batch as a bar with its counts. */
function barText(view: BatchView, width: number): string {
  const progress = progressOf(view);
  const bar = Math.min(MOST_BAR, Math.floor(width / 5));
  const full = Math.round(progress.bar * bar);
  const text = view.state === 'planning' ? 'reading the rows' : countsText(view);
  return `${'█'.repeat(full)}${'░'.repeat(bar - full)} ${plainOf([progress])}, ${text}`;
}

/** The exit status of a batch, as of a call. */
function statusOf({ state, counts }: BatchView): number {
  // A script must learn that rows of its list were left out.
  if (state === 'done') return counts.left_out > 0 ? EXIT.partly : EXIT.done;
  if (state === 'running' || counts.unknown > 0 || counts.running > 0) return EXIT.unknown;
  if (state === 'partly' || counts.done > 0) return EXIT.partly;
  return state === 'failed' || counts.failed > 0 ? EXIT.refused : EXIT.notConfirmed;
}
