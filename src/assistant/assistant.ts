import { conversationInstructions } from '../../tools/surfaces/conversation.ts';
import type { Batches } from '../batches/batches.ts';
import type { Presets } from '../catalogue/offered.ts';
import { neededRole } from '../catalogue/offered.ts';
import type { Tool } from '../catalogue/operation.ts';
import { isChange } from '../catalogue/risk.ts';
import type { Decider } from '../gate/approval.ts';
import type { Gate } from '../gate/gate.ts';
import type { ListedTool } from '../language/assistants/listed.ts';
import { Offer } from '../language/assistants/offer.ts';
import { shownBy, type ToldShown } from '../language/shown.ts';
import type { Seal } from '../ledger/seal.ts';
import { type Actor, hasRole, personOf } from '../lib/actor.ts';
import { type Clock, HOUR_MS, monotonicOf } from '../lib/clock.ts';
import { asSwitchboardError } from '../lib/errors.ts';
import { defined, type Fields } from '../lib/json.ts';
import type { Log } from '../lib/log.ts';
import type { Metric } from '../lib/metrics.ts';
import { withoutTypedSecrets } from '../lib/typed-secrets.ts';
import type { Redactor } from '../platform/dialect/redact.ts';
import type { Database } from '../store/types.ts';
import type { Worker } from '../work/worker.ts';
import { mayMislead, unprovenIn } from './claims.ts';
import { Conversations, ERASE, type Feedback, type Interrupted, type Message } from './conversations.ts';
import type { GuidedAnswer } from './guided/answers/answer.ts';
import { Guide, type GuideOptions } from './guided/guide.ts';
import { READ_BY_CATALOGUE, READ_BY_MODEL, readPart } from './message-length.ts';
import { type LoadedModel, loadModel, type ModelSettings } from './model.ts';
import { failureKind, modelFailure } from './model-failure.ts';
import { type OwnTurn, ThreadTurns } from './thread-turns.ts';
import { answerOf, FEW, forModel, MANY, remembered, resultChars, SEARCHED_BELOW, tokensOf } from './transcript.ts';
import { ModelTurn, type ModelTurnResult } from './turn.ts';
import { TurnBatches } from './turn-batches.ts';
import type { TurnEnd, TurnEvent, TurnNotice } from './turn-events.ts';
import { EventQueue } from './turn-events.ts';
import { filesAsData, type GivenFile } from './turn-forms.ts';
import { offersGuard } from './turn-guard.ts';
import { TurnTools } from './turn-tools.ts';
import { Usage } from './usage.ts';

export interface AssistantOptions {
  /** Settings that answers without a model name; undefined if they are not known. */
  settings?: GuideOptions['settings'];
  gate: Gate;
  /** Undefined in a process that ends with its answer, because batches run on. */
  batches: Batches | undefined;
  tools: readonly Tool[];
  listed: readonly ListedTool[];
  presets: Presets;
  toolsets: readonly string[];
  readOnly: boolean;
  /** MCP_DISCOVER; above forty operations, they are found by search in any case. */
  discover: boolean;
  /** Maximum number of calls in a turn. */
  steps: number;
  /** Tokens that the model can read at once. */
  context: number;
  /** Undefined: the catalogue answers. */
  model: ModelSettings | undefined;
  /** The database of the ledger, where jobs are. */
  database: Database;
  worker: Worker;
  seal: Seal;
  redactor: Redactor;
  clock: Clock;
  log: Log;
}

/** One message that is answered. */
export interface TurnRequest {
  /** Names the conversation: team, channel and thread. Its turns run one after another. */
  thread: string;
  /** Names the memory of this turn; that of the conversation if left out. */
  memory?: string | undefined;
  /** A further memory that keeps this turn too. */
  also?: string | undefined;
  /** Names begin so that are forgotten together with the thread. */
  forgets?: string | undefined;
  /** Messages before this time (epoch ms) are not remembered in this turn. */
  since?: number | undefined;
  text: string;
  /** Names the message, for `retract`. */
  message?: string;
  /** When it was written, epoch ms of the surface's clock; now if left out. */
  at?: number;
  /** The person who wrote it. Their role decides the tools. */
  writer: Actor;
  /** IANA time zone of the writer; UTC if left out. */
  zone?: string | undefined;
  /** Other people's messages in the thread since the last answer. */
  others?: readonly { person: string; name: string; text: string; at: number }[];
  /** The person who decides, and the way, for a surface that asks after the turn. */
  decider?: Decider;
  /** Lists that came with the message, by name. */
  files?: readonly GivenFile[];
  /** True if the surface can show forms. */
  opensForms?: boolean;
  /** The name of a number or id, as far as the surface has learned it. */
  nameOf?: (value: string) => string | undefined;
  /** The records that earlier answers of the catalogue showed in the conversation, oldest first. */
  shown?: readonly ToldShown[];
  /** Stored with actions that wait, for the surface that shows their cards. */
  notes?: Fields;
  /** Runs in any process if this one ends in the turn, with `thread` and `turn` added to its payload. */
  interrupted?: Interrupted;
}

/** The person who may stop an answer or have a thread forgotten, besides approvers. */
export interface NotTheirs {
  /** Identity. */
  only: string;
}

/** More operations than this are found by search. */
const MOST_TOOLS = 40;
/** Turns of one person at the same time. */
const MAX_TURNS = 8;
/** A message that ends the memory of what was said before. Words behind it are answered. */
const NEW_TOPIC = /^(?:please\s+)?(?:new|another|different|next) topic\b[\s.:;,!-]*/i;
/** Time after which a message of few words continues no earlier one. */
const CONTINUED_MS = HOUR_MS;
/** Earlier messages that a message may continue. */
const FEW_EARLIER = 8;
const FORGET =
  /^(?:please\s+)?forget(?:\s+(?:it\s+all|this|that|everything|all(?:\s+of\s+it)?|(?:this|the)\s+(?:thread|conversation)))?[.!]?$/i;

/** Answers plain words: with the owner's model, or with the catalogue. Every surface has its turns here. */
export class Assistant {
  /** The answers without a model. */
  readonly guide: Guide;
  readonly #options: AssistantOptions;
  readonly #conversations: Conversations;
  readonly #usage: Usage;
  readonly #turns: ThreadTurns;
  /** Number of turns under way in this process, by person. */
  readonly #turnsOf = new Map<string, number>();
  #loaded: Promise<LoadedModel> | undefined;

  constructor(options: AssistantOptions) {
    const { database, seal, clock, worker, tools, log } = options;
    this.#options = options;
    this.#conversations = new Conversations({ database, seal, clock });
    this.#turns = new ThreadTurns({ conversations: this.#conversations, clock, log });
    this.#usage = new Usage(options.model?.model);
    const { settings } = options;
    this.guide = new Guide({ tools, now: () => clock.now(), ...(settings && { settings }) });
    worker.on(ERASE, this.#conversations.erase);
  }

  /** True if a model is set. */
  get hasModel(): boolean {
    return this.#options.model !== undefined;
  }

  /** Answers a message. The turn goes on if the reader stops reading; `stop` ends it. */
  turn(request: TurnRequest): AsyncIterable<TurnEvent> {
    const events = new EventQueue<TurnEvent>();
    void this.#answer(request, (event) => events.add(event)).finally(() => events.end());
    return events;
  }

  /**
   * Stops the turn of a thread, in whichever process it runs. Only the person whose message it answers, or an approver,
   * may; for others it goes on.
   */
  async stop(thread: string, actor: Actor): Promise<'stopped' | 'none' | NotTheirs> {
    const running = await this.#conversations.running(thread);
    if (!running) return 'none';
    const { turn, person } = running;
    if (!mayEnd(actor, person)) return { only: person };
    this.#turns.abort(thread, 'stopped');
    return (await this.#conversations.stop(thread, turn)) ? 'stopped' : 'none';
  }

  /**
   * Ends the turns that answer a message which was deleted or changed, and forgets it with its answer.
   *
   * @param conversation where its turn runs, and the memories that keep it
   * @param message as `TurnRequest` named it
   */
  async retract(
    { thread, memory = thread, also = thread }: Pick<TurnRequest, 'thread' | 'memory' | 'also'>,
    { message, at }: { message: string; at: number },
  ): Promise<void> {
    await this.#conversations.retract(thread, message);
    this.#turns.retract(thread, message);
    for (const name of new Set([thread, memory, also])) await this.#conversations.unsay(name, at);
  }

  /**
   * Forgets a thread, and stops its turn. Only the person who began it, or an approver, may.
   *
   * @param options.at time of the request, epoch ms. It is kept where the surface has the messages too, so that those
   *   before it are not read again. If left out, nothing is kept.
   * @param options.under threads whose names begin so are forgotten too
   */
  async forget(
    thread: string,
    actor: Actor,
    { at, under }: { at?: number | undefined; under?: string | undefined } = {},
  ): Promise<'forgotten' | NotTheirs> {
    const starter = await this.#conversations.starterOf(thread);
    if (starter !== undefined && !mayEnd(actor, starter)) return { only: starter };
    const others = under === undefined ? [] : await this.#conversations.under(under);
    for (const one of new Set([thread, ...others])) {
      this.#turns.abort(one, 'forgotten');
      await this.#conversations.forget(one, at);
    }
    return 'forgotten';
  }

  /** The newest thread whose name begins so. Undefined if none is remembered. */
  async latest(prefix: string): Promise<string | undefined> {
    return (await this.#conversations.ended(prefix))[0];
  }

  /** Forgets the threads whose names begin so, besides this one and those that are still answered. */
  async forgetOthers(prefix: string, thread: string): Promise<void> {
    const others = (await this.#conversations.ended(prefix)).filter((one) => one !== thread);
    for (const one of others) await this.#conversations.forget(one);
  }

  /** The messages of a thread that are remembered. */
  messages(thread: string): Promise<Message[]> {
    return this.#conversations.messages(thread);
  }

  /** The time (epoch ms) up to which people's messages in a thread were read; undefined if none was. */
  readUntil(thread: string): Promise<number | undefined> {
    return this.#conversations.readUntil(thread);
  }

  /** Keeps a reader's judgement of an answer. A repeated one changes nothing, and resolves to false. */
  async feedback(thread: string, turn: string, feedback: Feedback): Promise<boolean> {
    const isNew = await this.#conversations.feedback(thread, turn, feedback);
    if (isNew) this.#usage.judged(feedback);
    return isNew;
  }

  /** Keeps why an answer was not helpful. Resolves to false if it is not remembered any more. */
  explain(thread: string, turn: string, reason: string): Promise<boolean> {
    return this.#conversations.explain(thread, turn, withoutTypedSecrets(reason).text);
  }

  /**
   * For the handler of `TurnRequest.interrupted`: true if the turn was lost, and a time (epoch ms) to look again while
   * it runs.
   */
  async isLost(thread: string, turn: string): Promise<boolean | number> {
    const state = await this.#conversations.settleInterrupted(thread, turn);
    return typeof state === 'number' ? state : state === 'lost';
  }

  metrics(): Metric[] {
    return this.#usage.metrics();
  }

  /** Loads the library of the model, if one is set, so that the first writer does not wait for it. */
  async warmUp(): Promise<void> {
    const { model, log } = this.#options;
    if (!model) return;
    await this.#load(model).catch((error: unknown) => {
      this.#loaded = undefined;
      log('error', { error: String(error) }, 'the library of the model could not be loaded');
    });
  }

  /** Stops all turns of this process, and resolves when they have said so. */
  close(): Promise<void> {
    return this.#turns.close();
  }

  async #answer(request: TurnRequest, emit: (event: TurnEvent) => void): Promise<void> {
    const { model, context } = this.#options;
    const most = model ? Math.min(READ_BY_MODEL, resultChars(context)) : READ_BY_CATALOGUE;
    const read = this.#partOf(request.text.trim(), most, emit);
    const { text: whole, found } = withoutTypedSecrets(read);
    if (found) emit(SECRET_REMOVED);
    const [text, isNew] = [whole.replace(NEW_TOPIC, ''), NEW_TOPIC.test(whole)];
    if (isNew || FORGET.test(whole)) {
      const { thread, writer, forgets: under, at = this.#options.clock.now() } = request;
      const forgotten = await this.forget(thread, writer, { at, ...(!isNew && { under }) });
      if (forgotten !== 'forgotten') return emit({ kind: 'not_theirs', ...forgotten });
      if (!isNew) return emit({ ...NOTHING, text: 'This conversation is forgotten.' });
      if (text === '') return emit({ ...NOTHING, text: 'A new topic. What was said before is no longer used.' });
    }
    // Models refuse a message without text.
    if (!model || (text === '' && (request.files ?? []).length === 0)) {
      emit({ kind: 'guided', guided: await this.#guidedInThread({ ...request, text }) });
      return emit(NOTHING);
    }
    // A message that arrived just before the process stops.
    if (this.#turns.isClosed) return emit({ ...NOTHING, stopped: 'shutdown' });
    const person = personOf(request.writer);
    const own = this.#turnsOf.get(person) ?? 0;
    if (own >= MAX_TURNS) return emit({ kind: 'busy' });
    this.#turnsOf.set(person, own + 1);
    try {
      await this.#turn({ ...request, text }, model, emit);
    } catch (error) {
      const { face, detail } = asSwitchboardError(error);
      this.#options.log('error', { code: face.code, detail: detail ?? '' }, 'a turn of the conversation failed');
      emit({ kind: 'failure', failure: face, guided: this.#guidedInstead({ ...request, text }, emit) });
      emit(NOTHING);
    } finally {
      const left = (this.#turnsOf.get(person) ?? 1) - 1;
      if (left > 0) this.#turnsOf.set(person, left);
      else this.#turnsOf.delete(person);
    }
  }

  /** The part of a message that is read. If it is not all, the answer says so. */
  #partOf(whole: string, most: number, emit: (event: TurnNotice) => void): string {
    const { text, notice } = readPart(whole, most);
    if (notice !== undefined) emit({ kind: 'notice', about: 'length', text: notice });
    return text;
  }

  /** The answer of the catalogue in place of the model's. It reads less of a message. */
  #guidedInstead(request: TurnRequest, emit: (event: TurnEvent) => void): GuidedAnswer {
    return this.#guided({ ...request, text: this.#partOf(request.text, READ_BY_CATALOGUE, emit) });
  }

  async #turn(request: TurnRequest, model: ModelSettings, emit: (event: TurnEvent) => void): Promise<void> {
    const { thread, memory = thread, also, writer, message, interrupted } = request;
    const person = personOf(writer);
    const onWait = () => emit({ kind: 'queued' });
    const own = await this.#turns.begin({ thread, person, message, interrupted, onWait });
    if (own === 'full') return emit({ kind: 'busy' });
    if (typeof own === 'string') return emit({ ...NOTHING, stopped: own === 'closed' ? 'shutdown' : own });
    emit({ kind: 'status', text: 'Thinking' });
    const answered: Message[] = [];
    try {
      const messages = memory === thread ? own.messages : await this.#conversations.messages(memory);
      answered.push(...(await this.#modelTurn(request, { ...own, messages }, { model, emit })));
    } finally {
      const others = [memory, also].flatMap((name) => (name === undefined || name === thread ? [] : [name]));
      if (memory !== thread && also === thread) others.push(thread);
      const further = answered.length === 0 ? [] : others.map((name) => ({ thread: name, person, messages: answered }));
      await own.end(memory === thread ? answered : [], further);
    }
  }

  /** Runs the model, and reports its end. Resolves to the messages to remember. */
  async #modelTurn(
    request: TurnRequest,
    { turn, messages, abort }: Pick<OwnTurn, 'turn' | 'messages' | 'abort'>,
    { model, emit }: { model: ModelSettings; emit: (event: TurnEvent) => void },
  ): Promise<Message[]> {
    const { clock, log, steps, redactor, context } = this.#options;
    const started = monotonicOf(clock);
    const recent = messages.filter(({ at }) => at >= (request.since ?? 0));
    // Messages of others that came before a remembered message were read with it, while this one waited.
    const until = messages.findLast(({ from }) => from !== 'assistant')?.at ?? 0;
    const others = (request.others ?? []).filter(({ at }) => at > until);
    const said = this.#messagesOf({ ...request, others }).map((one) => ({ ...one, text: redactor.text(one.text) }));
    const offer = this.#offerFor(request.writer);
    const tools = this.#toolsFor(request, offer, { abort, emit });
    const instructions = this.#instructions(offer, request);
    const loaded = await this.#load(model);
    const fixed = tokensOf(instructions) + tokensOf(tools.tools);
    const earlier = remembered(recent, { context, taken: fixed + tokensOf(said) });
    const ran = await new ModelTurn({
      ...{ loaded, tools, steps, clock, abort, emit },
      instructions,
      room: context - fixed,
      messages: forModel([...earlier, ...said], { ...request, now: clock.now() }),
    }).run();
    // During the last call, another process may have learned that the message was deleted.
    const isRetracted = (await this.#conversations.renew(request.thread, turn)) === 'retracted';
    const result = isRetracted ? { ...ran, stopped: 'retracted' as const } : ran;
    const { error, stopped, tokens } = result;
    if (error !== undefined) {
      const failure = modelFailure(error);
      this.#usage.failed(failureKind(failure));
      log('warn', { reason: failureKind(failure) }, 'the model failed');
      emit({ kind: 'failure', failure, guided: this.#guidedInstead(request, emit) });
    }
    const records = {
      results: tools.results,
      rules: [instructions, ...tools.described],
      messages: [...recent, ...said],
      titles: [...tools.done, ...tools.unknown].map(({ title }) => title),
      waits: tools.waits.length > 0,
    };
    const unproven = unprovenIn(result.text, records);
    const asksForChange = () => this.#asksForChange(request, recent);
    const misleads = result.text.trim() !== '' && mayMislead(result.text, records, asksForChange);
    const end = { ...endOf(result, tools), turn, tokens, ...defined({ unproven, mayMislead: misleads || undefined }) };
    this.#usage.turn(stopped ?? (error === undefined ? 'answered' : 'failed'), monotonicOf(clock) - started, tokens);
    emit(end);
    if (stopped === 'retracted') return [];
    return [...said, answerOf(end, request.writer, clock.now())];
  }

  /** True if the catalogue reads the message, after the writer's earlier ones, as an order of a change. */
  #asksForChange(request: TurnRequest, recent: readonly Message[]): boolean {
    const { writer } = request;
    const own = recent.filter((one) => one.from === 'writer' && one.person === personOf(writer));
    const guided = this.#guided(
      request,
      own.slice(-FEW_EARLIER).map(({ text }) => text),
    );
    return [guided, ...(guided.also ?? [])].some(({ kind, operation }) => {
      const tool = this.#options.tools.find(({ id }) => id === operation);
      return kind !== 'help' && tool !== undefined && isChange(tool);
    });
  }

  #load(model: ModelSettings): Promise<LoadedModel> {
    this.#loaded ??= loadModel(model, this.#options.clock);
    return this.#loaded;
  }

  #offerFor(writer: Actor): Offer {
    const { listed, presets, toolsets, readOnly, batches, context } = this.#options;
    const discover = this.#options.discover || context < SEARCHED_BELOW;
    const given = { listed, presets, toolsets, readOnly, actor: writer, batches: batches !== undefined };
    const offer = new Offer({ ...given, discover });
    return discover || offer.counts.offered <= MOST_TOOLS ? offer : new Offer({ ...given, discover: true });
  }

  #toolsFor(
    { writer, decider, notes, files = [], opensForms = false, nameOf = () => undefined }: TurnRequest,
    offer: Offer,
    { abort, emit }: { abort: AbortController; emit: (event: TurnEvent) => void },
  ): TurnTools {
    const { gate, batches, steps, clock, log, context } = this.#options;
    // The model acts as an operator at most, so that it reaches nothing but the writer's own.
    const role = writer.role === 'approver' ? 'operator' : writer.role;
    const actor: Actor = { ...writer, role, surface: 'assistant', priority: 'assistant' };
    const { signal } = abort;
    return new TurnTools({
      ...{ gate, offer, steps, emit, decider, notes, actor, signal, writer, opensForms, nameOf },
      batches: batches && new TurnBatches({ batches, gate, offer, actor, decider, notes, signal, files }),
      mostChars: resultChars(context),
      direct: context < SEARCHED_BELOW ? FEW : MANY,
      now: () => clock.now(),
      onError: (error) => log('error', { error: asSwitchboardError(error).detail ?? '' }, 'a tool call failed'),
    });
  }

  #instructions(offer: Offer, { writer, opensForms = false }: TurnRequest): string {
    const { readOnly } = this.#options;
    const { counts } = offer;
    const own = offer.tools.map(({ name }) => name);
    const has = (id: string) => offer.has(id) || own.includes(id);
    const given = { has, role: writer.role, readOnly, discover: own.includes('search'), ...counts };
    return conversationInstructions({ ...given, opensForms, guards: offersGuard(offer) });
  }

  /** The answer of the catalogue after the writer's earlier messages, which are remembered for the next one. */
  async #guidedInThread(request: TurnRequest): Promise<GuidedAnswer> {
    const { text, writer, thread, memory = thread, also, since = 0 } = request;
    if (text === '') return this.#guided(request);
    const person = personOf(writer);
    const { clock, log } = this.#options;
    const at = request.at ?? clock.now();
    const from = Math.max(since, at - CONTINUED_MS);
    try {
      const all = await this.#conversations.messages(memory);
      const own = all.filter((one) => one.from === 'writer' && one.person === person && one.at >= from);
      const memories = [...new Set([memory, also ?? memory])];
      const messages: Message[] = [{ from: 'writer', person, name: writer.name, text, at }];
      await this.#conversations.remember(memories.map((name) => ({ thread: name, person, messages })));
      const earlier = own.slice(-FEW_EARLIER).map((one) => one.text);
      return this.#guided(request, earlier, shownBy(earlier, request.shown ?? []));
    } catch (error) {
      log('warn', { error: asSwitchboardError(error).detail ?? '' }, 'the earlier messages of a thread were not read');
      return this.#guided(request);
    }
  }

  /**
   * The answer of the catalogue to one message, which is not kept. Secrets in it are removed; `notices` say so.
   */
  aside({ text: typed, writer, zone }: Pick<TurnRequest, 'text' | 'writer' | 'zone'>): {
    guided: GuidedAnswer;
    notices: TurnNotice[];
  } {
    const notices: TurnNotice[] = [];
    const note = (notice: TurnNotice) => notices.push(notice);
    const { text, found } = withoutTypedSecrets(this.#partOf(typed, READ_BY_CATALOGUE, note));
    if (found) note(SECRET_REMOVED);
    return { guided: this.#guided({ text, writer, zone }), notices };
  }

  /** The answer of the catalogue, with what the writer's role may ask for. The toolset is for models alone. */
  #guided(
    { text, writer, zone }: Pick<TurnRequest, 'text' | 'writer' | 'zone'>,
    earlier: readonly string[] = [],
    shown: ReturnType<typeof shownBy> = [],
  ): GuidedAnswer {
    const mayUse = (id: string) => {
      const tool = this.#options.tools.find((one) => one.id === id);
      return tool !== undefined && hasRole(writer, neededRole(tool).ask);
    };
    return this.guide.answer(text, mayUse, zone, earlier, shown);
  }

  /** The new messages of the thread. */
  #messagesOf({ writer, text, files = [], at = this.#options.clock.now(), others = [] }: TurnRequest): Message[] {
    const own = {
      person: personOf(writer),
      name: writer.name,
      text: [text, ...filesAsData(files)].join('\n').trim(),
      at,
    };
    const said = others.map((one): Message => ({ from: 'other', ...one, text: withoutTypedSecrets(one.text).text }));
    return [...said, { from: 'writer', ...own }];
  }
}

const SECRET_REMOVED: TurnNotice = {
  kind: 'notice',
  about: 'secret',
  text: 'What looked like a PIN, a password or a token was removed from the message before it was read. Enter secrets only in a form.',
};
const NOTHING = { kind: 'end', text: '', done: [], waits: [], unknown: [], records: [] } as const satisfies TurnEnd;

function endOf({ text, stopped }: ModelTurnResult, { done, waits, unknown, records }: TurnTools): TurnEnd {
  return { kind: 'end', text, done, waits, unknown, records, ...(stopped !== undefined && { stopped }) };
}

/** True for the person `owner` (an identity), and for approvers. */
function mayEnd(actor: Actor, owner: string): boolean {
  return owner === personOf(actor) || hasRole(actor, 'approver');
}

export type { Feedback, GivenFile, GuidedAnswer };
