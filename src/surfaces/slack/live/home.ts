import { guides } from '../../../../tools/surfaces/tasks.ts';
import { actionText, type ListedAction, listed } from '../../../cards/outcome.ts';
import { act, askedOf, questionTitle } from '../../../cards/question.ts';
import { isWithdrawn } from '../../../gate/approval.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Actor, hasRole, personOf } from '../../../lib/actor.ts';
import { DAY_MS, REDRAW_MS } from '../../../lib/clock.ts';
import { BoundedMap } from '../../../lib/values.ts';
import { levelOf } from '../../../store/key-values.ts';
import type { Handler } from '../../../work/worker.ts';
import { askedWhom, decision } from '../blocks/card.ts';
import { changeRow } from '../blocks/fitting.ts';
import * as ui from '../blocks/text.ts';
import { REMEMBERED } from '../people/roles.ts';
import { IDS, isOwnQuestion, type Origin } from '../types.ts';
import type { Services } from './cards.ts';

/** Slack accepts 100 blocks. These lists leave room for the others. */
const MAX_WAITING = 15;
const MAX_ASKED = 8;
const MAX_LINES = 20;
const MAX_PEOPLE = 200;
/** The kind of the job that publishes one person's Home. */
const PUBLISH = 'slack.home';

/** App Homes. Published when a person opens theirs, and from then on when something in it changes. */
export class Home {
  readonly #services: Services;
  /** People whose App Home is kept up to date. `due`: when a publication that has been added is due (epoch ms). */
  readonly #viewers = new BoundedMap<string, { teamId: string; actor?: Actor; due: number }>(MAX_PEOPLE);

  constructor(services: Services) {
    this.#services = services;
  }

  /** Publishes the Homes that have changed. */
  readonly handlers: Readonly<Record<string, Handler>> = {
    [PUBLISH]: async ({ payload }) => {
      const { userId = '', teamId = '' } = payload as Partial<Origin>;
      await this.#publish({ userId, teamId }).catch((error: unknown) => this.#failed(userId, error));
      return undefined;
    },
  };

  /** People who may decide see every change, others only their own. Slack accepts a hundred publications a minute. */
  show(action: Action): void {
    for (const [userId, { actor }] of this.#viewers.entries())
      if (actor && (hasRole(actor, 'operator') || actor.id === action.actorId)) void this.changed(userId);
  }

  /** A person opened their Home. */
  async opened(origin: Origin): Promise<void> {
    this.#viewers.set(origin.userId, { teamId: origin.teamId, due: 0 });
    await this.#publish(origin);
  }

  /** Publishes a person's Home soon, if they have opened it. */
  async changed(userId: string): Promise<void> {
    const { clock, jobs, worker } = this.#services;
    const viewer = this.#viewers.get(userId);
    if (viewer === undefined || viewer.due > clock.now()) return;
    const runAt = clock.now() + REDRAW_MS;
    viewer.due = runAt;
    const { teamId } = viewer;
    const adding = jobs.add({ kind: PUBLISH, key: `${PUBLISH} ${userId}`, payload: { userId, teamId }, runAt });
    await adding.then(() => worker.look()).catch((error: unknown) => this.#failed(userId, error));
  }

  #failed(user: string, error: unknown): void {
    this.#services.log(levelOf(error, 'warn'), { user, error: String(error) }, 'failed to publish an App Home');
  }

  async #publish(origin: Origin): Promise<void> {
    const { gate, web, roles, clock } = this.#services;
    const membership = await roles.membership(origin, REMEMBERED);
    const publish = (blocks: readonly ui.Block[]) => web.publish(origin.userId, { type: 'home', blocks });
    if ('refused' in membership) return publish([ui.header('Switchboard'), ui.say(...membership.refused)]);
    const { actor, zone } = membership;
    const decides = hasRole(actor, 'operator');
    const viewer = this.#viewers.get(origin.userId);
    if (viewer) viewer.actor = actor;
    const waiting = decides ? await this.waitingFor(actor) : [];
    const own = await gate.actions.list({ actorId: actor.id, states: ['pending'], limit: 50, whole: true });
    const isAsked = ({ id, expiresAt }: Action) => expiresAt > clock.now() && !waiting.some((one) => one.id === id);
    const all = await listed(gate, waiting);
    const asked = await listed(gate, own.filter(isAsked));
    const decided = hasRole(actor, 'approver') ? await listed(gate, await this.#decidedToday(zone)) : undefined;
    const mine = await listed(gate, await gate.actions.list({ actorId: actor.id, limit: 10, whole: true }));
    const line = (one: ListedAction) => ui.elementsOf(actionText(one));
    const none = asked.length > 0 ? [] : [ui.header(WAITING), ui.say('Nothing is waiting for you.')];
    const blocks = [
      ...(all.length === 0 ? none : section(WAITING, all, MAX_WAITING, (one) => this.#waitingBlocks(one, actor))),
      ...(asked.length === 0 ? [] : section('Waiting for an approver', asked, MAX_ASKED, askedBlocks)),
      ...(decided === undefined ? [] : listOf('Decided today', decided.map(line), 'Nothing yet.')),
      ...listOf('Your recent actions', mine.map(line), 'No actions yet.'),
      ...ui.buttonRow(
        'home:guides',
        ...(decides ? guides : []).map(({ name, title }, i) => ui.button(`${IDS.guide}_${i}`, title, `${name}|`)),
      ),
      ui.small(`Your role: ${ui.escaped(actor.role)}`),
    ];
    await publish(blocks);
  }

  /** An action that this person can decide. Its whole question is behind "Show everything". */
  #waitingBlocks({ action, tool }: ListedAction, actor: Actor): ui.Block[] {
    const { consent, createdAt, expiresAt } = action;
    const asked = `Asked by ${ui.requesterText(action)} ${ui.shortDate(createdAt)} · waits until ${ui.shortDate(expiresAt)}`;
    const effect = consent ? this.#services.reworded(`${consent.consequence} ${consent.undo}`) : '';
    const isRequesters = action.person === personOf(actor);
    return [
      titleBlock({ action, tool }, effect),
      ui.small(asked),
      ...decision(this.#services, action, { isWhole: false, isRequesters }),
    ];
  }

  /** The decisions of today, in the time zone of the reader. */
  async #decidedToday(zone: string | undefined): Promise<Action[]> {
    const { gate, clock } = this.#services;
    const dayOf = (at: number) => new Date(at).toLocaleDateString('en-US', { timeZone: zone ?? gate.timeZone });
    const today = dayOf(clock.now());
    const updated = await gate.actions.list({ since: clock.now() - DAY_MS, limit: 100, whole: true });
    return updated.filter(
      (action) => action.decidedPerson && dayOf(action.decidedAt ?? 0) === today && !isWithdrawn(action),
    );
  }

  /**
   * Actions that this person can decide, the one that has waited longest first. The own change of another person in Slack
   * is asked of that person alone.
   */
  async waitingFor(actor: Actor): Promise<Action[]> {
    const { gate, clock } = this.#services;
    const pending = await gate.actions.list({ states: ['pending'], limit: 50, oldestFirst: true });
    return pending.filter((action) => {
      const isAskedOf = action.person === personOf(actor) || !isOwnQuestion(action);
      const why = gate.refusal('confirm', action, actor, 'slack')?.why ?? '';
      return action.expiresAt > clock.now() && isAskedOf && !['same_person', 'role'].includes(why);
    });
  }
}

const WAITING = 'Waiting for your decision';

/** Actions below their header, each in several blocks. */
function section(title: string, all: readonly ListedAction[], most: number, draw: (one: ListedAction) => ui.Block[]) {
  return [ui.header(title), ...all.slice(0, most).flatMap(draw), ...moreOf(all, most)];
}

/** A list with its header. */
function listOf(title: string, rows: readonly ui.Element[][], none: string): ui.Block[] {
  if (rows.length === 0) return [ui.divider, ui.header(title), ui.say(none)];
  return [ui.divider, ui.header(title), ui.lines(rows.slice(0, MAX_LINES)), ...moreOf(rows, MAX_LINES)];
}

function moreOf(all: readonly unknown[], shown: number): ui.Block[] {
  return all.length > shown ? [ui.small(`… ${all.length - shown} more.`)] : [];
}

/** An action that this person requested and another person decides. */
function askedBlocks({ action, tool }: ListedAction): ui.Block[] {
  return [
    titleBlock({ action, tool }, `Nothing has been sent · expires ${new Date(action.expiresAt).toISOString()}`),
    ...askedWhom(action),
    ...changeRow(action, [act('withdraw', action.id)], { isWhole: false, name: 'asked' }),
  ];
}

/** The title of a waiting action, its customer, and a second line. */
function titleBlock({ action, tool }: ListedAction, below: string): ui.Block {
  const { customer } = askedOf(tool, action);
  return ui.say(
    ui.bold(questionTitle(tool, action)),
    ...(customer === '' ? [] : [` · ${ui.cut(customer, 200)}`]),
    ...(below === '' ? [] : ['\n', ...ui.sentence(below)]),
  );
}
