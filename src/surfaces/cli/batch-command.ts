import { readFile } from 'node:fs/promises';
import type { Batches, BatchView } from '../../batches/batches.ts';
import { readListFile } from '../../batches/csv.ts';
import { type BatchRow, differingIn } from '../../batches/states.ts';
import { actLabel } from '../../cards/actions.ts';
import { changedData } from '../../cards/batch.ts';
import { questionText } from '../../cards/card.ts';
import { questionCard, withoutLists } from '../../cards/question.ts';
import { isChange } from '../../catalogue/operation.ts';
import { isPaid } from '../../gate/confirmation.ts';
import { deciderOf } from '../../gate/decisions.ts';
import type { Ask, Gate } from '../../gate/gate.ts';
import { batchData, countsText, rowData } from '../../language/batch-words.ts';
import { clean } from '../../language/show.ts';
import { asSwitchboardError, changed, invalidInput } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import { styleOf } from '../../lib/style.ts';
import { jsonText } from '../../lib/text.ts';
import { joined, plainText } from '../../lib/words.ts';
import { BATCH_HELP, BATCH_USAGE, type BatchRequest, readBatchOptions } from './batch-options.ts';
import { barText, headText, nextCommands, notDoneText, rowsText, statusOf } from './batch-text.ts';
import { askUntil, wrappedList } from './columns.ts';
import { openTarget, type ResultTarget } from './findings.ts';
import { onEnd, withdrawn } from './interrupts.ts';
import { type CallIo, EXIT, readBytes, type Write } from './io.ts';
import { usage } from './options.ts';
import { helpText } from './prose.ts';
import { readOperation, requireNoSecrets } from './reading.ts';
import { needsYes, Progress, reported, widthOf } from './reporting.ts';

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
      await out(io.stdout.isTTY === true ? helpText(BATCH_HELP, widthOf(io)) : BATCH_HELP);
      return EXIT.done;
    }
    const given = asked.verb === 'create' ? await readGiven(asked, io) : undefined;
    const list = asked.verb === 'create' ? asked.file : undefined;
    const csv = asked.verb === 'list' ? undefined : await openTarget('--csv', asked.csv, list);
    try {
      return await withDoor(io, async (door) => {
        const run = new BatchCommand(door, io, out, err);
        try {
          if (asked.verb !== 'create') return await run.other(asked, csv);
          return given ? await run.create(given, asked, csv) : EXIT.usage;
        } finally {
          run.end();
        }
      });
    } finally {
      if (csv !== '-') await csv?.close();
    }
  });
}

async function withDoor(
  io: BatchIo,
  run: (door: Awaited<ReturnType<BatchIo['openDoor']>>) => Promise<number>,
): Promise<number> {
  const door = await io.openDoor();
  try {
    return await run(door);
  } finally {
    await door.close().catch(() => undefined);
  }
}

interface Given {
  operation: string;
  shared: Fields;
  text: string;
  isChange: boolean;
}

type Create = Extract<BatchRequest, { verb: 'create' }>;
type Named = Extract<BatchRequest, { id: string }>;

/** The operation, the shared fields and the list, before anything is opened. */
async function readGiven({ words, file }: Create, io: BatchIo): Promise<Given> {
  const parsed = readOperation(words, io.tools, false);
  if (parsed.kind === 'problem') throw invalidInput(parsed.field, parsed.message);
  if (parsed.kind === 'help') throw usage(`Name an operation. Usage: ${BATCH_USAGE}`);
  requireNoSecrets(parsed.tool, [parsed.input]);
  const text = await textOf(file, io.stdin);
  return { operation: parsed.tool.id, shared: parsed.input, text, isChange: isChange(parsed.tool) };
}

async function textOf(file: string, stdin: NodeJS.ReadableStream): Promise<string> {
  const read = readListFile(file === '-' ? await readBytes(stdin) : await bytesOf(file));
  if ('problem' in read) throw usage(`--file ${file} ${read.problem}`);
  return read.text;
}

async function bytesOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw usage(`--file ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
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
  const run = new BatchCommand({ batches }, io, out, err);
  try {
    return await run.planned(id, undefined, false);
  } finally {
    run.end();
  }
}

class BatchCommand {
  readonly #batches: Batches;
  readonly #io: Omit<CallIo, 'openDoor'>;
  readonly #out: Write;
  readonly #err: Write;
  readonly #progress: Progress;
  readonly #isHuman: boolean;
  /** True once the rows of the plan were shown. */
  #isPlanShown = false;
  /** The question that --yes answered, while it is not shown. */
  #question = '';
  /** Called at Ctrl-C, and with true if the process is to end. */
  #onInterrupt: (isEnd: boolean) => void = () => undefined;
  /** True once the process is to end, which leaves a running batch to another one. */
  #isEnding = false;
  readonly #unlisten: () => void;

  constructor({ batches }: { batches: Batches }, io: Omit<CallIo, 'openDoor'>, out: Write, err: Write) {
    this.#batches = batches;
    this.#io = io;
    this.#out = out;
    this.#err = err;
    this.#isHuman = io.stderr.isTTY === true;
    const kind = this.#isHuman ? (io.redraws === true ? 'moving' : 'lines') : 'none';
    this.#progress = new Progress({
      kind,
      style: styleOf(io.colours?.err ?? false),
      columns: () => this.#columns(),
      now: io.now ?? Date.now,
      write: (text) => void err(text),
    });
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
    { operation, shared, text, isChange: isAsked }: Given,
    { file, yes, reason }: Create,
    csv: ResultTarget,
  ): Promise<number> {
    const { actor } = this.#io;
    const request = { operation, list: { text }, shared, reason };
    // A list that cannot be used is refused as such, also to a script that did not confirm.
    this.#batches.check(request, actor);
    if (isAsked && !yes && !(this.#canAsk() && file !== '-')) await this.#refuse(request);
    const { view, read } = await this.#batches.create(request, actor);
    for (const note of read) await this.#err(`${clean(note)}\n`);
    return this.planned(view.id, csv, yes);
  }

  /** A new batch of what another one has not done. */
  async #again({ id: of, yes, reason }: Named, csv: ResultTarget): Promise<number> {
    const { actor, tools } = this.#io;
    const { operation } = await this.#batches.view(of, actor);
    const tool = tools.find(({ id }) => id === operation);
    if ((tool === undefined || isChange(tool)) && !yes && !this.#canAsk()) await this.#refuse({ again: of });
    const { id } = (await this.#batches.again(of, actor, { reason })).view;
    return this.planned(id, csv, yes);
  }

  #canAsk(): boolean {
    return this.#io.stdin.isTTY === true && this.#isHuman;
  }

  /** Shows the question that nobody can be asked, and throws. Nothing is stored. */
  async #refuse(of: Parameters<Batches['preview']>[0]): Promise<never> {
    const abort = new AbortController();
    this.#onInterrupt = () => abort.abort();
    this.#progress.busy('reading the rows');
    const asked = await this.#batches.preview(of, this.#io.actor, abort.signal).catch((error: unknown) => {
      throw abort.signal.aborted ? withdrawn() : error;
    });
    this.#progress.stop();
    await this.#err(`${clean(questionText(questionCard(undefined, asked)))}\n\n`);
    throw needsYes(`${asked.consent?.title ?? 'A batch of changes'} must be confirmed by a person`, isPaid(asked));
  }

  /** Waits for the plan, shows it, asks, and follows the run. */
  planned(id: string, csv: ResultTarget, yes: boolean): Promise<number> {
    return named(id, () => this.#planned(id, csv, yes));
  }

  async #planned(id: string, csv: ResultTarget, yes: boolean): Promise<number> {
    const planned = await this.#while(['planning'], id, 'stop');
    if (planned.plan !== undefined && planned.plan.risk !== 'read') await this.#showRows(id);
    if (planned.state !== 'waiting') return this.#followed(id, planned, csv);
    await this.#askFor(id, yes);
    const asked = await this.#batches.view(id, this.#io.actor);
    if (asked.state !== 'waiting') return this.#followed(id, asked, csv);
    await this.#report(asked, csv, false);
    return EXIT.notConfirmed;
  }

  async other(asked: Exclude<BatchRequest, { verb: 'create' | 'help' }>, csv: ResultTarget): Promise<number> {
    const { actor } = this.#io;
    if (asked.verb === 'list') return this.#list();
    const { verb, id } = asked;
    if (verb === 'again') return this.#again(asked, csv);
    if (verb === 'show') {
      const view = await this.#batches.view(id, actor);
      const unwritten = await this.#writeCsv(csv, view);
      if (csv === undefined || unwritten !== undefined) await this.#report(view, csv, true, unwritten);
      return unwritten === undefined ? EXIT.done : EXIT.refused;
    }
    const view = await this.#batches.control(id, verb, actor, 'terminal', {
      ask: () => this.#mayResume(id, asked.yes),
    });
    if (verb === 'resume') return named(id, () => this.#followed(id, view, csv));
    await this.#report(view, csv, false);
    return EXIT.done;
  }

  /** Asks whether a paused batch shall go on. True with --yes. Throws where nobody can be asked. */
  async #mayResume(id: string, yes: boolean): Promise<boolean> {
    if (yes) return true;
    const view = await this.#batches.view(id, this.#io.actor);
    await this.#err(`${headText(view, widthOf(this.#io))}\n\n`);
    if (!this.#canAsk()) throw needsYes('A paused batch goes on when a person says so');
    const abort = new AbortController();
    this.#onInterrupt = () => abort.abort();
    const { waiting } = view.counts;
    const question = `Go on with the ${waiting === 1 ? 'row that is' : `${waiting} rows that are`} left? [y/N] `;
    const answer = await askUntil(question, this.#io, abort.signal, (ended) =>
      this.#batches.whileIn(['paused'], id, this.#io.actor, { ms: Number.POSITIVE_INFINITY, signal: ended }),
    );
    this.#onInterrupt = () => undefined;
    // If it was resumed or stopped elsewhere meanwhile, its state says so.
    return answer === 'yes' || answer === 'decided';
  }

  /** Asks on this terminal, or leaves the question to other people. */
  async #askFor(id: string, yes: boolean): Promise<void> {
    const { actor } = this.#io;
    let declined = false;
    const abort = new AbortController();
    this.#onInterrupt = () => abort.abort();
    const ask: Ask = async (action, withdrawn) => {
      const signal = AbortSignal.any([withdrawn, abort.signal]);
      this.#progress.stop();
      const { title, parts } = questionCard(undefined, action);
      // The table above has the rows.
      const shown = this.#isHuman ? withoutLists(parts) : parts;
      const question = `${clean(questionText({ title, parts: shown }))}\n\n`;
      // In a pipe, a command that fails has only the error document on stderr.
      if (this.#isHuman) await this.#err(question);
      else this.#question = question;
      if (yes) return 'accept';
      const answer = await askUntil(`${clean(actLabel(action))}? [y/N] `, this.#io, signal, (ended) =>
        this.#batches.whileIn(['waiting'], id, actor, { ms: Number.POSITIVE_INFINITY, signal: ended }),
      );
      if (answer === 'decided') return 'unavailable';
      declined = answer !== 'yes';
      return answer === 'yes' ? 'accept' : answer === 'no' ? 'decline' : 'cancel';
    };
    try {
      await this.#batches.ask(id, actor, { ask, decider: deciderOf(actor, 'terminal') });
    } catch (error) {
      if (!declined) throw error;
    } finally {
      this.#onInterrupt = () => undefined;
    }
  }

  /** Waits until the batch has ended or is paused, and reports it. Ctrl-C pauses it. */
  async #followed(id: string, first: BatchView, csv: ResultTarget): Promise<number> {
    const left = first.state === 'running' ? await this.#while(['running'], id, 'pause') : first;
    // A row that is being sent ends before the process does.
    const view = left.state === 'running' ? left : await this.#answered(left);
    this.#progress.stop();
    if (this.#question !== '') await this.#err(this.#question);
    const unwritten = await this.#writeCsv(csv, view);
    await this.#report(view, csv, unwritten !== undefined, unwritten);
    const status = statusOf(view);
    // All rows are done, but the file that was asked for is not.
    return status === EXIT.done && unwritten !== undefined ? EXIT.partly : status;
  }

  /** Waits for the rows that were sent before the batch was paused or stopped. Ctrl-C stops waiting. */
  async #answered(paused: BatchView): Promise<BatchView> {
    if (paused.counts.running === 0) return paused;
    const abort = new AbortController();
    this.#onInterrupt = () => abort.abort();
    await this.#tell("Rows were already sent. Waiting for the platform's answer; Ctrl-C again stops waiting.");
    const view = await this.#batches.whileSending(paused.id, this.#io.actor, this.#watched(abort.signal));
    this.#onInterrupt = () => undefined;
    return view;
  }

  /** Waits while the batch is in these states. `onStop` is the effect of Ctrl-C. */
  async #while(states: BatchView['state'][], id: string, onStop: 'pause' | 'stop'): Promise<BatchView> {
    const { actor } = this.#io;
    const abort = new AbortController();
    this.#onInterrupt = (isEnd) => {
      if (isEnd && onStop === 'pause') return abort.abort();
      this.#batches.control(id, onStop, actor, 'terminal').catch(() => abort.abort());
      this.#onInterrupt = () => abort.abort();
    };
    if (this.#isEnding) this.#onInterrupt(true);
    const view = await this.#batches.whileIn(states, id, actor, this.#watched(abort.signal));
    this.#onInterrupt = () => undefined;
    this.#progress.stop();
    return view;
  }

  /** Waits without a time limit, and shows the batch meanwhile. */
  #watched(signal: AbortSignal) {
    const onView = (view: BatchView) => this.#progress.busy(barText(view, this.#columns()));
    return { ms: Number.POSITIVE_INFINITY, signal, onView };
  }

  /** The plan as a table on stderr. */
  async #showRows(id: string): Promise<void> {
    if (!this.#isHuman) return;
    const rows = await this.#allRows(id);
    await this.#err(`${rowsText(rows.slice(0, LISTED), widthOf(this.#io))}\n\n`);
    this.#isPlanShown = true;
  }

  /**
   * The state of the batch first, then its rows or those that were not done, then the commands that go on with it. If
   * the results are on stdout, the report is a text on stderr.
   *
   * @param unwritten why the results are not in their file
   */
  async #report(view: BatchView, csv: ResultTarget, withRows: boolean, unwritten?: string): Promise<void> {
    const isBeside = csv === '-';
    // A script needs no report of results that are whole.
    if (isBeside && !this.#isHuman && statusOf(view) === EXIT.done) return;
    const all = await this.#allRows(view.id);
    if (isBeside || this.#io.stdout.isTTY === true) {
      const write = isBeside ? this.#err : this.#out;
      if (unwritten !== undefined) await this.#tell(unwritten);
      const width = widthOf(this.#io);
      const rows = withRows ? rowsText(all, width) : notDoneText(view, all, { width, isPlanShown: this.#isPlanShown });
      await write(`${headText(view, width)}\n${rows === '' ? '' : `\n${rows}\n`}`);
      const commands = nextCommands(view, all, { hasCsv: csv !== undefined });
      if (commands.length > 0 && (isBeside || this.#isHuman))
        await this.#err(`${clean(`${rows === '' ? '' : '\n'}${commands.join('\n')}`)}\n`);
      return;
    }
    const differs = differingIn(all);
    const rows = all.map((row) => ({ ...rowData(row, differs, view), ...changedData(row) }));
    const warning = unwritten === undefined ? {} : { Warning: unwritten };
    await this.#out(`${jsonText({ ...batchData(view, 'terminal'), ...warning, rows }, 2)}\n`);
  }

  #columns(): number {
    return this.#io.stderr.columns || widthOf(this.#io);
  }

  async #list(): Promise<number> {
    const views = await this.#batches.list(this.#io.actor);
    if (this.#io.stdout.isTTY !== true)
      await this.#out(
        `${jsonText(
          views.map((view) => batchData(view, 'terminal')),
          2,
        )}\n`,
      );
    else if (views.length === 0) await this.#out('There are no batches.\n');
    else {
      const cells = views.map((view) => [view.id, clean(view.title), view.state, countsText(view)]);
      await this.#out(`${wrappedList(['Id', 'Batch', 'State', 'Rows'], cells, widthOf(this.#io))}\n`);
    }
    return EXIT.done;
  }

  #allRows(id: string): Promise<BatchRow[]> {
    return this.#batches.rows(id, this.#io.actor);
  }

  /** Writes every row with its outcome. Resolves to a sentence if the file could not be written. */
  async #writeCsv(target: ResultTarget, view: BatchView): Promise<string | undefined> {
    if (target === undefined) return undefined;
    const { id } = view;
    const which = view.startedAt === undefined ? 'plan' : 'results';
    const csv = await this.#batches.csv(id, this.#io.actor, which);
    if (target === '-') {
      await this.#out(csv);
      return undefined;
    }
    const reason = await target.write(csv);
    if (reason === undefined) return undefined;
    return `The results of batch ${id} are not in ${target.path} (${reason}). To write them: switchboard batch show ${id} --csv FILE`;
  }

  async #tell(text: string): Promise<void> {
    if (this.#isHuman) await this.#err(`${clean(text)}\n`);
  }
}

/** Runs a step of a batch. Its error names the batch, which may have sent rows already. */
async function named(id: string, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (thrown) {
    const error = asSwitchboardError(thrown);
    const { message, next } = error.face;
    if (plainText(joined([message, next])).includes(id)) throw error;
    throw changed(error, { next: joined([next, `The batch is ${id}; to see it: switchboard batch show ${id}`]) });
  }
}
