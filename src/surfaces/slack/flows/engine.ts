import { guideForms } from '../../../../tools/surfaces/tasks.ts';
import { hasEnded } from '../../../batches/states.ts';
import { questionTitle } from '../../../cards/question.ts';
import { doubtfulSerials, fieldProblems } from '../../../catalogue/input.ts';
import type { Field, Tool } from '../../../catalogue/operation.ts';
import { BATCH_RUN, type Performed } from '../../../gate/confirmation.ts';
import { failureWords, waitText } from '../../../language/outcome.ts';
import { isReference, referencesIn } from '../../../language/typed-values.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Role } from '../../../lib/actor.ts';
import { asSwitchboardError, type FieldProblem, severity } from '../../../lib/errors.ts';
import { defined, type Fields, recordOf } from '../../../lib/values.ts';
import { isFinal, SlackRefusal } from '../api/web.ts';
import { batchMessage } from '../blocks/batch.ts';
import { actionMessage, askedBefore, ownQuestion } from '../blocks/card.ts';
import { wholeButton } from '../blocks/fitting.ts';
import { type FormParts, formView, pathOf } from '../blocks/form.ts';
import * as ui from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { READER, SETTLED, startedBatch } from '../live/cards.ts';
import type { Asking } from '../people/roles.ts';
import {
  type CardNote,
  type FlowName,
  isOwnQuestion,
  logged,
  type Origin,
  type Posted,
  type SentView,
  type StateOf,
  type ViewAnswer,
  type ViewOf,
} from '../types.ts';

/** The handlers of the views of one flow. */
export interface Flow<F extends FlowName> {
  /** Undefined for a view that is out of date. */
  submit?: (slack: SlackContext, view: ViewOf<F>, origin: Origin) => Promise<ViewAnswer | undefined>;
  press?: (slack: SlackContext, view: ViewOf<F>, click: Click) => Promise<void>;
  /** The person closed a view that asks Slack to say so. */
  closed?: (slack: SlackContext, view: ViewOf<F>) => Promise<void>;
}

/** An operation, or a form of a guide's own. */
export function findTool({ tools }: SlackContext, id: string | undefined): Tool | undefined {
  return [...tools, ...guideForms].find((candidate) => candidate.id === id);
}

/**
 * Problems with the input of a form, in its words, after those that are `known` and replace those of their fields. Without
 * any, the serials of SIMs that may be mistyped: a form says it once; sent again, the serial is meant.
 */
export function problemsIn(
  { clock, memory, reworded }: SlackContext,
  { id }: SentView,
  tool: Tool,
  input: Fields,
  known: readonly FieldProblem[],
): FieldProblem[] {
  const found = fieldProblems(tool, input, new Date(clock.now()));
  // Beside a problem, names may not have been looked up yet.
  const names = known.length === 0 ? [] : referencesIn(tool, input).map(({ path }) => path.join('.'));
  const others = found.filter(({ field }) => !known.some((one) => one.field === field) && !names.includes(field));
  const problems = [...known, ...others.map(({ field, message }) => ({ field, message: reworded(message) }))];
  if (problems.length > 0) return problems;
  return doubtfulSerials(tool, input)
    .filter(({ serial }) => memory.openViews.isNews(id, serial))
    .map(({ field, remark }) => ({ field, message: `${remark} Send the form again if it is right.` }));
}

/** Shows this view in place of the submitted one. */
export function updated(view: Fields): ViewAnswer {
  return { ack: { response_action: 'update', view } };
}

/** Shows errors at the inputs with these paths. Their blocks may have a mark. */
export function errorsIn({ values }: SentView, errors: Readonly<Record<string, string>>): ViewAnswer {
  const blocks = Object.keys(values);
  const blockOf = (path: string) =>
    blocks.find((one) => pathOf(one) === path) ?? blocks.find((one) => one.startsWith(`${path}.`)) ?? path;
  const named = Object.entries(errors).map(([path, text]) => [blockOf(path), text]);
  return { ack: { response_action: 'errors', errors: Object.fromEntries(named) } };
}

/** A form in this app's words, with the names of the records that were seen. */
export function drawForm(slack: SlackContext, form: Omit<FormParts, 'asksOwn' | 'reworded'>): Fields {
  const { reworded, directory, config } = slack;
  return formView({ ...form, reworded, labelOf: (value) => directory.nameOf(value), asksOwn: config.CONFIRM_OWN });
}

/**
 * Opens a view. Undefined if Slack did not open it, which is logged and answered.
 *
 * @param options.above over the window in which the person clicked
 * @param options.kept blocks below the answer, with what the person has typed
 */
export async function openView(
  slack: SlackContext,
  origin: Origin,
  view: Fields,
  { above = false, kept = () => [] }: { above?: boolean; kept?: () => readonly ui.Block[] } = {},
) {
  try {
    return await slack.web.openView(origin.triggerId ?? '', view, above);
  } catch (error) {
    slack.log('warn', { title: recordOf(view.title).text, error: String(error) }, 'failed to open a view');
    await new Reply(slack, origin).add(notOpened(kept()));
    return undefined;
  }
}

/** `kept`: blocks with what the person has typed. */
export function notOpened(kept: readonly ui.Block[]): ui.Message {
  return ui.notice('⚠️', 'Slack did not open the window. Nothing was done. Try again.', ...kept);
}

/** Changes an open view. False if the person closed it, or if Slack does not change it otherwise, which is logged. */
export async function showView({ web, log }: SlackContext, viewId: string, view: Fields): Promise<boolean> {
  try {
    await web.updateView(viewId, view);
    return true;
  } catch (error) {
    const isClosed = error instanceof SlackRefusal && /^(view_)?not_found$/.test(error.reason);
    log(isClosed ? 'debug' : 'warn', { view: viewId, error: String(error) }, 'failed to change a view');
    return false;
  }
}

/** Opens a view for a person with the role. Undefined if it was not opened; the person then has the reason. */
export async function openFor(slack: SlackContext, origin: Origin, needed: Role, view: () => Fields) {
  const refused = await slack.roles.timelyRefusal(origin, needed);
  if (!refused) return openView(slack, origin, view());
  await new Reply(slack, origin).show(ui.refusalMessage(refused));
  return undefined;
}

/** The person of a request, if they have the role. Otherwise they get the reason. `maxAgeMs`: as in `Roles.membership`. */
export async function admitted(slack: SlackContext, origin: Origin, needed: Role, reply: Reply, maxAgeMs?: number) {
  const member = await slack.roles.admit(origin, needed, maxAgeMs);
  if (!('refused' in member)) return member;
  await reply.show(ui.refusalMessage(member.refused));
  return undefined;
}

/** The records that a text may mean for a field. Undefined if it is no name, without a role, or if that is not known in time. */
export async function recordsNamed(slack: SlackContext, field: Field, text: string, origin: Origin) {
  const actor = await slack.roles.timelyActor(origin);
  if (!actor || !isReference(field, text)) return undefined;
  const found = await inTime(slack, field.name, slack.records.search(field, text.trim(), actor));
  slack.directory.note(found?.hits ?? []);
  return found;
}

/** The result of a search in time; undefined if it takes longer or fails, which is logged. `what`: for the log. */
export async function inTime<T>(slack: SlackContext, what: string, search: Promise<T>): Promise<T | undefined> {
  return slack.web.inTime(search.catch(logged(slack, 'warn', 'failed to search a record', { what })));
}

/** Logs the detail of an error. Returns it with its words for a person. `operation`: for the log. */
export function failureOf({ log, reworded }: SlackContext, error: unknown, operation?: string) {
  const { detail, face, message } = asSwitchboardError(error);
  if (detail) log(severity(face), { ...defined({ operation }), detail }, message);
  return { face, words: reworded(failureWords(face, 'slack')) };
}

/** The place where a view was opened, with its response_url, for a press or a submission in it. */
export function openedAt({ memory }: SlackContext, { id, state }: SentView, origin: Origin): Origin {
  const { channel, thread } = (state ?? {}) as Partial<StateOf<'form'>>;
  const responseUrl = memory.responseUrls.get(id);
  return { ...origin, ...defined({ channel: channel || undefined, threadTs: thread, responseUrl }) };
}

/** A link to a card. Undefined for one without a message, and if Slack does not say where it is. */
export async function linkTo({ web }: SlackContext, at: Posted | undefined) {
  const url = at && (await web.permalink(at));
  return url ? ui.link(url, 'Open the card') : undefined;
}

/** Uses of a response_url that Slack allows. */
const USES = 5;
/** Uses that progress leaves: for a question, that it runs, its end, and the end of an outcome that was unknown. */
const RESERVED = 4;

interface ReplyOptions {
  /** An earlier message of this app is replaced. */
  replaces?: boolean;
  /** Blocks below the answer. */
  below?: readonly ui.Block[];
  /** Told where a message of a direct message is, so that it can be edited. */
  posted?: (at: Posted) => void;
}

/**
 * Answers one person, so that only they see it: through the interaction's response_url, which needs no membership and
 * can replace a message; otherwise with an ephemeral message, and finally with a direct one.
 */
export class Reply {
  readonly #slack: Pick<SlackContext, 'web' | 'log'>;
  readonly #origin: Origin;
  readonly #options: ReplyOptions;
  #left: number;
  #queue: Promise<unknown> = Promise.resolve();
  #answered = false;

  constructor(slack: Pick<SlackContext, 'web' | 'log'>, origin: Origin, options: ReplyOptions = {}) {
    this.#slack = slack;
    this.#origin = origin;
    this.#options = options;
    this.#left = origin.responseUrl ? USES : 0;
  }

  /** Replaces the message that says the work is in progress: by another one, or by why it waits. */
  progress(sofar: ui.Message | Parameters<typeof waitText>): void {
    if (!this.#options.replaces) return;
    void this.#next(async () => {
      if (this.#answered || this.#left <= RESERVED) return;
      await this.#respond(Array.isArray(sofar) ? ui.notice('⏳', waitText(...sofar)) : sofar, true);
    });
  }

  /** Shows the answer, in place of the progress if possible. */
  show({ text, blocks }: ui.Message): Promise<boolean> {
    this.#answered = true;
    const { below = [], replaces = false } = this.#options;
    return this.#send({ text, blocks: [...blocks, ...below] }, replaces);
  }

  /** Ends without an answer, because a card says it: removes the progress, or leaves the blocks below it. */
  end(): Promise<void> {
    this.#answered = true;
    const { below = [], replaces = false } = this.#options;
    return this.#next(async () => {
      const { responseUrl } = this.#origin;
      if (!replaces || !responseUrl) return;
      if (below.length > 0) return void (await this.#respond({ text: 'Asked.', blocks: [...below] }, true));
      const failed = logged(this.#slack, 'info', 'a message in progress could not be removed');
      await this.#slack.web.respond(responseUrl, { delete_original: true }).catch(failed);
    });
  }

  /** Shows the end: to a press as its answer, otherwise as `redraw`. */
  finish(message: ui.Message): Promise<boolean> {
    return this.#answered ? this.redraw(message) : this.show(message);
  }

  /** Draws the answer again, if it took the place of a message and Slack still accepts its response_url. False otherwise. */
  redraw(message: ui.Message): Promise<boolean> {
    return this.#next(async () => this.#options.replaces === true && this.#respond(message, true));
  }

  /** Sends one more message, next to the answer. */
  add(message: ui.Message): Promise<boolean> {
    return this.#send(message, false);
  }

  /**
   * Sends a secret. It never goes into a direct message, because Slack stores those. `channel`: another channel the
   * person is in.
   */
  addEphemeral(message: ui.Message, channel?: string): Promise<boolean> {
    return this.#next(async () => {
      if (await this.#respond(message, false)) return true;
      const place = this.#origin.channel ?? channel;
      if (!place || place.startsWith('D')) return false;
      const whispered = this.#slack.web.whisper(place, this.#origin.userId, message).then(() => true);
      return whispered.catch(() => false);
    });
  }

  #send(message: ui.Message, replaces: boolean): Promise<boolean> {
    return this.#next(async () => (await this.#respond(message, replaces)) || (await this.#sendOtherwise(message)));
  }

  /** Sends one message at a time, in order. */
  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work, work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #respond({ text, blocks }: ui.Message, replace: boolean): Promise<boolean> {
    const { responseUrl } = this.#origin;
    if (!responseUrl || this.#left <= 0) return false;
    this.#left -= 1;
    const { web, log } = this.#slack;
    try {
      await web.respond(responseUrl, { response_type: 'ephemeral', replace_original: replace, text, blocks });
      return true;
    } catch (error) {
      log('warn', { error: String(error) }, 'a response_url did not accept an answer');
      // Slack refused it, so the address has expired or is used up.
      if (isFinal(error)) this.#left = 0;
      return false;
    }
  }

  async #sendOtherwise(message: ui.Message): Promise<boolean> {
    const { channel, userId, threadTs } = this.#origin;
    const { web, log } = this.#slack;
    try {
      // Only the person reads a direct message, and an ephemeral message would disappear with the next reload.
      if (channel?.startsWith('D')) {
        const at = await web.post(channel, message, defined({ threadTs }));
        this.#options.posted?.(at);
      } else if (channel) await web.whisper(channel, userId, message, threadTs);
      if (channel) return true;
    } catch (error) {
      log('info', { error: String(error) }, 'Slack refused an ephemeral message; sending a direct message');
    }
    const failed = logged({ log }, 'error', 'failed to answer a person in Slack', { user: userId });
    return (await web.direct(userId, message).catch(failed)) !== undefined;
  }
}

type Pending = Extract<Performed, { kind: 'pending' }>;

/**
 * Answers a call that waits. An own change is asked of its requester here. Any other change has its card, where it was
 * asked or in a direct message, so that nothing is left to say but that it was asked before.
 *
 * @param place.posts posts the question of an own change where others see it too, such as in a thread
 */
export async function answerPending(
  slack: SlackContext,
  { action, confirmation }: Pick<Pending, 'action'> & Partial<Pending>,
  { reply, person, posts }: { reply: Reply; person: string; posts?: (question: ui.Message) => Promise<Posted> },
): Promise<void> {
  const { gate, cards } = slack;
  const isOthers = action.person !== person;
  const isRepeat = confirmation?.isRepeat === true;
  // That of a batch has a card, which is posted in the thread when it was planned, perhaps after the turn.
  if (isOwnQuestion(action) && !(posts && action.operation === BATCH_RUN)) {
    const question = ownQuestion(slack, action, { isOthers, isRepeat, isShared: posts !== undefined });
    if (posts) return cards.posted(action.id, await posts(question), isOthers);
    if (await standsOnce(slack, `${action.id} ${person}`, reply)) return void (await reply.show(question));
    const above = ui.say(...askedBefore(action, isOthers), ' See the message with the question.');
    return void (await reply.show(
      ui.messageOf(question.text, [above, ...ui.buttonRow('asked', wholeButton(action.id))]),
    ));
  }
  const card = await cards.ensure(action.id);
  if (!isOthers && !isRepeat && card) return reply.end();
  const link = await linkTo(slack, card);
  const title = questionTitle(gate.tool(action.operation), action);
  const asked = isOthers || isRepeat ? [...askedBefore(action, isOthers), ' '] : ['Asked. '];
  const unplaced = card ? [] : ["Its card could not be posted here. Approvers find it in the app's Home."];
  const where = link ? [link] : unplaced;
  await reply.show(ui.messageOf(`🔐 ${title}`, [ui.say('🔐 ', ui.bold(title), '\n', ...asked, ...where)]));
}

/**
 * Shows a private question or plan in one message only: the earlier one with it says that there is a newer one. False if
 * Slack does not change that any more, which then goes on asking.
 */
export async function standsOnce({ memory: { asking } }: SlackContext, key: string, reply: Reply): Promise<boolean> {
  const earlier = asking.get(key);
  const newer = ui.notice('ℹ️', 'You asked for this again: see the newer message.');
  if (earlier && !(await earlier.redraw(newer))) return false;
  asking.set(key, reply);
  return true;
}

/**
 * Shows in the messages that only one person sees that a question is decided, and its end. A batch that begins has a card
 * where they are.
 */
export async function showDecided(slack: SlackContext, action: Action): Promise<void> {
  if (action.state === 'pending') return;
  const batch = startedBatch(action);
  for (const [key, reply] of slack.memory.asking) {
    const [id, person] = key.split(' ');
    if (id !== action.id) continue;
    const message = actionMessage(slack, action, person === action.person ? 'requester' : 'everyone');
    if (batch !== undefined) await showBegun(slack, id, batch, reply);
    else if (SETTLED.has(action.state)) await reply.finish(message);
    else await reply.redraw(message);
  }
}

/** Shows where a batch runs that has begun by what only its writer sees: on a card where it was planned. */
export async function showBegun(slack: SlackContext, action: string, batch: string, reply: Asking): Promise<void> {
  if (await slack.cards.ensure(action)) return reply.end();
  const view = await slack.batches.view(batch, READER);
  // This message is not edited again, so it has no figures of a run.
  const begun = ui.notice('✅', `${view.title}: it has begun. Its card follows, and shows how it goes.`);
  await reply.finish(hasEnded(view.state) ? batchMessage(view) : begun);
}

/** An immediate answer, and the work that follows it. */
export interface Acked {
  now?: ui.Message;
  after?: () => Promise<void>;
}

/** A click on a button, or a choice in a menu, and the answer to it. */
export interface Click {
  actionId: string;
  value: string;
  origin: Origin;
  /** The message it is in; undefined in the App Home. */
  messageTs: string | undefined;
  /** The message it is in, unless only one person sees that. Others can answer it in its thread. */
  postedTs?: string;
  /** The text from outside that the message shows. */
  quoted?: string;
  /** The form it is in. */
  view?: SentView;
  reply: Reply;
}

/** Every click has an effect, or an answer that says why it has none. */
export const NO_BUTTON = ui.notice('🤔', 'This button no longer works. Enter the command again.');

export type ClickHandler = (slack: SlackContext, click: Click) => Promise<void>;
/** The handlers of buttons and menus, by action id. */
export type Clicks = Readonly<Record<string, ClickHandler>>;

/** The notes of an action that was asked for in Slack. */
export function askerNotes({ userId, channel, threadTs }: Origin): { slack: CardNote } {
  const from = channel || undefined;
  return { slack: { asker: userId, ...defined({ from, thread: from && threadTs }) } };
}
