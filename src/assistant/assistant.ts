import { conversationInstructions } from '../../tools/surfaces/conversation.ts';
import { mayAsk, type Tool } from '../catalogue/operation.ts';
import { Offer, type OfferOptions } from '../language/assistants/offer.ts';
import type { Seal } from '../ledger/seal.ts';
import { type Actor, hasRole, personOf } from '../lib/actor.ts';
import { HOUR_MS, monotonicOf, retried } from '../lib/clock.ts';
import { asSwitchboardError } from '../lib/errors.ts';
import { withoutTypedSecrets } from '../lib/hide.ts';
import type { Metric } from '../lib/http.ts';
import type { Log } from '../lib/log.ts';
import { defined, withPlainDigits } from '../lib/values.ts';
import type { Reader, Thread, Understood } from '../nlu/reader.ts';
import type { Redactor } from '../platform/dialect/redact.ts';
import type { Database } from '../store/types.ts';
import type { Worker } from '../work/worker.ts';
import {
  answerOf,
  Conversations,
  ERASE,
  forModel,
  type Message,
  remembered,
  resultChars,
  SEARCHED_BELOW,
  tokensOf,
} from './conversations.ts';
import { type LoadedModel, loadModel, type ModelSettings, modelFailure } from './model.ts';
import { createTurns, doubtfulIn, modelTurn, type OwnTurn } from './turn.ts';
import { createUsage, type TurnEvent, type TurnNotice, type TurnRequest } from './turn-events.ts';
import { filesAsData, type OfTurn, TurnTools, type TurnToolsOptions } from './turn-tools.ts';
import { withoutClock } from './understood.ts';

export interface AssistantOptions extends Omit<OfferOptions, 'actor'>, Omit<TurnToolsOptions, keyof OfTurn> {
  tools: readonly Tool[];
  /** Undefined: the catalogue answers. */
  model: ModelSettings | undefined;
  /** Loads what was learned from examples, once. Takes as long as the start of a process. */
  reader: () => Pick<Reader, 'answer'>;
  /** The database of the ledger, where jobs are. */
  database: Database;
  worker: Worker;
  seal: Seal;
  redactor: Redactor;
  log: Log;
}

/** More operations than this are found by search. */
const MOST_TOOLS = 40;
/** Turns of one person at the same time. */
const MAX_TURNS = 8;
/** Characters of a message that a model reads: as many as Slack's composer takes. */
const READ_BY_MODEL = 12_000;
/** Characters of a message that is answered without a model. */
const READ_WITHOUT = 2_000;
/** Time after which a message continues no earlier one without a model. */
const CONTINUED_MS = HOUR_MS;
/** A message that ends the memory of what was said before. Words behind it are answered. */
const NEW_TOPIC = /^new topic\b[\s.:;,!-]*/i;
/** “Forget it” takes an offer back, and forgets nothing. */
const FORGET = /^forget(?: (?:everything|all of it|(?:this|the)(?: thread| conversation)?))?[.!]?$/i;
const notice = (about: TurnNotice['about'], text: string): TurnNotice => ({ kind: 'notice', about, text });
const FORGOTTEN = notice('topic', 'This conversation is forgotten.');
const NEW = notice('topic', 'A new topic. What was said before is no longer used.');
const SECRET_REMOVED = notice(
  'secret',
  'What looked like a PIN, a password or a token was removed from the message before it was read. Enter secrets only in a form.',
);
/** The answer to a mention without words. */
const HELP: Understood = { kind: 'told', about: 'help', input: {}, offers: [], notTaken: [] };
const NOTHING = { kind: 'end', text: '', done: [], waits: [], unknown: [], records: [], doubted: [] } as const;

/** Answers plain words: with the owner's model, or by what was learned from examples. */
export class Assistant {
  readonly #options: AssistantOptions;
  /** The memory of every conversation. */
  readonly conversations: Conversations;
  readonly #usage: ReturnType<typeof createUsage>;
  readonly #turns: ReturnType<typeof createTurns>;
  /** The answers under way in this process, and the number of them by person. */
  readonly #answers = new Set<Promise<void>>();
  readonly #turnsOf = new Map<string, number>();
  readonly #load: (() => Promise<LoadedModel>) | undefined;

  constructor(options: AssistantOptions) {
    const { database, seal, clock, worker, log, model } = options;
    this.#options = options;
    this.#load = model && retried(() => loadModel(model, clock));
    this.conversations = new Conversations({ database, seal, clock });
    this.#turns = createTurns({ conversations: this.conversations, clock, log });
    this.#usage = createUsage(model?.model);
    worker.on(ERASE, this.conversations.erase);
  }

  /** True if a model is set. */
  get hasModel(): boolean {
    return this.#options.model !== undefined;
  }

  /** Answers a message. The turn goes on if the reader stops reading; `stop` ends it. */
  turn(request: TurnRequest): AsyncIterable<TurnEvent> {
    return new ReadableStream<TurnEvent>({
      start: (reader) => {
        const answer = this.#answer(request, (event) => reader.enqueue(event)).finally(() => {
          reader.close();
          this.#answers.delete(answer);
        });
        this.#answers.add(answer);
      },
    }).values({ preventCancel: true });
  }

  /** Reads the words of a command, without a conversation. `notices` tell what was left out before. */
  read({ text: typed, writer, zone }: Pick<TurnRequest, 'text' | 'writer' | 'zone'>) {
    const notices: TurnNotice[] = [];
    const text = readable(typed, READ_WITHOUT, (notice) => notices.push(notice));
    return { understood: this.#understood({ text, writer, zone }, undefined).answer, notices };
  }

  /**
   * Stops the turn of a thread, in whichever process it runs. Only the person whose message it answers, or an approver,
   * may; for others it goes on.
   */
  async stop(thread: string, actor: Actor): Promise<'stopped' | 'none' | 'not_theirs'> {
    const running = await this.conversations.running(thread);
    if (!running) return 'none';
    const { turn, person } = running;
    if (!mayEnd(actor, person)) return 'not_theirs';
    this.#turns.abort(thread, 'stopped');
    return (await this.conversations.stop(thread, turn)) ? 'stopped' : 'none';
  }

  /**
   * Forgets a thread, and stops its turn. Only the person who began it, or an approver, may.
   *
   * @param at time of the request, epoch ms. It is kept where the surface has the messages too, so that those
   *   before it are not read again. If left out, nothing is kept.
   * @param under threads whose names begin so are forgotten too
   */
  async forget(thread: string, actor: Actor, at?: number, under?: string): Promise<'forgotten' | 'not_theirs'> {
    const starter = await this.conversations.starterOf(thread);
    if (starter !== undefined && !mayEnd(actor, starter)) return 'not_theirs';
    const others = under === undefined ? [] : await this.conversations.under(under);
    for (const one of new Set([thread, ...others])) {
      this.#turns.abort(one, 'forgotten');
      await this.conversations.forget(one, at);
    }
    return 'forgotten';
  }

  metrics(): Metric[] {
    return this.#usage.metrics();
  }

  /** Loads the library of the model, if one is set, so that the first writer does not wait for it. */
  async warmUp(): Promise<void> {
    await this.#load?.().catch((error: unknown) => {
      this.#options.log('error', { error: String(error) }, 'the library of the model could not be loaded');
    });
  }

  /** Stops all turns of this process, and resolves when they have said so. */
  async close(): Promise<void> {
    this.#turns.close();
    await Promise.all(this.#answers);
  }

  async #answer(request: TurnRequest, emit: OfTurn['emit']): Promise<void> {
    const { context, clock, log } = this.#options;
    const load = this.#load;
    const most = load ? Math.min(READ_BY_MODEL, resultChars(context)) : READ_WITHOUT;
    const said = readable(request.text, most, emit);
    const text = said.replace(NEW_TOPIC, '');
    const { thread, writer, forgets: under, files = [], forwarded } = request;
    const person = personOf(writer);
    try {
      if (text !== said || FORGET.test(said)) {
        const at = request.at ?? clock.now();
        const forgotten = await this.forget(thread, writer, at, text === said ? under : undefined);
        if (forgotten !== 'forgotten') return emit({ kind: forgotten });
        if (text === said || text === '') return emit(text === said ? FORGOTTEN : NEW);
      }
      // Models refuse a message without text.
      if (!load || (text === '' && files.length === 0 && forwarded === undefined))
        return await this.#withoutModel({ ...request, text }, emit);
      const own = this.#turnsOf.get(person) ?? 0;
      if (own >= MAX_TURNS) return emit({ kind: 'busy' });
      this.#turnsOf.set(person, own + 1);
      try {
        await this.#withModel({ ...request, text }, load, emit);
      } finally {
        this.#turnsOf.set(person, (this.#turnsOf.get(person) ?? 1) - 1);
      }
    } catch (error) {
      const { face, detail } = asSwitchboardError(error);
      log('error', { code: face.code, detail: detail ?? '' }, 'a message could not be answered');
      emit({ kind: 'failure', failure: face, understood: this.#understood({ ...request, text }, undefined).answer });
    }
  }

  /** Answers by what was learned, after the answers before. The thread is remembered for the next message. */
  async #withoutModel(request: TurnRequest, emit: OfTurn['emit']): Promise<void> {
    const { thread, memories = [thread], writer, text } = request;
    const person = personOf(writer);
    const now = this.#options.clock.now();
    const { at = now } = request;
    if (text === '') return emit({ kind: 'understood', understood: HELP });
    const earlier = await this.conversations.messages(memories[0] ?? thread);
    const { answer, thread: after } = this.#understood(request, await this.#threadIn(earlier, request, at));
    const own: Message = { from: 'writer', person, name: writer.name, text, at };
    // Its time is compared with those of changes, which are by the same clock.
    const shown = answer.operation ?? answer.offers.map(({ operation }) => operation).join(', ');
    const said = `[Answered without the model${shown === '' ? '' : `: ${shown}`}]`;
    const told: Message = { ...own, from: 'assistant', text: said, thread: after, at: now };
    await this.conversations.remember(memories, person, [own, told]);
    emit({ kind: 'understood', understood: answer });
  }

  /** The last answer to this person here. An offer ends with the next change that they ask for. */
  async #threadIn(
    earlier: readonly Message[],
    { writer, since = 0 }: TurnRequest,
    now: number,
  ): Promise<Thread | undefined> {
    const from = Math.max(since, now - CONTINUED_MS);
    const isLast = (one: Message) => one.from === 'assistant' && one.person === personOf(writer) && one.at >= from;
    const { thread, at } = earlier.findLast(isLast) ?? { at: now };
    if (!thread?.offer) return thread;
    const asked = await this.#options.gate.actions.list({ actorId: writer.id, since: at });
    const { offer, ...rest } = thread;
    return asked.some(({ createdAt }) => createdAt >= at) ? rest : thread;
  }

  /** Reads a message, within what the writer's role may ask for. The toolset is for models alone. */
  #understood(request: Pick<TurnRequest, 'text' | 'writer' | 'zone' | 'forwarded'>, thread: Thread | undefined) {
    const { text, writer, zone, forwarded } = request;
    const { tools, reader, clock } = this.#options;
    const mayUse = (id: string) => {
      const tool = tools.find((one) => one.id === id);
      return tool !== undefined && mayAsk(writer.role, tool);
    };
    const about = forwarded === undefined ? thread : defined({ subject: forwarded.subject });
    const read = reader().answer(withPlainDigits(text.slice(0, READ_WITHOUT)), about, {
      now: clock.now(),
      ...defined({ zone }),
      mayUse,
    });
    return { ...read, answer: withoutClock(read.answer, text) };
  }

  async #withModel(request: TurnRequest, load: () => Promise<LoadedModel>, emit: OfTurn['emit']): Promise<void> {
    const own = await this.#turns.begin(request, () => emit({ kind: 'queued' }));
    if (own === 'full') return emit({ kind: 'busy' });
    if (own === 'closed') return emit({ ...NOTHING, stopped: 'shutdown' });
    let answered: Message[] = [];
    try {
      answered = await this.#modelTurn(request, own, { load, emit });
    } finally {
      await own.end(answered);
    }
  }

  /** Runs the model, and reports its end. Resolves to the messages to remember. */
  async #modelTurn(
    request: TurnRequest,
    { messages: remembering, abort }: OwnTurn,
    { load, emit }: { load: () => Promise<LoadedModel>; emit: OfTurn['emit'] },
  ): Promise<Message[]> {
    const { clock, log, redactor, context } = this.#options;
    const started = monotonicOf(clock);
    const recent = remembering.filter(({ at }) => at >= (request.since ?? 0));
    // Messages of others that came before a remembered message were read with it, while this one waited.
    const until = remembering.findLast(({ from }) => from !== 'assistant')?.at ?? 0;
    const others = (request.others ?? []).filter(({ at }) => at > until);
    const said = this.#messagesOf({ ...request, others }).map((one) => ({ ...one, text: redactor.text(one.text) }));
    const small = this.#options.discover || context < SEARCHED_BELOW;
    const offering = { ...this.#options, actor: request.writer, discover: small };
    const all = new Offer(offering);
    const offer = small || all.counts.offered <= MOST_TOOLS ? all : new Offer({ ...offering, discover: true });
    const tools = new TurnTools({
      ...{ ...this.#options, request, offer, emit },
      signal: abort.signal,
      onError: (error) => log('error', { error: asSwitchboardError(error).detail ?? '' }, 'a tool call failed'),
    });
    const own = offer.tools.map(({ name }) => name);
    const instructions = conversationInstructions({
      ...{ role: request.writer.role, readOnly: this.#options.readOnly, opensForms: request.opensForms ?? false },
      ...{ discover: own.includes('search'), ...offer.counts },
      has: (id) => offer.has(id) || own.includes(id),
    });
    const loaded = await load();
    const fixed = tokensOf(instructions) + tokensOf(tools.tools);
    const earlier = remembered(recent, context, fixed + tokensOf(said));
    const messages = forModel([...earlier, ...said], request, clock.now());
    const given = { instructions, messages, room: context - fixed, abort };
    const { text, tokens, stopped, error } = await modelTurn(loaded, tools, given);
    let thread: Thread | undefined;
    if (error !== undefined) {
      const failure = modelFailure(error);
      log('warn', { reason: failure.code }, 'the model failed');
      const instead = this.#understood(request, await this.#threadIn(recent, request, clock.now()));
      thread = instead.thread;
      emit({ kind: 'failure', failure, understood: instead.answer });
    }
    const texts = [...recent, ...said].map((one) =>
      (one.doubted ?? []).reduce((left, doubt) => left.replaceAll(doubt, ''), one.text),
    );
    const doubted = doubtfulIn(text, [instructions, ...tools.described, ...tools.results, ...texts]);
    const { done, waits, unknown, records } = tools;
    const end = { kind: 'end', text, done, waits, unknown, records, doubted, tokens, ...defined({ stopped }) } as const;
    this.#usage.turn(stopped ?? (error === undefined ? 'answered' : 'failed'), monotonicOf(clock) - started, tokens);
    emit(end);
    return [...said, { ...answerOf(end, request.writer, clock.now()), ...defined({ thread }) }];
  }

  /** The new messages of the thread. */
  #messagesOf({
    writer,
    text,
    forwarded,
    files = [],
    at = this.#options.clock.now(),
    others = [],
  }: TurnRequest): Message[] {
    const shared = { person: 'forwarded', name: 'forwarded by the writer of the next message', at };
    const all = forwarded === undefined ? others : [...others, { ...shared, text: forwarded.text }];
    const said = all.map((one): Message => ({ from: 'other', ...one, text: withoutTypedSecrets(one.text).text }));
    const own = [text, ...filesAsData(files)].join('\n').trim();
    return [...said, { from: 'writer', person: personOf(writer), name: writer.name, text: own || '(see above)', at }];
  }
}

/** Cuts a message to the part that is read, without secrets, and tells what was left out. */
function readable(typed: string, most: number, emit: (notice: TurnNotice) => void): string {
  const whole = typed.trim();
  // The part ends with a whole word.
  const part = whole.length <= most ? whole : whole.slice(0, most).replace(/\s\S*$/, '');
  if (part !== whole) {
    const text = `Only the first ${part.length} of the ${whole.length} characters of this message were read. Give a long list as a batch.`;
    emit(notice('length', text));
  }
  const { text, found } = withoutTypedSecrets(part);
  if (found) emit(SECRET_REMOVED);
  return text;
}

/** True for the person `owner` (an identity), and for approvers. */
function mayEnd(actor: Actor, owner: string): boolean {
  return owner === personOf(actor) || hasRole(actor, 'approver');
}
