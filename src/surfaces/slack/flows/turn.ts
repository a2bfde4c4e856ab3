import type { GivenFile, GuidedAnswer, TurnRequest } from '../../../assistant/assistant.ts';
import type { Card, TurnEnd, TurnEvent, TurnForm, TurnNotice, TurnQuestion } from '../../../assistant/turn-events.ts';
import { failureText } from '../../../language/failure.ts';
import { type Actor, personOf } from '../../../lib/actor.ts';
import { HOUR_MS } from '../../../lib/clock.ts';
import type { Failure } from '../../../lib/errors.ts';
import { textOf } from '../../../lib/json.ts';
import type { Handler } from '../../../work/worker.ts';
import type { Place } from '../api/agent.ts';
import { personElement, slackUser } from '../blocks/render.ts';
import { type Block, cut, escaped, type Message, notice, refusalMessage, small } from '../blocks/text.ts';
import { endBlocks, feedbackBlock, foundButtons, noticeLine } from '../blocks/turn.ts';
import type { SlackContext } from '../context.ts';
import type { TurnView } from '../live/turn-view.ts';
import { askerNotes, type Origin } from '../types.ts';
import { postPending, Reply } from './engine.ts';
import { showFilledForm, showGuided } from './guided.ts';
import { doneMessage } from './run.ts';
import { withdrawRequests, writtenAt } from './taken-back.ts';

/** The act of forgetting a thread, in the words of a refusal. */
export const FORGETS = 'have this conversation forgotten';

/** Says who may do this, besides approvers. `only`: an identity. */
export function notTheirs({ roles }: SlackContext, only: string, actor: Actor, what: string): Message {
  const [, ...approvers] = roles.lacking('approver', actor.role);
  const user = slackUser(only);
  const may = ` and approvers may ${what}. Nothing was done.`;
  const { blocks } = refusalMessage([
    { type: 'text', text: 'Only ' },
    personElement(only, undefined),
    { type: 'text', text: `${may} ` },
    ...approvers,
  ]);
  return { text: `⛔ Only ${user === undefined ? escaped(only) : `<@${user}>`}${may}`, blocks };
}

/** One message that is answered. */
export interface Asked {
  text: string;
  /** Timestamp of the message. */
  ts: string;
  place: Place;
  member: { actor: Actor; zone: string | undefined };
  others: readonly { person: string; name: string; text: string; at: number }[];
  /** True at the top level of a direct message. */
  isTop: boolean;
  /** Lists that came with the message. */
  files: readonly GivenFile[];
  /** Sentences about files that could not be read. */
  notes: readonly string[];
}

/** Names the thread in the memory of conversations. Ids of channels are unique over workspaces. */
export function threadKey({ channel, threadTs }: Pick<Place, 'channel' | 'threadTs'>): string {
  return `slack/${channel}/${threadTs}`;
}

/** Time for which the top level of a direct message is one conversation. */
const TOP_MS = 12 * HOUR_MS;

/**
 * The conversation of a message, and its memory: its thread. A direct message is one conversation, and the memory of
 * its top level keeps the messages of its threads too.
 */
export function memoryOf(
  place: Pick<Place, 'channel' | 'threadTs'>,
  isTop: boolean,
  now: number,
): Pick<TurnRequest, 'thread' | 'memory' | 'also' | 'since' | 'forgets'> {
  const own = threadKey(place);
  const thread = conversationKey(place);
  if (thread === own) return { thread };
  const forgets = `slack/${place.channel}/`;
  return isTop ? { thread, also: own, since: now - TOP_MS, forgets } : { thread, memory: own, also: thread, forgets };
}

/** Names the conversation in which turns run one after another: a direct message, or a thread elsewhere. */
export function conversationKey(place: Pick<Place, 'channel' | 'threadTs'>): string {
  return place.channel.startsWith('D') ? `slack/${place.channel}/top` : threadKey(place);
}

/** A turn of the conversation, drawn while it runs, and what follows it: cards, questions, the catalogue's answer. */
export class Turn {
  readonly #slack: SlackContext;
  readonly #asked: Asked;
  readonly #view: TurnView;
  /** Cards of what was read, by call; the last one is shown above the answer. */
  readonly #found = new Map<string, Card>();
  /** The call whose card is above the answer. */
  #shown: string | undefined;
  readonly #changes: Card[] = [];
  readonly #batches: string[] = [];
  readonly #questions: TurnQuestion[] = [];
  readonly #notices: TurnNotice[] = [];
  readonly #forms: TurnForm[] = [];
  #guided: GuidedAnswer | undefined;
  #failure: Failure | undefined;
  #end: TurnEnd | undefined;

  constructor(slack: SlackContext, asked: Asked, view: TurnView) {
    this.#slack = slack;
    this.#asked = asked;
    this.#view = view;
  }

  async run(): Promise<void> {
    const { assistant, directory, clock } = this.#slack;
    const { text, ts, place, member, others, isTop, files } = this.#asked;
    const { slack } = askerNotes(this.#origin);
    const { channel, threadTs, userId } = place;
    const turn = assistant.turn({
      ...memoryOf(place, isTop, clock.now()),
      ...{ text, message: ts, at: writtenAt(ts), others, files, writer: member.actor, zone: member.zone },
      opensForms: true,
      nameOf: (value) => directory.nameOf(value),
      notes: { slack: { ...slack, turn: true, said: ts } },
      interrupted: { kind: INTERRUPTED, payload: { channel, threadTs, userId } },
    });
    for await (const event of turn) {
      if (event.kind === 'busy') return this.#busy();
      if (event.kind === 'not_theirs') return this.#notTheirs(event.only);
      if (event.kind === 'text' && event.text.trim() !== '') await this.#showFound();
      this.#show(event);
    }
    if (this.#end?.stopped === 'retracted') await this.#drop(this.#end);
    else await this.#finish();
  }

  get #origin(): Origin {
    const { userId, teamId, channel, threadTs } = this.#asked.place;
    return { userId, teamId, channel, threadTs };
  }

  #show(event: TurnEvent): void {
    if (event.kind === 'step') this.#view.step(event);
    else if (event.kind === 'text') this.#view.text(event.text);
    else if (event.kind === 'card') this.#keep(event);
    else if (event.kind === 'batch') this.#batches.push(event.id);
    else if (event.kind === 'question') this.#questions.push(event);
    else if (event.kind === 'form') this.#forms.push(event);
    else if (event.kind === 'queued')
      void this.#slack.agent.status(this.#asked.place, 'answers an earlier message first…');
    else if (event.kind === 'notice') this.#notices.push(event);
    else if (event.kind === 'guided') this.#guided = event.guided;
    else if (event.kind === 'failure') [this.#failure, this.#guided] = [event.failure, event.guided];
    else if (event.kind === 'end') this.#end = event;
  }

  async #busy(): Promise<void> {
    await new Reply(this.#slack, this.#origin).add(
      notice(
        '⏳',
        'Three messages wait for an answer here, so this one was not read. Send it again when they are answered. The writer of a message and approvers can write “stop”.',
      ),
    );
  }

  async #notTheirs(only: string): Promise<void> {
    const { actor } = this.#asked.member;
    await new Reply(this.#slack, this.#origin).add(notTheirs(this.#slack, only, actor, FORGETS));
    await this.#view.cancel();
  }

  /** The message was deleted or changed: its requests are withdrawn, and only what was done is told. */
  async #drop(end: TurnEnd): Promise<void> {
    const { place, ts } = this.#asked;
    const isTold = (await this.#view.halt()) || end.done.length > 0 || end.unknown.length > 0;
    if (isTold) await this.#view.finish({ blocks: endBlocks(end), summary: undefined }, 'active');
    else await this.#view.cancel();
    await withdrawRequests(this.#slack, { ...place, ts });
    await this.#showChanges();
  }

  /** The answer ends before anybody decides: a stream does not wait for people. */
  async #finish(): Promise<void> {
    const end = this.#end;
    const notices = [
      ...this.#notices.map(noticeLine),
      ...this.#asked.notes.map((text) => small(`📎 ${escaped(text)}`)),
    ];
    const failure = this.#failure && failureText(this.#failure, 'slack');
    const failed = failure === undefined ? [] : [small(`⚠️ ${escaped(failure)}`)];
    await this.#showFound();
    const blocks = [...this.#others, ...(end ? endBlocks(end) : []), ...failed, ...notices];
    // A text of the assistant itself, such as that the thread is forgotten.
    if (end?.turn === undefined && end?.text) this.#view.text(end.text);
    if (end?.turn !== undefined && !this.#failure) blocks.push(feedbackBlock(threadKey(this.#asked.place), end.turn));
    const [question] = this.#questions;
    const summary = failure ?? (question && `Waits for a yes: ${question.confirmation.summary}`);
    await this.#view.finish({ blocks: blocks.slice(0, 50), summary }, question ? 'suspended' : 'active');
    await this.#postQuestions();
    await this.#showForms();
    await this.#showChanges();
    await this.#showBatches();
    // Below a record that was read, "that names no number" would be false.
    const isRead = this.#guided?.kind === 'help' && (end?.records.length ?? 0) > 0;
    if (this.#guided && !isRead)
      await showGuided(this.#slack, this.#guided, {
        text: this.#asked.text,
        origin: this.#origin,
        actor: this.#asked.member.actor,
      });
  }

  /** Posts the card of each question, and says in the thread where it is. */
  async #postQuestions(): Promise<void> {
    const { gate, log } = this.#slack;
    const person = personOf(this.#asked.member.actor);
    // A model may ask for the same call more than once in a turn, which is one question.
    for (const id of new Set(this.#questions.map(({ confirmation }) => confirmation.id))) {
      const action = await gate.actions.get(id);
      if (action)
        await postPending(this.#slack, { action }, { origin: this.#origin, person }).catch((error: unknown) => {
          log('warn', { action: id, error: String(error) }, 'failed to say in a conversation what waits');
        });
    }
  }

  /** The forms that the model handed over, the last one of each operation. */
  async #showForms(): Promise<void> {
    const byOperation = new Map(this.#forms.map((form) => [form.operation, form]));
    for (const form of byOperation.values())
      await showFilledForm(this.#slack, form, this.#asked.member.actor, this.#origin);
  }

  #keep(card: Card): void {
    const { gate } = this.#slack;
    if (gate.tool(card.operation)?.risk !== 'read') this.#changes.push(card);
    else {
      const key = `${card.operation} ${JSON.stringify(card.input)}`;
      this.#found.delete(key);
      this.#found.set(key, card);
    }
  }

  /** Shows what was found last above the answer, once: in a channel, only to the writer. */
  async #showFound(): Promise<void> {
    const last = [...this.#found].at(-1);
    if (this.#shown !== undefined || !last) return;
    const [key, card] = last;
    this.#shown = key;
    const message = await this.#cardOf(card);
    if (!message) return;
    if (this.#asked.place.channel.startsWith('D')) this.#view.card(message.blocks);
    else await new Reply(this.#slack, this.#origin).add(message);
  }

  /** A button for each other result. */
  get #others(): Block[] {
    const others = [...this.#found].filter(([key]) => key !== this.#shown).map(([, card]) => card);
    return foundButtons(
      others.map(({ operation, input }) => {
        const tool = this.#slack.gate.tool(operation);
        const value = Object.values(input).find((one) => typeof one === 'string') ?? '';
        const name = this.#slack.directory.nameOf(String(value)) ?? String(value);
        return { title: cut(`${tool?.title ?? operation}: ${name}`, 70), operation, input };
      }),
    );
  }

  /** The cards of what was done at once, below the answer. */
  async #showChanges(): Promise<void> {
    for (const card of this.#changes) {
      const message = await this.#cardOf(card);
      if (message) await new Reply(this.#slack, this.#origin).add(message);
    }
  }

  async #cardOf({ operation, input, done }: Card): Promise<Message | undefined> {
    const tool = this.#slack.gate.tool(operation);
    this.#slack.directory.learn(done.value);
    return tool && doneMessage(this.#slack, { tool, input, origin: this.#origin }, done, this.#asked.member);
  }

  /** The cards of the batches of reads, with their results as CSV, in the thread. */
  async #showBatches(): Promise<void> {
    const { batches, batchCards } = this.#slack;
    const { member, place } = this.#asked;
    for (const id of new Set(this.#batches))
      await batchCards.post(await batches.view(id, member.actor), place.userId, place);
  }
}

/** The kind of the job that tells a writer that a process ended while it answered. */
export const INTERRUPTED = 'slack-turn-interrupted';

/** Tells the writer, in any process, once the turn is known to be lost. */
export function tellInterrupted(slack: SlackContext): Handler {
  return async ({ payload }) => {
    const [channel, threadTs] = [textOf(payload.channel), textOf(payload.threadTs)];
    const lost = await slack.assistant.isLost(textOf(payload.thread), textOf(payload.turn));
    if (typeof lost === 'number') return lost;
    if (!lost) return undefined;
    const text =
      'A restart interrupted this answer: the app’s Home lists what was done, and you can send the message again.';
    await slack.web.post(channel, notice('⚠️', text), { threadTs });
    await slack.agent.session({ channel, threadTs }, 'active');
    return undefined;
  };
}
