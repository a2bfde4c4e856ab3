import type { GuidedAnswer } from '../../assistant/guided/answers/answer.ts';
import { unreadText } from '../../assistant/guided/answers/finder.ts';
import { ofWriter } from '../../assistant/guided/answers/numbers.ts';
import type { Guide } from '../../assistant/guided/guide.ts';
import { valueLines } from '../../cards/asked-values.ts';
import { countText, narrowed } from '../../cards/narrowed.ts';
import { fieldsOf } from '../../catalogue/fields.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { Gate } from '../../gate/gate.ts';
import { commandOf } from '../../language/command-words.ts';
import { isPlace } from '../../language/places.ts';
import { clean } from '../../language/show.ts';
import { defined, type Fields, isRecord } from '../../lib/json.ts';
import { shellWord } from './findings.ts';
import { onPresentFilter, onPresentRows } from './guided-filters.ts';
import type { CallIo, Write } from './io.ts';
import { isAccountName, lookupOfOnly, withNamedRecords } from './names.ts';
import { onTerminal } from './prose.ts';
import { show } from './reporting.ts';

const PLAIN = {
  words: [],
  json: undefined,
  yes: false,
  again: false,
  reason: undefined,
  help: false,
  output: undefined,
  fields: undefined,
  wide: false,
  qr: false,
};
const HELP =
  'Write a number, its last digits or a name to look it up, or say what to do with it: "cancel +12015550103", "why can\'t +12015550101 text", "what happened since 8". switchboard call --help lists all operations.';

export interface GuidedReplyOptions {
  io: CallIo;
  gate: Gate;
  guide: Guide;
  out: Write;
  err: Write;
  /** True if the person can be asked here. Otherwise a question becomes the command to run. */
  canAsk: boolean;
}

/** The answer of the catalogue at a terminal: reads are performed, a form becomes the command to run. */
export class GuidedReply {
  readonly #options: GuidedReplyOptions;

  constructor(options: GuidedReplyOptions) {
    this.#options = options;
  }

  /** Shows the answer. Resolves to the call whose question has to be asked, or could not be asked here. */
  async show(guided: GuidedAnswer): Promise<{ operation: string; input: Fields } | 'not asked' | undefined> {
    const { also = [] } = guided;
    const first = await this.#answer(guided, this.#options.canAsk && also.length === 0);
    for (const one of also) await this.#answer(one, false);
    return first;
  }

  /** Shows one answer. Several to one message are commands to run, and none is asked at once. */
  async #answer(
    guided: GuidedAnswer,
    canAsk: boolean,
  ): Promise<{ operation: string; input: Fields } | 'not asked' | undefined> {
    const { io, err, guide } = this.#options;
    const { orAccount } = guided;
    const isAccount = orAccount !== undefined && (await isAccountName(orAccount, io).catch(() => false));
    const meant = isAccount ? { ...guided, ...orAccount } : guided;
    const further = isAccount ? orAccount.further : undefined;
    if (further) await this.#answer({ kind: 'lookup', ...further }, false);
    const { answer, found } = await this.#withNumber(ofWriter(meant, io.actor));
    const { kind, operation, input, understood } = answer;
    const tool = io.tools.find(({ id }) => id === operation);
    if (understood !== '') {
      const text = `${kind === 'help' ? '' : 'Understood: '}${clean(understood)}`;
      await err(`${onTerminal(text, io.stderr)}\n`);
    }
    if (kind === 'help' || !tool) {
      const { about } = answer;
      const own = tool && `${tool.title}: ${tool.description}`;
      const text = about ? `${about.title}: ${about.text}` : (own ?? HELP);
      await this.#options.out(`${text}\n`);
      for (const role of answer.holders ?? []) await this.#options.out(`${clean(guide.holdersOf(role))}\n`);
      for (const near of answer.nearest ?? []) await this.#near(near);
    } else if (answer.each?.set) {
      await this.#show(answer.each.set);
      const { except = [] } = answer.each.set;
      const without = except.length === 0 ? '' : ` except ${clean(except.join(', '))}`;
      await this.#options.out(`To do it, run this for each of them${without}: ${clean(commandLine(tool, input))}\n`);
    } else if (answer.each) {
      const { field, texts } = answer.each;
      const lines = texts.map((text) => clean(commandLine(tool, { [field]: text, ...input })));
      await this.#options.out(`To do it, run one for each:\n${lines.join('\n')}\n`);
    } else if ((kind === 'question' || answer.isReady) && canAsk && !answer.rows) return { operation: tool.id, input };
    else if (kind === 'form' || kind === 'question') {
      if (found) await this.#show(found);
      await this.#command(tool, answer);
      if (kind === 'question') return 'not asked';
    } else if (found) {
      await this.#show(found);
      await this.#options.out(`For one of them, run: ${clean(commandLine(tool, input))}\n`);
    } else await this.#show({ operation: tool.id, input }, answer);
    return undefined;
  }

  /** The command of a change. That of a filter has what stays of its lists, which an update replaces. */
  async #command(tool: Tool, answer: GuidedAnswer): Promise<void> {
    const { out, err, io } = this.#options;
    const change =
      (await onPresentRows(tool, answer, this.#options)) ?? (await onPresentFilter(tool, answer, this.#options));
    if (change?.note !== undefined) await err(`${onTerminal(clean(change.note), io.stderr)}\n`);
    if (change?.isNothing) return;
    const input = await this.#withPlaces(tool, change?.input ?? answer.input);
    await out(`To do it, run: ${clean(commandLine(change?.tool ?? tool, input))}\n`);
  }

  /** The input with the records for the places of a list that it names. */
  async #withPlaces(tool: Tool, input: Fields): Promise<Fields> {
    const places = Object.fromEntries(
      Object.entries(input).filter(([, value]) => typeof value === 'string' && isPlace(value)),
    );
    if (Object.keys(places).length === 0) return input;
    const named = await withNamedRecords({ tool, input: places }, this.#options.io);
    return { ...input, ...named.input };
  }

  /** The command of an operation that may be meant. */
  async #near({ operation, input }: { operation: string; input: Fields }): Promise<void> {
    const tool = this.#options.io.tools.find(({ id }) => id === operation);
    if (tool) await this.#options.out(`${tool.title}: ${clean(commandLine(tool, input))}\n`);
  }

  /** The answer with the number that its search finds; with none or several, the search is returned to be shown. */
  async #withNumber(guided: GuidedAnswer): Promise<{ answer: GuidedAnswer; found?: GuidedAnswer['find'] }> {
    const { io, gate, guide } = this.#options;
    const { find } = guided;
    const tool = io.tools.find(({ id }) => id === find?.operation);
    if (!find || !tool) return { answer: guided };
    const performed = await gate.perform(find.operation, find.input, io.actor);
    const only = performed.kind === 'done' ? lookupOfOnly(tool, performed.value, io.tools) : undefined;
    const [number] = Object.values(only?.input ?? {});
    if (typeof number !== 'string') return { answer: guided, found: find };
    return { answer: guide.withNumber(guided, number) };
  }

  /**
   * @param asks numbers of which the answer says whether they are blocked
   * @param narrow what a list is narrowed to
   * @param values the fields whose values are said first
   */
  async #show(
    { operation, input }: { operation: string; input: Fields },
    { asks = [], narrow, isGuess, values }: Pick<GuidedAnswer, 'asks' | 'narrow' | 'isGuess' | 'values'> = {},
  ): Promise<void> {
    const { io, gate, out, err } = this.#options;
    const tool = gate.tool(operation);
    if (!tool) return;
    const named = await withNamedRecords({ tool, input }, io);
    for (const note of named.notes) await err(`${onTerminal(clean(note), io.stderr)}\n`);
    const performed = await gate.perform(operation, named.input, io.actor);
    if (performed.kind !== 'done') return;
    const isNothing = isGuess && performed.value.Found === 0;
    if (isNothing) return void (await out(`${clean(unreadText(String(input.Query)))}. ${HELP}\n`));
    const rows = tool.kind === 'operation' && tool.sentences ? performed.value[tool.sentences.of] : undefined;
    if (asks.length > 0 && tool.kind === 'operation' && Array.isArray(rows)) {
      const [whose] = Object.values(input);
      const of = whose === undefined ? undefined : String(whose);
      const said = tool.sentences?.about?.(rows.filter(isRecord), { numbers: asks, ...defined({ of }) });
      if (said !== undefined) await out(`${onTerminal(clean(said), io.stdout)}\n`);
    }
    // A search that finds one number goes on to its lookup.
    const only = lookupOfOnly(tool, performed.value, io.tools);
    if (only) return this.#show({ operation: only.tool.id, input: only.input });
    for (const line of values ? valueLines(operation, performed.value, values) : [])
      await out(`${onTerminal(clean(line), io.stdout)}\n`);
    const own = narrow && narrowed(operation, performed.value, narrow);
    if (own && narrow) await err(`${onTerminal(clean(countText(narrow, own)), io.stderr)}\n`);
    await show(own ? { ...performed, value: own.value } : performed, tool, { asked: PLAIN, io, out, err });
  }
}

/** The command of an operation with the input that is known, and a place for each value that is missing. */
function commandLine(tool: Tool, input: Fields): string {
  // In double quotes a shell expands `$(…)`, and `<name>` redirects its input.
  const known = Object.entries(input).map(([name, value]) => shellWord(`${name}=${textOf(value)}`));
  const missing = fieldsOf(tool)
    .filter((field) => field.required && input[field.name] === undefined && !field.secret)
    .map((field) => `${field.name}=…`);
  return ['switchboard call', commandOf(tool), ...known, ...missing].join(' ');
}

/** A value as it is typed: numbers in a row are joined with commas. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => textOf(isRecord(one) ? Object.values(one)[0] : one)).join(',');
  return String(value);
}
