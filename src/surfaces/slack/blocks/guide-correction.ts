import { createHash } from 'node:crypto';
import type { OrderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { formatPhone } from '../../../language/show.ts';
import { canonical } from '../../../ledger/action.ts';
import { type Fields, textOf } from '../../../lib/json.ts';
import { carrierReason } from '../../../platform/dialect/carrier-reasons.ts';
import type { StateOf } from '../flow-state.ts';
import type { Frame } from './form.ts';
import { refusalBlocks } from './guide.ts';
import { type Block, cut, divider, lines, rich, say, small } from './text.ts';

/* The form that corrects an order after the losing carrier refused it. */

const KEPT = small('As it was sent before. What is empty here stays as it is.');
const UNCHANGED = say('Submit the order again once that is done. No detail has to change.');

/** Maximum length of the carrier's message in the form's metadata. */
const MAX_MESSAGE = 400;

type GuideState = StateOf<'guide'>;

/** What the form of a correction carries. `input`: the details as they were sent. */
export function correctionState(
  { end, tool }: { end: OrderEnd; tool: Tool },
  order: { orderId: string; phone: string | undefined; refused: string | undefined },
  input: Fields,
): Pick<GuideState, 'operation' | 'carried' | 'order'> {
  const { orderId, phone } = order;
  const refused = order.refused === undefined ? undefined : cut(order.refused, MAX_MESSAGE);
  const sent = refused === undefined ? undefined : fingerprint(refused, tool, input);
  return { operation: tool.id, carried: { [end.key]: orderId }, order: { phone, refused, sent } };
}

/** The details that the carrier refused, as fields of the operation that corrects the order. */
function refusedFields(message: string | undefined, tool: Tool): readonly string[] {
  const { fields = [] } = carrierReason(message ?? '') ?? {};
  return fields.filter((name) => name in tool.input.shape);
}

function fingerprint(message: string, tool: Tool, input: Fields): string {
  const values = refusedFields(message, tool).map((name) => input[name] ?? null);
  return createHash('sha256').update(canonical(values)).digest('base64url').slice(0, 22);
}

/** Problems by field if the refused details are unchanged, because the carrier would refuse them again. */
export function unchangedProblems(tool: Tool, input: Fields, { order }: GuideState): Record<string, string> {
  const { refused, sent } = order ?? {};
  const [field] = refusedFields(refused, tool);
  if (refused === undefined || field === undefined || fingerprint(refused, tool, input) !== sent) return {};
  return { [field]: 'This is what the carrier refused. Change it, or the carrier refuses the order again.' };
}

/** The form's frame: why the order was refused, which details come first, and a note about the others. */
export function correctionFrame(end: OrderEnd, tool: Tool, state: GuideState): Omit<Frame, 'title' | 'mark'> {
  const refused = state.order?.refused;
  const fields = refusedFields(refused, tool);
  const heading = fields.length > 1 ? 'One of these is wrong' : 'Refused by the carrier';
  return {
    submit: refused === undefined ? 'Send' : 'Submit again',
    above: [
      ...(refused === undefined ? [] : refusalBlocks(refused)),
      ...(refused !== undefined && fields.length === 0 && carrierReason(refused) ? [UNCHANGED] : []),
      orderLine(end, state),
      ...(fields.length === 0 ? [KEPT] : []),
    ],
    ...(fields.length === 0
      ? {}
      : { lead: { fields, heading, rest: [divider, say(rich.bold('The other details')), KEPT] } }),
    secretHint: 'Not shown again. Left empty, the one that was sent before stays.',
  };
}

function orderLine(end: OrderEnd, { carried = {}, order }: GuideState): Block {
  return lines([
    ...(order?.phone === undefined
      ? []
      : [[rich.bold('Number'), `  ${formatPhone(order.phone).national}  `, rich.code(order.phone)]]),
    [rich.bold('Order'), '  ', rich.code(textOf(carried[end.key]))],
  ]);
}
