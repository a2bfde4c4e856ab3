import { eventOperations } from '../../../../tools/surfaces/events.ts';
import { digestCard } from '../../../cards/digest.ts';
import { LABELS } from '../../../cards/labels.ts';
import { diagnosisCard, foundCard } from '../../../cards/list.ts';
import { questionTitle } from '../../../cards/question.ts';
import { secretLabel } from '../../../cards/secret.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { mayAsk, neededRole } from '../../../catalogue/offered.ts';
import { isGated, type Tool } from '../../../catalogue/operation.ts';
import type { Performed } from '../../../gate/gate.ts';
import { failureWords } from '../../../language/failure.ts';
import { codesMade, errorOutcome, outcomeOf, partlyOutcome } from '../../../language/outcome.ts';
import type { TakenName } from '../../../language/records.ts';
import { lookups } from '../../../language/typed-values.ts';
import { TAKEN } from '../../../ledger/action.ts';
import { type Actor, hasRole, personOf } from '../../../lib/actor.ts';
import { asSwitchboardError, type Failure, severity } from '../../../lib/errors.ts';
import { defined, type Fields, textOf } from '../../../lib/json.ts';
import { isRejected, orderState } from '../../../platform/dialect/orders.ts';
import { levelOf } from '../../../store/key-values.ts';
import { repeatNotice } from '../blocks/card.ts';
import { endedNotice } from '../blocks/ended.ts';
import { withoutSecrets } from '../blocks/form-values.ts';
import { listMessage, searchButtons } from '../blocks/found.ts';
import { changedMessage, resultMessage, type StoredResult } from '../blocks/result.ts';
import {
  actions,
  type Block,
  button,
  escaped,
  type Message,
  onceMessage,
  rich,
  say,
  sentence,
  small,
} from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import { askerNotes, type Origin } from '../types.ts';
import { yesByForm } from './current.ts';
import type { Reply } from './engine.ts';
import { admitted, pendingMessage } from './engine.ts';
import { guidesFor } from './guide.ts';
import { cardOf, lookupField } from './number-card.ts';
import { recordList } from './record-list.ts';
import { listInstead, takenNotes, unclearMessage } from './references.ts';
import { wayOn } from './way-on.ts';

/** One operation that a person in Slack asked for. */
export interface Job {
  tool: Tool;
  input: Fields;
  origin: Origin;
  reply: Reply;
  /** Notes on how ambiguous parts of the typed line were read. */
  notes?: readonly string[];
  /** The person's reason, for approvers. */
  reason?: string;
  /** A sent form with its record's values and caution. Sending it confirms an own change that it showed. */
  form?: { start: Fields | undefined; caution?: string | undefined };
  /** The waiting question that this call edits. */
  replaces?: string;
}

type Done = Extract<Performed, { kind: 'done' }>;

/** Time after which a message says that the work is still in progress. */
const SLOW_MS = 8_000;

/** Performs an operation for a person and answers only them. Undefined if it was refused or failed. */
export async function run(slack: SlackContext, asked: Job): Promise<Performed | undefined> {
  const { tool, origin, reply } = asked;
  let job = asked;
  const member = await admitted(slack, origin, neededRole(tool).ask, reply);
  if (!member) return undefined;
  let taken: readonly TakenName[] = [];
  let performed: Performed;
  try {
    const resolution = await slack.records.resolve(job.tool, job.input, member.actor);
    if (resolution.kind === 'unclear') {
      const list = listInstead(slack, tool, resolution);
      if (list) return run(slack, { ...job, ...list });
      const message = unclearMessage(tool, resolution, false);
      if (resolution.found.hits.length === 0) message.blocks.push(formButton(slack, tool, job.input, origin));
      await reply.show(message);
      return undefined;
    }
    ({ taken } = resolution);
    job = { ...job, input: resolution.input };
    slack.directory.note(taken);
    performed = await perform(slack, job, taken, member.actor);
  } catch (error) {
    const failure = asSwitchboardError(error);
    if (failure.detail)
      slack.log(severity(failure.face), { operation: tool.id, detail: failure.detail }, failure.message);
    await reply.show(
      (await editedTooLate(slack, job, failure.face)) ?? failureMessage(slack, job, failure.face, member.actor),
    );
    return undefined;
  }
  const { notes = [] } = job;
  if (performed.kind === 'pending') {
    const message = await pendingMessage(slack, performed, { origin, person: personOf(member.actor) });
    if (notes.length > 0) message.blocks.push(small(escaped(notes.join(' '))));
    await reply.show(message);
    return performed;
  }
  job = { ...job, notes: [...notes, ...takenNotes(slack, tool, taken)] };
  slack.directory.learn(performed.value);
  slack.directory.learn(withoutSecrets(fieldsOf(tool), job.input));
  await reply.show(await doneMessage(slack, job, performed, member));
  if (performed.once)
    await reply.addEphemeral(onceMessage(performed.once, (name) => secretLabel(name, tool, job.input)));
  return performed;
}

/** Calls the gate, and reports progress while it works. */
async function perform(slack: SlackContext, job: Job, taken: readonly TakenName[], actor: Actor): Promise<Performed> {
  const { tool, input, origin, reply } = job;
  const slow = slack.clock.setTimeout(
    () => reply.progress('The platform is responding slowly. The answer will appear here.'),
    SLOW_MS,
  );
  try {
    return await slack.gate.perform(tool.id, input, actor, {
      onWait: (why, seconds) => reply.progress(waitText(why, seconds)),
      onPart: (sofar) => void showPart(slack, job, sofar, actor),
      ...(isGated(tool) || tool.risk !== 'read'
        ? { notes: { ...askerNotes(origin), ...(taken.length > 0 && { [TAKEN]: taken }) } }
        : {}),
      ...defined({ reason: job.reason, replaces: job.replaces }),
      ...(job.form && yesByForm(actor, job.form.start, job.form.caution)),
    });
  } finally {
    slack.clock.clearTimeout(slow);
  }
}

/** Shows a part of the answer. The whole answer follows, so a failure is only logged. */
async function showPart(slack: SlackContext, job: Job, sofar: Fields, actor: Actor): Promise<void> {
  try {
    const card = await cardOf(slack, job, sofar, { actor });
    if (card) job.reply.progress({ ...card, blocks: [...card.blocks, small('⏳ Loading the rest…')] });
  } catch (error) {
    slack.log(levelOf(error, 'warn'), { error: String(error) }, 'failed to show a part of an answer');
  }
}

function waitText(why: 'rate_limit' | 'retry' | 'person', seconds: number): string {
  if (why === 'rate_limit') return `Waiting for the platform's rate limit, about ${seconds} s.`;
  return why === 'retry' ? `The platform did not answer. Trying again in about ${seconds} s.` : 'Waiting for a person.';
}

/** The card of an answer, as a command shows it. */
export async function doneMessage(
  slack: SlackContext,
  job: Omit<Job, 'reply'>,
  done: Done,
  { actor, zone }: { actor: Actor; zone?: string | undefined },
): Promise<Message> {
  const { tool, origin } = job;
  if (done.already) return alreadyMessage(slack, job, { ...done, already: done.already });
  if (done.isRepeat && done.actionId) {
    const earlier = await slack.gate.actions.get(done.actionId);
    if (earlier) return repeatNotice(earlier, { tool, reworded: slack.reworded });
  }
  const action = done.change && done.actionId ? await slack.gate.actions.get(done.actionId) : undefined;
  const consent = action?.consent;
  const ended = action && outcomeOf(action, tool);
  const { change } = done;
  const told = tool.told?.(job.input, done.value);
  const free = told && { ...(told.isDone ? DONE : ALREADY_SO), title: told.title };
  const did =
    action && ended ? { mark: ended.mark, headline: ended.headline, title: questionTitle(tool, action) } : free;
  const codes = codesMade({ operation: tool.id, shown: job.input, result: done.value });
  const result = slack.memory.putResult(origin.userId, {
    title: tool.title,
    value: done.value,
    changed: tool.risk !== 'read',
    ...(done.partly ? { partly: partlyOutcome(done.partly, done.value) } : {}),
    mismatched: done.mismatched,
    ...defined({ change, remains: consent?.remains, undo: consent?.undo }),
    ...defined({ next: consent?.next ?? correctionOf(tool, done.value, actor) }),
    ...(did && { did }),
    notes: job.notes ?? [],
    names: namesIn(slack, done.value),
    asOf: slack.clock.now(),
    timeZone: slack.gate.timeZone,
    mayReveal: hasRole(actor, 'operator') && (tool.risk === 'read' || codes.length > 0),
    ...(tool.risk === 'read'
      ? { read: { toolId: tool.id, input: job.input } }
      : { asked: withoutSecrets(fieldsOf(tool), job.input) }),
  });
  const line = await cardOf(slack, job, done.value, { actor, handle: result.id ?? '' });
  if (line && result.notes.length > 0) line.blocks.push(small(escaped(result.notes.join(' '))));
  const card =
    line ??
    answerCard(slack, job, result, actor) ??
    (await recordList(slack, tool, result, actor)) ??
    changedMessage(result);
  if (card) result.card = card;
  return card ?? resultMessage(result, zone === undefined ? {} : { zone });
}

/** The change that corrects an order that was read and that the carrier refused, for who may ask for it. */
function correctionOf(tool: Tool, value: Fields, actor: Actor): StoredResult['next'] {
  const { readOrder, correctOrder } = eventOperations;
  const isOpen =
    tool.id === readOrder.operation && isRejected(orderState(value)) && /port-?in/i.test(textOf(value.OrderType));
  if (!isOpen || !hasRole(actor, 'operator')) return undefined;
  const input = { [correctOrder.field]: value[correctOrder.field] };
  return { operation: correctOrder.operation, input, label: LABELS.orderFix };
}

/** The names of the records whose ids an answer has, as far as this process has read them. */
function namesIn({ directory }: SlackContext, value: Fields): Readonly<Record<string, string>> {
  const named = Object.values(value).flatMap((id): [string, string][] => {
    const name = typeof id === 'string' ? directory.nameOf(id) : undefined;
    return name === undefined || name === id ? [] : [[String(id), name]];
  });
  return Object.fromEntries(named);
}

const DONE = { mark: '✅', headline: 'Done' };
const ALREADY_SO = { mark: 'ℹ️', headline: 'Already so, nothing was sent' };

/** The answer to a change whose values the record has already: they are shown by their names, and nothing is called done. */
function alreadyMessage(
  { gate }: SlackContext,
  { tool, notes = [] }: Pick<Job, 'tool' | 'notes'>,
  { value: { Warning: _, ...values }, already, mismatched }: Done & Required<Pick<Done, 'already'>>,
): Message {
  const nameOf = (text: string) => (text.startsWith('+') ? undefined : already.names[text]?.name);
  const named = Object.entries(values).map(([name, value]) => [
    name,
    (typeof value === 'string' ? nameOf(value) : undefined) ?? value,
  ]);
  const did = { ...ALREADY_SO, title: tool.title };
  const result = { title: tool.title, value: Object.fromEntries(named), changed: true, did, mismatched, notes };
  return resultMessage({ ...result, timeZone: gate.timeZone });
}

/**
 * Reads an answer again for others, without buttons: the card of a lookup, a search or a diagnosis, otherwise the whole
 * answer. Rejects if it cannot be read.
 */
export async function readAgain(slack: SlackContext, result: StoredResult, actor: Actor): Promise<StoredResult> {
  const tool = slack.tools.find(({ id }) => id === result.read?.toolId);
  if (!tool || !result.read) return result;
  const performed = await slack.gate.perform(tool.id, result.read.input, actor);
  if (performed.kind !== 'done') return result;
  const { id: _, card: _card, ...kept } = result;
  const now: StoredResult = {
    ...kept,
    value: performed.value,
    mismatched: performed.mismatched,
    asOf: slack.clock.now(),
  };
  const job = { tool, input: result.read.input };
  // An empty handle: the whole card, and no buttons that would need a stored answer.
  const card =
    (await cardOf(slack, job, performed.value, { actor, handle: '' })) ??
    answerCard(slack, job, now, actor) ??
    (await recordList(slack, tool, now, actor));
  return card ? { ...now, card } : now;
}

/** The card of a search, a diagnosis or a period; undefined for other operations. */
function answerCard(
  slack: SlackContext,
  { tool, input }: Pick<Job, 'tool' | 'input'>,
  result: StoredResult,
  actor: Actor,
): Message | undefined {
  const find = lookups(slack.tools, slack.groups).find((lookup) => lookup.find?.tool.id === tool.id)?.find;
  const { value, id: handle, asOf, notes, title } = result;
  const { reworded } = slack;
  // Totals are shown like any other result.
  if (find && Array.isArray(value.Numbers))
    return listMessage(foundCard(value, String(input[find.field] ?? ''), notes), {
      reworded,
      beside: searchButtons(result),
    });
  const card =
    diagnosisCard(value, (id) => slack.tools.find((tool) => tool.id === id && mayAsk(actor.role, tool)), handle) ??
    digestCard(value, title, { asOf, handle });
  return card && listMessage(card, { reworded, notes });
}

/** Explains why it failed, with a button that opens a form with the same input. */
function failureMessage(
  slack: SlackContext,
  job: Pick<Job, 'tool' | 'input' | 'origin'>,
  face: Failure,
  actor: Actor,
): Message {
  const { tool, input, origin } = job;
  const { text, blocks } = failureNotice(slack, tool, face);
  const problem = slack.reworded(failureWords(face, 'slack'));
  const next = wayOn(slack, job, face, actor.role);
  if (next) blocks.push(next);
  if (face.outcome !== 'unknown') blocks.push(formButton(slack, tool, input, { ...origin, problem }));
  const lookup = lookupField(slack, tool);
  // An unknown number may be one that should be ported in.
  const guides =
    lookup !== undefined && face.code === 'not_found'
      ? guidesFor(slack.tools).filter(({ takesOthers }) => takesOthers)
      : [];
  if (guides.length > 0) {
    const phone = String(input[lookup ?? ''] ?? '');
    blocks.push(
      actions('guides', ...guides.map(({ name, title }, i) => button(`${IDS.guide}_${i}`, title, `${name}|${phone}`))),
    );
  }
  return { text, blocks };
}

/** Says why a change cannot be asked for, and how to go on. Undefined if it can, or if that is not known in time. */
export async function obstacleTo(
  slack: SlackContext,
  job: Pick<Job, 'tool' | 'input' | 'origin'>,
  actor: Actor,
): Promise<Message | undefined> {
  const { tool, input } = job;
  const looking = slack.gate.check(tool.id, input, actor).then(
    () => undefined,
    (error: unknown) => asSwitchboardError(error).face,
  );
  const face = await slack.web.inTime(looking);
  return face?.code === 'invalid_input' ? failureMessage(slack, job, face, actor) : undefined;
}

/** Answers an edit whose question ended meanwhile, with a form that asks again; undefined for any other failure. */
async function editedTooLate(slack: SlackContext, job: Job, face: Failure): Promise<Message | undefined> {
  if (job.replaces === undefined || face.code !== 'not_confirmed') return undefined;
  const action = await slack.gate.actions.get(job.replaces);
  if (action === undefined || action.state === 'pending') return undefined;
  const { text, blocks } = endedNotice(action, job.tool, slack.reworded, 'Your edit was not sent.');
  return { text, blocks: [...blocks, formButton(slack, job.tool, job.input, job.origin)] };
}

/** Explains why an operation failed, without buttons. */
export function failureNotice(slack: SlackContext, tool: Tool, face: Failure): Message {
  const unknown = face.outcome === 'unknown';
  const { mark, headline } = errorOutcome(face);
  const state =
    tool.risk === 'read' ? '' : unknown || face.code === 'refused' ? `: ${headline.toLowerCase()}` : ': not done';
  const words = forPeople(slack.reworded(failureWords(face, 'slack')), tool);
  const blocks = [say(`${mark} `, rich.bold(`${tool.title}${state}`), '\n', ...sentence(words))];
  const facts = [
    ...(face.code === 'invalid_input' ? [] : [face.code.replaceAll('_', ' ')]),
    ...(face.status === undefined ? [] : [`platform status ${face.status}`]),
    ...(face.retryAfterSeconds === undefined ? [] : [`try again in ${face.retryAfterSeconds} s`]),
    ...(face.transactionLogId === undefined ? [] : [`log id \`${escaped(face.transactionLogId)}\``]),
  ];
  if (facts.length > 0) blocks.push(small(facts.join(' · ')));
  return {
    text: `${mark} ${escaped(`${tool.title}${state}: ${words}`)}`,
    blocks,
  };
}

/**
 * A button that opens a form with this input. The button carries a handle, not the values.
 *
 * @param origin.problem the reason why it was not done, which the form shows
 */
export function formButton(
  slack: SlackContext,
  tool: Tool,
  input: Fields,
  origin: Origin & { problem?: string },
): Block {
  const draft = slack.memory.drafts.put(origin.userId, {
    toolId: tool.id,
    input: withoutSecrets(fieldsOf(tool), input),
    channel: origin.channel,
    ...defined({ problem: origin.problem }),
  });
  return actions(`form:${draft}`, button(IDS.form, 'Open the form', `${draft}|${tool.id}`));
}

/** A failure as people read it: the labels of the fields that its sentences begin with, and no ids of other requests. */
function forPeople(text: string, tool: Tool): string {
  const labels = new Map(fieldsOf(tool).map(({ name, label }) => [name, label]));
  return text
    .replace(/(^|[.!?] )([A-Z][A-Za-z0-9]*): /g, (all, lead: string, name: string) => {
      const label = labels.get(name);
      return label === undefined ? all : `${lead}${label}: `;
    })
    .replace(/ \(act_[\w-]+\)/g, '');
}
