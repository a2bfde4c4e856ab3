import { fieldsOf } from '../../../catalogue/fields.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import { isGated, type Tool } from '../../../catalogue/operation.ts';
import type { Performed } from '../../../gate/gate.ts';
import { errorOutcome, partlyOutcome } from '../../../language/outcome.ts';
import { withoutActivation } from '../../../lib/activation.ts';
import type { Actor } from '../../../lib/actor.ts';
import { asSwitchboardError, type ErrorFace, severity } from '../../../lib/errors.ts';
import { withoutSecrets } from '../blocks/form.ts';
import { lookupCard } from '../blocks/lookup.ts';
import { resultMessage } from '../blocks/result.ts';
import { actions, button, escaped, type Message, notice, rich, say, small } from '../blocks/text.ts';
import { IDS } from '../ids.ts';
import type { Origin, SlackContext } from '../types.ts';
import { guidesFor } from './guide.ts';
import { lookupOf, nextFor } from './lookup.ts';
import type { Reply } from './reply.ts';

export interface Run {
  tool: Tool;
  input: Record<string, unknown>;
  origin: Origin;
  reply: Reply;
  notes?: readonly string[];
}

/** For what is kept and looks the same to everybody who may look. */
const NOBODY: Actor = { id: 'slack', name: 'Slack', role: 'viewer', surface: 'slack', priority: 'person' };

/** After this, somebody who waits is told that it is still under way. */
const SLOW_MS = 8_000;

/** Performs one operation for a person in Slack and tells them, and only them, what came of it. */
export async function run(slack: SlackContext, job: Run): Promise<void> {
  const { tool, origin, reply } = job;
  const who = await slack.roles.membership(origin);
  const refused = slack.roles.refusal(who, neededRole(tool).ask);
  if ('refused' in who || refused) {
    await reply.show(refusalMessage(refused ?? []));
    return;
  }
  let performed: Performed;
  const slow = slack.clock.setTimeout(
    () => reply.progress('The platform is slow today; the answer appears here.'),
    SLOW_MS,
  );
  try {
    performed = await slack.gate.perform(tool.id, job.input, who.actor, {
      onWait: (why, seconds) => reply.progress(waiting(why, seconds)),
      onPart: (sofar) => {
        const card = cardOf(slack, job, sofar);
        if (card) reply.progress({ ...card, blocks: [...card.blocks, small('⏳ The rest is on its way.')] });
      },
      ...(isGated(tool) || tool.risk !== 'read'
        ? { notes: { slack: { asker: origin.userId, ...(origin.channel ? { from: origin.channel } : {}) } } }
        : {}),
    });
  } catch (error) {
    const failure = asSwitchboardError(error);
    if (failure.detail)
      slack.log(severity(failure.face), { operation: tool.id, detail: failure.detail }, failure.message);
    await reply.show(failureMessage(slack, job, failure.face));
    return;
  } finally {
    slack.clock.clearTimeout(slow);
  }
  if (performed.kind === 'pending') {
    await reply.show(await waitingMessage(slack, performed, origin));
    return;
  }
  slack.directory.learn(performed.value);
  slack.directory.learn(withoutSecrets(fieldsOf(tool), job.input));
  await reply.show(doneMessage(slack, job, performed, who.zone));
  if (performed.once) await reply.fleeting(onceMessage(performed.once));
}

function doneMessage(
  slack: SlackContext,
  job: Run,
  done: Extract<Performed, { kind: 'done' }>,
  zone: string | undefined,
): Message {
  const { tool, origin } = job;
  const held = slack.memory.hold(origin.userId, {
    title: tool.title,
    value: done.value,
    changed: tool.risk !== 'read',
    ...(done.partly ? { partly: partlyOutcome(done.partly, done.value) } : {}),
    mismatched: done.mismatched,
    notes: job.notes ?? [],
  });
  const card = cardOf(slack, job, done.value, held.id);
  if (card) held.card = card;
  return card ?? resultMessage(held, zone === undefined ? {} : { zone });
}

/** The card of a looked-up number, of all or of what is known so far; undefined for other operations. */
function cardOf(slack: SlackContext, job: Run, value: Record<string, unknown>, held?: string): Message | undefined {
  const lookup = lookupOf(slack, job.tool);
  const phone = lookup && job.input[lookup];
  if (typeof phone !== 'string') return undefined;
  return lookupCard({
    phone: numberOf(value) ?? phone,
    // The card can be shared with a channel.
    value: withoutActivation(value),
    // What is ours is looked up once, for the whole: the parts before it are on the way to it.
    recent: (held === undefined ? [] : slack.gate.actions.about(numberOf(value) ?? phone, 30)).map((action) => ({
      action,
      tool: slack.gate.tool(action.operation),
    })),
    inbound: held === undefined ? undefined : slack.gate.history(NOBODY).lastMessage(numberOf(value) ?? phone),
    orderOf: (id) => slack.gate.history(NOBODY).order(id),
    ...nextFor(slack, stateOf(value), isWatched(slack, numberOf(value) ?? phone)),
    ...(held ? { held } : {}),
  });
}

function isWatched(slack: SlackContext, phone: string): boolean {
  return slack.gate
    .history(NOBODY)
    .watched()
    .some((watch) => watch.phone === phone);
}

/** The number of a looked-up record, normalised by the platform. */
function numberOf(value: Record<string, unknown>): string | undefined {
  for (const part of Object.values(value)) {
    if (part === null || typeof part !== 'object') continue;
    const found = Object.values(part).find((text) => typeof text === 'string' && /^\+\d{7,15}$/.test(text));
    if (typeof found === 'string') return found;
  }
  return undefined;
}

function stateOf(value: Record<string, unknown>): string {
  for (const part of Object.values(value)) {
    if (part !== null && typeof part === 'object' && 'Status' in part) return String(part.Status);
  }
  return '';
}

async function waitingMessage(
  slack: SlackContext,
  pending: Extract<Performed, { kind: 'pending' }>,
  origin: Origin,
): Promise<Message> {
  const { action } = pending;
  const at = await slack.cards.ensure(action.id);
  const title = action.consent?.title ?? action.operation;
  if (!at) {
    return notice(
      '🔐',
      `${title} waits for an approver, but its card could not be posted here. Approvers find it in the app's Home; nothing has been sent.`,
    );
  }
  const link = await slack.web.permalink(at);
  const open = link ? [{ type: 'link', url: link, text: 'Open the card' }] : [];
  const blocks = [say('🔐 ', rich.bold(title), ' waits for an approver; nothing is sent before. ', ...open)];
  if (origin.channel !== undefined && at.channel !== origin.channel) {
    blocks.push(
      at.channel.startsWith('D')
        ? small(
            'The app is not in this channel and no approvers’ channel is set, so the card is in your direct messages; approvers also find it in the app’s Home. To have cards here, invite the app: `/invite @Switchboard`.',
          )
        : small(`The card is in <#${at.channel}>. To have cards here, invite the app: \`/invite @Switchboard\`.`),
    );
  }
  return { text: `${escaped(title)} waits for an approver.`, blocks };
}

/** A failure in its own words, and what was typed one click away. */
export function failureMessage(
  slack: SlackContext,
  job: Pick<Run, 'tool' | 'input' | 'origin'>,
  face: ErrorFace,
): Message {
  const { tool, input, origin } = job;
  const unknown = face.outcome === 'unknown';
  const { mark, headline } = errorOutcome(face);
  const state =
    tool.risk === 'read' ? '' : unknown || face.code === 'refused' ? `: ${headline.toLowerCase()}` : ': not done';
  const blocks = [say(`${mark} `, rich.bold(`${tool.title}${state}`), '\n', rich.text(slack.reworded(face.message)))];
  const facts = [
    face.code.replaceAll('_', ' '),
    ...(face.status === undefined ? [] : [`platform status ${face.status}`]),
    ...(face.retryAfterSeconds === undefined ? [] : [`try again in ${face.retryAfterSeconds} s`]),
    ...(face.transactionLogId === undefined ? [] : [`log id \`${escaped(face.transactionLogId)}\``]),
  ];
  blocks.push(small(facts.join(' · ')));
  if (!unknown) blocks.push(formButton(slack, tool, input, origin));
  const lookup = lookupOf(slack, tool);
  // A number that is not here may be one that is to come.
  const guides = lookup !== undefined && face.code === 'not_found' ? guidesFor(slack.tools) : [];
  if (guides.length > 0) {
    const phone = String(input[lookup ?? ''] ?? '');
    blocks.push(
      actions('guides', ...guides.map(({ name, title }, i) => button(`${IDS.guide}_${i}`, title, `${name}|${phone}`))),
    );
  }
  return { text: `${mark} ${escaped(`${tool.title}${state}: ${slack.reworded(face.message)}`)}`, blocks };
}

/** Opens a form with what is known already; the values stay here, the button carries a handle. */
export function formButton(slack: SlackContext, tool: Tool, input: Record<string, unknown>, origin: Origin) {
  const draft = slack.memory.drafts.put(origin.userId, {
    toolId: tool.id,
    input: withoutSecrets(fieldsOf(tool), input),
    channel: origin.channel,
  });
  return actions(`form:${draft}`, button(IDS.form, 'Open the form', `${draft}|${tool.id}`));
}

export function refusalMessage(elements: readonly Record<string, unknown>[]): Message {
  const text = elements.map((element) => (typeof element.text === 'string' ? element.text : '')).join('');
  return { text: `⛔ ${escaped(text)}`, blocks: [say('⛔ ', ...elements)] };
}

export function onceMessage(once: Record<string, string>): Message {
  return {
    text: 'Shown once, only to you.',
    blocks: [
      say('🔑 Shown once, only to you. Note it now: it is not kept.'),
      ...Object.entries(once).map(([name, secret]) => say(rich.bold(name), '  ', rich.code(secret))),
    ],
  };
}

function waiting(why: 'rate_limit' | 'retry' | 'person', seconds: number): string {
  if (why === 'rate_limit') return `Waiting for the platform's rate limit, about ${seconds} s.`;
  return why === 'retry' ? `The platform did not answer; trying again in about ${seconds} s.` : 'Waiting for a person.';
}
