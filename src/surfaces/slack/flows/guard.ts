import { CALL_FILTER, MESSAGE_FILTER } from '../../../../tools/shared/filters.ts';
import { besideWarning } from '../../../../tools/shared/new-filter.ts';
import {
  callsFor,
  GUARD,
  GUARD_READS,
  type GuardCall,
  type Guarded,
  notTaken,
  protectionOf,
  savedFilter,
  TRAFFIC,
  type Traffic,
  withFilter,
} from '../../../../tools/surfaces/guard.ts';
import { fieldProblems } from '../../../catalogue/input.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { factsOf } from '../../../gate/question.ts';
import { type Actor, personOf } from '../../../lib/actor.ts';
import { defined, type Fields, isRecord, textOf } from '../../../lib/json.ts';
import { isPossiblePhone, toE164 } from '../../../platform/dialect/phone.ts';
import { enteredIn, pathOf } from '../blocks/form-values.ts';
import {
  filterChosenIn,
  forceBlocks,
  type GuardSession,
  guardView,
  protectionInputs,
  readWanted,
  summaryBlocks,
  type Wanted,
  type Ward,
  wardLine,
  whoBlocks,
} from '../blocks/guard.ts';
import { type Block, divider, type Element, noticeView, OUT_OF_DATE, rich, say, small } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { StateOf, ViewOf } from '../flow-state.ts';
import { IDS } from '../ids.ts';
import { askerNotes, isOwnQuestion, type Origin } from '../types.ts';
import { yesByForm } from './current.ts';
import {
  errorsIn,
  type Flow,
  failureOf,
  notAllowed,
  openFor,
  pendingMessage,
  Reply,
  showView,
  updated,
} from './engine.ts';
import { numbersNamed } from './references.ts';

type GuardState = StateOf<'guard'>;

/** The subscriber could not be determined. `numbers`: the numbers to choose from if there are several. */
class UnclearSubscriber extends Error {
  readonly numbers: readonly string[];

  constructor(message: string, numbers: readonly string[] = []) {
    super(message);
    this.numbers = numbers;
  }
}

/** The rest of a line that starts this form; undefined for other lines. */
export function guardIn(group: string, text: string): string | undefined {
  const match = new RegExp(`^${GUARD.words}(?:\\s+|$)`, 'i').exec(text.trim());
  return group === GUARD.group && match ? text.trim().slice(match[0].length).trim() : undefined;
}

/** True if every operation of the form is available. */
export function hasGuard(tools: readonly Tool[]): boolean {
  const ids = new Set(tools.map(({ id }) => id));
  const changes = TRAFFIC.flatMap(({ list, create, update }) => [list, create, update]);
  return [...Object.values(GUARD_READS), ...changes].every((id) => ids.has(id));
}

/** Opens the form, at its second step if `given` names a number or a subscriber. */
export async function startGuard(slack: SlackContext, given: string, origin: Origin): Promise<void> {
  const state: GuardState = { flow: 'guard', step: 'who', channel: origin.channel || undefined };
  const first = given === '' ? guardView(state, whoBlocks(), 'Continue') : waitView(state, 'Reading what is set…');
  const viewId = await openFor(slack, origin, neededFor(slack), () => first, { flow: 'guard' });
  if (viewId !== undefined && given !== '') await showProtection(slack, { viewId, state, origin }, given);
}

export const guardFlow: Flow<'guard'> = {
  async submit(slack, view, origin) {
    const { state } = view;
    const at: Step = { viewId: view.id, state, origin: { ...origin, ...defined({ channel: state.channel }) } };
    if (state.step === 'who') {
      const given = String(enteredIn(view.values.who) ?? '');
      return { ...updated(waitView(state, 'Reading what is set…')), after: () => showProtection(slack, at, given) };
    }
    const session = guardSession(slack, view, origin);
    if (!session) return updated(OUT_OF_DATE);
    if (state.step === 'form') {
      const { wanted, errors } = readWanted(partsOf(view), session.guarded);
      const calls = callsFor(session.ward, session.guarded, wanted);
      const problems = { ...problemsOf(slack, calls), ...errors };
      if (Object.keys(problems).length > 0) return errorsIn(view, problems);
      session.wanted = wanted;
      const titles = calls.map(({ title }) => title);
      const blocks = summaryBlocks(session, wanted, titles);
      return updated(guardView({ ...state, step: 'save' }, blocks, calls.length === 0 ? undefined : 'Save'));
    }
    if (state.step !== 'save' || !session.wanted) return updated(OUT_OF_DATE);
    const refused = await slack.roles.timelyRefusal(origin, neededFor(slack));
    if (refused) return notAllowed('Not saved', refused);
    return { ...updated(waitView(state, 'Saving…')), after: () => save(slack, at, session) };
  },

  /** "Back", and the choice of another filter, whose settings the form then shows beside the other entered values. */
  async press(slack, view, { actionId, blockId, value, origin }) {
    const session = guardSession(slack, view, origin);
    const traffic = filterChosenIn(blockId);
    if (actionId !== IDS.guardBack && !traffic) return;
    if (session && traffic) {
      const { wanted } = readWanted(partsOf(view), session.guarded);
      session.guarded = withFilter(session.guarded, traffic, value);
      session.wanted = { ...wanted, [traffic.name]: protectionOf(traffic, session.guarded.filters[traffic.name]) };
      session.choices = (session.choices ?? 0) + 1;
    }
    await showView(slack, view.id, session ? protectionView({ ...view.state, step: 'form' }, session) : OUT_OF_DATE);
  },
};

function guardSession(slack: SlackContext, { state }: ViewOf<'guard'>, { userId }: Origin): GuardSession | undefined {
  return slack.memory.guards.get(userId, state.session ?? '');
}

/** The entered values by part of the form, without the mark that a choice adds to the part's name. */
function partsOf({ values }: ViewOf<'guard'>): Fields {
  return Object.fromEntries(Object.entries(values).map(([block, value]) => [pathOf(block), value]));
}

interface Step {
  viewId: string;
  state: GuardState;
  origin: Origin;
}

/** Reads the current protection and shows the form, or asks again for the subscriber. */
async function showProtection(slack: SlackContext, { viewId, state, origin }: Step, given: string): Promise<void> {
  const show = async (view: Element) => void (await showView(slack, viewId, view));
  const member = await slack.roles.admit(origin, neededFor(slack));
  if ('refused' in member) return show(noticeView('Not allowed', say(...member.refused)));
  try {
    const ward = await wardOf(slack, given, member.actor);
    const session: GuardSession = { ward, guarded: await inForce(slack, ward, member.actor) };
    await show(
      protectionView({ ...state, step: 'form', session: slack.memory.guards.put(origin.userId, session) }, session),
    );
  } catch (error) {
    const [message, numbers] =
      error instanceof UnclearSubscriber ? [error.message, error.numbers] : [failureOf(slack, error).words, []];
    const blocks = whoBlocks(message, numbers, (value) => slack.directory.nameOf(value));
    await show(guardView({ ...state, step: 'who' }, blocks, 'Continue'));
  }
}

function protectionView(state: GuardState, session: GuardSession): Element {
  const { ward, guarded, wanted } = session;
  const now = Object.fromEntries(
    TRAFFIC.map((traffic) => [traffic.name, protectionOf(traffic, guarded.filters[traffic.name])]),
  ) as Wanted;
  const above = [wardLine(ward), say(rich.bold('In force now')), ...forceBlocks(guarded)];
  return guardView(state, [...above, ...protectionInputs(session, wanted ?? now)], 'Continue');
}

/** Finds the subscriber of a number, or a subscriber with one number. */
async function wardOf(slack: SlackContext, given: string, actor: Actor): Promise<Ward> {
  const read = reader(slack, actor);
  const named = await namedWard(slack, given, actor);
  const isSubscriber = /^[A-Z]{2,7}-/i.test(named);
  const phone = toE164(named);
  if (!isSubscriber && !isPossiblePhone(phone))
    throw new UnclearSubscriber(`${given} is neither a phone number nor the id of a subscriber.`);
  const record = isSubscriber ? {} : firstRecord(await read(GUARD_READS.number, { PhoneNumber: phone }));
  const SubscriberId = isSubscriber ? named : textOf(record.AssignedSubscriberId);
  if (SubscriberId === '') throw new UnclearSubscriber(`${phone} has no subscriber, so it cannot have filters.`);
  const subscriber = firstRecord(await read(GUARD_READS.subscriber, { SubscriberId }));
  slack.directory.learn(subscriber);
  const name = textOf(subscriber.Name) || SubscriberId;
  if (!isSubscriber) return { SubscriberId, Phone: phone, name };
  const numbers = (Array.isArray(subscriber.PhoneNumbers) ? subscriber.PhoneNumbers : []).map((one) =>
    isRecord(one) ? textOf(one.Number) || textOf(one.PhoneNumber) : String(one),
  );
  const [Phone, ...more] = numbers;
  if (Phone === undefined) throw new UnclearSubscriber(`${name} has no number, so there is nothing to filter.`);
  if (more.length > 0) throw new UnclearSubscriber(`${name} has several numbers. Choose one.`, numbers);
  return { SubscriberId, Phone, name };
}

/** The number or subscriber's id in a text. Last digits and names are searched. */
async function namedWard(slack: SlackContext, given: string, actor: Actor): Promise<string> {
  const found = await numbersNamed(slack, given, actor);
  if (!found) return given.trim();
  const [hit, ...others] = found.hits;
  if (hit === undefined)
    throw new UnclearSubscriber(`No number matches “${given}”. Check the spelling, or give the whole number.`);
  if (others.length === 0 && found.isWhole) return hit.value;
  const numbers = found.hits.map(({ value }) => value);
  throw new UnclearSubscriber(`Several numbers match “${given}”. Choose one.`, numbers);
}

/** Reads operations for a person. A read never waits for a confirmation. */
function reader(slack: SlackContext, actor: Actor): (id: string, input: Fields) => Promise<Fields> {
  return async (id, input) => {
    const done = await slack.gate.perform(id, input, actor);
    return done.kind === 'done' ? done.value : {};
  };
}

function inForce(slack: SlackContext, ward: Ward, actor: Actor): Promise<Guarded> {
  return guardedOf(reader(slack, actor), ward);
}

/** Runs the operations in order, reads the protection back and shows it. */
async function save(slack: SlackContext, step: Step, session: GuardSession): Promise<void> {
  const { viewId, state, origin } = step;
  const { ward, guarded, wanted } = session;
  const member = await slack.roles.admit(origin, neededFor(slack));
  if ('refused' in member || !wanted)
    return void (await showView(slack, viewId, noticeView('Not saved', say('⛔ Nothing was saved.'))));
  const ended: Ended[] = [];
  for (const call of callsFor(ward, guarded, wanted)) {
    const [first] = ended;
    // Without guardian filtering, a filter has no effect.
    const blocked = first !== undefined && first.call.traffic === undefined && first.state !== 'done';
    ended.push(
      blocked
        ? { call, state: 'skipped', text: 'not tried, because guardian filtering was not turned on' }
        : await performCall(slack, call, { actor: member.actor, origin, guarded }),
    );
  }
  const blocks = [
    wardLine(ward),
    ...ended.map(({ call, state, text }) => say(`${MARKS[state]} `, rich.bold(call.title), `: ${text}`)),
    divider,
    ...(await readBack(slack, session, ended, member.actor)),
  ];
  const end = guardView({ ...state, step: 'end' }, blocks);
  // If the form was closed, send the outcome as a reply.
  if ((await showView(slack, viewId, end)) !== 'shown')
    await new Reply(slack, origin).add({ text: `${GUARD.title}: ${ward.Phone}`, blocks });
}

/** Reads the protection in force, and lists saved parts that the platform did not take. */
async function readBack(
  slack: SlackContext,
  { ward, guarded, wanted }: GuardSession,
  ended: readonly Ended[],
  actor: Actor,
): Promise<Block[]> {
  let now: Guarded;
  try {
    now = await inForce(slack, ward, actor);
  } catch (error) {
    return [say('⚠️ What is in force now could not be read back: ', failureOf(slack, error).words)];
  }
  const missing = ended.flatMap(({ call: { traffic }, state }) => {
    if (state !== 'done' || !traffic || !wanted) return [];
    const parts = notTaken(traffic, wanted[traffic.name], savedFilter(guarded, now, traffic));
    return parts.length === 0 ? [] : [say(`⚠️ The platform did not take, for ${traffic.name}: ${parts.join(', ')}.`)];
  });
  return [say(rich.bold('In force now')), ...forceBlocks(now), ...missing, small('Read back from the platform.')];
}

/** Problems that the operations' definitions find in the input, by the input of the form they are about. */
function problemsOf(slack: SlackContext, calls: readonly GuardCall[]): Record<string, string> {
  const problems = calls.flatMap(({ operation, input, traffic }) => {
    const tool = slack.tools.find(({ id }) => id === operation);
    if (!tool || !traffic) return [];
    return fieldProblems(tool, input, new Date(slack.clock.now())).map(({ field, message }) => {
      const part = field.startsWith(traffic.allowed)
        ? 'allowed'
        : field.startsWith(traffic.blocked)
          ? 'blocked'
          : field === 'KeywordFilter'
            ? 'keywords'
            : 'level';
      return [`${traffic.name}.${part}`, `${field}: ${message}`.slice(0, 300)] as const;
    });
  });
  return Object.fromEntries(problems);
}

/** The role that is needed to change a filter. */
function neededFor(slack: SlackContext) {
  const [traffic] = TRAFFIC;
  const tool = slack.tools.find(({ id }) => id === traffic?.create);
  return tool ? neededRole(tool).ask : 'operator';
}

function waitView(state: GuardState, text: string): Element {
  return guardView({ ...state, step: 'end' }, [say(`⏳ ${text}`)]);
}

/** The end of one call. */
type Ended = { call: GuardCall; state: 'done' | 'asked' | 'failed' | 'unknown' | 'skipped'; text: string };

const MARKS: Readonly<Record<Ended['state'], string>> = {
  done: '✅',
  asked: '🔐',
  failed: '❌',
  unknown: '❓',
  skipped: '⏭️',
};

/** The warning of a new filter that the form has shown: which filters stay beside it. */
function shownBeside({ operation, input, traffic }: GuardCall, { all }: Guarded): string | undefined {
  if (!traffic || operation !== traffic.create) return undefined;
  const kind = [CALL_FILTER, MESSAGE_FILTER].find((one) => one.traffic === traffic.name);
  return kind && besideWarning(kind, input.Phone, all[traffic.name]);
}

/** Saves one part. The sent form is the yes to what adds protection; anything else waits for an approver. */
async function performCall(
  slack: SlackContext,
  call: GuardCall,
  { actor, origin, guarded }: { actor: Actor; origin: Origin; guarded: Guarded },
): Promise<Ended> {
  try {
    const start = call.traffic ? guarded.filters[call.traffic.name] : guarded.features;
    const asked = { notes: askerNotes(origin), ...yesByForm(actor, start, shownBeside(call, guarded)) };
    const done = await slack.gate.perform(call.operation, call.input, actor, asked);
    if (done.kind === 'pending' && isOwnQuestion(done.action)) {
      await new Reply(slack, origin).add(await pendingMessage(slack, done, { origin, person: personOf(actor) }));
      return { call, state: 'asked', text: 'not saved yet. A message shows you all of it, with a button to apply it' };
    }
    if (done.kind === 'pending') {
      const posted = await slack.cards.ensure(done.action.id);
      const where = posted ? 'on its card' : 'in the app’s Home';
      const why = factsOf(done.action).raised?.reason ?? '';
      return { call, state: 'asked', text: `not saved yet. An approver decides ${where}. ${why}`.trimEnd() };
    }
    slack.directory.learn(done.value);
    return { call, state: 'done', text: 'saved' };
  } catch (error) {
    const { face, words } = failureOf(slack, error);
    const unknown = face.outcome === 'unknown';
    return { call, state: unknown ? 'unknown' : 'failed', text: unknown ? words : `not saved. ${words}` };
  }
}

/** Performs a read. */
type Read = (operation: string, input: Fields) => Promise<Fields>;

/** Reads the filters in force for a number. */
async function guardedOf(
  read: Read,
  { SubscriberId, Phone }: { SubscriberId: string; Phone: string },
): Promise<Guarded> {
  const [features, ...lists] = await Promise.all([
    read(GUARD_READS.features, { SubscriberId }),
    ...TRAFFIC.map(({ list }) => read(list, { Phone, SubscriberId })),
  ]);
  const all: Record<Traffic['name'], readonly Fields[]> = { messages: [], calls: [] };
  for (const [i, { name }] of TRAFFIC.entries()) {
    const rows = lists[i]?.Results;
    all[name] = (Array.isArray(rows) ? rows : []).filter(isRecord);
  }
  const { messages, calls } = all;
  return { features, all, filters: defined({ messages: messages[0], calls: calls[0] }) };
}

/** The record itself, or the first of a list. */
function firstRecord(value: Fields): Fields {
  const [first] = Array.isArray(value.Results) ? value.Results : [value];
  return isRecord(first) ? first : {};
}
