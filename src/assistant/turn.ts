import type { ModelMessage, ToolSet } from 'ai';
import { after, type Clock, monotonicOf } from '../lib/clock.ts';
import { CutAnswer, type LoadedModel, SILENCE_MS } from './model.ts';
import { modelFailure, Silence } from './model-failure.ts';
import { withoutOldResults } from './transcript.ts';
import type { Stopped, TurnEvent } from './turn-events.ts';
import type { TurnTools } from './turn-tools.ts';

/** Maximum time of a turn, with its calls. */
const TURN_MS = 120_000;
/** Maximum length of an answer, in characters; some 6,000 tokens. */
const MAX_ANSWER = 24_000;
/** Steps beside those that call operations: searches, corrections and the answer. */
const MORE_STEPS = 6;
/** The time of a turn that is kept for its last answer. */
const FOR_ANSWER_MS = 24_000;
/** Tells Anthropic's endpoint to cache the tools and the instructions. Others do so by themselves, and ignore it. */
const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } };
/** Tells the model that its next response is the last one. */
const LAST =
  '[Switchboard: the limit of calls for one message is reached. Answer now with what you know, and say what is missing.]';
/** Parts of a response that has begun. */
const READING: readonly string[] = ['text-delta', 'reasoning-delta', 'tool-input-start'];

export interface ModelTurnOptions {
  loaded: LoadedModel;
  tools: TurnTools;
  instructions: string;
  messages: ModelMessage[];
  /** Tokens for the messages of the turn, with the results of its calls. */
  room: number;
  steps: number;
  clock: Clock;
  /** Ends the turn; its reason says why. */
  abort: AbortController;
  emit: (event: TurnEvent) => void;
}

/** One turn of the model: it streams text and calls tools until it has answered, or until a limit. */
export class ModelTurn {
  readonly #options: ModelTurnOptions;
  readonly #startedAt: number;
  readonly #tokens = { input: 0, output: 0 };
  readonly #lines = new ModelLines();
  #text = '';
  /** Why the last response of the model ended; undefined before the first one. */
  #ending: string | undefined;
  /** True while a response is being read. An error then means that the response was cut off. */
  #isReading = false;
  /** True for the response that has to be the answer. */
  #isLast = false;
  /** True if the model called a tool in its last response. */
  #ranOn = false;
  #error: unknown;
  #stopListening: () => void = () => undefined;

  constructor(options: ModelTurnOptions) {
    this.#options = options;
    this.#startedAt = monotonicOf(options.clock);
  }

  /** Resolves to the work of the model. `stopped` or `error`: why it did not come to its own end. */
  async run() {
    const { clock, abort } = this.#options;
    const cancel = after(clock, TURN_MS, () => abort.abort('too_long' satisfies Stopped));
    try {
      this.#listen();
      await this.#stream();
    } catch (error) {
      this.#failed(error);
    } finally {
      cancel();
      this.#stopListening();
      this.#show(this.#lines.push('', true));
    }
    const { aborted, reason } = abort.signal;
    const stopped = aborted && typeof reason === 'string' ? (reason as Stopped) : this.#limitReached;
    const error = stopped === undefined ? this.#error : undefined;
    return { text: this.#text, tokens: this.#tokens, stopped, error };
  }

  async #stream(): Promise<void> {
    const { loaded, tools, instructions, messages, room, steps, abort } = this.#options;
    const result = loaded.ai.streamText({
      model: loaded.model,
      system: { role: 'system', content: instructions, providerOptions: CACHED },
      messages,
      tools: this.#toolSet(),
      prepareStep: ({ stepNumber, messages: sofar }) => {
        this.#isLast = stepNumber > 0 && (stepNumber >= steps + MORE_STEPS - 1 || this.#hasToAnswer);
        const kept = withoutOldResults(sofar, room);
        return this.#isLast
          ? { toolChoice: 'none', messages: [...kept, { role: 'user', content: LAST }] }
          : { messages: kept };
      },
      stopWhen: [
        () => tools.waits.length > 0 || this.#isLast || this.#error !== undefined,
        loaded.ai.stepCountIs(steps + MORE_STEPS),
      ],
      experimental_repairToolCall: async ({ toolCall }) => repaired(toolCall, tools),
      // The request is repeated in model.ts, which also keeps to the limits of a turn.
      maxRetries: 0,
      abortSignal: abort.signal,
      onError: () => undefined,
    });
    for await (const part of result.fullStream) {
      this.#listen();
      if (READING.includes(part.type)) this.#isReading = true;
      if (part.type === 'error') this.#failed(this.#isReading ? new CutAnswer() : part.error);
      else if (part.type === 'text-start') this.#show(this.#text === '' ? '' : '\n\n');
      else if (part.type === 'text-delta') this.#show(this.#lines.push(part.text));
      else if (part.type === 'text-end') this.#show(this.#lines.push('', true));
      else if (part.type === 'tool-call' && part.invalid === true) tools.take();
      else if (part.type === 'finish-step') {
        this.#ending = part.finishReason;
        this.#isReading = false;
        this.#tokens.input += part.usage.inputTokens ?? 0;
        this.#tokens.output += part.usage.outputTokens ?? 0;
        if (part.rawFinishReason === undefined && !this.#ranOn) this.#failed(new CutAnswer());
      }
    }
  }

  #toolSet(): ToolSet {
    const { loaded, tools } = this.#options;
    const entries = tools.tools.map(({ name, description, inputSchema }) => {
      const schema = loaded.ai.jsonSchema<Record<string, unknown>>(inputSchema);
      const execute = (input: unknown, { toolCallId }: { toolCallId: string }) => tools.call(name, input, toolCallId);
      return [name, loaded.ai.tool({ description, inputSchema: schema, execute })] as const;
    });
    return Object.fromEntries(entries) as ToolSet;
  }

  #show(text: string): void {
    const fits = text.slice(0, MAX_ANSWER - this.#text.length);
    if (fits === '') return;
    this.#text += fits;
    this.#options.emit({ kind: 'text', text: fits });
    if (this.#text.length >= MAX_ANSWER) this.#options.abort.abort('too_long' satisfies Stopped);
  }

  /** The limit that ended the turn before its answer was whole. */
  get #limitReached(): Stopped | undefined {
    const { tools } = this.#options;
    if (this.#error !== undefined || tools.waits.length > 0) return undefined;
    if (this.#ranOn || this.#ending === 'tool-calls') return 'too_many_calls';
    if (this.#ending === 'length') return 'cut';
    if (this.#ending === 'content-filter') return 'withheld';
    return this.#text.trim() === '' ? 'empty' : undefined;
  }

  /** True if the calls are used up, or too little time is left for more. */
  get #hasToAnswer(): boolean {
    const { clock, tools } = this.#options;
    return tools.isSpent || monotonicOf(clock) - this.#startedAt > TURN_MS - FOR_ANSWER_MS;
  }

  #failed(error: unknown): void {
    // The library refuses a call in the last response. Not every endpoint keeps its model from one.
    if (this.#isLast && error instanceof Error && error.name === 'AI_ToolChoiceViolationError') {
      this.#ranOn = true;
      return;
    }
    // An endpoint that has answered in this turn can be reached. The first error is the cause of the others.
    const isCut =
      (this.#isReading || this.#text !== '' || this.#ending !== undefined) && modelFailure(error).code === 'network';
    this.#error ??= isCut ? new CutAnswer() : error;
  }

  /** Waits for the next part. While a call is under way, the model has nothing to send. */
  #listen(): void {
    const { clock, abort, tools } = this.#options;
    this.#stopListening();
    this.#stopListening = after(clock, SILENCE_MS, () => {
      if (tools.isBusy) return this.#listen();
      this.#failed(new Silence());
      abort.abort(new Silence());
    });
  }
}

/**
 * A call whose arguments are JSON between other characters, such as a code fence, or that names an operation which is no
 * tool of its own: `call` runs it, or says why not. Null for any other.
 */
function repaired<T extends { toolName: string; input: string }>(
  call: T,
  { tools }: Pick<TurnTools, 'tools'>,
): T | null {
  const names = tools.map(({ name }) => name);
  const [first, last] = [call.input.indexOf('{'), call.input.lastIndexOf('}')];
  const input = call.input.slice(first, last + 1);
  if (!names.includes(call.toolName) && names.includes('call')) {
    const given = call.input.trim() === '' ? '{}' : input;
    return { ...call, toolName: 'call', input: `{"operation":${JSON.stringify(call.toolName)},"input":${given}}` };
  }
  return first < 0 || last < first || input === call.input ? null : { ...call, input };
}

/** Characters of a line that tell whether it imitates the product. */
const HEAD = 48;
/** Begins a line of the product about an effect: "✅ Done: …", "Confirmed by …". */
const OWN =
  /^[^\p{L}\n]{0,12}(?:\p{L}{1,20}[:>|–—]\W{0,8})?(?:partly done|done|outcome unknown|withdrawn|declined|expired|confirmed|approved|waits for (?:an approver|a person|a yes)|nothing was (?:changed|done|sent))[\s*_~]*(?:[.:]|by\b)/iu;

/** Passes the text of a model on by lines. One that looks like the product's own about an effect is told as the model's. */
class ModelLines {
  #held = '';
  #isHead = true;

  /** The part of the text that can be shown now; all of it at the end. */
  push(delta: string, isEnd = false): string {
    this.#held += delta;
    let shown = '';
    while (this.#held !== '') {
      const end = this.#held.indexOf('\n') + 1;
      if (this.#isHead && end === 0 && this.#held.length < HEAD && !isEnd) break;
      if (this.#isHead && OWN.test(this.#held.normalize('NFKC'))) shown += 'The model writes: ';
      shown += end === 0 ? this.#held : this.#held.slice(0, end);
      this.#held = end === 0 ? '' : this.#held.slice(end);
      this.#isHead = end > 0;
    }
    if (isEnd) this.#isHead = true;
    return shown;
  }
}
