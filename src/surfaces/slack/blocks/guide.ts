import type { Guide } from '../../../../tools/surfaces/flows.ts';
import { formatPhone } from '../../../language/show.ts';
import { defined, type Fields, isRecord, objectIn, textOf } from '../../../lib/json.ts';
import { carrierReason } from '../../../platform/dialect/carrier-reasons.ts';
import { hasEnded, isCompleted, isRejected } from '../../../platform/dialect/orders.ts';
import { IDS } from '../ids.ts';
import type { OrderShown } from './event.ts';
import { stepLines } from './order-steps.ts';
import {
  actions,
  alert,
  type Block,
  button,
  cut,
  divider,
  type Element,
  label,
  lines,
  quote,
  rich,
  say,
  small,
} from './text.ts';

const STAGES = ['check', 'submit', 'approval', 'follow'] as const;
/** The steps of a guide. */
export type GuideStage = (typeof STAGES)[number];

/** Stored in the view's metadata. */
export interface GuideMeta {
  /** The operation whose form this is; empty for a view without inputs. */
  t: string;
  /** Channel of the request. */
  c?: string;
  /** Name of the guide. */
  g: string;
  /** Facts that the check found, without secrets. */
  k?: Record<string, string>;
  /** Values that are sent and that the form has no input for. */
  v?: Fields;
  /** The order that the form corrects. */
  o?: CorrectedOrder;
}

/** The order that a correction form changes. */
export interface CorrectedOrder {
  phone?: string;
  /** The carrier's own words, if it refused the order; empty if it gave none. */
  refused?: string;
  /** Fingerprint of the refused details as they were sent. */
  sent?: string;
}

/** The metadata of a guide's view; undefined for other views. */
export function guideMeta(metadata: string): GuideMeta | undefined {
  const meta = objectIn(metadata);
  if (typeof meta?.g !== 'string') return undefined;
  const found = isRecord(meta.k) ? Object.entries(meta.k).map(([name, value]) => [name, textOf(value)]) : [];
  return {
    t: textOf(meta.t),
    g: meta.g,
    ...(typeof meta.c === 'string' ? { c: meta.c } : {}),
    ...(found.length > 0 ? { k: Object.fromEntries(found) } : {}),
    ...(isRecord(meta.v) ? { v: meta.v } : {}),
    ...(isRecord(meta.o) ? { o: correctedIn(meta.o) } : {}),
  };
}

function correctedIn({ phone, refused, sent }: Fields): CorrectedOrder {
  return defined({
    phone: typeof phone === 'string' ? phone : undefined,
    refused: typeof refused === 'string' ? refused : undefined,
    sent: typeof sent === 'string' ? sent : undefined,
  });
}

/** All steps in one line: done, current, ahead. */
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
      const step = `${i + 1} ${names[stage]}`;
      return [
        ...(i === 0 ? [] : ['  ›  ']),
        i < now ? `✅ ${step}` : i === now ? rich.bold(`🔵 ${step}`) : `⚪ ${step}`,
      ];
    }),
  );
}

/** Shows above a form why its step failed. */
export function problemBlocks(problem: string | undefined, quoted = ''): Block[] {
  if (problem === undefined) return [];
  return [alert('error', cut(problem, 1500)), ...(quoted === '' ? [] : [quote(cut(quoted, 1500))])];
}

/** Explains why the carrier refused an order, in plain words and in its own. For modals. */
export function refusalBlocks(message: string): Block[] {
  const reason = carrierReason(message);
  if (message === '') return [alert('error', 'The carrier refused the order without a reason. Ask it what is wrong.')];
  const said = quote(cut(message, 1500));
  if (!reason) return [alert('error', 'The carrier refused the order. These are its own words:'), said];
  return [alert('error', `The carrier refused the order. ${reason.words}`), small('In the carrier’s own words:'), said];
}

/** Facts that the check found, and instructions for the next form. */
export function foundBlocks(guide: Guide, found: Readonly<Record<string, string>>): Block[] {
  const facts = guide.check.facts.flatMap((name) => found[name] ?? []);
  const hints = guide.submit.hints.filter(({ when }) => when === undefined || when[1].test(found[when[0]] ?? ''));
  return [
    ...(facts.length === 0 ? [] : [say('✅ This number can be ported. ', rich.bold(facts.join(' · ')))]),
    say(guide.submit.text),
    ...hints.map(({ text }) => say(text)),
    divider,
  ];
}

/** A view without inputs. */
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

/** The last step: an order with the buttons that still apply. `allowed`: by the person's role. */
export function followBlocks(guide: Guide, order: OrderShown, allowed: { correct: boolean; stop: boolean }): Block[] {
  const { orderId, status, message, numbers: [phone] = [] } = order;
  const rejected = isRejected(status);
  const steps = stepLines(status);
  const ended = hasEnded(status);
  const value = `${guide.name}|${orderId}`;
  const buttons = [
    ...(rejected && allowed.correct ? [button(IDS.orderFix, guide.correct.title, value, { style: 'primary' })] : []),
    button(IDS.orderLook, 'Refresh', value),
    ...(!ended && status !== '' && allowed.stop ? [button(IDS.orderStop, guide.stop.title, value)] : []),
  ];
  return [
    lines([
      [rich.bold('Order'), '  ', rich.code(orderId)],
      ...(phone ? [[rich.bold('Number'), '  ', `${formatPhone(phone).national}  `, rich.code(phone)]] : []),
      [rich.bold('State'), '  ', status === '' ? 'not reported yet' : status],
    ]),
    ...(steps.length > 0 ? [lines(steps)] : []),
    ...(rejected ? refusalBlocks(message) : message === '' ? [] : [quote(cut(message, 1500))]),
    say(nextStep(status)),
    ...(ended ? [] : [actions('guide', ...buttons)]),
  ];
}

function nextStep(status: string): string {
  if (isCompleted(status)) return 'The number has been ported in.';
  if (hasEnded(status)) return 'This order has ended. The number needs a new eligibility check and a new order.';
  if (isRejected(status)) return 'Correct the rejected details to submit the order again.';
  return 'A port takes several days. You can close this form: if the platform delivers its events to Switchboard, the thread of the order mentions you. Otherwise check once a day.';
}
