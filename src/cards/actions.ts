import { eventOperations } from '../../tools/surfaces/events.ts';
import { afterSteps, placesOrder } from '../../tools/surfaces/tasks.ts';
import type { BatchView } from '../batches/batches.ts';
import { isOver } from '../batches/states.ts';
import type { Consent, Tool } from '../catalogue/operation.ts';
import { isUndecided, isWithdrawn, traitsOf } from '../gate/approval.ts';
import { isPaid } from '../gate/confirmation.ts';
import { BATCH_RUN } from '../gate/frozen-batch.ts';
import { notDoneIn } from '../gate/question.ts';
import { formatPhone } from '../language/show.ts';
import { levelOfAction } from '../ledger/action.ts';
import type { Action } from '../ledger/ledger.ts';
import { reportOf, standingOf } from '../ledger/lookups.ts';
import type { Surface } from '../lib/actor.ts';
import { type Fields, recordOf, scalarText } from '../lib/values.ts';
import { numberKey } from '../platform/dialect/number-lists.ts';
import { isCompleted, isRejected, orderOf, orderState } from '../platform/dialect/orders.ts';
import { type ActionId, APPLY, CANCEL, type CardAction, DISCARD, LABELS, PLAN } from './card.ts';
import { askedOf, questionTitle } from './question.ts';

/** The reader of the card of a change, as far as it decides their actions. */
export interface ChangeReader {
  surface: Surface;
  /** `everyone`: a card in a channel that both deciders and the requester read. */
  who: 'decider' | 'requester' | 'everyone';
  /** True if this surface takes their answer. */
  decides: boolean;
  /** The page on which others decide. */
  page?: string | undefined;
  /** A guide asked, and has the form. */
  inGuide?: true;
  /** Only the requester reads it. */
  isAlone?: boolean;
  /** Secrets of the outcome that this reader may see and has not seen. */
  hidden?: { once: boolean; code: boolean };
  /** A message beside the card, which does not follow the run of a batch. */
  isCopy?: boolean;
  /** It was asked again, on a newer card. */
  askedAgain?: boolean;
}

/** The actions of a reader for a change in any state. The question's text must be shown whole beside `confirm`. */
export function changeActions(action: Action, tool: Tool | undefined, reader: ChangeReader): CardAction[] {
  return action.state === 'pending' ? questionActions(action, tool, reader) : outcomeActions(action, tool, reader);
}

/** An action with its usual words. */
export function act(id: ActionId, value: string, more: Partial<CardAction> = {}): CardAction {
  return { id, label: LABELS[id], value, ...more };
}

/** A button that opens the form of an operation with these values. */
export function fillAction({ operation, label, input }: NonNullable<Consent['next']>, style?: 'primary'): CardAction {
  return act('fill', `${operation}|${JSON.stringify(input)}`, { label, ...(style && { style }) });
}

/** The form that corrects an order that the carrier refused, for every card of it; undefined in any other state. */
export function correctionOf(orderId: string, status: string): Consent['next'] {
  const { operation, field } = eventOperations.correctOrder;
  return isRejected(status) ? { operation, label: LABELS.orderFix, input: { [field]: orderId } } : undefined;
}

/** The words of the yes: the act, as its definition names it. */
export function actLabel({ consent }: Pick<Action, 'consent'>): string {
  return consent?.confirm ?? LABELS.confirm;
}

function questionActions(action: Action, tool: Tool | undefined, reader: ChangeReader): CardAction[] {
  const { who, decides, page } = reader;
  const { id } = action;
  const { hasForms } = traitsOf(reader.surface);
  const isBatch = action.operation === BATCH_RUN;
  const isOwn = levelOfAction(action) === 'own';
  const [mayDecide, hasAsked] = [who !== 'requester', who !== 'decider'];
  const confirms = decides && (mayDecide || isOwn);
  return [
    ...(confirms ? [isOwn ? act('confirm', id, { label: APPLY, style: 'primary' }) : confirmAction(action, tool)] : []),
    ...(decides && mayDecide && !reader.isAlone ? [act('decline', id)] : []),
    ...(!decides && page !== undefined ? [act('open', page, { style: 'primary' })] : []),
    ...(hasAsked && hasForms && !reader.inGuide ? [isBatch ? act('batchEdit', batchOf(action)) : act('edit', id)] : []),
    ...(hasAsked
      ? [
          act('withdraw', id, {
            ...(confirms && !mayDecide && { label: CANCEL }),
            ...(!hasForms && { confirm: WITHDRAWAL }),
          }),
        ]
      : []),
    ...(isBatch && hasForms ? batchActions({ id: batchOf(action), state: 'waiting' }) : []),
  ];
}

/**
 * True for a change that takes service, data or control away: it needs an approver, and its operation does more than
 * cost money. A batch has the risk of the operation that it runs. An operation that the catalogue no longer has counts.
 */
export function takesAway(tool: Pick<Tool, 'id' | 'risk'> | undefined, action: Pick<Action, 'known'>): boolean {
  const risk = tool?.id === BATCH_RUN ? action.known.Risk : tool?.risk;
  return levelOfAction(action) === 'approver' && risk !== 'spend';
}

/** The changes that the dialog before a yes repeats, and the characters of one. */
const MOST_REPEATED = 3;
const MAX_REPEATED = 100;

/** The yes of an approver. The button asks for a confirmation that repeats the change, because the call is sent at once. */
function confirmAction(action: Action, tool: Tool | undefined): CardAction {
  const { consent, id } = action;
  const yes = actLabel(action);
  const rows = askedOf(tool, action).rows.filter(({ isChange }) => isChange);
  // A longer value is read on the card.
  const short = rows.map(({ label, value }) => `${label}: ${value}.`).filter((one) => one.length <= MAX_REPEATED);
  const said = short.filter((one) => !one.includes('\n')).slice(0, MOST_REPEATED);
  const more = rows.length - said.length;
  const text = [
    ...said,
    ...(more === 0 ? [] : [`${more} more ${more === 1 ? 'value is' : 'values are'} on the card.`]),
    ...(consent ? [consent.consequence, consent.undo] : ['This is sent immediately.']),
  ].join(' ');
  const style = takesAway(tool, action) ? 'danger' : 'primary';
  return act('confirm', id, { label: yes, style, confirm: { title: questionTitle(tool, action), text, yes } });
}

/** Asked where the request cannot be made again with a click. */
const WITHDRAWAL = {
  title: LABELS.withdraw,
  text: 'Withdraw this request? Nobody can confirm it afterwards.',
  yes: 'Yes, withdraw it',
  no: 'Keep it',
};

function outcomeActions(action: Action, tool: Tool | undefined, reader: ChangeReader): CardAction[] {
  const { id, state, operation } = action;
  const { hasForms } = traitsOf(reader.surface);
  const isDone = state === 'done' || state === 'partly';
  return [
    ...(reader.hidden?.once ? [act('once', id)] : []),
    ...(reader.hidden?.code ? [act('qr', id)] : []),
    ...(isDone && hasForms && !reader.isCopy && operation === BATCH_RUN
      ? batchActions({ id: batchOf(action), state: 'running' })
      : []),
    ...(state === 'unknown' ? unknownActions(action, tool, reader) : []),
    ...(isDone && hasForms ? afterActions(action, tool) : []),
    ...(hasForms && reader.who !== 'decider' && !reader.inGuide && mayCorrect(action) ? [act('edit', id)] : []),
    ...(hasForms && !reader.askedAgain && mayAskAgain(action) ? [act('again', id)] : []),
  ];
}

function batchOf({ shown }: Action): string {
  return String(shown.Batch);
}

/** True if the platform refused what was asked, so that other values may mend it. */
export function mayCorrect({ state, error, operation }: Action): boolean {
  return state === 'failed' && error?.status === 400 && error.outcome !== 'unknown' && operation !== BATCH_RUN;
}

/** True if nothing was done, so that the question can be asked again. */
export function mayAskAgain(action: Action): boolean {
  if (isUndecided(action) || isWithdrawn(action)) return false;
  const { state, error } = action;
  return state === 'expired' || state === 'declined' || (state === 'failed' && error?.outcome !== 'unknown');
}

/** Resolves an unknown outcome, by reading the platform or by the word of a person who has checked. */
function unknownActions(action: Action, tool: Tool | undefined, { decides, who }: ChangeReader): CardAction[] {
  const sure = (id: 'wasDone' | 'wasNot', text: string) =>
    act(id, action.id, { confirm: { title: 'Have you checked?', text, yes: LABELS[id] } });
  const done =
    'You have seen on the platform, or heard from the customer, that it was done. The action is closed as done.';
  const not = `You have seen that it was not done${isPaid(action) ? ' and not charged' : ''}. The action is closed and can be requested again without a warning.`;
  return [
    // Other outcomes cannot be read.
    ...(tool?.reconcile ? [act('check', action.id)] : []),
    ...(decides && who !== 'requester' ? [sure('wasDone', done), sure('wasNot', not)] : []),
  ];
}

/**
 * The usual next actions after one that was done: the correction of its order if the carrier refused it, its next steps,
 * and the lookup of its number.
 */
function afterActions(action: Action, tool: Tool | undefined): CardAction[] {
  const { operation, shown, result } = action;
  const status = orderState(reportOf(action));
  const correction = placesOrder(operation) ? correctionOf(orderOf(action) ?? '', status) : undefined;
  const next = action.consent?.next;
  const first = [...(correction ? [fillAction(correction, 'primary')] : []), ...(next ? [fillAction(next)] : [])];
  const notDone = tool === undefined ? new Map<string, string>() : notDoneIn(tool, action);
  const phones = numbersOf([shown, result ?? {}]).filter((one) => !notDone.has(numberKey(one)));
  const [phone] = phones;
  if (phone === undefined) return first;
  const isOne = phones.length === 1;
  // Nothing has changed yet that such a step could follow, or will not.
  const { how } = standingOf(action, tool);
  const steps = (how === 'later' || how === 'failed' ? [] : (afterSteps[operation] ?? []))
    .filter(({ unless, completed }) => shown[unless ?? ''] === undefined && (!completed || isCompleted(status)))
    .filter(({ after = {} }) => Object.entries(after).every(([name, value]) => shown[name] === value))
    .flatMap(({ label, guide, operation, field, given }) => {
      if (guide !== undefined) return isOne ? [act('guide', `${guide}|${phone}`, { label })] : [];
      const step = (text: string, ...some: string[]) => {
        const value = field === 'PhoneNumbers' ? some.map((one) => ({ Number: one })) : some[0];
        return fillAction({ operation, label: text, input: { ...given, [field]: value } });
      };
      if (isOne) return [step(label, phone)];
      return [
        ...(field === 'PhoneNumbers' ? [step(`${label} all ${phones.length}`, ...phones)] : []),
        ...(phones.length > MOST_AFTER ? [] : phones.map((one) => step(`${label} ${formatPhone(one).national}`, one))),
      ];
    });
  return [...first, ...steps, ...(isOne ? [act('look', phone)] : [])];
}

const PHONE = /^\+\d{7,15}$/;

/** More numbers than these get no separate next steps. */
const MOST_AFTER = 3;

/** The numbers that an action is about. */
export function numbersOf(records: readonly Fields[]): string[] {
  const found = new Set(
    records.flatMap((record) => {
      const { PhoneNumber, PhoneNumberAssigned, PhoneNumbers, Number: own } = record;
      const rows = Array.isArray(PhoneNumbers) ? PhoneNumbers.map((one) => recordOf(one).Number ?? one) : [];
      return [PhoneNumber, PhoneNumberAssigned, own, ...rows].map(scalarText).filter((one) => PHONE.test(one));
    }),
  );
  return [...found];
}

/** The actions of the requester and approvers for a batch. `notDone`: the rows that can be asked for again. */
export function batchActions({
  id,
  state,
  notDone = 0,
  asked,
}: Pick<BatchView, 'id' | 'state'> & Partial<Pick<BatchView, 'notDone' | 'asked'>>): CardAction[] {
  const isPlanned = state === 'planned';
  const isPlan = isPlanned || state === 'waiting';
  const isOwn = asked && levelOfAction(asked) === 'own';
  const stops = { title: 'Stop this batch?', text: 'Rows that were not sent stay as they are.', yes: LABELS.stop };
  return [
    ...(isPlanned
      ? [act('batchAsk', id, { style: 'primary', ...(isOwn && { label: APPLY }) }), act('batchEdit', id)]
      : []),
    ...(isPlanned ? [act('stop', id, { label: DISCARD })] : []),
    ...(state === 'running' ? [act('stop', id, { confirm: stops })] : []),
    act('rows', `${id}|1`),
    ...(isPlan ? [act('leave', id)] : []),
    act('results', id, isPlan ? { label: PLAN } : {}),
    ...(isOver(state) && notDone > 0 ? [act('rest', id)] : []),
  ];
}
