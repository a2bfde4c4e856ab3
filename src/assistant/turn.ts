import { randomUUID } from 'node:crypto';
import type { ModelMessage, ToolSet } from 'ai';
import { personOf } from '../lib/actor.ts';
import { after, type Clock, monotonicOf, SECOND_MS, sleep } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { levelOf } from '../store/key-values.ts';
import { LEASE_MS } from '../work/jobs.ts';
import { type Conversations, type Message, withoutOldResults } from './conversations.ts';
import { type LoadedModel, ModelError, modelFailure, SILENCE_MS } from './model.ts';
import type { Stopped, TurnRequest } from './turn-events.ts';
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

/**
 * One turn of the model: it streams text and calls tools until it has answered, or until a limit.
 *
 * @param given.abort ends the turn; its reason says why
 * @param given.room tokens for the messages of the turn, with the results of its calls
 * @returns the work of the model. `stopped` or `error`: why it did not come to its own end
 */
export async function modelTurn(
  { ai, model }: LoadedModel,
  tools: TurnTools,
  given: { instructions: string; messages: ModelMessage[]; room: number; abort: AbortController },
) {
  const { instructions, messages, room, abort } = given;
  const { steps, clock, emit } = tools.options;
  const startedAt = monotonicOf(clock);
  const tokens = { input: 0, output: 0 };
  const shownOf = modelLines();
  const state = {
    text: '',
    /** Why the last response of the model ended; undefined before the first one. */
    ending: undefined as string | undefined,
    /** True while a response is being read. An error then means that the response was cut off. */
    isReading: false,
    /** True for the response that has to be the answer. */
    isLast: false,
    /** True if the model called a tool in its last response. */
    ranOn: false,
    error: undefined as unknown,
  };

  const show = (text: string) => {
    const fits = text.slice(0, MAX_ANSWER - state.text.length);
    if (fits === '') return;
    state.text += fits;
    emit({ kind: 'text', text: fits });
    if (state.text.length >= MAX_ANSWER) abort.abort('too_long' satisfies Stopped);
  };

  const failed = (error: unknown) => {
    // The library refuses a call in the last response. Not every endpoint keeps its model from one.
    if (state.isLast && error instanceof Error && error.name === 'AI_ToolChoiceViolationError') {
      state.ranOn = true;
      return;
    }
    // An endpoint that has answered in this turn can be reached. The first error is the cause of the others.
    const hasBegun = state.isReading || state.text !== '' || state.ending !== undefined;
    state.error ??= hasBegun && modelFailure(error).code === 'network' ? new ModelError('cut') : error;
  };

  let stopListening: () => void = () => undefined;
  /** Waits for the next part. While a call is under way, the model has nothing to send. */
  const listen = () => {
    stopListening();
    stopListening = after(clock, SILENCE_MS, () => {
      if (tools.isBusy) return listen();
      failed(new ModelError('silence'));
      abort.abort(new ModelError('silence'));
    });
  };

  const stream = async () => {
    const toolSet = tools.tools.map(({ name, description, inputSchema }) => {
      const schema = ai.jsonSchema<Record<string, unknown>>(inputSchema);
      const execute = (input: unknown, { toolCallId }: { toolCallId: string }) => tools.call(name, input, toolCallId);
      return [name, ai.tool({ description, inputSchema: schema, execute })] as const;
    });
    const result = ai.streamText({
      model,
      system: { role: 'system', content: instructions, providerOptions: CACHED },
      messages,
      tools: Object.fromEntries(toolSet) as ToolSet,
      prepareStep: ({ stepNumber, messages: sofar }) => {
        const isLate = tools.isSpent || monotonicOf(clock) - startedAt > TURN_MS - FOR_ANSWER_MS;
        state.isLast = stepNumber > 0 && (stepNumber >= steps + MORE_STEPS - 1 || isLate);
        const kept = withoutOldResults(sofar, room);
        return state.isLast
          ? { toolChoice: 'none', messages: [...kept, { role: 'user', content: LAST }] }
          : { messages: kept };
      },
      stopWhen: [
        () => tools.waits.length > 0 || state.isLast || state.error !== undefined,
        ai.stepCountIs(steps + MORE_STEPS),
      ],
      experimental_repairToolCall: async ({ toolCall }) => repaired(toolCall, tools),
      // The request is repeated in model.ts, which also keeps to the limits of a turn.
      maxRetries: 0,
      abortSignal: abort.signal,
      onError: () => undefined,
    });
    for await (const part of result.fullStream) {
      listen();
      if (READING.includes(part.type)) state.isReading = true;
      if (part.type === 'error') failed(state.isReading ? new ModelError('cut') : part.error);
      else if (part.type === 'text-start') show(state.text === '' ? '' : '\n\n');
      else if (part.type === 'text-delta') show(shownOf(part.text));
      else if (part.type === 'text-end') show(shownOf('', true));
      else if (part.type === 'tool-call' && part.invalid === true) tools.take();
      else if (part.type === 'finish-step') {
        state.ending = part.finishReason;
        state.isReading = false;
        tokens.input += part.usage.inputTokens ?? 0;
        tokens.output += part.usage.outputTokens ?? 0;
        if (part.rawFinishReason === undefined && !state.ranOn) failed(new ModelError('cut'));
      }
    }
  };

  /** The limit that ended the turn before its answer was whole. */
  const limitReached = (): Stopped | undefined => {
    if (state.error !== undefined || tools.waits.length > 0) return undefined;
    if (state.ranOn || state.ending === 'tool-calls') return 'too_many_calls';
    if (state.ending === 'length') return 'cut';
    if (state.ending === 'content-filter') return 'withheld';
    return state.text.trim() === '' ? 'empty' : undefined;
  };

  const cancel = after(clock, TURN_MS, () => abort.abort('too_long' satisfies Stopped));
  try {
    listen();
    await stream();
  } catch (error) {
    failed(error);
  } finally {
    cancel();
    stopListening();
    show(shownOf('', true));
  }
  const { aborted, reason } = abort.signal;
  const stopped = aborted && typeof reason === 'string' ? (reason as Stopped) : limitReached();
  return { text: state.text, tokens, stopped, error: stopped === undefined ? state.error : undefined };
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

/**
 * Passes the text of a model on by lines. One that looks like the product's own about an effect is marked as written by the model.
 *
 * @returns takes the next text, and returns the part that can be shown now; all of it at the end
 */
function modelLines(): (delta: string, isEnd?: boolean) => string {
  let held = '';
  let isHead = true;
  return (delta, isEnd = false) => {
    held += delta;
    let shown = '';
    while (held !== '') {
      const end = held.indexOf('\n') + 1;
      if (isHead && end === 0 && held.length < HEAD && !isEnd) break;
      if (isHead && OWN.test(held.normalize('NFKC'))) shown += 'The model writes: ';
      shown += end === 0 ? held : held.slice(0, end);
      held = end === 0 ? '' : held.slice(end);
      isHead = end > 0;
    }
    if (isEnd) isHead = true;
    return shown;
  };
}

/** A turn of this process. */
export interface OwnTurn {
  /** The messages so far. */
  messages: Message[];
  abort: AbortController;
  /** Ends the turn, and remembers these messages. */
  end(answered: readonly Message[]): Promise<void>;
}

/** The turns of this process: one at a time in a thread, and up to three that wait for it in their order. */
export function createTurns({ conversations, clock, log }: { conversations: Conversations; clock: Clock; log: Log }) {
  /** The turns that run, by their ids. */
  const running = new Map<string, { thread: string; abort: AbortController }>();
  /** Wakes the turns that wait. */
  let waking = new AbortController();
  let isClosed = false;

  function wakeAll(): void {
    waking.abort();
    waking = new AbortController();
  }

  async function own({ thread, memories = [thread], writer }: TurnRequest, turn: string): Promise<OwnTurn> {
    const abort = new AbortController();
    running.set(turn, { thread, abort });
    if (isClosed) abort.abort('shutdown' satisfies Stopped);
    const release = hold(thread, turn, abort);
    const messages = await conversations.messages(memories[0] ?? thread);
    return {
      ...{ messages, abort },
      end: async (answered) => {
        release();
        running.delete(turn);
        await conversations.end({ thread, turn, person: personOf(writer), memories }, answered);
        wakeAll();
      },
    };
  }

  /** Keeps the turn until it is released, and ends it when it was stopped or forgotten in another process. */
  function hold(thread: string, turn: string, abort: AbortController): () => void {
    let isOver = false;
    const later = () => after(clock, LEASE_MS / 3, () => void renew());
    let cancel = later();
    const renew = async () => {
      cancel();
      try {
        const state = await conversations.renew(thread, turn);
        if (!isOver && state !== 'held') abort.abort((state === 'gone' ? 'taken_over' : state) satisfies Stopped);
      } catch (error) {
        log(levelOf(error, 'warn'), { error: String(error) }, 'a turn could not be kept');
      }
      if (!isOver) cancel = later();
    };
    const unsubscribe = conversations.onOtherWrites(() => void renew());
    return () => {
      isOver = true;
      cancel();
      unsubscribe();
    };
  }

  return {
    /**
     * Begins a turn, after the one that runs in the thread. `full`: too many wait. `closed`: this process stops.
     *
     * @param onWait called once if the turn has to wait
     */
    async begin(request: TurnRequest, onWait: () => void): Promise<OwnTurn | 'full' | 'closed'> {
      const { thread, writer, interrupted } = request;
      const turn = randomUUID();
      for (let waits = false; ; waits = true) {
        if (isClosed) {
          if (waits) await conversations.leave(thread, turn);
          return 'closed';
        }
        const begun = await conversations.begin(thread, personOf(writer), { turn, interrupted });
        if (begun === 'full') return begun;
        if (begun !== 'waits') return await own(request, turn);
        if (!waits) onWait();
        // A turn that waits may begin: one ended here, or another process may have ended one.
        await sleep(clock, SECOND_MS, [waking.signal]);
      }
    },

    /** Stops the turn of a thread, if this process runs it. */
    abort(thread: string, why: Stopped): void {
      for (const one of running.values()) if (one.thread === thread) one.abort.abort(why);
    },

    /** Stops all turns of this process, and refuses further ones. */
    close(): void {
      isClosed = true;
      for (const { abort } of running.values()) abort.abort('shutdown' satisfies Stopped);
      wakeAll();
    },
  };
}

/*
 * Compares an answer of the model with what its conversation holds. A number, an id or an amount that none of the texts
 * has is marked for the reader. Numbers are compared exactly, without rounding and sums.
 */

const MOST_NAMED = 5;
/** Dates, times, durations and shares are written in the reader's zone and words, so they are not compared. */
const TIMES =
  /\b\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+Z?)?|\b\d{1,2}(?::\d{2}){1,2}(?:\s?[ap]\.?m\b)?|\b\d{1,2}\/\d{1,2}(?:\/\d{2,4})?|\b(?:19|20)\d{2}\b(?!\s?(?:usd|mb|gb|kbps|mbps))|\b\d+(?:\.\d+)?\s?(?:%|percent|seconds?|minutes?|hours?|days?|weeks?|months?|years?)/gi;
const ID = /\b(?:[A-Z]{2,7}-[A-Za-z0-9][\w.-]{3,}|(?:act|batch)_[\w-]+)/g;
const AMOUNT = /[$€£]\s?(\d[\d,]*(?:\.\d+)?)|\b(\d[\d,]*(?:\.\d+)?)\s?(usd|eur|dollars?|euros?|[kmgt]b|[kmg]bps)\b/gi;
/** A phone number, a part of one, or another figure of at least three digits. Smaller ones may be counts. */
const NUMBER = /\+?\d(?:[\d\s().-]{5,}\d|[\d,]*\.\d+|[\d,]+\d)/g;
/** Figures in a record that may stand for an amount: gigabytes are kept as megabytes. */
const MEGABYTES: Readonly<Record<string, readonly number[]>> = { gb: [1_000, 1_024], tb: [1_000_000, 1_048_576] };

/**
 * The numbers, ids and amounts of an answer that no text has, as the answer has them; at most five.
 *
 * @param texts results of calls, messages, and the instructions of the model
 */
export function doubtfulIn(answer: string, texts: readonly string[]): string[] {
  const held = texts.join('\n');
  const ids = held.toLowerCase();
  const figures = new Set([...held.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([figure]) => amountOf(figure)));
  const digits = [...held.matchAll(NUMBER)].map(([number]) => number.replace(/\D/g, ''));
  const doubtful: string[] = [];
  let rest = answer.replace(TIMES, ' ');
  const take = (pattern: RegExp, isHeld: (match: RegExpMatchArray) => boolean) => {
    for (const match of rest.matchAll(pattern)) if (!isHeld(match)) doubtful.push(match[0].trim());
    rest = rest.replace(pattern, ' ');
  };
  take(ID, ([id]) => ids.includes(id.toLowerCase()));
  take(AMOUNT, ([, money, amount, unit = '']) => {
    const value = amountOf(money ?? amount ?? '');
    return [1, ...(MEGABYTES[unit.toLowerCase()] ?? [])].some((factor) => figures.has(value * factor));
  });
  take(NUMBER, ([number]) => {
    const bare = number.replace(/\D/g, '');
    return bare.length < 3 || figures.has(amountOf(number)) || digits.some((one) => one.endsWith(bare));
  });
  return [...new Set(doubtful)].slice(0, MOST_NAMED);
}

function amountOf(figure: string): number {
  return Number(figure.replaceAll(',', ''));
}
