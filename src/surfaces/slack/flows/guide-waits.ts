import type { Guide, GuideStep } from '../../../../tools/surfaces/guides/guide.ts';
import { statusOf } from '../../../gate/gate.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { defined, type Fields, isRecord } from '../../../lib/json.ts';
import { APPROVAL, doneLines, waitingAt } from '../blocks/guide.ts';
import { deciderElement } from '../blocks/people.ts';
import { requesterCard } from '../blocks/requester-card.ts';
import { actions, type Block, button, rich, say } from '../blocks/text.ts';
import type { SlackServices } from '../context.ts';
import { IDS } from '../ids.ts';
import { elsewhereOf, isOwnQuestion } from '../types.ts';
import { doneSoFar } from './guide-progress.ts';
import type { GuideViews, ViewStep } from './guide-views.ts';

/** The kind of the job that continues a guide after a decision, in any process. */
export const GUIDE_GOES_ON = 'slack-guide';
/** The interval at which such a job looks at an action whose change this process did not see. */
export const LOOK_MS = 30_000;

/** A guide at one of its steps. */
export interface GuideSession {
  guide: Guide;
  /** The values known so far, without secrets, and what was done: see `progressOf`. */
  known: Fields;
  place: ViewStep;
  /** It goes on by itself after a decision, so that its person may not look at it. */
  isAlone?: true;
}

/** The part of an action's notes that continues a guide. */
export interface GuideNote {
  guide: string;
  /** Name of the step that waits; empty for a change of the order at the end. */
  step: string;
  known: Fields;
  view: string;
  turn: number;
  user: string;
  team: string;
  channel?: string;
  /** The guide went on. */
  isOver?: true;
  /** The action that it asked for next. */
  next?: string;
}

export function guideNote({ notes }: Action): GuideNote | undefined {
  return isGuideNote(notes.guide) ? notes.guide : undefined;
}

function isGuideNote(note: unknown): note is GuideNote {
  return isRecord(note) && typeof note.guide === 'string' && typeof note.step === 'string' && isRecord(note.known);
}

/** Actions that a guide waits for. Each keeps where the guide is, so that a restart does not lose it. */
export class GuideWaits {
  readonly #slack: SlackServices;
  readonly #views: GuideViews;

  constructor(slack: SlackServices, views: GuideViews) {
    this.#slack = slack;
    this.#views = views;
  }

  /** The note for an action that this step asks for. */
  noteOf({ guide, known, place }: GuideSession, step: GuideStep | undefined): GuideNote {
    const { userId, teamId, channel } = place.origin;
    return {
      guide: guide.name,
      step: step?.name ?? '',
      known,
      view: place.viewId,
      turn: place.turn,
      user: userId,
      team: teamId,
      ...defined({ channel: channel || undefined }),
    };
  }

  /** Continues this run once the action is decided, and shows that it waits. */
  async follow(action: Action, run: GuideSession, step: GuideStep | undefined): Promise<void> {
    const { gate, jobs, clock } = this.#slack;
    // The same call may have been waiting before.
    const fresh = { ...this.noteOf(run, step), isOver: undefined, next: undefined };
    await gate.notes.merge(action.id, 'guide', fresh);
    await jobs.add({
      kind: GUIDE_GOES_ON,
      key: `guide ${action.id}`,
      payload: { action: action.id },
      runAt: clock.now() + LOOK_MS,
    });
    const { a: before } = run.place.meta;
    if (before !== undefined && before !== action.id)
      await gate.notes.merge(before, 'guide', { isOver: true, next: action.id });
    await this.showPending(action, run, step);
  }

  async showPending(action: Action, { guide, known, place }: GuideSession, step: GuideStep | undefined): Promise<void> {
    const { cards, web, gate } = this.#slack;
    if (isOwnQuestion(action)) return this.#askForIt(action, { guide, known, place }, step);
    const named = (text: string) => this.#views.named(text);
    const asks = step?.run?.asks?.(known);
    const asked = asks === undefined ? undefined : named(asks);
    const card = await cards.ensure(action.id);
    const link = card && (await web.permalink(card));
    // It may have been decided while its card was being posted; then the change has drawn the view.
    if ((await gate.actions.get(action.id))?.state !== 'pending') return;
    await this.#show({ guide, known, place }, step, [
      ...doneLines(doneSoFar(guide, known, named)),
      say('🔐 ', rich.bold(asked ?? action.consent?.title ?? ''), ' waits for an approver. It has not been sent.'),
      say(
        'The guide goes on by itself after the decision, even if you close this form. ',
        ...(link ? [{ type: 'link', url: link, text: 'Open the card' }] : ['Approvers find it in the app’s Home.']),
      ),
      actions('guide', button(IDS.orderLook, 'Refresh', `${guide.name}|${action.id}`)),
    ]);
  }

  /** Asks the person of the guide for the yes to an own change: in the form, or by direct message if it was closed. */
  async #askForIt(action: Action, run: GuideSession, step: GuideStep | undefined): Promise<void> {
    const { web, gate, reworded } = this.#slack;
    const context = { tool: gate.tool(action.operation), reworded, elsewhere: elsewhereOf(gate, action.id) };
    const done = doneLines(doneSoFar(run.guide, run.known, (text) => this.#views.named(text)));
    const question = requesterCard(action, { ...context, isStep: true });
    if (await this.#show(run, step, [...done, ...question.blocks])) return;
    await web.direct(run.place.origin.userId, question);
  }

  /** Shows an action that runs or whose outcome is unknown. False for other states. */
  async showOpen(action: Action, run: GuideSession, step: GuideStep | undefined): Promise<boolean> {
    const { gate, reworded } = this.#slack;
    const status = statusOf(action.state);
    const { mark, detail } = outcomeOf(action, gate.tool(action.operation));
    if (status === 'running') {
      const by = deciderElement(action) ?? 'a person';
      await this.#show(run, step, [say(`${mark} Confirmed by `, by, ' and running.')]);
      return true;
    }
    if (status !== 'unknown') return false;
    await this.#show(run, step, [
      say(`${mark} `, rich.bold('It may have been done.'), ' ', rich.text(reworded(detail))),
      say('The guide goes on by itself once this is known. Do not start it again before.'),
      actions('guide', button(IDS.orderLook, 'Check now', `${run.guide.name}|${action.id}`)),
    ]);
    return true;
  }

  async #show({ guide, known, place }: GuideSession, step: GuideStep | undefined, blocks: Block[]): Promise<boolean> {
    const at = step ? waitingAt(guide, step, known) : APPROVAL;
    const { c, a } = place.meta;
    const meta = { t: '', g: guide.name, ...defined({ c, a }) };
    return this.#views.show(place, this.#views.plainView(guide, { at, known }, meta, ...blocks));
  }
}
