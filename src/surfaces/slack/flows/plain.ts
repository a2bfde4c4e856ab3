import { groups } from '../../../../tools/groups.ts';
import { guides } from '../../../../tools/surfaces/tasks.ts';
import { besideText, inputsOf, type Meant, meaningOf, notTakenText, TOPICS } from '../../../assistant/understood.ts';
import { actionText } from '../../../cards/outcome.ts';
import { batchedBy } from '../../../catalogue/change.ts';
import { fieldsOf } from '../../../catalogue/input.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { slackStyle } from '../../../language/help.ts';
import { choiceText, isUnit } from '../../../language/show.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Actor, hasRole, personOf } from '../../../lib/actor.ts';
import { HOUR_MS } from '../../../lib/clock.ts';
import { capital, type Fields, objectIn, textOf } from '../../../lib/values.ts';
import type { Understood } from '../../../nlu/reader.ts';
import { valueWords } from '../blocks/form.ts';
import * as ui from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { cardAt, IDS, logged, type Origin, type Posted } from '../types.ts';
import { BATCH_WORD } from './batch.ts';
import { linkTo, Reply } from './engine.ts';
import { withoutService } from './forms.ts';
import { formButton, namedRecords, run } from './run.ts';

/*
 * Answers plain words without a model. Only reads are performed; a change has a button that opens its form, filled in.
 */

/** Reads of one message that are performed: “0103 and 0104”. */
const MOST_READS = 3;
/** Requests that one answer lists. */
const MOST_LISTED = 10;

/** The message that is answered. */
interface Asked {
  origin: Origin;
  actor: Actor;
  /** The conversations in which a change that is offered can be taken back. */
  keys?: readonly string[];
  /** The answer takes the place of a message of this app. */
  replaces?: boolean;
}

/** Shows what a message asks for. */
export async function showUnderstood(slack: SlackContext, understood: Understood, asked: Asked): Promise<void> {
  const { origin, keys = [], replaces = false } = asked;
  const { kind, offers, beside = [] } = understood;
  const { meant: first, read: shown, offered } = meaningOf(understood, slack.tools);
  const change = offers.find((offer) => slack.gate.tool(offer.operation)?.risk !== 'read');
  const posted = (at: Posted) => void (change && keepOffer(slack, keys, at, change.operation));
  const notTaken = notTakenText(understood.notTaken);
  const reply = new Reply(slack, origin, { replaces, posted });
  const left = notTaken === '' ? [] : [ui.small(ui.escaped(notTaken))];
  if (kind === 'told' || (first === undefined && kind !== 'choose'))
    return void (await reply.show(ui.withBlocks(await toldMessage(slack, understood, asked), ...left)));
  if (kind === 'form' && first) return void (await reply.show(await offerMessage(slack, first, understood, origin)));
  let isFound = false;
  const reads = shown ? inputsOf(shown).map((input) => ({ tool: shown.tool, input })) : [];
  for (const [i, read] of reads.slice(0, MOST_READS).entries()) {
    const taken = beside.length === 0 ? [] : (await namedRecords(slack, read.tool, read.input, origin)).taken;
    const labels = taken.map(({ label }) => label);
    const notes = [notTaken, besideText(beside, labels)].filter((note) => note !== '');
    const below = notes.length > 0 ? [ui.small(ui.escaped(notes.join(' ')))] : [];
    const answer = new Reply(slack, origin, { replaces: replaces && i === 0, below });
    isFound = (await run(slack, { ...read, origin, reply: answer })) !== undefined || isFound;
  }
  // Below a record that was found stands what it may have been asked for; below one that was not, too.
  const others = kind === 'choose' || !isFound ? offered : [];
  const buttons = offerButtons(others.filter(({ tool }) => tool.id !== shown?.tool.id));
  const title = shown ? 'It may ask for:' : 'Which one?';
  const below = isFound ? [] : left;
  if (buttons.length > 0)
    await reply.add({ text: title, blocks: [ui.say(title), ...ui.buttonRow('nearest', ...buttons), ...below] });
  else if (!shown) await reply.show(await toldMessage(slack, { ...understood, about: 'not_here' }, asked));
}

/** A change with what was understood, and the button that opens its form; of several lines, that of their batch. */
async function offerMessage(slack: SlackContext, { tool, input, each }: Meant, understood: Understood, origin: Origin) {
  const { beside = [] } = understood;
  const notTaken = notTakenText(understood.notTaken);
  const { input: known, taken, problem } = await namedRecords(slack, tool, input, origin);
  const unfit = await withoutService(slack, tool, known, origin);
  if (unfit !== undefined) return ui.notice('🤔', `${tool.title}: ${unfit.problem} Nothing was done.`);
  const labels = new Map(taken.map(({ value, label }) => [value, label]));
  const warning = problem?.message ?? besideText(beside, [...labels.values()]);
  const next = 'Nothing was done yet.';
  const { title } = actOf(tool, known);
  return ui.messageOf(`${title}: ${next}`, [
    ui.say(ui.bold(title), '\n', ...each.map((one) => `${one}\n`), ...valueLines(tool, known, labels), next),
    ...(warning === '' ? [] : [ui.say('⚠️ ', warning)]),
    ...(each.length === 0 ? openButton(tool, known) : batchButton(slack, tool, known, each)),
    ...(notTaken === '' ? [] : [ui.small(ui.escaped(notTaken))]),
  ]);
}

/** The button that opens the form of a change, or the guide to it if that asks for every value. */
function openButton(tool: Tool, input: Fields): ui.Block[] {
  const guide = guides.find(
    ({ steps, from }) =>
      steps.some(({ run: step }) => step?.operation === tool.id) &&
      Object.keys(input).every((name) => from[name] !== undefined),
  );
  const ofGuide = Object.entries(input).map(([name, value]) => [guide?.from[name], value]);
  const [opens] = guide
    ? ui.operationButton(`${IDS.guide}_0`, guide.title, guide.name, Object.fromEntries(ofGuide), { style: 'primary' })
    : ui.operationButton(`${IDS.fill}_0`, 'Open the form', tool.id, input, { style: 'primary' });
  return opens ? ui.buttonRow('plain', opens) : formButton(tool, input);
}

function batchButton(slack: SlackContext, tool: Tool, shared: Fields, list: readonly string[]): ui.Block[] {
  const style = slackStyle(slack.config.SLACK_COMMAND_PREFIX);
  const value = JSON.stringify({ operation: tool.id, shared, list });
  if (batchedBy(tool) === undefined || value.length > ui.MAX_BUTTON_VALUE)
    return [ui.say('Ask for one of them at a time, or as a list: ', ui.code(style.command(BATCH_WORD)))];
  return ui.buttonRow('plain', ui.button(`${IDS.batchNew}_0`, 'Open the list', value, { style: 'primary' }));
}

/** The name of what an input does, and the field that says it: "Park" where an operation makes several changes. */
export function actOf(tool: Tool, input: Fields): { title: string; by?: string } {
  const by = tool.keys?.find((name) => choiceText(name, input[name]) !== undefined);
  const words = by === undefined ? undefined : choiceText(by, input[by]);
  if (by === undefined || words === undefined) return { title: tool.title };
  return { title: capital(words), by };
}

/** Each value of an input in words, beside its act. Secrets are left out. `labels`: the names of records. */
export function valueLines(tool: Tool, input: Fields, labels: ReadonlyMap<string, string> = new Map()) {
  return fieldsOf(tool)
    .filter(({ name, secret }) => input[name] !== undefined && !secret && !isUnit(name, input))
    .filter(({ name }) => name !== actOf(tool, input).by)
    .flatMap(({ name, label }) => {
      const text = valueWords(name, input[name], (value) => labels.get(value));
      return [ui.bold(label), ` ${ui.cut(text, 300)}\n`];
    });
}

/** A button for each operation that may be meant: a read with a whole input runs, anything else opens its form. */
export function offerButtons(offers: readonly Pick<Meant, 'tool' | 'input'>[]) {
  return offers.flatMap(({ tool, input }, i) => {
    const runs = tool.risk === 'read' && tool.input.safeParse(input).success;
    return ui.operationButton(`${runs ? IDS.run : IDS.fill}_${i}`, actOf(tool, input).title, tool.id, input);
  });
}

/** The answer to what is no operation: help, what waits, what a change does. */
async function toldMessage(slack: SlackContext, understood: Understood, asked: Asked): Promise<ui.Message> {
  const { about = 'not_here', operation, withdraws } = understood;
  const { actor, keys = [] } = asked;
  if (withdraws) return offerNotUsed(slack, keys);
  const own = about === 'withdraw' || about === 'thanks' ? await ownWaiting(slack, actor) : [];
  if (own.length > 0)
    return listMessage(slack, own, 'Words confirm and withdraw nothing. Use the buttons on the card:');
  if (about === 'waiting') return waitingMessage(slack, actor);
  const text = TOPICS[about];
  const { command } = slackStyle(slack.config.SLACK_COMMAND_PREFIX);
  const commands = [
    ...Object.keys(groups)
      .slice(0, 3)
      .map((name) => `${command(name)} help`),
    command(BATCH_WORD),
  ];
  const tool = about === 'consequence' ? slack.tools.find(({ id }) => id === operation) : undefined;
  const { offered } = meaningOf(understood, slack.tools);
  const buttons = about === 'not_here' ? offerButtons(offered) : [];
  return ui.messageOf(text, [
    ...(tool ? [ui.say(ui.bold(tool.title), '\n', slack.reworded(tool.description))] : []),
    ui.say(text),
    ...(about === 'who_may' ? [ui.say('Approvers: ', ...slack.roles.holding('approver'))] : []),
    ...ui.buttonRow('nearest', ...buttons),
    ...(about === 'help' || about === 'not_here'
      ? [ui.small(`All commands: ${commands.map((one) => `\`${one}\``).join(', ')} and \`${command('guide')}\``)]
      : []),
  ]);
}

/** Remembers where a change is offered, so that its buttons can be removed. */
async function keepOffer(slack: SlackContext, keys: readonly string[], at: Posted, operation: string): Promise<void> {
  const value = JSON.stringify({ ...at, operation });
  // An offer can be taken back by words for half a day.
  const keeping = keys.map((key) => slack.offers.change(key, slack.clock.now() + 12 * HOUR_MS, () => value));
  await Promise.all(keeping).catch(logged(slack, 'warn', 'an offer cannot be taken back later'));
}

/** Removes the buttons of the last offer. Nothing was sent by it. */
async function offerNotUsed(slack: SlackContext, keys: readonly string[]): Promise<ui.Message> {
  const [key = ''] = keys;
  const { channel, ts, operation } = objectIn((await slack.offers.get(key)) ?? '') ?? {};
  const title = slack.gate.tool(textOf(operation))?.title;
  const text = `Not used${title === undefined ? '' : `: ${title}`}. Nothing was sent.`;
  if (channel !== undefined) {
    await slack.web.update({ channel: textOf(channel), ts: textOf(ts) }, ui.notice('↩️', text)).catch(() => undefined);
    for (const one of keys) await slack.offers.take(one);
  }
  return ui.notice('↩️', text);
}

async function ownWaiting({ gate, clock }: SlackContext, actor: Actor): Promise<Action[]> {
  const own = await gate.actions.list({ actorId: actor.id, states: ['pending'], limit: MOST_LISTED });
  return own.filter(({ expiresAt }) => expiresAt > clock.now());
}

/** What a person can decide, and what they asked for: the entries of the app's Home. */
export async function waitingMessage(slack: SlackContext, actor: Actor): Promise<ui.Message> {
  const forMe = hasRole(actor, 'operator') ? await slack.home.waitingFor(actor) : [];
  const own = (await ownWaiting(slack, actor)).filter(({ id }) => !forMe.some((one) => one.id === id));
  const all = [...forMe, ...own];
  if (all.length === 0) return ui.notice('✅', TOPICS.waiting);
  const asked = all.filter(({ person }) => person === personOf(actor)).length;
  const title = forMe.length > 0 ? `${forMe.length} to decide, ${asked} of your own` : 'Your open requests';
  return listMessage(slack, all, title);
}

/** Requests that wait, each with a link to its card. */
async function listMessage(slack: SlackContext, all: readonly Action[], title: string): Promise<ui.Message> {
  const rows = await Promise.all(
    all.slice(0, MOST_LISTED).map(async (action) => {
      const link = await linkTo(slack, cardAt(action));
      const text = ui.elementsOf(actionText({ action, tool: slack.gate.tool(action.operation) }));
      return ui.say(...text, ...(link ? ['  ', link] : []));
    }),
  );
  const more = all.length - MOST_LISTED;
  const left = more > 0 ? [ui.small(`… ${more} more in the app’s Home`)] : [];
  return ui.messageOf(title, [ui.say(ui.bold(title)), ...rows, ...left]);
}
