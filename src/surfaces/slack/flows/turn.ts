import type { TurnRequest } from '../../../assistant/assistant.ts';
import type { Card, TurnEnd, TurnEvent, TurnForm, TurnNotice, TurnQuestion } from '../../../assistant/turn-events.ts';
import type { GivenFile } from '../../../assistant/turn-forms.ts';
import { failureText } from '../../../language/failure.ts';
import { type Actor, personOf } from '../../../lib/actor.ts';
import { HOUR_MS } from '../../../lib/clock.ts';
import type { Failure } from '../../../lib/errors.ts';
import { textOf } from '../../../lib/json.ts';
import type { Understood } from '../../../nlu/reader.ts';
import type { Handler } from '../../../work/worker.ts';
import type { Place } from '../api/agent.ts';
import { personElement, slackUser } from '../blocks/render.ts';
import {
  actions,
  type Block,
  button,
  cut,
  escaped,
  MAX_BUTTON_VALUE,
  type Message,
  notice,
  refusalMessage,
  rich,
  say,
  small,
} from '../blocks/text.ts';
import { endBlocks, foundButtons, noticeLine } from '../blocks/turn.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import type { TurnView } from '../live/turn-view.ts';
import { askerNotes, type Origin } from '../types.ts';
import { postPending, Reply } from './engine.ts';
import { showUnderstood, valueLines } from './plain.ts';
import { doneMessage, formButton } from './run.ts';

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
  forwarded: TurnRequest['forwarded'];
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

/** Names the conversation in which turns run one after another: a direct message, or a thread elsewhere. */
export function conversationKey(place: Pick<Place, 'channel' | 'threadTs'>): string {
  return place.channel.startsWith('D') ? `slack/${place.channel}/top` : threadKey(place);
}

/** Time for which the top level of a direct message is one conversation. */
const TOP_MS = 12 * HOUR_MS;

/**
 * The conversation of a message, and its memory. A direct message is one conversation: its top level remembers the
 * messages of its threads too, and an answer at the top level begins a thread.
 */
function memoryOf(
  place: Place,
  isTop: boolean,
  now: number,
): Pick<TurnRequest, 'thread' | 'since' | 'forgets'> & { memories: readonly string[] } {
  const [own, thread] = [threadKey(place), conversationKey(place)];
  if (thread === own) return { thread, memories: [own] };
  const forgets = `slack/${place.channel}/`;
  if (!isTop) return { thread, memories: [own, thread], forgets };
  return { thread, memories: [thread, own], since: now - TOP_MS, forgets };
}

/** The answer to a message, drawn while it is made, and what follows it: cards, questions, the answer without a model. */
export class Turn {
  readonly #slack: SlackContext;
  readonly #asked: Asked;
  readonly #view: TurnView;
  readonly #origin: Origin;
  /** Cards of what was read, by call; the last one is shown above the answer. */
  readonly #found = new Map<string, Card>();
  /** The call whose card is above the answer. */
  #shown: string | undefined;
  readonly #changes: Card[] = [];
  readonly #batches: string[] = [];
  readonly #questions: TurnQuestion[] = [];
  readonly #notices: TurnNotice[] = [];
  readonly #forms: TurnForm[] = [];
  #understood: Understood | undefined;
  #failure: Failure | undefined;
  #end: TurnEnd | undefined;

  constructor(slack: SlackContext, asked: Asked, view: TurnView) {
    this.#slack = slack;
    this.#asked = asked;
    this.#view = view;
    const { userId, teamId, channel, threadTs } = asked.place;
    this.#origin = { userId, teamId, channel, threadTs };
  }

  async run(): Promise<void> {
    const { assistant, directory, clock } = this.#slack;
    const { text, ts, place, member, others, forwarded, isTop, files } = this.#asked;
    const { slack } = askerNotes(this.#origin);
    const { channel, threadTs, userId } = place;
    const memory = memoryOf(place, isTop, clock.now());
    const turn = assistant.turn({
      ...memory,
      ...{ text, at: Number(ts) * 1000, others, forwarded, files, writer: member.actor, zone: member.zone },
      opensForms: true,
      nameOf: (value) => directory.nameOf(value),
      notes: { slack: { ...slack, turn: true } },
      interrupted: { kind: INTERRUPTED, payload: { channel, threadTs, userId } },
    });
    for await (const event of turn) {
      if (event.kind === 'text' && event.text.trim() !== '') await this.#showFound();
      await this.#show(event);
    }
    if (this.#end || this.#failure) await this.#finish();
    else {
      for (const one of this.#notices) await this.#add({ text: escaped(one.text), blocks: [noticeLine(one)] });
      for (const note of this.#asked.notes) await this.#add(notice('📎', note));
    }
    // Below a record that was read, “not understood” would be false.
    const isRead = this.#understood?.kind === 'told' && (this.#end?.records.length ?? 0) > 0;
    if (this.#understood && !isRead)
      await showUnderstood(this.#slack, this.#understood, {
        ...{ origin: this.#origin, actor: member.actor },
        keys: memory.memories,
      });
    if (!this.#end) await this.#view.cancel();
  }

  async #show(event: TurnEvent): Promise<void> {
    const { actor } = this.#asked.member;
    if (event.kind === 'step') this.#view.step(event);
    else if (event.kind === 'text') this.#view.text(event.text);
    else if (event.kind === 'card') this.#keep(event);
    else if (event.kind === 'batch') this.#batches.push(event.id);
    else if (event.kind === 'question') this.#questions.push(event);
    else if (event.kind === 'form') this.#forms.push(event);
    else if (event.kind === 'queued')
      void this.#slack.agent.status(this.#asked.place, 'answers an earlier message first…');
    else if (event.kind === 'notice') this.#notices.push(event);
    else if (event.kind === 'understood') this.#understood = event.understood;
    else if (event.kind === 'failure') [this.#failure, this.#understood] = [event.failure, event.understood];
    else if (event.kind === 'end') this.#end = event;
    else if (event.kind === 'busy') await this.#add(notice('⏳', BUSY));
    else if (event.kind === 'not_theirs')
      await this.#add(notTheirs(this.#slack, event.only, actor, 'have this conversation forgotten'));
  }

  #add(message: Message): Promise<boolean> {
    return new Reply(this.#slack, this.#origin).add(message);
  }

  /** The answer ends before anybody decides: a stream does not wait for people. */
  async #finish(): Promise<void> {
    const failure = this.#failure && failureText(this.#failure, 'slack');
    await this.#showFound();
    const blocks = [
      ...this.#others,
      ...(this.#end ? endBlocks(this.#end) : []),
      ...(failure === undefined ? [] : [small(`⚠️ ${escaped(failure)}`)]),
      ...this.#notices.map(noticeLine),
      ...this.#asked.notes.map((text) => small(`📎 ${escaped(text)}`)),
    ];
    const [question] = this.#questions;
    const summary = failure ?? (question && `Waits for a yes: ${question.confirmation.summary}`);
    await this.#view.finish({ blocks: blocks.slice(0, 50), summary }, question ? 'suspended' : 'active');
    await this.#postQuestions();
    // The last form of each operation.
    for (const form of new Map(this.#forms.map((one) => [one.operation, one])).values()) await this.#showForm(form);
    for (const card of this.#changes) {
      const message = await this.#cardOf(card);
      if (message) await this.#add(message);
    }
    const { member, place } = this.#asked;
    for (const id of new Set(this.#batches))
      await this.#slack.batchCards.post(await this.#slack.batches.view(id, member.actor), place.userId, place);
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

  /**
   * Shows a form that the model filled in. Nothing is sent until a person sends it. For a writer who may not make the
   * change, it names those who may; in a channel they can open it.
   */
  async #showForm({ operation, input, isAllowed }: TurnForm): Promise<void> {
    const { gate, roles, web } = this.#slack;
    const tool = gate.tool(operation);
    if (!tool) return;
    const { channel, threadTs } = this.#asked.place;
    const next = isAllowed ? 'Nothing was done yet. Check the form and send it.' : 'This needs the role operator.';
    const who = isAllowed ? [next] : roles.lacking('operator', this.#asked.member.actor.role);
    const message: Message = {
      text: cut(escaped(`${tool.title}: ${next}`), 1_000),
      blocks: [say(rich.bold(tool.title), '\n', ...valueLines(tool, input), ...who)],
    };
    if (isAllowed) message.blocks.push(formButton(this.#slack, tool, input, this.#origin));
    if (isAllowed || channel.startsWith('D')) return void (await this.#add(message));
    // The people who may make the change find it where it was asked for.
    const value = `${operation}|${JSON.stringify(input)}`;
    const opens = value.length <= MAX_BUTTON_VALUE ? value : `${operation}|{}`;
    message.blocks.push(actions('handed', button(`${IDS.fill}_0`, 'Open the form', opens)));
    await web.post(channel, message, { threadTs });
  }

  #keep(card: Card): void {
    if (this.#slack.gate.tool(card.operation)?.risk !== 'read') return void this.#changes.push(card);
    const key = `${card.operation} ${JSON.stringify(card.input)}`;
    this.#found.delete(key);
    this.#found.set(key, card);
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
    else await this.#add(message);
  }

  /** A button for each other result. */
  get #others(): Block[] {
    const others = [...this.#found].filter(([key]) => key !== this.#shown).map(([, card]) => card);
    return foundButtons(
      others.map(({ operation, input }) => {
        const value = String(Object.values(input).find((one) => typeof one === 'string') ?? '');
        const name = this.#slack.directory.nameOf(value) ?? value;
        const title = `${this.#slack.gate.tool(operation)?.title ?? operation}: ${name}`;
        return { title: cut(title, 70), operation, input };
      }),
    );
  }

  async #cardOf({ operation, input, done }: Card): Promise<Message | undefined> {
    const tool = this.#slack.gate.tool(operation);
    this.#slack.directory.learn(done.value);
    return tool && doneMessage(this.#slack, { tool, input, origin: this.#origin }, done, this.#asked.member);
  }
}

const BUSY =
  'Three messages wait for an answer here, so this one was not read. Send it again when they are answered. The writer of a message and approvers can write “stop”.';

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
