import { carrierReason } from '../../../../tools/shared/carrier-reasons.ts';
import type { Guide } from '../../../../tools/surfaces/flows.ts';
import { formatPhone } from '../../../language/show.ts';
import { IDS } from '../ids.ts';
import { stepsOf } from './event.ts';
import { actions, type Block, button, cut, divider, type Element, label, lines, quote, rich, say } from './text.ts';

/** Where somebody is in a guide. */
export type GuideStage = 'check' | 'submit' | 'approval' | 'follow';

/** Kept in the view: which guide, where it was asked for, and what the check found. */
export interface GuideMeta {
  /** The operation whose form this is; empty where there is none. */
  t: string;
  /** Channel it was asked in. */
  c?: string;
  /** Name of the guide. */
  g: string;
  /** What the check found, without anything secret. */
  k?: Record<string, string>;
}

const STAGES: readonly GuideStage[] = ['check', 'submit', 'approval', 'follow'];

/** How far it has come: done, now, to come. */
export function stageLine(guide: Guide, at: GuideStage): Block {
  const names: Record<GuideStage, string> = {
    check: guide.check.title,
    submit: guide.submit.title,
    approval: 'Approval',
    follow: 'Tracking',
  };
  const now = STAGES.indexOf(at);
  return say(
    ...STAGES.flatMap((stage, i): (Element | string)[] => {
      const words = `${i + 1} ${names[stage]}`;
      return [
        ...(i === 0 ? [] : ['  ›  ']),
        i < now ? `✅ ${words}` : i === now ? rich.bold(`🔵 ${words}`) : `⚪ ${words}`,
      ];
    }),
  );
}

/** Something went wrong, or the answer was no: said above the form, which keeps what was typed. */
export function problemBlocks(problem: string | undefined, quoted = ''): Block[] {
  if (problem === undefined) return [];
  return [say('❌ ', rich.bold(cut(problem, 1500))), ...(quoted === '' ? [] : [quote(cut(quoted, 1500))])];
}

/** What the carrier objected to: in plain words, and as it said it. */
export function reasonBlocks(message: string): Block[] {
  const reason = carrierReason(message);
  return [
    ...(reason ? [say(rich.bold('Why'), '  ', reason.words)] : []),
    ...(message === '' ? [] : [quote(cut(message, 1500))]),
  ];
}

/** What the check found, and what the next form wants. */
export function foundBlocks(guide: Guide, found: Readonly<Record<string, string>>): Block[] {
  const facts = guide.check.facts.flatMap((name) => found[name] ?? []);
  const hints = guide.submit.hints.filter(({ when }) => when === undefined || when[1].test(found[when[0]] ?? ''));
  return [
    ...(facts.length === 0 ? [] : [say('✅ It can be ported. ', rich.bold(facts.join(' · ')))]),
    say(guide.submit.says),
    ...hints.map(({ text }) => say(text)),
    divider,
  ];
}

/** A view of a guide without inputs. */
export function guideView(guide: Guide, at: GuideStage, meta: GuideMeta, ...blocks: Block[]): Element {
  return {
    type: 'modal',
    callback_id: IDS.submit,
    private_metadata: JSON.stringify(meta),
    title: label(guide.title, 24),
    close: label('Close', 24),
    blocks: [stageLine(guide, at), ...blocks],
  };
}

/** An order as the last step shows it, with what can still be done. */
export function followBlocks(
  guide: Guide,
  order: { orderId: string; status: string; message: string; phone?: string | undefined },
  may: { correct: boolean; stop: boolean },
): Block[] {
  const { orderId, status, message, phone } = order;
  const rejected = status === 'Rejected';
  const steps = stepsOf(status);
  const ended = guide.ends.includes(status);
  const value = `${guide.name}|${orderId}`;
  const buttons = [
    ...(rejected && may.correct ? [button(IDS.orderFix, guide.correct.title, value, { style: 'primary' })] : []),
    button(IDS.orderLook, 'Look again', value),
    ...(!ended && status !== '' && may.stop ? [button(IDS.orderStop, guide.stop.title, value)] : []),
  ];
  return [
    lines([
      [rich.bold('Order'), '  ', rich.code(orderId)],
      ...(phone ? [[rich.bold('Number'), '  ', `${formatPhone(phone).national}  `, rich.code(phone)]] : []),
      [rich.bold('State'), '  ', status === '' ? 'not told yet' : status],
    ]),
    ...(steps.length > 0 ? [lines(steps)] : []),
    ...(rejected ? reasonBlocks(message) : message === '' ? [] : [quote(cut(message, 1500))]),
    say(
      ended
        ? status === 'Completed'
          ? 'The number is here now.'
          : 'This order has ended. The number needs a fresh eligibility check and a new order.'
        : rejected
          ? 'Correct what the carrier objects to; the order is then submitted again.'
          : 'This takes days, and you may close this form: where the platform delivers its events here, the order has a thread that mentions you. Otherwise look again once a day.',
    ),
    ...(ended ? [] : [actions('guide', ...buttons)]),
  ];
}
