import { TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import { type Guide, LINE } from '../../../../tools/surfaces/guides/guide.ts';
import type { GuidedAnswer } from '../../../assistant/guided/answers/answer.ts';
import { ofWriter } from '../../../assistant/guided/answers/numbers.ts';
import type { TurnForm } from '../../../assistant/turn-events.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { isGated, type Tool } from '../../../catalogue/operation.ts';
import { keysOf } from '../../../gate/change.ts';
import type { Hits } from '../../../language/records.ts';
import type { Shown } from '../../../language/shown.ts';
import type { Reference } from '../../../language/typed-values.ts';
import { lookups } from '../../../language/typed-values.ts';
import type { Actor } from '../../../lib/actor.ts';
import { defined, type Fields, textOf } from '../../../lib/json.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { numbersFound } from '../blocks/found.ts';
import { choicesMessage, guideChoices, nothingFound } from '../blocks/steps.ts';
import {
  actions,
  type Block,
  button,
  cut,
  escaped,
  MAX_BUTTON_VALUE,
  type Message,
  rich,
  say,
  small,
} from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import type { Origin, Posted } from '../types.ts';
import { Reply } from './engine.ts';
import { filterNamed, isOff, noFilterNamed, onFilter } from './filters.ts';
import { guidesFor, namesField, recordsNamed } from './guide.ts';
import { eachOffered } from './guided-each.ts';
import { abilities, aboutBlock, aboutMessage, holdersBlocks, nearestButtons } from './guided-help.ts';
import { withShownUnit } from './guided-limit.ts';
import { withListed } from './guided-listed.ts';
import { knownLines, offer } from './guided-offer.ts';
import {
  apartOf,
  conflictOf,
  leftOut,
  nothingToDo,
  ofLines,
  otherHolder,
  otherOf,
  problemOf,
  shortName,
  shortProblem,
} from './guided-problem.ts';
import { alreadySo } from './guided-same.ts';
import { inOneCall, showSet } from './guided-set.ts';
import {
  furtherOf,
  ofAccountNamed,
  stillToAdd,
  unreadGuess,
  withoutAccountSearch,
  withoutSum,
  withSum,
  withTypeOfLine,
} from './guided-values.ts';
import { fitting, numbersNamed, resolvedApart, resolvedInTime, unclearMessage } from './references.ts';
import { formButton, run } from './run.ts';
import { shownIn } from './shown.ts';
import { waitsOn } from './taken-back.ts';

/** The message that an answer is for. */
interface Asked {
  text: string;
  origin: Origin;
  actor: Actor;
  /** True if the requests that wait are shown above the answer. */
  showsWaiting?: true;
  /** True if a message says that the answer is looked up, whose place the answer takes. */
  replaces?: boolean;
  /** Gets the records that the first answer shows. */
  shows?: (shown: Shown) => void;
  /** Gets each answer, and its message. `isFurther`: another answer to the same text is before it. */
  posted?: (of: GuidedAnswer, sent: { message: Message; at: Posted | undefined; isFurther: boolean }) => void;
}

/** Shows the answers of the catalogue. Only reads are performed; a change has a button that opens its form or asks. */
export async function showGuided(slack: SlackContext, guided: GuidedAnswer, asked: Asked): Promise<void> {
  const { replaces, ...shared } = asked;
  const offered = new Set<string>();
  const further = await furtherOf(slack, guided, asked.actor);
  for (const [index, one] of [guided, ...(guided.also ?? []), ...further].entries()) {
    const isFurther = index > 0;
    const posted = (message: Message, at?: Posted) => asked.posted?.(one, { message, at, isFurther });
    const { shows, ...rest } = shared;
    await showOne(slack, one, {
      ...(isFurther ? rest : shared),
      ...(replaces && !isFurther && { replaces }),
      offered,
      posted,
    });
  }
}

/** One of the answers to a text. */
type One = Omit<Asked, 'posted'> & {
  posted: (message: Message, at?: Posted) => void;
  /** The changes that the answers before it offer. */
  offered: Set<string>;
};

async function showOne(
  slack: SlackContext,
  guided: GuidedAnswer,
  { text, origin, actor, offered: before, shows, ...options }: One,
): Promise<void> {
  const guide = guidesFor(slack.tools).find(({ name }) => name === guided.guide);
  const { answer: read, found } = guide
    ? { answer: guided }
    : await withNumber(slack, await ofAccountNamed(slack, ofWriter(guided, actor), actor), actor);
  const set = read.each?.set && (await inOneCall(slack, read, actor));
  const answer = await withListed(slack, await withShownUnit(slack, set?.answer ?? read, actor), actor);
  const tool = slack.tools.find(({ id }) => id === answer.operation);
  // A change has its title above, and its form asks for what is missing.
  const isTitle = answer.kind === 'form' || answer.kind === 'question';
  const remarks = withoutSum(answer)?.replace(/^[;.] ([\p{L}\d“])/u, (_, first: string) => first.toUpperCase());
  const understood = guide || isTitle ? (remarks === undefined ? '' : `${remarks}.`) : answer.understood;
  const [lookup] = lookups(slack.tools, slack.groups);
  const nearest =
    answer.nearest === undefined
      ? nearestButtons(slack, recordBeside(guided, answer, lookup), '')
      : nearestButtons(slack, answer.nearest);
  // The lead says what was not done, above the record that is shown in its place.
  const { lead = '' } = answer;
  const how = understood.startsWith(lead) ? understood.slice(lead.length).trim() : understood;
  const unread = await unreadGuess(slack, answer, actor);
  const holders = holdersBlocks(slack, answer);
  const below =
    answer.kind === 'help' || unread
      ? holders
      : [
          ...holders,
          ...(answer.about ? [aboutBlock(answer.about)] : []),
          ...(how === '' ? [] : [small(escaped(isTitle ? how : `Understood: ${how}`))]),
          ...nearest,
        ];
  const reply = new Reply(slack, origin, { below, ...options });
  const numbers = phonesIn(text);
  if (answer.kind === 'help' && answer.about) return void (await reply.show(aboutMessage(answer.about, nearest)));
  if (answer.kind === 'help' || !tool) return void (await reply.show(abilities(slack, tool, answer, nearest)));
  if (answer.kind === 'lookup' && tool.id === lookup?.tool.id && numbers.length > 1)
    return void (await reply.show(numbersFound(numbers)));
  if (answer.each?.set) {
    const { field, set } = answer.each;
    return showSet(slack, { tool, answer, set, field }, { actor, origin, reply });
  }
  if (unread) return void (await reply.show(abilities(slack, undefined, unread, nearest)));
  if (answer.each) return void (await reply.show(await eachOffered(slack, { tool, answer, each: answer.each }, actor)));
  const choice = found && whichNumber(slack, tool, answer, found);
  if (choice) {
    const kept = answer.kind === 'lookup' || answer.kind === 'events' ? [] : knownLines(tool, answer.input, undefined);
    const blocks = kept.length === 0 ? [] : [say(rich.bold('Kept: '), ...kept)];
    const notes = stillToAdd(answer).map((note) => small(escaped(note)));
    return void (await reply.show({ ...choice, blocks: [...choice.blocks, ...blocks, ...notes] }));
  }
  // The filter of a line or a customer is found with the record of its customer.
  const { text: onWhich, input: unresolved } = filterNamed(tool, answer.input);
  const resolution = await resolvedInTime(slack, { tool, input: unresolved, actor });
  if (resolution?.kind === 'unclear') {
    const { unclear, left } = await resolvedApart(slack, tool, resolution, actor);
    const none =
      unclear.found.hits.length === 0
        ? await noFilterNamed(slack, tool, unclear.reference.text, actor).catch(() => undefined)
        : undefined;
    if (none) return void (await reply.show(none));
    const message = unclearMessage(tool, unclear, answer.kind !== 'lookup');
    const notes = [...left, ...stillToAdd(answer)].map((note) => small(escaped(note)));
    const rest = Object.entries(unresolved).filter(([, value]) => value !== unclear.reference.text);
    const lines =
      answer.kind === 'form' && rest.length > 0 ? knownLines(tool, Object.fromEntries(rest), undefined) : [];
    const kept = lines.length === 0 ? [] : [say(...lines)];
    return void (await reply.show({ ...message, blocks: [...message.blocks, ...kept, ...notes] }));
  }
  const about = keysOf(tool)
    .map((name) => JSON.stringify(resolution?.input[name] ?? ''))
    .join(' ');
  const isAbout = ({ value }: { value: string }) => about.includes(JSON.stringify(value));
  const named = resolution?.taken
    .filter((one) => isAbout(one) || !resolution.taken.some(isAbout))
    .map(({ label }) => label)
    .join(', ');
  const labels = new Map(resolution?.taken.map(({ value, label }) => [value, label]));
  slack.directory.note(resolution?.taken ?? []);
  const customer = answer.find ? undefined : (found?.hits[0]?.label ?? (named || undefined));
  const sum = await withSum(slack, { tool, answer, input: resolution?.input ?? answer.input }, actor);
  const typed = await withTypeOfLine(slack, { tool, input: sum.input, labels }, actor);
  const resolved = { ...withoutAccountSearch(answer, resolution?.taken ?? []), input: typed };
  if (answer.kind === 'lookup' || answer.kind === 'events') {
    // A search that finds one number goes on to its lookup.
    const { asks, isInstead, isOutside, isRefused = isOutside, facts } = answer;
    const filtered = asks && TRAFFIC.find(({ list }) => list === tool.id);
    const off = filtered && (await isOff(slack, filtered, textOf(resolved.input.SubscriberId), actor));
    const question = asks && { numbers: asks, ...defined({ of: shortName(customer) }), ...(off && { isOff: true }) };
    const goOn = tool.id === lookup?.find?.tool.id && answer.isList !== true;
    await run(slack, {
      tool,
      input: resolved.input,
      origin,
      reply,
      goOn,
      ...(shows && {
        shows: async (of) => {
          const shown = await shownIn(slack, of, actor);
          if (shown) shows(shown);
        },
      }),
      ...defined({
        question,
        isInstead,
        isRefused,
        facts,
        narrow: answer.narrow,
        values: answer.values,
        lead: lead || undefined,
      }),
    });
    return;
  }
  if (guide) {
    const same = await alreadySo(slack, { tool, input: resolved.input }, actor);
    const offered = () => offerGuide(slack, { guide, tool, answer: resolved, labels }, actor);
    return void (await reply.show(
      same
        ? nothingToDo(customer, same, { ...resolved.input, PhoneNumber: resolved.input.PortInNumber })
        : await offered(),
    ));
  }
  const unclear = resolved.find ? [unclearName(resolved.find)] : [];
  const written = textOf(answer.input.SubscriberId);
  const change = await onFilter(slack, {
    ...{ tool, input: resolved.input, actor, named: onWhich ?? wholeNumber(found) ?? written },
    customer: customer ?? 'This customer',
    ...defined({
      words: answer.words,
      softer: answer.softer,
      addsNotices: answer.addsNotices,
      isOutgoing: answer.isOutgoing,
    }),
  });
  // A number that only one of two lists has is offered once.
  const key = JSON.stringify([change.tool.id, change.input]);
  if (before.has(key)) return;
  before.add(key);
  if (change.filter) labels.set(change.filter.value, change.filter.label);
  if (change.instead) return void (await reply.show(change.instead));
  const isWhole = isGated(change.tool) && change.tool.input.safeParse(change.input).success;
  const isAsked = isWhole && !answer.isLater && !answer.find;
  const isChecked = answer.isChecked && isAsked;
  const apart = isChecked ? await apartOf(slack, change.tool, change.input, actor) : undefined;
  if (apart?.isNone) {
    const nothing = nothingToDo(customer, apart.problems.map(shortProblem).join('; '), change.input);
    const waits = options.showsWaiting ? [] : await waitsOn(slack, change.input, actor);
    return void (await reply.show({ ...nothing, blocks: [...nothing.blocks, ...waits] }));
  }
  const input = apart?.input ?? change.input;
  const whole = { ...resolved, input, kind: isAsked ? ('question' as const) : resolved.kind };
  const same = answer.find || answer.each ? undefined : await alreadySo(slack, { tool: change.tool, input }, actor);
  const problem = isChecked ? await problemOf(slack, change.tool, input, actor) : same;
  const other = problem === undefined ? undefined : await otherOf(slack, answer, input, actor);
  const holder = otherHolder(answer.beside, customer);
  if (problem !== undefined && !other) {
    const nothing = nothingToDo(customer, problem, input);
    const waits = options.showsWaiting ? [] : await waitsOn(slack, input, actor);
    return void (await reply.show({ ...nothing, blocks: [...nothing.blocks, ...waits, ...holder] }));
  }
  const conflict = answer.find ? undefined : await conflictOf(slack, change.tool, change.input, actor);
  const offered = offer(slack, other?.tool ?? change.tool, other?.answer ?? whole, {
    origin,
    customer: apart ? ofLines(customer, input) || undefined : customer,
    labels,
  });
  const note = [
    ...(set?.left ?? []),
    ...(sum.note === undefined ? [] : [say('ℹ️ ', `${sum.note.replace(/^\p{Ll}/u, (first) => first.toUpperCase())}.`)]),
    ...(apart?.problems ?? []).map((one) => leftOut(one)),
    ...(change.note === undefined ? [] : [say('ℹ️ ', change.note)]),
    ...(conflict === undefined ? [] : [say('⚠️ ', conflict)]),
  ];
  const off = change.off === undefined ? [] : [say('⚠️ ', change.off.says), actions('off', change.off.button)];
  await reply.show({ ...offered, blocks: [...unclear, ...note, ...off, ...offered.blocks, ...holder] });
}

/** The record of a question about what happened, which may have what is not recorded. */
function recordBeside(
  guided: GuidedAnswer,
  { kind, input }: GuidedAnswer,
  lookup: ReturnType<typeof lookups>[number] | undefined,
): NonNullable<GuidedAnswer['nearest']> {
  if (kind !== 'events' || lookup === undefined) return [];
  const phone = textOf(input.PhoneNumber);
  if (phone !== '') return [{ operation: lookup.tool.id, input: { [lookup.field]: phone } }];
  return guided.find ? [guided.find] : [];
}

/** The only number that a search found. */
function wholeNumber(found: Hits | undefined): string | undefined {
  const [only, ...others] = found?.hits ?? [];
  return others.length === 0 ? only?.value : undefined;
}

/** The answer with the number of the person whom the words name, if they name exactly one, and the numbers found. */
async function withNumber(
  slack: SlackContext,
  guided: GuidedAnswer,
  actor: Actor,
): Promise<{ answer: GuidedAnswer; found?: Hits }> {
  const query = Object.values(guided.find?.input ?? {})[0];
  if (typeof query !== 'string') return { answer: guided };
  try {
    const named = await numbersNamed(slack, query, actor);
    if (!named) return { answer: guided };
    const found = fitting(slack, guided, named);
    slack.directory.note(found.hits);
    const [only, ...others] = found.hits;
    const isGuess = found.areSimilar === true && guided.kind !== 'lookup' && guided.kind !== 'events';
    const isOne = only && others.length === 0 && found.isWhole && !isGuess;
    if (guided.kind === 'events' && others.length > 0) {
      const answer = await ofCustomer(slack, guided, query, actor);
      if (answer) return { answer };
    }
    return { answer: isOne ? slack.assistant.guide.withNumber(guided, only.value) : guided, found };
  } catch (error) {
    slack.log('warn', { error: String(error) }, 'failed to search the number of a person');
    return { answer: guided };
  }
}

/** The events of a customer or an account with several numbers; undefined if the name means neither. */
async function ofCustomer(
  slack: SlackContext,
  guided: GuidedAnswer,
  name: string,
  actor: Actor,
): Promise<GuidedAnswer | undefined> {
  const tool = slack.tools.find(({ id }) => id === guided.operation);
  const { find: _found, ...rest } = guided;
  for (const field of ['SubscriberId', 'AccountId']) {
    const input = { ...guided.input, [field]: name };
    const resolution = tool && (await resolvedInTime(slack, { tool, input, actor }));
    if (resolution?.kind === 'clear') return { ...rest, input: resolution.input };
  }
  return undefined;
}

/** The guide for what the words ask for, with what they say filled in; below it the form of the operation alone. */
async function offerGuide(
  slack: SlackContext,
  {
    guide,
    tool,
    answer,
    labels,
  }: { guide: Guide; tool: Tool; answer: GuidedAnswer; labels: ReadonlyMap<string, string> },
  actor: Actor,
): Promise<Message> {
  const given = Object.entries(answer.input).flatMap(([name, value]): [string, unknown][] => {
    const field = guide.from[name];
    return field === undefined ? [] : [[field, value]];
  });
  const said = { ...Object.fromEntries(given), ...answer.guideInput };
  const query = textOf(Object.values(answer.find?.input ?? {})[0]);
  const field = query === '' ? undefined : namesField(slack, guide);
  const named = field && (await recordsNamed(slack, field, query, actor));
  const found = named && fitting(slack, answer, named);
  const [only, ...others] = found?.hits ?? [];
  if (field && found && others.length > 0) {
    const choices = guideChoices(guide, { text: query, field, found, known: said });
    const rest = Object.fromEntries(Object.entries(answer.input).filter(([name]) => guide.from[name] !== field.name));
    const kept = knownLines(tool, rest, undefined);
    return kept.length === 0 ? choices : { ...choices, blocks: [...choices.blocks, say(rich.bold('Kept: '), ...kept)] };
  }
  const known = {
    ...said,
    ...(field && only ? { [field.name]: only.value } : {}),
  };
  // The number that was found by a name is in the form too. A field of the guide may hold one of several members: an area
  // code or a ZIP code.
  const taken = new Set(given.map(([field]) => field));
  const filled = Object.entries(guide.from).flatMap(([name, field]): [string, unknown][] =>
    name in tool.input.shape && known[field] !== undefined && !taken.has(field) ? [[name, known[field]]] : [],
  );
  const phone = known[LINE];
  const rows = 'PhoneNumbers' in tool.input.shape && phone !== undefined ? { PhoneNumbers: [{ Number: phone }] } : {};
  const alone = { ...rows, ...Object.fromEntries(filled), ...answer.input };
  const next =
    'Nothing was done yet. The guide asks for what is missing, and goes on by itself after each confirmation.';
  const unasked = Object.entries(answer.input).filter(([name]) => guide.from[name] === undefined);
  const asked = Object.entries(answer.input).filter(([name]) => guide.from[name] !== undefined);
  const about = knownLines(tool, Object.fromEntries(asked), only?.label, labels);
  const day = Object.values(answer.guideInput ?? {}).flatMap((value) => [rich.bold('On'), ` ${textOf(value)}\n`]);
  const left =
    unasked.length === 0
      ? []
      : ['Only “Open the form alone” has:\n', ...knownLines(tool, Object.fromEntries(unasked), undefined, labels)];
  return {
    text: escaped(`${guide.title}: ${next}`),
    blocks: [
      say(rich.bold(guide.title), '\n', ...about, ...day, ...left, next),
      actions(
        'guided',
        button(`${IDS.guide}_0`, 'Start', `${guide.name}|${JSON.stringify(known)}`, { style: 'primary' }),
        button(`${IDS.fill}_0`, 'Open the form alone', `${tool.id}|${JSON.stringify(alone)}`),
      ),
    ],
  };
}

/**
 * Asks which number a name means, or says that it means none. Undefined if the number is known, or the operation takes
 * none.
 */
function whichNumber(slack: SlackContext, tool: Tool, answer: GuidedAnswer, found: Hits): Message | undefined {
  const [lookup] = lookups(slack.tools, slack.groups);
  const field = lookup && fieldsOf(lookup.tool).find(({ name }) => name === lookup.field);
  const { kind, find } = answer;
  const inputWith = (number: string) => slack.assistant.guide.withNumber(answer, number).input;
  const takesNumber = found.hits.some(({ value }) => JSON.stringify(inputWith(value)).includes(value));
  if (!find || !field || (found.hits.length > 0 && !takesNumber)) return undefined;
  const reference: Reference = { path: [], field, text: textOf(Object.values(find.input)[0]) };
  if (found.hits.length === 0) return nothingFound({ reference, found });
  return choicesMessage({ tool, reference, found, inputWith, opensForm: kind !== 'lookup' });
}

/** Says that a name does not mean exactly one number. */
function unclearName(find: NonNullable<GuidedAnswer['find']>): Block {
  const query = String(Object.values(find.input)[0]);
  return say(`🤔 “${query}” does not name exactly one number: choose it in the form, or send its full number.`);
}

/**
 * Shows a form that the model filled in. Nothing is sent until a person sends it. For a writer who may not make the
 * change, it names those who may; in a channel they can open it.
 */
export async function showFilledForm(
  slack: SlackContext,
  { operation, input, isAllowed }: TurnForm,
  actor: Actor,
  origin: Origin,
): Promise<void> {
  const tool = slack.gate.tool(operation);
  if (!tool) return;
  const known = knownLines(tool, input, undefined);
  if (isAllowed) {
    const next = 'Nothing was done yet. Check the form and send it.';
    const message = messageOf(tool.title, [...known, next], next);
    message.blocks.push(formButton(slack, tool, input, origin));
    await new Reply(slack, origin).add(message);
    return;
  }
  const { channel = '', threadTs } = origin;
  const who = slack.roles.lacking('operator', actor.role);
  const message: Message = messageOf(tool.title, [...known, ...who], `${tool.title} needs the role operator.`);
  if (channel.startsWith('D')) return void (await new Reply(slack, origin).add(message));
  // The people who may make the change find it where it was asked for.
  const value = `${operation}|${JSON.stringify(input)}`;
  const own = value.length <= MAX_BUTTON_VALUE ? value : `${operation}|${JSON.stringify({} satisfies Fields)}`;
  message.blocks.push(actions('handed', button(`${IDS.fill}_0`, 'Open the form', own)));
  await slack.web.post(channel, message, threadTs === undefined ? {} : { threadTs });
}

function messageOf(title: string, parts: Parameters<typeof say>, text: string): Message {
  return { text: cut(escaped(`${title}: ${text}`), 1_000), blocks: [say(rich.bold(title), '\n', ...parts)] };
}
