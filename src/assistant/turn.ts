import type { ModelMessage, ToolSet } from 'ai';
import { after, type Clock, monotonicOf } from '../lib/clock.ts';
import { CutAnswer, type LoadedModel, SILENCE_MS } from './model.ts';
import { modelFailure, Silence } from './model-failure.ts';
import { ModelVoice } from './model-voice.ts';
import { withoutOldResults } from './transcript.ts';
import type { Stopped, TurnEvent } from './turn-events.ts';
import type { TurnTools } from './turn-tools.ts';

/** Maximum time of a turn, with its calls. */
const TURN_MS = 120_000;
/** Maximum length of an answer, in characters; some 6,000 tokens. */
const MAX_ANSWER = 24_000;
/** Maximum number of tokens of a turn, input and output. Each step sends the conversation again. */
const MAX_TOKENS = 400_000;
/** Steps beside those that call operations: searches, corrections and the answer. */
const MORE_STEPS = 6;
/** The part of its time and tokens that a turn keeps for its last answer. */
const FOR_ANSWER = 0.2;
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

/** The work of a model in a turn. */
export interface ModelTurnResult {
  text: string;
  tokens: { input: number; output: number };
  stopped?: Stopped;
  /** The error of the model; undefined if it answered. */
  error?: unknown;
}

/** One turn of the model: it streams text and calls tools until it has answered, or until a limit. */
export class ModelTurn {
  readonly #options: ModelTurnOptions;
  readonly #tokens = { input: 0, output: 0 };
  #text = '';
  /** True once the model has written something, of which the beginning of a line may be held back. */
  #hasText = false;
  readonly #voice = new ModelVoice();
  #isNewStep = false;
  /** True once the model has ended a response. */
  #hasStepped = false;
  /** True while a response is being read. An error then means that the response was cut off. */
  #isReading = false;
  /** True if the last response of the model ended with calls. */
  #wantsMore = false;
  /** True if the model called a tool in its last response. */
  #ranOn = false;
  #startedAt = 0;
  /** True for the response that has to be the answer. */
  #isLast = false;
  /** Why the last response of the model ended. */
  #ending = '';
  #stopListening: () => void = () => undefined;
  #error: unknown;
  #stopped: Stopped | undefined;

  constructor(options: ModelTurnOptions) {
    this.#options = options;
  }

  async run(): Promise<ModelTurnResult> {
    const { clock, abort } = this.#options;
    const cancel = after(clock, TURN_MS, () => abort.abort('too_long' satisfies Stopped));
    this.#startedAt = monotonicOf(clock);
    try {
      this.#listen();
      await this.#stream();
    } catch (error) {
      this.#failed(error);
    } finally {
      cancel();
      this.#stopListening();
      this.#show(this.#voice.flush());
    }
    const stopped = this.#stopped ?? stoppedBy(abort.signal) ?? this.#limitReached;
    return {
      text: this.#text,
      tokens: this.#tokens,
      ...(stopped !== undefined && { stopped }),
      ...(stopped === undefined && this.#error !== undefined && { error: this.#error }),
    };
  }

  async #stream(): Promise<void> {
    const { loaded, tools, instructions, messages, room, steps, abort } = this.#options;
    const result = loaded.ai.streamText({
      model: loaded.model,
      system: { role: 'system', content: instructions, providerOptions: CACHED },
      messages,
      tools: this.#toolSet(),
      prepareStep: ({ stepNumber, messages: sofar }) => {
        tools.limit.beginStep();
        const isLast = stepNumber > 0 && (stepNumber >= steps + MORE_STEPS - 1 || this.#hasToAnswer);
        this.#isLast = isLast;
        const kept = withoutOldResults(sofar, room);
        return isLast
          ? { toolChoice: 'none', messages: [...kept, { role: 'user', content: LAST }] }
          : { messages: kept };
      },
      stopWhen: [() => tools.isOver || this.#isLast, loaded.ai.stepCountIs(steps + MORE_STEPS), () => this.#isSpent],
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
      else if (part.type === 'text-delta') this.#write(part.text);
      else if (part.type === 'text-end') this.#show(this.#voice.flush());
      else if (part.type === 'tool-call' && part.invalid === true) tools.limit.take();
      else if (part.type === 'finish-step') this.#stepped(part.usage, part);
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

  /** Adds a part of the answer. A paragraph separates what the model says before and after its calls. */
  #write(delta: string): void {
    if (delta === '' || this.#text.length >= MAX_ANSWER) return;
    this.#hasText = true;
    if (this.#isNewStep && this.#text !== '') this.#show(`\n\n${this.#voice.push(delta)}`);
    else this.#show(this.#voice.push(delta));
    this.#isNewStep = false;
  }

  #show(text: string): void {
    const fits = text.slice(0, MAX_ANSWER - this.#text.length);
    if (fits === '') return;
    this.#text += fits;
    this.#options.emit({ kind: 'text', text: fits });
    if (this.#text.length >= MAX_ANSWER) this.#options.abort.abort('too_long' satisfies Stopped);
  }

  #stepped(
    usage: { inputTokens: number | undefined; outputTokens: number | undefined },
    { rawFinishReason: reason, finishReason }: { rawFinishReason: string | undefined; finishReason: string },
  ): void {
    this.#wantsMore = finishReason === 'tool-calls';
    this.#ending = finishReason;
    this.#isNewStep = true;
    this.#hasStepped = true;
    this.#isReading = false;
    this.#tokens.input += usage.inputTokens ?? 0;
    this.#tokens.output += usage.outputTokens ?? 0;
    if (reason === undefined && !this.#ranOn) this.#failed(new CutAnswer());
  }

  /** The limit that ended the turn before its answer was whole. */
  get #limitReached(): Stopped | undefined {
    const { tools } = this.#options;
    if (this.#error !== undefined || tools.waits.length > 0) return undefined;
    if (tools.limit.isOver || this.#ranOn) return 'too_many_calls';
    if (this.#wantsMore) return this.#isSpent ? 'too_long' : 'too_many_calls';
    if (this.#ending === 'length') return 'cut';
    if (this.#ending === 'content-filter') return 'withheld';
    return this.#text.trim() === '' ? 'empty' : undefined;
  }

  /** True if the calls are used up, or too little time or too few tokens are left for more. */
  get #hasToAnswer(): boolean {
    const { clock, tools } = this.#options;
    const spent = this.#tokens.input + this.#tokens.output > MAX_TOKENS * (1 - FOR_ANSWER);
    return tools.limit.isReached || spent || monotonicOf(clock) - this.#startedAt > TURN_MS * (1 - FOR_ANSWER);
  }

  get #isSpent(): boolean {
    return this.#tokens.input + this.#tokens.output > MAX_TOKENS || this.#error !== undefined;
  }

  #failed(error: unknown): void {
    // The library refuses a call in the last response. Not every endpoint keeps its model from one.
    if (this.#isLast && error instanceof Error && error.name === 'AI_ToolChoiceViolationError') {
      this.#ranOn = true;
      return;
    }
    // The first error is the cause of the others.
    // An endpoint that has answered in this turn can be reached.
    const isCut = (this.#hasText || this.#hasStepped) && modelFailure(error).code === 'network';
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

/** The reason of an abort, if it is one of the turn's own. */
function stoppedBy({ aborted, reason }: AbortSignal): Stopped | undefined {
  return aborted && typeof reason === 'string' ? (reason as Stopped) : undefined;
}
